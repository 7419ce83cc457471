// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.rank;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Reads the work, measures point after point and prints the answers; {@code bench.h} in Java. It knows no API of MPI:
 * subclasses supply the two operations that it needs.
 */
abstract class WorkProgram {
  /** Repetitions longer than this many iterations gain nothing. */
  private static final long MOST_ITERATIONS = 1L << 24;

  /** Each part of the warm-up ends after this time. */
  private static final double WARM_UP_SECONDS = 2.5;

  /** After each part the ranks leave the cores to their compilers: spinning ranks starve them. */
  private static final long COMPILING_MILLIS = 700;

  /** The time that {@link #turnBySeconds} stays with one piece of work. */
  private static final double TURN_SECONDS = 0.003;

  /** The measuring of the hop also has to be compiled before its result means anything. */
  private static final int HOP_WARM_UPS = 40;

  final int rank;

  private int reps = 5;
  private double seconds = 0.03;
  private double pointWarmUp = 0.05;
  private boolean isolated;
  private Hop hop;

  /** The work that is repeated and timed. */
  interface Loop {
    void run(long iterations);
  }

  WorkProgram(int rank) {
    this.rank = rank;
  }

  /** Waits for all ranks. */
  abstract void barrier();

  /** Returns rank 0's value on all ranks. */
  abstract double agree(double value);

  /** Makes a point ready. */
  abstract Prepared prepare(Work work);

  /**
   * Returns the work that a long-lived application would have done before, if any; it is run briefly, again and again,
   * before measuring.
   */
  abstract List<Work> warmUpWork();

  /** Returns how many parts the warm-up has. */
  int warmUpParts() {
    return 2;
  }

  /** Runs the program; called by each rank. */
  final void run(String[] args) throws IOException {
    List<Work> works = parse(args);
    List<Work> before = isolated ? List.of() : warmUpWork();
    if (!before.isEmpty()) {
      warmUp(before);
    }
    warmUp(works);
    print("ready");
    for (Work w : works) {
      measure(w);
    }
  }

  private List<Work> parse(String[] args) throws IOException {
    List<Work> works = new ArrayList<>();
    for (int a = 0; a < args.length; a++) {
      String arg = args[a];
      if (arg.startsWith("--")) {
        String value = args[++a];
        switch (arg) {
          case "--reps" -> reps = Integer.parseInt(value);
          case "--seconds" -> seconds = Double.parseDouble(value);
          case "--warmup" -> pointWarmUp = Double.parseDouble(value);
          case "--profile" -> isolated = value.equals("isolated");
          case "--hop" -> hop = rank <= 1 ? new Hop(Path.of(value), rank) : null;
          default -> throw new IllegalArgumentException("unknown option " + arg);
        }
      } else {
        works.addAll(Work.parse(arg));
      }
    }
    return works;
  }

  private void warmUp(List<Work> works) {
    List<Prepared> prepared = works.stream().map(this::prepare).toList();
    for (int part = 0; part < warmUpParts(); part++) {
      long begin = System.nanoTime();
      do {
        for (int i = 0; i < prepared.size(); i++) {
          turn(works.get(i), prepared.get(i).loop());
        }
      } while (agree((System.nanoTime() - begin) * 1e-9) < WARM_UP_SECONDS);
      LockSupport.parkNanos(COMPILING_MILLIS * 1_000_000);
      barrier();
    }
    for (int i = 0; i < HOP_WARM_UPS; i++) {
      hop();
    }
  }

  /** Does a little of a piece of work: about a thousand small messages, and at least two of the largest. */
  void turn(Work w, Loop loop) {
    loop.run(Math.max(2, 1000 / (1 + w.bytes() / 64)));
  }

  /** Turns of equal time, for works whose calls differ much, each with code of its own. */
  final void turnBySeconds(Loop loop) {
    double spent = 0;
    for (long n = 1; spent < TURN_SECONDS; n *= 2) {
      spent += agree(timed(loop, n));
    }
  }

  private void measure(Work w) {
    Prepared p = prepare(w);
    Loop loop = p.loop();
    long begin = System.nanoTime();
    long iterations = 1;
    double last;
    for (;;) {
      last = agree(timed(loop, iterations));
      if (agree((System.nanoTime() - begin) * 1e-9) >= pointWarmUp
          && (last >= seconds / 4 || iterations > MOST_ITERATIONS)) {
        break;
      }
      if (last < seconds / 2) {
        iterations *= 2;
      }
    }
    iterations = Math.max(1, (long) (iterations * (seconds / last)));
    StringBuilder line = new StringBuilder();
    double before = hop();
    for (int r = 0; r < reps; r++) {
      line.append(',').append(p.value().applyAsDouble(repetition(loop, iterations) / iterations));
    }
    double hopNanos = Math.max(before, hop());
    p.check().run();
    print("point," + w.bench() + "," + w.name() + "," + w.bytes() + "," + p.unit() + "," + hopNanos + line);
    measured(w, hopNanos);
  }

  /** Is called for each point that has been measured. */
  void measured(Work work, double hopNanos) {}

  /** Runs the loop once and returns its seconds as this rank sees them, or another opinion of what counts. */
  double repetition(Loop loop, long iterations) {
    return timed(loop, iterations);
  }

  final double timed(Loop loop, long iterations) {
    barrier();
    long start = System.nanoTime();
    loop.run(iterations);
    return (System.nanoTime() - start) * 1e-9;
  }

  private double hop() {
    barrier();
    return hop == null ? 0 : hop.measure();
  }

  final void print(String line) {
    if (rank == 0) {
      System.out.println(line);
      System.out.flush();
    }
  }
}
