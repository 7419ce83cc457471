// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.ffmpi.base.Settings;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.shm.segment.JobOptions;
import org.ffmpi.shm.segment.JobSegment;
import org.ffmpi.shm.segment.Nodes;
import org.ffmpi.shm.wire.Wire;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The memory of one rank of a large job, whose other ranks do not exist. */
class LargeJobTest {
  private static final int RANKS_OF_A_NODE = 100;

  /** Bytes of Java objects for each rank of the job, with room for one more array of numbers. */
  private static final long HEAP_PER_RANK = 36 + 4;

  /** Bytes of Java objects that do not depend on the number of ranks. */
  private static final long HEAP = 100_000;

  /** Bytes of the segment for each rank of the job: its block, and a word for jobs that outlive their dead. */
  private static final long SHARED_PER_RANK = 512 + 4;

  /** Bytes of the segment for the ranks of the node: the directory of rings, their accounts, and a few pages. */
  private static final long SHARED = 8 * RANKS_OF_A_NODE * RANKS_OF_A_NODE + 4096 * (RANKS_OF_A_NODE + 8);

  /** Nobody is at the other end. */
  private static final class SilentWire implements Wire {
    final List<Integer> told = new ArrayList<>();
    private final MemorySegment packet = Arena.ofAuto().allocate(PACKET_BYTES, 64);

    @Override
    public long acquire(boolean urgent) {
      return urgent ? Raw.address(packet) : 0;
    }

    @Override
    public void send(int peer, long packet, int bytes) {
      told.add(peer);
    }

    @Override
    public boolean receive(Receiver to) {
      return false;
    }

    @Override
    public int startSend(int peer, int tag, long address, long bytes) {
      return -1;
    }

    @Override
    public int startReceive(int peer, int tag, long address, long bytes) {
      return -1;
    }

    @Override
    public boolean isDone(int request) {
      return false;
    }

    @Override
    public boolean withdraw(int request) {
      return true;
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1_000, 10_000, 100_000})
  void itsMemoryGrowsByAFewBytesForEachRank(int ranks) {
    measure(2 * RANKS_OF_A_NODE); // loads classes
    Memory memory = measure(ranks);
    System.out.println("large job: " + ranks + " ranks, " + RANKS_OF_A_NODE + " on a node: " + memory);
    assertTrue(memory.shared <= SHARED + SHARED_PER_RANK * ranks, memory.toString());
    assertTrue(memory.heap <= HEAP + HEAP_PER_RANK * ranks, memory.toString());
  }

  @ParameterizedTest
  @CsvSource({"1000, 900", "10000, 99"})
  void itTellsFewThatItHasFinalized(int ranks, int notes) {
    int[] nodeOf = nodesOf(ranks);
    int self = ranks - 3;
    SilentWire wire = new SilentWire();
    Nodes nodes = new Nodes(nodeOf, nodeOf[self]);
    try (JobSegment segment = JobSegment.create(new JobOptions(ranks, false, Settings.of(Map.of())), nodes)) {
      segment.claimRank(self);
      segment.retain();
      ThreadRank home = new ThreadRank(segment, List.of(), new ArrayList<>(), () -> { });
      EngineStarter.start(segment, self, Settings.of(Map.of()), home, wire).leave(false);
      assertEquals(notes, wire.told.size());
      assertEquals(notes, Set.copyOf(wire.told).size());
      assertEquals(ranks / RANKS_OF_A_NODE - 1, wire.told.stream().map(peer -> nodeOf[peer]).distinct().count());
      assertTrue(wire.told.contains(97), wire.told.toString());
    }
  }

  private static int[] nodesOf(int ranks) {
    return IntStream.range(0, ranks).map(rank -> rank / RANKS_OF_A_NODE).toArray();
  }

  /**
   * What a job takes, in bytes.
   *
   * @param shared for each node
   * @param heap for each rank, as Java objects
   */
  private record Memory(long shared, long heap) {}

  private static Memory measure(int ranks) {
    int[] nodeOf = nodesOf(ranks);
    int self = ranks / 2;
    Settings settings = Settings.of(Map.of());
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    Nodes nodes = new Nodes(nodeOf, nodeOf[self]);
    try (JobSegment segment = JobSegment.create(new JobOptions(ranks, false, settings), nodes)) {
      long shared = segment.claimed();
      segment.claimRank(self);
      ThreadRank home = new ThreadRank(segment, List.of(), new ArrayList<>(), () -> { });
      long before = threads.getCurrentThreadAllocatedBytes();
      ShmEngine engine = EngineStarter.start(segment, self, settings, home, new SilentWire());
      engine.progress();
      long heap = threads.getCurrentThreadAllocatedBytes() - before;
      return new Memory(shared, heap + (long) Integer.BYTES * ranks); // and where the ranks are
    }
  }
}
