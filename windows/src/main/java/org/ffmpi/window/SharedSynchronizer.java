// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import java.util.function.BooleanSupplier;
import org.ffmpi.base.MpiException;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Collective;
import org.ffmpi.spi.CollectiveCall;
import org.ffmpi.spi.CollectiveForm;
import org.ffmpi.spi.Collectives;
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
  /** Number of completions of each origin that epochs of this rank have consumed. */
  private final long[] consumedCompletes;

  /** The barrier of the window's ranks, which has no arguments. */
  private final CollectiveCall barrier = new CollectiveCall().begin(Collective.BARRIER);

  /** Found by the first barrier. */
  private Collectives collectives;

  SharedSynchronizer(WindowState state, SharedMemory shared, long[] blocks) {
    this.state = state;
    this.channel = state.channel;
    this.shared = shared;
    this.blocks = blocks;
    this.locks = new SharedLocks(channel, shared, blocks);
    this.rank = channel.rank();
    this.consumedPosts = new long[channel.size()];
    this.consumedCompletes = new long[channel.size()];
  }

  @Override
  public void barrier() {
    if (channel.size() > 1) {
      if (collectives == null) {
        collectives = state.world.collectives();
      }
      collectives.call(channel, barrier, CollectiveForm.BLOCKING);
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
      await(WaitNote.Kind.POST, target, () -> SyncLayout.getAcquirePosts(blocks[rank], target) >= wanted);
    }
    consumedPosts[target] = wanted;
  }

  @Override
  public void skipPost(int target) {
    consumedPosts[target]++;
  }

  @Override
  public void complete(int target) {
    SyncLayout.incrementCompletes(blocks[target], rank);
    wake(target);
  }

  @Override
  public void awaitCompletes(int[] origins) {
    try {
      for (int origin : origins) {
        if (!hasCompleted(origin)) {
          await(WaitNote.Kind.COMPLETES, origin, () -> hasCompleted(origin));
        }
      }
    } finally {
      consume(origins);
    }
  }

  private boolean hasCompleted(int origin) {
    return SyncLayout.getAcquireCompletes(blocks[rank], origin) > consumedCompletes[origin];
  }

  /** Ends an exposure epoch; completions that come after an error belong to it, too. */
  private void consume(int[] origins) {
    for (int origin : origins) {
      consumedCompletes[origin]++;
    }
  }

  @Override
  public boolean testCompletes(int[] origins) {
    for (int origin : origins) {
      if (!hasCompleted(origin)) {
        state.engine.progress();
        MpiException reason = hopelessness(origin);
        if (reason != null && !hasCompleted(origin)) {
          consume(origins);
          throw reason;
        }
        return false;
      }
    }
    consume(origins);
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
   * Waits for a condition that only one rank can make true. The condition must have no side effects: it may be
   * evaluated again after it was true.
   */
  private void await(WaitNote.Kind kind, int whom, BooleanSupplier condition) {
    shared.await(new RankWait(kind, whom, condition));
  }

  /** A wait for the post of one rank, or for its complete. */
  private final class RankWait implements BooleanSupplier, WaitSubject {
    private final WaitNote.Kind kind;
    private final int whom;
    private final BooleanSupplier condition;

    RankWait(WaitNote.Kind kind, int whom, BooleanSupplier condition) {
      this.kind = kind;
      this.whom = whom;
      this.condition = condition;
    }

    @Override
    public boolean getAsBoolean() {
      if (condition.getAsBoolean()) {
        return true;
      }
      MpiException reason = hopelessness(whom);
      if (reason != null && !condition.getAsBoolean()) {
        throw reason;
      }
      return reason != null;
    }

    @Override
    public void describe(WaitNote note) {
      note.epoch(kind, channel.peer(whom), channel.pointToPoint(), 1);
    }
  }

  /** Returns why a rank may be waited for in vain, or null. */
  private MpiException hopelessness(int whom) {
    return whom != rank && shared.isGone(channel.peer(whom))
        ? shared.departureError(channel.peer(whom))
        : WindowState.memberFailure(channel);
  }

  private void wake(int other) {
    if (other != rank) {
      shared.wake(channel.peer(other));
    }
  }
}
