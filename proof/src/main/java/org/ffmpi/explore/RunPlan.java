// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.explore;

import java.util.Random;

/**
 * The plan of one run.
 *
 * @param buffered whether standard sends complete at once; otherwise when a receive has taken their message
 * @param script the results of choices, as far as they are given
 * @param random chooses the others; null for the first possibility of each
 * @param recorded whether the run records its picture
 */
record RunPlan(boolean buffered, Script script, Random random, boolean recorded) {
  /** The plan of a run without an exploration. */
  static RunPlan plain() {
    return new RunPlan(true, new Script(), null, false);
  }
}
