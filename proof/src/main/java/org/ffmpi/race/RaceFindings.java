// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.race;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/** All races that have been found in this process, for tests. Any thread. */
public final class RaceFindings {
  /** A few are enough for a report. */
  private static final int MOST = 1_000;

  private static final List<String> FOUND = new ArrayList<>();

  private RaceFindings() {}

  static synchronized MpiException add(int rank, ErrorClass errorClass, String sentence) {
    if (FOUND.size() < MOST) {
      FOUND.add("rank " + rank + ": " + sentence);
    }
    return new MpiException(errorClass, sentence);
  }

  /**
   * Returns the findings since the last call.
   *
   * @return sentences, each with the rank that has found it
   */
  public static synchronized List<String> take() {
    List<String> taken = List.copyOf(FOUND);
    FOUND.clear();
    return taken;
  }
}
