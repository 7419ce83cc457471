// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.rank;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ffmpi.Mpi;

/** Latency, bandwidth, both directions and message rate between two ranks. */
public final class P2p extends RankProgram {
  private static final long LARGEST = 4L << 20;
  private static final long PAGE = 4096;
  private static final int MAPPED_BYTES = 1 << 16;

  private final Map<String, MemorySegment> blocks = new HashMap<>();

  private P2p(Mpi mpi) {
    super(mpi);
  }

  /**
   * Measures the points named by the arguments.
   *
   * @param args options and work
   */
  public static void main(String[] args) {
    Mpi.run(args, mpi -> {
      if (mpi.world().size() != 2) {
        throw new IllegalArgumentException("p2p is between 2 ranks");
      }
      new P2p(mpi).run(args);
    });
  }

  @Override
  List<Work> warmUpWork() {
    List<Work> works = new ArrayList<>();
    for (String bench : List.of("latency", "bandwidth", "bidirectional")) {
      for (String memory : List.of("native", "heap", "shared", "mapped")) {
        for (long bytes : new long[] {1, 8, 64, 1024, 4096, 16384, MAPPED_BYTES, 1 << 20}) {
          boolean mapped = memory.equals("mapped");
          if (!mapped || bytes <= MAPPED_BYTES) {
            works.add(new Work(bench, memory + "-clean", bytes));
          }
          if (!mapped) {
            works.add(new Work(bench, memory + "-dirty", bytes));
          }
        }
      }
    }
    return works;
  }

  @Override
  Prepared prepare(Work work) {
    Exchange exchange = exchange(work);
    return switch (work.bench()) {
      case "latency" -> point(exchange::latency, exchange, true, "us", s -> s / 2 * 1e6);
      case "nonblocking" -> point(exchange::nonblocking, exchange, true, "us", s -> s / 2 * 1e6);
      case "persistent" -> point(exchange::persistent, exchange, true, "us", s -> s / 2 * 1e6);
      case "rate" -> point(exchange::oneWay, exchange, rank == 1, "msg/s", s -> Exchange.WINDOW / s);
      case "bandwidth" -> point(exchange::oneWay, exchange, rank == 1, "MB/s",
          s -> (double) Exchange.WINDOW * work.bytes() / s / 1e6);
      case "bidirectional" -> point(exchange::bothWays, exchange, true, "MB/s",
          s -> 2.0 * Exchange.WINDOW * work.bytes() / s / 1e6);
      case "fill" -> point(exchange::fill, exchange, false, "us", s -> s * 1e6);
      default -> throw new IllegalArgumentException("unknown bench: " + work);
    };
  }

  private interface Scale {
    double value(double secondsPerIteration);
  }

  private Prepared point(Loop loop, Exchange exchange, boolean receives, String unit, Scale scale) {
    return new Prepared() {
      @Override
      public Loop loop() {
        return loop;
      }

      @Override
      public String unit() {
        return unit;
      }

      @Override
      public double value(double secondsPerIteration) {
        return scale.value(secondsPerIteration);
      }

      @Override
      public void check() {
        exchange.wipe();
        world.barrier();
        exchange.latency(1); // a window's messages overwrite each other, in an order that is not defined
        if (receives && !exchange.arrived()) {
          throw new IllegalStateException("rank " + rank + " received wrong bytes");
        }
      }
    };
  }

  private Exchange exchange(Work work) {
    if (work.bytes() < 0 || work.bytes() > LARGEST) {
      throw new IllegalArgumentException(work + ": 0.." + LARGEST + " bytes allowed");
    }
    if (work.memory().equals("heap")) {
      return work.bytes() >= Double.BYTES && work.bytes() % Double.BYTES == 0
          ? new ArrayExchange(world, work)
          : new BufExchange(world, work);
    }
    long block = work.memory().equals("mapped") ? MAPPED_BYTES : Exchange.BLOCK;
    return new BufExchange(world, work,
        blocks.computeIfAbsent(work.memory() + " send", k -> allocate(work.memory(), block)),
        blocks.computeIfAbsent(work.memory() + " receive", k -> allocate(work.memory(), Math.min(block, LARGEST))));
  }

  private MemorySegment allocate(String memory, long bytes) {
    return switch (memory) {
      case "native" -> Arena.global().allocate(bytes, PAGE);
      case "shared" -> mpi.shared().allocate(bytes, PAGE);
      case "mapped" -> map(bytes);
      default -> throw new IllegalArgumentException("unknown kind of memory: " + memory);
    };
  }

  /** A file of one's own, mapped: a kind of segment that libraries meet, and that is measured nowhere here. */
  private static MemorySegment map(long bytes) {
    try {
      Path file = Files.createTempFile("ffmpi-bench", ".map");
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
        return channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, Arena.global());
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
