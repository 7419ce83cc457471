// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.ffmpi.base.Settings;
import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.Counts;
import org.ffmpi.collectives.schedule.Schedule;
import org.ffmpi.collectives.schedule.Slice;
import org.ffmpi.collectives.schedule.Step;
import org.ffmpi.collectives.schedule.SymbolicBuffer;
import org.ffmpi.collectives.select.Selector;
import org.ffmpi.spi.Collective;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every algorithm over all small worlds, roots and lengths, on symbols: who combines what with what, and in which
 * order.
 */
@Tag("long")
class AlgorithmTest {
  private static final int MOST_RANKS = 9;
  /** A few worlds in which trees are deep and rows are long. */
  private static final int[] MANY_RANKS = {16, 23, 33};
  private static final long[] LENGTHS = {0, 1, 2, 3, 8, 13, 37};
  /** Pieces of this many units, so that short vectors are cut as long ones are. */
  private static final long[] SEGMENTS = {1, 2, 3, 1000};

  static Stream<Algorithm> algorithms() {
    return Arrays.stream(Collective.values()).flatMap(c -> Algorithms.of(c).stream());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("algorithms")
  void everyShapeGivesTheResult(Algorithm algorithm) {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int size = 1; size <= MOST_RANKS; size++) {
      for (int root = 0; root < (isRooted(algorithm) ? size : 1); root++) {
        for (long units : LENGTHS) {
          for (long segment : SEGMENTS) {
            everyVariant(algorithm, size, root, units, segment, seed, random);
          }
        }
      }
    }
    for (int size : MANY_RANKS) {
      everyVariant(algorithm, size, isRooted(algorithm) ? random.nextInt(size) : 0, 3, 2, seed, random);
      everyVariant(algorithm, size, isRooted(algorithm) ? random.nextInt(size) : 0, 1, 1, seed, random);
    }
  }

  private static void everyVariant(
      Algorithm algorithm, int size, int root, long units, long segment, long seed, Random random) {
    for (int variant = 0; variant < 4; variant++) {
      boolean inPlace = (variant & 1) != 0;
      boolean ordered = (variant & 2) != 0;
      Schedule[] schedules = build(algorithm, size, root, units, segment, inPlace, ordered);
      if (schedules == null) {
        continue;
      }
      SymbolicWorld world = new SymbolicWorld(schedules, random);
      try {
        for (Schedule schedule : schedules) {
          ScheduleRules.check(schedule);
        }
        world.run();
        checkResults(world, schedules);
      } catch (AssertionError e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage() + "\n" + world, e);
      }
    }
  }

  static boolean isRooted(Algorithm algorithm) {
    return switch (algorithm.collective()) {
      case BCAST, GATHER, GATHERV, SCATTER, SCATTERV, REDUCE -> true;
      default -> false;
    };
  }

  private static boolean isOnRegion(Algorithm algorithm) {
    return Set.of(RegionAlgorithm.NAME, RegionTree.NAME, PullAlgorithm.NAME, DirectBlocks.NAME)
        .contains(algorithm.name());
  }

  private static Schedule[] build(
      Algorithm algorithm, int size, int root, long units, long segment, boolean inPlace, boolean ordered) {
    Collective collective = algorithm.collective();
    boolean neverInPlace = collective == Collective.BARRIER || collective == Collective.BCAST;
    if (!collective.isReduction() && ordered || inPlace && neverInPlace || collective.isOfBlocks() && units != 1
        || collective == Collective.NEIGHBOR_ALLGATHER || collective == Collective.NEIGHBOR_ALLTOALL) {
      return null;
    }
    Counts counts = collective == Collective.REDUCE_SCATTER ? counts(units, size) : null;
    Schedule[] schedules = new Schedule[size];
    for (int rank = 0; rank < size; rank++) {
      boolean here = inPlace && (!isRooted(algorithm) || rank == root);
      CallShape shape = new CallShape(
          collective, rank, size, root, collective == Collective.BARRIER ? 0 : units, 1, here,
          ordered, 0, counts, null, isOnRegion(algorithm), 1, 1, 0);
      if (!algorithm.accepts(shape)) {
        return null;
      }
      schedules[rank] = algorithm.schedule(shape, segment);
    }
    return schedules;
  }

  /** Deals units out unevenly: the first rank gets nothing, the last one what is left. */
  static Counts counts(long units, int size) {
    long[] counts = new long[size];
    long left = units;
    for (int r = 1; r < size - 1; r++) {
      counts[r] = left / 2;
      left -= counts[r];
    }
    counts[size - 1] += left;
    return new Counts(counts);
  }

  static void checkResults(SymbolicWorld world, Schedule[] schedules) {
    CallShape shape = schedules[0].shape;
    for (int rank = 0; rank < shape.size(); rank++) {
      String[] result = world.result(rank);
      switch (shape.collective()) {
        case BARRIER -> assertTrue(world.hasHeardOfAll(rank), "rank " + rank + " left before all had come");
        case BCAST -> {
          if (rank != shape.root()) {
            for (int i = 0; i < shape.units(); i++) {
              assertEquals("b" + i, result[i]);
            }
          }
        }
        case GATHER, GATHERV -> {
          if (rank == shape.root()) {
            for (int i = 0; i < result.length; i++) {
              assertEquals("g" + i / shape.units() + "." + i % shape.units(), result[i]);
            }
          }
        }
        case SCATTER, SCATTERV -> {
          for (int i = 0; i < result.length && !(rank == shape.root() && schedules[rank].shape.inPlace()); i++) {
            assertEquals("s" + rank + "." + i, result[i]);
          }
        }
        case ALLTOALL, ALLTOALLV -> {
          for (int i = 0; i < result.length; i++) {
            assertEquals("a" + i / shape.units() + "." + rank + "." + i % shape.units(), result[i]);
          }
        }
        case REDUCE_SCATTER_BLOCK, REDUCE_SCATTER -> {
          int part = (int) (shape.layout() instanceof Counts c ? c.of(rank) : shape.units());
          checkTerms(Arrays.copyOf(result, part), shape, 0, shape.size());
        }
        case SCAN -> checkTerms(result, shape, 0, rank + 1);
        case EXSCAN -> {
          if (rank > 0) {
            checkTerms(result, shape, 0, rank);
          }
        }
        case NEIGHBOR_ALLGATHER, NEIGHBOR_ALLTOALL -> throw new AssertionError(shape);
        case ALLGATHER, ALLGATHERV -> {
          for (int i = 0; i < result.length; i++) {
            assertEquals("g" + i / shape.units() + "." + i % shape.units(), result[i]);
          }
        }
        case REDUCE -> {
          if (rank == shape.root()) {
            checkTerms(result, shape, 0, shape.size());
          }
        }
        case ALLREDUCE -> {
          checkTerms(result, shape, 0, shape.size());
          assertTrue(Arrays.equals(world.result(0), result), "ranks 0 and " + rank + " combine differently");
        }
      }
    }
  }

  /** Every contribution once; in the order of ranks where that matters. */
  private static void checkTerms(String[] result, CallShape shape, int first, int end) {
    List<Integer> all = IntStream.range(first, end).boxed().toList();
    for (String term : result) {
      List<Integer> leaves = new ArrayList<>();
      for (String leaf : term.replace("(", "").replace(")", "").split(" ")) {
        leaves.add(Integer.valueOf(leaf));
      }
      if (!shape.ordered()) {
        leaves.sort(Comparator.naturalOrder());
      }
      assertEquals(all, leaves, term);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("algorithms")
  void sharedMemoryCombinesInTheOrderOfMessages(Algorithm algorithm) {
    if (!isOnRegion(algorithm) || !algorithm.collective().isReduction()) {
      return;
    }
    Selector selector = new Selector(Settings.of(Map.of()));
    Random random = new Random(11);
    for (int size = 2; size <= 17; size++) {
      for (int root = 0; root < (isRooted(algorithm) ? size : 1); root++) {
        for (int variant = 0; variant < 4; variant++) {
          CallShape shape = new CallShape(
              algorithm.collective(), 0, size, root, 40, 1, false, (variant & 2) != 0, false, 1, 1);
          Algorithm byMessages = selector.choose(shape);
          String[][] results = new String[2][];
          for (int way = 0; way < 2; way++) {
            Schedule[] schedules = build(
                way == 0 ? algorithm : byMessages, size, root, 40, 1000, (variant & 1) != 0, shape.ordered());
            SymbolicWorld world = new SymbolicWorld(schedules, random);
            world.run();
            results[way] = world.result(isRooted(algorithm) ? root : size - 1);
          }
          for (int i = 0; i < Math.min(results[0].length, results[1].length); i++) {
            assertEquals(unordered(results[1][i]), unordered(results[0][i]), size + " ranks, root " + root);
          }
        }
      }
    }
  }

  /** Returns a term with the operands of each combination sorted: what its bits depend on. */
  private static String unordered(String term) {
    if (!term.startsWith("(")) {
      return term;
    }
    int depth = 0;
    int middle = 0;
    for (int i = 1; middle == 0; i++) {
      char c = term.charAt(i);
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      middle = c == ' ' && depth == 0 ? i : 0;
    }
    String left = unordered(term.substring(1, middle));
    String right = unordered(term.substring(middle + 1, term.length() - 1));
    return left.compareTo(right) < 0 ? "(" + left + " " + right + ")" : "(" + right + " " + left + ")";
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("algorithms")
  void memoryWithGapsIsCutAtElementsOrStaged(Algorithm algorithm) {
    Set<Collective> moving = Set.of(
        Collective.BCAST, Collective.GATHER, Collective.SCATTER, Collective.ALLGATHER, Collective.ALLTOALL);
    if (!moving.contains(algorithm.collective())) {
      return;
    }
    Random random = new Random(7);
    long units = algorithm.name().equals(PullAlgorithm.NAME) ? 24 << 9 : 24; // more than a piece of either
    nextWorld:
    for (int size = 1; size <= MOST_RANKS; size++) {
      for (int root = 0; root < (isRooted(algorithm) ? size : 1); root++) {
        for (long segment : SEGMENTS) {
          Schedule[] schedules = new Schedule[size];
          for (int rank = 0; rank < size; rank++) {
            // Ranks differ in how their memory can be cut; what they send each other must not.
            long grain = new long[] {1, 6, 24}[rank % 3];
            CallShape shape = new CallShape(algorithm.collective(), rank, size, root, units, 1, false, false,
                isOnRegion(algorithm), grain, grain);
            if (!algorithm.accepts(shape)) {
              continue nextWorld;
            }
            schedules[rank] = algorithm.schedule(shape, segment);
            ScheduleRules.check(schedules[rank]);
            checkGrain(schedules[rank], grain);
          }
          SymbolicWorld world = new SymbolicWorld(schedules, random);
          world.run();
          checkResults(world, schedules);
        }
      }
    }
  }

  static void checkGrain(Schedule schedule, long grain) {
    for (Step step : schedule.steps) {
      List<Slice> slices = switch (step) {
        case Step.Send send -> List.of(send.what());
        case Step.Receive receive -> List.of(receive.into());
        case Step.Swap swap -> List.of(swap.what());
        case Step.Copy copy -> List.of(copy.from(), copy.to());
        case Step.Reduce reduce -> List.of(reduce.left(), reduce.right());
        case Step.Publish post -> List.of(post.what());
        case Step.Fetch fetch -> List.of(fetch.into());
        case Step.Combine combine -> List.of(combine.right());
        case Step.Pull pull -> List.of(pull.into());
        case Step.Stage stage -> List.of(stage.from());
        case Step.Lend offer -> List.of(offer.contribution());
        case Step.PullReduce pull -> List.of(pull.right());
        case Step.Vote vote -> List.of();
        case Step.Reach reach -> List.of();
        case Step.Until until -> List.of();
        case Step.PublishBlocks show -> List.of(show.blocks());
        case Step.Deliver give -> List.of(give.what());
        case Step.Consume take -> List.of(take.into());
        case Step.Acknowledge taken -> List.of();
      };
      for (Slice slice : slices) {
        assertTrue(slice.buffer() == SymbolicBuffer.SCRATCH || slice.from() % grain == 0 && slice.units() % grain == 0,
            () -> step + " cuts an element\n" + schedule);
      }
    }
  }
}
