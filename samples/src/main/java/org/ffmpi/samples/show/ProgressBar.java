// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.show;

import java.io.PrintStream;
import java.util.Locale;
import java.util.function.LongSupplier;

/** A line on a terminal that shows how far the program has come, redrawn in place. */
public final class ProgressBar {
  private static final long NANOS_BETWEEN = 100_000_000;
  private static final int WIDEST = 50;
  private static final int LEAST_COLUMNS = 42;

  private final PrintStream out;
  private final int columns;
  private final int total;
  private final String unit;
  private final LongSupplier clock;
  private long shownAt;
  private int shownLength;

  /**
   * Creates a bar.
   *
   * @param out the terminal
   * @param columns its width; with less than 42 nothing is ever shown
   * @param total how many steps there are
   * @param unit the name of a step, such as "row"
   */
  public ProgressBar(PrintStream out, int columns, int total, String unit) {
    this(out, columns, total, unit, System::nanoTime);
  }

  /** Creates a bar that reads the time, in nanoseconds, from {@code clock}. */
  ProgressBar(PrintStream out, int columns, int total, String unit, LongSupplier clock) {
    this.out = out;
    this.columns = columns;
    this.total = total;
    this.unit = unit;
    this.clock = clock;
    this.shownAt = clock.getAsLong();
  }

  /**
   * Shows how far the program is, if a tenth of a second has passed since the line was last drawn.
   *
   * @param done steps that are done
   */
  public void show(int done) {
    if (columns < LEAST_COLUMNS) {
      return;
    }
    long now = clock.getAsLong();
    if (now - shownAt < NANOS_BETWEEN) {
      return;
    }
    shownAt = now;
    String text = line(done);
    shownLength = text.length();
    out.print(text + "\r");
    out.flush();
  }

  /** Returns the line for {@code done} steps. */
  String line(int done) {
    String text = String.format(Locale.ROOT, " %3d %%  %s %,d of %,d", 100L * done / total, unit, done, total);
    int width = Math.clamp(columns - text.length() - 3, 0, WIDEST);
    int filled = (int) ((long) width * done / total);
    return "[" + "#".repeat(filled) + ".".repeat(width - filled) + "]" + text;
  }

  /** Removes the line. */
  public void clear() {
    if (shownLength > 0) {
      out.print(" ".repeat(shownLength) + "\r");
      out.flush();
      shownLength = 0;
    }
  }
}
