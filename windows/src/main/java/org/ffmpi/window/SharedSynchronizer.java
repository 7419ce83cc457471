// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.ffmpi.base.Constants;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Collective;
import org.ffmpi.spi.CollectiveCall;
import org.ffmpi.spi.CollectiveForm;
import org.ffmpi.spi.SharedMemory;
import org.ffmpi.spi.WaitNote;
import org.ffmpi.spi.WaitSubject;

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
      await(target, wanted, () -> SyncLayout.getAcquirePosts(blocks[rank], target));
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
      await(-1, wanted, () -> SyncLayout.getAcquireCompletes(blocks[rank]));
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
   * Waits until a count is reached: that of the posts of one rank, or that of completions if {@code whom} is -1.
   * Reading it must have no side effects: that may happen again after the count was reached.
   */
  private void await(int whom, long wanted, LongSupplier count) {
    shared.await(new CountWait(whom, wanted, count));
  }

  /** A wait for posts or completions. */
  private final class CountWait implements BooleanSupplier, WaitSubject {
    private final int whom;
    private final long wanted;
    private final LongSupplier count;

    CountWait(int whom, long wanted, LongSupplier count) {
      this.whom = whom;
      this.wanted = wanted;
      this.count = count;
    }

    @Override
    public boolean getAsBoolean() {
      if (count.getAsLong() >= wanted) {
        return true;
      }
      if (whom >= 0 && whom != rank && shared.isGone(channel.peer(whom)) && count.getAsLong() < wanted) {
        throw shared.departureError(channel.peer(whom));
      }
      return false;
    }

    @Override
    public void describe(WaitNote note) {
      WaitNote.Kind kind = whom < 0 ? WaitNote.Kind.COMPLETES : WaitNote.Kind.POST;
      int missing = (int) Math.max(0, wanted - count.getAsLong());
      note.epoch(kind, whom < 0 ? Constants.ANY_SOURCE : channel.peer(whom), channel.pointToPoint(), missing);
    }
  }

  private void wake(int other) {
    if (other != rank) {
      shared.wake(channel.peer(other));
    }
  }
}
