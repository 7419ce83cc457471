// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.mpi.binding;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Locale;
import org.ffmpi.base.Settings;
import org.ffmpi.base.raw.Raw;

/**
 * Two ranks that send a message back and forth through the bindings alone, by {@code MPI_Isend}, {@code MPI_Irecv} and
 * {@code MPI_Test}, to measure the C library from Java. Before that it uses the JVM's signals. Started
 * by an {@code mpiexec}; its arguments are lengths in bytes, each with a number of rounds if the usual one is not
 * right: {@code 8 1048576x20}.
 */
public final class NativePingPong {
  private static final int TAG = 7;
  private static final long BYTES_PER_POINT = 100L << 20;
  private static final int FEWEST_ROUNDS = 20;
  private static final int MOST_ROUNDS = 20_000;
  private static final int BATCHES = 5;

  private final long comm;
  private final int rank;
  private final long request;
  private final long flag;
  private final long status;

  private NativePingPong(long comm, int rank, Arena arena) {
    this.comm = comm;
    this.rank = rank;
    this.request = Raw.address(arena.allocate(8, 8));
    this.flag = Raw.address(arena.allocate(8, 8));
    this.status = Raw.address(arena.allocate(MpiConstants.STATUS_BYTES + 16L, 8));
  }

  /**
   * Runs it.
   *
   * @param args lengths of messages, and rounds
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    long start = System.nanoTime();
    MpiLibrary library = MpiLibrary.load(Settings.ofProcess());
    long loaded = System.nanoTime();
    try (Arena arena = Arena.ofConfined()) {
      long word = Raw.address(arena.allocate(8, 8));
      check(NativeEnvironment.initThread(0, 0, MpiConstants.THREAD_MULTIPLE, word), "MPI_Init_thread");
      long initialized = System.nanoTime();
      boolean multiple = Raw.getInt(word) == MpiConstants.THREAD_MULTIPLE;
      check(NativeComms.commSetErrhandler(MpiConstants.COMM_WORLD, MpiConstants.ERRORS_RETURN),
          "MPI_Comm_set_errhandler");
      check(NativeComms.commSize(MpiConstants.COMM_WORLD, word), "MPI_Comm_size");
      require(Raw.getInt(word) == 2, "two ranks");
      check(NativeComms.commRank(MpiConstants.COMM_WORLD, word), "MPI_Comm_rank");
      int rank = Raw.getInt(word);
      check(NativeComms.commDup(MpiConstants.COMM_WORLD, word), "MPI_Comm_dup");
      NativePingPong pair = new NativePingPong(NativeHandles.get(word), rank, arena);
      useSignals();
      if (rank == 0) {
        System.out.println(library);
        System.out.printf(Locale.ROOT, "loaded in %d ms, initialized in %d ms, MULTIPLE %s%n",
            (loaded - start) / 1_000_000, (initialized - loaded) / 1_000_000, multiple ? "granted" : "refused");
      }
      runChild();
      for (String arg : args) {
        String[] point = arg.split("x");
        int bytes = Integer.parseInt(point[0]);
        int rounds = point.length > 1
            ? Integer.parseInt(point[1])
            : Math.clamp(BYTES_PER_POINT / bytes, FEWEST_ROUNDS, MOST_ROUNDS);
        pair.measure(bytes, rounds, arena);
      }
      useSignals();
      check(NativeComms.commFree(word), "MPI_Comm_free");
      check(NativeEnvironment.finalizeLibrary(), "MPI_Finalize");
    }
    System.out.println("rank ends well");
  }

  private static void check(int code, String call) {
    NativeErrors.check(code, call);
  }

  private static void require(boolean there, String what) {
    if (!there) {
      throw new IllegalStateException("not " + what);
    }
  }

  // ---- signals

  /** Null checks without a branch, a stack that overflows, a division by zero: each of them is a signal to the JVM. */
  private static void useSignals() {
    int[][] arrays = {{1}, null};
    int caught = 0;
    int sum = 0;
    for (int i = 0; i < 40_000; i++) {
      try {
        sum += lengthOf(arrays[i % 20_000 == 19_999 ? 1 : 0]);
      } catch (NullPointerException e) {
        caught++;
      }
    }
    require(sum == 39_998 && caught == 2, "null checks");
    int overflows = 0;
    for (int i = 0; i < 3; i++) {
      try {
        sum += deeper(1);
      } catch (StackOverflowError e) {
        overflows++;
      }
    }
    require(overflows == 3, "overflows");
    int divisions = 0;
    for (int i = 0; i < 40_000; i++) {
      try {
        sum += 7 / (i % 20_000 == 19_999 ? 0 : 1);
      } catch (ArithmeticException e) {
        divisions++;
      }
    }
    require(divisions == 2, "divisions");
  }

  /** Libraries may refuse, or warn of, processes that fork. */
  private static void runChild() throws IOException, InterruptedException {
    require(new ProcessBuilder("true").inheritIO().start().waitFor() == 0, "a child process");
  }

  private static int lengthOf(int[] array) {
    return array.length;
  }

  private static int deeper(int depth) {
    return deeper(depth + 1) + depth;
  }

  // ---- messages

  private void measure(int bytes, int rounds, Arena arena) {
    MemorySegment mine = arena.allocate(bytes, 64);
    MemorySegment theirs = arena.allocate(bytes, 64);
    mine.fill((byte) (rank + 1));
    long out = Raw.address(mine);
    long in = Raw.address(theirs);
    rounds(out, in, bytes, rounds);
    long best = Long.MAX_VALUE;
    for (int i = 0; i < BATCHES; i++) {
      best = Math.min(best, rounds(out, in, bytes, rounds / BATCHES));
    }
    require(theirs.get(ValueLayout.JAVA_BYTE, bytes - 1L) == 2 - rank, "the other's data");
    if (rank == 0) {
      System.out.printf(Locale.ROOT, "%d B: %.2f us%n", bytes, best / 1e3 / 2);
    }
  }

  /** Returns the nanoseconds of one round. */
  private long rounds(long out, long in, int bytes, int rounds) {
    long start = System.nanoTime();
    for (int i = 0; i < rounds; i++) {
      if (rank == 0) {
        send(out, bytes);
        receive(in, bytes);
      } else {
        receive(in, bytes);
        send(out, bytes);
      }
    }
    return (System.nanoTime() - start) / rounds;
  }

  private void send(long from, int bytes) {
    check(NativeMessages.isend(from, bytes, MpiConstants.BYTE, 1 - rank, TAG, comm, request), "MPI_Isend");
    complete(MpiConstants.STATUS_IGNORE);
  }

  private void receive(long to, int bytes) {
    check(
        NativeMessages.irecv(
            to, bytes, MpiConstants.BYTE, MpiConstants.ANY_SOURCE, MpiConstants.ANY_TAG, comm, request),
        "MPI_Irecv");
    complete(status);
    if (NativeStatus.bytes(status, status + (MpiConstants.STATUS_BYTES + 7 & -8)) != bytes
        || NativeStatus.source(status) != 1 - rank) {
      throw new IllegalStateException("status of another message");
    }
  }

  private void complete(long to) {
    do {
      check(NativeRequests.test(request, flag, to), "MPI_Test");
    } while (Raw.getInt(flag) == 0);
  }
}
