// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.file.pointer;

import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.process.World;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.SharedMemory;

/**
 * The words of a file whose ranks share memory, see {@link SharedWordLayout}. A lock that many share and few want for
 * themselves: to share it is an addition to a word of the rank's own. Who waits sleeps for short times, since the lock
 * is held while the system copies some hundred kilobytes. The lock of a rank that has gone is taken from it.
 */
public final class MemoryWords implements SharedWords {
  private static final int SPINS = 100;
  private static final long NAP_NANOS = 20_000;

  private final World world;
  private final Channel channel;
  private final SharedMemory memory;
  private final MemorySegment kept;
  private final long block;
  private final int rank;
  private final long self;
  /** Threads of this rank take turns for the lock. */
  private final ReentrantLock threads = new ReentrantLock();

  /**
   * Creates the words at one rank.
   *
   * @param kept the memory, of {@link #bytes} bytes, zero when the file was opened
   */
  public MemoryWords(World world, Channel channel, SharedMemory memory, MemorySegment kept) {
    this.world = world;
    this.channel = channel;
    this.memory = memory;
    this.kept = kept;
    this.block = Raw.address(kept);
    this.rank = channel.rank();
    this.self = channel.peer(rank) + 1L;
  }

  /** Returns how much memory the words of some ranks need. */
  public static long bytes(int ranks) {
    return SharedWordLayout.bytes(ranks);
  }

  @Override
  public boolean isForAllThreads() {
    return true;
  }

  @Override
  public boolean isCheap() {
    return true;
  }

  @Override
  public void share() {
    for (int tries = 0; ; tries++) {
      SharedWordLayout.addShares(block, rank, 1);
      long owner = SharedWordLayout.getOwner(block);
      if (owner == 0 || isGone(owner)) {
        return;
      }
      SharedWordLayout.addShares(block, rank, -1);
      pause(tries);
    }
  }

  @Override
  public void unshare() {
    SharedWordLayout.addShares(block, rank, -1);
    Reference.reachabilityFence(kept);
  }

  @Override
  public void lock() {
    threads.lock();
    boolean owns = false;
    try {
      for (int tries = 0; !owns; tries++) {
        long owner = SharedWordLayout.getOwner(block);
        owns = (owner == 0 || isGone(owner)) && SharedWordLayout.casOwner(block, owner, self);
        if (!owns) {
          pause(tries);
        }
      }
      for (int tries = 0; isShared(); tries++) {
        pause(tries);
      }
    } catch (RuntimeException e) {
      if (owns) {
        SharedWordLayout.releaseOwner(block);
      }
      threads.unlock();
      throw e;
    }
  }

  private boolean isShared() {
    for (int r = 0; r < channel.size(); r++) {
      if (SharedWordLayout.getShares(block, r) != 0 && !memory.isGone(channel.peer(r))) {
        return true;
      }
    }
    return false;
  }

  private boolean isGone(long owner) {
    return owner != self && memory.isGone((int) (owner - 1));
  }

  private void pause(int tries) {
    if (tries < SPINS) {
      Thread.onSpinWait();
      return;
    }
    MpiException ended = world.hasEnded() ? world.endedError() : null;
    if (ended != null) {
      throw ended;
    }
    LockSupport.parkNanos(NAP_NANOS);
  }

  @Override
  public void unlock() {
    SharedWordLayout.releaseOwner(block);
    threads.unlock();
    Reference.reachabilityFence(kept);
  }

  @Override
  public long pointer() {
    return SharedWordLayout.getPointer(block);
  }

  @Override
  public long advance(long etypes) {
    return SharedWordLayout.addPointer(block, etypes);
  }

  @Override
  public void move(long etypes) {
    SharedWordLayout.putPointer(block, etypes);
  }

  @Override
  public void close() {
    // The memory goes back to the job when it is garbage.
  }
}
