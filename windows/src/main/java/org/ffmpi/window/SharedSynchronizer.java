// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import java.util.function.BooleanSupplier;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Collective;
import org.ffmpi.spi.CollectiveCall;
import org.ffmpi.spi.CollectiveForm;
import org.ffmpi.spi.SharedMemory;

/** Synchronization by words in shared memory, see {@link SyncLayout}: nobody is asked, and who waits is woken. */
final class SharedSynchronizer implements Synchronizer {
  private final WindowState state;
  private final Channel channel;
  private final SharedMemory shared;
  /** Addresses of the blocks of all ranks. */
  private final long[] blocks;
  private final SharedLocks locks;
  private final int rank;
  /** How many posts of each target have been used up. */
  private final long[] usedPosts;
  private long usedCompletes;

  SharedSynchronizer(WindowState state, SharedMemory shared, long[] blocks) {
    this.state = state;
    this.channel = state.channel;
    this.shared = shared;
    this.blocks = blocks;
    this.locks = new SharedLocks(channel, shared, blocks);
    this.rank = channel.rank();
    this.usedPosts = new long[channel.size()];
  }

  @Override
  public void barrier() {
    if (channel.size() > 1) {
      CollectiveCall call = new CollectiveCall().begin(Collective.BARRIER);
      state.world.collectives().call(channel, call, CollectiveForm.BLOCKING);
    }
  }

  // ---- post and complete

  @Override
  public void post(int origin) {
    SyncLayout.incrementPosts(blocks[origin], rank);
    wake(origin);
  }

  @Override
  public void awaitPost(int target) {
    long wanted = usedPosts[target] + 1;
    if (SyncLayout.getAcquirePosts(blocks[rank], target) < wanted) {
      await(target, () -> SyncLayout.getAcquirePosts(blocks[rank], target) >= wanted);
    }
    usedPosts[target] = wanted;
  }

  @Override
  public void skipPost(int target) {
    usedPosts[target]++;
  }

  @Override
  public void complete(int target) {
    SyncLayout.incrementCompletes(blocks[target]);
    wake(target);
  }

  @Override
  public void awaitCompletes(int[] origins) {
    long wanted = usedCompletes + origins.length;
    if (SyncLayout.getAcquireCompletes(blocks[rank]) < wanted) {
      await(-1, () -> SyncLayout.getAcquireCompletes(blocks[rank]) >= wanted);
    }
    usedCompletes = wanted;
  }

  @Override
  public boolean testCompletes(int[] origins) {
    if (SyncLayout.getAcquireCompletes(blocks[rank]) < usedCompletes + origins.length) {
      state.engine.progress();
      return false;
    }
    usedCompletes += origins.length;
    return true;
  }

  // ---- locks

  @Override
  public void lock(int target, boolean exclusive) {
    locks.lock(target, exclusive);
  }

  @Override
  public void unlock(int target, boolean exclusive) {
    locks.unlock(target, exclusive);
  }

  // ---- waiting

  /**
   * Waits for a word; a rank other than -1 is the only one that would change it. The condition must only look: it is
   * asked again after it has held.
   */
  private void await(int whom, BooleanSupplier condition) {
    shared.await(() -> {
      if (condition.getAsBoolean()) {
        return true;
      }
      if (whom >= 0 && whom != rank && shared.isGone(channel.peer(whom)) && !condition.getAsBoolean()) {
        throw shared.goneError(channel.peer(whom));
      }
      return false;
    });
  }

  private void wake(int other) {
    if (other != rank) {
      shared.wake(channel.peer(other));
    }
  }
}
