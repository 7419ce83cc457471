// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.mpijava.programs;

import java.nio.ByteBuffer;
import mpi.Comm;
import mpi.MPI;
import mpi.MPIException;

/** What is asked of a process, and the buffer of buffered mode. */
final class Environment {
  private Environment() {}

  static void run(Check check) throws MPIException {
    Comm world = MPI.COMM_WORLD;
    check.that("initialized", MPI.Initialized());
    check.that("a name", MPI.Get_processor_name().length() > 0);
    double begin = MPI.Wtime();
    check.that("time goes on", MPI.Wtime() >= begin);
    check.that("a tick", MPI.Wtick() > 0 && MPI.Wtick() < 1);
    check.that("the main thread", MPI.isMainThread());
    MPI.initThread(MPI.THREAD_SINGLE, 0, new String[3]); // after Init, as some programs do: nothing changes
    check.equal("threads", MPI.THREAD_MULTIPLE, MPI.queryThread());
    check.equal("rank alone", 0, MPI.COMM_SELF.Rank());
    check.equal("size alone", 1, MPI.COMM_SELF.Size());
    check.that("group of the world", world.group.Size() == world.Size());
    check.that("no log", !MPI.DEBUG && !MPI.isOldSelected);
    check.that("processors", MPI.NUM_OF_PROCESSORS > 0);
    check.equal("no message", 0, MPI.EMPTY_STATUS.Get_count(MPI.INT));
    check.equal("source of no message", MPI.ANY_SOURCE, MPI.EMPTY_STATUS.source);
    check.equal("tag of no message", MPI.ANY_TAG, MPI.EMPTY_STATUS.tag);
    check.that("no communicator", MPI.COMM_NULL == null && MPI.GROUP_NULL == null);
    check.that("the empty group", MPI.GROUP_EMPTY.Size() == 0 && MPI.GROUP_EMPTY.Rank() == MPI.UNDEFINED);
    check.that("no request", MPI.REQUEST_NULL.Is_null());
    check.equal("handler", MPI.ERRORS_RETURN, MPI.Errorhandler_get());
    MPI.Errorhandler_set(MPI.ERRORS_RETURN);
    check.equal("handler set", MPI.ERRORS_RETURN, MPI.Errorhandler_get());
    Comm.Errorhandler_set(MPI.ERRORS_RETURN); // as mpiJava 1.2 has it
    check.equal("handler of communicators", MPI.ERRORS_RETURN, Comm.Errorhandler_get());
    check.that("a communicator", !world.Is_null());

    Integer largest = (Integer) world.Attr_get(MPI.TAG_UB);
    check.that("largest tag", largest != null && largest >= 32767);
    Object host = world.Attr_get(MPI.HOST);
    check.that("host", host == null || host instanceof Integer);
    check.equal("the host as first rank", 0, MPI.HOST);
    Object io = world.Attr_get(MPI.IO);
    check.that("input and output", io instanceof Integer);
    check.fails("deleting a predefined attribute", () -> world.Attr_delete(MPI.TAG_UB));
    check.fails("an unknown key", () -> world.Attr_get(12345), "keyval = 12345");

    buffered(check, world);
  }

  private static void buffered(Check check, Comm world) throws MPIException {
    int next = (world.Rank() + 1) % world.Size();
    int before = (world.Rank() + world.Size() - 1) % world.Size();
    int room = 4 * (world.Pack_size(100, MPI.LONG) + MPI.BSEND_OVERHEAD);
    for (int form = 0; form < 3; form++) {
      if (form == 0) {
        MPI.Buffer_attach(ByteBuffer.allocateDirect(room));
      } else if (form == 1) {
        MPI.Buffer_attach(ByteBuffer.allocate(room));
      } else {
        MPI.Buffer_attach(new byte[room]);
      }
      long[] data = new long[100];
      for (int i = 0; i < 100; i++) {
        data[i] = 1000L * world.Rank() + i;
      }
      for (int i = 0; i < 3; i++) {
        world.Bsend(data, 0, 100, MPI.LONG, next, 70 + i);
      }
      data[0] = -1;
      for (int i = 2; i >= 0; i--) {
        long[] got = new long[100];
        world.Recv(got, 0, 100, MPI.LONG, before, 70 + i);
        check.equal("first of a buffered message", 1000L * before, got[0]);
        check.equal("last of a buffered message", 1000L * before + 99, got[99]);
      }
      MPI.Buffer_detach();
    }
    MPI.Buffer_detach(); // nothing to detach
    MPI.Buffer_attach(new byte[8]);
    MPI.Buffer_attach(new byte[room]); // in place of the first
    world.Bsend(new long[100], 0, 100, MPI.LONG, next, 75);
    world.Recv(new long[100], 0, 100, MPI.LONG, before, 75);
    MPI.Buffer_detach();
    MPI.Buffer_detach();
    check.fails("attaching nothing", () -> MPI.Buffer_attach((byte[]) null), "userbuffer");
  }
}
