// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.rank;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ffmpi.Buf;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Persistent;
import org.ffmpi.datatype.Datatype;

/**
 * The collectives, with any number of ranks; {@code coll.c} in Java. A case is the collective, a bar, the kind of
 * memory or {@code persistent}, and {@code -dirty} where the send buffer is written before each call.
 */
public final class Coll extends RankProgram {
  private static final long PAGE = 4096;
  private static final double WIPED = -1;
  private static final String DIRTY = "-dirty";
  private static final String PERSISTENT = "persistent";

  private static final List<String> NAMES = List.of("barrier", "bcast", "gather", "gatherv", "scatter", "scatterv",
      "allgather", "allgatherv", "alltoall", "alltoallv", "alltoallw", "reduce", "allreduce", "reduce_scatter_block",
      "reduce_scatter", "scan", "exscan");

  /** How long the rehearsal stays with one piece of work before it goes on to the next. */
  private static final double TURN_SECONDS = 0.003;

  /** Kept by kind and size, so that all collectives meet the same ones. */
  private final Map<String, Buffers> buffers = new HashMap<>();

  private final double[] total = new double[1];
  private final Buf<Double> totalBuf = Buf.of(total);

  /** Seconds this rank has spent within the calls of the last loop. */
  private double spent;

  /** Where the calls send from and receive to; the whole of it, of which each uses the beginning. */
  private record Buffers(Object send, Object receive) {
    MemorySegment sent() {
      return segment(send);
    }

    MemorySegment received() {
      return segment(receive);
    }

    /** Bytes where nothing is added, as the C program has it; of arrays always doubles. */
    CollCalls<?> calls(Coll program, CollData data) {
      if (send instanceof double[] from && receive instanceof double[] to) {
        return new CollCalls<>(program.world, data, Buf.of(from, data.sendWords(), Datatype.DOUBLE),
            Buf.of(to, data.receiveWords(), Datatype.DOUBLE), Datatype.DOUBLE, Double.BYTES);
      }
      return data.isReduction()
          ? calls(program, data, Datatype.DOUBLE, Double.BYTES)
          : calls(program, data, Datatype.BYTE, 1);
    }

    private <T> CollCalls<T> calls(Coll program, CollData data, Datatype<T> type, int unit) {
      return new CollCalls<>(program.world, data,
          Buf.of(sent(), data.sendWords() * Double.BYTES / unit, type),
          Buf.of(received(), data.receiveWords() * Double.BYTES / unit, type), type, unit);
    }

    void refresh(int words) {
      if (send instanceof double[] array) {
        Refresh.doubles(array, words);
      } else {
        Refresh.doubles((MemorySegment) send, words);
      }
    }

    private static MemorySegment segment(Object memory) {
      return memory instanceof double[] array ? MemorySegment.ofArray(array) : (MemorySegment) memory;
    }
  }

  private Coll(Mpi mpi) {
    super(mpi);
  }

  /**
   * Measures the points named by the arguments.
   *
   * @param args options and work
   */
  public static void main(String[] args) {
    Mpi.run(args, mpi -> new Coll(mpi).run(args));
  }

  @Override
  List<Work> rehearsal() {
    List<Work> works = new ArrayList<>();
    for (String form : List.of("native", "heap", "shared", PERSISTENT)) {
      for (String name : NAMES) {
        for (long bytes : new long[] {8, 1 << 10, 64 << 10}) {
          works.add(new Work("coll", name + "|" + form, bytes));
        }
      }
    }
    return works;
  }

  /** More than usual: there is much to compile. */
  @Override
  int rehearsals() {
    return 3;
  }

  /** As long for each piece of work. */
  @Override
  void turn(Work work, Loop loop) {
    double passed = 0;
    for (long n = 1; passed < TURN_SECONDS; n *= 2) {
      passed += agree(timed(loop, n));
    }
  }

  @Override
  Prepared prepare(Work work) {
    int bar = work.name().indexOf('|');
    if (!work.bench().equals("coll") || bar < 0) {
      throw new IllegalArgumentException("unknown case: " + work);
    }
    String form = work.name().substring(bar + 1, work.name().length() - (work.dirty() ? DIRTY.length() : 0));
    CollData data = new CollData(work.name().substring(0, bar), rank, world.size(), work.bytes());
    Buffers memory = buffers(form.equals(PERSISTENT) ? "native" : form, data);
    fill(memory, data);
    CollCalls<?> calls = memory.calls(this, data);
    int written = work.dirty() ? Math.toIntExact(data.sentWords()) : 0;
    Runnable call = calls.blocking();
    boolean persistent = form.equals(PERSISTENT);
    Loop loop = persistent ? n -> persistent(calls, memory, written, n) : n -> blocking(call, memory, written, n);
    Loop unwritten = persistent ? n -> persistent(calls, memory, 0, n) : n -> blocking(call, memory, 0, n);
    return new Prepared() {
      @Override
      public Loop loop() {
        return loop;
      }

      @Override
      public String unit() {
        return "us";
      }

      @Override
      public double value(double secondsPerIteration) {
        return secondsPerIteration * 1e6;
      }

      @Override
      public void check() {
        fill(memory, data);
        checkResult(work, unwritten, memory, data);
      }
    };
  }

  /** What counts is the time within the calls, not that of the barriers: the mean over the ranks. */
  @Override
  double repetition(Loop loop, long iterations) {
    timed(loop, iterations);
    total[0] = spent;
    world.allreduce(totalBuf, Op.SUM);
    return total[0] / world.size();
  }

  /** As OSU's benchmarks do it: a barrier before each call, and only the call is timed. */
  private void blocking(Runnable call, Buffers memory, int written, long iterations) {
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
  private void persistent(CollCalls<?> calls, Buffers memory, int written, long iterations) {
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

  private static void fill(Buffers memory, CollData data) {
    MemorySegment sent = memory.sent();
    for (long w = 0; w < data.sentWords(); w++) {
      sent.setAtIndex(ValueLayout.JAVA_DOUBLE, w, data.sent(w));
    }
  }

  private void checkResult(Work work, Loop loop, Buffers memory, CollData data) {
    MemorySegment received = memory.received();
    for (long w = 0; w < data.receivedWords(); w++) {
      received.setAtIndex(ValueLayout.JAVA_DOUBLE, w, WIPED);
    }
    world.barrier();
    loop.run(1);
    for (long w = 0; w < data.receivedWords(); w++) {
      double found = received.getAtIndex(ValueLayout.JAVA_DOUBLE, w);
      if (found != data.expected(w)) {
        throw new IllegalStateException(work + ": rank " + rank + " received " + found + " for " + data.expected(w)
            + " at " + w);
      }
    }
  }

  private Buffers buffers(String memory, CollData data) {
    long words = Math.max(1, data.block()) * world.size();
    return buffers.computeIfAbsent(memory + "/" + data.bytes(), k -> switch (memory) {
      case "native" -> new Buffers(
          Arena.global().allocate(Double.BYTES * words, PAGE), Arena.global().allocate(Double.BYTES * words, PAGE));
      case "shared" -> new Buffers(
          mpi.shared().allocate(Double.BYTES * words, PAGE), mpi.shared().allocate(Double.BYTES * words, PAGE));
      case "heap" -> new Buffers(new double[Math.toIntExact(words)], new double[Math.toIntExact(words)]);
      default -> throw new IllegalArgumentException("unknown kind of memory: " + memory);
    });
  }
}
