// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.mpi.engine;

import java.util.logging.Filter;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The program's argument of {@code System.exit}. A shutdown hook cannot read it; but since JDK 21 {@code Runtime.exit}
 * logs its status before the hooks run, under {@link #LOGGER}, at level FINE. So this filter sets that level, reads the
 * status, and passes on only the lines that would have been logged anyway.
 *
 * <p>The status stays unknown where the program has another logger behind {@code System.Logger}, or resets the level.
 */
final class ExitStatus implements Filter {
  /** Name of the logger of {@code Runtime.exit}. */
  static final String LOGGER = "java.lang.Runtime";

  private static final Pattern LINE = Pattern.compile("Runtime\\.exit\\(\\) called with status: (-?\\d{1,10})");

  /** A strong reference: a logger that is collected loses its level. */
  private final Logger logger = Logger.getLogger(LOGGER);

  private final Filter before;
  private final boolean wasFine;
  private volatile int status;

  private ExitStatus() {
    this.before = logger.getFilter();
    this.wasFine = logger.isLoggable(Level.FINE);
  }

  /** Installs the filter. */
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
    Matcher exit = LINE.matcher(String.valueOf(line.getMessage()));
    if (exit.matches()) {
      status = (int) Long.parseLong(exit.group(1));
    }
    boolean passes = wasFine || line.getLevel().intValue() >= Level.INFO.intValue();
    return passes && (before == null || before.isLoggable(line));
  }

  /** Returns the status; 0 when it is unknown. */
  int get() {
    return status;
  }
}
