// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.rank;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.ffmpi.Buf;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Request;

/**
 * The part of a nonblocking collective that is done while its ranks compute; {@code overlap.c} in Java, which describes
 * the measurement. A case is the collective, the kind of memory and the help: {@code plain} and {@code tests} as in
 * C, and {@code thread}, the computation of {@code plain} in a job with a progress thread.
 */
public final class Overlap extends CollProgram {
  private static final List<String> NAMES = List.of(
      "bcast", "gather", "scatter", "allgather", "alltoall", "reduce", "allreduce", "reduce_scatter_block");

  private static final String ALONE = "alone";
  private static final String LEFT = "left";
  private static final String OVERLAP = "overlap";

  /** Calls for progress in the computation. */
  private static final int TESTS = 10;

  private static final int TRIALS = 5;
  private static final int TRIAL_STEPS = 100_000;

  /** The result of all multiplications, so that they are done. */
  private long computed;

  private Overlap(Mpi mpi) {
    super(mpi);
  }

  public static void main(String[] args) {
    start(args, Overlap::new);
  }

  @Override
  List<Work> warmUpWork() {
    List<Work> works = new ArrayList<>();
    for (String name : NAMES) {
      works.addAll(Work.of(LEFT, List.of(name + "|native|plain", name + "|native|tests", name + "|shared|tests"),
          1 << 10, 64 << 10));
    }
    return works;
  }

  /** The collective, the computation, and both together. */
  private final class Pair implements Loop {
    private final String bench;
    private final Supplier<Request> call;
    private final boolean withTests;
    private int steps;

    Pair(String bench, Supplier<Request> call, boolean withTests) {
      this.bench = bench;
      this.call = call;
      this.withTests = withTests;
    }

    @Override
    public void run(long iterations) {
      spent = takeTurns(iterations, this::communicate)[0];
    }

    /** Returns the value of the bench, times iterations. */
    double compare(long iterations) {
      double communication = mean(this, iterations);
      if (bench.equals(ALONE)) {
        return communication;
      }
      steps = stepsIn(communication / iterations);
      double[] sums = takeTurns(iterations, this::communicate, this::compute, this::doBoth);
      world.allreduce(Buf.of(sums), Op.SUM);
      double left = sums[2] - sums[1];
      return bench.equals(LEFT) ? left / world.size() : Math.max(0, 1 - left / sums[0]) * iterations;
    }

    private void communicate() {
      call.get().await();
    }

    private void compute() {
      multiply(steps);
    }

    void doBoth() {
      Request request = call.get();
      if (withTests) {
        boolean done = false;
        for (int i = 0; i < TESTS; i++) {
          multiply(steps / TESTS);
          done = done || request.test();
        }
        if (done) {
          return;
        }
      } else {
        multiply(steps);
      }
      request.await();
    }
  }

  @Override
  Prepared prepare(Work work) {
    String[] parts = work.name().split("\\|");
    if (!List.of(ALONE, LEFT, OVERLAP).contains(work.bench()) || parts.length != 3 || !NAMES.contains(parts[0])) {
      throw new IllegalArgumentException("unknown case: " + work);
    }
    CollData data = new CollData(parts[0], rank, world.size(), work.bytes());
    CollBuffers memory = buffers(parts[1], data);
    memory.fill(data);
    Pair pair = new Pair(work.bench(), memory.calls(world, data).nonblocking(), parts[2].equals("tests"));
    boolean isPart = work.bench().equals(OVERLAP);
    return new Prepared(pair, isPart ? "%" : "us", perIteration -> perIteration * (isPart ? 100 : 1e6),
        () -> checkResult(work, pair::doBoth, memory, data));
  }

  /** The warm-up computes as well. */
  @Override
  void turn(Work work, Loop loop) {
    super.turn(work, loop);
    ((Pair) loop).compare(10);
  }

  @Override
  double repetition(Loop loop, long iterations) {
    return ((Pair) loop).compare(iterations);
  }

  private double mean(Loop loop, long iterations) {
    return super.repetition(loop, iterations);
  }

  /** Runs the bodies in turn, so that a disturbance meets all of them, and returns the seconds that each has taken. */
  private double[] takeTurns(long iterations, Runnable... bodies) {
    double[] sums = new double[bodies.length];
    for (long i = 0; i < iterations; i++) {
      for (int b = 0; b < bodies.length; b++) {
        world.barrier();
        long start = System.nanoTime();
        bodies[b].run();
        sums[b] += (System.nanoTime() - start) * 1e-9;
      }
    }
    return sums;
  }

  /** Dependent multiplications, without memory. */
  private void multiply(int n) {
    long x = computed;
    for (int i = 0; i < n; i++) {
      x = x * 6364136223846793005L + 1442695040888963407L;
    }
    computed = x;
  }

  /** Returns how many steps take so long on rank 0; the same on all ranks. */
  private int stepsIn(double seconds) {
    double least = Double.MAX_VALUE;
    for (int t = 0; t < TRIALS; t++) {
      long start = System.nanoTime();
      multiply(TRIAL_STEPS);
      least = Math.min(least, (System.nanoTime() - start) * 1e-9);
    }
    return (int) agree(1 + seconds / least * TRIAL_STEPS);
  }
}
