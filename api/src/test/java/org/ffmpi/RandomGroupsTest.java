// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.ffmpi.Group.Range;
import org.ffmpi.base.Constants;
import org.ffmpi.communicator.CommImpl;
import org.ffmpi.spi.Members;
import org.junit.jupiter.api.Test;

/** Chains of random operations on groups against lists of numbers, which know nothing of ranges. */
class RandomGroupsTest {
  private static final int CHAINS = 4_000;
  private static final int STEPS = 12;

  private final long seed = Long.getLong("ffmpi.test.seed", ThreadLocalRandom.current().nextLong());
  private final Random random = new Random(seed);

  /** A group and what it has to be. */
  private record Pair(Group group, List<Integer> model) {}

  @Test
  void groupsAreWhatListsSay() {
    try {
      for (int i = 0; i < CHAINS; i++) {
        chain();
      }
    } catch (Throwable e) {
      throw new AssertionError("with -Dffmpi.test.seed=" + seed + ": " + e, e);
    }
  }

  private void chain() {
    int peers = 1 + random.nextInt(random.nextInt(8) == 0 ? 200 : 24);
    int self = random.nextInt(peers);
    Worlds here = Worlds.returning(self, peers);
    List<Pair> pairs = new ArrayList<>();
    pairs.add(new Pair(
        new Group(CommImpl.of(here.mpi.world()).state().world, Members.all(peers)),
        IntStream.range(0, peers).boxed().toList()));
    pairs.add(new Pair(Group.EMPTY, List.of()));
    for (int i = 0; i < STEPS; i++) {
      Pair made = step(any(pairs), any(pairs));
      check(made, self);
      compare(made, any(pairs));
      translate(made, any(pairs));
      pairs.add(made);
    }
  }

  private Pair any(List<Pair> pairs) {
    return pairs.get(random.nextInt(8) == 0 ? 0 : random.nextInt(pairs.size()));
  }

  private Pair step(Pair a, Pair b) {
    List<Integer> result = new ArrayList<>(a.model());
    return switch (random.nextInt(7)) {
      case 0 -> {
        b.model().stream().filter(peer -> !a.model().contains(peer)).forEach(result::add);
        yield new Pair(a.group().union(b.group()), result);
      }
      case 1 -> {
        result.retainAll(b.model());
        yield new Pair(a.group().intersection(b.group()), result);
      }
      case 2 -> {
        result.removeAll(b.model());
        yield new Pair(a.group().difference(b.group()), result);
      }
      case 3 -> {
        List<Integer> ranks = someRanks(a.model().size());
        yield new Pair(a.group().incl(ints(ranks)), ranks.stream().map(a.model()::get).toList());
      }
      case 4 -> {
        List<Integer> ranks = someRanks(a.model().size());
        result.removeAll(ranks.stream().map(a.model()::get).toList());
        yield new Pair(a.group().excl(ints(ranks)), result);
      }
      case 5 -> {
        List<Range> ranges = someRanges(a.model().size());
        List<Integer> ranks = ranksOf(ranges);
        yield new Pair(
            a.group().rangeIncl(ranges.toArray(Range[]::new)), ranks.stream().map(a.model()::get).toList());
      }
      default -> {
        List<Range> ranges = someRanges(a.model().size());
        result.removeAll(ranksOf(ranges).stream().map(a.model()::get).toList());
        yield new Pair(a.group().rangeExcl(ranges.toArray(Range[]::new)), result);
      }
    };
  }

  private List<Integer> someRanks(int size) {
    List<Integer> ranks = new ArrayList<>(IntStream.range(0, size).boxed().toList());
    Collections.shuffle(ranks, random);
    return ranks.subList(0, random.nextInt(size + 1));
  }

  private List<Range> someRanges(int size) {
    List<Range> ranges = new ArrayList<>();
    HashSet<Integer> taken = new HashSet<>();
    for (int tries = random.nextInt(4); tries > 0 && size > 0; tries--) {
      int stride = (1 + random.nextInt(4)) * (random.nextBoolean() ? 1 : -1);
      int first = random.nextInt(size);
      int last = random.nextInt(size);
      if (stride > 0 ? first > last : first < last) {
        int swapped = first;
        first = last;
        last = swapped;
      }
      Range range = new Range(first, last, stride);
      List<Integer> ranks = ranksOf(List.of(range));
      if (Collections.disjoint(taken, ranks)) {
        taken.addAll(ranks);
        ranges.add(range);
      }
    }
    return ranges;
  }

  private static List<Integer> ranksOf(List<Range> ranges) {
    List<Integer> ranks = new ArrayList<>();
    for (Range range : ranges) {
      for (int r = range.first(); range.stride() > 0 ? r <= range.last() : r >= range.last(); r += range.stride()) {
        ranks.add(r);
      }
    }
    return ranks;
  }

  private static int[] ints(List<Integer> list) {
    return list.stream().mapToInt(Integer::intValue).toArray();
  }

  private static void check(Pair made, int self) {
    assertArrayEquals(ints(made.model()), made.group().members().toArray());
    assertEquals(made.model().size(), made.group().size());
    int rank = made.model().indexOf(self);
    assertEquals(rank < 0 ? Constants.UNDEFINED : rank, made.group().rank());
  }

  private static void compare(Pair a, Pair b) {
    boolean similar = new HashSet<>(a.model()).equals(new HashSet<>(b.model()));
    Comparison expected = a.model().equals(b.model()) ? Comparison.IDENT
        : similar ? Comparison.SIMILAR : Comparison.UNEQUAL;
    assertEquals(expected, a.group().compare(b.group()));
    assertEquals(expected == Comparison.IDENT, a.group().equals(b.group()));
    if (expected == Comparison.IDENT) {
      assertEquals(a.group().hashCode(), b.group().hashCode());
    }
  }

  private void translate(Pair a, Pair b) {
    int[] ranks = new int[random.nextInt(6)];
    int[] expected = new int[ranks.length];
    for (int i = 0; i < ranks.length; i++) {
      int size = a.model().size();
      ranks[i] = size == 0 || random.nextInt(6) == 0 ? Constants.PROC_NULL : random.nextInt(size);
      int there = ranks[i] < 0 ? 0 : b.model().indexOf(a.model().get(ranks[i]));
      expected[i] = ranks[i] < 0 ? Constants.PROC_NULL : there < 0 ? Constants.UNDEFINED : there;
    }
    assertArrayEquals(expected, a.group().translateRanks(ranks, b.group()));
  }
}
