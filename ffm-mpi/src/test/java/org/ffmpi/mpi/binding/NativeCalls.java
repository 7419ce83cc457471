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
    check(NativeEnvironment.initialized(WORD), "MPI_Initialized");
    require(Raw.getInt(WORD) == 0, "uninitialized");
    check(NativeEnvironment.initThread(0, 0, MpiConstants.THREAD_MULTIPLE, WORD), "MPI_Init_thread");
    int provided = Raw.getInt(WORD);
    check(NativeEnvironment.queryThread(WORD), "MPI_Query_thread");
    require(Raw.getInt(WORD) == provided && provided >= MpiConstants.THREAD_SINGLE, "the level of threads");
    names();
    communicators();
    messages();
    persistent();
    probes();
    lists();
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

  private static void expect(long status, int source, int tag, int bytes) {
    require(NativeStatus.source(status) == source && NativeStatus.tag(status) == tag
        && NativeStatus.bytes(status, memory(8)) == bytes, "the status of this message");
    check(NativeMessages.getCount(status, MpiConstants.INT32, WORD), "MPI_Get_count");
    require(Raw.getInt(WORD) == bytes / 4, "the count of this message");
  }

  private static void names() {
    long text = memory(MpiConstants.MAX_LIBRARY_VERSION_STRING);
    check(NativeEnvironment.getLibraryVersion(text, WORD), "MPI_Get_library_version");
    require(Raw.getInt(WORD) > 0 && DynamicLinker.text(text).strip().equals(MpiLibrary.current().version()), "version");
    long name = memory(MpiConstants.MAX_PROCESSOR_NAME);
    check(NativeEnvironment.getProcessorName(name, WORD), "MPI_Get_processor_name");
    require(Raw.getInt(WORD) == DynamicLinker.text(name).length() && Raw.getInt(WORD) > 0, "a name");
    long minor = memory(4);
    check(NativeEnvironment.getVersion(WORD, minor), "MPI_Get_version");
    require(Raw.getInt(WORD) >= 3 && Raw.getInt(minor) >= 0, "a version of the standard");
  }

  private static void communicators() {
    check(NativeComms.commSetErrhandler(MpiConstants.COMM_WORLD, MpiConstants.ERRORS_RETURN),
        "MPI_Comm_set_errhandler");
    check(NativeComms.commSize(MpiConstants.COMM_SELF, WORD), "MPI_Comm_size");
    require(Raw.getInt(WORD) == 1, "alone");
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
    long value = memory(8);
    check(NativeComms.commGetAttr(MpiConstants.COMM_WORLD, MpiConstants.TAG_UB, value, WORD), "MPI_Comm_get_attr");
    require(Raw.getInt(WORD) == 1 && Raw.getInt(Raw.getLong(value)) >= 32767, "a largest tag");
    check(NativeMessages.send(0, 0, MpiConstants.BYTE, MpiConstants.PROC_NULL, 1, comm), "MPI_Send");
  }

  private static void messages() {
    long data = ints(7, 8, 9);
    long status = status();
    long request = memory(8);
    if (rank == 0) {
      check(NativeMessages.send(data, 3, MpiConstants.INT32, 1, TAG, comm), "MPI_Send");
      check(NativeMessages.issend(data, 2, MpiConstants.INT32, 1, TAG + 1, comm, request), "MPI_Issend");
      check(NativeRequests.await(request, MpiConstants.STATUS_IGNORE), "MPI_Wait");
      require(NativeHandles.get(request) == MpiConstants.REQUEST_NULL, "complete");
    } else {
      long to = memory(64);
      check(NativeMessages.recv(
          to, 16, MpiConstants.INT32, MpiConstants.ANY_SOURCE, MpiConstants.ANY_TAG, comm, status), "MPI_Recv");
      expect(status, 0, TAG, 12);
      require(Raw.equal(data, to, 12), "the data");
      check(NativeMessages.irecv(to, 16, MpiConstants.INT32, 0, TAG + 1, comm, request), "MPI_Irecv");
      check(NativeRequests.await(request, status), "MPI_Wait");
      expect(status, 0, TAG + 1, 8);
    }
  }

  private static void persistent() {
    long data = ints(1, 2);
    long requests = memory(16);
    long second = requests + MpiConstants.HANDLE_BYTES;
    if (rank == 0) {
      check(NativeMessages.sendInit(data, 1, MpiConstants.INT32, 1, 1, comm, requests), "MPI_Send_init");
      check(NativeMessages.sendInit(data + 4, 1, MpiConstants.INT32, 1, 2, comm, second), "MPI_Send_init");
    } else {
      Raw.putLong(data, 0);
      check(NativeMessages.recvInit(data, 1, MpiConstants.INT32, 0, 1, comm, requests), "MPI_Recv_init");
      check(NativeMessages.recvInit(data + 4, 1, MpiConstants.INT32, 0, 2, comm, second), "MPI_Recv_init");
    }
    check(NativeRequests.start(requests), "MPI_Start");
    check(NativeRequests.start(second), "MPI_Start");
    check(NativeRequests.awaitAll(2, requests, MpiConstants.STATUSES_IGNORE), "MPI_Waitall");
    check(NativeRequests.startAll(2, requests), "MPI_Startall");
    do {
      check(NativeRequests.testAll(2, requests, WORD, MpiConstants.STATUSES_IGNORE), "MPI_Testall");
    } while (Raw.getInt(WORD) == 0);
    require(Raw.getInt(data) == 1 && Raw.getInt(data + 4) == 2, "the data");
    check(NativeRequests.requestFree(requests), "MPI_Request_free");
    check(NativeRequests.requestFree(second), "MPI_Request_free");
    require(NativeHandles.get(second) == MpiConstants.REQUEST_NULL, "freed");
  }

  private static void probes() {
    long data = ints(4);
    long status = status();
    if (rank == 0) {
      check(NativeMessages.send(data, 1, MpiConstants.INT32, 1, TAG, comm), "MPI_Send");
    } else {
      do {
        check(NativeMessages.iprobe(MpiConstants.ANY_SOURCE, TAG, comm, WORD, status), "MPI_Iprobe");
      } while (Raw.getInt(WORD) == 0);
      expect(status, 0, TAG, 4);
      long message = memory(8);
      do {
        check(NativeMessages.improbe(0, MpiConstants.ANY_TAG, comm, WORD, message, status), "MPI_Improbe");
      } while (Raw.getInt(WORD) == 0);
      long request = memory(8);
      long to = memory(8);
      check(NativeMessages.imrecv(to, 1, MpiConstants.INT32, message, request), "MPI_Imrecv");
      check(NativeRequests.await(request, status), "MPI_Wait");
      require(Raw.getInt(to) == 4 && NativeHandles.get(message) == MpiConstants.MESSAGE_NULL, "received");
      check(NativeMessages.improbe(MpiConstants.PROC_NULL, 1, comm, WORD, message, MpiConstants.STATUS_IGNORE),
          "MPI_Improbe");
      require(NativeHandles.get(message) == MpiConstants.MESSAGE_NO_PROC, "a message of nobody");
    }
  }

  private static void lists() {
    int number = 3;
    long requests = memory(8L * number);
    long data = memory(4L * number);
    for (int i = 0; i < number; i++) {
      long request = requests + (long) i * MpiConstants.HANDLE_BYTES;
      long at = data + 4L * i;
      if (rank == 0) {
        Raw.putInt(at, i + 1);
        check(NativeMessages.isend(at, 1, MpiConstants.INT32, 1, i, comm, request), "MPI_Isend");
      } else {
        check(NativeMessages.irecv(at, 1, MpiConstants.INT32, 0, i, comm, request), "MPI_Irecv");
      }
    }
    long index = memory(8);
    long statuses = memory((long) number * MpiConstants.STATUS_BYTES);
    do {
      check(NativeRequests.testAny(number, requests, index, WORD, statuses), "MPI_Testany");
    } while (Raw.getInt(WORD) == 0);
    require(Raw.getInt(index) >= 0 && Raw.getInt(index) < number, "an index");
    long indices = memory(4L * number);
    int done = 1;
    while (done < number) {
      check(NativeRequests.testSome(number, requests, index, indices, statuses), "MPI_Testsome");
      for (int i = 0; i < Raw.getInt(index); i++, done++) {
        long status = statuses + (long) i * MpiConstants.STATUS_BYTES;
        require(rank == 0 || NativeStatus.tag(status) == Raw.getInt(indices + 4L * i), "the status of the request");
      }
    }
    check(NativeRequests.testSome(number, requests, index, indices, statuses), "MPI_Testsome");
    require(Raw.getInt(index) == MpiConstants.UNDEFINED, "nothing left");
    for (int i = 0; i < number; i++) {
      require(Raw.getInt(data + 4L * i) == i + 1, "the data");
    }
  }

  private static void cancelled() {
    long request = memory(8);
    long status = status();
    check(NativeMessages.irecv(memory(8), 8, MpiConstants.BYTE, 1 - rank, 99, comm, request), "MPI_Irecv");
    check(NativeRequests.cancel(request), "MPI_Cancel");
    check(NativeRequests.await(request, status), "MPI_Wait");
    check(NativeRequests.testCancelled(status, WORD), "MPI_Test_cancelled");
    require(Raw.getInt(WORD) == 1, "cancelled");
  }

  private static void errors() {
    long data = ints(1, 2, 3);
    check(NativeComms.commSetErrhandler(comm, MpiConstants.ERRORS_RETURN), "MPI_Comm_set_errhandler");
    if (rank == 0) {
      check(NativeMessages.send(data, 3, MpiConstants.INT32, 1, TAG, comm), "MPI_Send");
    } else {
      int code = NativeMessages.recv(data, 1, MpiConstants.INT32, 0, TAG, comm, MpiConstants.STATUS_IGNORE);
      MpiException e = NativeErrors.exception(code, "MPI_Recv");
      require(e.errorClass() == ErrorClass.ERR_TRUNCATE, "truncated: " + e.getMessage());
      require(e.getMessage().lines().count() == 1, "one line: " + e.getMessage());
      long unused = memory(4);
      check(NativeEnvironment.errorClass(code, unused), "MPI_Error_class");
      require(Raw.getInt(unused) == MpiConstants.ERR_TRUNCATE, "the class");
    }
    Map<ErrorClass, Integer> wrong = Map.of(
        ErrorClass.ERR_RANK, NativeMessages.send(data, 1, MpiConstants.BYTE, 77, 1, comm),
        ErrorClass.ERR_TAG, NativeMessages.send(data, 1, MpiConstants.BYTE, 1 - rank, -77, comm),
        ErrorClass.ERR_COUNT, NativeMessages.send(data, -1, MpiConstants.BYTE, 1 - rank, 1, comm));
    wrong.forEach((expected, code) -> {
      ErrorClass found = NativeErrors.errorClass(code);
      require(found == expected, expected + " but " + found);
    });
  }

  private static void collectives() {
    check(NativeCollectives.barrier(comm), "MPI_Barrier");
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
    check(NativeCollectives.gather(mine, 2, MpiConstants.INT32, all, 2, MpiConstants.INT32, 1, comm), "MPI_Gather");
    require(rank == 0 || Raw.equal(all, ints(10, 20, 11, 21), 16), "gathered");
    check(NativeCollectives.allgather(mine, 2, MpiConstants.INT32, all, 2, MpiConstants.INT32, comm), "MPI_Allgather");
    require(Raw.equal(all, ints(10, 20, 11, 21), 16), "gathered at all");
    long counts = ints(2, 1);
    long places = ints(1, 0);
    Raw.fill(all, 64, (byte) 0);
    check(NativeCollectives.gatherv(
        mine, 2 - rank, MpiConstants.INT32, all, counts, places, MpiConstants.INT32, 0, comm), "MPI_Gatherv");
    require(rank == 1 || Raw.equal(all, ints(11, 10, 20), 12), "gathered, of different lengths");
    Raw.fill(all, 64, (byte) 0);
    check(NativeCollectives.allgatherv(
        mine, 2 - rank, MpiConstants.INT32, all, counts, places, MpiConstants.INT32, comm), "MPI_Allgatherv");
    require(Raw.equal(all, ints(11, 10, 20), 12), "gathered at all, of different lengths");
    check(NativeCollectives.reduce(mine, all, 2, MpiConstants.INT32, MpiConstants.PROD, 1, comm), "MPI_Reduce");
    require(rank == 0 || Raw.equal(all, ints(110, 420), 8), "products");
    check(NativeCollectives.allreduce(
        MpiConstants.IN_PLACE, mine, 2, MpiConstants.INT32, MpiConstants.SUM, comm), "MPI_Allreduce");
    require(Raw.equal(mine, ints(21, 41), 8), "sums in place");
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
