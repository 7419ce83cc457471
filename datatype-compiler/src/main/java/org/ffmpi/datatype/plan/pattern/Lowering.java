// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.pattern;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * Brings a shape into normal form from the inside out, by the rules of {@link Patterns}. The first type is compiled
 * while a program starts, so neither class uses lambdas or switches over types, which the JVM links at run time. Shapes
 * are as deep as types are nested, and threads may have small stacks, so no method recurses.
 */
public final class Lowering {
  /** Shapes of several parts; a type that is built from one type many times shares its shape. */
  private final IdentityHashMap<ByteShape, PlacedPattern> known = new IdentityHashMap<>();

  private Lowering() {}

  /** Returns the pattern of a shape, or null when the shape has no bytes; overflow is an ArithmeticException. */
  public static PlacedPattern lower(ByteShape shape) {
    if (shape instanceof ByteShape.Members members) {
      RunList runs = runs(members); // the usual struct
      if (runs != null) {
        return runs.toPattern();
      }
    }
    Lowering lowering = new Lowering();
    ByteShape inner = lowering.unknownIn(shape);
    if (inner != null) {
      lowering.lowerParts(inner);
    }
    return lowering.place(shape);
  }

  /** Returns the shape of several parts in the middle of a shape, if it is used and has not been lowered. */
  private ByteShape unknownIn(ByteShape shape) {
    ByteShape inner = shape;
    while (true) {
      if (inner instanceof ByteShape.Run) {
        return null;
      } else if (inner instanceof ByteShape.Repeat repeat) {
        if (repeat.count() == 0) {
          return null;
        }
        inner = repeat.body();
      } else if (inner instanceof ByteShape.Scatter scatter) {
        inner = scatter.body();
      } else {
        return known.containsKey(inner) ? null : inner;
      }
    }
  }

  /** Lowers a shape of several parts, after the shapes that its parts consist of. */
  private void lowerParts(ByteShape shape) {
    ArrayDeque<ByteShape> open = new ArrayDeque<>();
    open.push(shape);
    while (!open.isEmpty()) {
      ByteShape next = open.peek();
      int before = open.size();
      if (!known.containsKey(next)) {
        if (next instanceof ByteShape.Members members) {
          openParts(members, open);
        } else {
          openParts((ByteShape.Sequence) next, open);
        }
      }
      if (open.size() == before) {
        open.pop();
        if (!known.containsKey(next)) {
          known.put(next, next instanceof ByteShape.Members members ? join(members) : join((ByteShape.Sequence) next));
        }
      }
    }
  }

  private void openParts(ByteShape.Members members, ArrayDeque<ByteShape> open) {
    for (ByteShape body : members.bodies()) {
      openPart(body, open);
    }
  }

  private void openParts(ByteShape.Sequence sequence, ArrayDeque<ByteShape> open) {
    for (ByteShape part : sequence.parts()) {
      openPart(part, open);
    }
  }

  private void openPart(ByteShape part, ArrayDeque<ByteShape> open) {
    ByteShape inner = unknownIn(part);
    if (inner != null) {
      open.push(inner);
    }
  }

  private PlacedPattern join(ByteShape.Members members) {
    RunList runs = runs(members);
    if (runs != null) {
      return runs.toPattern();
    }
    int[] kinds = members.kinds();
    long[] counts = members.counts();
    PlacedPattern[] ones = new PlacedPattern[members.bodies().length];
    for (int k = 0; k < ones.length; k++) {
      ones[k] = place(members.bodies()[k]);
    }
    List<PlacedPattern> placed = new ArrayList<>(counts.length);
    for (int i = 0; i < counts.length; i++) {
      PlacedPattern one = ones[kinds[i]];
      if (one != null && counts[i] > 0) {
        placed.add(repeated(members.displacements()[i], counts[i], members.strides()[kinds[i]], one));
      }
    }
    return Patterns.sequence(placed);
  }

  /** Returns members that are runs of bytes as a list of them, or null when there is another member. */
  private static RunList runs(ByteShape.Members members) {
    int[] kinds = members.kinds();
    long[] strides = members.strides();
    for (ByteShape body : members.bodies()) {
      if (!(body instanceof ByteShape.Run)) {
        return null;
      }
    }
    long[] counts = members.counts();
    RunList runs = new RunList(counts.length);
    for (int i = 0; i < counts.length; i++) {
      long count = counts[i];
      if (count > 0) {
        ByteShape.Run run = (ByteShape.Run) members.bodies()[kinds[i]];
        if (count > 1 && strides[kinds[i]] != run.bytes()) {
          return null;
        }
        runs.run(
            Math.addExact(members.displacements()[i], run.displacement()), Math.multiplyExact(count, run.bytes()));
      }
    }
    return runs;
  }

  private PlacedPattern join(ByteShape.Sequence sequence) {
    List<PlacedPattern> placed = new ArrayList<>(sequence.parts().size());
    for (ByteShape part : sequence.parts()) {
      PlacedPattern member = place(part);
      if (member != null) {
        placed.add(member);
      }
    }
    return Patterns.sequence(placed);
  }

  private static PlacedPattern repeated(long displacement, long count, long stride, PlacedPattern one) {
    return new PlacedPattern(
        Math.addExact(displacement, one.displacement()), Patterns.loop(count, stride, one.pattern()));
  }

  /** Places a shape whose parts are lowered, from its middle outwards. */
  private PlacedPattern place(ByteShape shape) {
    List<ByteShape> around = null;
    ByteShape inner = shape;
    while (inner instanceof ByteShape.Repeat || inner instanceof ByteShape.Scatter) {
      if (inner instanceof ByteShape.Repeat repeat && repeat.count() == 0) {
        return null;
      }
      around = around == null ? new ArrayList<>() : around;
      around.add(inner);
      inner = inner instanceof ByteShape.Repeat repeat ? repeat.body() : ((ByteShape.Scatter) inner).body();
    }
    PlacedPattern placed = inner instanceof ByteShape.Run run ? place(run) : known.get(inner);
    for (int i = around == null ? -1 : around.size() - 1; i >= 0 && placed != null; i--) {
      placed = around.get(i) instanceof ByteShape.Repeat repeat
          ? repeated(repeat.displacement(), repeat.count(), repeat.stride(), placed)
          : place((ByteShape.Scatter) around.get(i), placed);
    }
    return placed;
  }

  private static PlacedPattern place(ByteShape.Run run) {
    return run.bytes() == 0 ? null : new PlacedPattern(run.displacement(), new BlockPattern(run.bytes()));
  }

  private static PlacedPattern place(ByteShape.Scatter scatter, PlacedPattern body) {
    return Patterns.scatter(scatter.displacements(), scatter.counts(), scatter.stride(), body);
  }
}
