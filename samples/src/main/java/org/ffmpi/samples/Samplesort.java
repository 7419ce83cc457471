// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.samples.show.Console;
import org.ffmpi.samples.show.ProgressBar;

/**
 * Sorts more keys than one rank has. Each rank sorts its own keys and shows some of them to all; from these samples
 * all ranks choose the same splitters, which cut the keys into one bucket for each rank. An alltoallv exchanges the
 * buckets.
 *
 * <p>The keys of the ranks overlap and crowd together, and yet the buckets come out nearly equal: the samples show
 * where the keys are.
 */
public final class Samplesort {
  private static final String USAGE =
      """
      usage: samplesort [--keys N]

        --keys      keys of each rank; default 4000000
      """;

  /** Samples of each rank for each bucket: more of them make the buckets more equal. */
  private static final int SAMPLES_PER_BUCKET = 64;

  private static final int STAGES = 4;
  private static final int WIDEST_BAR = 40;

  private Samplesort() {}

  /**
   * Runs one rank.
   *
   * @param args see {@link #USAGE}
   */
  public static void main(String[] args) {
    Mpi.run(args, mpi -> {
      IntraComm world = mpi.world();
      Console console = new Console("samplesort", world);
      Integer count = console.options(USAGE, args, options -> options.number("--keys", 4_000_000, 0, 250_000_000));
      if (count != null) {
        run(world, crowdedKeys(count, world.rank()), console);
      }
    });
  }

  private static void run(IntraComm world, long[] keys, Console console) {
    long[] before = fingerprint(world, keys);
    world.barrier();
    double start = Mpi.wtime();
    long[] sorted = sort(world, keys, console.progress(STAGES, "stage"));
    world.barrier();
    double seconds = Mpi.wtime() - start;
    long[] after = fingerprint(world, sorted);

    console.print("%,d keys on %d ranks sorted in %.3f s, %.1f million keys per second%n",
        before[0], world.size(), seconds, before[0] / seconds * 1e-6);
    long[] counts = new long[world.size()];
    world.allgather(Buf.of(new long[] {sorted.length}), Buf.of(counts));
    long most = Arrays.stream(counts).max().orElseThrow();
    for (int rank = 0; rank < counts.length; rank++) {
      console.print("rank %3d  %,12d keys  %s%n", rank, counts[rank],
          "#".repeat(most == 0 ? 0 : (int) (WIDEST_BAR * counts[rank] / most)));
    }
    console.print("checksum  %016x before, %016x after%n", before[1], after[1]);
    console.check(Arrays.equals(before, after), "keys are lost or changed");
    console.check(isSorted(world, sorted), "the keys are not in order");
  }

  /** Makes keys that crowd round some places, other ones at each rank. */
  private static long[] crowdedKeys(int count, int rank) {
    SplittableRandom random = new SplittableRandom(rank);
    long[] keys = new long[count];
    for (int i = 0; i < count; i++) {
      double place = random.nextGaussian() * (1 + i % 3) + rank % 3;
      keys[i] = (long) (place * (1L << 56));
    }
    return keys;
  }

  /**
   * Sorts the keys of all ranks.
   *
   * @param comm all ranks, which call this together
   * @param keys of this rank, in any order; sorted in the end
   * @param progress shown by rank 0
   * @return this rank's part of all keys, in order: none is smaller than a key of a rank before
   */
  static long[] sort(IntraComm comm, long[] keys, ProgressBar progress) {
    Arrays.sort(keys);
    progress.show(1);
    long[] splitters = splitters(comm, keys);
    progress.show(2);
    long[] received = exchange(comm, keys, splitters);
    progress.show(3);
    Arrays.sort(received); // finds the sorted runs of the ranks and merges them
    progress.show(STAGES);
    progress.clear();
    return received;
  }

  /** Chooses the largest key of each bucket but the last, from evenly spread samples of all ranks. */
  private static long[] splitters(IntraComm comm, long[] sorted) {
    int count = SAMPLES_PER_BUCKET * comm.size();
    long[] samples = new long[count];
    for (int i = 0; i < count; i++) {
      // A rank without keys has no influence; its samples fall behind all others.
      samples[i] = sorted.length == 0 ? Long.MAX_VALUE : sorted[(int) ((2L * i + 1) * sorted.length / (2L * count))];
    }
    long[] all = new long[count * comm.size()];
    comm.allgather(Buf.of(samples), Buf.of(all));
    Arrays.sort(all);
    long[] splitters = new long[comm.size() - 1];
    for (int i = 0; i < splitters.length; i++) {
      splitters[i] = all[(i + 1) * count];
    }
    return splitters;
  }

  /** Sends each bucket to its rank and returns the keys that arrive, one sorted run after the other. */
  private static long[] exchange(IntraComm comm, long[] sorted, long[] splitters) {
    int size = comm.size();
    long[] sendCounts = new long[size];
    long[] sendPlaces = new long[size];
    int from = 0;
    for (int rank = 0; rank < size; rank++) {
      int end = rank < size - 1 ? firstAbove(sorted, splitters[rank]) : sorted.length;
      sendPlaces[rank] = from;
      sendCounts[rank] = end - from;
      from = end;
    }
    long[] recvCounts = new long[size];
    comm.alltoall(Buf.of(sendCounts), Buf.of(recvCounts));
    long[] recvPlaces = new long[size];
    for (int rank = 1; rank < size; rank++) {
      recvPlaces[rank] = recvPlaces[rank - 1] + recvCounts[rank - 1];
    }
    long[] received = new long[Math.toIntExact(recvPlaces[size - 1] + recvCounts[size - 1])];
    comm.alltoallv(Buf.of(sorted), sendCounts, sendPlaces, Buf.of(received), recvCounts, recvPlaces);
    return received;
  }

  private static int firstAbove(long[] sorted, long key) {
    int low = 0;
    int high = sorted.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sorted[middle] <= key) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Returns how many keys all ranks have, and a sum that depends on every key but not on their order. */
  static long[] fingerprint(IntraComm comm, long[] keys) {
    long[] result = {keys.length, 0};
    for (long key : keys) {
      long mixed = key * 0x9E3779B97F4A7C15L;
      result[1] += (mixed ^ mixed >>> 29) * 0xBF58476D1CE4E5B9L;
    }
    comm.allreduce(Buf.of(result), Op.SUM);
    return result;
  }

  /** Returns whether the keys of all ranks are in order, within the ranks and from rank to rank. */
  static boolean isSorted(IntraComm comm, long[] keys) {
    long[] largestBefore = {Long.MIN_VALUE};
    long[] largest = {keys.length == 0 ? Long.MIN_VALUE : keys[keys.length - 1]};
    comm.exscan(Buf.of(largest), Buf.of(largestBefore), Op.MAX);
    long before = comm.rank() == 0 ? Long.MIN_VALUE : largestBefore[0]; // exscan leaves rank 0 without a result
    int[] wrong = {0};
    for (long key : keys) {
      wrong[0] += key < before ? 1 : 0;
      before = key;
    }
    comm.allreduce(Buf.of(wrong), Op.MAX);
    return wrong[0] == 0;
  }
}
