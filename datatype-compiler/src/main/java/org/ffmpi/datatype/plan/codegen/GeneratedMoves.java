// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.codegen;

import java.util.ArrayList;
import java.util.List;

/** Divides a run into moves of the widths that a memory offers. */
final class GeneratedMoves {
  private GeneratedMoves() {}

  /**
   * One load and one store.
   *
   * @param at bytes from the start of the run
   * @param width bytes moved
   */
  record Move(int at, int width) {}

  /**
   * Covers a run. Where its length is no sum of few widths, the last move overlaps the one before, or reaches beyond
   * the run where it may, since bytes there are written later.
   *
   * @param bytes length of the run, a multiple of the smallest width
   * @param room bytes behind the run that may be moved too
   * @param widths widths of a move, ascending powers of two
   * @return the moves, ascending
   */
  static List<Move> cover(int bytes, long room, int[] widths) {
    int next = atLeast(bytes, widths);
    if (next != 0 && next - bytes <= room) {
      return List.of(new Move(0, next));
    }
    List<Move> moves = new ArrayList<>();
    int width = atMost(bytes, widths);
    int at = 0;
    for (; at + width <= bytes; at += width) {
      moves.add(new Move(at, width));
    }
    if (at < bytes) {
      int last = atLeast(bytes - at, widths);
      moves.add(new Move(bytes - last, last));
    }
    return moves;
  }

  private static int atLeast(int bytes, int[] widths) {
    for (int width : widths) {
      if (width >= bytes) {
        return width;
      }
    }
    return 0;
  }

  private static int atMost(int bytes, int[] widths) {
    int found = widths[0];
    for (int width : widths) {
      if (width <= bytes) {
        found = width;
      }
    }
    return found;
  }
}
