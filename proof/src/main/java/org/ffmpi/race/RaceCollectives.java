// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.race;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.ffmpi.base.Constants;
import org.ffmpi.spi.CallPlace;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Collective;
import org.ffmpi.spi.CollectiveCall;
import org.ffmpi.spi.CollectiveForm;
import org.ffmpi.spi.Collectives;
import org.ffmpi.spi.FlatBuffer;
import org.ffmpi.spi.ForwardingCollectives;
import org.ffmpi.spi.Operation;

/**
 * Collective calls that order ranks as their data do. A rank sends its clock to those that get data of it, and joins
 * those of the ranks whose data it gets. A nonblocking call that begins when the ranks have been compared has its
 * buffers from the start. Calls between jobs that have met pass unseen. Called by the threads that call the
 * collectives; waits only where these wait.
 */
final class RaceCollectives extends ForwardingCollectives {
  /** Number under which clocks of calls are told, beside those of windows. */
  private static final long CALLS = 14;

  private final RankRaces races;
  private final Map<Long, AtomicLong> numbers = new ConcurrentHashMap<>();

  /** Whom one call orders. */
  private final class Ends {
    final Channel channel;
    final int[] to;
    final int[] from;
    long number;

    Ends(Channel channel, CollectiveCall call) {
      this.channel = channel;
      this.to = peers(channel, call, true);
      this.from = peers(channel, call, false);
    }

    private long key() {
      return PartShadows.key(channel.pointToPoint(), CALLS);
    }

    void begin(long[] clock) {
      number = numbers.computeIfAbsent(channel.pointToPoint(), _ -> new AtomicLong()).getAndIncrement();
      for (int peer : to) {
        races.stream.tell(peer, key(), number, clock);
      }
    }

    void end() {
      for (int peer : from) {
        races.owe(peer, key(), number, 0);
      }
    }
  }

  /** The buffers of a call from its start to its end, and its clock. */
  private final class Buffers {
    final List<BufferUse> uses = new ArrayList<>();
    final long[] clock;
    /** Whom the call orders, once it has begun. */
    volatile Ends ends;

    Buffers(CollectiveCall call, boolean blocks) {
      use(call.send(), false, blocks);
      boolean isKept = call.operation() == Collective.EXSCAN && call.send().isPresent()
          && call.send().owner() == call.recv().owner() && call.send().offset() == call.recv().offset();
      if (!isKept) { // rank 0 has no result of an exscan
        use(call.recv(), true, blocks);
      }
      clock = clock();
    }

    private void use(FlatBuffer buffer, boolean writes, boolean blocks) {
      if (!buffer.isPresent()) {
        return;
      }
      try {
        BufferUse use = BufferUse.begin(
            races, buffer, writes, false, blocks ? Thread.currentThread() : null,
            CallPlace.ofThisThread(),
            blocks ? "it returns" : "the request is completed by a wait or test");
        if (use != null) {
          uses.add(use);
        }
      } catch (RuntimeException e) {
        end();
        throw e;
      }
    }

    void begin(Ends of) {
      of.begin(clock);
      ends = of;
    }

    void end() {
      uses.forEach(BufferUse::end);
      uses.clear();
      if (ends != null) {
        ends.end();
      }
    }
  }

  /** A persistent call, which is started again and again. */
  private static final class Persistent {
    final ObservedOperation operation;
    final Ends ends;

    Persistent(ObservedOperation operation, Ends ends) {
      this.operation = operation;
      this.ends = ends;
    }
  }

  private final Map<Operation, Persistent> persistents = new ConcurrentHashMap<>();
  /** The buffers of calls that have not begun. */
  private final Map<CollectiveCall, Buffers> lent = Collections.synchronizedMap(new IdentityHashMap<>());

  RaceCollectives(Collectives collectives, RankRaces races) {
    super(collectives);
    this.races = races;
  }

  @Override
  public Operation call(Channel channel, CollectiveCall call, CollectiveForm form) {
    if (RaceEngine.racesOf(channel.engine()) != races) { // of jobs that have met, whose clocks have other entries
      lent.remove(call);
      return collectives.call(channel, call, form);
    }
    Ends ends = new Ends(channel, call);
    if (form == CollectiveForm.PERSISTENT) {
      Operation made = collectives.call(channel, call, form);
      ObservedOperation operation = new ObservedOperation(made, false, ends::end);
      persistents.put(operation, new Persistent(operation, ends));
      return operation;
    }
    Buffers known = lent.remove(call);
    if (known != null) {
      known.begin(ends);
      return collectives.call(channel, call, form);
    }
    boolean blocks = form == CollectiveForm.BLOCKING;
    Buffers buffers = new Buffers(call, blocks);
    buffers.begin(ends);
    if (!blocks) {
      return new ObservedOperation(collectives.call(channel, call, form), false, buffers::end);
    }
    Operation done = collectives.call(channel, call, form);
    buffers.end();
    races.poll();
    races.throwFound();
    return done;
  }

  @Override
  public Operation lend(CollectiveCall call, Supplier<Operation> start) {
    Buffers buffers = new Buffers(call, false);
    lent.put(call, buffers);
    try {
      return new ObservedOperation(collectives.lend(call, start), false, () -> {
        lent.remove(call);
        buffers.end();
      });
    } catch (RuntimeException e) {
      lent.remove(call);
      buffers.end();
      throw e;
    }
  }

  private long[] clock() {
    races.enter();
    races.settle();
    return races.clock.release();
  }

  @Override
  public void start(Operation persistent) {
    Persistent known = persistents.get(persistent);
    if (known == null) {
      collectives.start(persistent);
      return;
    }
    known.ends.begin(clock());
    collectives.start(known.operation.inner());
    known.operation.begin();
  }

  @Override
  public void discard(Operation persistent) {
    Persistent known = persistents.remove(persistent);
    collectives.discard(known == null ? persistent : known.operation.inner());
  }

  // ---- whom a call orders

  private static int[] peers(Channel channel, CollectiveCall call, boolean to) {
    Collective operation = call.operation();
    int self = channel.engine().self();
    if (call.hasNeighbors()) {
      int[] ranks = to ? call.neighbors().destinations() : call.neighbors().sources();
      return IntStream.of(ranks).filter(r -> r >= 0).map(channel::peer).filter(p -> p != self).distinct().toArray();
    }
    int root = call.root();
    int rank = channel.rank();
    boolean apart = channel.local() != channel.remote() && !channel.local().equals(channel.remote());
    IntPredicate chosen = switch (operation) {
      case BCAST, SCATTER, SCATTERV -> rooted(root, rank, apart, to);
      case GATHER, GATHERV, REDUCE -> rooted(root, rank, apart, !to);
      case SCAN, EXSCAN -> to ? r -> r > rank : r -> r < rank;
      default -> _ -> true;
    };
    return IntStream.range(0, channel.remote().size()).filter(chosen).map(channel::peer).filter(p -> p != self)
        .toArray();
  }

  /** Returns the ranks at the other end of a call with a root: all for the root, the root for others. */
  private static IntPredicate rooted(int root, int rank, boolean apart, boolean fromRoot) {
    boolean isRoot = apart ? root == Constants.ROOT : root == rank;
    if (fromRoot) {
      return _ -> isRoot;
    }
    return isRoot ? _ -> false : r -> r == root;
  }
}
