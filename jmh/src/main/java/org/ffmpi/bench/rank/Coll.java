// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.rank;

import java.util.List;
import java.util.stream.Stream;
import org.ffmpi.Mpi;
import org.ffmpi.Persistent;

/**
 * The collectives, with any number of ranks; {@code coll.c} in Java. A case is the collective, a bar, the kind of
 * memory or {@code persistent}, and {@code -dirty} where the send buffer is written before each call.
 */
public final class Coll extends CollProgram {
  private static final String DIRTY = "-dirty";
  private static final String PERSISTENT = "persistent";

  private static final List<String> NAMES = List.of("barrier", "bcast", "gather", "gatherv", "scatter", "scatterv",
      "allgather", "allgatherv", "alltoall", "alltoallv", "alltoallw", "reduce", "allreduce", "reduce_scatter_block",
      "reduce_scatter", "scan", "exscan");

  private Coll(Mpi mpi) {
    super(mpi);
  }

  public static void main(String[] args) {
    start(args, Coll::new);
  }

  @Override
  List<Work> warmUpWork() {
    return Work.of("coll", Stream.of("native", "heap", "shared", PERSISTENT)
        .flatMap(form -> NAMES.stream().map(name -> name + "|" + form)).toList(), 8, 1 << 10, 64 << 10);
  }

  @Override
  Prepared prepare(Work work) {
    int bar = work.name().indexOf('|');
    if (!work.bench().equals("coll") || bar < 0) {
      throw new IllegalArgumentException("unknown case: " + work);
    }
    String form = work.name().substring(bar + 1, work.name().length() - (work.dirty() ? DIRTY.length() : 0));
    CollData data = new CollData(work.name().substring(0, bar), rank, world.size(), work.bytes());
    CollBuffers memory = buffers(form.equals(PERSISTENT) ? "native" : form, data);
    memory.fill(data);
    CollCalls<?> calls = memory.calls(world, data);
    int written = work.dirty() ? Math.toIntExact(data.sentWords()) : 0;
    Runnable call = calls.blocking();
    boolean persistent = form.equals(PERSISTENT);
    Loop loop = persistent ? n -> persistent(calls, memory, written, n) : n -> blocking(call, memory, written, n);
    Loop unwritten = persistent ? n -> persistent(calls, memory, 0, n) : n -> blocking(call, memory, 0, n);
    return Prepared.micros(loop, 1, () -> checkResult(work, () -> unwritten.run(1), memory, data));
  }

  /** As OSU's benchmarks do it: a barrier before each call, and only the call is timed. */
  private void blocking(Runnable call, CollBuffers memory, int written, long iterations) {
    long nanos = 0;
    for (long i = 0; i < iterations; i++) {
      if (written > 0) {
        memory.refresh(written);
      }
      world.barrier();
      long start = System.nanoTime();
      call.run();
      nanos += System.nanoTime() - start;
    }
    spent = nanos * 1e-9;
  }

  /** Making the request is not timed: it is there to be made once. */
  private void persistent(CollCalls<?> calls, CollBuffers memory, int written, long iterations) {
    long nanos = 0;
    try (Persistent request = calls.persistent()) {
      for (long i = 0; i < iterations; i++) {
        if (written > 0) {
          memory.refresh(written);
        }
        world.barrier();
        long start = System.nanoTime();
        request.start();
        request.await();
        nanos += System.nanoTime() - start;
      }
    }
    spent = nanos * 1e-9;
  }
}
