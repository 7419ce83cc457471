// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.plan.pattern.BlockPattern;
import org.ffmpi.datatype.plan.pattern.Patterns;
import org.ffmpi.datatype.plan.pattern.PlacedPattern;
import org.ffmpi.datatype.plan.pattern.RunList;

/** Reads a {@link FlatPlan}. Every word is read into a local once, checked, then used. */
final class FlatReader {
  /** Longest plan that is read: a list of 16 million runs. A longer one is not a plan. */
  private static final long MAX_WORDS = 1 << 25;

  /** Patterns in normal form at least double their size with each level. */
  private static final int MAX_DEPTH = Long.SIZE;

  private final long address;
  private final long words;
  private long next;

  FlatReader(long address, long bytes) {
    this.address = address;
    this.words = bytes / Long.BYTES;
    if (bytes < 0 || bytes % Long.BYTES != 0 || words < FlatPlan.HEADER_WORDS || words > MAX_WORDS) {
      throw refused("bytes", bytes, "multiples of 8 from " + Long.BYTES * FlatPlan.HEADER_WORDS);
    }
  }

  Plan plan() {
    long magic = word();
    if (magic != FlatPlan.MAGIC) {
      throw refused("version", Long.toHexString(magic), Long.toHexString(FlatPlan.MAGIC));
    }
    long length = word();
    if (length != words) {
      throw refused("length", length, Long.toString(words));
    }
    long extent = word();
    long displacement = word();
    if (next == words) {
      return PlanCompiler.compile((PlacedPattern) null, extent);
    }
    PlacedPattern element = pattern(0).moved(displacement);
    if (next != words) {
      throw refused("length", words, "the " + next + " words that the pattern has");
    }
    return PlanCompiler.compile(element, extent);
  }

  private PlacedPattern pattern(int depth) {
    if (depth == MAX_DEPTH) {
      throw refused("nesting", depth, "less than " + MAX_DEPTH);
    }
    long tag = word();
    if (tag == FlatPlan.BLOCK) {
      return new PlacedPattern(0, new BlockPattern(positive("bytes")));
    }
    if (tag == FlatPlan.LOOP) {
      long count = positive("count");
      long stride = word();
      PlacedPattern body = pattern(depth + 1);
      return new PlacedPattern(body.displacement(), Patterns.loop(count, stride, body.pattern()));
    }
    if (tag == FlatPlan.TABLE) {
      return table();
    }
    if (tag == FlatPlan.RUNS) {
      return runs();
    }
    if (tag == FlatPlan.SCATTER) {
      return scatter(depth);
    }
    if (tag == FlatPlan.SEQUENCE) {
      return sequence(depth);
    }
    throw refused("pattern", tag, FlatPlan.BLOCK + ".." + FlatPlan.SEQUENCE);
  }

  private PlacedPattern table() {
    long block = positive("block");
    int n = members(1);
    RunList list = new RunList();
    for (int i = 0; i < n; i++) {
      list.run(word(), block);
    }
    return list.toPattern();
  }

  private PlacedPattern runs() {
    int n = members(2);
    long[] displacements = list(n);
    RunList list = new RunList();
    for (int i = 0; i < n; i++) {
      list.run(displacements[i], positive("length"));
    }
    return list.toPattern();
  }

  private PlacedPattern scatter(int depth) {
    long stride = word();
    int n = members(2);
    long[] displacements = list(n);
    long[] counts = new long[n];
    for (int i = 0; i < n; i++) {
      counts[i] = positive("count");
    }
    return Patterns.scatter(displacements, counts, stride, pattern(depth + 1));
  }

  private PlacedPattern sequence(int depth) {
    int n = members(3); // a displacement and at least a block each
    List<PlacedPattern> parts = new ArrayList<>(n);
    for (int i = 0; i < n; i++) {
      long displacement = word();
      parts.add(pattern(depth + 1).moved(displacement));
    }
    return Patterns.sequence(parts);
  }

  // ---- words

  private long word() {
    if (next == words) {
      throw refused("length", words, "as many words as the pattern has");
    }
    return Raw.getLong(address + Long.BYTES * next++);
  }

  private long positive(String what) {
    long value = word();
    if (value <= 0) {
      throw refused(what, value, "1 and more");
    }
    return value;
  }

  /** Reads the length of a list, and refuses one for which there are too few words. */
  private int members(int wordsEach) {
    long n = positive("members");
    if (n > (words - next) / wordsEach) {
      throw refused("members", n, "at most " + (words - next) / wordsEach);
    }
    return (int) n;
  }

  private long[] list(int n) {
    long[] list = new long[n];
    for (int i = 0; i < n; i++) {
      list[i] = word();
    }
    return list;
  }

  private static MpiException refused(String what, Object value, String allowed) {
    return MpiException.argument(ErrorClass.ERR_INTERN, "a peer's datatype: " + what, value, allowed);
  }
}
