// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.execute;

import org.ffmpi.base.raw.Memory;
import org.ffmpi.collectives.region.BlockTableLayout;
import org.ffmpi.collectives.region.Region;
import org.ffmpi.collectives.region.SharedValues;
import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.Slice;
import org.ffmpi.collectives.schedule.Step;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.SharedMemory;

/**
 * The blocks that the ranks of one collective publish for each other, each rank in its slot of a region.
 *
 * <p>Only the rank that has the blocks knows their lengths and their memory, so that nothing can be chosen beforehand.
 * Short blocks are in the slot itself. Longer ones are <em>lent</em>: readers copy them out of the shared heap or,
 * through the kernel, out of the private memory of the rank that publishes them, or from a copy in shared scratch
 * memory, and acknowledge that. A block that cannot be lent, or does not fit the table, is sent.
 *
 * <p>Belongs to one {@link Execution}.
 */
public final class RegionBlockTable {
  /** The place of a block. */
  enum Where {
    /** In the slot. */
    HERE,
    /** In shared memory, at an offset. */
    SHARED,
    /** In the private memory of its rank, at an address. */
    PRIVATE,
    /** It comes as a message. */
    MESSAGE
  }

  private static final Where[] WHERE = Where.values();

  private static final long NOT_LISTED = BlockTableLayout.entry(Where.MESSAGE.ordinal(), 0, 0, 0);

  /** Longest block that is lent: nothing else moves while a reader copies it. */
  private static final long MOST_LENT = 4 << 20;

  /** Longest block of private memory that is lent: pipes let both ranks' cores copy longer ones. */
  private static final long MOST_PRIVATE = 128 << 10;

  /** Fewest ranks that lend private memory: among fewer, messages cost less. */
  private static final int PRIVATE_FROM = 5;

  /** Fewest ranks that copy blocks with gaps to scratch memory: between two, a message moves them as well. */
  private static final int STAGED_FROM = 3;

  /** Bytes of all blocks together that are copied to scratch memory at most. */
  private static final long MOST_STAGED = 8 << 20;

  /** Largest scratch slab that stays with the execution. */
  private static final long KEPT_STAGE = 64 << 10;

  private static final int TAKEN = 1;
  private static final int NOT_READABLE = 2;

  private final BoundBuffers slots;
  private final LocalSteps local;
  private final ScratchPool pool;
  private final Place shown = new Place();

  /** For each listed block its length, and its place: a {@link Where}, or {@link #STAGED}. */
  private long[] lengths = {};
  private int[] places = {};

  /** For each listed block the address of private memory that is lent, or 0. */
  private long[] lentAt = {};

  private int lentBlocks;

  private static final int STAGED = WHERE.length;

  private ScratchPool.Slab stage;
  private boolean sends;
  private boolean lends;
  /** The rank that has lent what this one has read: NOBODY, one rank, or {@link Step.Publish#ALL} for several. */
  private int lender = Step.NOBODY;

  private boolean readFailed;

  RegionBlockTable(BoundBuffers slots, LocalSteps local, ScratchPool pool) {
    this.slots = slots;
    this.local = local;
    this.pool = pool;
  }

  /** Begins another call. */
  void begin() {
    sends = false;
    lends = false;
    lender = Step.NOBODY;
    readFailed = false;
    lentBlocks = 0;
  }

  /** Drops the call's memory and releases large scratch memory, which is no longer read. */
  void end() {
    if (shown.owner != null) {
      shown.release();
    }
    if (stage != null && stage.bytes > KEPT_STAGE) {
      release();
    }
  }

  /** Releases all scratch memory. */
  void release() {
    if (stage != null) {
      pool.release(stage);
      stage = null;
    }
  }

  /** Returns scratch memory that may still be read, without releasing it; it is freed when unreachable. */
  Object abandon() {
    Object left = stage;
    stage = null;
    return left;
  }

  // ---- publishing

  /** Writes the table; returns the number of bytes copied. */
  long publish(Region region, long number, Step.PublishBlocks step, Engine engine, int ranks) {
    long table = region.payload(region.rank(), number);
    long capacity = region.capacity();
    int listed = (int) Math.min(step.blocks().length, BlockTableLayout.mostEntries(capacity));
    BlockTableLayout.setPlainEntries(table, listed);
    plan(region, step, listed, capacity, ranks);
    sends = listed < step.blocks().length;
    lends = false;
    long staged = 0;
    for (int i = 0; i < listed; i++) {
      staged += places[i] == STAGED ? BlockTableLayout.aligned(lengths[i]) : 0;
    }
    long stageAt = staged == 0 ? SharedMemory.NOT_SHARED : acquireStage(region.memory(), engine, staged);
    long position = BlockTableLayout.blocksFrom(listed);
    long copied = 0;
    lentBlocks = listed;
    for (int i = 0; i < listed; i++) {
      long bytes = lengths[i];
      lentAt[i] = 0;
      Slice what = step.blocks()[i];
      Place place = slots.of(what);
      Where where = Where.HERE;
      if (places[i] == STAGED) {
        where = stageAt < 0 ? Where.MESSAGE : Where.SHARED;
        if (stageAt >= 0) {
          shown.bind(stage.memory, region.memory().address(stageAt, bytes), null);
          local.copy(place, slots.from(what), shown, 0, bytes);
          BlockTableLayout.setPlainLocation(table + position, stageAt);
          stageAt += BlockTableLayout.aligned(bytes);
          copied += bytes;
        }
      } else {
        where = WHERE[places[i]];
      }
      BlockTableLayout.setPlainEntry(
          table, i, BlockTableLayout.entry(where.ordinal(), position, step.readers()[i], bytes));
      switch (where) {
        case HERE -> {
          if (bytes > 0) {
            shown.bind(region.segment(), table + position, null);
            local.copy(place, slots.from(what), shown, 0, bytes);
            position += BlockTableLayout.aligned(bytes);
            copied += bytes;
          }
        }
        case SHARED -> {
          if (places[i] != STAGED) {
            BlockTableLayout.setPlainLocation(table + position, region.memory().offset(address(place, what), bytes));
          }
          position += BlockTableLayout.LOCATION_BYTES;
        }
        case PRIVATE -> {
          lentAt[i] = address(place, what);
          BlockTableLayout.setPlainLocation(table + position, lentAt[i]);
          position += BlockTableLayout.LOCATION_BYTES;
        }
        case MESSAGE -> { }
      }
      sends |= where == Where.MESSAGE;
      lends |= where == Where.SHARED || where == Where.PRIVATE;
    }
    return copied;
  }

  /** Chooses the places of blocks: the slot for all if they fit, otherwise for those not longer than their share. */
  private void plan(Region region, Step.PublishBlocks step, int listed, long capacity, int ranks) {
    if (lengths.length < listed) {
      lengths = new long[listed];
      lentAt = new long[listed];
      places = new int[listed];
    }
    long room = capacity - BlockTableLayout.blocksFrom(listed);
    long all = 0;
    for (int i = 0; i < listed; i++) {
      lengths[i] = slots.units(step.blocks()[i]);
      all += Math.min(BlockTableLayout.aligned(lengths[i]), capacity);
    }
    long most = all <= room ? capacity : room / listed & -BlockTableLayout.LOCATION_BYTES;
    long staged = 0;
    for (int i = 0; i < listed; i++) {
      long bytes = lengths[i];
      if (bytes <= most) {
        places[i] = Where.HERE.ordinal();
      } else {
        places[i] = placeOf(region, slots.of(step.blocks()[i]), step.blocks()[i], bytes, ranks);
        if (places[i] == STAGED) {
          staged += BlockTableLayout.aligned(bytes);
          if (staged > MOST_STAGED) {
            staged -= BlockTableLayout.aligned(bytes);
            places[i] = Where.MESSAGE.ordinal();
          }
        }
      }
    }
  }

  /** Returns the place of a block that is not in the slot: its buffer, if others can read it there profitably. */
  private int placeOf(Region region, Place place, Slice what, long bytes, int ranks) {
    SharedMemory memory = region.memory();
    boolean isPrivate = place.kind != Memory.NATIVE || memory.offset(place.at(slots.from(what)), 1) < 0;
    if (!place.plan.isContiguous()) {
      // Of shared memory the receiver of a message reads the strided block itself; others have to be packed anyway.
      return isPrivate && ranks >= STAGED_FROM && bytes <= MOST_LENT ? STAGED : Where.MESSAGE.ordinal();
    }
    if (isPrivate && (ranks < PRIVATE_FROM || bytes > MOST_PRIVATE) || bytes > MOST_LENT) {
      return Where.MESSAGE.ordinal();
    }
    if (place.kind != Memory.NATIVE) {
      return STAGED;
    }
    if (!isPrivate) {
      return memory.offset(address(place, what), bytes) < 0 ? Where.MESSAGE.ordinal() : Where.SHARED.ordinal();
    }
    return region.lendsPrivateMemory() && memory.isReadable(bytes) ? Where.PRIVATE.ordinal() : STAGED;
  }

  private long address(Place place, Slice what) {
    return place.at(slots.from(what)) + place.plan.trueLowerBound();
  }

  /** Acquires shared scratch memory; returns its offset, or a negative number if the memory is not shared. */
  private long acquireStage(SharedMemory memory, Engine engine, long bytes) {
    if (stage == null || stage.bytes < bytes) {
      release();
      stage = pool.acquire(engine, bytes);
    }
    return memory.offset(stage.address, bytes);
  }

  /** Returns whether a block that this rank has published has to be sent. */
  boolean sends() {
    return sends;
  }

  /** Returns whether nothing is left to do once all blocks have been consumed. */
  boolean isOver() {
    return !lends && !readFailed;
  }

  // ---- reading tables

  /** Returns the entry of a block that a rank publishes. */
  static long find(Region region, long number, int rank, int entry) {
    return entry < entries(region, number, rank)
        ? BlockTableLayout.getPlainEntry(region.payload(rank, number), entry)
        : NOT_LISTED;
  }

  /** Returns the entry of the n-th block that a rank publishes for a reader. */
  static long find(Region region, long number, int rank, int ordinal, int reader) {
    long table = region.payload(rank, number);
    int entries = entries(region, number, rank);
    int left = ordinal;
    for (int i = 0; i < entries; i++) {
      long entry = BlockTableLayout.getPlainEntry(table, i);
      if (BlockTableLayout.reader(entry) == reader && left-- == 0) {
        return entry;
      }
    }
    return NOT_LISTED;
  }

  /** Reads the number of blocks that a rank lists, and checks it: a broken rank may have written anything. */
  private static int entries(Region region, long number, int rank) {
    long entries = BlockTableLayout.getPlainEntries(region.payload(rank, number));
    long most = BlockTableLayout.mostEntries(region.capacity());
    if (entries < 0 || entries > most) {
      throw SharedValues.corrupt(rank, "lists " + entries + " blocks where at most " + most + " fit");
    }
    return (int) entries;
  }

  static Where where(long entry) {
    return WHERE[BlockTableLayout.where(entry)];
  }

  /** Returns whether readers acknowledge a block. */
  static boolean isLent(long entry) {
    Where where = where(entry);
    return where == Where.SHARED || where == Where.PRIVATE;
  }

  // ---- consuming

  /** Copies a block that is not a message; records it if the kernel does not let this rank read it. */
  void consume(Region region, long number, Step.Consume step, long entry, CallShape shape) {
    long bytes = BlockTableLayout.bytes(entry);
    Slice into = step.into();
    long due = slots.units(into);
    if (bytes != due) {
      throw shape.lengthError(step.rank(), bytes, due);
    }
    Place place = slots.of(into);
    long at = region.payload(step.rank(), number) + checkedPosition(region, entry, step.rank());
    switch (where(entry)) {
      case HERE -> {
        shown.bind(region.segment(), at, null);
        local.copy(shown, 0, place, slots.from(into), bytes);
      }
      case SHARED -> {
        borrow(step.rank());
        long offset = BlockTableLayout.getPlainLocation(at);
        shown.bind(region.segment(), SharedValues.address(region.memory(), step.rank(), offset, bytes), null);
        local.copy(shown, 0, place, slots.from(into), bytes);
      }
      case PRIVATE -> {
        borrow(step.rank());
        long source = BlockTableLayout.getPlainLocation(at);
        if (step.rank() == region.rank()) {
          checkLent(source, bytes, step.rank()); // read directly, without the kernel's checks
        }
        readFailed |= !local.read(region.memory(), region.peer(step.rank()), source, place, slots.from(into), bytes);
      }
      case MESSAGE -> throw new AssertionError("received by the execution");
    }
  }

  /** Returns the first byte in the slot of a block or of its place elsewhere; checks that all of it lies there. */
  static long checkedPosition(Region region, long entry, int rank) {
    long position = BlockTableLayout.position(entry);
    long end = position
        + (where(entry) == Where.HERE ? BlockTableLayout.bytes(entry) : BlockTableLayout.LOCATION_BYTES);
    if (position < BlockTableLayout.blocksFrom(1) || end > region.capacity()) {
      throw SharedValues.corrupt(rank, "shows a block from byte " + position + " to byte " + end
          + " of a slot of " + region.capacity() + " bytes");
    }
    return position;
  }

  /** Returns whether this rank has lenders to acknowledge blocks to. */
  boolean hasBorrowed() {
    return lender != Step.NOBODY;
  }

  /** Checks that this rank has itself lent private memory: others could have changed the table. */
  private void checkLent(long source, long bytes, int rank) {
    for (int i = 0; i < lentBlocks; i++) {
      if (lentAt[i] == source && lengths[i] == bytes) {
        return;
      }
    }
    throw SharedValues.corrupt(rank, "shows " + bytes + " bytes at address " + source + ", which it does not lend");
  }

  private void borrow(int rank) {
    lender = lender == Step.NOBODY || lender == rank ? rank : Step.ALL;
  }

  /** Acknowledges blocks to the ranks that lent them, or asks for messages instead. */
  void acknowledge(Region region, long number) {
    region.reach(number, readFailed ? NOT_READABLE : TAKEN, lender);
  }

  /** Returns whether a block that could not be read is received. */
  boolean isReceivedAfterwards(long entry) {
    return readFailed && where(entry) == Where.PRIVATE;
  }

  /** Returns whether a rank has acknowledged what this one has lent. */
  static boolean isAcknowledged(Region region, long number, int rank) {
    return region.hasReached(rank, number, TAKEN);
  }

  /** Returns whether a block that could not be read has to be sent. */
  static boolean isSentAfterwards(Region region, long number, int rank, long entry) {
    boolean failed = where(entry) == Where.PRIVATE && region.hasReached(rank, number, NOT_READABLE);
    if (failed) {
      region.countUnread();
    }
    return failed;
  }
}
