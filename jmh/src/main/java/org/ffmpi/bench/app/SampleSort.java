// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.app;

import java.util.Arrays;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;

/**
 * A sample sort of 2^18 longs: radix sort of the own part, splitters out of samples of all ranks, an exchange of blocks
 * of different lengths, radix sort of the received blocks. A step sorts new numbers.
 */
public final class SampleSort {
  private static final int TOTAL = 1 << 18;
  private static final int SAMPLES = 64;
  private static final int BITS = 11;
  private static final int BUCKETS = 1 << BITS;
  private static final int PASSES = 6;

  private SampleSort() {}

  /**
   * Runs one rank.
   *
   * @param args the number of steps
   */
  public static void main(String[] args) {
    Clock.time(args, SampleSort::run);
  }

  private static double run(Mpi mpi, int steps, Clock clock) {
    IntraComm world = mpi.world();
    int size = world.size();
    int n = TOTAL / size;
    long[] keys = new long[TOTAL];
    long[] other = new long[TOTAL];
    long[] got = new long[TOTAL];
    long[] samples = new long[SAMPLES];
    long[] all = new long[SAMPLES * size];
    long[] scratch = new long[SAMPLES * size];
    long[] counts = new long[size];
    long[] starts = new long[size];
    long[] come = new long[size];
    long[] places = new long[size];
    Buf<Long> keysBuf = Buf.of(keys);
    Buf<Long> gotBuf = Buf.of(got);
    Buf<Long> samplesBuf = Buf.of(samples);
    Buf<Long> allBuf = Buf.of(all);
    Buf<Long> countsBuf = Buf.of(counts);
    Buf<Long> comeBuf = Buf.of(come);
    long state = 88172645463325252L + world.rank();
    double check = 0;
    for (int s = 0; s < steps; s++) {
      for (int i = 0; i < n; i++) {
        state ^= state << 13;
        state ^= state >>> 7;
        state ^= state << 17;
        keys[i] = state >>> 1;
      }
      clock.stepBegins();
      radixSort(keys, other, n);
      for (int i = 0; i < SAMPLES; i++) {
        samples[i] = keys[(int) ((long) i * n / SAMPLES)];
      }
      clock.enter();
      world.allgather(samplesBuf, allBuf);
      clock.leave();
      radixSort(all, scratch, SAMPLES * size);
      for (int r = 0, i = 0; r < size; r++) {
        starts[r] = i;
        if (r + 1 < size) {
          long splitter = all[(r + 1) * SAMPLES];
          while (i < n && keys[i] < splitter) {
            i++;
          }
        } else {
          i = n;
        }
        counts[r] = i - starts[r];
      }
      clock.enter();
      world.alltoall(countsBuf, comeBuf);
      clock.leave();
      int total = 0;
      for (int r = 0; r < size; r++) {
        places[r] = total;
        total += (int) come[r];
      }
      clock.enter();
      world.alltoallv(keysBuf, counts, starts, gotBuf, come, places);
      clock.leave();
      radixSort(got, other, total);
      for (int i = 0; i < total; i += 1000) {
        check += (got[i] >> 20) * 1e-12;
      }
      clock.stepEnds();
    }
    double[] sum = {check};
    clock.enter();
    world.allreduce(Buf.of(sum), Op.SUM);
    clock.leave();
    return sum[0];
  }

  private static void radixSort(long[] keys, long[] other, int n) {
    int[] counts = new int[BUCKETS];
    long[] from = keys;
    long[] to = other;
    for (int pass = 0; pass < PASSES; pass++) {
      int shift = pass * BITS;
      Arrays.fill(counts, 0);
      for (int i = 0; i < n; i++) {
        counts[(int) (from[i] >> shift) & (BUCKETS - 1)]++;
      }
      int sum = 0;
      for (int b = 0; b < BUCKETS; b++) {
        int count = counts[b];
        counts[b] = sum;
        sum += count;
      }
      for (int i = 0; i < n; i++) {
        to[counts[(int) (from[i] >> shift) & (BUCKETS - 1)]++] = from[i];
      }
      long[] swap = from;
      from = to;
      to = swap;
    }
  }
}
