// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.windows;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.ffmpi.Buf;
import org.ffmpi.Epoch;
import org.ffmpi.IntraComm;
import org.ffmpi.Op;
import org.ffmpi.Win;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;

/** Memory that accesses need beside their data, as the kernel counts it for each process. */
class BoundedMemoryTest {
  private static final int ROWS = 1000;
  private static final int COLUMNS = 8192;

  /** More than the memory for accumulates whose turn has not come. */
  private static final int LONGS = (1 << 20) + 1;
  private static final int CALLS = 12;

  /** Growth by which the JVM itself may disturb the figures. */
  private static final long LITTLE = 32 << 10;

  /** Returns the most memory that this process has had so far, in KiB. */
  private static long peak() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("VmHWM:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", ""));
      }
    }
    throw new IOException("the kernel does not show VmHWM");
  }

  /** The elements lie in 64 MiB. */
  @MpiTest(ranks = 2, processes = true)
  void gapsOfAStridedAccumulateNeedNone(IntraComm world) throws IOException {
    long[] mine = new long[ROWS];
    long[] was = new long[ROWS];
    Arrays.setAll(mine, i -> i + 1);
    try (Win win = world.winAllocate(world.rank() == 0 ? 8L * ROWS * COLUMNS : 0, 8);
        Datatype<?> column = Datatype.vector(ROWS, 1, COLUMNS, Datatype.INT64_T).commit()) {
      win.fence();
      win.put(Buf.of(new long[ROWS]), 0, world.rank(), 1, column); // the window's pages count from now on
      win.fence();
      long before = peak();
      win.accumulate(Buf.of(mine), 0, world.rank(), 1, column, Op.SUM);
      long grown = peak() - before;
      assertTrue(grown < LITTLE, grown + " KiB");
      win.fence();
      if (world.rank() == 0) {
        win.getAccumulate(Buf.of(mine), Buf.of(was), 0, 1, 1, column, Op.SUM);
      }
      win.fence();
      if (world.rank() == 0) {
        MemorySegment matrix = win.segment();
        for (long i = 0; i < ROWS; i++) {
          assertEquals(i + 1, matrix.getAtIndex(ValueLayout.JAVA_LONG, i * COLUMNS));
          assertEquals(2 * (i + 1), matrix.getAtIndex(ValueLayout.JAVA_LONG, i * COLUMNS + 1));
          assertEquals(i + 1, was[(int) i]);
        }
      }
    }
  }

  /** The elements of all calls take 120 MiB, and their results 48. */
  @MpiTest(ranks = 2, processes = true)
  void aTargetThatServesManyLongAccumulatesNeedsThatOfOne(IntraComm world) throws IOException {
    long[] part = new long[world.rank() == 1 ? LONGS : 0];
    try (Win win = world.winCreate(Buf.of(part), 8)) {
      long before = peak();
      if (world.rank() == 0) {
        try (Epoch _ = win.lockAll()) {
          long[] mine = new long[LONGS];
          Arrays.fill(mine, 1);
          long[][] was = new long[CALLS / 2][LONGS];
          for (int i = 0; i < CALLS; i++) {
            win.accumulate(Buf.of(mine), 1, 0, Op.SUM);
          }
          for (int i = 0; i < was.length; i += 2) {
            win.getAccumulate(null, Buf.of(was[i]), 1, 0, Op.NO_OP);
            win.getAccumulate(Buf.of(mine), Buf.of(was[i + 1]), 1, 0, Op.SUM);
          }
          win.flush(1);
          for (int i = 0; i < was.length; i++) {
            for (int k : new int[] {0, LONGS / 2, LONGS - 1}) {
              assertEquals(CALLS + i / 2, was[i][k]);
            }
          }
        }
      }
      world.barrier();
      if (world.rank() == 1) {
        long grown = peak() - before;
        assertTrue(grown < LITTLE, grown + " KiB");
        for (long value : part) {
          assertEquals(CALLS + CALLS / 4, value);
        }
      }
    }
  }
}
