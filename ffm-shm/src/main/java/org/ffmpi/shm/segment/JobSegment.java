// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.segment;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Raw;

/**
 * The one piece of memory that all ranks of a job map, over a file without a name ({@link SegmentFile}). Its fixed part
 * is a {@link JobLayout}, a {@link RankLayout} for each rank, the {@link RingDirectory} and the {@link SurvivalLayout}.
 *
 * <p>The creator is a launcher, or the JVM whose threads are the ranks. Ranks in other processes open the file again
 * through {@link #nameForRanks}.
 *
 * <p>The file is sparse up to its limit. Space is claimed by moving one word ({@link #claim}) and reserved by
 * <em>writing</em> zeros before the mapping is touched, so that a full file system is an exception and never a signal.
 * Claimed space is kept until the job's end, unless its owner releases it before more is claimed behind it.
 *
 * <p>Every method may be called from any thread. A holder of absolute addresses of the mapping must hold a
 * {@linkplain #retain share} of it; the last {@link #release} unmaps.
 *
 * <p>This file is long because it checks all words that are read from the fixed part.
 */
public final class JobSegment implements RankBlocks, AutoCloseable {
  private static final long LINE = 64;

  private static final char KEY_MARK = '#';

  /** Value of the word that ends the job, while the reason is being written. */
  private static final int ENDING = 1;

  /** Value of the same word once the reason is complete. */
  private static final int ENDED = 2;

  /** Longest time to write a reason: some hundred stores, of a thread that may lose its core. */
  private static final long REASON_NANOS = 500_000_000;

  /** Time between two looks whether the launcher has heard. */
  private static final long CALL_NANOS = 1_000_000;

  /** Factor between the sizes of two attempts to map the segment. */
  private static final long SMALLER = 4;

  private final SegmentFile file;
  private final Arena arena;
  private final long base;
  private final long limit;
  private final int ranks;
  private final int local;
  private final Nodes nodes;
  private final AtomicInteger shares = new AtomicInteger(1);

  private final RankEnds ends;

  /** How ranks of this JVM sleep; null where ranks are processes. */
  private final ParkedRanks parked;

  private JobSegment(
      SegmentFile file, Arena arena, MemorySegment mapping, int ranks, Nodes nodes, boolean watched,
      boolean forProcesses) {
    this.file = file;
    this.arena = arena;
    this.base = Raw.address(mapping);
    this.limit = mapping.byteSize();
    this.ranks = ranks;
    this.local = nodes.localRanks(ranks);
    this.nodes = nodes;
    this.ends = new RankEnds(this, watched);
    this.parked = forProcesses ? null : new ParkedRanks(ranks);
  }

  /**
   * Makes a segment for a new job.
   *
   * @param options the job's options
   * @return the segment, mapped, with the creator's share
   * @throws MpiException ERR_NO_MEM when the shared-memory file system is full, ERR_OTHER when it cannot be used
   */
  public static JobSegment create(JobOptions options) {
    return create(options, Nodes.ONE);
  }

  /**
   * Makes a segment for one node of a new job. The ranks of other nodes count as joined.
   *
   * @param options the job's options
   * @param nodes the nodes of the ranks
   * @return the segment, mapped, with the creator's share
   * @throws MpiException as {@link #create(JobOptions)}
   */
  public static JobSegment create(JobOptions options, Nodes nodes) {
    Path directory = options.directory();
    JobSegment segment = null;
    SegmentFile file = null;
    try {
      file = SegmentFile.create(directory, options.forProcesses(), options.isPosix());
      long limit = options.limit(directory.toFile().getUsableSpace());
      int local = nodes.localRanks(options.ranks());
      long fixed = JobLayout.fixedBytes(options.ranks(), local);
      if (fixed > limit) {
        throw new MpiException(
            ErrorClass.ERR_NO_MEM,
            options.ranks() + " ranks need " + fixed + " bytes of shared memory; " + limit + " are available in "
                + directory);
      }
      long least = options.isLimited() ? limit : Math.min(limit, 2 * fixed);
      segment = map(file, options.ranks(), nodes, limit, least, false, options.forProcesses());
      limit = segment.limit;
      file.reserve(0, fixed);
      long b = segment.base;
      JobLayout.setPlainFacts(b, options.ranks(), local, limit, ProcessHandle.current().pid(), randomKey());
      JobLayout.getAndAddTop(b, fixed);
      SurvivalLayout.setPlainSurvives(segment.survivalBlock(), JobOptions.SURVIVE.get(options.settings()) ? 1 : 0);
      JobLayout.getAndAddNumbers(b, nodes.firstNumber());
      for (int rank = 0; rank < options.ranks(); rank++) {
        if (nodes.isLocal(rank)) {
          RankLayout.setPlainIndex(segment.rankBlock(rank), nodes.index(rank));
        } else {
          segment.publishState(rank, RankLayout.JOINED);
        }
      }
      JobLayout.setReleaseMagic(b, JobLayout.MAGIC);
      return segment;
    } catch (IOException e) {
      close(segment, file);
      throw new MpiException(ErrorClass.ERR_OTHER, "cannot set up shared memory in " + directory + ": " + e, e);
    } catch (MpiException e) {
      close(segment, file);
      throw e;
    }
  }

  private static void close(JobSegment segment, SegmentFile file) {
    if (segment != null) {
      segment.release();
    } else if (file != null) {
      file.close();
    }
  }

  /**
   * Opens a job's segment in one of its ranks.
   *
   * @param name the creator's {@link #nameForRanks}
   * @param expectedRanks number of ranks that the launcher has named
   * @return the segment, mapped, with one share
   * @throws MpiException ERR_OTHER when the file is no segment for so many ranks, or cannot be opened
   */
  public static JobSegment open(String name, int expectedRanks) {
    return open(name, expectedRanks, Nodes.ONE, true);
  }

  /**
   * Opens a node's segment in one of its ranks.
   *
   * @param name the creator's {@link #nameForRanks}
   * @param expectedRanks number of ranks of the job
   * @param nodes the nodes of the ranks
   * @param watched whether a launcher publishes the ends of the ranks
   * @return the segment, mapped, with one share
   * @throws MpiException as {@link #open(String, int)}
   */
  public static JobSegment open(String name, int expectedRanks, Nodes nodes, boolean watched) {
    int mark = name.lastIndexOf(KEY_MARK);
    Path path = Path.of(mark < 0 ? name : name.substring(0, mark));
    String key = mark < 0 ? "" : name.substring(mark + 1);
    try {
      SegmentFile file = SegmentFile.open(path);
      long limit = file.length();
      int local = nodes.localRanks(expectedRanks);
      if (limit < JobLayout.fixedBytes(expectedRanks, local)) {
        file.close();
        throw new MpiException(
            ErrorClass.ERR_OTHER,
            path + " is no job segment for " + expectedRanks + " ranks: it has " + limit + " bytes");
      }
      JobSegment segment = map(file, expectedRanks, nodes, limit, limit, watched, true);
      long b = segment.base;
      long magic = JobLayout.getAcquireMagic(b);
      if (magic != JobLayout.MAGIC || JobLayout.getPlainVersion(b) != JobLayout.VERSION
          || JobLayout.getPlainRanks(b) != expectedRanks || JobLayout.getPlainLocal(b) != local
          || JobLayout.getPlainLimit(b) != limit) {
        segment.release();
        throw new MpiException(
            ErrorClass.ERR_OTHER,
            path + " is no job segment of this version of ffmpi for " + expectedRanks + " ranks; are launcher and"
                + " ranks of one version?");
      }
      if (!HexFormat.of().toHexDigits(JobLayout.getPlainKey(b)).equals(key)) {
        segment.release();
        throw new MpiException(
            ErrorClass.ERR_OTHER,
            path + " is the segment of another job than FFMPI_SEGMENT names: that job has ended");
      }
      return segment;
    } catch (IOException e) {
      throw new MpiException(ErrorClass.ERR_OTHER, "cannot open the job's shared memory " + path + ": " + e, e);
    }
  }

  private static long randomKey() {
    return ByteBuffer.wrap(SegmentFile.random()).getLong();
  }

  /**
   * Maps the file. Where the address space of the process is limited, tries a quarter again and again, and takes what
   * would fit twice: this leaves room for the rest of the process, and for ranks whose JVMs are larger.
   *
   * @param least fewest bytes to map
   */
  private static JobSegment map(
      SegmentFile file, int ranks, Nodes nodes, long limit, long least, boolean watched, boolean forProcesses)
      throws IOException {
    Arena arena = Arena.ofShared();
    try {
      for (long bytes = limit;; bytes = Math.max(least, bytes / SMALLER & -JobLayout.PAGE)) {
        try {
          if (bytes < limit && bytes > least) {
            try (Arena trial = Arena.ofShared()) {
              file.map(2 * bytes, trial);
            }
            file.cut();
          }
          return new JobSegment(file, arena, file.map(bytes, arena), ranks, nodes, watched, forProcesses);
        } catch (IOException e) {
          if (bytes <= least) {
            throw new MpiException(
                ErrorClass.ERR_NO_MEM,
                "this process has no room for " + bytes + " bytes of shared memory (" + e.getMessage()
                    + "): set ffmpi.shm.limit to less, or raise the limit of its address space (ulimit -v)", e);
          }
          file.cut();
        }
      }
    } catch (IOException | RuntimeException e) {
      arena.close();
      file.close();
      throw e;
    }
  }

  /**
   * Returns the name by which ranks in other processes open the segment while the creator lives.
   *
   * @return a path below /proc, and the job's key
   */
  public String nameForRanks() {
    return file.pathForRanks().toString() + KEY_MARK + HexFormat.of().toHexDigits(JobLayout.getPlainKey(base));
  }

  @Override
  public int ranks() {
    return ranks;
  }

  /**
   * Returns the nodes of the job's ranks.
   *
   * @return this node's view
   */
  public Nodes nodes() {
    return nodes;
  }

  /**
   * Returns how many ranks share this segment.
   *
   * @return the number of this node's ranks
   */
  public int localRanks() {
    return local;
  }

  /**
   * Returns a rank of this node.
   *
   * @param index from 0 to {@link #localRanks} - 1, in the order of ranks
   * @return its rank in the job
   */
  public int localRank(int index) {
    return nodes.rank(index);
  }

  /**
   * Returns the address of the mapping in this process.
   *
   * @return absolute address
   */
  public long base() {
    return base;
  }

  /**
   * Returns the length of the mapping.
   *
   * @return bytes, the most that can ever be claimed
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
    return JobLayout.rankBlock(base, rank);
  }

  /**
   * Returns how ranks of this JVM sleep and wake each other.
   *
   * @return null where ranks are processes, which use the kernel's wait queues
   */
  public ParkedRanks parked() {
    return parked;
  }

  /**
   * Returns the rank that a block belongs to.
   *
   * @param block the value of {@link #rankBlock}
   * @return a rank
   */
  public int rankOf(long block) {
    return (int) ((block - rankBlock(0)) / RankLayout.BYTES);
  }

  @Override
  public long accountBlock(int rank) {
    return JobLayout.accountBlock(base, ranks, local, nodes.index(rank));
  }

  /**
   * Reads the directory entry for the ring from one rank to another.
   *
   * @param from sender, on this node
   * @param to receiver, on this node
   * @return the ring's offset as the sender wrote it, not checked; 0 while there is none
   */
  public long getAcquireRing(int from, int to) {
    return RingDirectory.getAcquireEntry(directory(), local, nodes.index(from), nodes.index(to));
  }

  /**
   * Publishes a ring in the directory, after its memory is formatted.
   *
   * @param from sender, on this node
   * @param to receiver, on this node
   * @param offset the ring's offset
   */
  public void setReleaseRing(int from, int to, long offset) {
    RingDirectory.setReleaseEntry(directory(), local, nodes.index(from), nodes.index(to), offset);
  }

  private long directory() {
    return JobLayout.directory(base, ranks);
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
   * Checks the place, as read from the segment, of a structure that begins a cache line.
   *
   * @param offset claimed offset of a ring, a pipe or a word
   * @param bytes its size
   * @return its absolute address
   * @throws MpiException ERR_INTERN when it is not a range of the segment that begins a line
   */
  public long line(long offset, long bytes) {
    if ((offset & (LINE - 1)) != 0) {
      throw new MpiException(
          ErrorClass.ERR_INTERN, "shared memory holds an offset that is no multiple of " + LINE + ": " + offset);
    }
    return address(offset, bytes);
  }

  /**
   * Claims zeroed, reserved space.
   *
   * @param bytes how many; rounded up to whole pages
   * @return the absolute address of the first byte, page aligned
   * @throws MpiException ERR_NO_MEM when the segment or its file system is full, ERR_INTERN when the word with
   *     the claimed bytes holds an impossible value
   */
  public long claim(long bytes) {
    long rounded = JobLayout.pages(bytes);
    long offset;
    do {
      offset = checkedTop();
      if (rounded < bytes || rounded > limit - offset) {
        throw MemoryShortage.ofSegment(bytes, limit - offset, limit);
      }
    } while (!JobLayout.casTop(base, offset, offset + rounded));
    try {
      file.reserve(offset, rounded);
    } catch (MpiException e) {
      JobLayout.casTop(base, offset + rounded, offset);
      throw e;
    }
    return base + offset;
  }

  /**
   * Releases the most recent claim. A later claim of the space returns it zeroed.
   *
   * @param address its address
   * @param bytes its length, in whole pages
   * @return false when more has been claimed behind it
   */
  public boolean releaseLast(long address, long bytes) {
    long offset = address - base;
    return JobLayout.casTop(base, offset + bytes, offset);
  }

  /** Returns the claimed bytes, checked: whole pages behind the fixed part, up to the limit. */
  private long checkedTop() {
    long top = JobLayout.getVolatileTop(base);
    if (top < JobLayout.fixedBytes(ranks, local) || top > limit || (top & JobLayout.PAGE - 1) != 0) {
      throw new MpiException(
          ErrorClass.ERR_INTERN, "shared memory of " + limit + " bytes holds an impossible claim: " + top + " bytes");
    }
    return top;
  }

  /**
   * Claims numbers that no rank of the job has claimed.
   *
   * @param count number of numbers
   * @return the first of them
   * @throws MpiException ERR_INTERN when the word that counts them holds an impossible value
   */
  public long claimNumbers(int count) {
    return checkedNumber(JobLayout.getAndAddNumbers(base, count));
  }

  /**
   * Returns the number that the next claim returns.
   *
   * @return the number
   * @throws MpiException ERR_INTERN when the word that counts them holds an impossible value
   */
  public long numbers() {
    return checkedNumber(JobLayout.getVolatileNumbers(base));
  }

  private long checkedNumber(long number) {
    if (number < nodes.firstNumber() || number > nodes.endOfNumbers()) {
      throw new MpiException(
          ErrorClass.ERR_INTERN, "shared memory holds an impossible number of a communicator: " + number);
    }
    return number;
  }

  @Override
  public int state(int rank) {
    return RankLayout.getAcquireState(rankBlock(rank));
  }

  @Override
  public int process(int rank) {
    return (int) RankLayout.getPlainPid(rankBlock(rank));
  }

  /**
   * Makes this process a rank of the job.
   *
   * @param rank the rank
   * @throws MpiException ERR_OTHER when another process is that rank, or this one has been
   */
  public void claimRank(int rank) {
    long own = ProcessHandle.current().pid();
    long block = rankBlock(rank);
    if (!RankLayout.casPid(block, 0, own)) {
      long other = RankLayout.getPlainPid(block);
      throw new MpiException(
          ErrorClass.ERR_OTHER,
          other == own
              ? "this process has been rank " + rank + " of the job before, and cannot be it again"
              : "process " + other + " is rank " + rank + " of this job, and process " + own
                  + " cannot be it too: a process that a rank starts inherits its environment; without the variables"
                  + " FFMPI_RANK and FFMPI_SEGMENT it is a job of its own");
    }
  }

  /**
   * Returns a number that no other process of any job has.
   *
   * @param rank a rank that has joined
   * @return a hash of its job and its rank there
   */
  public long identity(int rank) {
    return identity(job(rank), home(rank));
  }

  private static long identity(long job, int rank) {
    return (job ^ rank) * 0x9E3779B97F4A7C15L + rank;
  }

  /**
   * Returns the random number that this segment alone has.
   *
   * @return the key
   */
  public long key() {
    return JobLayout.getPlainKey(base);
  }

  /**
   * Returns the key of the job that a process comes from.
   *
   * @param rank its number here
   * @return a number that only processes of that job have
   */
  public long job(int rank) {
    long job = RankLayout.getPlainJob(rankBlock(rank));
    return job == 0 ? key() : job;
  }

  /**
   * Returns the rank of a process in its job.
   *
   * @param rank its number here
   * @return its rank in the job
   */
  public int home(int rank) {
    long block = rankBlock(rank);
    return RankLayout.getPlainJob(block) == 0 ? rank : RankLayout.getPlainHome(block);
  }

  /**
   * Makes this the segment of one node of a job, by a key that all its nodes have; before the ranks of it begin.
   *
   * @param job the key
   */
  public void setJob(long job) {
    for (int rank = 0; rank < ranks; rank++) {
      setOrigin(rank, job, rank, 0);
    }
  }

  /**
   * Names a rank for messages.
   *
   * @param rank the rank
   * @param self the rank that gets the message
   * @return its rank in its job, and whether that is a connected one
   */
  public String name(int rank, int self) {
    return "rank " + home(rank) + (job(rank) == job(self) ? "" : " of a connected job");
  }

  /**
   * Returns when the process of a rank began.
   *
   * @param rank a rank that has joined a meeting
   * @return the kernel's ticks; 0 when its end is published otherwise
   */
  public long born(int rank) {
    return RankLayout.getPlainBorn(rankBlock(rank));
  }

  /**
   * Records where a process of a meeting comes from, before it joins.
   *
   * @param rank its number in the meeting
   * @param job the key of its job's segment
   * @param home its rank in the job
   * @param born when the process began, in the kernel's ticks; 0 when its end is published otherwise
   */
  public void setOrigin(int rank, long job, int home, long born) {
    RankLayout.setPlainOrigin(rankBlock(rank), job, home, born);
  }

  /**
   * Publishes a rank's state.
   *
   * @param rank the calling rank
   * @param state one of the states of {@link RankLayout}
   */
  public void publishState(int rank, int state) {
    if (state == RankLayout.DEAD) {
      addFailed(rank);
    }
    RankLayout.setVolatileState(rankBlock(rank), state);
  }

  /**
   * Returns the ends of the ranks' processes.
   *
   * @return the ends, as the launcher has published them
   */
  public RankEnds ends() {
    return ends;
  }

  /** Records that the creator shows how far the programs of the ranks are; before they start. */
  public void setWorkShown() {
    JobLayout.setPlainWork(base, 1);
  }

  /**
   * Returns whether the creator shows how far the programs of the ranks are.
   *
   * @return true after {@link #setWorkShown}
   */
  public boolean isWorkShown() {
    return JobLayout.getPlainWork(base) != 0;
  }

  // ---- survival

  /**
   * Returns whether the job outlives its dead.
   *
   * @return true with the setting ffmpi.survive
   */
  public boolean survives() {
    return SurvivalLayout.getPlainSurvives(survivalBlock()) != 0;
  }

  /**
   * Returns the address of the structures that surviving ranks share.
   *
   * @return absolute address of the {@link SurvivalLayout}
   */
  public long survivalBlock() {
    return base + JobLayout.survivalOffset(ranks, local);
  }

  /** Adds a rank to the list of failed ranks, unless it is in it. */
  void addFailed(int rank) {
    long block = survivalBlock();
    for (int index = 0; index < ranks; index++) {
      if (SurvivalLayout.getAcquireFailed(block, index) == rank + 1
          || SurvivalLayout.casFailed(block, index, rank + 1)) {
        return;
      }
    }
  }

  /**
   * Returns an entry of the list of failed ranks, which is the same for all ranks.
   *
   * @param index from 0 on
   * @return the rank, or -1 when fewer ranks have failed
   */
  public int failed(int index) {
    return index >= ranks ? -1 : SurvivalLayout.getAcquireFailed(survivalBlock(), index) - 1;
  }

  /**
   * Returns the list of the numbers that ranks have revoked.
   *
   * @return a view of the list
   */
  public NumberLog revoked() {
    return new NumberLog(this, SurvivalLayout.revokedAddress(survivalBlock()));
  }

  /**
   * Ends the job; the first caller's reason stays. The caller wakes the sleeping ranks.
   *
   * @param rank the rank that ends it, or -1 for the launcher
   * @param code exit code, not 0
   * @param reason one line
   * @return true when this call ended it, false when it had ended before
   */
  public boolean requestAbort(int rank, int code, String reason) {
    byte[] text = (reason == null ? "" : reason).getBytes(StandardCharsets.UTF_8);
    if (!JobLayout.casEnded(base, 0, ENDING)) {
      return false;
    }
    int n = Math.min(text.length, JobLayout.REASON_CAPACITY);
    JobLayout.setPlainReason(base, code, rank, text, n);
    JobLayout.setVolatileEnded(base, ENDED);
    return true;
  }

  /**
   * Claims the report of a shortage of the job's memory.
   *
   * @return true for the first caller of the job
   */
  public boolean claimShortage() {
    return JobLayout.casShortage(base, 0, 1);
  }

  /**
   * Returns whether a rank has reported a shortage of the job's memory.
   *
   * @return true after {@link #claimShortage}
   */
  public boolean hasShortage() {
    return JobLayout.getAcquireShortage(base) != 0;
  }

  /**
   * Returns whether another rank has printed the stack of a failure; the first stack of a job is remembered.
   *
   * @param stack its hash, not 0
   * @return false for the first caller of the job, and for all other stacks
   */
  public boolean isRepeatedFailure(int stack) {
    return !JobLayout.casFailure(base, 0, stack) && JobLayout.getAcquireFailure(base) == stack;
  }

  /**
   * Returns whether the job has ended early.
   *
   * @return true from the moment of {@link #requestAbort}
   */
  public boolean isEnded() {
    return JobLayout.getAcquireEnded(base) != 0;
  }

  /**
   * Returns the reason why the job ended early.
   *
   * @return the reason, not empty; null while the job runs
   */
  public String abortReason() {
    int ended = JobLayout.getAcquireEnded(base);
    if (ended == 0) {
      return null;
    }
    long deadline = System.nanoTime() + REASON_NANOS;
    while (ended == ENDING) {
      if (System.nanoTime() - deadline > 0) {
        return "a process was killed while it ended the job, before it could say why";
      }
      Thread.yield(); // the writer may need this core
      ended = JobLayout.getAcquireEnded(base);
    }
    if (ended != ENDED) {
      return "the shared memory is corrupt: the word that ends the job holds " + ended;
    }
    String reason = new String(JobLayout.getPlainReason(base), StandardCharsets.UTF_8);
    return reason.isBlank() ? "no reason was given" : reason;
  }

  /**
   * Returns the exit code with which the job was ended.
   *
   * @return the code; 0 while the job runs, never 0 afterwards
   */
  public int abortCode() {
    int code = JobLayout.getAcquireEnded(base) == ENDED ? JobLayout.getPlainCode(base) : 0;
    return code == 0 && isEnded() ? 1 : code;
  }

  /**
   * Returns the rank that ended the job.
   *
   * @return the rank, -1 for the launcher and where the shared memory names no rank of the job
   */
  public int abortRank() {
    int rank = JobLayout.getAcquireEnded(base) == ENDED ? JobLayout.getPlainRank(base) : -1;
    return rank >= 0 && rank < ranks ? rank : -1;
  }

  /**
   * Asks the launcher to connect to a port. Waits while it has not heard another rank.
   *
   * @param port a number, not 0
   * @return true once the launcher can see it
   */
  public boolean callLauncher(long port) {
    while (!JobLayout.casCall(base, 0, port)) {
      if (isEnded()) {
        return true; // the caller's next look finds that out
      }
      LockSupport.parkNanos(CALL_NANOS);
    }
    return true;
  }

  /**
   * Returns a port at which a rank waits for the launcher, once. For the launcher.
   *
   * @return its number; 0 when none waits
   */
  public long heardCall() {
    long port = JobLayout.getAcquireCall(base);
    return port != 0 && JobLayout.casCall(base, port, 0) ? port : 0;
  }

  /**
   * Returns the claimed space.
   *
   * @return bytes, fixed structures included
   */
  public long claimed() {
    return JobLayout.getVolatileTop(base);
  }

  /**
   * Returns whether the creator of the segment has died. For a rank in its own process; never blocks.
   *
   * @return true when the creator's lock is free
   */
  public boolean isCreatorDead() {
    return file.isCreatorDead();
  }

  /** Acquires one more share of the mapping. */
  public void retain() {
    shares.incrementAndGet();
  }

  /**
   * Acquires one more share of the mapping if there still is one: for callers that may come after the last rank has
   * left.
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

  /** Releases a share; the last one unmaps and closes the file. */
  public void release() {
    if (shares.decrementAndGet() == 0) {
      arena.close();
      file.close();
    }
  }

  /** Releases the creator's share. */
  @Override
  public void close() {
    release();
  }
}
