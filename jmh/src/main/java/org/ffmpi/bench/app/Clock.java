// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.app;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;

/**
 * Measures the time of a program's steps and the time in its MPI calls. {@code app.h} describes the reports that rank 0
 * prints in the end.
 */
final class Clock {
  private final double[] stepTimes;
  private int stepsDone;
  private long stepBegan;
  private long entered;
  private long inside;

  private Clock(int steps) {
    stepTimes = new double[steps];
  }

  /** A program, which returns a number that depends on all of its work. */
  interface Program {
    double run(Mpi mpi, int steps, Clock clock);
  }

  /** Runs a program with the number of steps in its first argument, and prints the reports. */
  static void time(String[] args, Program program) {
    int steps = args.length == 0 ? 0 : Integer.parseInt(args[0]);
    if (steps < 1) {
      throw new IllegalArgumentException("steps: a number from 1 is needed");
    }
    Mpi.run(args, mpi -> {
      Clock clock = new Clock(steps);
      double check = program.run(mpi, steps, clock);
      clock.report(mpi.world(), check);
    });
  }

  void stepBegins() {
    stepBegan = System.nanoTime();
  }

  void stepEnds() {
    stepTimes[stepsDone++] = (System.nanoTime() - stepBegan) * 1e-9;
  }

  /** To be called before MPI calls. */
  void enter() {
    entered = System.nanoTime();
  }

  /** To be called after them. */
  void leave() {
    inside += System.nanoTime() - entered;
  }

  private void report(IntraComm world, double check) {
    Duration cpu = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    double[] sums = {inside * 1e-9, cpu.toNanos() * 1e-9};
    world.reduce(Buf.of(sums.clone()), Buf.of(sums), Op.SUM, 0);
    if (world.rank() == 0) {
      StringBuilder out = new StringBuilder();
      out.append("check,").append(check).append('\n');
      out.append("inside,").append(sums[0] / world.size()).append('\n');
      out.append("cpu,").append(sums[1]).append('\n');
      if (Boolean.getBoolean("ffmpi.bench.compile")) {
        out.append("compile,").append(compileSeconds()).append('\n');
      }
      curve(out);
      System.out.print(out);
    }
  }

  /** Elapsed time of this rank's compilers. Asked for only when wanted, since asking costs tens of milliseconds. */
  private static double compileSeconds() {
    return ManagementFactory.getCompilationMXBean().getTotalCompilationTime() * 1e-3;
  }

  private void curve(StringBuilder out) {
    int to = 10;
    for (int from = 0; from < stepsDone; from = to, to = to % 9 == 1 ? 3 * to : to / 3 * 10) {
      to = Math.min(to, stepsDone);
      double[] range = Arrays.copyOfRange(stepTimes, from, to);
      Arrays.sort(range);
      out.append("steps,").append(from).append(',').append(to).append(',').append(range[range.length / 2] * 1e6)
          .append('\n');
    }
  }
}
