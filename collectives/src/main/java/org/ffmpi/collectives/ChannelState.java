// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.ffmpi.base.Settings;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;

/**
 * What collectives keep for one communicator of one rank: the schedules of recent calls and an idle execution. Does not
 * refer to the channel, by whose life its own is bounded.
 */
final class ChannelState {
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

  final ScheduleCache schedules;
  private final ScratchPool scratch;

  ChannelState(Channel channel, ScratchPool scratch) {
    Settings settings = channel.engine().settings();
    this.schedules = new ScheduleCache(
        new Selector(settings), channel.rank(), channel.size(), CollectiveSettings.SEGMENT.get(settings));
    this.scratch = scratch;
  }

  /** Makes the scratch memory that all communicators of one rank share. */
  static ScratchPool poolFor(Engine engine) {
    Settings settings = engine.settings();
    return new ScratchPool(
        CollectiveSettings.SCRATCH_SHARED.get(settings), CollectiveSettings.SCRATCH.get(settings));
  }

  /** Returns an execution that nobody uses. */
  Execution take() {
    Execution execution = (Execution) IDLE.getAndSet(this, (Execution) null);
    return execution != null ? execution : new Execution(this, scratch);
  }

  /** Takes back an execution that ended well and that nobody else has seen. */
  void give(Execution execution) {
    IDLE.setRelease(this, execution);
  }
}
