// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

import org.ffmpi.base.Watermarks;

/**
 * The place where a rank keeps one of its {@linkplain org.ffmpi.base.Measure measures}. Reading never waits and takes
 * no lock, also within a callback and after the rank has left; a value that changes meanwhile may be that of a moment
 * ago. Any thread.
 */
@FunctionalInterface
public interface Gauge {
  /**
   * Reads one element.
   *
   * @param index from 0 to {@link #length} - 1
   * @return the value
   */
  long read(int index);

  /**
   * Returns the number of elements.
   *
   * @return 1, or the number of peers
   */
  default int length() {
    return 1;
  }

  /**
   * Begins an observation, for values that are kept only as long as somebody observes them.
   *
   * @return the gauge to read from; {@link #release} ends the observation
   */
  default Gauge observe() {
    return this;
  }

  /** Begins anew: for the highest level, which is from now on the present one. */
  default void restart() {}

  /** Ends an observation. The last value stays readable. */
  default void release() {}

  /**
   * Returns a gauge of the highest level, each observation of which is a mark of its own.
   *
   * @param marks the marks
   * @param level the level
   * @return the gauge, which reads the present level before it is observed
   */
  static Gauge highest(Watermarks marks, Gauge level) {
    return new Gauge() {
      @Override
      public long read(int index) {
        return level.read(index);
      }

      @Override
      public Gauge observe() {
        Watermarks.Mark mark = marks.set(level.read(0));
        return new Gauge() {
          @Override
          public long read(int index) {
            return mark.most();
          }

          @Override
          public void restart() {
            mark.restart(level.read(0));
          }

          @Override
          public void release() {
            marks.remove(mark);
          }
        };
      }
    };
  }
}
