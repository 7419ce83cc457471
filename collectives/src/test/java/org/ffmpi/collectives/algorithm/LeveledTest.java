// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.Counts;
import org.ffmpi.collectives.schedule.RanksByNode;
import org.ffmpi.collectives.schedule.Schedule;
import org.ffmpi.collectives.schedule.Step;
import org.ffmpi.spi.Collective;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The algorithms in levels over all small worlds and their nodes, on symbols; and what goes between nodes. */
@Tag("long")
class LeveledTest {
  private static final int MOST_RANKS = 9;
  /** On more ranks each spread is tried with one variant. */
  private static final int ALL_VARIANTS = 7;
  private static final int RANDOM_SPREADS = 40;
  private static final long[] LENGTHS = {0, 1, 2, 3, 8, 13, 37};
  private static final long[] SEGMENTS = {1, 2, 3, 1000};
  /** Bytes of a unit, so that few units are a short or a long vector. */
  private static final long[] UNITS = {1, 1 << 10, 16 << 10, 64 << 10};

  static Stream<Algorithm> algorithms() {
    return Arrays.stream(Collective.values()).flatMap(c -> Algorithms.of(c).stream())
        .filter(algorithm -> algorithm.name().equals(LeveledAlgorithm.NAME));
  }

  /** Returns every way to put consecutive ranks on nodes, and some others: the node of each rank. */
  private static List<int[]> spreads(int size, Random random) {
    List<int[]> spreads = new ArrayList<>();
    for (int cuts = 0; cuts < 1 << size - 1; cuts++) {
      int[] nodeOf = new int[size];
      for (int rank = 1; rank < size; rank++) {
        nodeOf[rank] = nodeOf[rank - 1] + (cuts >> rank - 1 & 1);
      }
      spreads.add(nodeOf);
    }
    for (int i = 0; i < RANDOM_SPREADS; i++) {
      int nodes = 2 + random.nextInt(size);
      spreads.add(random.ints(size, 0, nodes).toArray());
    }
    return spreads;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("algorithms")
  void everyWorldOfNodesGivesTheResult(Algorithm algorithm) {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    int served = 0;
    for (int size = 2; size <= MOST_RANKS; size++) {
      for (int[] nodeOf : spreads(size, random)) {
        RanksByNode nodes = RanksByNode.of(size, rank -> nodeOf[rank]);
        for (int root = 0; root < (AlgorithmTest.isRooted(algorithm) ? size : 1) && nodes != null; root++) {
          for (int i = 0; i < (size <= ALL_VARIANTS ? 4 : 1); i++) {
            int variant = size <= ALL_VARIANTS ? i : random.nextInt(4);
            long units = algorithm.collective().isOfBlocks() ? 1 : LENGTHS[random.nextInt(LENGTHS.length)];
            Schedule[] schedules = build(algorithm, nodes, size, root, units, UNITS[random.nextInt(UNITS.length)],
                SEGMENTS[random.nextInt(SEGMENTS.length)], variant);
            if (schedules != null) {
              served++;
              check(schedules, seed, random, Arrays.toString(nodeOf));
            }
          }
        }
      }
    }
    assertTrue(served > 200, served + " calls");
  }

  private static Schedule[] build(
      Algorithm algorithm, RanksByNode nodes, int size, int root, long units, long unitBytes, long segment,
      int variant) {
    Collective collective = algorithm.collective();
    boolean inPlace = (variant & 1) != 0;
    boolean ordered = (variant & 2) != 0;
    boolean neverInPlace = collective == Collective.BARRIER || collective == Collective.BCAST;
    if (ordered && !collective.isReduction() || inPlace && neverInPlace) {
      return null;
    }
    Counts counts = collective == Collective.REDUCE_SCATTER ? AlgorithmTest.counts(units, size) : null;
    Schedule[] schedules = new Schedule[size];
    for (int rank = 0; rank < size; rank++) {
      boolean here = inPlace && (!AlgorithmTest.isRooted(algorithm) || rank == root);
      CallShape shape = new CallShape(collective, rank, size, root, collective == Collective.BARRIER ? 0 : units,
          unitBytes, here, ordered, 0, counts, nodes, false, 1, 1, 0);
      if (!algorithm.accepts(shape)) {
        return null;
      }
      schedules[rank] = algorithm.schedule(shape, segment * unitBytes);
    }
    return schedules;
  }

  private static void check(Schedule[] schedules, long seed, Random random, String spread) {
    SymbolicWorld world = new SymbolicWorld(schedules, random);
    try {
      for (Schedule schedule : schedules) {
        ScheduleRules.check(schedule);
      }
      world.run();
      AlgorithmTest.checkResults(world, schedules);
      checkBetweenNodes(schedules);
    } catch (AssertionError e) {
      throw new AssertionError("seed " + seed + ", nodes " + spread + ": " + e.getMessage() + "\n" + world, e);
    }
  }

  /** Counts what leaves a node, and compares with what the levels promise. */
  private static void checkBetweenNodes(Schedule[] schedules) {
    CallShape shape = schedules[0].shape;
    RanksByNode nodes = shape.nodes();
    int count = nodes.nodes();
    long messages = 0;
    long units = 0;
    for (Schedule schedule : schedules) {
      for (Step step : schedule.steps) {
        if (step instanceof Step.Send send && nodes.node(send.rank()) != nodes.node(schedule.shape.rank())) {
          messages++;
          units += send.what().units();
        }
      }
    }
    int rounds = Integer.SIZE - Integer.numberOfLeadingZeros(count - 1);
    boolean isShort = shape.bytes() <= 4 << 10;
    if (shape.collective() == Collective.BARRIER) {
      assertEquals((long) count * rounds, messages, "each leader tells one other in each round");
      return;
    }
    if (shape.units() == 0) {
      assertEquals(0, messages);
      return;
    }
    switch (shape.collective()) {
      case BCAST -> {
        assertEquals((count - 1) * shape.units(), units, "to each other node once");
        assertTrue(!isShort || messages == count - 1, messages + " messages");
      }
      case REDUCE -> {
        boolean handedOn = shape.ordered() && nodes.node(shape.root()) != nodes.node(0);
        assertEquals((count - (handedOn ? 0 : 1)) * shape.units(), units, "from each other node once");
      }
      case GATHER, SCATTER -> {
        assertEquals(count - 1, messages, "one for each other node");
        assertEquals((shape.size() - nodes.size(nodes.node(shape.root()))) * shape.units(), units);
      }
      case ALLGATHER, ALLGATHERV -> {
        assertEquals((count - 1) * shape.size() * shape.units(), units, "each block to each other node once");
        boolean packed = isShort && shape.collective() == Collective.ALLGATHER;
        assertEquals((long) (count - 1) * (packed ? count : shape.size()), messages);
      }
      case ALLTOALL -> {
        assertEquals((long) count * (count - 1), messages, "one for each pair of nodes");
        long here = 0;
        for (int node = 0; node < count; node++) {
          here += (long) nodes.size(node) * nodes.size(node);
        }
        assertEquals(((long) shape.size() * shape.size() - here) * shape.units(), units);
      }
      case ALLREDUCE -> {
        int folded = count - Integer.highestOneBit(count);
        long doubling = 2L * folded + (long) (count - folded) * (31 - Integer.numberOfLeadingZeros(count));
        assertTrue(units == doubling * shape.units() || !isShort && units == 2 * (count - 1) * shape.units(),
            units + " units");
        assertTrue(!isShort || messages == doubling, messages + " messages");
      }
      case REDUCE_SCATTER, REDUCE_SCATTER_BLOCK -> {
        long all = shape.start(shape.size());
        assertEquals((count - 1) * all, units, "to each rank one partial result of each other node");
        assertTrue(messages <= (long) count * (count - 1) * nodes.fewest(), messages + " messages");
      }
      case SCAN, EXSCAN -> {
        long sums = 0;
        for (int distance = 1; distance < count; distance <<= 1) {
          sums += count - distance;
        }
        assertEquals(sums, messages);
        assertEquals(sums * shape.units(), units);
      }
      default -> throw new AssertionError(shape);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("algorithms")
  void memoryWithGapsIsCutAtElementsOrStaged(Algorithm algorithm) {
    if (algorithm.collective().isReduction() || algorithm.collective().isOfBlocks()
        || algorithm.collective() == Collective.BARRIER) {
      return;
    }
    Random random = new Random(7);
    for (int[] nodeOf : new int[][] {{0, 0, 1, 1}, {0, 1, 0, 2, 1}, {0, 1, 1}, {0, 0, 0, 1}}) {
      RanksByNode nodes = RanksByNode.of(nodeOf.length, rank -> nodeOf[rank]);
      if (algorithm.collective() == Collective.ALLTOALL && !nodes.isInOrder()) {
        continue;
      }
      for (int root = 0; root < (AlgorithmTest.isRooted(algorithm) ? nodeOf.length : 1); root++) {
        for (long segment : SEGMENTS) {
          for (long unitBytes : UNITS) {
            Schedule[] schedules = new Schedule[nodeOf.length];
            for (int rank = 0; rank < nodeOf.length; rank++) {
              long grain = new long[] {1, 6, 24}[rank % 3];
              schedules[rank] = algorithm.schedule(new CallShape(algorithm.collective(), rank, nodeOf.length, root,
                  24, unitBytes, false, false, 0, null, nodes, false, grain, grain, 0), segment * unitBytes);
              ScheduleRules.check(schedules[rank]);
              AlgorithmTest.checkGrain(schedules[rank], grain);
            }
            SymbolicWorld world = new SymbolicWorld(schedules, random);
            world.run();
            AlgorithmTest.checkResults(world, schedules);
          }
        }
      }
    }
  }

  @Test
  void aGatherOfLongBlocksMeetsTheLeaders() {
    Algorithm linear = Algorithms.find(Collective.GATHER, "linear");
    Random random = new Random(5);
    for (int[] nodeOf : spreads(6, random)) {
      RanksByNode nodes = RanksByNode.of(nodeOf.length, rank -> nodeOf[rank]);
      for (int root = 0; root < nodeOf.length && nodes != null; root++) {
        Schedule[] schedules = build(linear, nodes, nodeOf.length, root, 2, 1 << 20, 1, root % 2);
        SymbolicWorld world = new SymbolicWorld(schedules, random);
        world.run();
        AlgorithmTest.checkResults(world, schedules);
        for (Schedule schedule : schedules) {
          ScheduleRules.check(schedule);
        }
      }
    }
  }

  @Test
  void operandsKeepTheirPlacesOnlyWhereNodesHaveConsecutiveRanks() {
    RanksByNode byTurns = RanksByNode.of(4, rank -> rank % 2);
    for (Algorithm algorithm : algorithms().toList()) {
      CallShape shape = new CallShape(algorithm.collective(), 0, 4, 0, 8, 8, false, true, false, 1, 1);
      assertFalse(algorithm.accepts(shape), "without nodes");
      assertTrue(algorithm.accepts(shape.over(RanksByNode.of(4, rank -> rank / 2))));
      assertFalse(algorithm.accepts(shape.over(byTurns)));
    }
  }
}
