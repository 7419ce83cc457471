// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.pattern;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * Brings a shape into normal form: from the inside out, by the rules of {@link Patterns}. The first type is compiled
 * while a program starts, so neither uses what the JVM links with a call at run time: lambdas, switches over types.
 */
public final class Lowering {
  /** Sequences that have been lowered: a type that is built from one type many times shares its shape. */
  private final IdentityHashMap<ByteShape, Placed> known = new IdentityHashMap<>();

  private Lowering() {}

  /** Returns the pattern of a shape, or null when the shape has no bytes; overflow is an ArithmeticException. */
  public static Placed lower(ByteShape shape) {
    return new Lowering().place(shape);
  }

  private Placed place(ByteShape shape) {
    if (shape instanceof ByteShape.Run run) {
      return run.bytes() == 0 ? null : new Placed(run.displacement(), new BlockPattern(run.bytes()));
    }
    if (shape instanceof ByteShape.Repeat repeat) {
      Placed one = repeat.count() == 0 ? null : place(repeat.body());
      return one == null
          ? null
          : new Placed(
              Math.addExact(repeat.displacement(), one.displacement()),
              Patterns.loop(repeat.count(), repeat.stride(), one.pattern()));
    }
    if (shape instanceof ByteShape.Scatter scatter) {
      Placed one = place(scatter.body());
      return one == null
          ? null
          : Patterns.scatter(scatter.displacements(), scatter.counts(), scatter.stride(), one);
    }
    ByteShape.Sequence sequence = (ByteShape.Sequence) shape;
    Placed before = known.get(sequence);
    if (before != null) {
      return before;
    }
    List<Placed> members = new ArrayList<>(sequence.parts().size());
    for (ByteShape part : sequence.parts()) {
      Placed member = place(part);
      if (member != null) {
        members.add(member);
      }
    }
    Placed placed = Patterns.sequence(members);
    known.put(sequence, placed);
    return placed;
  }
}
