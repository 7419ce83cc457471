// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.watch;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The stage that cuts one stream of bytes into whole lines. Bytes stay as they are: no charset is assumed beyond
 * {@code \n} and {@code \r} being themselves.
 *
 * <p>A line ends with {@code \n}, {@code \r\n} or a lone {@code \r}. Whole lines that arrive together are written
 * together. What follows the last line end waits for its own, unless {@link #writePartial} is called or it grows beyond
 * {@link #LONGEST}.
 *
 * <p>Used by one thread at a time, but for {@link #expectLineFeed}, which the sink calls under its lock.
 */
final class LineForwarder {
  /** A line longer than this is passed on in pieces: the launcher's memory is no place for a rank's gigabyte. */
  static final int LONGEST = 1 << 20;

  private final OutputSink sink;
  private final byte[] tag;
  private byte[] unwanted;
  private byte[] pending = new byte[256];
  private int length;
  private boolean midLine;
  private boolean afterReturn;
  private long partialSince;
  private volatile boolean dropLineFeed;

  /**
   * Creates a forwarder.
   *
   * @param sink where lines go
   * @param tag written before each line; empty for none
   * @param unwanted a line that is left out, once; null for none
   */
  LineForwarder(OutputSink sink, String tag, String unwanted) {
    this.sink = sink;
    this.tag = tag.getBytes(StandardCharsets.US_ASCII);
    this.unwanted = unwanted == null ? null : unwanted.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Accepts bytes and writes the lines they complete.
   *
   * @param bytes holds them
   * @param count how many, from index 0
   */
  void accept(byte[] bytes, int count) {
    int from = 0;
    if (dropLineFeed && count > 0) {
      dropLineFeed = false;
      from = bytes[0] == '\n' ? 1 : 0;
    }
    int end = endOfLastLine(bytes, from, count);
    if (end > from) {
      append(bytes, from, end);
      writeLines();
      from = end;
    }
    append(bytes, from, count);
    if (length > LONGEST) {
      writePartial();
    }
  }

  /**
   * Returns whether an unfinished line waits.
   *
   * @return true when {@link #writePartial} would write something
   */
  boolean hasPartial() {
    return length > 0;
  }

  /**
   * Returns since when an unfinished line has been waiting.
   *
   * @return a time as {@link System#nanoTime} counts, meaningful while {@link #hasPartial}
   */
  long partialSince() {
    return partialSince;
  }

  /** Writes the unfinished line as far as it has come. */
  void writePartial() {
    if (length > 0) {
      writeLines();
    }
  }

  /** Writes the rest at the end of the stream. */
  void end() {
    writePartial();
    sink.ended(this);
  }

  /** Called when the sink has ended this source's {@code \r} line: a {@code \n} that follows is its other half. */
  void expectLineFeed() {
    dropLineFeed = true;
  }

  private static int endOfLastLine(byte[] bytes, int from, int to) {
    for (int i = to; i > from; i--) {
      if (bytes[i - 1] == '\n' || bytes[i - 1] == '\r') {
        return i;
      }
    }
    return from;
  }

  private void append(byte[] bytes, int from, int to) {
    int more = to - from;
    if (more == 0) {
      return;
    }
    if (length == 0) {
      partialSince = System.nanoTime();
    }
    if (length + more > pending.length) {
      pending = Arrays.copyOf(pending, Math.max(2 * pending.length, length + more));
    }
    System.arraycopy(bytes, from, pending, length, more);
    length += more;
  }

  private void writeLines() {
    if (unwanted != null) {
      dropUnwanted();
    }
    if (length > 0) {
      byte lastByte = pending[length - 1];
      if (tag.length == 0) {
        sink.write(this, pending, 0, length);
      } else {
        byte[] tagged = tagged();
        sink.write(this, tagged, 0, tagged.length);
      }
      midLine = lastByte != '\n' && lastByte != '\r';
      afterReturn = lastByte == '\r';
    }
    length = 0;
    if (pending.length > LONGEST) {
      pending = new byte[256];
    }
  }

  private byte[] tagged() {
    int lines = 1;
    for (int i = 0; i < length; i++) {
      lines += isStart(i) ? 1 : 0;
    }
    byte[] result = new byte[length + lines * tag.length];
    int n = 0;
    for (int i = 0; i < length; i++) {
      if (isStart(i)) {
        System.arraycopy(tag, 0, result, n, tag.length);
        n += tag.length;
      }
      result[n++] = pending[i];
    }
    return Arrays.copyOf(result, n);
  }

  /** Returns whether a line begins at {@code i}; the two halves of {@code \r\n} belong together. */
  private boolean isStart(int i) {
    if (i == 0) {
      return !midLine && !(afterReturn && pending[0] == '\n');
    }
    byte before = pending[i - 1];
    return before == '\n' || before == '\r' && pending[i] != '\n';
  }

  private void dropUnwanted() {
    int start = 0;
    for (int i = 0; i < length; i++) {
      if (pending[i] == '\n') {
        if (Arrays.equals(pending, start, i, unwanted, 0, unwanted.length)) {
          System.arraycopy(pending, i + 1, pending, start, length - i - 1);
          length -= i + 1 - start;
          unwanted = null;
          return;
        }
        start = i + 1;
      }
    }
  }
}
