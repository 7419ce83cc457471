// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher;

import java.io.IOException;
import java.io.OutputStream;

/**
 * Where the lines of several sources meet. Written to by one thread per source; each call appears as one piece.
 *
 * <p>A piece may be an unfinished line (a prompt, a progress bar that ends in {@code \r}). When another source writes
 * next, that line is ended first, so that two sources never share one.
 */
final class OutputSink {
  private final OutputStream out;
  private LineForwarder last;
  private int lastByte = '\n';
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
   * Writes a piece.
   *
   * @param source who writes
   * @param bytes holds the piece
   * @param from index of its first byte
   * @param length how many bytes, at least 1
   */
  synchronized void write(LineForwarder source, byte[] bytes, int from, int length) {
    if (failure != null) {
      return;
    }
    try {
      if (source != last && lastByte != '\n') {
        out.write('\n');
        if (lastByte == '\r') {
          last.lineFeedDone();
        }
      }
      out.write(bytes, from, length);
      out.flush();
      last = source;
      lastByte = bytes[from + length - 1];
    } catch (IOException e) {
      failure = e;
    }
  }

  /**
   * Tells why nothing can be written any more.
   *
   * @return the first failure, or null while all is well
   */
  IOException failure() {
    return failure;
  }
}
