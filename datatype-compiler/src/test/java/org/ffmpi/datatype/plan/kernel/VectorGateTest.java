// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.plan.kernel.VectorGate.Loops;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The change to vector loops, which changes only the time. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class VectorGateTest {
  private static final int COUNT = 4096;

  private final double[] from = new double[2 * COUNT];
  private final double[] to = new double[2 * COUNT];

  @BeforeEach
  @AfterEach
  void asIfNeverUsed() {
    VectorGate.resetAll(Memory.DOUBLES);
  }

  private void packAndUnpack(MemorySegment stream) {
    long address = Raw.address(stream);
    Copiers.packing(Memory.DOUBLES).blocks(from, 0, 16, COUNT, 8, address, 8);
    Copiers.unpacking(Memory.DOUBLES).blocks(to, 0, 16, COUNT, 8, address, 8);
  }

  private static boolean isOpen(Loops loops) {
    return VectorGate.of(Memory.DOUBLES, loops).open(0);
  }

  @Test
  void opensAfterWarmUp() {
    assumeTrue(Vectors.wide(), "no vectors of 64 bytes");
    Arrays.setAll(from, i -> i);
    double[] expected = new double[from.length];
    for (int i = 0; i < expected.length; i += 2) {
      expected[i] = from[i];
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment stream = arena.allocate(ValueLayout.JAVA_DOUBLE, COUNT);
      assertFalse(isOpen(Loops.OUT_SECONDS));
      packAndUnpack(stream);
      assertFalse(isOpen(Loops.OUT_SECONDS), "after a first use");
      while (!isOpen(Loops.OUT_SECONDS)) {
        stream.fill((byte) 0);
        Arrays.fill(to, 0);
        packAndUnpack(stream);
        assertArrayEquals(expected, to);
      }
      Arrays.fill(to, 0);
      packAndUnpack(stream);
      assertArrayEquals(expected, to);
      assertFalse(isOpen(Loops.OUT_GRID), "loops that were not used");
    }
  }

  @Test
  void staysClosedWithoutVectors() {
    VectorGate.setAll(Memory.DOUBLES, true);
    assertTrue(isOpen(Loops.IN_BLOCKS) == Vectors.wide());
    VectorGate.setAll(Memory.DOUBLES, false);
    assertFalse(isOpen(Loops.IN_BLOCKS));
  }

  @Test
  void onlyShapesWithLoopsCount() {
    assertTrue(Vectors.seconds(16, 8, 8));
    assertTrue(Vectors.seconds(4, 8, 4));
    assertFalse(Vectors.seconds(24, 8, 8));
    assertTrue(Vectors.blocks(16));
    assertFalse(Vectors.blocks(15));
    assertFalse(Vectors.blocks(513));
    assertTrue(Vectors.grid(8, 80, 80, 8, 8));
    assertFalse(Vectors.grid(80, 16, 80, 8, 8));
  }
}
