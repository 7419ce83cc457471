// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import org.ffmpi.spi.Channel;
import org.ffmpi.spi.SharedMemory;

/** Takes and gives back the locks of parts by their words in shared memory, see {@link PartLock}. */
final class SharedLocks {
  private final Channel channel;
  private final SharedMemory shared;
  /** Addresses of the blocks of all ranks; 0 for those on other nodes. */
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

  /** Takes the lock of a part; waits for it in the order of all who want it. */
  void lock(int target, boolean exclusive) {
    long word = SyncLayout.lock(blocks[target]);
    long ticket = PartLock.enter(word, exclusive);
    if (ticket >= 0) {
      shared.await(() -> PartLock.isTurn(word, ticket, exclusive));
      if (!exclusive) {
        PartLock.letNextShare(word, ticket);
      }
    }
    if (!exclusive && PartLock.hasFollowers(word)) {
      wakeAll();
    }
  }

  /** Gives the lock of a part back. Returns whether somebody waits for it. */
  boolean unlock(int target, boolean exclusive) {
    boolean awaited = PartLock.leave(SyncLayout.lock(blocks[target]), exclusive);
    if (awaited) {
      wakeAll();
    }
    return awaited;
  }

  /** Wakes all who may wait for a lock, threads of this rank among them. */
  void wakeAll() {
    for (int rank = 0; rank < blocks.length; rank++) {
      if (reaches(rank)) {
        shared.wake(channel.peer(rank));
      }
    }
  }
}
