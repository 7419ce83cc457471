// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.shm.segment.JobOptions;
import org.ffmpi.shm.segment.JobSegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Sizes, reuse and pins of the shared heap and of the store for unexpected payload. */
class HeapTest {
  private final JobSegment segment =
      JobSegment.create(new JobOptions(1, false, Settings.of(Map.of("ffmpi.shm.limit", "1M"))));
  private final SharedHeapArena heap = new SharedHeapArena(segment);

  @AfterEach
  void close() {
    segment.close();
  }

  @Test
  void freedBlocksAreUsedAgainZeroedWhoeverFreesThem() throws InterruptedException {
    Arena first = Arena.ofShared();
    MemorySegment old = heap.allocate(100, 8, first);
    long address = Raw.address(old);
    old.fill((byte) 7);
    assertTrue(heap.contains(address));
    Thread other = new Thread(first::close);
    other.start();
    other.join();
    try (Arena second = Arena.ofConfined()) {
      MemorySegment again = heap.allocate(100, 8, second);
      assertEquals(address, Raw.address(again));
      assertEquals(-1, again.mismatch(MemorySegment.ofArray(new byte[100])));
    }
  }

  @Test
  void aPinnedBlockIsNotUsedAgainBeforeItIsUnpinned() {
    Arena first = Arena.ofConfined();
    long address = Raw.address(heap.allocate(128, 64, first));
    SharedHeapArena.Block pin = heap.pin(address + 127);
    assertNull(heap.pin(address + 128));
    first.close();
    try (Arena next = Arena.ofConfined()) {
      assertNotEquals(address, Raw.address(heap.allocate(128, 64, next)));
      pin.unpin();
      assertEquals(address, Raw.address(heap.allocate(128, 64, next)));
    }
  }

  @Test
  void aFullSegmentAndWrongArgumentsAreErrors() {
    try (Arena arena = Arena.ofConfined()) {
      MpiException full = assertThrows(MpiException.class, () -> heap.allocate(2 << 20, 8, arena));
      assertEquals(ErrorClass.ERR_NO_MEM, full.errorClass());
      assertTrue(full.getMessage().contains("ffmpi.shm.limit"), full.getMessage());
      assertThrows(MpiException.class, () -> heap.allocate(-1, 8, arena));
      assertThrows(MpiException.class, () -> heap.allocate(8, 3, arena));
      assertEquals(0, Raw.address(heap.allocate(5000, 4096, arena)) % 4096);
    }
  }

  /** Where there is no limit, garbage does not grow to what the file system has. */
  @Test
  void garbageIsCollectedBeforeMemoryIsShort() {
    long most = 2 * Math.max(64L << 20, Runtime.getRuntime().totalMemory());
    try (JobSegment wide = JobSegment.create(new JobOptions(1, false, Settings.of(Map.of())))) {
      SharedHeapArena garbage = new SharedHeapArena(wide);
      long rounds = Math.min(most, wide.limit()) / (1 << 20) * 2;
      for (int i = 0; i < rounds; i++) {
        garbage.allocateCollecting(1 << 20, 64, null);
      }
      assertTrue(wide.claimed() <= most, wide.claimed() + " bytes claimed for one live block, most " + most);
    }
  }
}
