// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The choice between reading a sender's memory and the pipe, with made-up times. */
class ReadOrPipeTest {
  private static final long BYTES = 64 << 10;

  private final TransferTimes times = new TransferTimes();

  /** Moves messages that take so long by either way, and returns how many were read. */
  private int run(int messages, long bytes, long readNanos, long pipeNanos) {
    int reads = 0;
    for (int i = 0; i < messages; i++) {
      if (times.readsNext(bytes)) {
        reads++;
        times.addRead(bytes, readNanos);
      } else {
        times.addPiped(bytes, pipeNanos);
      }
    }
    return reads;
  }

  @Test
  void theFirstMessageIsRead() {
    assertTrue(times.readsNext(BYTES));
  }

  @Test
  void theFasterWayIsUsedAndTheOtherTriedNowAndThen() {
    int reads = run(10_000, BYTES, 3_000, 7_000);
    assertTrue(reads > 9_800 && reads < 10_000, "read " + reads);
    run(1_000, BYTES, 17_000, 8_000);
    reads = run(10_000, BYTES, 17_000, 8_000);
    assertTrue(reads > 0 && reads < 200, "read " + reads);
  }

  /** A program that begins to write each buffer anew, or stops to, soon gets the better way. */
  @Test
  void aChangeIsFollowed() {
    run(1_000, BYTES, 17_000, 8_000);
    assertTrue(run(1_000, BYTES, 3_000, 7_000) > 700);
    assertTrue(run(1_000, BYTES, 17_000, 8_000) < 100);
  }

  @Test
  void equalWaysAreRead() {
    assertTrue(run(10_000, BYTES, 5_000, 4_900) > 9_500);
  }

  /** A rank that lost its core once in a while is no reason. */
  @Test
  void singleOutliersChangeNothing() {
    run(100, BYTES, 3_000, 7_000);
    int reads = 0;
    for (int i = 0; i < 50; i++) {
      times.addRead(BYTES, 4_000_000);
      reads += run(100, BYTES, 3_000, 7_000);
    }
    assertTrue(reads > 4_700, "read " + reads);
  }

  @Test
  void lengthsAreEndConfirmedByThemselves() {
    run(1_000, BYTES, 17_000, 8_000);
    assertEquals(3, run(3, 4 * BYTES, 10_000, 20_000));
    assertTrue(run(1_000, BYTES, 17_000, 8_000) < 100);
    run(10, 0, 1, 1); // no division by it
    run(10, Long.MAX_VALUE, 1, 1);
  }
}
