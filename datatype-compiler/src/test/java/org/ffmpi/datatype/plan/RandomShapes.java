// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Shapes of all kinds, small enough to be expanded: regular and ragged, fusing and not, empty parts, any order. */
final class RandomShapes {
  private final RandomGenerator random;
  private final int mostBytes;

  RandomShapes(RandomGenerator random, int mostBytes) {
    this.random = random;
    this.mostBytes = mostBytes;
  }

  /** Returns a shape with at most the allowed bytes, and at least one. */
  Shape next() {
    while (true) {
      Shape shape = shape(random.nextInt(1, 5));
      long bytes = bytes(shape);
      if (bytes > 0 && bytes <= mostBytes) {
        return shape;
      }
    }
  }

  /** Returns an extent that suits a shape: close, roomy, too small, negative or fusing with its outermost loop. */
  long extent(Shape shape) {
    ShapeOracle oracle = new ShapeOracle(shape, 0);
    long span = oracle.high(1) - oracle.low(1);
    return switch (random.nextInt(8)) {
      case 0 -> span / 2;
      case 1 -> -span - random.nextInt(8);
      case 2 -> shape instanceof Shape.Repeat repeat ? repeat.count() * repeat.stride() : span;
      case 3 -> 8 * random.nextInt(1, 4);
      case 4, 5 -> span;
      default -> span + random.nextInt(1, 20);
    };
  }

  private Shape shape(int depth) {
    if (depth == 0) {
      return new Shape.Run(random.nextInt(-20, 20), block());
    }
    return switch (random.nextInt(6)) {
      case 0 -> new Shape.Run(random.nextInt(-20, 20), block());
      case 1, 2, 3 -> repeat(shape(depth - 1));
      case 4 -> scatter(shape(depth - 1));
      default -> sequence(depth);
    };
  }

  private long block() {
    return switch (random.nextInt(5)) {
      case 0 -> random.nextInt(0, 40);
      case 1 -> 4;
      case 2 -> 1 << random.nextInt(0, 7);
      default -> 8;
    };
  }

  private Shape repeat(Shape body) {
    long count = random.nextInt(10) == 0 ? random.nextInt(0, 60) : random.nextInt(0, 7);
    return new Shape.Repeat(random.nextInt(-16, 17), count, stride(body), body);
  }

  private long stride(Shape body) {
    long span = Math.max(1, span(body));
    return switch (random.nextInt(8)) {
      case 0 -> 0;
      case 1 -> -span - random.nextInt(3);
      case 2 -> random.nextInt(-40, 41);
      case 3, 4 -> body instanceof Shape.Repeat repeat ? repeat.count() * repeat.stride() : span;
      case 5 -> span;
      default -> span + 4 * random.nextInt(1, 6);
    };
  }

  private Shape scatter(Shape body) {
    int n = random.nextInt(20) == 0 ? random.nextInt(20, 50) : random.nextInt(0, 6);
    long[] displacements = new long[n];
    long[] counts = new long[n];
    long even = random.nextInt(0, 4);
    boolean ragged = random.nextBoolean();
    long stride = stride(body);
    long at = random.nextInt(-30, 30);
    for (int i = 0; i < n; i++) {
      counts[i] = ragged ? random.nextInt(0, 4) : even;
      displacements[i] = random.nextInt(10) == 0 ? random.nextInt(-60, 60) : at;
      at = displacements[i] + counts[i] * stride + (random.nextBoolean() ? 0 : 4 * random.nextInt(0, 5));
    }
    return new Shape.Scatter(displacements, counts, stride, body);
  }

  private Shape sequence(int depth) {
    List<Shape> parts = new ArrayList<>();
    int n = random.nextInt(0, 5);
    long at = 0;
    Shape same = random.nextInt(3) == 0 ? shape(depth - 1) : null;
    for (int i = 0; i < n; i++) {
      Shape part = same != null ? same : shape(depth - 1);
      parts.add(new Shape.Repeat(at, 1, 0, part));
      at += random.nextInt(5) == 0 ? random.nextInt(-50, 50) : span(part) + 4 * random.nextInt(0, 3);
    }
    return new Shape.Sequence(parts);
  }

  private static long span(Shape shape) {
    if (bytes(shape) == 0 || bytes(shape) > 100_000) {
      return 1;
    }
    ShapeOracle oracle = new ShapeOracle(shape, 0);
    return oracle.high(1) - oracle.low(1);
  }

  private static long bytes(Shape shape) {
    return switch (shape) {
      case Shape.Run run -> run.bytes();
      case Shape.Repeat repeat -> repeat.count() * bytes(repeat.body());
      case Shape.Scatter scatter -> {
        long sum = 0;
        for (long count : scatter.counts()) {
          sum += count * bytes(scatter.body());
        }
        yield sum;
      }
      case Shape.Sequence sequence -> sequence.parts().stream().mapToLong(RandomShapes::bytes).sum();
    };
  }

  /** Writes a shape out, arrays too. */
  static String text(Shape shape) {
    return switch (shape) {
      case Shape.Run run -> "Run(" + run.displacement() + ", " + run.bytes() + ")";
      case Shape.Repeat r ->
          "Repeat(" + r.displacement() + ", " + r.count() + ", " + r.stride() + ", " + text(r.body()) + ")";
      case Shape.Scatter s -> "Scatter(" + java.util.Arrays.toString(s.displacements()) + ", "
          + java.util.Arrays.toString(s.counts()) + ", " + s.stride() + ", " + text(s.body()) + ")";
      case Shape.Sequence s -> "Sequence" + s.parts().stream().map(RandomShapes::text).toList();
    };
  }
}
