// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.mpi.binding;

import java.lang.foreign.Arena;
import java.util.List;
import java.util.Map;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;
import org.ffmpi.base.raw.Raw;

/** Two ranks that make every call of the bindings once, and look at what it does. Started by an {@code mpiexec}. */
public final class NativeCalls {
  private static final long WORD = memory(8);
  private static final int TAG = 5;

  private static long comm;
  private static int rank;

  private NativeCalls() {}

  /**
   * Runs it.
   *
   * @param args none
   */
  public static void main(String[] args) {
    MpiLibrary.load(Settings.ofProcess());
    check(NativeEnvironment.initThread(0, 0, MpiConstants.THREAD_MULTIPLE, WORD), "MPI_Init_thread");
    require(Raw.getInt(WORD) >= MpiConstants.THREAD_SINGLE, "the level of threads");
    communicators();
    messages();
    persistent();
    cancelled();
    errors();
    collectives();
    reductions();
    check(NativeComms.commFree(handle(comm)), "MPI_Comm_free");
    check(NativeEnvironment.finalizeLibrary(), "MPI_Finalize");
    System.out.println("rank ends well");
  }

  private static long memory(long bytes) {
    return Raw.address(Arena.global().allocate(bytes, 64));
  }

  private static long handle(long handle) {
    long address = memory(8);
    NativeHandles.put(address, handle);
    return address;
  }

  private static long ints(int... values) {
    long address = memory(4L * values.length);
    for (int i = 0; i < values.length; i++) {
      Raw.putInt(address + 4L * i, values[i]);
    }
    return address;
  }

  private static void check(int code, String call) {
    NativeErrors.check(code, call);
  }

  private static void require(boolean there, String what) {
    if (!there) {
      throw new IllegalStateException("not " + what);
    }
  }

  private static long status() {
    return memory(MpiConstants.STATUS_BYTES);
  }

  private static void expect(long status, int source, int bytes) {
    require(NativeStatus.source(status) == source && NativeStatus.bytes(status, memory(8)) == bytes,
        "the status of this message");
  }

  private static void send(long data, int number, int dest, int tag) {
    long request = memory(8);
    check(NativeMessages.isend(data, number, MpiConstants.INT32, dest, tag, comm, request), "MPI_Isend");
    check(NativeRequests.await(request, MpiConstants.STATUS_IGNORE), "MPI_Wait");
    require(NativeHandles.get(request) == MpiConstants.REQUEST_NULL, "complete");
  }

  private static void communicators() {
    check(NativeComms.commSetErrhandler(MpiConstants.COMM_WORLD, MpiConstants.ERRORS_RETURN),
        "MPI_Comm_set_errhandler");
    check(NativeComms.commRank(MpiConstants.COMM_WORLD, WORD), "MPI_Comm_rank");
    rank = Raw.getInt(WORD);
    long made = memory(8);
    check(NativeComms.commSplit(MpiConstants.COMM_WORLD, 3, -rank, made), "MPI_Comm_split");
    check(NativeComms.commRank(NativeHandles.get(made), WORD), "MPI_Comm_rank");
    require(Raw.getInt(WORD) == 1 - rank, "in the other order");
    check(NativeComms.commFree(made), "MPI_Comm_free");
    require(NativeHandles.get(made) == MpiConstants.COMM_NULL, "freed");
    check(NativeComms.commSplit(
        MpiConstants.COMM_WORLD, rank == 0 ? MpiConstants.UNDEFINED : 0, 0, made), "MPI_Comm_split");
    require(NativeHandles.get(made) == MpiConstants.COMM_NULL == (rank == 0), "without rank 0");
    check(NativeComms.commSplitType(
        MpiConstants.COMM_WORLD, MpiConstants.COMM_TYPE_SHARED, rank, MpiConstants.INFO_NULL, made),
        "MPI_Comm_split_type");
    check(NativeComms.commSize(NativeHandles.get(made), WORD), "MPI_Comm_size");
    require(Raw.getInt(WORD) == 2, "on one node");
    check(NativeComms.commDup(NativeHandles.get(made), made), "MPI_Comm_dup");
    comm = NativeHandles.get(made);
    send(0, 0, MpiConstants.PROC_NULL, 1);
  }

  private static void messages() {
    long data = ints(7, 8, 9);
    if (rank == 0) {
      send(data, 3, 1, TAG);
    } else {
      long to = memory(64);
      long status = status();
      long request = memory(8);
      check(NativeMessages.irecv(
          to, 16, MpiConstants.INT32, MpiConstants.ANY_SOURCE, MpiConstants.ANY_TAG, comm, request), "MPI_Irecv");
      check(NativeRequests.await(request, status), "MPI_Wait");
      expect(status, 0, 12);
      require(Raw.equal(data, to, 12), "the data");
    }
  }

  private static void persistent() {
    if (rank == 0) {
      send(ints(1), 1, 1, 1);
      send(ints(2), 1, 1, 1);
      return;
    }
    long data = memory(4);
    long request = memory(8);
    check(NativeMessages.recvInit(data, 1, MpiConstants.INT32, 0, 1, comm, request), "MPI_Recv_init");
    check(NativeRequests.start(request), "MPI_Start");
    check(NativeRequests.await(request, MpiConstants.STATUS_IGNORE), "MPI_Wait");
    require(Raw.getInt(data) == 1, "the data");
    check(NativeRequests.start(request), "MPI_Start");
    do {
      check(NativeRequests.test(request, WORD, MpiConstants.STATUS_IGNORE), "MPI_Test");
    } while (Raw.getInt(WORD) == 0);
    require(Raw.getInt(data) == 2, "the data of the second start");
    check(NativeRequests.requestFree(request), "MPI_Request_free");
    require(NativeHandles.get(request) == MpiConstants.REQUEST_NULL, "freed");
  }

  private static void cancelled() {
    long request = memory(8);
    check(NativeMessages.irecv(memory(8), 8, MpiConstants.BYTE, 1 - rank, 99, comm, request), "MPI_Irecv");
    check(NativeRequests.cancel(request), "MPI_Cancel");
    check(NativeRequests.await(request, MpiConstants.STATUS_IGNORE), "MPI_Wait");
    require(NativeHandles.get(request) == MpiConstants.REQUEST_NULL, "complete");
  }

  private static void errors() {
    long data = ints(1, 2, 3);
    check(NativeComms.commSetErrhandler(comm, MpiConstants.ERRORS_RETURN), "MPI_Comm_set_errhandler");
    long request = memory(8);
    if (rank == 0) {
      send(data, 3, 1, TAG);
    } else {
      check(NativeMessages.irecv(data, 1, MpiConstants.INT32, 0, TAG, comm, request), "MPI_Irecv");
      int code = NativeRequests.await(request, MpiConstants.STATUS_IGNORE);
      MpiException e = NativeErrors.exception(code, "MPI_Wait");
      require(e.errorClass() == ErrorClass.ERR_TRUNCATE, "truncated: " + e.getMessage());
      require(e.getMessage().lines().count() == 1, "one line: " + e.getMessage());
      long unused = memory(4);
      check(NativeEnvironment.errorClass(code, unused), "MPI_Error_class");
      require(Raw.getInt(unused) == AbiValue.ERR_TRUNCATE.in(MpiLibrary.current()), "the class");
    }
    Map<ErrorClass, Integer> wrong = Map.of(
        ErrorClass.ERR_RANK, NativeMessages.isend(data, 1, MpiConstants.BYTE, 77, 1, comm, request),
        ErrorClass.ERR_TAG, NativeMessages.isend(data, 1, MpiConstants.BYTE, 1 - rank, -77, comm, request),
        ErrorClass.ERR_COUNT, NativeMessages.isend(data, -1, MpiConstants.BYTE, 1 - rank, 1, comm, request));
    wrong.forEach((expected, code) -> {
      ErrorClass found = NativeErrors.errorClass(code);
      require(found == expected, expected + " but " + found);
    });
  }

  private static void collectives() {
    long request = memory(8);
    check(NativeCollectives.ibarrier(comm, request), "MPI_Ibarrier");
    do {
      check(NativeRequests.test(request, WORD, MpiConstants.STATUS_IGNORE), "MPI_Test");
    } while (Raw.getInt(WORD) == 0);
    long data = ints(rank == 1 ? 6 : 0);
    check(NativeCollectives.bcast(data, 1, MpiConstants.INT32, 1, comm), "MPI_Bcast");
    require(Raw.getInt(data) == 6, "the root's data");
    long mine = ints(10 + rank, 20 + rank);
    long all = memory(64);
    check(NativeCollectives.allgather(mine, 2, MpiConstants.INT32, all, 2, MpiConstants.INT32, comm), "MPI_Allgather");
    require(Raw.equal(all, ints(10, 20, 11, 21), 16), "gathered at all");
    check(NativeCollectives.allreduce(mine, all, 2, MpiConstants.INT32, MpiConstants.SUM, comm), "MPI_Allreduce");
    require(Raw.equal(all, ints(21, 41), 8), "sums");
  }

  /** Every type with every operation that it has: each byte of the result is known. */
  private static void reductions() {
    List<Long> integers = List.of(
        MpiConstants.INT8, MpiConstants.UINT8, MpiConstants.INT16, MpiConstants.UINT16, MpiConstants.INT32,
        MpiConstants.UINT32, MpiConstants.INT64, MpiConstants.UINT64);
    int a = 6;
    int b = 3;
    Map<Long, Integer> results = Map.of(
        MpiConstants.SUM, a + b, MpiConstants.PROD, a * b, MpiConstants.MIN, b, MpiConstants.MAX, a,
        MpiConstants.BAND, a & b, MpiConstants.BOR, a | b, MpiConstants.BXOR, a ^ b,
        MpiConstants.LAND, 1, MpiConstants.LOR, 1, MpiConstants.LXOR, 0);
    long in = memory(8);
    long out = memory(8);
    for (int i = 0; i < integers.size(); i++) {
      int bytes = 1 << i / 2;
      for (Map.Entry<Long, Integer> op : results.entrySet()) {
        Raw.putLong(in, rank == 0 ? a : b);
        Raw.putLong(out, -1);
        check(NativeCollectives.allreduce(in, out, 1, integers.get(i), op.getKey(), comm), "MPI_Allreduce");
        long expected = op.getValue() | (bytes == 8 ? 0 : -1L << 8 * bytes);
        require(Raw.getLong(out) == expected, "the result of operation " + op + " with integers " + i);
      }
    }
    // The maximum says whether a type has a sign, which MPICH 4.0 does not ask.
    int step = MpiLibrary.current().abi() == MpiAbi.MPICH ? 2 : 1;
    for (int i = 0; i < integers.size(); i += step) {
      int bytes = 1 << i / 2;
      Raw.putLong(in, rank == 0 ? 1 : -1);
      Raw.putLong(out, 0);
      check(NativeCollectives.allreduce(in, out, 1, integers.get(i), MpiConstants.MAX, comm), "MPI_Allreduce");
      long largest = i % 2 == 0 ? 1 : -1L >>> 64 - 8 * bytes;
      require(Raw.getLong(out) == largest, "the maximum of integers " + i);
    }
    Raw.putFloat(in, rank == 0 ? 0.5f : 0.25f);
    check(NativeCollectives.allreduce(in, out, 1, MpiConstants.FLOAT, MpiConstants.SUM, comm), "MPI_Allreduce");
    require(Raw.getFloat(out) == 0.75f, "the sum of floats");
    Raw.putDouble(in, rank == 0 ? 0.5 : 0.25);
    check(NativeCollectives.allreduce(in, out, 1, MpiConstants.DOUBLE, MpiConstants.PROD, comm), "MPI_Allreduce");
    require(Raw.getDouble(out) == 0.125, "the product of doubles");
  }
}
