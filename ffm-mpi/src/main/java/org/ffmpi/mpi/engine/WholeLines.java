// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.mpi.engine;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.concurrent.locks.LockSupport;

/**
 * The stream of a rank that another launcher has started, gathered into whole lines. That launcher passes on what it
 * reads, and a {@code printf} writes a line in pieces, between which those of other ranks would come. Lines that are
 * complete together go out in one write, as far as a pipe takes it in one piece.
 *
 * <p>An unfinished line goes out when the program flushes the stream, at the end of the process, or after a moment: it
 * may be a prompt. Any thread may write.
 */
final class WholeLines extends OutputStream {
  /** Bytes that a pipe takes without other writers' bytes in between, and without a reader between them: PIPE_BUF. */
  private static final int PIECE = 4096;

  /** Time that an unfinished line waits for its end. */
  private static final long PARTIAL_NANOS = 100_000_000;

  private final PrintStream below;
  private final ByteArrayOutputStream pending = new ByteArrayOutputStream();
  private Thread flusher;
  private long partialSince;

  WholeLines(PrintStream below) {
    this.below = below;
  }

  /** Gathers both standard streams of this process. */
  static void ofProcess() {
    System.setOut(stream(System.out));
    System.setErr(stream(System.err));
    Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().name("ffmpi-output").unstarted(() -> {
      System.out.flush();
      System.err.flush();
    }));
  }

  /** Returns a stream that writes whole lines to another one. */
  static PrintStream stream(PrintStream below) {
    return new PrintStream(new WholeLines(below), false, below.charset());
  }

  @Override
  public synchronized void write(int b) {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public synchronized void write(byte[] bytes, int from, int length) {
    int end = endOfLastLine(bytes, from, from + length);
    for (int at = from; at < end;) {
      int next = endOfPiece(bytes, at, end, PIECE - pending.size());
      pending.write(bytes, at, next - at);
      writePending();
      at = next;
    }
    if (end < from + length) {
      if (pending.size() == 0) {
        partialSince = System.nanoTime();
      }
      pending.write(bytes, end, from + length - end);
      if (pending.size() > PIECE) {
        writePending();
      }
      startFlusher();
    }
  }

  /** Writes an unfinished line, too. */
  @Override
  public synchronized void flush() {
    writePending();
    below.flush();
  }

  private static boolean isEnd(byte b) {
    return b == '\n' || b == '\r';
  }

  private static int endOfLastLine(byte[] bytes, int from, int to) {
    int end = to;
    while (end > from && !isEnd(bytes[end - 1])) {
      end--;
    }
    return end;
  }

  /** Returns the end of as many lines as fit into a piece, of one line at least. */
  private static int endOfPiece(byte[] bytes, int from, int end, int room) {
    int best = -1;
    for (int i = from; i < end; i++) {
      if (isEnd(bytes[i])) {
        if (best >= 0 && i + 1 - from > room) {
          return best;
        }
        best = i + 1;
      }
    }
    return best;
  }

  private void writePending() {
    if (pending.size() > 0) {
      byte[] bytes = pending.toByteArray();
      pending.reset();
      below.write(bytes, 0, bytes.length);
      below.flush();
    }
  }

  private void startFlusher() {
    if (flusher == null) {
      flusher = Thread.ofPlatform().daemon().name("ffmpi-output").start(this::flushPartialLines);
    }
  }

  /** Ends when no line has been unfinished for a moment; the next one starts it again. */
  private void flushPartialLines() {
    while (true) {
      LockSupport.parkNanos(PARTIAL_NANOS);
      synchronized (this) {
        if (pending.size() == 0) {
          flusher = null;
          return;
        }
        if (System.nanoTime() - partialSince > PARTIAL_NANOS) {
          writePending();
        }
      }
    }
  }
}
