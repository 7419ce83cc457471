// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.request;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ffmpi.launcher.command.WrongCommand;

/**
 * Ranks of a job as a command line names them.
 *
 * @param text as it was written
 * @param ranges first and last ranks; null for all ranks
 */
public record RankSet(String text, List<Range> ranges) {
  /** The texts that are allowed, for errors. */
  public static final String ALLOWED = "a rank, several as in 0,2 or 4-7, and all";

  /** For no rank. */
  public static final RankSet NONE = new RankSet("", List.of());

  private static final String ALL = "all";
  private static final Pattern RANGE = Pattern.compile("(\\d{1,9})(?:-(\\d{1,9}))?");

  /** Some ranks in a row. */
  record Range(int first, int last) {}

  /**
   * Reads a set.
   *
   * @param text {@code 3}, {@code 0,2}, {@code 4-7} or {@code all}
   * @return the set; null when the text is none
   */
  public static RankSet parse(String text) {
    if (text.equals(ALL)) {
      return new RankSet(text, null);
    }
    List<Range> ranges = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      Matcher range = RANGE.matcher(part);
      if (!range.matches()) {
        return null;
      }
      int first = Integer.parseInt(range.group(1));
      int last = range.group(2) == null ? first : Integer.parseInt(range.group(2));
      if (last < first) {
        return null;
      }
      ranges.add(new Range(first, last));
    }
    return new RankSet(text, ranges);
  }

  /** Returns whether a rank belongs to it. */
  public boolean contains(int rank) {
    if (ranges == null) {
      return true;
    }
    for (Range range : ranges) {
      if (rank >= range.first && rank <= range.last) {
        return true;
      }
    }
    return false;
  }

  /**
   * Checks that the job has all of these ranks.
   *
   * @param what names them, such as an option
   * @param size number of ranks of the job
   */
  public void check(String what, int size) {
    if (ranges != null) {
      for (Range range : ranges) {
        if (range.last >= size) {
          throw WrongCommand.ofValue(what, text, "ranks 0.." + (size - 1) + " of this job");
        }
      }
    }
  }
}
