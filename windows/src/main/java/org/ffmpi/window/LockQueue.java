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
 * The lock of this rank's part for ranks that ask for it by messages: tickets of {@link PartLock} are taken for them,
 * in the order in which they ask. Ranks of this node may take the same lock by themselves. One thread at a time.
 */
final class LockQueue {
  private final Channel channel;
  private final long context;
  /** Null where nobody takes the lock by itself. */
  private final SharedLocks others;
  /** Holds the word where nobody else has it; null otherwise. */
  @SuppressWarnings("unused")
  private final MemorySegment kept;
  private final long word;
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();

  /** A rank whose turn it is not. */
  private record Waiting(int peer, int tag, boolean exclusive, long ticket) {}

  private LockQueue(Channel channel, SharedLocks others, MemorySegment kept, long word) {
    this.channel = channel;
    this.context = channel.partitioned();
    this.others = others;
    this.kept = kept;
    this.word = word;
  }

  /** Returns the lock of a part for which all ranks ask by messages. */
  static LockQueue own(Channel channel) {
    MemorySegment word = Arena.ofAuto().allocate(Long.BYTES, Long.BYTES);
    return new LockQueue(channel, null, word, Raw.address(word));
  }

  /**
   * Returns the lock of a part that ranks of this node take by themselves.
   *
   * @param block address of the part's synchronization block
   */
  static LockQueue shared(Channel channel, SharedLocks others, long block) {
    return new LockQueue(channel, others, null, SyncLayout.lock(block));
  }

  /** Gives the lock to a rank now, or when it is its turn. */
  void ask(int peer, int tag, boolean exclusive) {
    long ticket = PartLock.enter(word, exclusive);
    if (ticket < 0) {
      grant(peer, tag, exclusive);
    } else {
      waiting.add(new Waiting(peer, tag, exclusive, ticket));
    }
  }

  /** Gives the lock to those whose turn has come; returns whether it was anybody's. */
  boolean goOn() {
    boolean moved = false;
    for (Waiting next = waiting.peek(); next != null && PartLock.isTurn(word, next.ticket, next.exclusive);
        next = waiting.peek()) {
      waiting.remove();
      if (!next.exclusive) {
        PartLock.letNextShare(word, next.ticket);
      }
      grant(next.peer, next.tag, next.exclusive);
      moved = true;
    }
    return moved;
  }

  private void grant(int peer, int tag, boolean exclusive) {
    channel.engine().isend(
        Engine.STANDARD, Memory.BYTES, new byte[0], 0, 0, PartService.BYTE, peer, context, tag);
    if (!exclusive && others != null && PartLock.hasFollowers(word)) {
      others.wakeAll();
    }
  }

  /** Gives back the lock that a rank has been given. */
  void leave(boolean exclusive) {
    if (PartLock.leave(word, exclusive) && others != null) {
      others.wakeAll();
    }
    goOn();
  }
}
