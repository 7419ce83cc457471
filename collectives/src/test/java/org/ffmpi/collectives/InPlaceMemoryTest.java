// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.ffmpi.Buf;
import org.ffmpi.base.Settings;
import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.Schedule;
import org.ffmpi.collectives.schedule.Step;
import org.ffmpi.collectives.select.Selector;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Collective;
import org.ffmpi.spi.Operation;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What exchanges in place take beside the buffer. */
class InPlaceMemoryTest {
  private static final int BLOCKS = 4;
  private static final int SIZE = 16;
  /** Copies of so much are no matter; they save messages. */
  private static final long SHORT = 64 << 10;

  private static final int LONGS = 8 << 10;

  private final long seed = new Random().nextLong();
  private final Random random = new Random(seed);

  private interface Start {
    Operation on(BoundCalls collectives, Channel channel, long[] values);
  }

  private void check(String name, Start start) {
    SimWorld world = new SimWorld(SIZE, random, Map.of());
    List<long[]> buffers = new ArrayList<>();
    List<Operation> operations = new ArrayList<>();
    for (int rank = 0; rank < SIZE; rank++) {
      long[] values = new long[SIZE * LONGS];
      for (int w = 0; w < values.length; w++) {
        values[w] = 1_000L * rank + w / LONGS;
      }
      buffers.add(values);
      Operation operation = start.on(world.collectives, world.channels[rank], values);
      world.collectives.register(world.channels[rank], operation);
      operations.add(operation);
    }
    world.finish(operations);
    for (int rank = 0; rank < SIZE; rank++) {
      for (int w = 0; w < SIZE * LONGS; w++) {
        assertEquals(1_000L * (w / LONGS) + rank, buffers.get(rank)[w], name + ", seed " + seed);
      }
      long taken = world.network.engine(rank).sharedBytes();
      assertTrue(taken > 0 && taken <= (long) BLOCKS * Long.BYTES * LONGS, name + " takes " + taken + ", seed " + seed);
    }
  }

  @Test
  @DisplayName("S2-5: exchanges in place of long blocks copy four of them at a time, however many there are")
  void fewBlocksAreCopied() {
    long[] counts = new long[SIZE];
    long[] displs = new long[SIZE];
    Arrays.fill(counts, LONGS);
    Arrays.setAll(displs, r -> (long) r * LONGS);
    check("alltoall", (collectives, channel, values) -> collectives.alltoall(channel, Buf.inPlace(), Buf.of(values)));
    check("alltoallv", (collectives, channel, values) -> {
      Buf<?>[] blocks = new Buf<?>[SIZE];
      Arrays.setAll(blocks, r -> Buf.of(values, r * LONGS, LONGS));
      return collectives.alltoallv(channel, null, blocks);
    });
  }

  @Test
  @DisplayName("S2-5: no more on any number of ranks, unless all of it is short")
  void anyNumberOfRanks() {
    Selector selector = new Selector(Settings.of(Map.of()));
    for (int size = 2; size <= 100; size++) {
      for (long block : new long[] {8, 512, 8 << 10, 1 << 20}) {
        CallShape shape = new CallShape(Collective.ALLTOALL, size / 2, size, 0, block, 1, true, false, false, 1, 1);
        long copied = copied(selector.choose(shape).schedule(shape, 64 << 10));
        assertTrue(copied <= Math.max(BLOCKS * block, SHORT), copied + " bytes for " + shape);
      }
    }
  }

  /** Returns the scratch memory and the most that is in flight of swaps, which send copies. */
  private static long copied(Schedule schedule) {
    long now = 0;
    long most = 0;
    for (int i = 0; i < schedule.steps.length; i++) {
      Step step = schedule.steps[i];
      for (int awaited : schedule.after[i]) {
        now -= schedule.steps[awaited] instanceof Step.Swap swap ? swap.what().units() : 0;
      }
      now += step instanceof Step.Swap swap ? swap.what().units() : 0;
      most = Math.max(most, now);
    }
    return schedule.scratchUnits + most;
  }
}
