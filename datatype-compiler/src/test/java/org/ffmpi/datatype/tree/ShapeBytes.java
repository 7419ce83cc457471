// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.tree;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.datatype.plan.pattern.ByteShape;

/** Expands a shape, naively, into the displacement of each of its bytes in typemap order. */
public final class ShapeBytes {
  private ShapeBytes() {}

  public static List<Long> of(ByteShape shape) {
    List<Long> bytes = new ArrayList<>();
    expand(shape, 0, bytes);
    return bytes;
  }

  private static void expand(ByteShape shape, long base, List<Long> into) {
    switch (shape) {
      case ByteShape.Run(long displacement, long bytes) -> {
        for (long i = 0; i < bytes; i++) {
          into.add(base + displacement + i);
        }
      }
      case ByteShape.Repeat(long displacement, long count, long stride, ByteShape body) -> {
        for (long i = 0; i < count; i++) {
          expand(body, base + displacement + i * stride, into);
        }
      }
      case ByteShape.Scatter(long[] displacements, long[] counts, long stride, ByteShape body) -> {
        for (int b = 0; b < displacements.length; b++) {
          for (long i = 0; i < counts[b]; i++) {
            expand(body, base + displacements[b] + i * stride, into);
          }
        }
      }
      case ByteShape.Members(long[] displacements, long[] counts, int[] kinds, long[] strides, ByteShape[] bodies) -> {
        for (int b = 0; b < displacements.length; b++) {
          for (long i = 0; i < counts[b]; i++) {
            expand(bodies[kinds[b]], base + displacements[b] + i * strides[kinds[b]], into);
          }
        }
      }
      case ByteShape.Sequence(List<ByteShape> parts) -> parts.forEach(part -> expand(part, base, into));
    }
  }
}
