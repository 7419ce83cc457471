// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;

/**
 * Gives the lock of this rank's part to ranks that request it by messages: it draws tickets of {@link PartLock} for
 * them in the order of their requests. Ranks of this node may acquire the same lock themselves. Used by one thread at a
 * time.
 */
final class LockQueue {
  private final Channel channel;
  private final long context;
  /** Wakes the ranks that acquire the lock themselves; null where all ranks send requests. */
  private final SharedLocks sharers;
  /** Keeps a word in private memory alive; null where the word is in a synchronization block. */
  @SuppressWarnings("unused")
  private final MemorySegment privateWord;
  private final long word;
  private final ArrayDeque<Waiter> waiters = new ArrayDeque<>();

  /** A rank whose ticket has not acquired the lock. */
  private record Waiter(int peer, int tag, boolean exclusive, long ticket) {}

  private LockQueue(Channel channel, SharedLocks sharers, MemorySegment privateWord, long word) {
    this.channel = channel;
    this.context = WindowContexts.answers(channel);
    this.sharers = sharers;
    this.privateWord = privateWord;
    this.word = word;
  }

  /** Returns the lock of a part that all ranks request by messages. */
  static LockQueue ofPrivateWord(Channel channel) {
    MemorySegment word = Arena.ofAuto().allocate(Long.BYTES, Long.BYTES);
    return new LockQueue(channel, null, word, Raw.address(word));
  }

  /**
   * Returns the lock of a part that ranks of this node acquire themselves.
   *
   * @param block address of the part's synchronization block
   */
  static LockQueue ofSharedWord(Channel channel, SharedLocks sharers, long block) {
    return new LockQueue(channel, sharers, null, SyncLayout.lockAddress(block));
  }

  /** Grants the lock to a rank now, or once its ticket has acquired it. */
  void request(int peer, int tag, boolean exclusive) {
    long ticket = PartLock.acquireOrQueue(word, exclusive);
    if (ticket == PartLock.ACQUIRED) {
      grant(peer, tag, exclusive);
    } else {
      waiters.add(new Waiter(peer, tag, exclusive, ticket));
    }
  }

  /** Grants the lock to those whose tickets have acquired it; returns whether there were any. */
  boolean grantAcquired() {
    boolean granted = false;
    for (Waiter next = waiters.peek(); next != null && PartLock.isAcquired(word, next.ticket, next.exclusive);
        next = waiters.peek()) {
      waiters.remove();
      if (!next.exclusive) {
        PartLock.admitNextShared(word, next.ticket);
      }
      grant(next.peer, next.tag, next.exclusive);
      granted = true;
    }
    return granted;
  }

  private void grant(int peer, int tag, boolean exclusive) {
    channel.engine().isend(
        Engine.STANDARD, Memory.BYTES, new byte[0], 0, 0, PartService.BYTE, peer, context, tag);
    if (!exclusive && sharers != null && PartLock.hasFollowers(word)) {
      sharers.wakeAll();
    }
  }

  /** Releases the lock for a rank to which it was granted. */
  void release(boolean exclusive) {
    if (PartLock.release(word, exclusive) && sharers != null) {
      sharers.wakeAll();
    }
    grantAcquired();
  }
}
