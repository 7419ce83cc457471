// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.connect;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/**
 * A line between two processes over which they agree before they can meet. It carries lists of words, in order, and
 * never blocks in the kernel, so that who waits can do other work meanwhile. One thread at a time.
 */
public final class Link implements AutoCloseable {
  private static final int MOST_BYTES = 1 << 24;
  private static final int HEAD = Integer.BYTES;
  private static final long SHORT_NANOS = 20_000;
  private static final long LONG_NANOS = 1_000_000;
  private static final int SHORT_NAPS = 200;

  /** The bytes of a link. */
  interface Bytes extends AutoCloseable {
    /** Reads what there is; -1 at the end. */
    int read(ByteBuffer into) throws IOException;

    /** Writes some bytes. */
    int write(ByteBuffer from) throws IOException;

    @Override
    void close() throws IOException;
  }

  private final Bytes bytes;
  private ByteBuffer received = ByteBuffer.allocate(1 << 12);

  Link(Bytes bytes) {
    this.bytes = bytes;
  }

  /**
   * Sends words.
   *
   * @param words any texts
   * @throws MpiException ERR_PORT when the other process has gone
   */
  public void send(String... words) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (DataOutputStream data = new DataOutputStream(out)) {
      data.writeInt(0);
      data.writeInt(words.length);
      for (String word : words) {
        byte[] text = word.getBytes(StandardCharsets.UTF_8);
        data.writeInt(text.length);
        data.write(text);
      }
      ByteBuffer frame = ByteBuffer.wrap(out.toByteArray());
      frame.putInt(0, frame.limit() - HEAD);
      while (frame.hasRemaining()) {
        if (bytes.write(frame) == 0) {
          LockSupport.parkNanos(SHORT_NANOS);
        }
      }
    } catch (IOException e) {
      throw gone(e);
    }
  }

  /**
   * Returns words that have arrived.
   *
   * @return the next list of words; null when it has not arrived as a whole
   * @throws MpiException ERR_PORT when the other process has gone
   */
  public List<String> poll() {
    try {
      int more;
      do {
        if (!received.hasRemaining()) {
          received = ByteBuffer.allocate(2 * received.capacity()).put(received.flip());
        }
        more = bytes.read(received);
      } while (more > 0);
      List<String> words = next();
      if (words == null && more < 0) {
        throw gone(null);
      }
      return words;
    } catch (IOException e) {
      throw gone(e);
    }
  }

  private List<String> next() {
    if (received.position() < HEAD) {
      return null;
    }
    int length = received.getInt(0);
    if (length < HEAD || length > MOST_BYTES) {
      throw new MpiException(ErrorClass.ERR_PORT, "the process at the other end of the port speaks another language");
    }
    if (received.position() < HEAD + length) {
      return null;
    }
    received.flip().position(HEAD);
    List<String> words = new ArrayList<>();
    for (int left = received.getInt(); left > 0; left--) {
      byte[] text = new byte[received.getInt()];
      received.get(text);
      words.add(new String(text, StandardCharsets.UTF_8));
    }
    received.compact();
    return words;
  }

  /**
   * Waits for words.
   *
   * @param between what to do between two looks; what it throws ends the wait
   * @param deadline end of the wait by {@link System#nanoTime}; MAX_VALUE for none
   * @return the words; null when the time is over first
   * @throws MpiException ERR_PORT when the other process has gone
   */
  public List<String> await(Runnable between, long deadline) {
    for (int naps = 0;; naps++) {
      List<String> words = poll();
      if (words != null) {
        return words;
      }
      if (isOver(deadline)) {
        return null;
      }
      between.run();
      rest(naps);
    }
  }

  /**
   * Makes a line over a socket, which stays open.
   *
   * @param socket a connected socket
   * @return the line
   * @throws MpiException ERR_ARG when the socket cannot be used
   */
  public static Link over(Socket socket) {
    try {
      SocketChannel channel = socket.getChannel();
      return new Link(channel == null ? SocketBytes.of(socket) : SocketBytes.of(channel, false));
    } catch (IOException e) {
      throw unusable(e);
    }
  }

  /**
   * Makes a line over a channel, which stays open.
   *
   * @param channel a connected channel
   * @return the line
   * @throws MpiException ERR_ARG when the channel cannot be used
   */
  public static Link over(SocketChannel channel) {
    try {
      return new Link(SocketBytes.of(channel, false));
    } catch (IOException e) {
      throw unusable(e);
    }
  }

  private static MpiException unusable(IOException e) {
    return new MpiException(ErrorClass.ERR_ARG, "the socket cannot be used: " + e, e);
  }

  /**
   * Rests between two looks, for longer after many. An interrupt is kept for later.
   *
   * @param naps how many rests there were before
   */
  public static void rest(int naps) {
    boolean interrupted = Thread.interrupted();
    LockSupport.parkNanos(naps < SHORT_NAPS ? SHORT_NANOS : LONG_NANOS);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  static boolean isOver(long deadline) {
    return deadline != Long.MAX_VALUE && System.nanoTime() - deadline >= 0;
  }

  private static MpiException gone(IOException e) {
    return new MpiException(ErrorClass.ERR_PORT, "the process at the other end of the port has gone", e);
  }

  @Override
  public void close() {
    try {
      bytes.close();
    } catch (IOException e) {
      // nothing is left to lose
    }
  }
}
