// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

import java.util.ArrayList;
import java.util.List;

/**
 * Brings a shape into normal form: from the inside out, by the rules of {@link Patterns}. The first type is compiled
 * while a program starts, so neither uses what the JVM links with a call at run time: lambdas, switches over types.
 */
final class Lowering {
  private Lowering() {}

  /** Returns the pattern of a shape, or null when the shape has no bytes; overflow is an ArithmeticException. */
  static Placed lower(Shape shape) {
    if (shape instanceof Shape.Run run) {
      return run.bytes() == 0 ? null : new Placed(run.displacement(), new BlockPattern(run.bytes()));
    }
    if (shape instanceof Shape.Repeat repeat) {
      Placed one = repeat.count() == 0 ? null : lower(repeat.body());
      return one == null
          ? null
          : new Placed(
              Math.addExact(repeat.displacement(), one.displacement()),
              Patterns.loop(repeat.count(), repeat.stride(), one.pattern()));
    }
    if (shape instanceof Shape.Scatter scatter) {
      Placed one = lower(scatter.body());
      return one == null
          ? null
          : Patterns.scatter(scatter.displacements(), scatter.counts(), scatter.stride(), one);
    }
    Shape.Sequence sequence = (Shape.Sequence) shape;
    List<Placed> members = new ArrayList<>(sequence.parts().size());
    for (Shape part : sequence.parts()) {
      Placed member = lower(part);
      if (member != null) {
        members.add(member);
      }
    }
    return Patterns.sequence(members);
  }
}
