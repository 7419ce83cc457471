// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.segment;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/**
 * The file behind a {@link JobSegment}. It loses its name as soon as it is open, so that no file is left behind however
 * a job ends. The creator makes it with mode 0600 under a random name, deletes the name, and holds a lock on the first
 * byte: a process that gets the lock knows that the creator is dead. A second open reaches the file that was made, and
 * not another one that has its name by then. Any thread.
 */
final class SegmentFile {
  private static final String PREFIX = "ffmpi-";
  private static final int ZEROS = 1 << 16;
  private static final long LOCK_BYTE = 0;
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
  private static final FileAttribute<?> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  /** Not a channel, whose reads and writes an interrupt would end. */
  private final RandomAccessFile file;

  /** The creator's channel, by whose descriptor others open the file; null in other processes. */
  private final FileChannel made;

  private final FileLock creatorLock;
  private final long descriptor;

  private SegmentFile(RandomAccessFile file, FileChannel made, FileLock creatorLock, long descriptor) {
    this.file = file;
    this.made = made;
    this.creatorLock = creatorLock;
    this.descriptor = descriptor;
  }

  /**
   * Makes a file in a directory, with the creator's lock if other processes are to open it.
   *
   * @param posix false where nothing but portable calls are allowed: on some systems a file that is open keeps its name
   */
  static SegmentFile create(Path directory, boolean forProcesses, boolean posix) throws IOException {
    sweep(directory);
    String name = PREFIX + ProcessHandle.current().pid() + "-" + HexFormat.of().formatHex(random());
    Path path = directory.resolve(name);
    FileChannel made;
    try {
      boolean hasModes = path.getFileSystem().supportedFileAttributeViews().contains("posix");
      made = FileChannel.open(
          path, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
          hasModes ? new FileAttribute<?>[] {OWNER_ONLY} : new FileAttribute<?>[0]);
    } catch (IOException | UnsupportedOperationException e) {
      throw new MpiException(
          ErrorClass.ERR_OTHER,
          "cannot create shared memory in " + directory + " (setting ffmpi.shm.directory): " + e, e);
    }
    RandomAccessFile file = null;
    try {
      long descriptor = -1;
      if (posix && Files.isDirectory(DESCRIPTORS)) {
        descriptor = descriptorOf(directory.toRealPath().resolve(name));
        file = new RandomAccessFile(DESCRIPTORS.resolve(Long.toString(descriptor)).toFile(), "rw");
      } else if (forProcesses) {
        throw new MpiException(ErrorClass.ERR_OTHER, "ranks in processes need a mounted /proc on this platform");
      } else {
        file = reopened(path, made);
      }
      if (posix) {
        Files.deleteIfExists(path);
      } else {
        deleteOrLater(path);
      }
      FileLock lock = forProcesses ? file.getChannel().lock(LOCK_BYTE, 1, false) : null;
      return new SegmentFile(file, made, lock, descriptor);
    } catch (IOException | RuntimeException e) {
      made.close();
      if (file != null) {
        file.close();
      }
      throw e;
    } finally {
      try {
        Files.deleteIfExists(path);
      } catch (IOException e) {
        // the sweep of a later job deletes it
      }
    }
  }

  /** Deletes a file, at the latest when the JVM exits. */
  private static void deleteOrLater(Path path) {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      path.toFile().deleteOnExit();
    }
  }

  /** Opens the file that a creator in another process has made. */
  static SegmentFile open(Path path) throws IOException {
    return new SegmentFile(new RandomAccessFile(path.toFile(), "rw"), null, null, -1);
  }

  /** Returns random bytes straight from the kernel: the first SecureRandom of a JVM costs 10 ms. */
  static byte[] random() {
    byte[] bytes = new byte[16];
    try (RandomAccessFile kernel = new RandomAccessFile("/dev/urandom", "r")) {
      kernel.readFully(bytes);
    } catch (IOException e) {
      new SecureRandom().nextBytes(bytes);
    }
    return bytes;
  }

  /** Finds the number of the descriptor that this process has open for the file it has made at {@code path}. */
  private static long descriptorOf(Path path) throws IOException {
    try (Stream<Path> entries = Files.list(DESCRIPTORS)) {
      Optional<Path> own = entries.filter(e -> isLinkTo(e, path)).findFirst();
      return own.map(e -> Long.parseLong(e.getFileName().toString())).orElseThrow(() -> replaced(path));
    }
  }

  /** Opens a file a second time by its name, and checks that no other file has taken that name meanwhile. */
  private static RandomAccessFile reopened(Path path, FileChannel made) throws IOException {
    byte[] token = random();
    made.write(ByteBuffer.wrap(token), 0);
    RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw");
    byte[] read = new byte[token.length];
    if (file.length() != token.length || file.read(read) != token.length || !Arrays.equals(read, token)) {
      file.close();
      throw replaced(path);
    }
    return file;
  }

  private static MpiException replaced(Path path) {
    return new MpiException(
        ErrorClass.ERR_OTHER,
        "the file of the shared memory was removed or replaced as soon as it was made: " + path
            + " (setting ffmpi.shm.directory; another user should not have the right to)");
  }

  private static boolean isLinkTo(Path link, Path target) {
    try {
      return Files.readSymbolicLink(link).equals(target);
    } catch (IOException e) {
      return false; // a descriptor that was closed while the directory was read
    }
  }

  /** Deletes files of creators that died between making and deleting theirs. */
  private static void sweep(Path directory) {
    try (Stream<Path> entries = Files.list(directory)) {
      for (Path p : (Iterable<Path>) entries.filter(e -> e.getFileName().toString().startsWith(PREFIX))::iterator) {
        String[] parts = p.getFileName().toString().split("-");
        if (parts.length == 3 && parts[1].matches("\\d{1,18}")
            && ProcessHandle.of(Long.parseLong(parts[1])).isEmpty()) {
          Files.deleteIfExists(p);
        }
      }
    } catch (IOException | RuntimeException e) {
      // sweeping is optional; faults of the directory show when the file is made
    }
  }

  /** Returns the path by which other processes open the file while the creator lives. */
  Path pathForRanks() {
    return Path.of("/proc/" + ProcessHandle.current().pid() + "/fd/" + descriptor);
  }

  long length() throws IOException {
    return file.length();
  }

  /** Sets the length to 0, after an attempt to map that has extended the file. */
  void cut() throws IOException {
    file.setLength(0);
  }

  /** Maps the file; a pending interrupt, which would close the channel, is cleared and set again. */
  MemorySegment map(long bytes, Arena arena) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      return file.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, bytes, arena);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Reserves space by writing zeros, before the mapping is touched there: on a full file system a write throws, where a
   * touch would raise a signal.
   */
  void reserve(long offset, long bytes) {
    byte[] zeros = new byte[(int) Math.min(ZEROS, bytes)];
    synchronized (file) {
      try {
        file.seek(offset);
        for (long done = 0; done < bytes; done += zeros.length) {
          file.write(zeros, 0, (int) Math.min(zeros.length, bytes - done));
        }
      } catch (IOException e) {
        throw MemoryShortage.ofFile(bytes, e);
      }
    }
  }

  /** Returns whether the creator has died, so that its lock is free. Never blocks. */
  boolean isCreatorDead() {
    try {
      FileLock lock = file.getChannel().tryLock(LOCK_BYTE, 1, false);
      if (lock == null) {
        return false;
      }
      lock.release();
      return true;
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }

  void close() {
    try {
      if (creatorLock != null) {
        creatorLock.release();
      }
      file.close();
      if (made != null) {
        made.close();
      }
    } catch (IOException e) {
      // closing a file without a name loses no data
    }
  }
}
