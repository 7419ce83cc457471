// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.schedule;

import java.util.function.Function;
import org.ffmpi.spi.Collective;

/**
 * The schedules that one communicator's calls used last. Bounded: a few entries in each row of a small table, where a
 * new one pushes the oldest out; with single entries two calls of one loop could replace each other for ever. Any
 * thread, without locks. Entries are immutable and published by plain stores; it is harmless that two threads may build
 * the same schedule, or that one overwrites the entry of the other.
 */
public final class ScheduleCache {
  /**
   * A program rarely has more shapes of calls in one loop; 64 schedules of some hundred steps are tens of kilobytes.
   */
  static final int ENTRIES = 64;

  private static final int WAYS = 4;
  private static final int ROWS = ENTRIES / WAYS;

  private final Schedule[] entries = new Schedule[ENTRIES];
  private final int rank;
  private final int size;
  private final RanksByNode nodes;
  private final Function<CallShape, Schedule> maker;

  /** Schedules asked for, and made; threads that ask at one time may count less. */
  private long asked;

  private long made;

  /**
   * Creates an empty cache.
   *
   * @param rank own rank
   * @param size number of ranks
   * @param nodes how these are spread over nodes; null where that makes no difference
   * @param maker makes the schedules that are not in the cache
   */
  public ScheduleCache(int rank, int size, RanksByNode nodes, Function<CallShape, Schedule> maker) {
    this.rank = rank;
    this.size = size;
    this.nodes = nodes;
    this.maker = maker;
  }

  /** Returns the schedule for a call; the arguments are those of {@link CallShape}. */
  public Schedule find(
      Collective collective, int root, long units, long unitBytes, boolean inPlace, boolean ordered,
      boolean shared, long sendGrain, long receiveGrain, int kind) {
    asked++;
    int row = CallShape.hash(collective, root, units, unitBytes, inPlace, kind) & (ROWS - 1);
    int from = row * WAYS;
    for (int i = from; i < from + WAYS; i++) {
      Schedule cached = entries[i];
      if (cached != null
          && cached.shape.matches(collective, root, units, unitBytes, inPlace, ordered, shared, sendGrain,
              receiveGrain, kind)) {
        return cached;
      }
    }
    return build(from, new CallShape(
        collective, rank, size, root, units, unitBytes, inPlace, ordered, 0, null, nodes, shared, sendGrain,
        receiveGrain, kind));
  }

  /** Returns the schedule for a call whose shape is more than numbers. */
  public Schedule find(CallShape shape) {
    asked++;
    int row = CallShape.hash(
        shape.collective(), shape.root(), shape.units(), shape.unitBytes(), shape.inPlace(), shape.kind());
    int from = (row & (ROWS - 1)) * WAYS;
    for (int i = from; i < from + WAYS; i++) {
      Schedule cached = entries[i];
      if (cached != null && cached.shape.equals(shape)) {
        return cached;
      }
    }
    return build(from, shape);
  }

  /** Returns the distribution of the communicator's ranks over nodes; null where that makes no difference. */
  public RanksByNode nodes() {
    return nodes;
  }

  /** Returns how often a schedule was there. Racy. */
  public long hits() {
    return asked - made;
  }

  /** Returns how often a schedule was made. Racy. */
  public long misses() {
    return made;
  }

  private Schedule build(int from, CallShape shape) {
    made++;
    Schedule built = maker.apply(shape);
    System.arraycopy(entries, from, entries, from + 1, WAYS - 1);
    entries[from] = built;
    return built;
  }
}
