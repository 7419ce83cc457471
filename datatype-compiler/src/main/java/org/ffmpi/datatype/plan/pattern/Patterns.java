// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.pattern;

import java.util.ArrayList;
import java.util.List;

/**
 * The rules of normalisation: makes patterns, each as simple as the same bytes in the same order allow, with one method
 * for each way to combine patterns. All patterns are built here, those of shapes and those of a peer's bytes. Sizes and
 * displacements that do not fit in 63 bits are ArithmeticExceptions.
 */
public final class Patterns {
  /** Rows of patterns of few runs are written out as one list of runs up to this many runs in all. */
  static final int EXPANSION_LIMIT = 1 << 16;

  /** A call of a pattern of this many runs costs about as much as its move, so repetitions of it are written out. */
  static final int FEW_RUNS = 16;

  /** Inner loops of this many runs in all are faster as a repeated list than as a nest of loops. */
  static final int SMALL_TABLE = 32;

  private Patterns() {}

  /** Repeats a pattern: {@code count} copies, {@code stride} apart; {@code count} is positive. */
  public static Pattern loop(long count, long stride, Pattern body) {
    if (count == 1) {
      return body;
    }
    if (body instanceof BlockPattern && stride == body.size) {
      return new BlockPattern(Math.multiplyExact(count, body.size));
    }
    if (body instanceof LoopPattern inner && stride == Math.multiplyExact(inner.count, inner.stride)) {
      return new LoopPattern(Math.multiplyExact(count, inner.count), inner.stride, inner.body);
    }
    return new LoopPattern(count, stride, body);
  }

  /**
   * Puts rows of copies at places: row {@code i} is {@code counts[i]} copies, {@code stride} apart. Returns null when
   * there is no copy at all.
   */
  public static PlacedPattern scatter(long[] displacements, long[] counts, long stride, PlacedPattern body) {
    Pattern pattern = body.pattern();
    if (pattern instanceof BlockPattern && (stride == pattern.size || isSingle(counts))) {
      RunList runs = new RunList();
      for (int i = 0; i < counts.length; i++) {
        runs.run(
            Math.addExact(displacements[i], body.displacement()), Math.multiplyExact(counts[i], pattern.size));
      }
      return runs.toPattern();
    }
    PatternRows rows = PatternRows.of(displacements, counts, stride);
    if (rows.count() == 0) {
      return null;
    }
    long first = rows.displacements()[0];
    PlacedPattern simple = rows.even(stride, pattern);
    if (simple == null) {
      simple = rows.expanded(stride, pattern);
    }
    if (simple == null) {
      simple = new PlacedPattern(0, new ScatterPattern(rows.relative(), rows.counts(), stride, pattern));
    }
    return simple.moved(first).moved(body.displacement());
  }

  /** Puts patterns one after the other; returns null when there are none. */
  public static PlacedPattern sequence(List<PlacedPattern> members) {
    List<PlacedPattern> joined = joinCopies(members);
    if (joined.size() <= 1) {
      return joined.isEmpty() ? null : joined.getFirst();
    }
    List<PlacedPattern> parts = new ArrayList<>();
    RunList runs = new RunList();
    for (PlacedPattern member : joined) {
      if (member.pattern().runs <= SMALL_TABLE || member.pattern() instanceof EqualRunsPattern
          || member.pattern() instanceof RunsPattern) {
        member.pattern().forEachRun(member.displacement(), runs);
      } else {
        flush(runs, parts);
        runs = new RunList();
        parts.add(member);
      }
    }
    flush(runs, parts);
    if (parts.size() == 1) {
      return parts.getFirst();
    }
    long first = parts.getFirst().displacement();
    long[] displacements = new long[parts.size()];
    Pattern[] patterns = new Pattern[parts.size()];
    for (int i = 0; i < patterns.length; i++) {
      displacements[i] = Math.subtractExact(parts.get(i).displacement(), first);
      patterns[i] = parts.get(i).pattern();
    }
    return new PlacedPattern(first, new SequencePattern(displacements, patterns));
  }

  /**
   * Returns a pattern with small inner loops written out as lists of runs. The last step of normalisation, for a whole
   * pattern: before, loops may still fuse with the loops around them.
   */
  public static Pattern withListedLoops(Pattern pattern) {
    if (pattern instanceof LoopPattern loop) {
      if (!(loop.body instanceof BlockPattern) && loop.runs <= SMALL_TABLE) {
        RunList list = new RunList();
        loop.forEachRun(0, list);
        return list.toPattern().pattern();
      }
      Pattern inner = withListedLoops(loop.body);
      return inner == loop.body ? loop : loop(loop.count, loop.stride, inner);
    }
    if (pattern instanceof ScatterPattern rows) {
      Pattern inner = withListedLoops(rows.body);
      return inner == rows.body
          ? rows
          : scatter(rows.displacements, rows.counts, rows.stride, new PlacedPattern(0, inner)).pattern();
    }
    return pattern instanceof SequencePattern sequence ? withListedParts(sequence) : pattern;
  }

  private static Pattern withListedParts(SequencePattern sequence) {
    List<PlacedPattern> inner = new ArrayList<>(sequence.parts.length);
    boolean same = true;
    for (int i = 0; i < sequence.parts.length; i++) {
      Pattern part = withListedLoops(sequence.parts[i]);
      same &= part == sequence.parts[i];
      inner.add(new PlacedPattern(sequence.displacements[i], part));
    }
    return same ? sequence : sequence(inner).pattern();
  }

  private static void flush(RunList runs, List<PlacedPattern> parts) {
    PlacedPattern table = runs.toPattern();
    if (table != null) {
      parts.add(table);
    }
  }

  /**
   * Turns neighbours that are the same pattern at equal distances, or loops that continue one another, into one loop.
   */
  private static List<PlacedPattern> joinCopies(List<PlacedPattern> members) {
    List<PlacedPattern> joined = new ArrayList<>();
    for (PlacedPattern member : flattened(members)) {
      PlacedPattern next = member;
      while (!joined.isEmpty()) {
        PlacedPattern both = join(joined.getLast(), next);
        if (both == null) {
          break;
        }
        joined.removeLast();
        next = both;
      }
      joined.add(next);
    }
    return joined;
  }

  private static List<PlacedPattern> flattened(List<PlacedPattern> members) {
    boolean isFlat = true;
    for (PlacedPattern member : members) {
      isFlat &= !(member.pattern() instanceof SequencePattern);
    }
    if (isFlat) {
      return members;
    }
    List<PlacedPattern> flat = new ArrayList<>();
    for (PlacedPattern member : members) {
      if (member.pattern() instanceof SequencePattern inner) {
        for (int i = 0; i < inner.parts.length; i++) {
          flat.add(new PlacedPattern(Math.addExact(member.displacement(), inner.displacements[i]), inner.parts[i]));
        }
      } else {
        flat.add(member);
      }
    }
    return flat;
  }

  private static PlacedPattern join(PlacedPattern a, PlacedPattern b) {
    if (a.pattern() instanceof BlockPattern && b.pattern() instanceof BlockPattern) {
      return null; // blocks are joined as runs
    }
    long distance = Math.subtractExact(b.displacement(), a.displacement());
    if (a.pattern().equals(b.pattern())) {
      return new PlacedPattern(a.displacement(), loop(2, distance, a.pattern()));
    }
    if (a.pattern() instanceof LoopPattern loop) {
      boolean goesOn = distance == Math.multiplyExact(loop.count, loop.stride);
      if (goesOn && loop.body.equals(b.pattern())) {
        return new PlacedPattern(a.displacement(), loop(loop.count + 1, loop.stride, loop.body));
      }
      if (goesOn && b.pattern() instanceof LoopPattern more && more.stride == loop.stride
          && more.body.equals(loop.body)) {
        return new PlacedPattern(a.displacement(), loop(loop.count + more.count, loop.stride, loop.body));
      }
    }
    if (b.pattern() instanceof LoopPattern loop && distance == loop.stride && loop.body.equals(a.pattern())) {
      return new PlacedPattern(a.displacement(), loop(loop.count + 1, loop.stride, loop.body));
    }
    return null;
  }

  private static boolean isSingle(long[] counts) {
    for (long count : counts) {
      if (count > 1) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether places are at equal distances. */
  public static boolean isRegular(long[] places) {
    long distance = places.length < 2 ? 0 : places[1] - places[0];
    for (int i = 2; i < places.length; i++) {
      if (places[i] - places[i - 1] != distance) {
        return false;
      }
    }
    return true;
  }
}
