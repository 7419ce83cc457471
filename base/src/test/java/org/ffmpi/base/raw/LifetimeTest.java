// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.base.raw;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Situations that crashed a JVM when they were tried with bare addresses. */
@Timeout(60)
class LifetimeTest {
  private static final long MEGABYTE = 1 << 20;

  @Test
  void automaticMemoryStaysWhileItIsRead() throws Exception {
    long dst = Raw.address(GLOBAL);
    for (int round = 0; round < 20_000; round++) { // until the compiler keeps nothing alive that it need not
      readOnceFromMemoryThatNobodyElseHolds(64, dst);
    }
    AtomicBoolean stop = new AtomicBoolean();
    Thread collector = Thread.ofPlatform().start(() -> {
      while (!stop.get()) {
        System.gc();
      }
    });
    try {
      for (int round = 0; round < 30; round++) {
        readOnceFromMemoryThatNobodyElseHolds(16 * MEGABYTE, dst);
      }
    } finally {
      stop.set(true);
      collector.join();
    }
  }

  private static void readOnceFromMemoryThatNobodyElseHolds(long bytes, long dst) {
    MemorySegment memory = Arena.ofAuto().allocate(bytes).fill((byte) 1);
    // instead of being unmapped, which would crash, the memory turns into something else when its view is let go
    MemorySegment view = Raw.view(Raw.address(memory), bytes, Arena.ofAuto(), () -> memory.fill((byte) 2));
    readAll(view, dst);
    for (long i = 0; i < bytes; i += 4096) {
      if (Raw.getByte(dst + i) != 1) {
        throw new AssertionError("byte " + i + " was read after the memory had been let go");
      }
    }
  }

  private static void readAll(MemorySegment view, long dst) {
    Memory.read(Memory.kindOf(view), view, Memory.offsetOf(view), dst, view.byteSize());
  }

  @Test
  void closingASharedArenaDuringCopiesEndsInAnExceptionOrNotAtAll() throws Exception {
    for (int round = 0; round < 40; round++) {
      Arena arena = Arena.ofShared();
      MemorySegment segment = arena.allocate(4 * MEGABYTE);
      int kind = Memory.kindOf(segment);
      assertEquals(Memory.SESSION, kind);
      CountDownLatch started = new CountDownLatch(1);
      AtomicReference<Throwable> seen = new AtomicReference<>();
      long dst = Raw.address(GLOBAL);
      Thread reader = Thread.ofPlatform().start(() -> {
        try {
          while (true) {
            Memory.read(kind, segment, 0, dst, 4 * MEGABYTE);
            started.countDown();
            Memory.write(kind, segment, 0, dst, 4 * MEGABYTE);
          }
        } catch (Throwable e) {
          seen.set(e);
        }
      });
      started.await();
      closeWhenPossible(arena);
      reader.join();
      assertInstanceOf(IllegalStateException.class, seen.get());
      assertFalse(Memory.isAlive(segment));
    }
  }

  private static final MemorySegment GLOBAL = Arena.global().allocate(16 * MEGABYTE);

  /** An arena refuses to close while a copy holds it; the next moment it may be free. */
  private static void closeWhenPossible(Arena arena) {
    while (true) {
      try {
        arena.close();
        return;
      } catch (IllegalStateException e) {
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void closedMemoryIsRefusedInEverySize() {
    Arena confined = Arena.ofConfined();
    Arena shared = Arena.ofShared();
    MemorySegment[] segments = {confined.allocate(256), shared.allocate(256)};
    int[] kinds = {Memory.kindOf(segments[0]), Memory.kindOf(segments[1])};
    assertTrue(Memory.isAlive(segments[0]));
    confined.close();
    shared.close();
    long scratch = Raw.address(GLOBAL);
    for (int i = 0; i < 2; i++) {
      MemorySegment segment = segments[i];
      int kind = kinds[i];
      assertFalse(Memory.isAlive(segment));
      for (long bytes : new long[] {1, 8, 200}) {
        assertThrows(IllegalStateException.class, () -> Memory.read(kind, segment, 0, scratch, bytes));
        assertThrows(IllegalStateException.class, () -> Memory.write(kind, segment, 0, scratch, bytes));
      }
    }
  }

  @Test
  void confinedMemoryIsForItsOwnThread() throws Exception {
    try (Arena confined = Arena.ofConfined()) {
      MemorySegment segment = confined.allocate(256);
      assertTrue(Memory.accessibleByCurrentThread(Memory.CONFINED, segment));
      AtomicReference<Throwable> seen = new AtomicReference<>();
      AtomicBoolean accessible = new AtomicBoolean(true);
      Thread other = Thread.ofPlatform().start(() -> {
        try {
          accessible.set(Memory.accessibleByCurrentThread(Memory.kindOf(segment), segment));
          for (long bytes : new long[] {8, 64}) {
            assertThrows(
                WrongThreadException.class,
                () -> Memory.read(Memory.CONFINED, segment, 0, Raw.address(GLOBAL), bytes));
            assertThrows(
                WrongThreadException.class,
                () -> Memory.write(Memory.CONFINED, segment, 0, Raw.address(GLOBAL), bytes));
          }
        } catch (Throwable e) {
          seen.set(e);
        }
      });
      other.join();
      assertEquals(null, seen.get());
      assertFalse(accessible.get());
    }
    assertTrue(Memory.accessibleByCurrentThread(Memory.INTS, new int[1]));
    assertTrue(Memory.accessibleByCurrentThread(Memory.NATIVE, GLOBAL));
  }

  @Test
  void rangesOutsideASegmentAreRefused() {
    try (Arena confined = Arena.ofConfined()) {
      MemorySegment segment = confined.allocate(64);
      long scratch = Raw.address(GLOBAL);
      for (long bytes : new long[] {8, 20}) {
        assertThrows(
            IndexOutOfBoundsException.class, () -> Memory.read(Memory.CONFINED, segment, 60, scratch, bytes));
        assertThrows(
            IndexOutOfBoundsException.class, () -> Memory.write(Memory.CONFINED, segment, -1, scratch, bytes));
      }
    }
  }
}
