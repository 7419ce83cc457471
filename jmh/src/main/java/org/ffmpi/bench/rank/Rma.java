// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.rank;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.ffmpi.Buf;
import org.ffmpi.Group;
import org.ffmpi.LockType;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Win;
import org.ffmpi.base.Constants;
import org.ffmpi.datatype.Datatype;

/**
 * One-sided operations; {@code rma.c} in Java, which describes the benches. A case is how the window is made, with
 * {@code array} for one over Java arrays and {@code direct} for loads and stores of the program itself, and where the
 * origin's buffer lies: {@code native} or {@code heap}.
 */
public final class Rma extends RankProgram {
  private static final int LARGEST = 4 << 20;
  private static final int STRIDE = 16;
  private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE;
  private static final VarHandle LONGS = ValueLayout.JAVA_LONG.varHandle();
  private static final Set<String> LOCKED_ALL =
      Set.of("put", "get", "accumulate", "put-rate", "strided", "fetch-and-op", "swap", "counter");

  private final int target = world.size() - 1;
  private final Group partner = world.group().incl(rank == 0 ? target : 0);
  private final MemorySegment buffer = Arena.global().allocate(LARGEST, PAGE);
  private final byte[] array = new byte[LARGEST];

  private Rma(Mpi mpi) {
    super(mpi);
    requireRanks("rma");
  }

  public static void main(String[] args) {
    start(args, Rma::new);
  }

  @Override
  List<Work> warmUpWork() {
    List<Work> works = new ArrayList<>();
    for (String name : List.of("allocate|native", "shared|heap", "array|heap")) {
      for (String bench : List.of("put", "get", "accumulate")) {
        works.addAll(Work.of(bench, List.of(name), 8, 4096));
      }
      works.add(new Work("lock", name, 8));
      works.add(new Work("fence", name, 8));
    }
    return works;
  }

  /** The window, the buffers and the loop of one point. */
  private final class Run implements Loop {
    private final Work work;
    private final String bench;
    private final int bytes;
    private final boolean heap;
    private final String memory;
    private final int room;
    private Win win;
    private byte[] part;
    private final Buf<?> origin;
    private final Buf<?> doubles;
    private final Datatype<?> strided;
    private final Buf<?> one = Buf.of(new long[] {1});
    private final Buf<?> was = Buf.of(new long[1]);
    private boolean open;
    /** So that the loads are done. */
    private long fetched;

    Run(Work work) {
      String[] parts = work.name().split("\\|");
      this.work = work;
      bench = work.bench();
      bytes = Math.toIntExact(work.bytes());
      if (parts.length != 2 || bytes < 0 || bytes > LARGEST || bytes % 8 != 0) {
        throw new IllegalArgumentException("unknown case, or not 0..4M bytes: " + work);
      }
      heap = parts[1].equals("heap");
      memory = parts[0];
      room = bench.equals("strided") ? bytes * STRIDE : LARGEST;
      origin = heap ? Buf.of(array, 0, bytes) : Buf.of(buffer, bytes, Datatype.BYTE);
      doubles = heap ? Buf.of(new double[bytes / 8]) : Buf.of(buffer, bytes / 8, Datatype.DOUBLE);
      strided = Datatype.vector(bytes / 8, 1, STRIDE, Datatype.DOUBLE).commit();
    }

    private void begin() {
      part = memory.equals("array") ? new byte[room] : null;
      win = switch (memory) {
        case "allocate" -> world.winAllocate(room, 1);
        case "shared", "direct" -> world.winAllocateShared(room, 1);
        case "array" -> world.winCreate(Buf.of(part), 1);
        default -> throw new IllegalArgumentException("unknown case: " + work);
      };
      if (LOCKED_ALL.contains(bench)) {
        win.lockAll();
      } else if (bench.equals("fence")) {
        win.fence();
      }
      open = true;
      world.barrier();
    }

    /** Closes the window; the next repetition makes another one. */
    void end() {
      world.barrier();
      if (LOCKED_ALL.contains(bench)) {
        win.unlockAll();
      } else if (bench.equals("fence")) {
        win.fence(Constants.MODE_NOSUCCEED);
      }
      win.close();
      open = false;
    }

    @Override
    public void run(long iterations) {
      if (!open) {
        begin();
      }
      switch (bench) {
        case "counter" -> {
          for (long i = 0; i < iterations; i++) {
            win.fetchAndOp(one, was, 0, 0, Op.SUM);
            win.flush(0);
          }
        }
        case "locks" -> lock(0, iterations);
        case "fence" -> {
          for (long i = 0; i < iterations; i++) {
            win.fence();
          }
        }
        default -> {
          if (rank == 0) {
            asOrigin(iterations);
          } else if (rank == target && bench.equals("pscw")) {
            for (long i = 0; i < iterations; i++) {
              win.post(partner);
              win.await();
            }
          }
        }
      }
    }

    private void asOrigin(long iterations) {
      if (memory.equals("direct")) {
        directly(iterations);
        return;
      }
      switch (bench) {
        case "put" -> {
          for (long i = 0; i < iterations; i++) {
            win.put(origin, target, 0);
            win.flush(target);
          }
        }
        case "get" -> {
          for (long i = 0; i < iterations; i++) {
            win.get(origin, target, 0);
            win.flush(target);
          }
        }
        case "accumulate" -> {
          for (long i = 0; i < iterations; i++) {
            win.accumulate(doubles, target, 0, Op.SUM);
            win.flush(target);
          }
        }
        case "put-rate" -> {
          for (long i = 0; i < iterations; i++) {
            win.put(origin, target, 0);
          }
          win.flush(target);
        }
        case "strided" -> {
          for (long i = 0; i < iterations; i++) {
            win.put(doubles, target, 0, 1, strided);
            win.flush(target);
          }
        }
        case "fetch-and-op" -> {
          for (long i = 0; i < iterations; i++) {
            win.fetchAndOp(one, was, target, 0, Op.SUM);
            win.flush(target);
          }
        }
        case "swap" -> {
          for (long i = 0; i < iterations; i++) {
            win.compareAndSwap(one, one, was, target, 0);
            win.flush(target);
          }
        }
        case "pscw" -> {
          for (long i = 0; i < iterations; i++) {
            win.start(partner);
            win.put(origin, target, 0);
            win.complete();
          }
        }
        case "lock" -> lock(target, iterations);
        default -> throw new IllegalArgumentException("unknown bench: " + work);
      }
    }

    /** Does the same by loads and stores of the program itself. */
    private void directly(long iterations) {
      MemorySegment there = win.segment(target);
      switch (bench) {
        case "put" -> {
          for (long i = 0; i < iterations; i++) {
            MemorySegment.copy(buffer, 0, there, 0, bytes);
          }
        }
        case "get" -> {
          for (long i = 0; i < iterations; i++) {
            MemorySegment.copy(there, 0, buffer, 0, bytes);
          }
        }
        case "accumulate" -> {
          for (long i = 0; i < iterations; i++) {
            for (long at = 0; at < bytes; at += 8) {
              there.set(DOUBLE, at, there.get(DOUBLE, at) + buffer.get(DOUBLE, at));
            }
          }
        }
        case "strided" -> {
          for (long i = 0; i < iterations; i++) {
            for (long at = 0; at < bytes; at += 8) {
              there.set(DOUBLE, at * STRIDE, buffer.get(DOUBLE, at));
            }
          }
        }
        case "fetch-and-op" -> {
          for (long i = 0; i < iterations; i++) {
            fetched = (long) LONGS.getAndAdd(there, 0L, 1L);
          }
        }
        case "swap" -> {
          for (long i = 0; i < iterations; i++) {
            fetched = (long) LONGS.compareAndExchange(there, 0L, 1L, 1L);
          }
        }
        default -> throw new IllegalArgumentException("unknown bench: " + work);
      }
    }

    private void lock(int whose, long iterations) {
      for (long i = 0; i < iterations; i++) {
        win.lock(LockType.EXCLUSIVE, whose);
        win.put(origin, whose, 0);
        win.unlock(whose);
      }
    }

    void check() {
      if (bench.equals("put")) {
        for (int i = 0; i < bytes; i++) {
          buffer.set(ValueLayout.JAVA_BYTE, i, (byte) (i % 251 + 1));
          array[i] = (byte) (i % 251 + 1);
        }
        run(1);
        world.barrier();
        if (rank == target) {
          win.sync();
          for (int i = 0; i < bytes; i++) {
            byte found = part != null ? part[i] : win.segment().get(ValueLayout.JAVA_BYTE, i);
            if (found != (byte) (i % 251 + 1)) {
              throw new IllegalStateException(work + ": wrong byte at " + i);
            }
          }
        }
      }
      end();
    }
  }

  @Override
  void turn(Work work, Loop loop) {
    super.turn(work, loop);
    ((Run) loop).end();
  }

  @Override
  Prepared prepare(Work work) {
    Run run = new Run(work);
    return Prepared.micros(run, 1, run::check);
  }
}
