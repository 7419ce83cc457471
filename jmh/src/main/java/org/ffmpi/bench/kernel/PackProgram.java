// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * One JVM of {@code scripts/bench pack}, which takes its work and answers as {@code pack.c} does. Before anything is
 * measured all of the work is done for a while, with pauses in which the JIT compilers and the generator of classes
 * have the cores.
 */
public final class PackProgram {
  private static final long COMPILING_MILLIS = 150;

  /** The seconds of a turn of one piece of work in the warm-up. */
  private static final double TURN_SECONDS = 0.005;

  private int reps = 5;
  private double seconds = 0.03;
  private double pointWarmUp = 0.05;
  private boolean polluted;
  private final List<Measured> works = new ArrayList<>();
  private final PackBuffers buffers = new PackBuffers();

  /** Something to measure. */
  interface Measured {
    /** Does it so many times and returns the seconds it took. */
    double run(long iterations);

    /** Throws if the result is wrong; called once, after everything has been measured. */
    void check();

    /** Returns how long each half of the warm-up should be; vector kernels are slow until they are compiled. */
    default double warmUpSeconds() {
      return 1;
    }

    /** Returns bench, case and bytes, with commas. */
    String label();
  }

  private PackProgram() {}

  public static void main(String[] args) {
    PackProgram program = new PackProgram();
    program.parse(args);
    program.run();
  }

  private void parse(String[] args) {
    for (int a = 0; a < args.length; a++) {
      switch (args[a]) {
        case "--reps" -> reps = Integer.parseInt(args[++a]);
        case "--seconds" -> seconds = Double.parseDouble(args[++a]);
        case "--warmup" -> pointWarmUp = Double.parseDouble(args[++a]);
        default -> work(args[a].split("/"));
      }
    }
  }

  private void work(String[] f) {
    polluted |= List.of(f[1].split("\\|")).contains("polluted");
    for (String size : f[2].split(",")) {
      long bytes = Long.parseLong(size);
      works.add(switch (f[0]) {
        case "pack", "unpack" -> new PackWork(f[0], f[1], bytes, buffers);
        case "commit", "make" -> new CommitWork(f[0], f[1], bytes);
        default -> throw new IllegalArgumentException("unknown bench " + f[0]);
      });
    }
  }

  private void run() {
    if (polluted) {
      Pollution.ofTypes();
    }
    double warmUp = works.stream().mapToDouble(Measured::warmUpSeconds).max().orElse(0);
    for (int half = 0; half < 2; half++) {
      long begin = System.nanoTime();
      do {
        works.forEach(PackProgram::turn);
      } while ((System.nanoTime() - begin) * 1e-9 < warmUp);
      LockSupport.parkNanos(COMPILING_MILLIS * 1_000_000);
    }
    System.out.println("ready");
    works.forEach(this::measure);
    works.forEach(Measured::check);
  }

  private static void turn(Measured work) {
    long iterations = 1;
    for (double spent = 0; spent < TURN_SECONDS; iterations *= 2) {
      spent += work.run(iterations);
    }
  }

  private void measure(Measured work) {
    long begin = System.nanoTime();
    long iterations = 1;
    double last;
    for (;;) {
      last = work.run(iterations);
      if ((System.nanoTime() - begin) * 1e-9 >= pointWarmUp && last >= seconds / 4) {
        break;
      }
      if (last < seconds / 2) {
        iterations *= 2;
      }
    }
    iterations = Math.max(1, (long) (iterations * (seconds / last)));
    StringBuilder line = new StringBuilder("point," + work.label() + ",us,0");
    for (int r = 0; r < reps; r++) {
      line.append(',').append(work.run(iterations) / iterations * 1e6);
    }
    System.out.println(line);
    System.out.flush();
  }
}
