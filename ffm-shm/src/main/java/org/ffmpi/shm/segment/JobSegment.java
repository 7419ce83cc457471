// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.segment;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Raw;

/**
 * The one piece of memory that all ranks of a job map: a file in shared memory that has no name from the moment it is
 * made, so that nothing stays behind whoever dies.
 *
 * <p>The creator (a launcher, or the JVM whose threads are the ranks) makes the file with mode 0600 under a random
 * name, opens it, deletes it, and keeps it open. Ranks in other processes open it again through {@link #pathForRanks}.
 * The creator holds a lock on the file's first byte: whoever gets that lock knows that the creator is dead.
 *
 * <p>The file is sparse up to its limit. Space is taken by moving one word ({@link #take}) and reserved by
 * <em>writing</em> zeros before anybody touches the mapping, so that a full file system is an exception and never a
 * signal. Space taken is never given back before the job's end.
 *
 * <p>Every method may be called from any thread. Whoever holds absolute addresses of the mapping must hold a
 * {@linkplain #retain share} of it; the last {@link #release} unmaps.
 */
public final class JobSegment implements AutoCloseable {
  private static final String PREFIX = "ffmpi-";
  private static final int ZEROS = 1 << 16;
  private static final long LINE = 64;
  private static final long LOCK_BYTE = 0;
  private static final long REASON_NANOS = 10_000_000;

  private final RandomAccessFile file;
  private final FileLock creatorLock;
  private final Arena arena;
  private final long base;
  private final long limit;
  private final int ranks;
  private final long descriptor;
  private final AtomicInteger shares = new AtomicInteger(1);

  private JobSegment(
      RandomAccessFile file, FileLock creatorLock, Arena arena, MemorySegment mapping, int ranks, long descriptor) {
    this.file = file;
    this.creatorLock = creatorLock;
    this.arena = arena;
    this.base = Raw.address(mapping);
    this.limit = mapping.byteSize();
    this.ranks = ranks;
    this.descriptor = descriptor;
  }

  /**
   * Makes a segment for a new job.
   *
   * @param options what it is to hold
   * @return the segment, mapped, with the creator's share
   * @throws MpiException ERR_NO_MEM when the shared-memory file system is full, ERR_OTHER when it cannot be used
   */
  public static JobSegment create(JobOptions options) {
    Path directory = options.directory();
    sweep(directory);
    byte[] random = random();
    Path path = directory.resolve(PREFIX + ProcessHandle.current().pid() + "-" + HexFormat.of().formatHex(random));
    try {
      Files.createFile(path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    } catch (IOException | UnsupportedOperationException e) {
      throw new MpiException(
          ErrorClass.ERR_OTHER,
          "cannot create shared memory in " + directory + " (setting ffmpi.shm.directory): " + e, e);
    }
    JobSegment segment = null;
    try {
      RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw");
      boolean procfs = Files.isDirectory(Path.of("/proc/self/fd"));
      long descriptor = procfs ? descriptorOf(path) : -1;
      if (descriptor < 0 && options.forProcesses()) {
        throw new MpiException(ErrorClass.ERR_OTHER, "ranks in processes need a mounted /proc on this platform");
      }
      Files.delete(path);
      long limit = options.limit(Files.getFileStore(directory).getUsableSpace());
      long fixed = fixedBytes(options.ranks());
      if (fixed > limit) {
        throw new MpiException(
            ErrorClass.ERR_NO_MEM,
            options.ranks() + " ranks need " + fixed + " bytes of shared memory; " + limit + " are available in "
                + directory);
      }
      FileLock lock = options.forProcesses() ? file.getChannel().lock(LOCK_BYTE, 1, false) : null;
      segment = map(file, lock, options.ranks(), limit, descriptor);
      segment.reserve(0, fixed);
      long b = segment.base;
      JobLayout.setPlainFacts(b, options.ranks(), limit, ProcessHandle.current().pid());
      JobLayout.getAndAddTop(b, fixed);
      JobLayout.getAndAddContexts(b, JobOptions.FIRST_FREE_NUMBER);
      JobLayout.setReleaseMagic(b, JobLayout.MAGIC);
      return segment;
    } catch (IOException e) {
      throw new MpiException(ErrorClass.ERR_OTHER, "cannot set up shared memory in " + directory + ": " + e, e);
    } catch (MpiException e) {
      if (segment != null) {
        segment.release();
      }
      throw e;
    } finally {
      try {
        Files.deleteIfExists(path);
      } catch (IOException e) {
        // The sweep of a later job finds it.
      }
    }
  }

  /**
   * Opens a job's segment in one of its ranks.
   *
   * @param path what {@link #pathForRanks} returned in the creator
   * @param expectedRanks number of ranks this rank was told
   * @return the segment, mapped, with one share
   */
  public static JobSegment open(Path path, int expectedRanks) {
    try {
      RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw");
      long limit = file.length();
      if (limit < fixedBytes(expectedRanks)) {
        file.close();
        throw new MpiException(
            ErrorClass.ERR_OTHER,
            path + " is no job segment for " + expectedRanks + " ranks: it has " + limit + " bytes");
      }
      JobSegment segment = map(file, null, expectedRanks, limit, -1);
      long b = segment.base;
      long magic = JobLayout.getAcquireMagic(b);
      int ranks = JobLayout.getPlainRanks(b);
      if (magic != JobLayout.MAGIC || JobLayout.getPlainVersion(b) != JobLayout.VERSION || ranks != expectedRanks
          || JobLayout.getPlainLimit(b) != limit) {
        segment.release();
        throw new MpiException(
            ErrorClass.ERR_OTHER,
            path + " is no job segment of this version of ffmpi for " + expectedRanks + " ranks; are launcher and"
                + " ranks of one version?");
      }
      return segment;
    } catch (IOException e) {
      throw new MpiException(ErrorClass.ERR_OTHER, "cannot open the job's shared memory " + path + ": " + e, e);
    }
  }

  /** Bytes nobody can guess; straight from the kernel, since the first SecureRandom of a JVM costs 10 ms. */
  private static byte[] random() {
    byte[] bytes = new byte[16];
    try (RandomAccessFile kernel = new RandomAccessFile("/dev/urandom", "r")) {
      kernel.readFully(bytes);
    } catch (IOException e) {
      new SecureRandom().nextBytes(bytes);
    }
    return bytes;
  }

  /** Maps with any pending interrupt put aside: an interrupt would close the channel for good. */
  private static JobSegment map(RandomAccessFile file, FileLock lock, int ranks, long limit, long descriptor)
      throws IOException {
    boolean interrupted = Thread.interrupted();
    Arena arena = Arena.ofShared();
    try {
      MemorySegment mapping = file.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, limit, arena);
      return new JobSegment(file, lock, arena, mapping, ranks, descriptor);
    } catch (IOException | RuntimeException e) {
      arena.close();
      file.close();
      throw e;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static long fixedBytes(int ranks) {
    return pages(JobLayout.BYTES + ranks * RankLayout.BYTES + 8L * ranks * ranks);
  }

  private static long pages(long bytes) {
    return (bytes + JobLayout.PAGE - 1) & -JobLayout.PAGE;
  }

  /** Finds the number of the descriptor that this process has open for {@code path}. */
  private static long descriptorOf(Path path) throws IOException {
    try (Stream<Path> entries = Files.list(Path.of("/proc/self/fd"))) {
      Optional<Path> own = entries.filter(e -> isLinkTo(e, path)).findFirst();
      return own.map(e -> Long.parseLong(e.getFileName().toString())).orElse(-1L);
    }
  }

  private static boolean isLinkTo(Path link, Path target) {
    try {
      return Files.readSymbolicLink(link).equals(target.toRealPath());
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
      // Sweeping is a courtesy; the directory's real faults show when the segment is made.
    }
  }

  /**
   * Returns the path by which ranks in other processes open the segment while the creator lives.
   *
   * @return a path below /proc
   */
  public Path pathForRanks() {
    return Path.of("/proc/" + ProcessHandle.current().pid() + "/fd/" + descriptor);
  }

  /**
   * Returns the number of ranks the segment was made for.
   *
   * @return number of ranks
   */
  public int ranks() {
    return ranks;
  }

  /**
   * Returns where the mapping begins in this process.
   *
   * @return absolute address
   */
  public long base() {
    return base;
  }

  /**
   * Returns where the mapping ends.
   *
   * @return bytes that can ever be taken
   */
  public long limit() {
    return limit;
  }

  /**
   * Returns the address of a rank's block.
   *
   * @param rank a rank of the job
   * @return absolute address of its {@link RankLayout}
   */
  public long rankBlock(int rank) {
    return base + JobLayout.BYTES + rank * RankLayout.BYTES;
  }

  /**
   * Returns the address of the directory entry for the ring from one rank to another.
   *
   * @param from sender
   * @param to receiver
   * @return absolute address of a long that holds the ring's offset, 0 while there is none
   */
  public long ringEntry(int from, int to) {
    return base + JobLayout.BYTES + ranks * RankLayout.BYTES + 8L * ((long) to * ranks + from);
  }

  /**
   * Checks a range that was read from the segment.
   *
   * @param offset claimed offset of a structure
   * @param bytes its size
   * @return the absolute address of the range
   * @throws MpiException ERR_INTERN when it does not lie within the segment
   */
  public long address(long offset, long bytes) {
    if (offset < JobLayout.BYTES || bytes < 0 || offset > limit - bytes) {
      throw new MpiException(
          ErrorClass.ERR_INTERN,
          "shared memory holds a range that does not lie in it: offset " + offset + ", " + bytes
              + " bytes of " + limit);
    }
    return base + offset;
  }

  /**
   * Checks where something that begins a cache line is said to lie.
   *
   * @param offset claimed offset of a ring, a pipe or a word
   * @param bytes its size
   * @return its absolute address
   * @throws MpiException ERR_INTERN when it does not lie in the segment or not on a line
   */
  public long line(long offset, long bytes) {
    if ((offset & (LINE - 1)) != 0) {
      throw new MpiException(
          ErrorClass.ERR_INTERN, "shared memory holds an offset that is no multiple of " + LINE + ": " + offset);
    }
    return address(offset, bytes);
  }

  /**
   * Takes zeroed, reserved space.
   *
   * @param bytes how many; rounded up to whole pages
   * @return the absolute address of the first byte, page aligned
   * @throws MpiException ERR_NO_MEM when the segment or its file system is full
   */
  public long take(long bytes) {
    long rounded = pages(bytes);
    long offset;
    do {
      offset = JobLayout.getVolatileTop(base);
      if (rounded < bytes || rounded > limit - offset) {
        throw new MpiException(
            ErrorClass.ERR_NO_MEM,
            "the job's shared memory is used up: " + bytes + " bytes wanted, " + (limit - offset) + " of " + limit
                + " left (setting ffmpi.shm.limit)");
      }
    } while (!JobLayout.casTop(base, offset, offset + rounded));
    try {
      reserve(offset, rounded);
    } catch (MpiException e) {
      JobLayout.casTop(base, offset + rounded, offset);
      throw e;
    }
    return base + offset;
  }

  private void reserve(long offset, long bytes) {
    byte[] zeros = new byte[(int) Math.min(ZEROS, bytes)];
    synchronized (file) {
      try {
        file.seek(offset);
        for (long done = 0; done < bytes; done += zeros.length) {
          file.write(zeros, 0, (int) Math.min(zeros.length, bytes - done));
        }
      } catch (IOException e) {
        throw new MpiException(
            ErrorClass.ERR_NO_MEM,
            "the shared-memory file system is full: " + bytes + " bytes wanted (" + e.getMessage() + ")",
            e);
      }
    }
  }

  /**
   * Takes numbers that nobody in the job has had.
   *
   * @param count how many
   * @return the first of them
   */
  public long takeNumbers(int count) {
    return JobLayout.getAndAddContexts(base, count);
  }

  /**
   * Returns a rank's state.
   *
   * @param rank a rank of the job
   * @return one of the states of {@link RankLayout}
   */
  public int state(int rank) {
    return RankLayout.getAcquireState(rankBlock(rank));
  }

  /**
   * Returns the process of a rank that has joined.
   *
   * @param rank the rank
   * @return the kernel's number for it
   */
  public int process(int rank) {
    return (int) RankLayout.getPlainPid(rankBlock(rank));
  }

  /**
   * Publishes a rank's state.
   *
   * @param rank the calling rank
   * @param state one of the states of {@link RankLayout}
   */
  public void publishState(int rank, int state) {
    if (state == RankLayout.JOINED) {
      RankLayout.setPlainPid(rankBlock(rank), ProcessHandle.current().pid());
    }
    RankLayout.setVolatileState(rankBlock(rank), state);
  }

  /**
   * Records that a rank's process has ended without finalizing. The caller wakes the sleeping ranks.
   *
   * @param rank the dead rank
   * @param exitCode its exit code
   */
  public void markDead(int rank, int exitCode) {
    long block = rankBlock(rank);
    RankLayout.setPlainExit(block, exitCode);
    RankLayout.setVolatileState(block, RankLayout.DEAD);
  }

  /**
   * Ends the job: the first caller's reason stays. The caller wakes the sleeping ranks.
   *
   * @param rank the rank that ends it, or -1 for the launcher
   * @param code exit code, not 0
   * @param reason one line
   * @return true when this call ended it, false when it had ended before
   */
  public boolean requestAbort(int rank, int code, String reason) {
    if (!JobLayout.casEnded(base, 0, 1)) {
      return false;
    }
    byte[] text = reason.getBytes(StandardCharsets.UTF_8);
    int n = Math.min(text.length, JobLayout.REASON_CAPACITY);
    for (int i = 0; i < n; i++) {
      Raw.putByte(base + JobLayout.REASON_OFFSET + i, text[i]);
    }
    Raw.putInt(base + JobLayout.CODE_OFFSET, code);
    Raw.putInt(base + JobLayout.RANK_OFFSET, rank);
    Raw.putInt(base + JobLayout.REASON_BYTES_OFFSET, n);
    JobLayout.setVolatileEnded(base, 2);
    return true;
  }

  /**
   * Tells whether somebody ended the job early.
   *
   * @return true from the moment of {@link #requestAbort}
   */
  public boolean isEnded() {
    return JobLayout.getAcquireEnded(base) != 0;
  }

  /**
   * Returns why the job ended early.
   *
   * @return the reason, or null while nobody ended it
   */
  public String abortReason() {
    if (!isEnded()) {
      return null;
    }
    long deadline = System.nanoTime() + REASON_NANOS;
    while (JobLayout.getAcquireEnded(base) == 1) {
      if (System.nanoTime() - deadline > 0) {
        return ""; // killed while it wrote its reason, which takes some hundred stores
      }
      Thread.onSpinWait();
    }
    int n = Math.clamp(Raw.getInt(base + JobLayout.REASON_BYTES_OFFSET), 0, JobLayout.REASON_CAPACITY);
    byte[] text = new byte[n];
    for (int i = 0; i < n; i++) {
      text[i] = Raw.getByte(base + JobLayout.REASON_OFFSET + i);
    }
    return new String(text, StandardCharsets.UTF_8);
  }

  /**
   * Returns the exit code of the one who ended the job.
   *
   * @return the code; 0 while nobody ended it
   */
  public int abortCode() {
    return JobLayout.getAcquireEnded(base) == 2 ? Raw.getInt(base + JobLayout.CODE_OFFSET) : 0;
  }

  /**
   * Returns the rank that ended the job.
   *
   * @return the rank, -1 for the launcher
   */
  public int abortRank() {
    return Raw.getInt(base + JobLayout.RANK_OFFSET);
  }

  /**
   * Returns how much space has been taken.
   *
   * @return bytes, fixed structures included
   */
  public long taken() {
    return JobLayout.getVolatileTop(base);
  }

  /**
   * Tells whether the creator of the segment has died. For a rank in its own process; never blocks.
   *
   * @return true when the creator's lock is free
   */
  public boolean isCreatorDead() {
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

  /** Takes one more share of the mapping. */
  public void retain() {
    shares.incrementAndGet();
  }

  /**
   * Takes one more share of the mapping if there still is one: for whoever may come after the last rank has left.
   *
   * @return false when there is no share left
   */
  public boolean tryRetain() {
    for (int n = shares.get(); n > 0; n = shares.get()) {
      if (shares.compareAndSet(n, n + 1)) {
        return true;
      }
    }
    return false;
  }

  /** Gives a share back; the last one unmaps and closes the file. */
  public void release() {
    if (shares.decrementAndGet() == 0) {
      try {
        arena.close();
        if (creatorLock != null) {
          creatorLock.release();
        }
        file.close();
      } catch (IOException e) {
        // Closing a file without a name loses nothing.
      }
    }
  }

  /** Gives the creator's share back. */
  @Override
  public void close() {
    release();
  }

  /** Names whose presence in the shared-memory directory this class answers for; for tests. */
  static Set<String> prefixes() {
    return Set.of(PREFIX);
  }
}
