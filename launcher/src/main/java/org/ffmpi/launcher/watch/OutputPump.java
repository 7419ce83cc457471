// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.watch;

import java.io.IOException;
import java.io.InputStream;

/**
 * The thread that carries one stream of one rank to its destination, line by line. It ends when the stream ends and
 * then calls its listener; it blocks whenever the reader of the launcher's own output does, and through it the rank.
 */
final class OutputPump extends Thread {
  /**
   * The time that an unfinished line of rank 0 waits for its end: long for a computer, at once for the reader of a
   * prompt.
   */
  static final long PARTIAL_NANOS = 50_000_000;

  private static final int CHUNK = 1 << 16;
  private static final int POLL_MILLIS = 5;

  /** Enough for a loop over read and write. */
  private static final int STACK_BYTES = 1 << 18;

  private final Process process;
  private final InputStream in;
  private final LineForwarder forwarder;
  private final boolean showsPartialLines;
  private final Runnable atEnd;

  /**
   * Creates a pump.
   *
   * @param name name of the thread
   * @param process whose stream it is
   * @param in the stream
   * @param forwarder cuts it into lines
   * @param showsPartialLines whether an unfinished line is shown after a while
   * @param atEnd called in this thread at the end of the stream
   */
  OutputPump(
      String name,
      Process process,
      InputStream in,
      LineForwarder forwarder,
      boolean showsPartialLines,
      Runnable atEnd) {
    super(null, null, name, STACK_BYTES, false);
    setDaemon(true);
    this.process = process;
    this.in = in;
    this.forwarder = forwarder;
    this.showsPartialLines = showsPartialLines;
    this.atEnd = atEnd;
  }

  @Override
  public void run() {
    byte[] chunk = new byte[CHUNK];
    try {
      for (;;) {
        if (showsPartialLines && forwarder.hasPartial() && !awaitMore()) {
          forwarder.writePartial();
        }
        int n = in.read(chunk);
        if (n < 0) {
          break;
        }
        forwarder.accept(chunk, n);
      }
    } catch (IOException e) {
      // The stream was closed under the read, which is its end.
    }
    forwarder.end();
    atEnd.run();
  }

  /** Waits for more bytes or the stream's end; returns false when an unfinished line has been hidden long enough. */
  private boolean awaitMore() throws IOException {
    while (process.isAlive() && in.available() == 0) {
      if (System.nanoTime() - forwarder.partialSince() > PARTIAL_NANOS) {
        return false;
      }
      try {
        Thread.sleep(POLL_MILLIS);
      } catch (InterruptedException e) {
        return true;
      }
    }
    return true;
  }
}
