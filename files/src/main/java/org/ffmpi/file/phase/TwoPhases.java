// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.file.phase;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.communicator.Exchange;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.file.access.AccessSizes;
import org.ffmpi.file.access.ElementStream;
import org.ffmpi.file.access.OpenFile;
import org.ffmpi.file.access.RangeLock;
import org.ffmpi.file.access.RankAccess;
import org.ffmpi.file.view.FilePlaces;
import org.ffmpi.process.Failures;
import org.ffmpi.process.World;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.SharedMemory;

/**
 * Collective accesses of a file in two phases (del Rosario, Bordawekar, Choudhary, "Improved parallel I/O via a
 * two-phase run-time access strategy", 1993). The part of the file that all ranks access is cut into windows, each of
 * which one rank reads or writes as a whole. Where the ranks share memory, windows lie in it, and each rank moves its
 * own bytes between a window and its elements: the exchange is one copy. While a rank writes a window, the others fill
 * its next one.
 *
 * <p>A window with gaps is read before it is filled. It has none if the ranks' bytes in it add up to its size and
 * their views have no byte in common, which is computed once for views, of their plans.
 *
 * <p>One call at a time, in the same order at all ranks.
 */
public final class TwoPhases {
  /** Plans of more words are not compared: windows are read before they are written then. */
  private static final int LONGEST_PLAN = 1 << 15;

  private final Channel channel;
  private final World world;
  private final Engine engine;
  /** Null unless all ranks share memory. */
  private final SharedMemory memory;
  private final OpenFile file;
  private final RankAccess access;
  private final RangeLock lock;
  private final int rank;
  private final int ranks;

  private PhaseBlockLayout blocks;
  private boolean blocksFailed;
  /** The view with which no rank has reason to exchange anything, see {@link #settle}; or null. */
  private FilePlaces alone;
  /** The view of which it is known whether it is apart from the others'. */
  private FilePlaces known;
  private boolean apart;

  /** Creates the collective accesses of a file. */
  public TwoPhases(
      Channel channel, World world, Engine engine, SharedMemory memory, OpenFile file, RankAccess access,
      RangeLock lock) {
    this.channel = channel;
    this.world = world;
    this.engine = engine;
    this.memory = memory;
    this.file = file;
    this.access = access;
    this.lock = lock;
    this.rank = channel.rank();
    this.ranks = channel.size();
  }

  /**
   * Decides whether collective accesses need an exchange at all: not where no view has gaps, unless a hint asks for it.
   * Collective; called for each new view and for new hints.
   *
   * @param view this rank's view
   */
  public void settle(FilePlaces view, PhaseHints hints) {
    boolean mine = view.isContiguous() && hints.buffering() != PhaseHints.Buffering.ALWAYS
        || memory == null || ranks == 1;
    boolean all = true;
    for (long each : Exchange.allgather(channel, world, mine ? 1 : 0)) {
      all &= each != 0;
    }
    alone = all ? view : null;
  }

  // ---- reading

  /**
   * Reads a part of each rank's view.
   *
   * @param atomic whether the file is in atomic mode
   * @return bytes of this rank that were there
   */
  public long read(
      ElementStream into, FilePlaces view, long from, PhaseHints hints, AccessSizes sizes, boolean atomic) {
    AccessShape shape = view == alone ? null : shape(view, from, into.bytes(), hints, false);
    if (shape == null || !shape.exchanges) {
      return alone(atomic, () -> access.read(into, view, from, sizes));
    }
    Work work = new Work(shape, view, from, into.bytes());
    boolean owns = atomic && rank == 0;
    if (owns) {
      lock.lock();
    }
    try {
      if (atomic) {
        work.meet();
      }
      work.readWindow(0);
      work.meet();
      for (long round = 0; round < shape.rounds; round++) {
        work.readWindow(round + 1);
        work.gather(round, into);
        work.meet();
      }
      work.endTogether();
    } finally {
      if (owns) {
        lock.unlock();
      }
    }
    return work.got;
  }

  // ---- writing

  /**
   * Writes a part of each rank's view.
   *
   * @param atomic whether the file is in atomic mode
   */
  public void write(
      ElementStream data, FilePlaces view, long from, PhaseHints hints, AccessSizes sizes, boolean atomic) {
    AccessShape shape = view == alone ? null : shape(view, from, data.bytes(), hints, true);
    if (shape == null || !shape.exchanges) {
      alone(atomic, () -> {
        access.write(data, view, from, sizes, atomic);
        return 0L;
      });
      return;
    }
    if (shape.isUnknown) {
      compare(view);
    }
    Work work = new Work(shape, view, from, data.bytes());
    work.locks = atomic;
    try {
      if (atomic && rank == 0) {
        lock.lock();
        work.owns = true;
      }
      work.publish(0);
      work.meet();
      for (long round = 0; round < shape.rounds; round++) {
        work.fillGaps(round);
        work.scatter(round, data);
        work.publish(round + 1);
        work.meet();
        work.writeWindow(round);
      }
      work.endTogether();
    } finally {
      if (work.owns) {
        lock.unlock();
      }
    }
  }

  /** An access of this rank alone. */
  private interface Own {
    long run();
  }

  private long alone(boolean atomic, Own own) {
    if (!atomic) {
      return own.run();
    }
    lock.lock();
    try {
      return own.run();
    } finally {
      lock.unlock();
    }
  }

  // ---- agreeing

  private AccessShape shape(FilePlaces view, long from, long bytes, PhaseHints hints, boolean writes) {
    PhaseHints used = memory == null || ranks == 1 || blocksFailed
        ? new PhaseHints(PhaseHints.Buffering.NEVER, hints.nodes(), hints.bufferBytes()) : hints;
    long[] own = AccessShape.words(view, from, bytes, file.isReadable(), known == view, used);
    AccessShape shape = AccessShape.of(Exchange.allgather(channel, world, own), ranks, writes);
    if (shape.exchanges && (blocks == null || blocks.window() < shape.window)) {
      makeBlocks(shape.bufferBytes);
      if (blocksFailed) {
        return shape(view, from, bytes, hints, writes);
      }
    }
    return shape;
  }

  private void makeBlocks(long window) {
    MemorySegment mine = null;
    long place = SharedMemory.NOT_SHARED;
    try {
      mine = engine.allocateCollecting(PhaseBlockLayout.bytes(ranks, window), 4096, null);
      place = memory.offset(Raw.address(mine), mine.byteSize());
    } catch (MpiException e) {
      if (e.errorClass() != ErrorClass.ERR_NO_MEM) {
        throw e;
      }
    }
    long[] places = Exchange.allgather(channel, world, place);
    MemorySegment[] all = new MemorySegment[ranks];
    for (int r = 0; r < ranks; r++) {
      if (places[r] == SharedMemory.NOT_SHARED) {
        blocksFailed = true;
        return;
      }
      all[r] = r == rank ? mine : memory.view(places[r], PhaseBlockLayout.bytes(ranks, window));
    }
    Exchange.allgather(channel, world, 0); // no rank gives up its block before all have a view of it
    blocks = new PhaseBlockLayout(all, window);
  }

  /** Computes whether the views of all ranks have no byte in common. */
  private void compare(FilePlaces view) {
    Plan plan = view.plan();
    long words = plan.flattenedBytes() / Long.BYTES;
    long[] facts = Exchange.allgather(channel, world, words, view.disp(), plan.extent());
    known = view;
    apart = false;
    long longest = 0;
    for (int r = 0; r < ranks; r++) {
      longest = Math.max(longest, facts[3 * r]);
      if (facts[3 * r + 2] != plan.extent()) {
        longest = Long.MAX_VALUE;
      }
    }
    if (longest > LONGEST_PLAN || plan.extent() <= 0) {
      return;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(longest * Long.BYTES, Long.BYTES);
      plan.flatten(Raw.address(memory));
      long[] own = new long[(int) longest];
      for (int i = 0; i < words; i++) {
        own[i] = Raw.getLong(Raw.address(memory) + (long) Long.BYTES * i);
      }
      long[] all = Exchange.allgather(channel, world, own);
      Plan[] plans = new Plan[ranks];
      long[] displacements = new long[ranks];
      for (int r = 0; r < ranks; r++) {
        for (int i = 0; i < longest; i++) {
          Raw.putLong(Raw.address(memory) + (long) Long.BYTES * i, all[r * (int) longest + i]);
        }
        plans[r] = Plan.unflatten(Raw.address(memory), facts[3 * r] * Long.BYTES);
        displacements[r] = Math.floorMod(facts[3 * r + 1] - facts[1], plan.extent());
      }
      apart = Plan.areApart(plans, displacements, plan.extent());
    }
  }

  /** One collective access at this rank. */
  private final class Work {
    private final AccessShape shape;
    private final FilePlaces view;
    private final long from;
    private final long end;
    /** The parts of the view in the windows of the next round, and in those of this one: where each begins. */
    private long[] next;
    private long[] cuts;
    private MpiException failure;
    private boolean ended;
    /** Whether any rank has bytes in this rank's window of this round. */
    private boolean isFilled;
    private long got;
    /** Whether rank 0 has the file's lock, and whether this rank is that. */
    private boolean locks;
    private boolean owns;

    Work(AccessShape shape, FilePlaces view, long from, long bytes) {
      this.shape = shape;
      this.view = view;
      this.from = from;
      this.end = from + bytes;
    }

    void meet() {
      Exchange.allgather(channel, world, 0);
    }

    /** Throws at all ranks when one could not access its windows. */
    void endTogether() {
      long[] codes = Exchange.allgather(channel, world, failure == null ? 0 : failure.errorClass().code());
      if (failure != null) {
        throw failure;
      }
      for (int r = 0; r < ranks; r++) {
        if (codes[r] != 0) {
          throw new MpiException(
              ErrorClass.ofCode((int) codes[r]).orElse(ErrorClass.ERR_IO),
              "rank " + r + ", which accesses a part of " + file.path() + " for all ranks, could not");
        }
      }
    }

    private boolean isMine(long round) {
      return rank < shape.aggregators && shape.begin(round, rank) < shape.begin(round, rank + 1);
    }

    private long[] cuts(long round) {
      long[] places = new long[shape.aggregators + 1];
      for (int a = 0; a < places.length; a++) {
        long first = a > 0 ? places[a - 1] : cuts == null ? from : cuts[shape.aggregators];
        places[a] = first == end ? end : view.firstNotBefore(shape.begin(round, a), first, end);
      }
      return places;
    }

    void readWindow(long round) {
      if (round >= shape.rounds || !isMine(round)) {
        return;
      }
      long begin = shape.begin(round, rank);
      long bytes = shape.begin(round, rank + 1) - begin;
      long there = 0;
      if (failure == null) {
        try {
          there = file.read(blocks.buffer(rank, round, bytes), begin);
        } catch (MpiException e) {
          failure = e;
        }
      }
      blocks.putThere(rank, round, there);
    }

    void gather(long round, ElementStream into) {
      cuts = cuts(round);
      for (int a = 0; a < shape.aggregators && !ended && failure == null; a++) {
        if (cuts[a] == cuts[a + 1]) {
          continue;
        }
        long begin = shape.begin(round, a);
        long there = blocks.getThere(a, round);
        long to = there == shape.begin(round, a + 1) - begin
            ? cuts[a + 1] : view.firstNotBefore(begin + there, cuts[a], cuts[a + 1]);
        try {
          access.gather(view, blocks.address(a, round), begin, cuts[a], to, into, from);
        } catch (RuntimeException e) {
          failure = Failures.translate(e); // the others go on
        }
        got = to - from;
        ended = to < cuts[a + 1];
      }
    }

    void publish(long round) {
      if (round >= shape.rounds) {
        return;
      }
      next = cuts(round);
      for (int a = 0; a < shape.aggregators; a++) {
        blocks.putCount(a, round, rank, next[a + 1] - next[a]);
      }
    }

    private boolean hasGaps(int aggregator, long round) {
      long sum = blocks.sum(aggregator, round);
      long bytes = shape.begin(round, aggregator + 1) - shape.begin(round, aggregator);
      return sum > 0 && (!apart || sum < bytes);
    }

    /** Reads windows that will not be filled completely. All ranks come to the same answer whether there are some. */
    void fillGaps(long round) {
      isFilled = rank < shape.aggregators && blocks.sum(rank, round) > 0;
      boolean any = false;
      for (int a = 0; a < shape.aggregators; a++) {
        any |= hasGaps(a, round);
      }
      if (!any) {
        return;
      }
      if (!locks) {
        // Writes of nonblocking calls must not get lost between reading a window and writing it.
        if (rank == 0) {
          lock.lock();
          owns = true;
        }
        locks = true;
        meet();
      }
      if (rank < shape.aggregators && hasGaps(rank, round) && failure == null) {
        long begin = shape.begin(round, rank);
        long bytes = shape.begin(round, rank + 1) - begin;
        try {
          long there = file.read(blocks.buffer(rank, round, bytes), begin);
          Raw.fill(blocks.address(rank, round) + there, bytes - there, (byte) 0);
        } catch (MpiException e) {
          failure = e;
        }
      }
      meet();
    }

    void scatter(long round, ElementStream data) {
      cuts = next;
      for (int a = 0; a < shape.aggregators && failure == null; a++) {
        if (cuts[a] < cuts[a + 1]) {
          try {
            access.scatter(
                data, from, view, cuts[a], cuts[a + 1], blocks.address(a, round), shape.begin(round, a));
          } catch (RuntimeException e) {
            failure = Failures.translate(e); // the others go on
          }
        }
      }
    }

    void writeWindow(long round) {
      if (!isMine(round) || failure != null || !isFilled) {
        return;
      }
      long begin = shape.begin(round, rank);
      boolean shares = !locks;
      try {
        if (shares) {
          lock.share();
        }
        try {
          file.write(blocks.buffer(rank, round, shape.begin(round, rank + 1) - begin), begin);
        } finally {
          if (shares) {
            lock.unshare();
          }
        }
      } catch (MpiException e) {
        failure = e;
      }
    }
  }
}
