// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.region;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.Step;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Health;
import org.ffmpi.spi.ReceiveException;
import org.ffmpi.spi.SharedMemory;

/**
 * Shared memory in which the ranks of a communicator show each other what they contribute to a collective: each rank
 * writes into a slot of its own, and the others read it there, all at the same time and without a message.
 *
 * <p><b>Numbers.</b> The collectives that use a region are counted, alike on all ranks since all call them in the same
 * order. Number {@code n} uses slot {@code n mod slots} of each rank. Before a rank writes there, all ranks must be
 * through with number {@code n - slots}; each says up to which one it is, beside its contributions and, for ranks that
 * only read, in a word of its own. So a rank can be ahead of the slowest by as many collectives as there are slots.
 *
 * <p><b>Ends.</b> A rank that needs the region no more says so. When all have, the rank that allocated the memory uses
 * it again. Until then it stays mapped.
 *
 * <p>Any thread, each collective being one thread's at a time.
 *
 * <p>This file is long because numbers, slots and the checks of what others have written share one state.
 */
public final class Region {
  /** Region slots of each rank. */
  public static final int SLOTS = RegionLayout.SLOTS;

  /** BoundBuffers of a region that serves one persistent collective, of which one start is in flight. */
  public static final int FEW_SLOTS = 2;

  private static final long LEAST_CAPACITY = 1 << 10;
  private static final long MOST_CAPACITY = 8 << 10;

  /** What the contributions to one collective take at most, as long as there are not very many ranks. */
  private static final long CAPACITIES = 64 << 10;

  /** Flags hold 40 bits of a number, which come again after days of the shortest calls, and 24 of what it is about. */
  private static final int NUMBER_SHIFT = 24;

  private static final long NUMBER_MASK = -1L >>> NUMBER_SHIFT;
  private static final int SIGNATURE_MASK = (1 << NUMBER_SHIFT) - 1;

  /** So often private memory is lent in vain: at first a rank may only not be ready yet to read it. */
  private static final int MOST_UNREAD = 16;

  private static final int NOBODY = 0;

  /** More than one rank sleeps until its slot is free; of one alone, its number and one. */
  private static final int SEVERAL = -1;

  /**
   * One look in vain out of eight asks how far the other is and what it calls: that one would have to fetch those lines
   * back to write them. The looks follow the golden ratio, so that each rank is asked, however many are looked at.
   */
  private static final int LOOK = 0x9E3779B9;
  private static final int ASKING_SHIFT = Integer.SIZE - 3;

  public static final Cleaner CLEANER = Cleaner.create();
  private static final VarHandle OVER = MethodHandles.arrayElementVarHandle(long[].class);

  private final SharedMemory memory;
  private final Cleaner.Cleanable leaving;
  private final MemorySegment segment;
  private final long header;
  private final long own;
  private final long firstPart;
  private final long partBytes;
  private final long slotBytes;
  private final long capacity;
  private final int slots;
  private final int rank;
  private final int size;
  private final int[] peers;

  /** Null in a job that ends with its first dead rank. */
  private final Health health;

  private long begun;

  /** Up to which collective each rank is known to be through. Racy in the harmless direction. */
  private final long[] known;

  private long allFinished;

  /** Looks in vain. Racy: it is about one in so many. */
  private int looks;

  /** By slot, the last collective that this rank is through with; for those that end out of order. */
  private final long[] over;

  /** Those that this rank is through with although one that has the same slot is still in flight: calls that fail. */
  private final ConcurrentSkipListSet<Long> overEarly = new ConcurrentSkipListSet<>();

  /** Collectives in flight that other threads than the caller's may end. */
  private final AtomicInteger outstanding = new AtomicInteger();

  /** By number, memory that others may still read although the collective has failed here. */
  private final Map<Long, Object> kept = new ConcurrentHashMap<>();

  private volatile boolean closed;

  /** How often another rank could not read this one's private memory. Racy: it is about so many. */
  private volatile int unread;

  /**
   * Takes part in a region.
   *
   * @param memory the engine's port
   * @param segment the region's memory
   * @param address where it begins
   * @param channel the ranks
   * @param slots how many each rank has, a power of two, {@link #SLOTS} at most
   * @param capacity how long a contribution may be, a multiple of 128 bytes
   */
  public Region(SharedMemory memory, MemorySegment segment, long address, Channel channel, int slots, long capacity) {
    this.memory = memory;
    this.segment = segment;
    this.rank = channel.rank();
    this.size = channel.size();
    this.capacity = capacity;
    this.header = address;
    this.firstPart = address + RegionLayout.FIRST_PART_OFFSET;
    this.partBytes = RegionLayout.partBytes(slots, capacity);
    this.slotBytes = RegionLayout.slotBytes(capacity);
    this.own = part(rank);
    this.known = new long[size];
    this.over = new long[slots];
    this.slots = slots;
    this.peers = channel.local().toArray();
    this.health = channel.health();
    this.leaving = CLEANER.register(this, new Leaving(segment, address, own));
  }

  /** What is left to do when nobody uses the region any more; must not refer to it. */
  private record Leaving(MemorySegment segment, long address, long part) implements Runnable {
    @Override
    public void run() {
      RegionLayout.setReleasePartGone(part);
      RegionLayout.incrementLeft(address);
      Reference.reachabilityFence(segment);
    }
  }

  /** Returns how long a rank's contribution to one collective may be: the fewer ranks, the longer. */
  public static long capacity(int ranks) {
    return Math.clamp(Long.highestOneBit(2 * CAPACITIES / ranks - 1), LEAST_CAPACITY, MOST_CAPACITY);
  }

  /** Returns the capacity of a region for contributions of one length; longer ones are not shown there. */
  public static long capacityFor(long bytes, int ranks) {
    long shown = Math.min(bytes, capacity(ranks));
    return Math.max(RegionLayout.LINE_PAIR, (shown + RegionLayout.LINE_PAIR - 1) & -RegionLayout.LINE_PAIR);
  }

  public static long bytes(int ranks, int slots, long capacity) {
    return RegionLayout.bytes(ranks, slots, capacity);
  }

  /** Needs the region no more, once the collectives in flight are over: begins none any more. */
  public void close() {
    closed = true;
    VarHandle.fullFence(); // either this sees that the last one is over, or that one sees this
    if (outstanding.get() == 0) {
      leaving.clean();
    }
  }

  /** What keeps the memory that {@link #payload} names. */
  public MemorySegment keeper() {
    return segment;
  }

  // ---- the course of one collective

  /**
   * Gives the next collective its number, and says what it is.
   *
   * @param callSignature what all ranks must agree in, {@link CallShape#callSignature}
   */
  public long begin(long callSignature) {
    long number = ++begun;
    RegionLayout.setOpaquePartCall(own, slotOf(number), number << Integer.SIZE | callSignature >>> Integer.SIZE);
    return number;
  }

  /**
   * Says that this rank takes its part in the next collective by messages. That has a number like all others, so that a
   * rank which waits here for something else is told; but it needs no slot, so that nobody waits for its end.
   *
   * @return the number
   */
  public long goElsewhere(long callSignature) {
    long number = begin(callSignature);
    RegionLayout.setReleasePartElsewhere(own, slotOf(number), number);
    finish(number);
    return number;
  }

  /**
   * Looks for a rank that calls something else in a collective that this rank takes part in by messages.
   *
   * @param number the low half of the collective's number
   * @param context this rank's context of it, with the signature
   * @return the error of receives, or null
   */
  public ReceiveException findOtherCall(int number, long context) {
    for (int r = 0; r < size; r++) {
      long word = RegionLayout.getOpaquePartCall(part(r), slotOf(number));
      if ((int) (word >>> Integer.SIZE) == number && word << Integer.SIZE != Channel.signatureOf(context)) {
        return ReceiveException.ofFailedCall(
            peers[r], Channel.signed(Channel.callOf(context), word << Integer.SIZE), ErrorClass.ERR_COUNT);
      }
    }
    return null;
  }

  /** Says that a collective may be ended by another thread than the one that goes on calling collectives. */
  public void detach() {
    outstanding.getAndIncrement();
  }

  /** Ends a collective of which {@link #detach} was called. */
  public void finishDetached(long number) {
    finishInAnyOrder(number);
    if (outstanding.decrementAndGet() == 0 && closed) {
      leaving.clean();
    }
  }

  /** Ends a collective for this rank: it neither reads nor writes any more. */
  public void finish(long number) {
    if (outstanding.get() == 0) {
      OVER.setOpaque(over, slotOf(number), number);
      RegionLayout.setReleasePartFinished(own, number); // all earlier ones are over
      wakeWaiting();
    } else {
      finishInAnyOrder(number);
    }
  }

  private void finishInAnyOrder(long number) {
    if (number - slots <= RegionLayout.getAcquirePartFinished(own)) {
      OVER.setVolatile(over, slotOf(number), number);
    } else {
      overEarly.add(number);
    }
    while (true) {
      long upTo = RegionLayout.getAcquirePartFinished(own);
      long next = upTo + 1;
      if ((long) OVER.getVolatile(over, slotOf(next)) != next && !overEarly.contains(next)) {
        wakeWaiting();
        return;
      }
      if (RegionLayout.casPartFinished(own, upTo, next)) {
        overEarly.remove(next);
      }
    }
  }

  /**
   * Wakes those who sleep until their slots are free. Usually nobody does, and to know that costs a look at a line that
   * nobody writes, however many ranks there are. No fence stands between the store before and this look: what is missed
   * therefore is made good by the short first sleep, as with wait words. Those who wait for a contribution need no
   * waking here: that none will come any more they find out when they look around.
   */
  private void wakeWaiting() {
    if (RegionLayout.getOpaqueWaiting(header) != NOBODY) {
      int who = RegionLayout.getAndSetWaiting(header, NOBODY);
      if (who > 0 && who <= size) {
        memory.wake(peers[who - 1]);
      } else if (who != NOBODY) {
        wake(Step.ALL);
        memory.wake(peers[rank]); // another thread of this rank may be among them
      }
    }
  }

  /**
   * Tells whether this rank may write its slot: all are through with what lies there. Where that is asked on the way to
   * sleep, the others are told to wake this rank.
   */
  public boolean isFree(long number) {
    long needed = number - slots;
    return needed <= allFinished || isFinished(needed) || memory.mayBeAsleep() && isFinishedOnceTold(needed);
  }

  /** Whoever takes this rank's name away again sees that it sleeps, since it has said that before. */
  private boolean isFinishedOnceTold(long needed) {
    for (int who = RegionLayout.getVolatileWaiting(header); who != rank + 1 && who != SEVERAL;
        who = RegionLayout.getVolatileWaiting(header)) {
      RegionLayout.casWaiting(header, who, who == NOBODY ? rank + 1 : SEVERAL);
    }
    return isFinished(needed);
  }

  /** Returns a rank that has not shown its contribution to a collective, or -1. */
  public int findAbsent(long number) {
    for (int r = 0; r < size; r++) {
      if (!isPosted(r, number)) {
        return r;
      }
    }
    return -1;
  }

  /** Returns a rank whose earlier collective keeps the slot of one from being free, or -1. */
  public int findUnfinished(long number) {
    for (int r = 0; r < size; r++) {
      if (RegionLayout.getAcquirePartFinished(part(r)) < number - slots) {
        return r;
      }
    }
    return -1;
  }

  private boolean isFinished(long needed) {
    long least = Long.MAX_VALUE;
    for (int r = 0; r < size; r++) {
      long upTo = known[r];
      if (upTo < needed) {
        upTo = RegionLayout.getAcquirePartFinished(part(r));
        known[r] = upTo;
        if (upTo < needed) {
          return false;
        }
      }
      least = Math.min(least, upTo);
    }
    allFinished = least;
    return true;
  }

  private int slotOf(long number) {
    return (int) number & slots - 1;
  }

  private long part(int ofRank) {
    return firstPart + ofRank * partBytes;
  }

  private long slot(int ofRank, long number) {
    return part(ofRank) + RegionLayout.FIRST_SLOT_OFFSET + slotOf(number) * slotBytes;
  }

  /** Returns the address of a rank's contribution. */
  public long payload(int ofRank, long number) {
    return slot(ofRank, number) + RegionLayout.PAYLOAD_OFFSET;
  }

  /**
   * Shows this rank's contribution, which has been written to {@link #payload}.
   *
   * @param signature what the collective is, the same on all ranks
   * @param reader the only rank that waits for it, or {@link Step.Publish#ALL}
   */
  public void post(long number, int signature, int reader) {
    show(number, signature);
    wake(reader);
  }

  private void show(long number, int signature) {
    long slot = slot(rank, number);
    RegionLayout.setPlainFinished(slot, RegionLayout.getAcquirePartFinished(own));
    RegionLayout.setReleaseFlag(slot, number << NUMBER_SHIFT | signature & SIGNATURE_MASK);
  }

  /** Shows what has been written to {@link #payload} to a rank for each block, or to all. */
  public void post(long number, int signature, int[] readers) {
    show(number, signature);
    for (int reader : readers) {
      if (reader != Step.NOBODY) {
        wake(reader);
      }
    }
  }

  private void wake(int reader) {
    if (reader >= 0) {
      memory.wake(peers[reader]);
      return;
    }
    for (int r = 0; r < size; r++) {
      if (r != rank) {
        memory.wake(peers[r]);
      }
    }
  }

  /** Tells whether a rank has shown its contribution. */
  public boolean isPosted(int ofRank, long number) {
    return RegionLayout.getAcquireFlag(slot(ofRank, number)) >>> NUMBER_SHIFT == (number & NUMBER_MASK);
  }

  /**
   * Checks a contribution that is there.
   *
   * @throws MpiException ERR_COUNT when that rank's call has another length, or is another
   */
  public void check(int ofRank, long number, int signature, CallShape shape) {
    long slot = slot(ofRank, number);
    if (((int) RegionLayout.getAcquireFlag(slot) & SIGNATURE_MASK) != (signature & SIGNATURE_MASK)) {
      throw mismatch(ofRank, number, shape);
    }
    long finished = RegionLayout.getPlainFinished(slot);
    if (finished < 0 || finished >= number) {
      throw SharedValues.corrupt(ofRank, "says in collective " + number + " that it has finished " + finished);
    }
    known[ofRank] = finished;
  }

  /** Fails when a rank will never contribute any more: it has called something else, failed in this call, or gone. */
  public void checkPresent(int ofRank, long number, CallShape shape) {
    checkHealth();
    checkNotFailed(ofRank, number, shape);
    boolean asks = asks();
    if (asks) {
      checkCall(ofRank, number, shape);
    }
    boolean isOver = asks && isOverFor(ofRank, number);
    boolean isGone = memory.isGone(peers[ofRank]);
    if ((isOver || isGone) && !isPosted(ofRank, number)) {
      checkHealth(); // since the first look, before it ended or left
      checkNotFailed(ofRank, number, shape);
      throw isOver ? mismatch(ofRank, number, shape) : memory.goneError(peers[ofRank]);
    }
  }

  /** Fails when some rank has failed, or the communicator has been revoked: others may have found that out, too. */
  private void checkHealth() {
    MpiException broken = health == null ? null : health.collectiveError();
    if (broken != null) {
      throw broken;
    }
  }

  private void checkNotFailed(int ofRank, long number, CallShape shape) {
    if (RegionLayout.getAcquirePartFailed(part(ofRank), slotOf(number)) == number) {
      if (health != null) {
        health.survival().look(); // that rank may have failed because of what this one does not know yet
        checkHealth();
      }
      checkCall(ofRank, number, shape);
      throw shape.failedElsewhere(ofRank, ErrorClass.ERR_OTHER);
    }
  }

  /** Fails when a rank that has come to this collective calls another, or with another length. */
  private void checkCall(int ofRank, long number, CallShape shape) {
    long word = RegionLayout.getOpaquePartCall(part(ofRank), slotOf(number));
    if ((int) (word >>> Integer.SIZE) == (int) number && word << Integer.SIZE != shape.callSignature()) {
      throw mismatch(ofRank, number, shape);
    }
  }

  private MpiException mismatch(int ofRank, long number, CallShape shape) {
    long word = RegionLayout.getOpaquePartCall(part(ofRank), slotOf(number));
    boolean isKnown = (int) (word >>> Integer.SIZE) == (int) number; // that rank may be far ahead
    return shape.differs(ofRank, isKnown ? word << Integer.SIZE : 0);
  }

  private boolean asks() {
    boolean asks = looks >>> ASKING_SHIFT == 0;
    looks += LOOK;
    return asks;
  }

  private boolean isOverFor(int ofRank, long number) {
    return RegionLayout.getAcquirePartFinished(part(ofRank)) >= number
        || RegionLayout.getAcquirePartElsewhere(part(ofRank), slotOf(number)) == number;
  }

  /** Tells whether all ranks have shown their contributions. */
  public boolean isPostedByAll(long number) {
    for (int r = 0; r < size; r++) {
      if (!isPosted(r, number)) {
        return false;
      }
    }
    return true;
  }

  /** Fails when a rank that has not yet finished an earlier collective never will. */
  public void checkAllPresent(long number) {
    checkHealth();
    for (int r = 0; r < size; r++) {
      if (memory.isGone(peers[r]) && RegionLayout.getAcquirePartFinished(part(r)) < number - slots) {
        checkHealth();
        throw memory.goneError(peers[r]);
      }
    }
  }

  /** Ends a collective that has failed here, and tells those who wait for this rank. */
  public void fail(long number, boolean detached) {
    RegionLayout.setReleasePartFailed(own, slotOf(number), number);
    wake(Step.ALL);
    if (detached) {
      finishDetached(number);
    } else {
      finish(number);
    }
  }

  /** Keeps memory until all ranks are through with a collective that has failed here, or leave the region. */
  public void keep(long number, Object memory) {
    kept.keySet().removeIf(this::isFinished);
    kept.put(number, memory);
  }

  // ---- stages

  /** Says that this rank has come to a stage of a collective. */
  public void reach(long number, int stage) {
    reach(number, stage, Step.ALL);
  }

  /** Says that this rank has come to a stage that one rank waits for, or {@link Step.Publish#ALL}. */
  public void reach(long number, int stage, int waiter) {
    RegionLayout.setReleaseStage(slot(rank, number), capacity, number << NUMBER_SHIFT | stage);
    wake(waiter);
  }

  /** Tells whether a rank has come to a stage of a collective. */
  public boolean hasReached(int ofRank, long number, int stage) {
    long word = RegionLayout.getAcquireStage(slot(ofRank, number), capacity);
    return word >>> NUMBER_SHIFT == (number & NUMBER_MASK) && ((int) word & SIGNATURE_MASK) >= stage;
  }

  /** Fails when a rank will never come to a stage any more. */
  public void checkReaches(int ofRank, long number, int stage, CallShape shape) {
    checkHealth();
    checkNotFailed(ofRank, number, shape);
    boolean isOver = asks() && isOverFor(ofRank, number);
    boolean isGone = memory.isGone(peers[ofRank]);
    if ((isOver || isGone) && !hasReached(ofRank, number, stage)) {
      checkHealth();
      checkNotFailed(ofRank, number, shape);
      throw isOver ? mismatch(ofRank, number, shape) : memory.goneError(peers[ofRank]);
    }
  }

  // ---- what takes part

  /** Returns how long a contribution may be. */
  public long capacity() {
    return capacity;
  }

  /** Tells whether others may be able to read this rank's private memory. */
  public boolean lendsPrivateMemory() {
    return unread < MOST_UNREAD;
  }

  /** Another rank could not: not to be tried for ever. */
  public void countUnread() {
    unread = unread + 1;
  }

  public SharedMemory memory() {
    return memory;
  }

  public int rank() {
    return rank;
  }

  public int peer(int ofRank) {
    return peers[ofRank];
  }
}
