// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.WeakHashMap;
import org.ffmpi.base.Incident;
import org.ffmpi.base.Settings;
import org.ffmpi.collectives.execute.Execution;
import org.ffmpi.collectives.execute.ExecutionOwner;
import org.ffmpi.collectives.execute.FlatExchange;
import org.ffmpi.collectives.execute.ScratchPool;
import org.ffmpi.collectives.region.Region;
import org.ffmpi.collectives.schedule.RanksByNode;
import org.ffmpi.collectives.schedule.ScheduleCache;
import org.ffmpi.collectives.select.CollectiveSettings;
import org.ffmpi.collectives.select.ScheduleMaker;
import org.ffmpi.collectives.select.Selector;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Incidents;
import org.ffmpi.spi.Operation;
import org.ffmpi.spi.ReceiveException;
import org.ffmpi.spi.WaitNote;

/**
 * The state of one rank's collectives on one communicator: the schedules of recent calls, an idle execution and the
 * region. It holds no reference to the channel, whose life bounds its own.
 */
final class ChannelState implements Channel.Attachment, ExecutionOwner {
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

  /** A poll for messages costs half of what a short call does; a power of two. */
  static final int CALLS_PER_PROGRESS = 16;

  private final boolean mayHaveRegion;

  /** Many communicators are made for one or two calls, which are not worth a region. */
  private final int callsBeforeRegion;

  private int calls;

  /** Blocking calls in the region; each {@link #CALLS_PER_PROGRESS}th makes progress on everything else. */
  int callsInRegion;

  /**
   * The last call by messages since there is a region: the low half of its number there, and its tag. Threads that wait
   * for messages read it; a race costs a diagnosis, and so accesses are plain.
   */
  private long byMessages = -1;

  /** Set by a blocking call, which no other call of this communicator may run beside. */
  private volatile Region region;

  /** The way of short blocking calls; null without a region, and where choices are reported with their schedules. */
  volatile FlatExchange exchange;

  /** What stands for a call that is complete. */
  final Operation completed;

  final ScheduleCache schedules;
  private final ScheduleMaker maker;
  private final ScratchPool scratch;

  /** The reachable executions, to describe what a call waits for; guarded by itself. */
  private final WeakHashMap<Execution, Void> made = new WeakHashMap<>();

  ChannelState(Channel channel, ScratchPool scratch) {
    Settings settings = channel.engine().settings();
    this.maker =
        new ScheduleMaker(new Selector(settings), channel.rank(), CollectiveSettings.SEGMENT.get(settings));
    this.schedules = new ScheduleCache(
        channel.rank(), channel.size(), spread(channel), new ReportingMaker(maker, channel));
    this.scratch = scratch;
    this.completed = channel.engine().completed();
    this.callsBeforeRegion = CollectiveSettings.REGION_AFTER.get(settings);
    this.mayHaveRegion = callsBeforeRegion >= 0 && channel.local() == channel.remote() && channel.size() > 1
        && channel.engine().sharedMemory() != null && channel.engine().sharedMemory().reachesAll(channel);
  }

  /** Returns the distribution of a group's ranks over nodes; null where that makes no difference. */
  private static RanksByNode spread(Channel channel) {
    boolean between = channel.local() != channel.remote();
    return between ? null
        : RanksByNode.of(channel.size(), rank -> channel.engine().node(channel.local().peer(rank)));
  }

  @Override
  public Region region() {
    return region;
  }

  @Override
  public boolean hasRegion() {
    return region != null;
  }

  /** Returns whether the communicator's calls, persistent ones too, may use regions at all. */
  boolean mayHaveRegion() {
    return mayHaveRegion;
  }

  /** Counts a blocking call; true when the time has come to make a region, at the same call on all ranks. */
  boolean countCall() {
    return mayHaveRegion && ++calls == Math.max(1, callsBeforeRegion);
  }

  @Override
  public void recordMessageCall(long number, int tag) {
    byMessages = number << Integer.SIZE | tag;
  }

  @Override
  public ReceiveException findOtherCall(long context, int tag) {
    Region used = region;
    long last = byMessages;
    return used != null && (int) last == tag
        ? used.findOtherCall((int) (last >>> Integer.SIZE), context)
        : null;
  }

  /** Sets the communicator's region; null when there is no memory for one. */
  void region(Region made, Channel channel) {
    region = made;
    if (made != null && !maker.isExplaining()) {
      exchange = exchange(made, channel);
    }
    Incidents incidents = channel.engine().incidents();
    if (made != null && incidents != null) {
      incidents.raise(Incident.REGION_MADE, channel, made.bytes(), channel.size(), 0);
    }
  }

  /** Returns the bytes of the region; 0 without a region. */
  long regionBytes() {
    Region used = region;
    return used == null ? 0 : used.bytes();
  }

  /** Returns a way of short calls over a region of the communicator. */
  FlatExchange exchange(Region used, Channel channel) {
    int ranks = channel.size();
    return new FlatExchange(used, channel,
        operation -> maker.selector().mostInOneRound(operation, ranks, Region.capacity(ranks)));
  }

  /** Closes the region, which ends with the calls in flight. */
  @Override
  public void channelClosed() {
    Region used = region;
    if (used != null) {
      region = null;
      exchange = null;
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
  public void describeCall(long context, int tag, WaitNote note) {
    synchronized (made) {
      for (Execution execution : made.keySet()) {
        if (execution.isOf(context, tag)) {
          execution.describe(note);
          return;
        }
      }
    }
  }

  @Override
  public void progressPeriodically(Engine engine) {
    if ((++callsInRegion & CALLS_PER_PROGRESS - 1) == 0) {
      engine.progress();
    }
  }

  /** Returns an execution that is not in use. */
  Execution acquire() {
    Execution execution = (Execution) IDLE.getAndSet(this, (Execution) null);
    return execution != null ? execution : make();
  }

  private Execution make() {
    Execution execution = new Execution(this, scratch);
    synchronized (made) {
      made.put(execution, null);
    }
    return execution;
  }

  @Override
  public void release(Execution execution) {
    IDLE.setRelease(this, execution);
  }
}
