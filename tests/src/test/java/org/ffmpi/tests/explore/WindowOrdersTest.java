// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.explore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.ffmpi.Buf;
import org.ffmpi.Epoch;
import org.ffmpi.IntraComm;
import org.ffmpi.LockType;
import org.ffmpi.Op;
import org.ffmpi.Win;
import org.ffmpi.explore.Exploration;
import org.ffmpi.explore.Explorer;
import org.junit.jupiter.api.Test;

/** The orders of accesses and locks of windows: those that conflict are all seen, those that commute are one. */
class WindowOrdersTest {
  private static final Explorer.Limits LIMITS =
      new Explorer.Limits(20_000, Duration.ofSeconds(60), Duration.ofSeconds(20));

  /** Runs accesses of ranks 1 and 2 to the part of rank 0 in every order. */
  private static Exploration explore(BiConsumer<IntraComm, Win> accesses, Set<String> outcomes) {
    return new Explorer(3, Map.of("ffmpi.errors", "return"), (mpi, results) -> {
      IntraComm world = mpi.world();
      try (Win win = world.winAllocate(32, 4)) {
        world.barrier();
        if (world.rank() != 0) {
          accesses.accept(world, win);
        }
        world.barrier();
        if (world.rank() == 0) {
          win.lock(LockType.SHARED, 0);
          win.sync();
          StringBuilder part = new StringBuilder();
          for (int i = 0; i < 4; i++) {
            part.append(win.segment().get(ValueLayout.JAVA_INT, 4L * i)).append(' ');
          }
          outcomes.add(part.toString().strip());
          win.unlock(0);
        }
        world.barrier();
      }
    }, () -> {}, LIMITS).all();
  }

  private static void expect(int orders, Set<String> outcomes, BiConsumer<IntraComm, Win> accesses) {
    Set<String> seen = new TreeSet<>();
    Exploration result = explore(accesses, seen);
    assertNull(result.finding(), () -> result.finding().text());
    assertTrue(result.complete());
    assertEquals(outcomes, seen);
    assertEquals(2 * orders, result.orders()); // with and without buffering
  }

  @Test
  void conflictingAccessesHaveEveryOrder() {
    // two of each of two ranks: 4! / (2! 2!)
    expect(6, Set.of("4 0 0 0"), (world, win) -> {
      try (Epoch _ = win.lockAll()) {
        for (int i = 0; i < 2; i++) {
          win.fetchAndOp(Buf.of(new int[] {1}), Buf.of(new int[1]), 0, 0, Op.SUM);
        }
      }
    });
  }

  @Test
  void commutingAccumulatesHaveOneOrder() {
    expect(1, Set.of("6 0 0 0"), (world, win) -> {
      try (Epoch _ = win.lockAll()) {
        win.accumulate(Buf.of(new int[] {world.rank()}), 0, 0, Op.SUM);
        win.accumulate(Buf.of(new int[] {world.rank()}), 0, 0, Op.SUM);
      }
    });
  }

  @Test
  void accessesToOtherBytesHaveOneOrder() {
    expect(1, Set.of("0 1 2 0"), (world, win) -> {
      try (Epoch _ = win.lockAll()) {
        win.put(Buf.of(new int[] {world.rank()}), 0, world.rank());
      }
    });
  }

  @Test
  void anAccumulateBetweenOtherAccesses() {
    // before, between and after three accesses of the other rank
    expect(4, Set.of("2 0 0 0", "1 0 0 0"), (world, win) -> {
      try (Epoch _ = win.lockAll()) {
        win.accumulate(Buf.of(new int[] {world.rank()}), 0, 0, world.rank() == 1 ? Op.SUM : Op.REPLACE);
      }
      if (world.rank() == 1) {
        return;
      }
      try (Epoch _ = win.lockAll()) {
        int[] now = new int[1];
        win.get(Buf.of(now), 0, 0);
        win.flush(0);
        win.put(Buf.of(new int[] {now[0] > 2 ? 2 : 1}), 0, 0);
      }
    });
  }

  @Test
  void exclusiveLocksAreGrantedInEitherOrder() {
    expect(2, Set.of("1 2 0 0", "2 1 0 0"), (world, win) -> {
      try (Epoch _ = win.lock(LockType.EXCLUSIVE, 0)) {
        int[] place = new int[1];
        win.get(Buf.of(place), 0, 2);
        win.flush(0);
        win.put(Buf.of(new int[] {world.rank()}), 0, place[0]);
        win.put(Buf.of(new int[] {1 - place[0]}), 0, 2);
      }
    });
  }

  @Test
  void anIncrementByGetAndPutIsLost() {
    BiConsumer<IntraComm, Win> increments = (world, win) -> {
      try (Epoch _ = win.lockAll()) {
        int[] value = new int[1];
        win.get(Buf.of(value), 0, 0);
        win.flush(0);
        win.put(Buf.of(new int[] {value[0] + 1}), 0, 0);
      }
    };
    Set<String> seen = new TreeSet<>();
    Exploration result = explore(increments, seen);
    assertNull(result.finding());
    assertEquals(Set.of("1 0 0 0", "2 0 0 0"), seen);
  }

  /** Ranks swap in loops until they have the lock; a loop that finds nothing new waits for a change. */
  private static void spin(Win win, boolean releasesEarly) {
    int[] one = {1};
    int[] zero = {0};
    int[] found = {1};
    try (Epoch _ = win.lockAll()) {
      while (found[0] != 0) {
        win.compareAndSwap(Buf.of(one), Buf.of(zero), Buf.of(found), 0, 0);
        win.flush(0);
      }
      int[] count = new int[1];
      win.get(Buf.of(count), 0, 1);
      win.flush(0);
      if (releasesEarly) {
        win.accumulate(Buf.of(zero), 0, 0, Op.REPLACE);
        win.flush(0);
      }
      count[0]++;
      win.put(Buf.of(count), 0, 1);
      win.flush(0);
      if (!releasesEarly) {
        win.accumulate(Buf.of(zero), 0, 0, Op.REPLACE);
      }
    }
  }

  @Test
  void aSpinLockExcludesInEveryOrder() {
    // who is first, and whether the other one has looked in vain
    expect(4, Set.of("0 2 0 0"), (world, win) -> spin(win, false));
  }

  @Test
  void aSpinLockThatIsReleasedTooEarly() {
    Set<String> seen = new TreeSet<>();
    assertNull(explore((world, win) -> spin(win, true), seen).finding());
    assertEquals(Set.of("0 1 0 0", "0 2 0 0"), seen);
  }

  @Test
  void theSameReadTwiceHasAPlaceBetweenForAWrite() {
    expect(3, Set.of("1 0 0 0"), (world, win) -> {
      try (Epoch _ = win.lockAll()) {
        if (world.rank() == 1) {
          win.put(Buf.of(new int[] {1}), 0, 0);
          return;
        }
        for (int i = 0; i < 2; i++) {
          win.get(Buf.of(new int[1]), 0, 0);
          win.flush(0);
        }
      }
    });
  }

  @Test
  void sumsOfFloatingPointNumbersAreRoundedInTheirOrder() {
    for (boolean whole : new boolean[] {true, false}) {
      Exploration result = new Explorer(3, Map.of("ffmpi.errors", "return"), (mpi, results) -> {
        IntraComm world = mpi.world();
        try (Win win = world.winAllocate(8, 8)) {
          win.fence();
          win.accumulate(Buf.of(new double[] {whole ? world.rank() : world.rank() == 0 ? 1e16 : 1}), 0, 0, Op.SUM);
          win.fence();
          results.same(world.rank(), "sum", world.rank() == 0 ? win.segment().get(ValueLayout.JAVA_DOUBLE, 0) : 0);
          win.fence();
        }
      }, () -> {}, LIMITS).all();
      assertEquals(whole, result.finding() == null);
      assertTrue(whole || result.finding().text().contains("sum differs between orders"), result::summary);
    }
  }

  @Test
  void theLineOfChoicesServesRequestsInTheSameOrder() {
    Explorer.Body body = (mpi, results) -> {
      IntraComm world = mpi.world();
      try (Win win = world.winAllocate(4, 4)) {
        int[] before = new int[1];
        if (world.rank() != 0) {
          try (Epoch _ = win.lockAll()) {
            win.fetchAndOp(Buf.of(new int[] {world.rank()}), Buf.of(before), 0, 0, Op.SUM);
          }
        }
        world.barrier();
        assertTrue(world.rank() != 1 || before[0] == 0, "rank 2 was first");
      }
    };
    Exploration.Finding found = new Explorer(3, Map.of("ffmpi.errors", "return"), body, () -> {}, LIMITS)
        .all().finding();
    assertNotNull(found);
    Exploration.Finding again = new Explorer(3, Map.of("ffmpi.errors", "return"), body, () -> {}, LIMITS)
        .one(found.choices()).finding();
    assertNotNull(again, found::choices);
    assertEquals(found.choices(), again.choices());
    assertTrue(found.choices().contains("r0@1.1>2.1"), found::choices);
  }
}
