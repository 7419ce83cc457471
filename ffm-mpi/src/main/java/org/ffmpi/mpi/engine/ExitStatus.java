// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.mpi.engine;

import java.util.logging.Filter;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The status that the program has given to {@code System.exit}. A shutdown hook is not told; but since JDK 21 {@code
 * Runtime.exit} logs its status before the hooks run, under {@link #LOGGER}, where the level is fine. So this listens
 * there, and passes on only what would have been logged anyway.
 *
 * <p>The status stays unknown where the program has another logger behind {@code System.Logger}, or takes the level
 * away again.
 */
final class ExitStatus implements Filter {
  /** What {@code Runtime.exit} logs under. */
  static final String LOGGER = "java.lang.Runtime";

  private static final Pattern SAID = Pattern.compile("Runtime\\.exit\\(\\) called with status: (-?\\d{1,10})");

  /** Kept: loggers that nobody refers to lose their level. */
  private final Logger logger = Logger.getLogger(LOGGER);

  private final Filter before;
  private final boolean wasFine;
  private volatile int status;

  private ExitStatus() {
    this.before = logger.getFilter();
    this.wasFine = logger.isLoggable(Level.FINE);
  }

  /** Begins to listen. */
  static ExitStatus listen() {
    ExitStatus listener = new ExitStatus();
    listener.logger.setFilter(listener);
    if (!listener.wasFine) {
      listener.logger.setLevel(Level.FINE);
    }
    return listener;
  }

  @Override
  public boolean isLoggable(LogRecord line) {
    Matcher said = SAID.matcher(String.valueOf(line.getMessage()));
    if (said.matches()) {
      status = (int) Long.parseLong(said.group(1));
    }
    boolean passes = wasFine || line.getLevel().intValue() >= Level.INFO.intValue();
    return passes && (before == null || before.isLoggable(line));
  }

  /** Returns the status; 0 when it is not known. */
  int get() {
    return status;
  }
}
