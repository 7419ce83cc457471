// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.ffmpi.base.Settings;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.RunSettings;

/**
 * What collectives keep for one communicator of one rank: the schedules of recent calls and an idle execution. Does not
 * refer to the channel, by whose life its own is bounded.
 */
final class ChannelState implements Channel.Attachment, ExecutionHome {
  private static final VarHandle IDLE;

  static {
    try {
      IDLE = MethodHandles.lookup().findVarHandle(ChannelState.class, "idle", Execution.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** One is enough: a communicator has at most one blocking collective call at a time. */
  private Execution idle;

  /** A look for messages costs half of what a short call does; a power of two. */
  private static final int CALLS_PER_PROGRESS = 16;

  private final boolean mayHaveBoard;

  /** Many communicators are made for one or two calls, which are not worth a board. */
  private final int callsBeforeBoard;

  private int calls;
  private int callsOnBoard;

  /** Set by a blocking call, which no other call of this communicator may run beside. */
  private volatile Board board;

  final ScheduleCache schedules;
  private final ScratchPool scratch;

  ChannelState(Channel channel, ScratchPool scratch) {
    Settings settings = channel.engine().settings();
    this.schedules = new ScheduleCache(channel.rank(), channel.size(),
        new ScheduleMaker(new Selector(settings), channel.rank(), CollectiveSettings.SEGMENT.get(settings)));
    this.scratch = scratch;
    this.callsBeforeBoard = CollectiveSettings.BOARD_AFTER.get(settings);
    this.mayHaveBoard = callsBeforeBoard >= 0 && channel.local() == channel.remote() && channel.size() > 1
        && channel.engine().sharedMemory() != null
        && RunSettings.CHECK.get(settings) != RunSettings.Check.FULL; // which compares by messages
  }

  @Override
  public Board board() {
    return board;
  }

  /** Tells whether the communicator's calls, persistent ones too, may use boards at all. */
  boolean mayHaveBoard() {
    return mayHaveBoard;
  }

  /** Counts a blocking call; true when the time has come to make a board, at the same call on all ranks. */
  boolean countCall() {
    return mayHaveBoard && ++calls == Math.max(1, callsBeforeBoard);
  }

  void board(Board made) {
    board = made;
  }

  /** The board goes when the calls in flight are over. */
  @Override
  public void channelClosed() {
    Board used = board;
    if (used != null) {
      board = null;
      used.close();
    }
  }

  /** Makes the scratch memory that all communicators of one rank share. */
  static ScratchPool poolFor(Engine engine) {
    Settings settings = engine.settings();
    return new ScratchPool(
        CollectiveSettings.SCRATCH_SHARED.get(settings), CollectiveSettings.SCRATCH.get(settings));
  }

  @Override
  public void progressNowAndThen(Engine engine) {
    if ((++callsOnBoard & CALLS_PER_PROGRESS - 1) == 0) {
      engine.progress();
    }
  }

  /** Returns an execution that is not in use. */
  Execution acquire() {
    Execution execution = (Execution) IDLE.getAndSet(this, (Execution) null);
    return execution != null ? execution : new Execution(this, scratch);
  }

  @Override
  public void release(Execution execution) {
    IDLE.setRelease(this, execution);
  }
}
