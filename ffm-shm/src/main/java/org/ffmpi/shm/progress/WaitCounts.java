// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.progress;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.ffmpi.spi.Gauge;

/** The counts of one rank's waits. Only slow waits come here, so that additions are atomic. Any thread. */
public final class WaitCounts {
  private final AtomicLong parks = new AtomicLong();
  private final AtomicLong waited = new AtomicLong();

  /** Number of observers of the time; without any, no clock is read. */
  private final AtomicInteger observers = new AtomicInteger();

  WaitCounts() {}

  /** Counts a thread that goes to sleep. */
  void park() {
    parks.getAndIncrement();
  }

  /** Returns the time when a wait begins; 0 without an observer. */
  long begin() {
    return observers.getOpaque() == 0 ? 0 : System.nanoTime();
  }

  /** Ends a wait that {@link #begin} has begun. */
  void end(long begin) {
    if (begin != 0) {
      waited.addAndGet(System.nanoTime() - begin);
    }
  }

  /**
   * Returns how often a thread has gone to sleep.
   *
   * @return their number
   */
  public long parks() {
    return parks.get();
  }

  /**
   * Returns a gauge of the nanoseconds in waits, which are measured while it is observed.
   *
   * @return the gauge
   */
  public Gauge time() {
    return new Gauge() {
      @Override
      public long read(int index) {
        return waited.get();
      }

      @Override
      public Gauge observe() {
        observers.getAndIncrement();
        return this;
      }

      @Override
      public void release() {
        observers.getAndDecrement();
      }
    };
  }
}
