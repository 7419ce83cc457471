// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.replay;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One stream of a recording in memory. It has an entry for each event, with its outcome also where that was written
 * later. Any thread, after it has been read.
 */
final class RecordedStream {
  /** Number of the call of entries that repeat those before them. */
  static final int AGAIN = -1;

  final StreamHeader header;
  /** Whether the rank left its job in good order, so that no call follows. */
  final boolean whole;
  private final ChoiceCall[] calls;
  private final int[] entryCalls;
  private final int[] outcomes;
  private final int[] tags;
  private final int[][] indices;
  private final int entries;

  private RecordedStream(Builder built, boolean whole) {
    this.header = built.header;
    this.whole = whole;
    this.calls = built.calls.toArray(new ChoiceCall[0]);
    this.entries = built.entries;
    this.entryCalls = built.entryCalls;
    this.outcomes = built.outcomes;
    this.tags = built.tags;
    this.indices = built.indices;
  }

  int entries() {
    return entries;
  }

  /** Returns the number of the call of an entry, or {@link #AGAIN}. */
  int callNumber(int entry) {
    return entryCalls[entry];
  }

  ChoiceCall call(int number) {
    return calls[number];
  }

  int calls() {
    return calls.length;
  }

  /** Returns the outcome of an entry; of {@link #AGAIN} the period. */
  int outcome(int entry) {
    return outcomes[entry];
  }

  /** Returns the tag of an entry's message; of {@link #AGAIN} how many calls there are. */
  int tag(int entry) {
    return tags[entry];
  }

  /** Returns the indices that an entry reports; null where it has none. */
  int[] indices(int entry) {
    return indices[entry];
  }

  /** Collects the entries of a stream. One thread. */
  static final class Builder {
    private final StreamHeader header;
    final List<ChoiceCall> calls = new ArrayList<>();
    private int entries;
    private int[] entryCalls = new int[64];
    private int[] outcomes = new int[64];
    private int[] tags = new int[64];
    private int[][] indices = new int[64][];

    Builder(StreamHeader header) {
      this.header = header;
    }

    int entries() {
      return entries;
    }

    int callNumber(int entry) {
      return entryCalls[entry];
    }

    int outcome(int entry) {
      return outcomes[entry];
    }

    void add(int call, int outcome, int tag, int[] chosen) {
      if (entries == entryCalls.length) {
        int more = 2 * entries;
        entryCalls = Arrays.copyOf(entryCalls, more);
        outcomes = Arrays.copyOf(outcomes, more);
        tags = Arrays.copyOf(tags, more);
        indices = Arrays.copyOf(indices, more);
      }
      entryCalls[entries] = call;
      outcomes[entries] = outcome;
      tags[entries] = tag;
      indices[entries++] = chosen;
    }

    /** Sets the outcome of a receive that has been posted before. */
    void later(int entry, int outcome, int tag) {
      outcomes[entry] = outcome;
      tags[entry] = tag;
    }

    RecordedStream build(boolean whole) {
      return new RecordedStream(this, whole);
    }
  }
}
