// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Function;
import org.ffmpi.base.Measure;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.collectives.execute.Execution;
import org.ffmpi.collectives.execute.FlatExchange;
import org.ffmpi.collectives.execute.FlatPersistent;
import org.ffmpi.collectives.execute.PersistentCall;
import org.ffmpi.collectives.execute.Place;
import org.ffmpi.collectives.execute.ScratchPool;
import org.ffmpi.collectives.region.OwnedRegions;
import org.ffmpi.collectives.region.Region;
import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.Counts;
import org.ffmpi.collectives.schedule.Schedule;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.datatype.reduce.ReduceKernel;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Collective;
import org.ffmpi.spi.CollectiveCall;
import org.ffmpi.spi.CollectiveForm;
import org.ffmpi.spi.Collectives;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.FlatBuffer;
import org.ffmpi.spi.Gauge;
import org.ffmpi.spi.Operation;

/**
 * The provider of collective operations. It carries out short blocking calls of ranks with a region by a
 * {@link FlatExchange}, and all others as schedules of messages and local steps. One object serves all communicators
 * and all ranks of a JVM; any thread may call.
 */
public final class ScheduledCollectives implements Collectives {
  private final WeakTable<Engine, ScratchPool> pools = new WeakTable<>() {
    @Override
    ScratchPool make(Engine engine) {
      return ChannelState.poolFor(engine);
    }
  };

  private final WeakTable<Engine, OwnedRegions> regions = new WeakTable<>() {
    @Override
    OwnedRegions make(Engine engine) {
      OwnedRegions made = new OwnedRegions();
      Region.CLEANER.register(engine, made::close);
      return made;
    }
  };

  private final Function<Channel, ChannelState> newState =
      channel -> new ChannelState(channel, pools.of(channel.engine()));

  /** Creates the provider; {@link java.util.ServiceLoader} does. */
  public ScheduledCollectives() {}

  @Override
  public Operation call(Channel channel, CollectiveCall call, CollectiveForm form) {
    ChannelState state = channel.attachment(newState);
    switch (form) {
      case BLOCKING -> {
        FlatExchange exchange = state.exchange;
        FlatExchange.Result result = exchange == null ? FlatExchange.Result.REFUSED : exchange.run(channel, call);
        if (result == FlatExchange.Result.REFUSED) {
          run(channel, bind(channel, call));
        } else if (result == FlatExchange.Result.BLOCKS_LEFT) {
          runRest(state, channel, call, exchange);
        } else if ((++state.callsInRegion & ChannelState.CALLS_PER_PROGRESS - 1) == 0) {
          channel.engine().progress();
        }
        return state.completed;
      }
      case NONBLOCKING -> {
        Execution execution = bind(channel, call);
        execution.begin();
        return execution;
      }
      default -> {
        return persist(channel, call);
      }
    }
  }

  @Override
  public String algorithm(Channel channel, CollectiveCall call) {
    ChannelState state = channel.attachment(newState);
    FlatExchange exchange = state.exchange;
    return exchange != null && exchange.accepts(call) ? FlatExchange.NAME : schedule(state, channel, call).algorithm;
  }

  /** Carries out what an exchange has left. */
  private static void runRest(ChannelState state, Channel channel, CollectiveCall call, FlatExchange exchange) {
    Execution execution = state.acquire();
    Schedule schedule = schedule(state, channel, call);
    execution.bindBegun(schedule, channel, Channel.signed(channel.collective(), schedule.callSignature),
        exchange.tag(), call, exchange.number());
    execution.run();
  }

  // ---- the schedule of a call

  /**
   * Finds or makes the schedule, which depends on the lengths, places and order that the call describes. Methods are
   * short here so that those of a program's few calls are inlined.
   */
  private static Schedule schedule(ChannelState state, Channel channel, CollectiveCall call) {
    Collective operation = call.operation();
    boolean hasRegion = state.hasRegion();
    if (operation.isReduction()) {
      return ofReduction(state, channel, call, hasRegion);
    }
    if (operation.isOfBlocks() || operation == Collective.BARRIER) {
      return find(state, channel, call, operation == Collective.BARRIER ? 0 : 1, 1, 1, 1, hasRegion);
    }
    return ofBytes(state, channel, call, hasRegion);
  }

  private static Schedule ofBytes(ChannelState state, Channel channel, CollectiveCall call, boolean hasRegion) {
    if (call.operation() == Collective.BCAST) {
      FlatBuffer one = call.send().isPresent() ? call.send() : call.recv();
      long grain = Place.grain(one);
      return find(state, channel, call, one.isPresent() ? one.packedBytes() : 0, 1, grain, grain, hasRegion);
    }
    boolean isScatter = call.operation() == Collective.SCATTER;
    FlatBuffer all = isScatter ? call.send() : call.recv();
    FlatBuffer own = isScatter ? call.recv() : call.send();
    return find(state, channel, call, block(channel, all, own), hasRegion);
  }

  private static Schedule ofReduction(ChannelState state, Channel channel, CollectiveCall call, boolean hasRegion) {
    if (call.operation() == Collective.REDUCE_SCATTER_BLOCK || call.operation() == Collective.REDUCE_SCATTER) {
      return ofParts(state, channel, call, hasRegion);
    }
    FlatBuffer one = call.recv().isPresent() ? call.recv() : call.send();
    return one.isPresent()
        ? find(state, channel, call, one.count(), one.plan().size(), 1, 1, isShared(hasRegion, one))
        : find(state, channel, call, 0, 1, 1, 1, false);
  }

  /** Finds the schedule of a reduction of which each rank gets a part. */
  private static Schedule ofParts(ChannelState state, Channel channel, CollectiveCall call, boolean hasRegion) {
    FlatBuffer recv = call.recv();
    boolean shared = isShared(hasRegion, recv);
    if (call.operation() == Collective.REDUCE_SCATTER) {
      Counts counts = new Counts(call.counts());
      return state.schedules.find(shape(state, channel, call, counts.total(), recv.plan().size(), counts, shared));
    }
    long units = call.isInPlace() ? recv.count() / channel.size() : recv.count();
    return find(state, channel, call, units, recv.plan().size(), 1, 1, shared);
  }

  /** Finds the schedule of a call whose units are bytes of equal blocks. */
  private static Schedule find(
      ChannelState state, Channel channel, CollectiveCall call, long bytes, boolean hasRegion) {
    return find(state, channel, call, bytes, 1, Place.grain(call.send()), Place.grain(call.recv()), hasRegion);
  }

  private static Schedule find(
      ChannelState state, Channel channel, CollectiveCall call, long units, long unitBytes, long sendGrain,
      long recvGrain, boolean shared) {
    if (isWithin(channel) && !call.hasNeighbors()) {
      return state.schedules.find(call.operation(), call.root(), units, unitBytes, call.isInPlace(),
          !call.isCommutative(), shared, sendGrain, recvGrain, kind(call));
    }
    return state.schedules.find(shape(state, channel, call, units, unitBytes, call.neighbors(), shared));
  }

  private static CallShape shape(
      ChannelState state, Channel channel, CollectiveCall call, long units, long unitBytes, Object layout,
      boolean shared) {
    int others = isWithin(channel) ? 0 : channel.remote().size();
    return new CallShape(call.operation(), channel.rank(), channel.size(), call.root(), units, unitBytes,
        call.isInPlace(), !call.isCommutative(), others, layout, state.schedules.nodes(), shared,
        1, 1, kind(call));
  }

  private static int kind(CollectiveCall call) {
    ReduceKernel kernel = call.kernel();
    return kernel == null ? 0 : kernel.kind();
  }

  /** Returns the bytes of one rank's block: of all of them where this rank has them, else of its own. */
  private static long block(Channel channel, FlatBuffer all, FlatBuffer own) {
    return all.isPresent() ? all.packedBytes() / channel.size() : own.packedBytes();
  }

  private static boolean isWithin(Channel channel) {
    return channel.local() == channel.remote();
  }

  /** Returns whether a reduction can use the region, which is the same on all ranks, as their types are. */
  private static boolean isShared(boolean hasRegion, FlatBuffer elements) {
    return hasRegion && Execution.isPublishable(elements.plan());
  }

  // ---- binding and running

  private ChannelState state(Channel channel) {
    return channel.attachment(newState);
  }

  /** Returns an execution of a call that runs once. */
  Execution bind(Channel channel, CollectiveCall call) {
    ChannelState state = state(channel);
    return bind(state, schedule(state, channel, call), channel, call);
  }

  private static Execution bind(ChannelState state, Schedule schedule, Channel channel, CollectiveCall call) {
    Execution execution = state.acquire();
    execution.bind(schedule, channel, Channel.signed(channel.collective(), schedule.callSignature),
        channel.nextCollectiveTag(), call);
    return execution;
  }

  /** Returns the operation of a call that is started again and again, in a region of its own if there is one. */
  Operation persist(Channel channel, CollectiveCall call) {
    ChannelState state = state(channel);
    Execution execution = state.acquire();
    int tag = channel.nextPersistentTag();
    execution.bind(schedule(state, channel, call), channel, channel.persistent(), tag, call);
    execution.persist();
    if (!isWithin(channel) || channel.size() == 1) {
      return execution;
    }
    CallShape shape = execution.schedule().shape;
    boolean shares = state.mayHaveRegion() && execution.canUseRegion();
    Schedule shared = shares ? state.schedules.find(shape.withRegion()) : null;
    long capacity = shares && shared.isShared ? Region.capacityFor(shared.publishedBytes, channel.size()) : 0;
    checkAlike(channel, shape, capacity);
    Region region = capacity == 0 ? null : makeRegion(channel, Region.FEW_SLOTS, capacity);
    if (region != null) {
      FlatPersistent flat =
          FlatPersistent.of(channel, region, state.exchange(region, channel), call, tag);
      if (flat != null) {
        execution.discard();
        return flat;
      }
      execution.persist(shared, region);
    } else if (execution.schedule().isShared) {
      execution.persist(state.schedules.find(shape.withoutRegion()), null);
    }
    return execution;
  }

  /** Compares the calls of all ranks, so that all of them fail where they differ, and none starts alone. */
  private void checkAlike(Channel channel, CallShape shape, long capacity) {
    MemorySegment words = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG, 2L * (channel.size() + 1));
    long signature = shape.callSignature();
    words.setAtIndex(ValueLayout.JAVA_LONG, 0, signature);
    words.setAtIndex(ValueLayout.JAVA_LONG, 1, capacity);
    CollectiveCall call = new CollectiveCall().begin(Collective.ALLGATHER);
    Plan plan = TypeHandle.planOf(Datatype.INT64_T);
    call.send().set(Memory.NATIVE, words, Raw.address(words), 2, plan);
    call.recv().set(Memory.NATIVE, words, Raw.address(words) + 2 * Long.BYTES, 2L * channel.size(), plan);
    run(channel, call, 2 * Long.BYTES);
    for (int r = 0; r < channel.size(); r++) {
      long theirs = words.getAtIndex(ValueLayout.JAVA_LONG, 2L * r + 2);
      if (theirs != signature) {
        throw shape.differs(r, theirs);
      }
      if (words.getAtIndex(ValueLayout.JAVA_LONG, 2L * r + 3) != capacity) {
        throw shape.otherCall(r);
      }
    }
  }

  /** Runs a collective of the library's own, by messages. */
  private void run(Channel channel, CollectiveCall call, long bytes) {
    ChannelState state = state(channel);
    channel.countOwnCollective();
    bind(state, state.schedules.find(shape(state, channel, call, bytes, 1, null, false)), channel, call).run();
  }

  @Override
  public void discard(Operation persistent) {
    ((PersistentCall) persistent).discard();
  }

  /** Makes a region for all ranks of a communicator, all of which call this; null when there is no memory. */
  private Region makeRegion(Channel channel, int slots, long capacity) {
    MemorySegment offset = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG);
    if (channel.rank() == 0) {
      offset.set(ValueLayout.JAVA_LONG, 0,
          regions.of(channel.engine()).allocate(channel, slots, capacity));
    }
    CollectiveCall call = new CollectiveCall().begin(Collective.BCAST);
    (channel.rank() == 0 ? call.send() : call.recv())
        .set(Memory.NATIVE, offset, Raw.address(offset), 1, TypeHandle.planOf(Datatype.INT64_T));
    run(channel, call, Long.BYTES);
    long at = offset.get(ValueLayout.JAVA_LONG, 0);
    return at == OwnedRegions.NONE ? null : regions.of(channel.engine()).open(channel, at, slots, capacity);
  }

  @Override
  public Gauge gauge(Measure measure, Engine engine, Channel channel) {
    if (measure == Measure.REGIONS) {
      OwnedRegions used = regions.of(engine);
      return i -> used.used();
    }
    ChannelState state = channel == null ? null : state(channel);
    return state == null ? null : switch (measure) {
      case SCHEDULE_HITS -> i -> state.schedules.hits();
      case SCHEDULE_MISSES -> i -> state.schedules.misses();
      case COMM_REGION -> i -> state.regionBytes();
      default -> null;
    };
  }

  @Override
  public void start(Operation persistent) {
    ((PersistentCall) persistent).restart();
  }

  /** Drives an execution to its end in the calling thread; throws its error. */
  void run(Channel channel, Execution execution) {
    ChannelState state = state(channel);
    boolean isDue = state.countCall(); // also where the call fails, which may be at this rank only
    try {
      execution.run();
    } catch (MpiException e) {
      if (isDue && !e.errorClass().isOfEnd()) {
        try {
          state.region(makeRegion(channel, Region.SLOTS, Region.capacity(channel.size())), channel);
        } catch (MpiException another) {
          e.addSuppressed(another);
        }
      }
      throw e;
    }
    if (isDue) {
      state.region(makeRegion(channel, Region.SLOTS, Region.capacity(channel.size())), channel);
    }
  }
}
