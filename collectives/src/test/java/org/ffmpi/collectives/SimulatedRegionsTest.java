// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.ffmpi.Buf;
import org.ffmpi.base.Constants;
import org.ffmpi.base.MpiException;
import org.ffmpi.collectives.algorithm.Algorithms;
import org.ffmpi.collectives.algorithm.DirectBlocks;
import org.ffmpi.collectives.region.Region;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Collective;
import org.ffmpi.spi.Neighbors;
import org.ffmpi.spi.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Blocks of all lengths and memories over simulated shared memory, from which private memory can be read always,
 * sometimes or never: threads that hand over at random, messages that arrive at random.
 */
@Timeout(120)
@Tag("long")
class SimulatedRegionsTest {
  private static final Datatype<Byte> EVERY_THIRD = Datatype.BYTE.resized(0, 3).commit();
  private static final int[] LENGTHS = {0, 0, 1, 8, 30, 700, 1_500, 3_000, 20_000, 150_000};

  private final long seed = new Random().nextLong();
  private final Random random = new Random(seed);

  @Test
  void blocksOfAllLengths() {
    for (int size = 2; size <= 7; size++) {
      for (double refusals : new double[] {0, 0.2, 1}) {
        for (int repetition = 0; repetition < 3; repetition++) {
          run(size, refusals);
        }
      }
    }
  }

  @Test
  void messagesInFlightKeepNoSlotsFromOthers() throws InterruptedException {
    int size = 3;
    SimWorld world =
        new SimWorld(size, random, Map.of("ffmpi.coll.region.after", "1", "ffmpi.coll.bcast", "binomial"));
    world.network.share(new SimMemory(world.network, 0, random));
    new Baton(size, world.network, random).run(rank -> {
      Channel channel = world.channels[rank];
      world.collectives.run(channel, world.collectives.barrier(channel));
      Block block = new Block(world, 3_000, new Random(seed + rank));
      Operation bcast = world.collectives.bcast(channel, rank == 0 ? block.fill(0, 0).buf : block.buf, 0);
      world.collectives.register(channel, bcast);
      for (int i = 0; i < Region.SLOTS + 2; i++) {
        world.collectives.run(channel, world.collectives.barrier(channel)); // nobody looks after the broadcast
      }
      world.network.engine(rank).await(bcast);
      block.check(0, 0);
    });
  }

  @Test
  void blocksThatAreMessagesKeepNoSlotsFromOthers() throws InterruptedException {
    int size = 3;
    SimWorld world =
        new SimWorld(size, random, Map.of("ffmpi.coll.region.after", "1", "ffmpi.coll.alltoallv", "direct"));
    world.network.share(new SimMemory(world.network, 0, random));
    new Baton(size, world.network, random).run(rank -> {
      Channel channel = world.channels[rank];
      world.collectives.run(channel, world.collectives.barrier(channel));
      Block[] sent = new Block[size];
      Block[] received = new Block[size];
      Random apart = new Random(seed + rank);
      for (int r = 0; r < size; r++) {
        sent[r] = new Block(world, 5 << 20, apart).fill(rank, r); // too long to be lent
        received[r] = new Block(world, 5 << 20, apart);
      }
      Operation exchange = world.collectives.alltoallv(channel, bufs(sent), bufs(received));
      world.collectives.register(channel, exchange);
      world.collectives.run(channel, world.collectives.barrier(channel)); // after which all have shown their tables
      world.network.engine(rank).advanceRegistered();
      for (int i = 0; i < Region.SLOTS + 2; i++) {
        world.collectives.run(channel, world.collectives.barrier(channel)); // nobody looks after the exchange
      }
      world.network.engine(rank).await(exchange);
      for (int r = 0; r < size; r++) {
        received[r].check(r, rank);
      }
    });
  }

  /** The reader expects less, more or nothing: both ends of a lent block go on, and the next call finds its numbers. */
  @Test
  void lengthsThatDifferKeepNobodyWaiting() throws InterruptedException {
    int size = 4;
    for (int expected : new int[] {0, 8, 19_999, 30_000}) {
      for (int repetition = 0; repetition < 10; repetition++) {
        SimWorld world =
            new SimWorld(size, random, Map.of("ffmpi.coll.region.after", "1", "ffmpi.coll.alltoallv", "direct"));
        world.network.share(new SimMemory(world.network, 0, random));
        AtomicInteger failures = new AtomicInteger();
        new Baton(size, world.network, random).run(rank -> {
          Channel channel = world.channels[rank];
          world.collectives.run(channel, world.collectives.barrier(channel));
          Buf<?>[] sent = new Buf<?>[size];
          Buf<?>[] received = new Buf<?>[size];
          for (int r = 0; r < size; r++) {
            int length = rank == 1 && r == 0 ? expected : 20_000;
            sent[r] = Buf.of(world.network.memory().allocate(20_000, 8), 20_000, Datatype.BYTE);
            received[r] = Buf.of(world.network.memory().allocate(Math.max(8, length), 8), length, Datatype.BYTE);
          }
          try {
            world.collectives.run(channel, world.collectives.alltoallv(channel, sent, received));
          } catch (MpiException e) {
            failures.getAndIncrement();
          }
          world.collectives.run(channel, world.collectives.barrier(channel));
        });
        assertTrue(failures.get() > 0 || expected == 0, "seed " + seed);
        assertEquals(0, world.network.leftOver());
      }
    }
  }

  @Test
  void manyEdgesAndCallsInFlight() {
    for (int size = 2; size <= 7; size++) {
      for (double refusals : new double[] {0, 0.5}) {
        for (int edges : new int[] {3 * size, 40 * size}) {
          runEdges(size, edges, Region.SLOTS + 3, refusals);
        }
      }
    }
  }

  @Test
  void moreEdgesThanATableLists() {
    runEdges(3, 6_000, 1, 0);
  }

  /** Starts calls along random edges, several between the same ranks or within one, and ends them in any order. */
  private void runEdges(int size, int edges, int calls, double refusals) {
    SimWorld world = new SimWorld(size, random, Map.of("ffmpi.coll.region.after", "1",
        "ffmpi.coll.neighbor-alltoall", DirectBlocks.NAME, "ffmpi.coll.neighbor-allgather", DirectBlocks.NAME));
    world.network.share(new SimMemory(world.network, refusals, random));
    long graphs = random.nextLong();
    try {
      new Baton(size, world.network, random).run(rank -> {
        Channel channel = world.channels[rank];
        world.collectives.run(channel, world.collectives.barrier(channel));
        Random all = new Random(graphs);
        Random own = new Random(graphs + 1 + rank);
        List<Started> started = new ArrayList<>();
        for (int i = 0; i < calls; i++) {
          started.add(start(world, rank, size, edges, all, own));
        }
        Collections.shuffle(started, own);
        started.forEach(call -> call.end(world.network.engine(rank)));
      });
    } catch (InterruptedException | AssertionError e) {
      throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
    }
    assertEquals(0, world.network.leftOver());
  }

  /** A call in flight, and what its blocks are to hold then: those of whom, and the number of the edge. */
  private record Started(Operation operation, List<Block> blocks, List<int[]> contents) {
    void end(SimEngine engine) {
      engine.await(operation);
      if (operation.error() != null) {
        throw operation.error();
      }
      engine.release(operation);
      for (int i = 0; i < blocks.size(); i++) {
        if (contents.get(i) != null) {
          blocks.get(i).check(contents.get(i)[0], contents.get(i)[1]);
        }
      }
    }
  }

  private static Started start(SimWorld world, int rank, int size, int edges, Random all, Random own) {
    boolean isGather = all.nextInt(3) == 0;
    int[] ofRank = all.ints(size, 0, LENGTHS.length).map(i -> LENGTHS[i]).toArray();
    List<Integer> sources = new ArrayList<>();
    List<Integer> destinations = new ArrayList<>();
    List<Block> sent = new ArrayList<>();
    List<Block> received = new ArrayList<>();
    List<int[]> contents = new ArrayList<>();
    for (int edge = 0; edge < edges; edge++) {
      int from = all.nextInt(size);
      int to = all.nextInt(size);
      int length = isGather ? ofRank[from] : LENGTHS[all.nextInt(LENGTHS.length - 1)];
      if (own.nextInt(8) == 0) {
        sources.add(Constants.PROC_NULL);
        received.add(new Block(world, 8, own));
        contents.add(null);
        destinations.add(Constants.PROC_NULL);
        sent.add(new Block(world, 8, own));
      }
      if (to == rank) {
        sources.add(from);
        received.add(new Block(world, length, own));
        contents.add(new int[] {from, isGather ? 0 : edge});
      }
      if (from == rank) {
        destinations.add(to);
        sent.add(isGather ? null : new Block(world, length, own).fill(rank, edge));
      }
    }
    Neighbors neighbors =
        new Neighbors(ints(sources), ints(destinations), IntStream.range(0, sources.size()).toArray());
    Buf<?>[] into = bufs(received.toArray(new Block[0]));
    Operation operation = isGather
        ? world.collectives.neighborAllgather(
            world.channels[rank], neighbors, new Block(world, ofRank[rank], own).fill(rank, 0).buf, into)
        : world.collectives.neighborAlltoall(
            world.channels[rank], neighbors, bufs(sent.toArray(new Block[0])), into);
    world.collectives.register(world.channels[rank], operation);
    return new Started(operation, received, contents);
  }

  private static int[] ints(List<Integer> list) {
    return list.stream().mapToInt(i -> i).toArray();
  }

  private void run(int size, double refusals) {
    Map<String, String> settings = new HashMap<>(Map.of("ffmpi.coll.region.after", "1"));
    for (Collective collective : Collective.values()) {
      if (Algorithms.find(collective, DirectBlocks.NAME) != null) {
        settings.put("ffmpi.coll." + collective.label(), DirectBlocks.NAME);
      }
    }
    SimWorld world = new SimWorld(size, random, settings);
    world.network.share(new SimMemory(world.network, refusals, random));
    long calls = random.nextLong();
    try {
      new Baton(size, world.network, random).run(rank -> {
        Channel channel = world.channels[rank];
        world.collectives.run(channel, world.collectives.barrier(channel)); // after which there is a region
        Random all = new Random(calls);
        Random own = new Random(calls + 1 + rank);
        for (int i = 0; i < 8; i++) {
          call(world, rank, size, all, own);
        }
      });
    } catch (InterruptedException | AssertionError e) {
      throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
    }
    assertEquals(0, world.network.leftOver());
  }

  /** One call of all ranks, which draw the lengths alike, and what memory they use each for itself. */
  private static void call(SimWorld world, int rank, int size, Random all, Random own) {
    BoundCalls collectives = world.collectives;
    Channel channel = world.channels[rank];
    int[][] lengths = new int[size][size];
    for (int[] row : lengths) {
      for (int to = 0; to < size; to++) {
        row[to] = LENGTHS[all.nextInt(LENGTHS.length)];
      }
    }
    int root = all.nextInt(size);
    int kind = all.nextInt(4);
    Block[] sent = new Block[size];
    Block[] received = new Block[size];
    for (int r = 0; r < size; r++) {
      int to = kind == 1 || kind == 3 ? 0 : r; // a gather has one block for whoever wants it
      int from = kind == 1 || kind == 3 ? 0 : rank;
      sent[r] = new Block(world, lengths[rank][to], own).fill(rank, to);
      received[r] = new Block(world, lengths[r][from], own);
    }
    Operation operation = switch (kind) {
      case 0 -> collectives.alltoallv(channel, bufs(sent), bufs(received));
      case 1 -> collectives.gatherv(channel, sent[0].buf, rank == root ? bufs(received) : null, root);
      case 2 -> collectives.scatterv(channel, rank == root ? bufs(sent) : null, received[root].buf, root);
      default -> collectives.allgatherv(channel, sent[0].buf, bufs(received));
    };
    if (own.nextBoolean()) {
      collectives.run(channel, operation);
    } else {
      collectives.register(channel, operation);
      SimEngine engine = world.network.engine(rank);
      for (int looks = own.nextInt(20); looks > 0; looks--) {
        engine.advanceRegistered();
        world.network.pause.run();
      }
      engine.await(operation);
      if (operation.error() != null) {
        throw operation.error();
      }
      engine.release(operation);
    }
    for (int r = 0; r < size; r++) {
      boolean isDue = switch (kind) {
        case 1 -> rank == root;
        case 2 -> r == root;
        default -> true;
      };
      if (isDue) {
        received[r].check(r, kind == 1 || kind == 3 ? 0 : rank);
      }
    }
  }

  private static Buf<?>[] bufs(Block[] blocks) {
    Buf<?>[] bufs = new Buf<?>[blocks.length];
    for (int i = 0; i < bufs.length; i++) {
      bufs[i] = blocks[i].buf;
    }
    return bufs;
  }

  /** Bytes in an array, in private or in shared memory, close together or apart. */
  private static final class Block {
    private final MemorySegment memory;
    private final int apart;
    private final int length;
    final Buf<?> buf;

    Block(SimWorld world, int length, Random own) {
      this.length = length;
      this.apart = own.nextInt(4) == 0 ? 3 : 1;
      int bytes = Math.max(8, length * apart);
      this.memory = switch (own.nextInt(3)) {
        case 0 -> MemorySegment.ofArray(new byte[bytes]);
        case 1 -> Arena.ofAuto().allocate(bytes, 8);
        default -> world.network.memory().allocate(bytes, 8);
      };
      this.buf = Buf.of(memory, length, apart == 1 ? Datatype.BYTE : EVERY_THIRD);
    }

    private static byte value(int from, int to, int i) {
      return (byte) (31 * from + 7 * to + i);
    }

    Block fill(int from, int to) {
      for (int i = 0; i < length; i++) {
        memory.set(ValueLayout.JAVA_BYTE, (long) i * apart, value(from, to, i));
      }
      return this;
    }

    void check(int from, int to) {
      for (int i = 0; i < length; i++) {
        assertEquals(value(from, to, i), memory.get(ValueLayout.JAVA_BYTE, (long) i * apart), "byte " + i);
      }
    }
  }
}
