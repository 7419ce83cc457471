// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.progress;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.ffmpi.shm.segment.JobSegment;
import org.ffmpi.shm.state.RankState;
import org.ffmpi.shm.state.StateBlock;
import org.ffmpi.shm.state.StateBuilder;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Collective;
import org.ffmpi.spi.Operation;
import org.ffmpi.spi.WaitNote;
import org.ffmpi.spi.WaitSubject;

/**
 * What the threads of a rank wait for, written into the segment for launchers and tools as soon as a wait is long.
 * Calls note nothing on their way: a thread that is about to sleep or park comes here, and what it waits for is then
 * asked of the operation or the condition, the call's name is read from the stack, and the queues are listed.
 *
 * <p>Any thread, without a lock of the engine or as the poller. Written under the rank's lock, if it is free; whoever
 * holds it moves something, and the next look writes.
 */
final class LongWaits {
  /** A wait below this age is not worth a look at the stack, which costs milliseconds the first time. */
  private static final long LONG_NANOS = 300_000_000;

  /** How often an account is written again: its lists change as messages come. */
  private static final long AGAIN_NANOS = 200_000_000;

  /** One thread's wait. The objects are used again, so that short sleeps allocate nothing. */
  private static final class Entry {
    /** Null while the entry is free. */
    Thread thread;

    long since;
    Operation op;
    BooleanSupplier condition;

    /** Null until the wait is long. */
    String call;
  }

  private final JobSegment segment;
  private final RankLock lock;
  private final Traffic traffic;
  private final OpenChannels channels;
  private final long block;

  /** Guarded by this. */
  private final Entry[] entries = new Entry[StateBlock.MOST_WAITS];

  /** Guarded by this. */
  private long writtenAt;

  /** Guarded by this. */
  private boolean isWritten;

  /** How many entries are not free; read without the lock by threads that have waited. */
  private volatile int used;

  LongWaits(JobSegment segment, RankLock lock, Traffic traffic, OpenChannels channels, int self) {
    this.segment = segment;
    this.lock = lock;
    this.traffic = traffic;
    this.channels = channels;
    this.block = segment.stateBlock(self);
    Arrays.setAll(entries, unused -> new Entry());
  }

  /** Notes that the calling thread is about to sleep or park, and writes the account when it is due. */
  synchronized void sleeps(Operation op, BooleanSupplier condition, long moves) {
    Entry own = find();
    if (own == null) {
      begin(op, condition);
      return;
    }
    long now = System.nanoTime();
    boolean isNew = own.call == null && now - own.since > LONG_NANOS;
    if (isNew) {
      own.call = CallName.ofThisThread();
    }
    if (isNew || isWritten && now - writtenAt > AGAIN_NANOS) {
      write(moves);
    }
  }

  private void begin(Operation op, BooleanSupplier condition) {
    for (Entry free : entries) {
      if (free.thread == null) {
        free.thread = Thread.currentThread();
        free.since = System.nanoTime();
        free.op = op;
        free.condition = condition;
        used = used + 1;
        return;
      }
    }
  }

  /** Notes that the calling thread waits no more. */
  void over(long moves) {
    if (used != 0) {
      forget(moves);
    }
  }

  private synchronized void forget(long moves) {
    Entry own = find();
    if (own != null) {
      boolean wasLong = own.call != null;
      own.thread = null;
      own.op = null;
      own.condition = null;
      own.call = null;
      used = used - 1;
      if (wasLong) {
        write(moves);
      }
    }
  }

  private Entry find() {
    for (Entry entry : entries) {
      if (entry.thread == Thread.currentThread()) {
        return entry;
      }
    }
    return null;
  }

  private void write(long moves) {
    if (!lock.tryLock()) {
      writtenAt = System.nanoTime() - AGAIN_NANOS; // soon
      isWritten = true;
      return;
    }
    try {
      List<RankState.Wait> waits = new ArrayList<>();
      for (Entry entry : entries) {
        if (entry.call != null) {
          waits.add(describe(entry));
        }
      }
      waits.sort(Comparator.comparingLong(RankState.Wait::since));
      StateBuilder builder = new StateBuilder();
      traffic.list(builder);
      channels.list(builder);
      StateBlock.write(block, builder.build(waits, moves));
      writtenAt = System.nanoTime();
      isWritten = true;
    } finally {
      lock.unlockQuietly();
    }
  }

  private RankState.Wait describe(Entry entry) {
    WaitNote note = new WaitNote();
    try {
      if (entry.op != null) {
        entry.op.describe(note);
      }
      if (note.kind() == WaitNote.Kind.OTHER && entry.condition instanceof WaitSubject subject) {
        subject.describe(note);
      }
      nameCall(note);
    } catch (RuntimeException e) {
      note = new WaitNote(); // it has ended meanwhile
    }
    Collective collective = note.collective();
    return new RankState.Wait(
        entry.call, RankState.Kind.values()[note.kind().ordinal()], note.peer(), note.tag(), note.context(),
        note.bytes(), collective == null ? -1 : collective.ordinal(), note.root(), entry.since);
  }

  /** A message in another context than that of the program's messages is part of a collective call. */
  private void nameCall(WaitNote note) {
    long context = note.context();
    Channel channel = context == -1 ? null : channels.of(context);
    if (channel == null || note.collective() != null || context == channel.pointToPoint()) {
      return;
    }
    channel.describeCall(context, note.tag(), note);
  }
}
