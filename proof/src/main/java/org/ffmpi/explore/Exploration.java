// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.explore;

/**
 * The result of an exploration.
 *
 * @param orders how many different orders have been seen
 * @param runs how many runs that took
 * @param complete whether these are all there are
 * @param summary the same in words
 * @param finding what is wrong in the last of them; null when nothing is
 */
public record Exploration(int orders, int runs, boolean complete, String summary, Finding finding) {
  /** The kinds of findings. */
  public enum Kind {
    /** A rank has thrown an exception. */
    EXCEPTION,
    /** No rank can go on. */
    DEADLOCK,
    /** Messages or receives are left over. */
    LEFTOVER,
    /** A rank has run on without a call for longer than it may. */
    STUCK,
    /** The same choices have led to something else. */
    UNREPEATABLE
  }

  /**
   * An order that is wrong.
   *
   * @param kind its kind
   * @param text what is wrong, with the order and the picture of its messages
   * @param choices the order, as a line that an exploration can be given
   * @param rank the rank that has thrown, or -1
   * @param thrown what it has thrown, or null
   */
  public record Finding(Kind kind, String text, String choices, int rank, Throwable thrown) {}
}
