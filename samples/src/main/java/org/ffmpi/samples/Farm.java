// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples;

import java.util.Locale;
import org.ffmpi.Buf;
import org.ffmpi.InterComm;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Spawn;
import org.ffmpi.Status;
import org.ffmpi.base.Constants;

/**
 * A master hands out work to workers that ask for it. Rank 0 of the world is one group, all others are another, and an
 * intercommunicator lies between them. The workers count primes, piece by piece, because some pieces take longer than
 * others; at the end the workers exchange their totals on a communicator of their own. A rank that is alone spawns its
 * workers, keeps them for two jobs, and lets them go.
 */
public final class Farm {
  private static final int LIMIT = 2_000_000;
  private static final int PIECES = 200;
  private static final int MASTER = 0;
  private static final int RESULT = 1;
  private static final int WORK = 2;
  private static final int STOP = 3;
  private static final int WORKERS = 2;
  private static final int JOBS = 2;

  private Farm() {}

  /**
   * The result of one rank.
   *
   * @param primes at the master all primes there are, at a worker those it has found
   * @param pieces pieces that this rank has handed out or worked on
   * @param together primes that all have found, as the workers know it from each other
   */
  record Harvest(long primes, int pieces, long together) {}

  /**
   * Runs one rank.
   *
   * @param args how many workers rank 0 spawns if it is alone
   */
  public static void main(String[] args) {
    Mpi.run(args, mpi -> {
      IntraComm world = mpi.world();
      if (mpi.parent() != null) {
        hired(mpi.parent());
        return;
      }
      if (world.size() < 2) {
        hire(world, args.length == 0 ? WORKERS : Integer.parseInt(args[0]));
        return;
      }
      double start = Mpi.wtime();
      Harvest harvest = work(world, LIMIT, PIECES);
      if (world.rank() == MASTER) {
        System.out.printf(Locale.ROOT, "%d primes below %d, found by %d workers in %d pieces; %.0f ms%n",
            harvest.primes(), LIMIT, world.size() - 1, harvest.pieces(), (Mpi.wtime() - start) * 1e3);
      } else if (world.rank() == MASTER + 1) {
        System.out.printf(Locale.ROOT, "the workers agree on %d primes%n", harvest.together());
      }
    });
  }

  /** Spawns workers for one job, keeps them for the next, and lets them go. */
  private static void hire(IntraComm alone, int workers) {
    double start = Mpi.wtime();
    InterComm hired = alone.spawn(Spawn.of(Farm.class.getName()).processes(workers));
    IntraComm all = hired.merge(false);
    System.out.printf(Locale.ROOT, "%d workers hired in %.0f ms%n", workers, (Mpi.wtime() - start) * 1e3);
    for (int job = 1; job <= JOBS; job++) {
      int limit = LIMIT / JOBS * job;
      start = Mpi.wtime();
      all.bcast(Buf.of(new int[] {limit}), MASTER);
      Harvest harvest = work(all, limit, PIECES);
      System.out.printf(
          Locale.ROOT, "%d primes below %d in %.0f ms%n", harvest.primes(), limit, (Mpi.wtime() - start) * 1e3);
    }
    all.bcast(Buf.of(new int[1]), MASTER);
    all.disconnect();
    hired.disconnect();
    System.out.println("the workers have gone");
  }

  /** Works for those who have spawned this rank until there is nothing more to do. */
  private static void hired(InterComm parent) {
    IntraComm all = parent.merge(true);
    int[] limit = new int[1];
    for (all.bcast(Buf.of(limit), MASTER); limit[0] > 0; all.bcast(Buf.of(limit), MASTER)) {
      work(all, limit[0], PIECES);
    }
    all.disconnect();
    parent.disconnect();
  }

  /**
   * Counts primes.
   *
   * @param world two ranks or more, which call this together
   * @param limit the first number that is not looked at
   * @param pieces into how many pieces the numbers are divided
   * @return the result of this rank
   */
  static Harvest work(IntraComm world, int limit, int pieces) {
    boolean master = world.rank() == MASTER;
    try (IntraComm mine = world.split(master ? 0 : 1, world.rank());
        InterComm others = mine.intercomm(0, world, master ? 1 : MASTER, 0)) {
      if (master) {
        return handOut(others, limit, pieces);
      }
      Harvest own = workFor(others);
      long[] all = {own.primes()};
      mine.allreduce(Buf.of(all), Op.SUM);
      return new Harvest(own.primes(), own.pieces(), all[0]);
    }
  }

  /** Sends a piece to each worker that has finished one. A worker's first message is the result of nothing. */
  private static Harvest handOut(InterComm workers, int limit, int pieces) {
    long primes = 0;
    int working = workers.remoteSize();
    int handedOut = 0;
    long[] found = new long[1];
    Status status = new Status();
    while (working > 0) {
      int worker = workers.recv(found, Constants.ANY_SOURCE, RESULT, status).source();
      primes += found[0];
      if (handedOut < pieces) {
        workers.send(new int[] {border(limit, pieces, handedOut), border(limit, pieces, ++handedOut)}, worker, WORK);
      } else {
        workers.send(new int[0], worker, STOP);
        working--;
      }
    }
    return new Harvest(primes, handedOut, primes);
  }

  private static int border(int limit, int pieces, int piece) {
    return (int) ((long) limit * piece / pieces);
  }

  private static Harvest workFor(InterComm master) {
    long primes = 0;
    int pieces = 0;
    long[] found = {0};
    int[] piece = new int[2];
    Status status = new Status();
    while (true) {
      master.send(found, 0, RESULT);
      if (master.recv(piece, 0, Constants.ANY_TAG, status).tag() == STOP) {
        return new Harvest(primes, pieces, primes);
      }
      found[0] = primes(piece[0], piece[1]);
      primes += found[0];
      pieces++;
    }
  }

  private static long primes(int from, int to) {
    long primes = 0;
    for (int n = Math.max(from, 2); n < to; n++) {
      int divisor = 2;
      while ((long) divisor * divisor <= n && n % divisor != 0) {
        divisor++;
      }
      if ((long) divisor * divisor > n) {
        primes++;
      }
    }
    return primes;
  }
}
