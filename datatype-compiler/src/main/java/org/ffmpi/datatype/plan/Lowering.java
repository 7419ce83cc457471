// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

import java.util.ArrayList;
import java.util.List;

/** Brings a shape into normal form: from the inside out, by the rules of {@link Patterns}. */
final class Lowering {
  private Lowering() {}

  /** Returns the pattern of a shape, or null when the shape has no bytes; overflow is an ArithmeticException. */
  static Placed lower(Shape shape) {
    return switch (shape) {
      case Shape.Run(long displacement, long bytes) ->
          bytes == 0 ? null : new Placed(displacement, new BlockPattern(bytes));
      case Shape.Repeat(long displacement, long count, long stride, Shape body) -> {
        Placed one = count == 0 ? null : lower(body);
        yield one == null
            ? null
            : new Placed(
                Math.addExact(displacement, one.displacement()), Patterns.loop(count, stride, one.pattern()));
      }
      case Shape.Scatter(long[] displacements, long[] counts, long stride, Shape body) -> {
        Placed one = lower(body);
        yield one == null ? null : Patterns.scatter(displacements, counts, stride, one);
      }
      case Shape.Sequence(List<Shape> parts) -> {
        List<Placed> members = new ArrayList<>(parts.size());
        for (Shape part : parts) {
          Placed member = lower(part);
          if (member != null) {
            members.add(member);
          }
        }
        yield Patterns.sequence(members);
      }
    };
  }
}
