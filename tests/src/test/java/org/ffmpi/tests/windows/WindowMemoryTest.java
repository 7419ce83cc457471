// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.windows;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Random;
import org.ffmpi.Buf;
import org.ffmpi.Epoch;
import org.ffmpi.IntraComm;
import org.ffmpi.LockType;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Win;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;

/** Windows over every kind of memory, accesses from it, all predefined operations, loads and stores. */
@EveryWindowPath
class WindowMemoryTest {
  /** A pair of numbers. */
  public record Pair(long a, double b) {}

  @MpiTest(ranks = 2)
  void everyMemoryCanBeAPart(IntraComm world) {
    int other = 1 - world.rank();
    try (Arena confined = Arena.ofConfined(); Arena closeable = Arena.ofShared()) {
      List<Buf<?>> parts = List.of(
          Buf.of(new byte[64]), Buf.of(new double[8]), Buf.of(new char[32]), Buf.of(new boolean[64]),
          Buf.of(confined.allocate(64, 8), 64, Datatype.BYTE), Buf.of(closeable.allocate(64, 8), 64, Datatype.BYTE),
          Buf.of(Arena.global().allocate(64, 8), 64, Datatype.BYTE),
          Buf.of(ByteBuffer.allocate(64)), Buf.of(ByteBuffer.allocateDirect(64).order(ByteOrder.nativeOrder())));
      for (Buf<?> part : parts) {
        try (Win win = world.winCreate(part, 1)) {
          byte[] bytes = new byte[17];
          new Random(world.rank()).nextBytes(bytes);
          for (int i = 0; i < bytes.length; i++) {
            bytes[i] &= 1; // valid in an array of booleans too
          }
          win.fence();
          win.put(Buf.of(bytes), other, 5);
          win.fence();
          byte[] back = new byte[17];
          win.get(Buf.of(back), other, 5);
          win.fence();
          assertArrayEquals(bytes, back, part.toString());
          win.accumulate(Buf.of(bytes), other, 5, Op.BXOR);
          win.fence();
          win.get(Buf.of(back), other, 5);
          win.fence();
          assertArrayEquals(new byte[17], back, part.toString());
        }
      }
    }
  }

  @MpiTest(ranks = 2)
  void recordsArePutAndFetched(Mpi mpi, IntraComm world) {
    int other = 1 - world.rank();
    Pair[] mine = {new Pair(world.rank(), 0.5), new Pair(7, 1.5)};
    Pair[] theirs = new Pair[2];
    try (Win win = world.winAllocate(64, 16)) {
      win.fence();
      win.put(Buf.of(mine), other, 1);
      win.fence();
      win.get(Buf.of(theirs), world.rank(), 1);
      win.fence();
      assertEquals(List.of(new Pair(other, 0.5), new Pair(7, 1.5)), List.of(theirs));
    }
  }

  @MpiTest(ranks = 2)
  void largePutsArriveWhole(IntraComm world) {
    int n = 300_000;
    long[] mine = new long[n];
    for (int i = 0; i < n; i++) {
      mine[i] = 31L * i + world.rank();
    }
    for (boolean array : new boolean[] {true, false}) {
      long[] part = new long[n];
      try (Win win = array ? world.winCreate(Buf.of(part), 8) : world.winAllocate(8L * n, 8)) {
        int other = 1 - world.rank();
        try (Epoch _ = win.lock(LockType.SHARED, other)) {
          win.put(Buf.of(mine), other, 0);
        }
        world.barrier();
        long[] got = new long[n];
        try (Epoch _ = win.lock(LockType.SHARED, world.rank())) {
          win.get(Buf.of(got), world.rank(), 0);
        }
        for (int i = 0; i < n; i++) {
          assertEquals(31L * i + other, got[i]);
        }
        world.barrier();
      }
    }
  }

  @MpiTest(ranks = 3)
  void flagsOrderLoadsAndStores(IntraComm world) {
    if (!WindowKind.of(world).contains(WindowKind.SHARED)) {
      return;
    }
    VarHandle words = ValueLayout.JAVA_LONG.varHandle();
    try (Win win = world.winAllocateShared(128, 8)) {
      MemorySegment first = win.segment(0);
      int rounds = 2000;
      for (long round = 1; round <= rounds; round++) {
        if (world.rank() == 0) {
          first.set(ValueLayout.JAVA_LONG, 64, round * 3);
          words.setRelease(first, 0L, round);
          for (int r = 1; r < world.size(); r++) {
            while ((long) words.getAcquire(first, 8L * r) < round) {
              Thread.yield();
            }
          }
        } else {
          while ((long) words.getAcquire(first, 0L) < round) {
            Thread.yield();
          }
          assertEquals(round * 3, first.get(ValueLayout.JAVA_LONG, 64));
          words.setRelease(first, 8L * world.rank(), round);
        }
      }
      world.barrier();
    }
  }

  @MpiTest(ranks = 3)
  void allOperationsCombineAsReductionsDo(IntraComm world) {
    List<Op<?>> ops = List.of(Op.SUM, Op.PROD, Op.MAX, Op.MIN, Op.BAND, Op.BOR, Op.BXOR, Op.LAND, Op.LOR, Op.LXOR);
    for (Op<?> op : ops) {
      for (boolean array : new boolean[] {true, false}) {
        int[] part = {5, 5, 5, 5, 5};
        try (Win win = array ? world.winCreate(Buf.of(part), 4) : world.winAllocate(20, 4)) {
          win.fence();
          if (!array) {
            win.put(Buf.of(part), world.rank(), 0);
          }
          win.fence();
          int[] mine = {world.rank(), 1, 7, -world.rank(), 3};
          win.accumulate(Buf.of(mine), 0, 0, op);
          win.fence();
          int[] expected = part(op, world.size());
          int[] got = new int[5];
          win.get(Buf.of(got), 0, 0);
          win.fence();
          assertArrayEquals(expected, got, op.toString());
        }
      }
    }
  }

  @SuppressWarnings("unchecked") // predefined operations take all
  private static int[] part(Op<?> op, int ranks) {
    int[] result = {5, 5, 5, 5, 5};
    for (int r = 0; r < ranks; r++) {
      ((Op<Object>) op).reduceLocal((Buf<Object>) (Buf<?>) Buf.of(new int[] {r, 1, 7, -r, 3}),
          (Buf<Object>) (Buf<?>) Buf.of(result));
    }
    return result;
  }
}
