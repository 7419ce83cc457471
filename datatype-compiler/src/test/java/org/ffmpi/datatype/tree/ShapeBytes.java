// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.tree;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.datatype.plan.Shape;

/** Expands a shape, naively, into the displacement of each of its bytes in typemap order. */
public final class ShapeBytes {
  private ShapeBytes() {}

  public static List<Long> of(Shape shape) {
    List<Long> bytes = new ArrayList<>();
    expand(shape, 0, bytes);
    return bytes;
  }

  private static void expand(Shape shape, long base, List<Long> into) {
    switch (shape) {
      case Shape.Run(long displacement, long bytes) -> {
        for (long i = 0; i < bytes; i++) {
          into.add(base + displacement + i);
        }
      }
      case Shape.Repeat(long displacement, long count, long stride, Shape body) -> {
        for (long i = 0; i < count; i++) {
          expand(body, base + displacement + i * stride, into);
        }
      }
      case Shape.Scatter(long[] displacements, long[] counts, long stride, Shape body) -> {
        for (int b = 0; b < displacements.length; b++) {
          for (long i = 0; i < counts[b]; i++) {
            expand(body, base + displacements[b] + i * stride, into);
          }
        }
      }
      case Shape.Sequence(List<Shape> parts) -> parts.forEach(part -> expand(part, base, into));
    }
  }
}
