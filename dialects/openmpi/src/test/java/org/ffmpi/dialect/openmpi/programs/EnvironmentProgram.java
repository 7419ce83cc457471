// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.openmpi.programs;

import mpi.Comm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Version;

/** What the library says of itself; constants; the buffer of buffered sends. */
final class EnvironmentProgram {
  private EnvironmentProgram() {}

  static void run() throws MPIException {
    Check.that(MPI.isInitialized(), "isInitialized");
    Check.that(!MPI.isFinalized(), "not isFinalized");
    int level = MPI.queryThread();
    Check.that(level >= MPI.THREAD_SINGLE && level <= MPI.THREAD_MULTIPLE, "level of threads " + level);
    Check.that(MPI.THREAD_SINGLE < MPI.THREAD_FUNNELED && MPI.THREAD_FUNNELED < MPI.THREAD_SERIALIZED
        && MPI.THREAD_SERIALIZED < MPI.THREAD_MULTIPLE, "order of levels");
    Check.that(MPI.isThreadMain(), "isThreadMain");
    double start = MPI.wtime();
    Check.that(MPI.wtime() >= start, "wtime goes on");
    Check.that(MPI.wtick() > 0 && MPI.wtick() < 1, "wtick");
    Version version = MPI.getVersion();
    Check.equal(MPI.VERSION, version.getVersion(), "version");
    Check.equal(MPI.SUBVERSION, version.getSubVersion(), "subversion");
    Check.that(!MPI.getLibVersion().isEmpty(), "getLibVersion");
    Check.that(!MPI.getProcessorName().isEmpty(), "getProcessorName");
    Check.that(new MPI() != null, "programs of old make an object");
    MPI.pControl(1, null);
    MPI.pControl(2, "anything");
    attributes();
    constants();
    buffer();
  }

  private static void attributes() throws MPIException {
    Comm world = MPI.COMM_WORLD;
    Check.that((Integer) world.getAttr(MPI.TAG_UB) >= 32767, "TAG_UB");
    Check.that(world.getAttr(MPI.WTIME_IS_GLOBAL) != null, "WTIME_IS_GLOBAL");
    Check.that(world.getAttr(MPI.IO) != null, "IO");
    Check.that((Integer) world.getAttr(MPI.LASTUSEDCODE) >= MPI.ERR_LASTCODE, "LASTUSEDCODE");
    world.getAttr(MPI.HOST);
    world.getAttr(MPI.APPNUM);
    world.getAttr(MPI.UNIVERSE_SIZE);
  }

  /** Numbers that a program may compare have to differ. */
  private static void constants() {
    distinct("ranks", MPI.ANY_SOURCE, MPI.PROC_NULL, MPI.ROOT, MPI.UNDEFINED);
    Check.that(MPI.ANY_SOURCE < 0 && MPI.PROC_NULL < 0 && MPI.ROOT < 0 && MPI.UNDEFINED < 0, "ranks are not ranks");
    Check.that(MPI.ANY_TAG < 0, "ANY_TAG");
    distinct("comparisons", MPI.IDENT, MPI.CONGRUENT, MPI.SIMILAR, MPI.UNEQUAL);
    distinct("topologies", MPI.GRAPH, MPI.DIST_GRAPH, MPI.CART, MPI.UNDEFINED);
    distinct("keys", MPI.TAG_UB, MPI.HOST, MPI.IO, MPI.WTIME_IS_GLOBAL, MPI.APPNUM, MPI.LASTUSEDCODE,
        MPI.UNIVERSE_SIZE, MPI.WIN_BASE, MPI.WIN_SIZE, MPI.WIN_DISP_UNIT, MPI.KEYVAL_INVALID);
    distinct("asserts", MPI.MODE_NOCHECK, MPI.MODE_NOPRECEDE, MPI.MODE_NOPUT, MPI.MODE_NOSTORE, MPI.MODE_NOSUCCEED);
    distinct("locks", MPI.LOCK_EXCLUSIVE, MPI.LOCK_SHARED);
    distinct("modes", MPI.MODE_CREATE, MPI.MODE_RDONLY, MPI.MODE_WRONLY, MPI.MODE_RDWR, MPI.MODE_DELETE_ON_CLOSE,
        MPI.MODE_UNIQUE_OPEN, MPI.MODE_EXCL, MPI.MODE_APPEND, MPI.MODE_SEQUENTIAL);
    distinct("seeks", MPI.SEEK_SET, MPI.SEEK_CUR, MPI.SEEK_END);
    distinct("orders", MPI.ORDER_C, MPI.ORDER_FORTRAN);
    distinct("distributions", MPI.DISTRIBUTE_BLOCK, MPI.DISTRIBUTE_CYCLIC, MPI.DISTRIBUTE_NONE);
    Check.that(MPI.MAX_OBJECT_NAME >= 64 && MPI.MAX_PORT_NAME > 0 && MPI.MAX_INFO_KEY >= 32 && MPI.MAX_INFO_VAL > 0
        && MPI.MAX_DATAREP_STRING >= 64 && MPI.BSEND_OVERHEAD >= 0, "sizes");
    Check.equal(0, MPI.SUCCESS, "SUCCESS");
    distinct("errors", MPI.SUCCESS, MPI.ERR_BUFFER, MPI.ERR_COUNT, MPI.ERR_TYPE, MPI.ERR_TAG, MPI.ERR_COMM,
        MPI.ERR_RANK, MPI.ERR_REQUEST, MPI.ERR_ROOT, MPI.ERR_GROUP, MPI.ERR_OP, MPI.ERR_TOPOLOGY, MPI.ERR_DIMS,
        MPI.ERR_ARG, MPI.ERR_UNKNOWN, MPI.ERR_TRUNCATE, MPI.ERR_OTHER, MPI.ERR_INTERN, MPI.ERR_IN_STATUS,
        MPI.ERR_PENDING, MPI.ERR_ACCESS, MPI.ERR_AMODE, MPI.ERR_ASSERT, MPI.ERR_BAD_FILE, MPI.ERR_BASE,
        MPI.ERR_CONVERSION, MPI.ERR_DISP, MPI.ERR_DUP_DATAREP, MPI.ERR_FILE_EXISTS, MPI.ERR_FILE_IN_USE, MPI.ERR_FILE,
        MPI.ERR_INFO_KEY, MPI.ERR_INFO_NOKEY, MPI.ERR_INFO_VALUE, MPI.ERR_INFO, MPI.ERR_IO, MPI.ERR_KEYVAL,
        MPI.ERR_LOCKTYPE, MPI.ERR_NAME, MPI.ERR_NO_MEM, MPI.ERR_NOT_SAME, MPI.ERR_NO_SPACE, MPI.ERR_NO_SUCH_FILE,
        MPI.ERR_PORT, MPI.ERR_QUOTA, MPI.ERR_READ_ONLY, MPI.ERR_RMA_CONFLICT, MPI.ERR_RMA_SYNC, MPI.ERR_SERVICE,
        MPI.ERR_SIZE, MPI.ERR_SPAWN, MPI.ERR_UNSUPPORTED_DATAREP, MPI.ERR_UNSUPPORTED_OPERATION, MPI.ERR_WIN);
  }

  private static void distinct(String what, int... numbers) {
    Check.equal((long) numbers.length, java.util.stream.IntStream.of(numbers).distinct().count(), what);
  }

  private static void buffer() throws MPIException {
    byte[] memory = new byte[1 << 16];
    MPI.attachBuffer(memory);
    int rank = MPI.COMM_WORLD.getRank();
    long[] numbers = {3, 1L << 40, -5};
    MPI.COMM_WORLD.bSend(numbers, 3, MPI.LONG, rank, 4);
    numbers[0] = 99;
    long[] received = new long[3];
    MPI.COMM_WORLD.recv(received, 3, MPI.LONG, rank, 4);
    Check.equal(new long[] {3, 1L << 40, -5}, received, "a buffered send to itself");
    Check.that(MPI.detachBuffer() == memory, "detachBuffer returns what was attached");
  }
}
