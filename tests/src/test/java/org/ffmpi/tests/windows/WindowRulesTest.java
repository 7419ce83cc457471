// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.windows;

import static org.ffmpi.base.Constants.MODE_NOCHECK;
import static org.ffmpi.base.Constants.MODE_NOPRECEDE;
import static org.ffmpi.base.Constants.MODE_NOSUCCEED;
import static org.ffmpi.base.Constants.PROC_NULL;
import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import org.ffmpi.Address;
import org.ffmpi.Buf;
import org.ffmpi.Comparison;
import org.ffmpi.Epoch;
import org.ffmpi.Errhandler;
import org.ffmpi.Group;
import org.ffmpi.Info;
import org.ffmpi.IntraComm;
import org.ffmpi.LockType;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.SharedPart;
import org.ffmpi.Win;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.Keyval;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.windows.WindowKind.Longs;

/** Calls that are refused, with their errors, and the properties of windows. */
@EveryWindowPath
class WindowRulesTest {
  private static final int[] ONE = {1};

  @MpiTest(ranks = 2)
  void accessesNeedAnEpoch(Mpi mpi, IntraComm world) {
    for (WindowKind kind : WindowKind.of(world)) {
      try (Longs longs = kind.make(mpi, world, 4)) {
        Win win = longs.win;
        long[] a = new long[1];
        long at = longs.at(1, world.rank());
        assertError(ErrorClass.ERR_RMA_SYNC, () -> win.put(Buf.of(a), 1, at));
        assertError(ErrorClass.ERR_RMA_SYNC, () -> win.get(Buf.of(a), 1, at));
        assertError(ErrorClass.ERR_RMA_SYNC, () -> win.accumulate(Buf.of(a), 1, at, Op.SUM));
        assertError(ErrorClass.ERR_RMA_SYNC, () -> win.fetchAndAdd(1, 1, at));
        assertError(ErrorClass.ERR_RMA_SYNC, () -> win.rput(Buf.of(a), 1, at));
        assertError(ErrorClass.ERR_RMA_SYNC, () -> win.flush(1));
        assertError(ErrorClass.ERR_RMA_SYNC, win::flushAll);
        assertError(ErrorClass.ERR_RMA_SYNC, win::complete);
        assertError(ErrorClass.ERR_RMA_SYNC, win::await);
        assertError(ErrorClass.ERR_RMA_SYNC, win::test);
        assertError(ErrorClass.ERR_RMA_SYNC, () -> win.unlock(0));
        assertError(ErrorClass.ERR_RMA_SYNC, win::unlockAll);
        win.fence();
        win.put(Buf.of(a), 1, at);
        win.fence(MODE_NOSUCCEED);
        assertError(ErrorClass.ERR_RMA_SYNC, () -> win.put(Buf.of(a), 1, at));
        win.fence(MODE_NOPRECEDE);
        assertError(ErrorClass.ERR_RMA_SYNC, () -> win.rget(Buf.of(a), 1, at));
        win.fence(MODE_NOSUCCEED);
        try (Epoch _ = win.lock(LockType.SHARED, 1)) {
          win.put(Buf.of(a), 1, at);
          assertError(ErrorClass.ERR_RMA_SYNC, () -> win.put(Buf.of(a), 0, longs.at(0, 0)));
          assertError(ErrorClass.ERR_RMA_SYNC, () -> win.lock(LockType.SHARED, 1));
          assertError(ErrorClass.ERR_RMA_SYNC, () -> win.fence());
          assertError(ErrorClass.ERR_RMA_SYNC, () -> win.lockAll());
          assertError(ErrorClass.ERR_RMA_SYNC, () -> win.start(world.group()));
        }
        Epoch all = win.lockAll(MODE_NOCHECK);
        assertError(ErrorClass.ERR_RMA_SYNC, () -> win.lock(LockType.SHARED, 1));
        win.unlockAll();
        all.close();
        world.barrier();
      }
    }
  }

  @MpiTest(ranks = 2)
  void whatLiesOutsideIsRefused(Mpi mpi, IntraComm world) {
    for (WindowKind kind : WindowKind.of(world)) {
      if (kind == WindowKind.DYNAMIC || kind == WindowKind.DYNAMIC_NATIVE) {
        continue;
      }
      try (Longs longs = kind.make(mpi, world, 4)) {
        Win win = longs.win;
        win.fence();
        long[] two = new long[2];
        assertError(ErrorClass.ERR_RMA_RANGE, () -> win.put(Buf.of(two), 1, 3));
        assertError(ErrorClass.ERR_RMA_RANGE, () -> win.get(Buf.of(two), 1, 4));
        assertError(ErrorClass.ERR_RMA_RANGE, () -> win.put(Buf.of(two), 1, Long.MAX_VALUE));
        assertError(ErrorClass.ERR_RMA_RANGE, () -> win.accumulate(Buf.of(two), 1, 3, Op.SUM));
        assertError(ErrorClass.ERR_DISP, () -> win.put(Buf.of(two), 1, -1));
        assertError(ErrorClass.ERR_RANK, () -> win.put(Buf.of(two), 2, 0));
        assertError(ErrorClass.ERR_RANK, () -> win.get(Buf.of(two), -7, 0));
        try (Datatype<?> back = Datatype.hvector(2, 1, -8, Datatype.INT64_T).commit()) {
          assertError(ErrorClass.ERR_RMA_RANGE, () -> win.put(Buf.of(two), 1, 0, 1, back));
          win.put(Buf.of(two), 1, 1, 1, back);
        }
        assertError(ErrorClass.ERR_COUNT, () -> win.put(Buf.of(two), 1, 0, 3, Datatype.INT64_T));
        assertError(ErrorClass.ERR_COUNT, () -> win.put(Buf.of(two), 1, 0, -1, Datatype.INT64_T));
        assertError(ErrorClass.ERR_TYPE, () -> win.put(Buf.of(two), 1, 0, 2, null));
        assertError(ErrorClass.ERR_TYPE,
            () -> win.put(Buf.of(two), 1, 0, 1, Datatype.contiguous(2, Datatype.INT64_T)));
        assertError(ErrorClass.ERR_BUFFER, () -> win.put(null, 1, 0));
        win.put(Buf.of(two), PROC_NULL, 77);
        win.get(Buf.of(two), PROC_NULL, -77);
        win.fence();
      }
    }
  }

  @MpiTest(ranks = 2)
  void accumulatingCallsTakeOneBasicTypeAndPredefinedOperations(Mpi mpi, IntraComm world) {
    for (WindowKind kind : WindowKind.of(world)) {
      try (Longs longs = kind.make(mpi, world, 4)) {
        Win win = longs.win;
        long at = longs.at(1, 0);
        win.fence();
        long[] one = {1};
        double[] real = {1};
        try (Op<Long> own = Op.commutative(Long.class, Long::sum);
            Datatype<?> mixed = Datatype.struct(new long[] {1, 1}, new long[] {0, 4}, Datatype.INT, Datatype.FLOAT)
                .commit()) {
          assertError(ErrorClass.ERR_OP, () -> win.accumulate(Buf.of(one), 1, at, own));
          assertError(ErrorClass.ERR_OP, () -> win.accumulate(Buf.of(one), 1, at, Op.NO_OP));
          assertError(ErrorClass.ERR_OP, () -> win.accumulate(Buf.of(one), 1, at, null));
          assertError(ErrorClass.ERR_OP, () -> win.accumulate(Buf.of(real), 1, at, Op.BAND));
          assertError(ErrorClass.ERR_TYPE, () -> win.accumulate(Buf.of(one), 1, at, 1, Datatype.DOUBLE, Op.SUM));
          assertError(ErrorClass.ERR_TYPE, () -> win.accumulate(Buf.of(one), 1, at, 1, mixed, Op.REPLACE));
          assertError(ErrorClass.ERR_TYPE,
              () -> win.compareAndSwap(Buf.of(real), Buf.of(real), Buf.of(new double[1]), 1, at));
          assertError(ErrorClass.ERR_COUNT, () -> win.fetchAndOp(Buf.of(one), Buf.of(new long[2]), 1, at, Op.SUM));
        }
        assertError(ErrorClass.ERR_OP, () -> world.allreduce(Buf.of(one), Op.REPLACE));
        win.fence();
      }
    }
  }

  @MpiTest(ranks = 2)
  void resultsAreNeeded(Mpi mpi, IntraComm world) {
    long[] one = {1};
    for (WindowKind kind : WindowKind.of(world)) {
      try (Longs longs = kind.make(mpi, world, 4)) {
        Win win = longs.win;
        MpiException[] seen = new MpiException[1];
        win.setErrhandler(Errhandler.of((Win _, MpiException error) -> seen[0] = error));
        win.fence();
        for (int target : new int[] {1, PROC_NULL}) {
          long at = longs.at(1, 0);
          assertError(ErrorClass.ERR_BUFFER, () -> win.getAccumulate(Buf.of(one), null, target, at, Op.SUM), "result");
          assertEquals(ErrorClass.ERR_BUFFER, seen[0].errorClass());
          assertError(ErrorClass.ERR_BUFFER,
              () -> win.getAccumulate(Buf.of(one), null, target, at, 1, Datatype.INT64_T, Op.NO_OP), "result");
          assertError(ErrorClass.ERR_BUFFER, () -> win.fetchAndOp(Buf.of(one), null, target, at, Op.SUM), "result");
          assertError(ErrorClass.ERR_BUFFER,
              () -> win.compareAndSwap(Buf.of(one), Buf.of(one), null, target, at), "result");
        }
        for (int i = 0; i < 2; i++) {
          assertError(ErrorClass.ERR_OP, () -> win.accumulate(Buf.of(one), 1, longs.at(1, 0), Op.NO_OP));
          win.fetchAndOp(null, Buf.of(new long[1]), 1, longs.at(1, 0), Op.NO_OP);
        }
        win.fence();
      }
    }
  }

  @MpiTest(ranks = 3)
  void everyFixedWindowIsQueried(Mpi mpi, IntraComm world) {
    for (WindowKind kind : WindowKind.of(world)) {
      try (Longs longs = kind.make(mpi, world, 4)) {
        if (kind == WindowKind.DYNAMIC || kind == WindowKind.DYNAMIC_NATIVE) {
          assertError(ErrorClass.ERR_RMA_FLAVOR, () -> longs.win.sharedQuery(0), "not dynamic");
          continue;
        }
        longs.set(3, world.rank());
        longs.win.fence();
        for (int r = 0; r < world.size(); r++) {
          SharedPart part = longs.win.sharedQuery(r);
          assertEquals(r, part.rank());
          assertEquals(8, part.dispUnit());
          assertEquals(part.size(), part.segment().byteSize());
          assertTrue(part.size() == 0 || part.size() == 32, kind + ": " + part);
          assertTrue(kind != WindowKind.SHARED || part.size() == 32);
          if (part.size() > 0) {
            assertEquals(r, part.segment().getAtIndex(ValueLayout.JAVA_LONG, 3), kind.toString());
          }
        }
        assertTrue(kind != WindowKind.ALLOCATED || longs.win.sharedQuery(world.rank()).size() == 32);
        assertError(ErrorClass.ERR_RANK, () -> longs.win.sharedQuery(3));
        longs.win.fence();
      }
    }
  }

  /** Rank 0 has no part, rank 1 one in private memory. */
  @MpiTest(ranks = 4)
  void theLowestSharedPartIsFound(Mpi mpi, IntraComm world) {
    Buf<?> part = switch (world.rank()) {
      case 0 -> null;
      case 1 -> Buf.of(new long[4]);
      default -> Buf.of(mpi.shared().allocate(32, 8), 4, Datatype.INT64_T);
    };
    try (Win win = world.winCreate(part, 8)) {
      SharedPart lowest = win.sharedQuery(PROC_NULL);
      if (win.sharedQuery(2).size() == 0) {
        assertEquals(0, lowest.size());
      } else {
        assertEquals(2, lowest.rank());
        assertEquals(32, lowest.size());
      }
      assertEquals(0, win.sharedQuery(1).size());
      assertTrue(win.attributes().isSet(Win.BASE));
    }
  }

  @MpiTest(ranks = 2)
  void badArgumentsAreNamed(Mpi mpi, IntraComm world) {
    assertError(ErrorClass.ERR_SIZE, () -> world.winAllocate(-1, 1));
    assertError(ErrorClass.ERR_DISP, () -> world.winAllocate(8, 0));
    assertError(ErrorClass.ERR_DISP, () -> world.winCreate(Buf.of(ONE), -4));
    assertError(ErrorClass.ERR_BASE, () -> world.winCreate(
        Buf.of(Arena.ofAuto().allocate(8).asReadOnly(), 8, Datatype.BYTE), 1));
    assertError(ErrorClass.ERR_INFO_VALUE, () -> world.winAllocate(8, 1, new Info().set("no_locks", "perhaps")));
    // All ranks fail when one is refused.
    assertError(ErrorClass.ERR_SIZE, () -> world.winAllocate(-world.rank(), 1),
        world.rank() == 1 ? "bytes" : "rank 1 could not make its part");
    try (Win win = world.winAllocate(8, 1)) {
      assertError(ErrorClass.ERR_LOCKTYPE, () -> win.lock(null, 0));
      assertError(ErrorClass.ERR_RANK, () -> win.lock(LockType.SHARED, PROC_NULL));
      assertError(ErrorClass.ERR_ASSERT, () -> win.lock(LockType.SHARED, 0, MODE_NOSUCCEED));
      assertError(ErrorClass.ERR_ASSERT, () -> win.fence(MODE_NOCHECK));
      assertError(ErrorClass.ERR_GROUP, () -> win.post(null));
      assertError(ErrorClass.ERR_RMA_FLAVOR, () -> win.attach(Arena.ofAuto().allocate(8)));
      assertError(ErrorClass.ERR_RMA_FLAVOR, () -> win.segment(0));
      world.barrier();
    }
  }

  @MpiTest(ranks = 2)
  void dynamicWindowsKnowWhatIsAttached(Mpi mpi, IntraComm world) {
    try (Win win = world.winCreateDynamic()) {
      assertEquals(Win.Flavor.DYNAMIC, win.flavor());
      MemorySegment memory = mpi.shared().allocate(64, 8);
      assertError(ErrorClass.ERR_BUFFER, () -> win.attach(null));
      assertError(ErrorClass.ERR_BUFFER, () -> win.attach(MemorySegment.ofArray(new long[1])));
      assertError(ErrorClass.ERR_RMA_ATTACH, () -> win.detach(memory));
      MemorySegment nothing = memory.asSlice(8, 0);
      win.attach(nothing);
      win.attach(memory);
      win.attach(nothing);
      assertError(ErrorClass.ERR_RMA_ATTACH, () -> win.attach(memory.asSlice(8, 8)));
      win.detach(nothing);
      win.detach(nothing);
      assertError(ErrorClass.ERR_RMA_ATTACH, () -> win.detach(nothing));
      assertEquals(Optional.of(Address.BOTTOM), win.attributes().get(Win.BASE));
      long[] where = new long[2];
      world.allgather(Buf.of(new long[] {Address.of(memory)}), Buf.of(where));
      int other = 1 - world.rank();
      assertError(ErrorClass.ERR_RMA_RANGE, () -> {
        try (Epoch _ = win.lock(LockType.SHARED, other)) {
          win.put(Buf.of(new long[] {7}), other, where[other] + 60);
        }
      });
      assertError(ErrorClass.ERR_RMA_RANGE, () -> {
        try (Epoch _ = win.lock(LockType.SHARED, other)) {
          win.get(Buf.of(new long[1]), other, where[other] - 8);
        }
      });
      try (Epoch _ = win.lock(LockType.SHARED, other)) {
        win.put(Buf.of(new long[] {7}), other, where[other] + 56);
      }
      world.barrier();
      assertEquals(7, memory.getAtIndex(ValueLayout.JAVA_LONG, 7));
      win.detach(memory);
      assertError(ErrorClass.ERR_RMA_ATTACH, () -> win.detach(memory));
      world.barrier();
    }
  }

  @MpiTest(ranks = 3)
  void windowsTellOfThemselves(Mpi mpi, IntraComm world) {
    try (Win win = world.winAllocate(16 * world.rank(), 4)) {
      assertEquals(16L * world.rank(), win.size());
      assertEquals(16L * world.rank(), win.segment().byteSize());
      assertEquals(4, win.dispUnit());
      assertEquals(Win.Flavor.ALLOCATE, win.flavor());
      assertEquals(Win.Model.UNIFIED, win.model());
      assertEquals(Comparison.IDENT, win.group().compare(world.group()));
      assertEquals(Optional.of(4), win.attributes().get(Win.DISP_UNIT));
      assertEquals(Optional.of(win.size()), win.attributes().get(Win.SIZE));
      assertEquals(Optional.of(Win.Flavor.ALLOCATE), win.attributes().get(Win.CREATE_FLAVOR));
      assertEquals(Optional.of(Win.Model.UNIFIED), win.attributes().get(Win.MODEL));
      assertSame(win.segment(), win.attributes().get(Win.BASE).orElseThrow());
      assertEquals("", win.name());
      win.setName("field");
      assertEquals("field", win.name());
      assertTrue(win.toString().startsWith("field"), win.toString());
      try (Keyval<Win, String> key = Keyval.notCopied()) {
        win.attributes().set(key, "colour");
        assertEquals(Optional.of("colour"), win.attributes().get(key));
      }
      assertEquals("false", win.info().get("no_locks").orElseThrow());
      win.setInfo(new Info().set("no_locks", "true").set("nonsense", "1"));
      assertEquals("true", win.info().get("no_locks").orElseThrow());
      assertFalse(win.info().get("nonsense").isPresent());
      assertError(ErrorClass.ERR_RMA_SYNC, () -> win.lock(LockType.SHARED, 0));
      MpiException[] seen = new MpiException[1];
      win.setErrhandler(Errhandler.of((Win _, MpiException error) -> seen[0] = error));
      assertError(ErrorClass.ERR_RANK, () -> win.lock(LockType.SHARED, 99));
      assertEquals(ErrorClass.ERR_RANK, seen[0].errorClass());
      assertEquals(ErrorClass.ERR_TAG, win.callErrhandler(ErrorClass.ERR_TAG.code()).errorClass());
      MpiException own = new MpiException(ErrorClass.ERR_COUNT, "found while an argument was made");
      assertSame(own, win.callErrhandler(own));
      assertSame(own, seen[0]);
      assertError(ErrorClass.ERR_ARG, () -> win.callErrhandler(null));
      world.barrier();
    }
  }

  @MpiTest(ranks = 3)
  void closedWindowsAreRefused(IntraComm world) {
    Win win = world.winAllocate(8, 1);
    win.close();
    win.close();
    assertError(ErrorClass.ERR_WIN, () -> win.fence());
    assertError(ErrorClass.ERR_WIN, () -> win.put(Buf.of(ONE), 0, 0));
    assertError(ErrorClass.ERR_WIN, win::segment);
    assertError(ErrorClass.ERR_WIN, win::group);
  }

  @MpiTest(ranks = 3)
  void hintsOfRankZeroPlaceTheParts(IntraComm world) {
    if (!WindowKind.of(world).contains(WindowKind.SHARED)) {
      return;
    }
    for (int apart = 0; apart < world.size(); apart++) {
      Info info = new Info().set("alloc_shared_noncontig", Boolean.toString(world.rank() == apart));
      try (Win win = world.winAllocateShared(24, 8, info)) {
        win.segment().set(ValueLayout.JAVA_LONG, 16, world.rank());
        win.fence();
        for (int r = 0; r < world.size(); r++) {
          assertEquals(r, win.segment(r).get(ValueLayout.JAVA_LONG, 16));
        }
        win.fence();
      }
    }
  }

  @MpiTest(ranks = {1, 3})
  void partsOfSharedWindowsFollowOneAnother(Mpi mpi, IntraComm world) {
    if (!WindowKind.of(world).contains(WindowKind.SHARED)) {
      return;
    }
    for (boolean apart : new boolean[] {false, true}) {
      Info info = new Info().set("alloc_shared_noncontig", Boolean.toString(apart));
      try (Win win = world.winAllocateShared(8L * world.rank(), 8, info)) {
        long next = Address.of(win.segment(0));
        for (int r = 0; r < world.size(); r++) {
          assertEquals(8L * r, win.segment(r).byteSize());
          if (!apart) {
            assertEquals(next, Address.of(win.segment(r)));
            next += 8L * r;
          }
        }
        SharedPart first = win.sharedQuery(PROC_NULL);
        assertEquals(world.size() == 1 ? 0 : 1, first.rank());
        assertEquals(8, first.dispUnit());
        Group group = win.group();
        assertEquals(world.size(), group.size());
        world.barrier();
      }
    }
  }
}
