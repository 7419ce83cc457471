// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.explore;

import java.util.Random;
import java.util.Set;

/**
 * The plan of one run.
 *
 * @param buffered whether standard sends complete at once; otherwise when a receive has taken their message
 * @param waiting the sends that complete only then although others complete at once
 * @param script the results of choices, as far as they are given
 * @param random chooses the others; null for the first possibility of each
 * @param recorded whether the run records its picture
 */
record RunPlan(boolean buffered, Set<SendPlace> waiting, Script script, Random random, boolean recorded) {
  RunPlan(boolean buffered, Script script, Random random) {
    this(buffered, Set.of(), script, random, false);
  }

  /** The plan of a run without an exploration. */
  static RunPlan plain() {
    return new RunPlan(true, new Script(), null);
  }

  /** Returns the plan of the same run with a script that has all of its choices. */
  RunPlan again(Script script, boolean isRecorded) {
    return new RunPlan(buffered, waiting, script, null, isRecorded);
  }

  /** Returns whether a standard send waits for its receive. */
  boolean waits(int rank, int number) {
    return !buffered || !waiting.isEmpty() && waiting.contains(new SendPlace(rank, number));
  }
}
