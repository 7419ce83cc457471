// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.progress;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.ffmpi.shm.account.AccountBlock;
import org.ffmpi.shm.account.AccountBuilder;
import org.ffmpi.shm.account.RankAccount;
import org.ffmpi.shm.segment.JobSegment;
import org.ffmpi.spi.CallName;
import org.ffmpi.spi.CallPlace;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Collective;
import org.ffmpi.spi.EpochSource;
import org.ffmpi.spi.Operation;
import org.ffmpi.spi.WaitNote;
import org.ffmpi.spi.WaitSubject;

/**
 * The long waits of a rank's threads, written into the segment for launchers and tools. Calls record nothing on their
 * way: a thread that is about to sleep or park comes here. When its wait is long, the operation or the condition
 * describes it, the call's name and the line of the program are read from the stack, and the queues are listed.
 *
 * <p>Any thread, without a lock of the engine or as the poller. The account is written under the rank's lock if that is
 * free; a holder of the lock moves something, and the next call writes.
 */
final class LongWaits {
  /** Age of a long wait; below it, reading the stack, which costs milliseconds the first time, is not worth it. */
  private static final long LONG_NANOS = 300_000_000;

  /** Time after which an account is written again: its lists change as messages come. */
  private static final long AGAIN_NANOS = 200_000_000;

  /** One thread's wait. The objects are reused, so that short sleeps allocate no memory. */
  private static final class Entry {
    /** Null while the entry is free. */
    Thread thread;

    long since;
    Operation op;
    BooleanSupplier condition;

    /** Null until the wait is long. */
    String call;

    /** The line of the program, as the account has it. */
    String line;
  }

  private final JobSegment segment;
  private final RankLock lock;
  private final Traffic traffic;
  private final OpenChannels channels;
  private final long block;

  /** Guarded by this. */
  private final Entry[] entries = new Entry[AccountBlock.MOST_WAITS];

  /** Guarded by this. */
  private long writtenAt;

  /** Guarded by this. */
  private boolean isWritten;

  /** Guarded by this. */
  private RankAccount.Place place = RankAccount.Place.UNKNOWN;

  /** Guarded by this. */
  private long lastMoves;

  /** Number of entries in use; read without the lock by threads that have waited. */
  private volatile int used;

  LongWaits(JobSegment segment, RankLock lock, Traffic traffic, OpenChannels channels, int self) {
    this.segment = segment;
    this.lock = lock;
    this.traffic = traffic;
    this.channels = channels;
    this.block = segment.accountBlock(self);
    Arrays.setAll(entries, unused -> new Entry());
  }

  /** Records that the calling thread is about to sleep or park, and writes the account when it is due. */
  synchronized void onSleep(Operation op, BooleanSupplier condition, long moves) {
    Entry own = find();
    if (own == null) {
      begin(op, condition);
      return;
    }
    long now = System.nanoTime();
    boolean isNew = own.call == null && now - own.since > LONG_NANOS;
    if (isNew) {
      CallPlace place = CallPlace.ofThisThread();
      own.line = lineOf(place, own.op);
      own.call = nameOf(place);
    }
    if (isNew || isWritten && now - writtenAt > AGAIN_NANOS) {
      write(moves);
    }
  }

  /** Returns the MPI name of the call at a place; that of the method where the standard has none. */
  private static String nameOf(CallPlace place) {
    return place == CallPlace.NOWHERE ? CallName.ofThisThread() : place.call();
  }

  /** Returns the line of the program at a place, and the call whose request is waited for where that is known. */
  private static String lineOf(CallPlace place, Operation op) {
    String line = place.line();
    if (line.length() > RankAccount.LINE_BYTES) {
      line = line.substring(line.length() - RankAccount.LINE_BYTES); // the end has the number
    }
    for (Operation o = op; o != null; o = o.parent()) {
      CallPlace start = o.startPlace();
      if (start != null && !start.line().isEmpty() && !start.toString().equals(place.toString())) {
        String both = line + " for " + start;
        String file = line.substring(0, line.lastIndexOf(':') + 1);
        String shorter = file.isEmpty() || !start.line().startsWith(file) ? line
            : line + " for " + start.call() + " at line " + start.line().substring(file.length());
        return fits(both) ? both : fits(shorter) ? shorter : line;
      }
    }
    return line;
  }

  private static boolean fits(String line) {
    return line.getBytes(StandardCharsets.UTF_8).length <= RankAccount.LINE_BYTES;
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

  /** Records that the calling thread has stopped waiting. */
  void onAwake(long moves) {
    if (used != 0) {
      remove(moves);
    }
  }

  private synchronized void remove(long moves) {
    Entry own = find();
    if (own != null) {
      boolean wasLong = own.call != null;
      own.thread = null;
      own.op = null;
      own.condition = null;
      own.call = null;
      own.line = null;
      used = used - 1;
      if (wasLong) {
        write(moves);
      }
    }
  }

  /** Returns whether a thread waits, perhaps not for long yet. Racy. */
  boolean isAnyWaiting() {
    return used != 0;
  }

  /** Writes the place of the program into the account, or removes it from there. */
  synchronized void setPlace(RankAccount.Place found) {
    if (!found.isKnown() && !place.isKnown()) {
      return;
    }
    boolean isSame = found.text().equals(place.text()) && found.isBlocked() == place.isBlocked();
    place = isSame ? place : found;
    if (!isSame || System.nanoTime() - writtenAt > AGAIN_NANOS) {
      write(lastMoves);
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
    lastMoves = moves;
    if (!lock.tryLock()) {
      writtenAt = System.nanoTime() - AGAIN_NANOS; // soon
      isWritten = true;
      return;
    }
    try {
      List<RankAccount.Wait> waits = new ArrayList<>();
      for (Entry entry : entries) {
        if (entry.call != null) {
          waits.add(waitOf(entry));
        }
      }
      waits.sort(Comparator.comparingLong(RankAccount.Wait::since));
      AccountBuilder builder = new AccountBuilder();
      traffic.list(builder);
      channels.list(builder);
      AccountBlock.write(block, builder.build(waits, moves, waits.isEmpty() ? place : RankAccount.Place.UNKNOWN));
      writtenAt = System.nanoTime();
      isWritten = true;
    } finally {
      lock.unlock(false);
    }
  }

  private RankAccount.Wait waitOf(Entry entry) {
    WaitNote note = new WaitNote();
    try {
      if (entry.op != null) {
        entry.op.describe(note);
      }
      if (note.kind() == WaitNote.Kind.OTHER && entry.condition instanceof WaitSubject subject) {
        subject.describe(note);
      }
      addCall(note);
    } catch (RuntimeException e) {
      note = new WaitNote(); // the operation has ended meanwhile
    }
    Collective collective = note.collective();
    return new RankAccount.Wait(
        entry.call, entry.line, RankAccount.Kind.values()[note.kind().ordinal()], note.peer(), note.tag(),
        note.context(), note.bytes(), collective == null ? -1 : collective.ordinal(), note.root(), entry.since);
  }

  /**
   * A message in another context than that of the program's messages is part of a collective call, and one in a
   * context of a window part of its synchronization.
   */
  private void addCall(WaitNote note) {
    Channel channel = note.context() == -1 ? null : channels.of(note.context());
    if (channel == null || note.collective() != null) {
      return;
    }
    EpochSource window = channel.epochs();
    if (window != null) {
      window.describe(note);
    }
    if (note.context() != channel.pointToPoint()) {
      channel.describeCall(note.context(), note.tag(), note);
    }
  }
}
