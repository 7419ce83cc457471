// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.file.access;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.ffmpi.base.MpiException;

/**
 * A file of the system at one rank, with positional reads and writes that end when all is done or the file ends.
 * Threads that are interrupted finish their access and stay interrupted: the JDK closes the channel under them, and it
 * is opened again. Any thread.
 */
public final class OpenFile implements AutoCloseable {
  private final Path path;
  private final Set<OpenOption> options;
  private final boolean readable;
  private volatile FileChannel channel;
  private volatile boolean closed;

  private OpenFile(Path path, Set<OpenOption> options, FileChannel channel) {
    this.path = path;
    this.options = options;
    this.readable = options.contains(StandardOpenOption.READ);
    this.channel = channel;
  }

  /**
   * Opens a file that exists.
   *
   * @param reads whether the program reads
   * @param writes whether it writes; a file that cannot be read is then written without looking at what is there
   * @throws MpiException that names the path
   */
  public static OpenFile open(Path path, boolean reads, boolean writes) {
    try {
      if (Files.isDirectory(path)) {
        throw FileErrors.folder(path);
      }
      if (!writes) {
        return opened(path, Set.of(StandardOpenOption.READ));
      }
      if (reads) {
        return opened(path, Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE));
      }
      try {
        return opened(path, Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE));
      } catch (IOException e) {
        return opened(path, Set.of(StandardOpenOption.WRITE));
      }
    } catch (IOException e) {
      throw FileErrors.of(path, "open", e);
    } catch (RuntimeException e) {
      throw FileErrors.of(path, "open", e);
    }
  }

  private static OpenFile opened(Path path, Set<OpenOption> options) throws IOException {
    return new OpenFile(path, options, FileChannel.open(path, options));
  }

  public Path path() {
    return path;
  }

  /** Returns whether the system lets this rank read, also where the program only writes. */
  public boolean isReadable() {
    return readable;
  }

  /** One step on the channel. */
  private interface Step<R> {
    R run(FileChannel on) throws IOException;
  }

  /**
   * Reads until a buffer is full or the file ends.
   *
   * @return bytes read
   */
  public int read(ByteBuffer into, long place) {
    int from = into.position();
    run("read", on -> {
      while (into.hasRemaining()) {
        if (on.read(into, place + (into.position() - from)) < 0) {
          break;
        }
      }
      return null;
    });
    return into.position() - from;
  }

  /** Writes all of a buffer. */
  public void write(ByteBuffer data, long place) {
    int from = data.position();
    run("write", on -> {
      while (data.hasRemaining()) {
        on.write(data, place + (data.position() - from));
      }
      return null;
    });
  }

  /** Returns the file's size. */
  public long size() {
    return run("ask for the size of", FileChannel::size);
  }

  /** Cuts the file, or extends it with zeros. */
  public void resize(long size) {
    run("resize", on -> {
      if (size < on.size()) {
        on.truncate(size);
      } else if (size > on.size()) {
        on.write(ByteBuffer.wrap(new byte[1]), size - 1);
      }
      return null;
    });
  }

  /** Brings all that is written to the device. */
  public void force() {
    run("sync", on -> {
      on.force(false);
      return null;
    });
  }

  @Override
  public void close() {
    closed = true;
    try {
      channel.close();
    } catch (IOException e) {
      throw FileErrors.of(path, "close", e);
    }
  }

  private <R> R run(String what, Step<R> step) {
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        FileChannel on = channel;
        try {
          return step.run(on);
        } catch (ClosedByInterruptException e) {
          interrupted |= Thread.interrupted();
          reopen(on);
        } catch (java.nio.channels.ClosedChannelException e) {
          if (closed) {
            throw e;
          }
          reopen(on); // another thread was interrupted
        }
      }
    } catch (IOException e) {
      throw FileErrors.of(path, what, e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private synchronized void reopen(FileChannel broken) throws IOException {
    if (channel == broken) {
      channel = FileChannel.open(path, options);
    }
  }
}
