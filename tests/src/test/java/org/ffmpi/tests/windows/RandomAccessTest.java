// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.windows;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.ffmpi.Buf;
import org.ffmpi.Epoch;
import org.ffmpi.Group;
import org.ffmpi.IntraComm;
import org.ffmpi.LockType;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Request;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.tests.windows.WindowKind.Longs;
import org.ffmpi.testkit.MpiTest;

/**
 * Random one-sided programs against a sequential oracle. All ranks know the whole program: rounds of accesses, each
 * round with one kind of synchronization. In a round each element of a part is written by one access of one rank at
 * most, or only combined with one operation, so that every order of the accesses has the same result.
 */
@EveryWindowPath
class RandomAccessTest {
  private static final int ELEMENTS = 700;
  private static final int ROUNDS = 16;

  private enum Kind { PUT, GET, ADD, FETCH_ADD, MAX_AT }

  private enum Sync { FENCE, LOCKS, LOCK_ALL, POST }

  /** An access of {@code count} elements, {@code stride} apart at the target and {@code gap} apart at the origin. */
  private record Access(Kind kind, int origin, int target, int first, int count, int stride, int gap, long seed) {
    int place(int i) {
      return first + i * stride;
    }

    long value(int i) {
      return seed * 1_000_003 + i;
    }
  }

  private static Datatype<?> strided(int count, int stride) {
    return stride == 1
        ? Datatype.contiguous(count, Datatype.INT64_T).commit()
        : Datatype.vector(count, 1, stride, Datatype.INT64_T).commit();
  }

  /** Draws the accesses of a round; each element is written by one access at most. */
  private static List<Access> round(Random random, int ranks) {
    List<Access> accesses = new ArrayList<>();
    boolean[][] taken = new boolean[ranks][ELEMENTS];
    Kind combining = random.nextBoolean() ? Kind.ADD : Kind.MAX_AT;
    int n = 1 + random.nextInt(4 * ranks);
    for (int i = 0; i < n; i++) {
      int stride = random.nextInt(3) == 0 ? 2 + random.nextInt(5) : 1;
      int longest = random.nextBoolean() ? 8 : ELEMENTS;
      int count = 1 + random.nextInt(Math.max(1, Math.min(longest, ELEMENTS / stride)));
      int first = random.nextInt(ELEMENTS - (count - 1) * stride);
      int target = random.nextInt(ranks);
      Access access = new Access(Kind.values()[random.nextInt(4)], random.nextInt(ranks), target, first, count, stride,
          1 + random.nextInt(3), random.nextInt(1000));
      boolean free = true;
      for (int k = 0; k < count; k++) {
        free &= !taken[target][access.place(k)];
      }
      if (free) {
        for (int k = 0; k < count; k++) {
          taken[target][access.place(k)] = true;
        }
        accesses.add(access.kind == Kind.ADD && combining == Kind.MAX_AT
            ? new Access(Kind.MAX_AT, access.origin, target, first, count, stride, access.gap, access.seed) : access);
      }
      // All ranks combine with the same elements once more.
      if (free && (access.kind == Kind.ADD)) {
        for (int origin = 0; origin < ranks; origin++) {
          accesses.add(new Access(combining, origin, target, first, count, stride, 1, random.nextInt(1000)));
        }
      }
    }
    return accesses;
  }

  /** Applies the accesses of a round to the parts. */
  private static void apply(long[][] parts, List<Access> accesses) {
    for (Access a : accesses) {
      for (int i = 0; i < a.count; i++) {
        int at = a.place(i);
        switch (a.kind) {
          case PUT -> parts[a.target][at] = a.value(i);
          case ADD, FETCH_ADD -> parts[a.target][at] += a.value(i);
          case MAX_AT -> parts[a.target][at] = Math.max(parts[a.target][at], a.value(i));
          default -> { }
        }
      }
    }
  }

  /** The values that an access fetches, to be checked once it is complete; the access is null if it fetches none. */
  private record Fetched(Access access, long[] values, Datatype<?> type) {}

  private static Fetched start(Longs longs, Access a, boolean withRequest, List<Request> requests) {
    Datatype<?> target = strided(a.count, a.stride);
    Datatype<?> origin = strided(a.count, a.gap);
    long[] values = new long[(a.count - 1) * a.gap + 1];
    long disp = longs.at(a.target, a.first);
    if (a.kind != Kind.GET) {
      for (int i = 0; i < a.count; i++) {
        values[i * a.gap] = a.value(i);
      }
    }
    Buf<?> buf = Buf.of(values, 1, origin);
    switch (a.kind) {
      case PUT -> {
        if (withRequest) {
          requests.add(longs.win.rput(buf, a.target, disp, 1, target));
        } else {
          longs.win.put(buf, a.target, disp, 1, target);
        }
        return new Fetched(null, values, origin);
      }
      case GET -> {
        if (withRequest) {
          requests.add(longs.win.rget(buf, a.target, disp, 1, target));
        } else {
          longs.win.get(buf, a.target, disp, 1, target);
        }
        return new Fetched(a, values, origin);
      }
      case FETCH_ADD -> {
        long[] result = new long[values.length];
        longs.win.getAccumulate(buf, Buf.of(result, 1, origin), a.target, disp, 1, target, Op.SUM);
        return new Fetched(a, result, origin);
      }
      default -> {
        longs.win.accumulate(buf, a.target, disp, 1, target, a.kind == Kind.ADD ? Op.SUM : Op.MAX);
        return new Fetched(null, values, origin);
      }
    }
  }

  @MpiTest(ranks = {1, 2, 3, 5, 8}, timeout = 60)
  void allOrdersHaveTheResultOfTheOracle(Mpi mpi, IntraComm world) {
    long[] seeds = {System.nanoTime()};
    world.bcast(Buf.of(seeds), 0);
    for (WindowKind kind : WindowKind.of(world)) {
      Random random = new Random(seeds[0] + kind.ordinal());
      String name = kind + ", seed " + seeds[0];
      long[][] parts = new long[world.size()][ELEMENTS];
      try (Longs longs = kind.make(mpi, world, ELEMENTS)) {
        for (int i = 0; i < ROUNDS; i++) {
          List<Access> accesses = round(random, world.size());
          Sync sync = Sync.values()[random.nextInt(Sync.values().length)];
          run(longs, world, parts, accesses, sync, random.nextBoolean(), name + ", round " + i + ", " + sync);
        }
      }
    }
  }

  private static void run(
      Longs longs, IntraComm world, long[][] parts, List<Access> all, Sync sync, boolean withRequests, String name) {
    int rank = world.rank();
    List<Access> mine = all.stream().filter(a -> a.origin == rank).toList();
    List<Fetched> fetched = new ArrayList<>();
    List<Request> requests = new ArrayList<>();
    Group everybody = world.group();
    boolean locked = sync == Sync.LOCKS || sync == Sync.LOCK_ALL;
    switch (sync) {
      case FENCE -> longs.win.fence();
      case POST -> {
        longs.win.post(everybody);
        longs.win.start(everybody);
      }
      default -> world.barrier();
    }
    Epoch whole = sync == Sync.LOCK_ALL ? longs.win.lockAll() : null;
    for (Access a : mine) {
      Epoch one = sync == Sync.LOCKS
          ? longs.win.lock(a.seed % 2 == 0 ? LockType.SHARED : LockType.EXCLUSIVE, a.target) : null;
      fetched.add(start(longs, a, locked && withRequests, requests));
      if (one != null) {
        requests.forEach(Request::await);
        requests.clear();
        one.close();
      }
    }
    requests.forEach(Request::await);
    if (whole != null) {
      whole.close();
    }
    switch (sync) {
      case FENCE -> longs.win.fence();
      case POST -> {
        longs.win.complete();
        longs.win.await();
      }
      default -> world.barrier();
    }
    long[][] before = new long[parts.length][];
    for (int i = 0; i < parts.length; i++) {
      before[i] = parts[i].clone();
    }
    apply(parts, all);
    for (Fetched f : fetched) {
      for (int i = 0; f.access != null && i < f.access.count; i++) {
        Access a = f.access;
        assertEquals(before[a.target][a.place(i)], f.values[i * a.gap], name + ", " + a + " at " + i);
      }
    }
    for (int i = 0; i < ELEMENTS; i++) {
      assertEquals(parts[rank][i], longs.get(i), name + ", element " + i + " of rank " + rank);
    }
    world.barrier();
  }
}
