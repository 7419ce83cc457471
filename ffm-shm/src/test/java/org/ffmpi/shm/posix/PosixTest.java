// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.posix;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ffmpi.shm.posix.LinuxNumbers.InC;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** System calls, and the errors that they return. */
@Timeout(60)
class PosixTest {
  @InC("EAGAIN")
  static final int EAGAIN = 11;

  @InC("EFAULT")
  static final int EFAULT = 14;

  @InC("ETIMEDOUT")
  static final int ETIMEDOUT = 110;

  @Test
  void aWaitEndsWhenTheWordDiffersOrTheTimeIsOver() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment word = arena.allocate(ValueLayout.JAVA_INT);
      word.set(ValueLayout.JAVA_INT, 0, 1);
      assertEquals(-EAGAIN, Posix.futexWait(word.address(), 2, 1_000_000_000));
      assertEquals(-ETIMEDOUT, Posix.futexWait(word.address(), 1, 1_000_000));
    }
  }

  @Test
  void aSleeperIsWoken() throws InterruptedException {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment word = arena.allocate(ValueLayout.JAVA_INT);
      int[] result = {-1};
      Thread sleeper = Thread.ofPlatform().start(() -> result[0] = Posix.futexWait(word.address(), 0, Long.MAX_VALUE));
      while (sleeper.isAlive()) {
        Posix.futexWake(word.address());
        Thread.onSpinWait();
      }
      sleeper.join();
      assertEquals(0, result[0]);
    }
  }

  @Test
  void aThreadIsBoundToCoresThatExist() throws InterruptedException {
    int[] results = new int[2];
    Thread bound = Thread.ofPlatform().start(() -> {
      results[0] = Posix.bind(0, 0);
      results[1] = Posix.bind(0, 1023);
    });
    bound.join();
    assertEquals(0, results[0]);
    assertEquals(-LinuxNumbers.EINVAL, results[1]);
    assertEquals(-LinuxNumbers.EINVAL, Posix.bind(0, 1024));
    assertEquals(-LinuxNumbers.EINVAL, Posix.bind(0, -1));
  }

  @Test
  void memoryOfAProcessIsRead() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment source = arena.allocateFrom(ValueLayout.JAVA_LONG, 1, 2, 3);
      MemorySegment target = arena.allocate(24, 8);
      int self = (int) ProcessHandle.current().pid();
      assertEquals(24, Posix.readMemory(self, source.address(), target.address(), 24));
      assertEquals(-1, source.mismatch(target));
      assertEquals(-EFAULT, Posix.readMemory(self, 8, target.address(), 8));
      target.fill((byte) 0);
      assertEquals(24, Posix.writeMemory(self, source.address(), target.address(), 24));
      assertEquals(-1, source.mismatch(target));
      assertEquals(-EFAULT, Posix.writeMemory(self, source.address(), 8, 8));
      assertEquals(0, Posix.readMemory(self, source.address(), target.address(), 0));
    }
  }
}
