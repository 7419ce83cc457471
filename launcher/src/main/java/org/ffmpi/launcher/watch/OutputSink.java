// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.watch;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * The destination in which the lines of several sources meet. One thread per source writes; each call appears as one
 * piece.
 *
 * <p>A piece may be an unfinished line: a prompt, or a line whose rank lost its core halfway. Other sources then wait a
 * while for its end; if that does not come, the line is ended for them, so that two sources never share one. A piece
 * that ends in {@code \r}, such as a progress bar, is a line of its own and gets its {@code \n} when another source
 * writes.
 *
 * <p>On a terminal a notice may stand below the last line. It is erased before the next piece, and shown again by its
 * writer. Where a piece has left a line open, or one that it writes again itself, no notice is shown.
 */
final class OutputSink {
  /** The time that others wait for the end of an unfinished line: a prompt may wait for its answer much longer. */
  static final long HOLD_NANOS = 500_000_000;

  /** To the beginning of the line, and erase it, as all terminals understand. */
  private static final byte[] ERASE = "\r\033[K".getBytes(StandardCharsets.US_ASCII);

  private final OutputStream out;
  private boolean hasNotice;

  /** A sink whose notice disturbs the output of this one on its way to the same terminal; null for none. */
  private OutputSink beside;

  private LineForwarder last;
  private int lastByte = '\n';
  private long openSince;
  private volatile IOException failure;

  /**
   * Creates a sink.
   *
   * @param out where the bytes go; flushed after every piece
   */
  OutputSink(OutputStream out) {
    this.out = out;
  }

  /**
   * Writes a piece. Blocks while another source's unfinished line may still end, and as long as the stream does.
   *
   * @param source the writer
   * @param bytes holds the piece
   * @param from index of its first byte
   * @param length how many bytes, at least 1
   */
  synchronized void write(LineForwarder source, byte[] bytes, int from, int length) {
    awaitEndOfLine(source);
    if (failure != null) {
      return;
    }
    if (beside != null) {
      beside.showNotice("");
    }
    try {
      eraseNotice();
      boolean continues = source == last && isOpen();
      if (source != last && lastByte != '\n') {
        out.write('\n');
        if (lastByte == '\r') {
          last.expectLineFeed();
        }
      }
      out.write(bytes, from, length);
      out.flush();
      last = source;
      lastByte = bytes[from + length - 1];
      if (isOpen() && !continues) {
        openSince = System.nanoTime();
      } else if (!isOpen()) {
        notifyAll();
      }
    } catch (IOException e) {
      failure = e;
      notifyAll();
    }
  }

  /**
   * Shows a notice in place of the one before, below the last line of a terminal; not while that line is open.
   *
   * @param text less than one line; empty to show none
   */
  synchronized void showNotice(String text) {
    if (failure != null || lastByte != '\n') {
      return;
    }
    try {
      eraseNotice();
      if (!text.isEmpty()) {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        hasNotice = true;
      }
      out.flush();
    } catch (IOException e) {
      failure = e;
    }
  }

  /**
   * Names a sink whose notice is erased whenever this one writes, whose output may reach the terminal by a pipe.
   *
   * @param sink another one
   */
  synchronized void eraseNoticeOf(OutputSink sink) {
    beside = sink;
  }

  private void eraseNotice() throws IOException {
    if (hasNotice) {
      hasNotice = false;
      out.write(ERASE);
    }
  }

  /** Called when a source writes nothing more: no other source waits for the end of its line. */
  synchronized void ended(LineForwarder source) {
    if (source == last) {
      openSince = System.nanoTime() - HOLD_NANOS;
      notifyAll();
    }
  }

  /**
   * Returns why nothing can be written any more.
   *
   * @return the first failure, or null while all is well
   */
  IOException failure() {
    return failure;
  }

  private boolean isOpen() {
    return lastByte != '\n' && lastByte != '\r';
  }

  private void awaitEndOfLine(LineForwarder source) {
    boolean interrupted = false;
    while (source != last && isOpen() && failure == null) {
      long left = openSince + HOLD_NANOS - System.nanoTime();
      if (left <= 0) {
        break;
      }
      try {
        wait(left / 1_000_000 + 1);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
