// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.buffer;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.plan.Plan;

/**
 * The free bytes of an {@link AttachedBuffer}. Guarded by the buffer's lock.
 *
 * <p>A message takes its packed bytes and up to {@value #UNIT} more, so that pieces begin at whole cache lines of the
 * buffer and that empty messages are bounded in number as well: less than the overhead that the program has to allow
 * for.
 */
final class BufferRoom {
  static final Piece[] NONE = {};

  private static final long UNIT = 64;

  /**
   * Part of a message.
   *
   * @param start first byte, from the beginning of the buffer
   * @param bytes how many are taken
   * @param dataBytes how many of them are data; the others lie behind
   */
  record Piece(long start, long bytes, long dataBytes) {}

  /** Length of each gap by its first byte; no two gaps touch. */
  private final TreeMap<Long, Long> gaps = new TreeMap<>();

  private long free;

  BufferRoom(long bytes) {
    free = bytes;
    if (bytes > 0) {
      gaps.put(0L, bytes);
    }
  }

  long free() {
    return free;
  }

  /** Claims room for a message: the first gap that holds it, otherwise several; null when all gaps together do not. */
  Piece[] claim(long dataBytes) {
    long bytes = (dataBytes + UNIT) & -UNIT;
    if (bytes > free) {
      return null;
    }
    for (Map.Entry<Long, Long> gap : gaps.entrySet()) {
      if (gap.getValue() >= bytes) {
        return new Piece[] {cut(gap.getKey(), gap.getValue(), bytes, dataBytes)};
      }
    }
    List<Piece> pieces = new ArrayList<>();
    long left = bytes;
    long leftData = dataBytes;
    while (left > 0) {
      Map.Entry<Long, Long> gap = gaps.firstEntry();
      long taken = Math.min(left, gap.getValue());
      Piece piece = cut(gap.getKey(), gap.getValue(), taken, Math.min(taken, leftData));
      pieces.add(piece);
      left -= taken;
      leftData -= piece.dataBytes();
    }
    return pieces.toArray(NONE);
  }

  private Piece cut(long start, long length, long bytes, long dataBytes) {
    gaps.remove(start);
    if (length > bytes) {
      gaps.put(start + bytes, length - bytes);
    }
    free -= bytes;
    return new Piece(start, bytes, dataBytes);
  }

  /** Releases a message's room. */
  void release(Piece[] pieces) {
    for (Piece piece : pieces) {
      long start = piece.start();
      long end = start + piece.bytes();
      free += piece.bytes();
      Map.Entry<Long, Long> before = gaps.lowerEntry(start);
      if (before != null && before.getKey() + before.getValue() == start) {
        start = before.getKey();
      }
      Long behind = gaps.remove(end);
      gaps.put(start, (behind == null ? end : end + behind) - start);
    }
  }

  /** Returns the plan of a message in several pieces, from the beginning of the buffer. */
  static Plan plan(Piece[] pieces) {
    long[] lengths = new long[pieces.length];
    long[] displacements = new long[pieces.length];
    for (int i = 0; i < pieces.length; i++) {
      lengths[i] = pieces[i].dataBytes();
      displacements[i] = pieces[i].start();
    }
    try (Datatype<?> scattered = Datatype.hindexed(lengths, displacements, Datatype.BYTE)) {
      return TypeHandle.planOf(scattered.commit());
    }
  }
}
