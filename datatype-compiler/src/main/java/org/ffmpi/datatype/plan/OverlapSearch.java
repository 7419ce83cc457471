// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.ffmpi.datatype.plan.pattern.BlockPattern;
import org.ffmpi.datatype.plan.pattern.EqualRunsPattern;
import org.ffmpi.datatype.plan.pattern.LoopPattern;
import org.ffmpi.datatype.plan.pattern.Pattern;
import org.ffmpi.datatype.plan.pattern.Patterns;
import org.ffmpi.datatype.plan.pattern.PlacedPattern;
import org.ffmpi.datatype.plan.pattern.RunSink;
import org.ffmpi.datatype.plan.pattern.RunsPattern;
import org.ffmpi.datatype.plan.pattern.ScatterPattern;
import org.ffmpi.datatype.plan.pattern.SequencePattern;

/**
 * Searches for a byte that a pattern names twice. The search is exact and has three steps. Loops whose sorted strides
 * each step over the span of the smaller ones cannot meet, which decides most types of programs. A moderate number of
 * runs is listed and sorted. All others are searched, nests by the distances between their copies, different patterns
 * by splitting the longer one as long as their spans meet.
 */
final class OverlapSearch {
  private static final long MOST_LISTED = 1 << 20;

  private OverlapSearch() {}

  static boolean overlaps(Pattern pattern) {
    if (isSpread(pattern)) {
      return false;
    }
    return countRuns(pattern) <= MOST_LISTED ? meetsInList(pattern) : meetsItself(pattern);
  }

  /** Returns whether the strides alone keep all bytes apart; false decides nothing. */
  private static boolean isSpread(Pattern pattern) {
    List<LoopPattern> loops = new ArrayList<>();
    Pattern inner = pattern;
    while (inner instanceof LoopPattern loop) {
      loops.add(loop);
      inner = loop.body;
    }
    if (!(inner instanceof BlockPattern) && (countRuns(inner) > MOST_LISTED || meetsInList(inner))) {
      return false;
    }
    loops.sort(Comparator.comparingLong(loop -> Math.abs(loop.stride)));
    long span = inner.high - inner.low;
    for (LoopPattern loop : loops) {
      long stride = Math.abs(loop.stride);
      if (stride < span) {
        return false;
      }
      span += (loop.count - 1) * stride;
    }
    return true;
  }

  private static boolean meetsInList(Pattern pattern) {
    int n = (int) countRuns(pattern);
    long[] starts = new long[n];
    long[] ends = new long[n];
    pattern.forEachRun(0, new RunSink() {
      private int i;

      @Override
      public void run(long displacement, long bytes) {
        starts[i] = displacement;
        ends[i++] = displacement + bytes;
      }
    });
    // No byte is in two runs exactly when the k-th end comes before the k+1-th start, each sorted by itself.
    Arrays.sort(starts);
    Arrays.sort(ends);
    for (int i = 1; i < n; i++) {
      if (ends[i - 1] > starts[i]) {
        return true;
      }
    }
    return false;
  }

  /** Counts the runs of {@link Pattern#forEachRun}, neighbours not joined. */
  private static long countRuns(Pattern pattern) {
    return switch (pattern) {
      case BlockPattern block -> 1;
      case LoopPattern loop -> loop.count * countRuns(loop.body);
      case EqualRunsPattern table -> table.displacements.length;
      case RunsPattern table -> table.lengths.length;
      case ScatterPattern scatter -> Arrays.stream(scatter.counts).sum() * countRuns(scatter.body);
      case SequencePattern sequence -> Arrays.stream(sequence.parts).mapToLong(OverlapSearch::countRuns).sum();
    };
  }

  // ---- search

  static boolean meetsItself(Pattern pattern) {
    return switch (pattern) {
      case BlockPattern block -> false;
      case LoopPattern loop -> loopMeetsItself(loop);
      case EqualRunsPattern table -> meetsInList(table);
      case RunsPattern table -> meetsInList(table);
      case ScatterPattern scatter -> membersMeet(members(scatter));
      case SequencePattern sequence -> membersMeet(members(sequence));
    };
  }

  /** Two copies in a nest meet when the distance between them, a sum of multiples of the strides, is small enough. */
  private static boolean loopMeetsItself(LoopPattern nest) {
    List<LoopPattern> loops = new ArrayList<>();
    Pattern body = nest;
    while (body instanceof LoopPattern loop) {
      loops.add(loop);
      body = loop.body;
    }
    if (meetsItself(body)) {
      return true;
    }
    loops.sort(Comparator.comparingLong(loop -> -Math.abs(loop.stride)));
    long[] reaches = new long[loops.size() + 1];
    reaches[loops.size()] = body.high - body.low;
    for (int i = loops.size() - 1; i >= 0; i--) {
      LoopPattern loop = loops.get(i);
      reaches[i] = Math.addExact(reaches[i + 1], Math.multiplyExact(loop.count - 1, Math.abs(loop.stride)));
    }
    return copiesMeet(loops, 0, body, 0, false, reaches);
  }

  /**
   * Tries the multiples of one stride, beginning with the longest, that the shorter ones could bring close to 0 again.
   * Of each distance and its negative one is tried.
   */
  private static boolean copiesMeet(
      List<LoopPattern> loops, int level, Pattern body, long distance, boolean apart, long[] reaches) {
    if (level == loops.size()) {
      return apart && meet(body, 0, body, distance);
    }
    LoopPattern loop = loops.get(level);
    long stride = Math.abs(loop.stride);
    if (stride == 0) {
      return true;
    }
    long reach = reaches[level + 1];
    long from = Math.max(apart ? 1 - loop.count : 0, Math.ceilDiv(1 - reach - distance, stride));
    long to = Math.min(loop.count - 1, Math.floorDiv(reach - 1 - distance, stride));
    for (long k = from; k <= to; k++) {
      if (copiesMeet(loops, level + 1, body, distance + k * stride, apart || k != 0, reaches)) {
        return true;
      }
    }
    return false;
  }

  private static boolean membersMeet(List<PlacedPattern> members) {
    for (PlacedPattern member : members) {
      if (meetsItself(member.pattern())) {
        return true;
      }
    }
    members.sort(Comparator.comparingLong(OverlapSearch::low));
    for (int i = 0; i < members.size(); i++) {
      PlacedPattern a = members.get(i);
      long end = a.displacement() + a.pattern().high;
      for (int j = i + 1; j < members.size() && low(members.get(j)) < end; j++) {
        PlacedPattern b = members.get(j);
        if (meet(a.pattern(), a.displacement(), b.pattern(), b.displacement())) {
          return true;
        }
      }
    }
    return false;
  }

  private static long low(PlacedPattern placed) {
    return placed.displacement() + placed.pattern().low;
  }

  /** Returns whether a pattern at {@code a} and another one at {@code b} have a byte in common. */
  private static boolean meet(Pattern p, long a, Pattern q, long b) {
    if (a + p.high <= b + q.low || b + q.high <= a + p.low) {
      return false;
    }
    if (p instanceof BlockPattern && q instanceof BlockPattern) {
      return true;
    }
    boolean longer = q instanceof BlockPattern || p.high - p.low >= q.high - q.low;
    return longer && !(p instanceof BlockPattern) ? partMeets(p, a, q, b) : partMeets(q, b, p, a);
  }

  private static boolean partMeets(Pattern p, long a, Pattern q, long b) {
    if (p instanceof LoopPattern loop) {
      return copyMeets(loop, a, q, b);
    }
    for (PlacedPattern member : members(p)) {
      if (meet(member.pattern(), a + member.displacement(), q, b)) {
        return true;
      }
    }
    return false;
  }

  /** Only the copies whose span reaches into the other pattern's are tried. */
  private static boolean copyMeets(LoopPattern loop, long a, Pattern q, long b) {
    if (loop.stride == 0) {
      return meet(loop.body, a, q, b);
    }
    // Copy i spans a + i * stride + [low, high): it must end after b + q.low and begin before b + q.high.
    long first = b + q.low - a - loop.body.high + 1;
    long last = b + q.high - a - loop.body.low - 1;
    long from = loop.stride > 0 ? Math.ceilDiv(first, loop.stride) : Math.ceilDiv(last, loop.stride);
    long to = loop.stride > 0 ? Math.floorDiv(last, loop.stride) : Math.floorDiv(first, loop.stride);
    for (long i = Math.max(0, from); i <= Math.min(loop.count - 1, to); i++) {
      if (meet(loop.body, a + i * loop.stride, q, b)) {
        return true;
      }
    }
    return false;
  }

  private static List<PlacedPattern> members(Pattern pattern) {
    List<PlacedPattern> members = new ArrayList<>();
    switch (pattern) {
      case ScatterPattern scatter -> {
        for (int i = 0; i < scatter.counts.length; i++) {
          members.add(new PlacedPattern(
              scatter.displacements[i], Patterns.loop(scatter.counts[i], scatter.stride, scatter.body)));
        }
      }
      case SequencePattern sequence -> {
        for (int i = 0; i < sequence.parts.length; i++) {
          members.add(new PlacedPattern(sequence.displacements[i], sequence.parts[i]));
        }
      }
      default -> pattern.forEachRun(0, (displacement, bytes) ->
          members.add(new PlacedPattern(displacement, new BlockPattern(bytes))));
    }
    return members;
  }
}
