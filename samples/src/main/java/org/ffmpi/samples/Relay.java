// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.PartitionedRecv;
import org.ffmpi.PartitionedSend;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.base.Constants;

/**
 * An array passes all ranks as over an assembly line, and each adds something of its own. It is sent in partitions, and
 * each partition has a virtual thread, which works as soon as its piece is there and passes it on to the next rank
 * while others are still worked on. The last rank prints the sum and how long the whole array took.
 */
public final class Relay {
  private static final int PARTITIONS = 16;
  private static final int LENGTH = 4_000;
  private static final int STEPS = 200;
  private static final int TAG = 0;

  private Relay() {}

  /**
   * Runs one rank.
   *
   * @param args not used
   */
  public static void main(String[] args) {
    Mpi.run(args, mpi -> {
      IntraComm world = mpi.world();
      pass(world, STEPS); // once without looking at the clock, so that the code is compiled
      world.barrier();
      double start = Mpi.wtime();
      long[] result = pass(world, STEPS);
      double micros = (Mpi.wtime() - start) / STEPS * 1e6;
      if (world.rank() == world.size() - 1) {
        System.out.printf(Locale.ROOT, "%d numbers passed %d ranks and add up to %d; %.0f us each time%n",
            result.length, world.size(), Arrays.stream(result).sum(), micros);
      }
    });
  }

  /**
   * Passes arrays on, one after the other. The first rank does not receive, and the last does not send.
   *
   * @param world all ranks, which call this together
   * @param steps how many arrays
   * @return the last array when it left this rank: at place i, i times the sum of 1 to rank + 1
   */
  static long[] pass(IntraComm world, int steps) {
    int rank = world.rank();
    int previous = rank == 0 ? Constants.PROC_NULL : rank - 1;
    int next = rank == world.size() - 1 ? Constants.PROC_NULL : rank + 1;
    long[] incoming = new long[PARTITIONS * LENGTH];
    long[] outgoing = new long[PARTITIONS * LENGTH];
    try (PartitionedRecv in = world.precvInit(Buf.of(incoming), PARTITIONS, previous, TAG);
        PartitionedSend out = world.psendInit(Buf.of(outgoing), PARTITIONS, next, TAG)) {
      List<Persistent> both = List.of(in, out);
      for (int step = 0; step < steps; step++) {
        Persistent.startAll(both);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
          for (int p = 0; p < PARTITIONS; p++) {
            int partition = p;
            threads.execute(() -> {
              while (!in.parrived(partition)) {
                LockSupport.parkNanos(1_000); // not yield: that would keep others that sleep from running
              }
              work(incoming, outgoing, partition, rank + 1);
              out.pready(partition);
            });
          }
        } // all have done their part
        Request.waitAll(both);
      }
    }
    return outgoing;
  }

  private static void work(long[] incoming, long[] outgoing, int partition, int number) {
    for (int i = partition * LENGTH; i < (partition + 1) * LENGTH; i++) {
      outgoing[i] = incoming[i] + (long) number * i;
    }
  }
}
