// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.rank;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Request;
import org.ffmpi.Win;

/**
 * Measures what the checks cost two ranks for a message of 8 bytes, a pair of nonblocking ones, and a load and store of
 * an array of the program and of a part of a window. Started by mpirun with {@code --check}, or with the check as an
 * argument, for ranks in threads. Prints the median of some rounds.
 */
public final class CheckCost {
  private static final int ROUNDS = 7;
  private static final int MESSAGES = 2_000;
  private static final int ELEMENTS = 1_000;
  private static final int PASSES = 200;
  private static long sink;

  private CheckCost() {}

  /**
   * Runs it.
   *
   * @param args empty, or the check
   */
  public static void main(String[] args) {
    if (args.length > 0) {
      Mpi.runThreads(2, Map.of("ffmpi.check", args[0]), mpi -> measure(mpi.world()));
      return;
    }
    try (Mpi mpi = Mpi.init(args)) {
      measure(mpi.world());
    }
  }

  /** One thing that is measured. */
  private interface Round {
    void run(int count);
  }

  private static void measure(IntraComm world) {
    long[] word = new long[1];
    long[] other = new long[1];
    int peer = 1 - world.rank();
    print(world, "a message of 8 bytes", 2 * MESSAGES, count -> {
      for (int i = 0; i < count / 2; i++) {
        if (world.rank() == 0) {
          world.send(word, 1, 1);
          world.recv(word, 1, 1);
        } else {
          world.recv(word, 0, 1);
          world.send(word, 0, 1);
        }
      }
    });
    print(world, "a receive and a send that do not block", MESSAGES, count -> {
      for (int i = 0; i < count; i++) {
        Request receive = world.irecv(other, peer, 1);
        Request send = world.isend(word, peer, 1);
        receive.await();
        send.await();
      }
    });
    long[] array = new long[ELEMENTS];
    print(world, "a load and store of an array", PASSES * ELEMENTS, count -> {
      for (int i = 0; i < count; i++) {
        array[i % ELEMENTS] += i;
      }
    });
    try (Win win = world.winAllocate(ELEMENTS * Long.BYTES, Long.BYTES)) {
      MemorySegment part = win.segment();
      win.fence();
      print(world, "a load and store of an array, beside a window", PASSES * ELEMENTS, count -> {
        for (int i = 0; i < count; i++) {
          array[i % ELEMENTS] += i;
        }
      });
      print(world, "a load and store of the part of a window", PASSES * ELEMENTS / 10, count -> {
        for (int i = 0; i < count; i++) {
          long at = i % ELEMENTS;
          part.setAtIndex(ValueLayout.JAVA_LONG, at, part.getAtIndex(ValueLayout.JAVA_LONG, at) + i);
        }
      });
      win.fence();
    }
    sink += array[1];
  }

  private static void print(IntraComm world, String what, int count, Round round) {
    double[] nanos = new double[ROUNDS];
    round.run(count);
    for (int i = 0; i < ROUNDS; i++) {
      world.barrier();
      long begin = System.nanoTime();
      round.run(count);
      nanos[i] = (double) (System.nanoTime() - begin) / count;
    }
    Arrays.sort(nanos);
    if (world.rank() == 0) {
      System.out.printf(Locale.ROOT, "%-50s %10.1f ns%n", what, nanos[ROUNDS / 2]);
    }
  }
}
