// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples;

import java.util.Locale;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Request;

/**
 * A token goes round from rank to rank, and each adds its own number to it. Rank 0 prints the sum and how long one hop
 * took.
 *
 * <p>Takes the number of rounds as its argument, 20,000 by default. It runs with one rank too, which sends to itself.
 */
public final class Ring {
  private static final int ROUNDS = 20_000;
  private static final int TAG = 0;

  private Ring() {}

  /**
   * Runs one rank.
   *
   * @param args the number of rounds; may be missing
   */
  public static void main(String[] args) {
    Mpi.run(args, mpi -> {
      IntraComm world = mpi.world();
      int rounds = args.length == 0 ? ROUNDS : rounds(args[0]);
      if (rounds < 1) {
        if (world.rank() == 0) {
          System.err.println("ring: rounds = " + args[0] + ": a whole number from 1 up is allowed");
          mpi.abort(2);
        }
        world.barrier(); // rank 0 ends the job
      }
      turn(world, rounds); // once without looking at the clock, so that the code is compiled
      world.barrier();
      double start = Mpi.wtime();
      long sum = turn(world, rounds);
      double hop = (Mpi.wtime() - start) / ((double) rounds * world.size());
      if (world.rank() == 0) {
        System.out.printf(Locale.ROOT, "%d rounds of %d ranks add up to %d; %.2f us a hop%n",
            rounds, world.size(), sum, hop * 1e6);
      }
    });
  }

  /**
   * Passes the token on, again and again.
   *
   * @param world all ranks, which call this together
   * @param rounds how often each rank gets the token
   * @return the token when it last left this rank: at rank 0, the sum over all rounds and ranks
   */
  static long turn(IntraComm world, int rounds) {
    int next = (world.rank() + 1) % world.size();
    int previous = (world.rank() + world.size() - 1) % world.size();
    long[] incoming = {0};
    long[] outgoing = {0};
    for (int round = 0; round < rounds; round++) {
      if (world.rank() == 0) {
        // Nonblocking, because a single rank has no other one that receives.
        Request sent = world.isend(outgoing, next, TAG);
        world.recv(incoming, previous, TAG);
        sent.await();
        outgoing[0] = incoming[0];
      } else {
        world.recv(incoming, previous, TAG);
        outgoing[0] = incoming[0] + world.rank();
        world.send(outgoing, next, TAG);
      }
    }
    return outgoing[0];
  }

  private static int rounds(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
