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
import java.util.function.DoubleUnaryOperator;
import org.ffmpi.Mpi;

/** Latency, bandwidth, both directions and message rate between two ranks. */
public final class P2p extends RankProgram {
  private static final long LARGEST = 4L << 20;
  private static final int MAPPED_BYTES = 1 << 16;

  private final Map<String, MemorySegment> blocks = new HashMap<>();

  private P2p(Mpi mpi) {
    super(mpi);
    requireTwoRanks("p2p");
  }

  public static void main(String[] args) {
    start(args, P2p::new);
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

  private Prepared point(
      Loop loop, Exchange exchange, boolean receives, String unit, DoubleUnaryOperator value) {
    return new Prepared(loop, unit, value, () -> {
      exchange.wipe();
      world.barrier();
      exchange.latency(1); // a window's messages overwrite each other, in an order that is not defined
      if (receives && !exchange.arrived()) {
        throw new IllegalStateException("rank " + rank + " received wrong bytes");
      }
    });
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
        blocks.computeIfAbsent(work.memory() + " send", k -> block(work.memory(), block)),
        blocks.computeIfAbsent(work.memory() + " receive", k -> block(work.memory(), Math.min(block, LARGEST))));
  }

  private MemorySegment block(String memory, long bytes) {
    return memory.equals("mapped") ? map(bytes) : allocate(memory, Arena.global(), bytes);
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
