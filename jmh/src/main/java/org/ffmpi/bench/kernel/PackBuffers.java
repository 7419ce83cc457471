// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.kernel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import org.ffmpi.bench.kernel.Pollution.Place;
import org.ffmpi.bench.type.TypeCase;

/** Memory for elements, one piece of each kind and size, used in turn by all that need such a piece. */
final class PackBuffers {
  private static final long PAGE = 4096;

  private final Map<String, Piece> pieces = new HashMap<>();

  /**
   * A piece of memory, for kernels and as a segment for all that is not measured.
   *
   * @param place the memory as plans see it
   * @param segment the same memory
   */
  record Piece(Place place, MemorySegment segment) {}

  /** Returns off-heap memory. */
  static MemorySegment offHeap(long bytes) {
    return Arena.global().allocate(bytes, PAGE);
  }

  /** Returns memory for the elements of a case. */
  Piece get(String memory, TypeCase type) {
    return pieces.computeIfAbsent(memory + type.ofDoubles() + type.span(), k -> make(memory, type));
  }

  private static Piece make(String memory, TypeCase type) {
    switch (memory) {
      case "native" -> {
        MemorySegment segment = offHeap(type.span());
        return new Piece(Place.of(segment), segment);
      }
      case "heap" -> {
        if (type.ofDoubles()) {
          double[] array = new double[Math.toIntExact(type.span() / Double.BYTES)];
          return new Piece(Place.of((Object) array), MemorySegment.ofArray(array));
        }
        byte[] array = new byte[Math.toIntExact(type.span())];
        return new Piece(Place.of((Object) array), MemorySegment.ofArray(array));
      }
      default -> throw new IllegalArgumentException("unknown kind of memory: " + memory);
    }
  }
}
