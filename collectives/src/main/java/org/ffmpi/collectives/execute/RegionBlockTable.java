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
 * The blocks that the ranks of one collective show each other, each rank in its slot of a region:
 *
 * <p>Nobody else knows how long the blocks are that a rank has, and of which memory, so that nothing can be chosen
 * beforehand. Short blocks are in the slot itself. Longer ones are <em>lent</em>: readers copy them from where they
 * lie, in the shared heap or, through the kernel, in the private memory of the rank that shows them, or from a copy in
 * shared scratch memory, and say so afterwards. What cannot be lent, or does not fit the table, is sent.
 *
 * <p>Belongs to one {@link Execution}.
 */
public final class RegionBlockTable {
  /** Where a block is. */
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

  /** Longer blocks are sent: to copy one is not to take long, because nothing else moves meanwhile. */
  private static final long MOST_LENT = 4 << 20;

  /** Longer blocks of private memory are sent: pipes let both ranks' cores copy. */
  private static final long MOST_PRIVATE = 128 << 10;

  /** On fewer ranks, all blocks of private memory are sent: the hand-overs of a few messages cost less. */
  private static final int PRIVATE_FROM = 5;

  /** What all blocks together may take that are copied to scratch memory. */
  private static final long MOST_STAGED = 8 << 20;

  /** A scratch slab of this length stays with the execution. */
  private static final long KEPT_STAGE = 64 << 10;

  private static final int TAKEN = 1;
  private static final int NOT_READABLE = 2;

  private final BoundBuffers slots;
  private final LocalSteps local;
  private final ScratchPool pool;
  private final Place shown = new Place();

  /** Of each listed block, its length, and where it is to go: a {@link Where}, or {@link #STAGED}. */
  private long[] lengths = {};
  private int[] places = {};

  /** Of each listed block the address of private memory that is lent, or 0. */
  private long[] lentAt = {};

  private int lentBlocks;

  private static final int STAGED = WHERE.length;

  private ScratchPool.Slab stage;
  private boolean sends;
  private boolean lends;
  /** Who has lent what this rank has taken: nobody, one rank, or {@link Step.Publish#ALL} for several. */
  private int lender = Step.NOBODY;

  private boolean couldNotRead;

  RegionBlockTable(BoundBuffers slots, LocalSteps local, ScratchPool pool) {
    this.slots = slots;
    this.local = local;
    this.pool = pool;
  }

  /** Begins with another call. */
  void begin() {
    sends = false;
    lends = false;
    lender = Step.NOBODY;
    couldNotRead = false;
    lentBlocks = 0;
  }

  /** Forgets the call's memory and gives scratch memory back that nobody reads any more. */
  void end() {
    if (shown.owner != null) {
      shown.release();
    }
    if (stage != null && stage.bytes > KEPT_STAGE) {
      release();
    }
  }

  /** Gives all scratch memory back. */
  void release() {
    if (stage != null) {
      pool.release(stage);
      stage = null;
    }
  }

  /** Leaves scratch memory to those who may still read it, and returns it: it is freed when nobody refers to it. */
  Object abandon() {
    Object left = stage;
    stage = null;
    return left;
  }

  // ---- showing

  /** Writes the table; returns how many bytes have been copied. */
  long show(Region region, long number, Step.PublishBlocks step, Engine engine, int ranks) {
    long table = region.payload(region.rank(), number);
    long capacity = region.capacity();
    int listed = (int) Math.min(step.blocks().length, BlockTableLayout.mostEntries(capacity));
    BlockTableLayout.setPlainEntries(table, listed);
    plan(region, step, listed, capacity, ranks);
    sends = listed < step.blocks().length;
    lends = false;
    long staged = 0;
    for (int i = 0; i < listed; i++) {
      staged += places[i] == STAGED ? aligned(lengths[i]) : 0;
    }
    long stageAt = staged == 0 ? SharedMemory.NOT_SHARED : stage(region.memory(), engine, staged);
    long position = BlockTableLayout.FIRST_ENTRY_OFFSET + listed * BlockTableLayout.ENTRY_BYTES;
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
          stageAt += aligned(bytes);
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
            shown.bind(region.keeper(), table + position, null);
            local.copy(place, slots.from(what), shown, 0, bytes);
            position += aligned(bytes);
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

  /** Decides where blocks go: all to the slot if they fit, otherwise those that are not longer than their share. */
  private void plan(Region region, Step.PublishBlocks step, int listed, long capacity, int ranks) {
    if (lengths.length < listed) {
      lengths = new long[listed];
      lentAt = new long[listed];
      places = new int[listed];
    }
    long room = capacity - BlockTableLayout.FIRST_ENTRY_OFFSET - listed * BlockTableLayout.ENTRY_BYTES;
    long all = 0;
    for (int i = 0; i < listed; i++) {
      lengths[i] = slots.units(step.blocks()[i]);
      all += Math.min(aligned(lengths[i]), capacity);
    }
    long most = all <= room ? capacity : room / listed & -BlockTableLayout.LOCATION_BYTES;
    long staged = 0;
    for (int i = 0; i < listed; i++) {
      long bytes = lengths[i];
      if (bytes <= most) {
        places[i] = Where.HERE.ordinal();
      } else {
        places[i] = lent(region, slots.of(step.blocks()[i]), step.blocks()[i], bytes, ranks);
        if (places[i] == STAGED) {
          staged += aligned(bytes);
          if (staged > MOST_STAGED) {
            staged -= aligned(bytes);
            places[i] = Where.MESSAGE.ordinal();
          }
        }
      }
    }
  }

  /** Returns how a block is lent: where it lies, if others can read it there and copying is worth their while. */
  private int lent(Region region, Place place, Slice what, long bytes, int ranks) {
    SharedMemory memory = region.memory();
    boolean isPrivate = place.kind != Memory.NATIVE || memory.offset(place.at(slots.from(what)), 1) < 0;
    if (!place.plan.isContiguous()) {
      // Of shared memory the receiver of a message reads the strided block itself; others have to be packed anyway.
      return isPrivate && bytes <= MOST_LENT ? STAGED : Where.MESSAGE.ordinal();
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

  /** Takes shared scratch memory; returns its offset, or a negative number if there is none. */
  private long stage(SharedMemory memory, Engine engine, long bytes) {
    if (stage == null || stage.bytes < bytes) {
      release();
      stage = pool.acquire(engine, bytes);
    }
    return memory.offset(stage.address, bytes);
  }

  private static long aligned(long bytes) {
    return bytes + BlockTableLayout.LOCATION_BYTES - 1 & -BlockTableLayout.LOCATION_BYTES;
  }

  /** Tells whether a block that this rank has shown is to be sent. */
  boolean sends() {
    return sends;
  }

  /** Tells whether there is nothing left to be done when all has been taken. */
  boolean isOver() {
    return !lends && !couldNotRead;
  }

  // ---- what has been shown

  /** Returns the entry of a block that a rank shows. */
  static long find(Region region, long number, int rank, int entry) {
    return entry < entries(region, number, rank)
        ? BlockTableLayout.getPlainEntry(region.payload(rank, number), entry)
        : NOT_LISTED;
  }

  /** Returns the entry of the n-th block that a rank shows to a reader. */
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

  /** Reads how many blocks a rank lists. A broken rank may have written anything: what cannot be is an error. */
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

  /** Tells whether its readers say when they have taken a block. */
  static boolean isLent(long entry) {
    Where where = where(entry);
    return where == Where.SHARED || where == Where.PRIVATE;
  }

  // ---- taking

  /** Takes a block that is not a message; notes if the kernel does not let this rank read it. */
  void take(Region region, long number, Step.Consume step, long entry, CallShape shape) {
    long bytes = BlockTableLayout.bytes(entry);
    Slice into = step.into();
    long due = slots.units(into);
    if (bytes != due) {
      throw shape.lengthError(step.rank(), bytes, due);
    }
    Place place = slots.of(into);
    long position = BlockTableLayout.position(entry);
    Where where = where(entry);
    long end = position + (where == Where.HERE ? bytes : BlockTableLayout.LOCATION_BYTES);
    if (position < BlockTableLayout.FIRST_ENTRY_OFFSET + BlockTableLayout.ENTRY_BYTES || end > region.capacity()) {
      throw SharedValues.corrupt(step.rank(), "shows a block from byte " + position + " to byte " + end
          + " of a slot of " + region.capacity() + " bytes");
    }
    long at = region.payload(step.rank(), number) + position;
    switch (where) {
      case HERE -> {
        shown.bind(region.keeper(), at, null);
        local.copy(shown, 0, place, slots.from(into), bytes);
      }
      case SHARED -> {
        borrow(step.rank());
        long offset = BlockTableLayout.getPlainLocation(at);
        shown.bind(region.keeper(), SharedValues.address(region.memory(), step.rank(), offset, bytes), null);
        local.copy(shown, 0, place, slots.from(into), bytes);
      }
      case PRIVATE -> {
        borrow(step.rank());
        long source = BlockTableLayout.getPlainLocation(at);
        if (step.rank() == region.rank()) {
          checkLent(source, bytes, step.rank()); // no kernel stands between: it would be read as it is
        }
        couldNotRead |= !local.read(region.memory(), region.peer(step.rank()), source, place, slots.from(into), bytes);
      }
      case MESSAGE -> throw new AssertionError("received by the execution");
    }
  }

  /** Tells whether this rank has something to say to those who lent it blocks. */
  boolean hasTakenLent() {
    return lender != Step.NOBODY;
  }

  /** Checks that this rank has itself lent private memory: others can write to the table where it is read again. */
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

  /** Tells the ranks that lent blocks that these have been taken, or are to be sent. */
  void confirm(Region region, long number) {
    region.reach(number, couldNotRead ? NOT_READABLE : TAKEN, lender);
  }

  /** Tells whether a block is received after all. */
  boolean isReceivedAfterwards(long entry) {
    return couldNotRead && where(entry) == Where.PRIVATE;
  }

  /** Tells whether a rank is through with what this one has lent. */
  static boolean isTaken(Region region, long number, int rank) {
    return region.hasReached(rank, number, TAKEN);
  }

  /** Tells whether a block is to be sent after all. */
  static boolean isSentAfterwards(Region region, long number, int rank, long entry) {
    boolean failed = where(entry) == Where.PRIVATE && region.hasReached(rank, number, NOT_READABLE);
    if (failed) {
      region.countUnread();
    }
    return failed;
  }
}
