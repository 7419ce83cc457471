// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.process;

import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.RunSettings;

/**
 * The wait of a closing rank until its peers have received its messages. It prints after a second what it waits for,
 * has a time limit by a setting, and ends while an exception unwinds the program's stack. Used by the thread that
 * closes.
 */
final class LastWait {
  /** How long to wait before the search for an exception that unwinds the stack, which takes some milliseconds. */
  private static final long QUIET_NANOS = 200_000_000;

  private static final long SILENT_NANOS = 800_000_000;

  private LastWait() {}

  /**
   * Waits.
   *
   * @param engine the rank's engine
   * @param step waits for a time in nanoseconds, and returns whether all is done
   * @return false when the wait has ended because of an exception
   * @throws MpiException ERR_PENDING when the time of the setting is over
   */
  static boolean await(Engine engine, LongPredicate step) {
    if (step.test(QUIET_NANOS)) {
      return true;
    }
    if (Unwinding.isInProgress()) {
      return false;
    }
    int seconds = RunSettings.FINALIZE_LIMIT.get(engine.settings());
    long limit = seconds == 0 ? Long.MAX_VALUE : TimeUnit.SECONDS.toNanos(seconds) - QUIET_NANOS;
    if (step.test(Math.min(SILENT_NANOS, limit))) {
      return true;
    }
    String unsent = engine.unsent();
    if (!unsent.isEmpty()) {
      System.err.println("ffmpi: rank " + engine.self() + ": finalize waits until " + unsent);
    }
    if (seconds == 0 ? step.test(Long.MAX_VALUE) : step.test(Math.max(1, limit - SILENT_NANOS))) {
      return true;
    }
    throw new MpiException(
        ErrorClass.ERR_PENDING,
        "finalize has waited for " + seconds + " s (setting " + RunSettings.FINALIZE_LIMIT.name() + ") until "
            + engine.unsent());
  }
}
