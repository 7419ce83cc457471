// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.rank;

import java.util.Arrays;
import java.util.function.LongSupplier;

/** Times of calls that nothing has warmed up. Knows no API of MPI. */
final class ColdTimes {
  private ColdTimes() {}

  /**
   * Makes the calls; rank 0 prints how long they took.
   *
   * @param args the case, and numbers of calls in ascending order
   * @param rank this process
   * @param call one call
   */
  static void measure(String[] args, int rank, Runnable call) {
    measure(args, rank, call, () -> 0);
  }

  /**
   * Makes the calls; rank 0 prints how long they took, and how long its compilers have worked until then.
   *
   * @param args the case, and numbers of calls in ascending order
   * @param rank this process
   * @param call one call
   * @param compilers the processor time of the compilers so far, in nanoseconds
   */
  static void measure(String[] args, int rank, Runnable call, LongSupplier compilers) {
    double[] times = new double[Integer.parseInt(args[args.length - 1])];
    double[] compiling = new double[args.length];
    int asked = 1;
    for (int i = 0; i < times.length; i++) {
      long start = System.nanoTime();
      call.run();
      times[i] = (System.nanoTime() - start) * 1e-9;
      if (rank == 0 && i + 1 == Integer.parseInt(args[asked])) {
        compiling[asked++] = compilers.getAsLong() * 1e-6;
      }
    }
    if (rank == 0) {
      for (int a = 1; a < args.length; a++) {
        answer(Integer.parseInt(args[a]), times);
        System.out.println(new StringBuilder("compilers,").append(args[a]).append(',').append(compiling[a]));
      }
    }
  }

  private static void answer(int k, double[] times) {
    double sum = 0;
    for (int i = 0; i < k; i++) {
      sum += times[i];
    }
    int window = k < 10 ? 1 : k / 10;
    double[] last = Arrays.copyOfRange(times, k - window, k);
    Arrays.sort(last);
    System.out.println(new StringBuilder("call,").append(k).append(',').append(last[window / 2] * 1e6));
    System.out.println(new StringBuilder("sum,").append(k).append(',').append(sum * 1e3));
  }
}
