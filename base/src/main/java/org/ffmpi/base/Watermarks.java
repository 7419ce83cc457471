// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.base;

import java.util.Arrays;

/**
 * The marks of observers at a level that changes. Each mark keeps the most since it was set. Without a mark a change
 * costs one read of a field. Any thread observes; the level is changed by one thread at a time.
 */
public final class Watermarks {
  private static final Mark[] NONE = {};

  /** Replaced as a whole, with this object's monitor held. */
  private volatile Mark[] marks = NONE;

  /** Creates a level without marks. */
  public Watermarks() {}

  /** The most that a level has been since the mark was set. */
  public static final class Mark {
    /** Written by the thread that changes the level, and by {@link #restart}; a race is as if one came first. */
    private volatile long most;

    Mark(long level) {
      this.most = level;
    }

    /**
     * Returns the most so far.
     *
     * @return the highest level since the mark was set
     */
    public long most() {
      return most;
    }

    /**
     * Begins anew.
     *
     * @param level the level now
     */
    public void restart(long level) {
      most = level;
    }
  }

  /**
   * Sets a mark.
   *
   * @param level the level now
   * @return the mark
   */
  public synchronized Mark set(long level) {
    Mark[] all = Arrays.copyOf(marks, marks.length + 1);
    Mark mark = new Mark(level);
    all[marks.length] = mark;
    marks = all;
    return mark;
  }

  /**
   * Removes a mark, which keeps its value.
   *
   * @param mark the mark
   */
  public synchronized void remove(Mark mark) {
    marks = Arrays.stream(marks).filter(other -> other != mark).toArray(Mark[]::new);
  }

  /**
   * Raises all marks that are lower than the level.
   *
   * @param level the level now
   */
  public void raise(long level) {
    for (Mark mark : marks) {
      if (level > mark.most) {
        mark.most = level;
      }
    }
  }
}
