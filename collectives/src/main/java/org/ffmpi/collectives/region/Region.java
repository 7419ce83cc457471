// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.region;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.Step;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Health;
import org.ffmpi.spi.ReceiveException;
import org.ffmpi.spi.SharedMemory;

/**
 * Shared memory in which the ranks of a communicator publish their contributions to a collective. Each rank writes
 * into a slot of its own, and the others read it there, all at the same time and without a message.
 *
 * <p><b>Numbers.</b> The collectives that use a region are counted, alike on all ranks since all call them in the same
 * order. Number {@code n} uses slot {@code n mod slots} of each rank. Before a rank writes there, all ranks must have
 * finished number {@code n - slots}; each publishes the last one that it has finished, beside its contributions and,
 * for ranks that only read, in a word of its own. So a rank can be ahead of the slowest by as many collectives as there
 * are slots.
 *
 * <p><b>Ends.</b> A rank that needs the region no more counts itself out. When all have, the rank that allocated the
 * memory uses it again. Until then it stays mapped.
 *
 * <p>Any thread may call, one at a time for each collective.
 *
 * <p>This file is long because numbers, slots and the checks of what others have written share one state.
 */
public final class Region {
  /** Region slots of each rank. */
  public static final int SLOTS = RegionLayout.SLOTS;

  /** Slots of a region that serves one persistent collective, of which one start is in flight. */
  public static final int FEW_SLOTS = 2;

  private static final long LEAST_CAPACITY = 1 << 10;
  private static final long MOST_CAPACITY = 8 << 10;

  /** Bytes of all contributions to one collective at most, as long as there are not very many ranks. */
  private static final long CAPACITIES = 64 << 10;

  /**
   * Flags hold 40 bits of a number, which recur after days of the shortest calls, 23 bits of a signature, and one bit
   * that is set when their rank has finished all earlier collectives.
   */
  private static final int NUMBER_SHIFT = 24;

  private static final long NUMBER_MASK = -1L >>> NUMBER_SHIFT;
  private static final int ALL_FINISHED = 1 << NUMBER_SHIFT - 1;
  private static final int SIGNATURE_MASK = ALL_FINISHED - 1;
  private static final int STAGE_MASK = (1 << NUMBER_SHIFT) - 1;

  /** Result of {@link #look} at a rank that has not published its contribution. */
  public static final int ABSENT = 0;

  /** Result of {@link #look} at a rank whose contribution is there. */
  public static final int PRESENT = 1;

  /** Result of {@link #look} at a rank that has published a contribution to another call. */
  public static final int DIFFERENT = 2;

  /** Failed reads of lent private memory before none is lent: at first a rank may only not be ready yet to read it. */
  private static final int MOST_UNREAD = 16;

  private static final int NOBODY = 0;

  /** More than one rank sleeps until its slot is free; a single one is stored as its rank + 1. */
  private static final int SEVERAL = -1;

  /**
   * One unsuccessful look out of eight reads how far the other rank is and what it calls, because that rank would have
   * to fetch those lines back to write them. The looks follow the golden ratio, so that each rank is inspected, however
   * many are polled.
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

  /** The first slot of rank 0. */
  private final long firstSlot;

  private final long firstPayload;
  private final long ownSlots;

  private final long partBytes;
  private final long slotBytes;
  private final long capacity;
  private final int slots;
  private final int rank;
  private final int size;
  private final int[] peers;

  /** By rank, the word that shows whether it may sleep. */
  private final long[] waitWords;

  /** Null in a job that ends with its first dead rank. */
  private final Health health;

  private long begun;

  /** The last collective that each rank is known to have finished. Racy, but never too high. */
  private final long[] knownFinished;

  private long allFinished;

  /** Unsuccessful looks. The race is benign: the ratio need not be exact. */
  private int looks;

  /** By slot, the last collective that this rank has finished; for those that end out of order. */
  private final long[] over;

  /** Failed calls, which this rank has finished although an earlier one with the same slot is still in flight. */
  private final ConcurrentSkipListSet<Long> overEarly = new ConcurrentSkipListSet<>();

  /** Collectives in flight that other threads than the caller's may end. */
  private final AtomicInteger outstanding = new AtomicInteger();

  /** By number, memory that others may still read although the collective has failed here. */
  private final Map<Long, Object> retained = new ConcurrentHashMap<>();

  private volatile boolean closed;

  /** Failed reads of this rank's private memory by others. The race is benign: the count need not be exact. */
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
   * @param used counts this region as long as it is in use
   */
  public Region(
      SharedMemory memory, MemorySegment segment, long address, Channel channel, int slots, long capacity,
      AtomicInteger used) {
    this.memory = memory;
    this.segment = segment;
    this.rank = channel.rank();
    this.size = channel.size();
    this.capacity = capacity;
    this.header = address;
    this.firstPart = address + RegionLayout.FIRST_PART_OFFSET;
    this.firstSlot = firstPart + RegionLayout.FIRST_SLOT_OFFSET;
    this.firstPayload = firstSlot + RegionLayout.PAYLOAD_OFFSET;
    this.partBytes = RegionLayout.partBytes(slots, capacity);
    this.slotBytes = RegionLayout.slotBytes(capacity);
    this.own = part(rank);
    this.ownSlots = own + RegionLayout.FIRST_SLOT_OFFSET;
    this.knownFinished = new long[size];
    this.over = new long[slots];
    this.slots = slots;
    this.peers = channel.local().toArray();
    this.waitWords = new long[size];
    Arrays.setAll(waitWords, r -> memory.waitWord(peers[r]));
    this.health = channel.health();
    this.leaving = CLEANER.register(this, new Leaving(segment, address, own, used));
    used.getAndIncrement();
  }

  /** Leaves the region when it is no longer used; must not refer to it. */
  private record Leaving(MemorySegment segment, long address, long part, AtomicInteger used) implements Runnable {
    @Override
    public void run() {
      used.getAndDecrement();
      RegionLayout.setReleasePartGone(part);
      RegionLayout.incrementLeft(address);
      Reference.reachabilityFence(segment);
    }
  }

  /** Returns the longest contribution of a rank to one collective in bytes; with fewer ranks it is longer. */
  public static long capacity(int ranks) {
    return Math.clamp(Long.highestOneBit(2 * CAPACITIES / ranks - 1), LEAST_CAPACITY, MOST_CAPACITY);
  }

  /** Returns the capacity of a region for contributions of one length; longer ones are not published there. */
  public static long capacityFor(long bytes, int ranks) {
    long shown = Math.min(bytes, capacity(ranks));
    return Math.max(RegionLayout.LINE_PAIR, (shown + RegionLayout.LINE_PAIR - 1) & -RegionLayout.LINE_PAIR);
  }

  public static long bytes(int ranks, int slots, long capacity) {
    return RegionLayout.bytes(ranks, slots, capacity);
  }

  /** Returns its bytes, the parts of all ranks. */
  public long bytes() {
    return bytes(size, slots, capacity);
  }

  /** Leaves the region once the collectives in flight are over; none may begin any more. */
  public void close() {
    closed = true;
    VarHandle.fullFence(); // either this sees that the last one is over, or that one sees this
    if (outstanding.get() == 0) {
      leaving.clean();
    }
  }

  /** Returns the segment that keeps the memory of {@link #payload} alive. */
  public MemorySegment segment() {
    return segment;
  }

  // ---- the course of one collective

  /**
   * Returns the number of the next collective, and publishes its signature.
   *
   * @param callSignature the {@link CallShape#callSignature}, in which all ranks must agree
   */
  public long begin(long callSignature) {
    long number = ++begun;
    RegionLayout.setOpaquePartCall(
        own, (int) number & slots - 1, number << Integer.SIZE | callSignature >>> Integer.SIZE);
    return number;
  }

  /**
   * Begins a collective that goes by messages. It has a number like all others, so that a rank which waits here for
   * something else finds the mismatch; but it needs no slot, so that no rank waits for its end.
   *
   * @return the number
   */
  public long beginByMessages(long callSignature) {
    long number = begin(callSignature);
    RegionLayout.setReleasePartElsewhere(own, slotOf(number), number);
    finish(number);
    return number;
  }

  /**
   * Finds a rank that calls something else in a collective that goes by messages at this rank.
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

  /** Marks that another thread than the one that calls collectives may complete a collective. */
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
      OVER.setOpaque(over, (int) number & slots - 1, number);
      RegionLayout.setReleasePartFinished(own, number); // all earlier ones are over
      if (RegionLayout.getOpaqueWaiting(header) != NOBODY) {
        wakeWaiting();
      }
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
        if (RegionLayout.getOpaqueWaiting(header) != NOBODY) {
          wakeWaiting();
        }
        return;
      }
      if (RegionLayout.casPartFinished(own, upTo, next)) {
        overEarly.remove(next);
      }
    }
  }

  /**
   * Wakes the ranks that sleep until their slots are free. Usually there are none, and to know that costs one read of a
   * line that is not written then, however many ranks there are. No fence stands between the store before and that
   * read: the short first sleep makes up for a missed wake, as with wait words. Ranks that wait for a contribution are
   * not woken here: they find out by their checks that none will come any more.
   */
  private void wakeWaiting() {
    int who = RegionLayout.getAndSetWaiting(header, NOBODY);
    if (who > 0 && who <= size) {
      memory.wake(peers[who - 1]);
    } else if (who != NOBODY) {
      wake(Step.ALL);
      memory.wake(peers[rank]); // another thread of this rank may be among them
    }
  }

  /**
   * Returns whether this rank may write its slot, because all ranks have finished with its contents. Before a sleep it
   * also registers this rank to be woken.
   */
  public boolean isFree(long number) {
    long needed = number - slots;
    return needed <= allFinished || isFinished(needed)
        || memory.mayBeAsleep() && isFinishedAfterRegistering(needed);
  }

  /** A rank that clears the registration sees that this one sleeps, since that was published before. */
  private boolean isFinishedAfterRegistering(long needed) {
    for (int who = RegionLayout.getVolatileWaiting(header); who != rank + 1 && who != SEVERAL;
        who = RegionLayout.getVolatileWaiting(header)) {
      RegionLayout.casWaiting(header, who, who == NOBODY ? rank + 1 : SEVERAL);
    }
    return isFinished(needed);
  }

  /** Returns a rank that has not published its contribution to a collective, or -1. */
  public int findAbsent(long number) {
    for (int r = 0; r < size; r++) {
      if (!isPublished(r, number)) {
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
      long upTo = knownFinished[r];
      if (upTo < needed) {
        upTo = RegionLayout.getAcquirePartFinished(part(r));
        knownFinished[r] = upTo;
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
    return firstSlot + ofRank * partBytes + ((int) number & slots - 1) * slotBytes;
  }

  /** Returns the address of a rank's contribution. */
  public long payload(int ofRank, long number) {
    return firstPayload + ofRank * partBytes + ((int) number & slots - 1) * slotBytes;
  }

  /**
   * Publishes this rank's contribution, which has been written to {@link #payload}.
   *
   * @param signature the collective's signature, the same on all ranks
   * @param reader the only rank that waits for it, or {@link Step.Publish#ALL}
   */
  public void publish(long number, int signature, int reader) {
    boolean isLast = outstanding.get() == 0 || RegionLayout.getAcquirePartFinished(own) == number - 1;
    RegionLayout.setReleaseFlag(ownSlots + ((int) number & slots - 1) * slotBytes,
        number << NUMBER_SHIFT | (isLast ? ALL_FINISHED : 0) | signature & SIGNATURE_MASK);
    wake(reader);
  }

  /** Publishes what was written to {@link #payload}, for one reader of each block, or for all. */
  public void publish(long number, int signature, int[] readers) {
    publish(number, signature, Step.NOBODY);
    for (int reader : readers) {
      wake(reader);
    }
  }

  /** Wakes the readers of a contribution, as far as they may sleep. */
  private void wake(int reader) {
    int end = reader >= 0 ? reader + 1 : reader == Step.ALL ? size : 0;
    for (int r = Math.max(reader, 0); r < end; r++) {
      boolean isMeant = r != rank || r == reader;
      if (isMeant && (waitWords[r] == SharedMemory.NO_WORD || Raw.getOpaqueInt(waitWords[r]) != 0)) {
        memory.wake(peers[r]);
      }
    }
  }

  /** Returns whether a rank has published its contribution. */
  public boolean isPublished(int ofRank, long number) {
    return RegionLayout.getAcquireFlag(slot(ofRank, number)) >>> NUMBER_SHIFT == (number & NUMBER_MASK);
  }

  /**
   * Checks a published contribution.
   *
   * @throws MpiException ERR_COUNT when that rank's call has another length, or is another
   */
  public void check(int ofRank, long number, int signature, CallShape shape) {
    if (look(ofRank, number, signature) != PRESENT) {
      throw mismatch(ofRank, number, shape);
    }
  }

  /**
   * Looks for a rank's contribution to the call of this rank.
   *
   * @return {@link #ABSENT}, {@link #PRESENT} or {@link #DIFFERENT}
   */
  public int look(int ofRank, long number, int signature) {
    long flag = RegionLayout.getAcquireFlag(firstSlot + ofRank * partBytes + ((int) number & slots - 1) * slotBytes);
    if (flag >>> NUMBER_SHIFT != (number & NUMBER_MASK)) {
      return ABSENT;
    }
    if ((((int) flag ^ signature) & SIGNATURE_MASK) != 0) {
      return DIFFERENT;
    }
    if (((int) flag & ALL_FINISHED) != 0) {
      knownFinished[ofRank] = number - 1;
    }
    return PRESENT;
  }

  /** Fails when a rank will never contribute: it has called something else, failed in this call, or departed. */
  public void checkPresent(int ofRank, long number, CallShape shape) {
    checkHealth();
    checkNotFailed(ofRank, number, shape);
    boolean isDue = isInspectionDue();
    if (isDue) {
      checkCall(ofRank, number, shape);
    }
    boolean isOver = isDue && isOverFor(ofRank, number);
    boolean isGone = memory.isGone(peers[ofRank]);
    if ((isOver || isGone) && !isPublished(ofRank, number)) {
      checkHealth(); // since the first look, before it ended or left
      checkNotFailed(ofRank, number, shape);
      throw isOver ? mismatch(ofRank, number, shape) : memory.departureError(peers[ofRank]);
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
      for (int r = 0; r < size; r++) { // that rank's call may be as wrong as this one
        checkCall(r, number, shape);
      }
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

  /** Returns the error of a rank that calls something else, or with another length. */
  public MpiException mismatch(int ofRank, long number, CallShape shape) {
    long word = RegionLayout.getOpaquePartCall(part(ofRank), slotOf(number));
    boolean isKnown = (int) (word >>> Integer.SIZE) == (int) number; // that rank may be far ahead
    return shape.differs(ofRank, isKnown ? word << Integer.SIZE : 0);
  }

  private boolean isInspectionDue() {
    boolean isDue = looks >>> ASKING_SHIFT == 0;
    looks += LOOK;
    return isDue;
  }

  private boolean isOverFor(int ofRank, long number) {
    return RegionLayout.getAcquirePartFinished(part(ofRank)) >= number
        || RegionLayout.getAcquirePartElsewhere(part(ofRank), slotOf(number)) == number;
  }

  /** Returns whether all ranks have published their contributions. */
  public boolean isPublishedByAll(long number) {
    for (int r = 0; r < size; r++) {
      if (!isPublished(r, number)) {
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
        throw memory.departureError(peers[r]);
      }
    }
  }

  /** Ends a collective that has failed here, and wakes the ranks that wait for this one. */
  public void fail(long number, boolean detached) {
    RegionLayout.setReleasePartFailed(own, slotOf(number), number);
    wake(Step.ALL);
    if (detached) {
      finishDetached(number);
    } else {
      finish(number);
    }
  }

  /** Keeps memory reachable until all ranks have finished a collective that has failed here, or left the region. */
  public void retain(long number, Object memory) {
    retained.keySet().removeIf(this::isFinished);
    retained.put(number, memory);
  }

  // ---- stages

  /** Publishes that this rank has reached a stage of a collective. */
  public void reach(long number, int stage) {
    reach(number, stage, Step.ALL);
  }

  /** Publishes that this rank has reached a stage, for one rank that waits, or {@link Step.Publish#ALL}. */
  public void reach(long number, int stage, int waiter) {
    RegionLayout.setReleaseStage(slot(rank, number), capacity, number << NUMBER_SHIFT | stage);
    wake(waiter);
  }

  /** Returns whether a rank has reached a stage of a collective. */
  public boolean hasReached(int ofRank, long number, int stage) {
    long word = RegionLayout.getAcquireStage(slot(ofRank, number), capacity);
    return word >>> NUMBER_SHIFT == (number & NUMBER_MASK) && ((int) word & STAGE_MASK) >= stage;
  }

  /** Fails when a rank will never reach a stage. */
  public void checkReaches(int ofRank, long number, int stage, CallShape shape) {
    checkHealth();
    checkNotFailed(ofRank, number, shape);
    boolean isOver = isInspectionDue() && isOverFor(ofRank, number);
    boolean isGone = memory.isGone(peers[ofRank]);
    if ((isOver || isGone) && !hasReached(ofRank, number, stage)) {
      checkHealth();
      checkNotFailed(ofRank, number, shape);
      throw isOver ? mismatch(ofRank, number, shape) : memory.departureError(peers[ofRank]);
    }
  }

  // ---- properties

  /** Returns the longest contribution in bytes. */
  public long capacity() {
    return capacity;
  }

  /** Returns whether others may be able to read this rank's private memory. */
  public boolean lendsPrivateMemory() {
    return unread < MOST_UNREAD;
  }

  /** Counts a failed read by another rank, so that private memory is not lent in vain for ever. */
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
