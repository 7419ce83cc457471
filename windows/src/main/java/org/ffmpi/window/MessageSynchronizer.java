// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import java.util.Arrays;
import org.ffmpi.base.Constants;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Choices;
import org.ffmpi.spi.Collective;
import org.ffmpi.spi.CollectiveCall;
import org.ffmpi.spi.CollectiveForm;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Operation;
import org.ffmpi.spi.WaitNote;

/**
 * Synchronization by messages, for ranks that do not all share memory. Posts and completions are empty messages to the
 * ranks that wait for them. Locks of parts on this node are acquired in shared memory, others requested of their owner
 * ({@link LockQueue}).
 */
final class MessageSynchronizer implements Synchronizer {
  private static final int POST = Integer.MAX_VALUE;
  private static final int COMPLETE = Integer.MAX_VALUE - 1;
  private static final int LOCK = Integer.MAX_VALUE - 2;

  private final WindowState state;
  private final Channel channel;
  private final Engine engine;
  private final long context;
  /** Locks of parts on this node; null without shared memory. */
  private final SharedLocks near;
  /** Number of posts of each target that were not waited for (MPI_MODE_NOCHECK); their messages are still to come. */
  private final int[] skipped;
  /** Receives of the completions that are waited or tested for; null before the first call. */
  private Operation[] completing;

  /**
   * Creates the synchronizer.
   *
   * @param near locks of parts on this node; null without shared memory
   */
  MessageSynchronizer(WindowState state, SharedLocks near) {
    this.state = state;
    this.near = near;
    this.channel = state.channel;
    this.engine = state.engine;
    this.context = WindowContexts.requests(channel);
    this.skipped = new int[channel.size()];
  }

  /** Describes the synchronization call that waits for one of these messages. */
  static void describe(Channel channel, WaitNote note) {
    // Not a switch: the JDK's ClassFile API reads none whose highest case is the largest int.
    int tag = note.tag();
    if (tag == POST) {
      note.epoch(WaitNote.Kind.POST, note.peer(), channel.pointToPoint(), Constants.ANY_TAG);
    } else if (tag == COMPLETE) {
      note.epoch(WaitNote.Kind.COMPLETES, note.peer(), channel.pointToPoint(), 1);
    } else if (tag == LOCK) {
      note.epoch(WaitNote.Kind.LOCK, note.peer(), channel.pointToPoint(), Constants.ANY_TAG);
    }
  }

  /** Returns whether a message with this tag grants a lock. */
  static boolean isGrant(int tag) {
    return tag == LOCK;
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
    send(origin, POST);
  }

  @Override
  public void awaitPost(int target) {
    for (; skipped[target] >= 0; skipped[target]--) {
      receive(target, POST);
    }
    skipped[target] = 0;
  }

  @Override
  public void skipPost(int target) {
    skipped[target]++;
  }

  @Override
  public void complete(int target) {
    send(target, COMPLETE);
  }

  @Override
  public void awaitCompletes(int[] origins) {
    try {
      for (Operation receive : startCompletes(origins)) {
        finish(receive);
      }
    } finally {
      completing = null;
    }
  }

  @Override
  public boolean testCompletes(int[] origins) {
    Operation[] receives = startCompletes(origins);
    Choices choices = engine.choices();
    boolean all = true;
    if (choices != null) {
      all = choices.look(() -> areDone(receives));
    } else {
      for (Operation receive : receives) {
        all &= engine.test(receive);
      }
    }
    if (all) {
      awaitCompletes(origins);
    }
    return all;
  }

  /** Returns whether all operations are complete, after some progress if they are not. */
  private boolean areDone(Operation[] operations) {
    if (!Arrays.stream(operations).allMatch(Operation::isDone)) {
      engine.progress();
    }
    return Arrays.stream(operations).allMatch(Operation::isDone);
  }

  private Operation[] startCompletes(int[] origins) {
    if (completing == null) {
      completing = Arrays.stream(origins)
          .mapToObj(origin -> startReceive(origin, COMPLETE, context))
          .toArray(Operation[]::new);
    }
    return completing;
  }

  @Override
  public void close() {
    for (int i = 0; completing != null && i < completing.length; i++) {
      completing[i].cancel(); // a test has posted them, and the window is closed inside the epoch
    }
    for (int target = 0; target < skipped.length; target++) {
      for (; skipped[target] > 0; skipped[target]--) {
        receive(target, POST);
      }
    }
  }

  // ---- locks

  @Override
  public boolean isFar(int target) {
    return !isNear(target);
  }

  @Override
  public void lock(int target, boolean exclusive) {
    if (isNear(target)) {
      near.lock(target, exclusive);
      return;
    }
    Operation granted = startReceive(target, LOCK, WindowContexts.answers(channel));
    finish(startRequest(target, AccessRequest.LOCK, exclusive));
    finish(granted);
  }

  @Override
  public void unlock(int target, boolean exclusive) {
    if (isNear(target)) {
      if (near.unlock(target, exclusive) && target == channel.rank()) {
        engine.progress(); // grants it to a rank of another node that may wait for it
      }
    } else {
      finish(startRequest(target, AccessRequest.UNLOCK, exclusive));
    }
  }

  private boolean isNear(int target) {
    return near != null && near.reaches(target);
  }

  private Operation startRequest(int target, int kind, boolean exclusive) {
    AccessRequest request = new AccessRequest(kind, LOCK, channel.rank(), 0);
    if (exclusive) {
      request.flag(AccessRequest.EXCLUSIVE);
    }
    return engine.isend(Engine.STANDARD, Memory.BYTES, request.bytes(), 0, request.length(), PartService.BYTE,
        channel.peer(target), context, PartService.REQUEST_TAG);
  }

  // ---- empty messages

  private void send(int to, int tag) {
    finish(engine.isend(
        Engine.STANDARD, Memory.BYTES, new byte[0], 0, 0, PartService.BYTE, channel.peer(to), context, tag));
  }

  private void receive(int from, int tag) {
    finish(startReceive(from, tag, context));
  }

  private Operation startReceive(int from, int tag, long where) {
    return engine.irecv(Memory.BYTES, new byte[0], 0, 0, PartService.BYTE, channel.peer(from), where, tag);
  }

  private void finish(Operation operation) {
    if (operation == engine.completed()) {
      return;
    }
    engine.await(operation);
    if (operation.error() != null) {
      throw operation.error();
    }
    engine.release(operation);
  }
}
