// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.codegen;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.ffmpi.datatype.plan.codegen.GeneratedMoves.Move;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GeneratedMovesTest {
  private static final int[] WORDS = {1, 2, 4, 8};
  private static final int[] WITH_VECTORS = {1, 2, 4, 8, 16, 32};

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 7, 40})
  void movesCoverTheRunAndNoMoreThanTheRoomBehindIt(int room) {
    for (int[] widths : List.of(WORDS, WITH_VECTORS, new int[] {8}, new int[] {4, 16, 32})) {
      int unit = widths[0];
      for (int bytes = unit; bytes < 300; bytes += unit) {
        String what = bytes + " bytes with room for " + room + " in moves of " + unit + " and more";
        int end = 0;
        for (Move move : GeneratedMoves.cover(bytes, room, widths)) {
          assertTrue(move.at() <= end && move.at() >= 0, what);
          assertEquals(0, move.at() % unit, what);
          end = Math.max(end, move.at() + move.width());
        }
        assertTrue(end >= bytes && end <= bytes + room, what);
      }
    }
  }

  @Test
  void oddLengthsTakeFewMoves() {
    assertEquals(List.of(new Move(0, 4), new Move(3, 4)), GeneratedMoves.cover(7, 0, WORDS));
    assertEquals(List.of(new Move(0, 8)), GeneratedMoves.cover(7, 1, WORDS));
    assertEquals(List.of(new Move(0, 32), new Move(23, 32)), GeneratedMoves.cover(55, 0, WITH_VECTORS));
    assertEquals(List.of(new Move(0, 32), new Move(32, 16)), GeneratedMoves.cover(48, 0, WITH_VECTORS));
    assertEquals(7, GeneratedMoves.cover(55, 0, WORDS).size());
  }
}
