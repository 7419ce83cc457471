// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.windows;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Win;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Accesses of more than two gigabytes. */
class HugeWindowTest {
  private static final long PIECE = 1 << 20;
  private static final long PIECES = 2100;

  @MpiTest(ranks = 2, timeout = 300)
  @EnabledIfSystemProperty(named = "ffmpi.test.stress", matches = "true", disabledReason = "needs 2 GiB of memory")
  void moreThanTwoGigabytesArePutAndFetched(IntraComm world) {
    byte[] piece = new byte[(int) PIECE];
    for (int i = 0; i < piece.length; i++) {
      piece[i] = (byte) (i * 31 + i / 256);
    }
    try (Win win = world.winAllocate(world.rank() == 1 ? PIECE * PIECES + 7 : 0, 1);
        Datatype<?> again = Datatype.contiguous(PIECE, Datatype.BYTE).resized(0, 0).commit()) {
      win.fence();
      if (world.rank() == 0) {
        win.put(Buf.of(piece, PIECES, again), 1, 7, PIECE * PIECES, Datatype.BYTE);
      }
      win.fence();
      if (world.rank() == 1) {
        MemorySegment part = win.segment();
        for (long at = 0; at < PIECES; at += 100) {
          for (int i = 0; i < piece.length; i += 4097) {
            assertEquals(piece[i], part.get(ValueLayout.JAVA_BYTE, 7 + at * PIECE + i));
          }
        }
      }
      byte[] last = new byte[(int) PIECE];
      win.get(Buf.of(last), 1, 7 + (PIECES - 1) * PIECE);
      win.fence();
      assertEquals(piece[4711], last[4711]);
    }
  }
}
