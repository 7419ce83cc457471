// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import java.util.function.BooleanSupplier;
import org.ffmpi.base.MpiException;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.SharedMemory;
import org.ffmpi.spi.WaitNote;
import org.ffmpi.spi.WaitSubject;

/** Acquires and releases the locks of parts by their words in shared memory, see {@link PartLock}. */
final class SharedLocks {
  private final Channel channel;
  private final SharedMemory shared;
  /** Addresses of the synchronization blocks of all ranks; 0 for those on other nodes. */
  private final long[] blocks;

  SharedLocks(Channel channel, SharedMemory shared, long[] blocks) {
    this.channel = channel;
    this.shared = shared;
    this.blocks = blocks;
  }

  /** Returns whether this rank reaches the lock of a part. */
  boolean reaches(int target) {
    return blocks[target] != 0;
  }

  /** Acquires the lock of a part; waits for its ticket, unless a rank of the window has died. */
  void lock(int target, boolean exclusive) {
    long word = SyncLayout.lockAddress(blocks[target]);
    long ticket = PartLock.acquireOrQueue(word, exclusive);
    if (ticket != PartLock.ACQUIRED) {
      shared.await(new TicketWait(channel, target, word, ticket, exclusive));
      if (!exclusive) {
        PartLock.admitNextShared(word, ticket);
      }
    }
    if (!exclusive && PartLock.hasFollowers(word)) {
      wakeAll();
    }
  }

  /** A wait for the turn of a ticket. */
  private record TicketWait(Channel channel, int target, long word, long ticket, boolean exclusive)
      implements BooleanSupplier, WaitSubject {
    @Override
    public boolean getAsBoolean() {
      return SharedLocks.isAcquired(channel, word, ticket, exclusive);
    }

    @Override
    public void describe(WaitNote note) {
      note.epoch(
          WaitNote.Kind.LOCK, channel.peer(target), channel.pointToPoint(),
          exclusive ? WaitNote.EXCLUSIVE : WaitNote.SHARED);
    }
  }

  /** Throws when a rank has died; the ticket stays, and no later one acquires the lock. */
  private static boolean isAcquired(Channel channel, long word, long ticket, boolean exclusive) {
    if (PartLock.isAcquired(word, ticket, exclusive)) {
      return true;
    }
    MpiException failure = WindowState.memberFailure(channel);
    if (failure != null && !PartLock.isAcquired(word, ticket, exclusive)) {
      throw failure;
    }
    return failure != null;
  }

  /** Releases the lock of a part. Returns whether a ticket waits for it. */
  boolean unlock(int target, boolean exclusive) {
    boolean awaited = PartLock.release(SyncLayout.lockAddress(blocks[target]), exclusive);
    if (awaited) {
      wakeAll();
    }
    return awaited;
  }

  /** Wakes all ranks that may wait for a lock, this one included: another of its threads may wait. */
  void wakeAll() {
    for (int rank = 0; rank < blocks.length; rank++) {
      if (reaches(rank)) {
        shared.wake(channel.peer(rank));
      }
    }
  }
}
