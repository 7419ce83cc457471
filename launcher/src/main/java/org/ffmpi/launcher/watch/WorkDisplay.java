// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.watch;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;
import org.ffmpi.shm.account.WorkDone;

/**
 * The thread that shows how far a job is. On a terminal it writes one line again and again; elsewhere, and never more
 * often than every ten seconds, a new one where something has changed. It reads the reports in the segment, and ranks
 * do not notice. A terminal that takes nothing more blocks this thread alone.
 */
final class WorkDisplay extends Thread {
  private static final long TICK_MILLIS = 250;

  /** Time between two lines of a file: six a minute are enough to read, and do not bury what else is in it. */
  static final long LINE_NANOS = 10_000_000_000L;

  /** How long the end of the job waits for a terminal that takes nothing. */
  private static final long END_MILLIS = 500;

  private static final int STACK_BYTES = 1 << 18;
  private static final String CUT = "...";

  private final Supplier<List<WorkDone>> reports;
  private final OutputSink sink;
  private final int columns;
  private final WorkLine line = new WorkLine();
  private String printed = "";
  private long printedAt = System.nanoTime();

  /** Guarded by this. */
  private boolean over;

  /**
   * Creates the display of a job.
   *
   * @param reports reads what the ranks have reported
   * @param sink where the line goes
   * @param columns width of its terminal; 0 for a file
   */
  WorkDisplay(Supplier<List<WorkDone>> reports, OutputSink sink, int columns) {
    super(null, null, "mpirun-progress", STACK_BYTES, false);
    setDaemon(true);
    this.reports = reports;
    this.sink = sink;
    this.columns = columns;
  }

  @Override
  public void run() {
    while (awaitTick()) {
      show(System.nanoTime());
    }
  }

  /** Waits for the next look; returns false at the end of the job. */
  private synchronized boolean awaitTick() {
    try {
      if (!over) {
        wait(TICK_MILLIS);
      }
      return !over;
    } catch (InterruptedException e) {
      return false;
    }
  }

  /** Looks at the reports and shows the line when it is due. */
  void show(long now) {
    line.update(reports.get());
    if (line.isEmpty()) {
      return;
    }
    String text = "mpirun: " + line.text(now);
    if (columns > 0) {
      sink.showNotice(cut(text));
    } else if (now - printedAt >= LINE_NANOS && !text.equals(printed)) {
      printed = text;
      printedAt = now;
      LineForwarder own = new LineForwarder(sink, "", null);
      byte[] bytes = (text + "\n").getBytes(StandardCharsets.UTF_8);
      own.accept(bytes, bytes.length);
    }
  }

  /** Returns what has room in one line: a longer one would begin a second one, which nothing erases. */
  private String cut(String text) {
    int room = Math.max(columns - 1, CUT.length());
    return text.length() <= room ? text : text.substring(0, room - CUT.length()) + CUT;
  }

  /**
   * Ends the display; called by the thread that supervises the job, while the reports can be read.
   *
   * @return the last line, to be printed; empty when no rank has reported anything
   */
  String end() {
    synchronized (this) {
      over = true;
      notifyAll();
    }
    try {
      join(END_MILLIS);
    } catch (InterruptedException e) {
      interrupt();
      Thread.currentThread().interrupt();
    }
    if (isAlive()) {
      return ""; // blocked in a terminal; it will end with this process
    }
    return endOf();
  }

  /** Returns the last line once the thread has ended. */
  String endOf() {
    line.update(reports.get());
    if (columns > 0) {
      sink.showNotice("");
    }
    return line.isEmpty() ? "" : "mpirun: " + line.result() + "\n";
  }
}
