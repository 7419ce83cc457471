// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import java.util.function.BooleanSupplier;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Collective;
import org.ffmpi.spi.CollectiveCall;
import org.ffmpi.spi.CollectiveForm;
import org.ffmpi.spi.SharedMemory;

/** Synchronization by words in shared memory ({@link SyncLayout}); ranks that may wait for a word are woken. */
final class SharedSynchronizer implements Synchronizer {
  private final WindowState state;
  private final Channel channel;
  private final SharedMemory shared;
  /** Addresses of the synchronization blocks of all ranks. */
  private final long[] blocks;
  private final SharedLocks locks;
  private final int rank;
  /** Number of posts of each target that epochs of this rank have consumed. */
  private final long[] consumedPosts;
  /** Number of completions that epochs of this rank have consumed. */
  private long consumedCompletes;

  SharedSynchronizer(WindowState state, SharedMemory shared, long[] blocks) {
    this.state = state;
    this.channel = state.channel;
    this.shared = shared;
    this.blocks = blocks;
    this.locks = new SharedLocks(channel, shared, blocks);
    this.rank = channel.rank();
    this.consumedPosts = new long[channel.size()];
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
    long wanted = consumedPosts[target] + 1;
    if (SyncLayout.getAcquirePosts(blocks[rank], target) < wanted) {
      await(target, () -> SyncLayout.getAcquirePosts(blocks[rank], target) >= wanted);
    }
    consumedPosts[target] = wanted;
  }

  @Override
  public void skipPost(int target) {
    consumedPosts[target]++;
  }

  @Override
  public void complete(int target) {
    SyncLayout.incrementCompletes(blocks[target]);
    wake(target);
  }

  @Override
  public void awaitCompletes(int[] origins) {
    long wanted = consumedCompletes + origins.length;
    if (SyncLayout.getAcquireCompletes(blocks[rank]) < wanted) {
      await(-1, () -> SyncLayout.getAcquireCompletes(blocks[rank]) >= wanted);
    }
    consumedCompletes = wanted;
  }

  @Override
  public boolean testCompletes(int[] origins) {
    if (SyncLayout.getAcquireCompletes(blocks[rank]) < consumedCompletes + origins.length) {
      state.engine.progress();
      return false;
    }
    consumedCompletes += origins.length;
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
   * Waits for a condition that only one rank can make true, or any if {@code whom} is -1. The condition must have no
   * side effects: it may be evaluated again after it was true.
   */
  private void await(int whom, BooleanSupplier condition) {
    shared.await(() -> {
      if (condition.getAsBoolean()) {
        return true;
      }
      if (whom >= 0 && whom != rank && shared.isGone(channel.peer(whom)) && !condition.getAsBoolean()) {
        throw shared.departureError(channel.peer(whom));
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
