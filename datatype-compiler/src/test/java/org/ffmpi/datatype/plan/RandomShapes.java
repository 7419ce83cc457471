// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.ffmpi.datatype.plan.pattern.ByteShape;

/**
 * Shapes of all kinds, small enough to be expanded; regular and ragged, fusing and not, with empty parts, in any order.
 */
public final class RandomShapes {
  private final RandomGenerator random;
  private final int mostBytes;

  public RandomShapes(RandomGenerator random, int mostBytes) {
    this.random = random;
    this.mostBytes = mostBytes;
  }

  /** Returns a shape with at most the allowed bytes, and at least one. */
  public ByteShape next() {
    while (true) {
      ByteShape shape = shape(random.nextInt(1, 5));
      long bytes = bytes(shape);
      if (bytes > 0 && bytes <= mostBytes) {
        return shape;
      }
    }
  }

  /** Returns an extent that suits a shape: close, roomy, too small, negative or fusing with its outermost loop. */
  public long extent(ByteShape shape) {
    ShapeOracle oracle = new ShapeOracle(shape, 0);
    long span = oracle.high(1) - oracle.low(1);
    return switch (random.nextInt(8)) {
      case 0 -> span / 2;
      case 1 -> -span - random.nextInt(8);
      case 2 -> shape instanceof ByteShape.Repeat repeat ? repeat.count() * repeat.stride() : span;
      case 3 -> 8 * random.nextInt(1, 4);
      case 4, 5 -> span;
      default -> span + random.nextInt(1, 20);
    };
  }

  private ByteShape shape(int depth) {
    if (depth == 0) {
      return new ByteShape.Run(random.nextInt(-20, 20), block());
    }
    return switch (random.nextInt(6)) {
      case 0 -> new ByteShape.Run(random.nextInt(-20, 20), block());
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

  private ByteShape repeat(ByteShape body) {
    long count = random.nextInt(10) == 0 ? random.nextInt(0, 60) : random.nextInt(0, 7);
    return new ByteShape.Repeat(random.nextInt(-16, 17), count, stride(body), body);
  }

  private long stride(ByteShape body) {
    long span = Math.max(1, span(body));
    return switch (random.nextInt(8)) {
      case 0 -> 0;
      case 1 -> -span - random.nextInt(3);
      case 2 -> random.nextInt(-40, 41);
      case 3, 4 -> body instanceof ByteShape.Repeat repeat ? repeat.count() * repeat.stride() : span;
      case 5 -> span;
      default -> span + 4 * random.nextInt(1, 6);
    };
  }

  private ByteShape scatter(ByteShape body) {
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
    return new ByteShape.Scatter(displacements, counts, stride, body);
  }

  private ByteShape sequence(int depth) {
    List<ByteShape> parts = new ArrayList<>();
    int n = random.nextInt(0, 5);
    long at = 0;
    ByteShape same = random.nextInt(3) == 0 ? shape(depth - 1) : null;
    for (int i = 0; i < n; i++) {
      ByteShape part = same != null ? same : shape(depth - 1);
      parts.add(new ByteShape.Repeat(at, 1, 0, part));
      at += random.nextInt(5) == 0 ? random.nextInt(-50, 50) : span(part) + 4 * random.nextInt(0, 3);
    }
    return random.nextBoolean() ? new ByteShape.Sequence(parts) : members(parts);
  }

  /** Makes the same as members of a struct, some of them several times side by side. */
  private ByteShape members(List<ByteShape> parts) {
    int n = parts.size();
    long[] displacements = new long[n];
    long[] counts = new long[n];
    int[] kinds = new int[n];
    List<ByteShape> bodies = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      ByteShape.Repeat part = (ByteShape.Repeat) parts.get(i);
      displacements[i] = part.displacement();
      counts[i] = random.nextInt(4) == 0 ? random.nextInt(0, 4) : 1;
      if (!bodies.contains(part.body())) {
        bodies.add(part.body());
      }
      kinds[i] = bodies.indexOf(part.body());
    }
    long[] strides = bodies.stream().mapToLong(this::stride).toArray();
    return new ByteShape.Members(displacements, counts, kinds, strides, bodies.toArray(ByteShape[]::new));
  }

  private static long span(ByteShape shape) {
    if (bytes(shape) == 0 || bytes(shape) > 100_000) {
      return 1;
    }
    ShapeOracle oracle = new ShapeOracle(shape, 0);
    return oracle.high(1) - oracle.low(1);
  }

  private static long bytes(ByteShape shape) {
    return switch (shape) {
      case ByteShape.Run run -> run.bytes();
      case ByteShape.Repeat repeat -> repeat.count() * bytes(repeat.body());
      case ByteShape.Scatter scatter -> {
        long sum = 0;
        for (long count : scatter.counts()) {
          sum += count * bytes(scatter.body());
        }
        yield sum;
      }
      case ByteShape.Members members -> {
        long sum = 0;
        for (int i = 0; i < members.counts().length; i++) {
          sum += members.counts()[i] * bytes(members.bodies()[members.kinds()[i]]);
        }
        yield sum;
      }
      case ByteShape.Sequence sequence -> sequence.parts().stream().mapToLong(RandomShapes::bytes).sum();
    };
  }

  /** Writes a shape out, arrays too. */
  public static String text(ByteShape shape) {
    return switch (shape) {
      case ByteShape.Run run -> "Run(" + run.displacement() + ", " + run.bytes() + ")";
      case ByteShape.Repeat r ->
          "Repeat(" + r.displacement() + ", " + r.count() + ", " + r.stride() + ", " + text(r.body()) + ")";
      case ByteShape.Scatter s -> "Scatter(" + java.util.Arrays.toString(s.displacements()) + ", "
          + java.util.Arrays.toString(s.counts()) + ", " + s.stride() + ", " + text(s.body()) + ")";
      case ByteShape.Members m -> "Members(" + java.util.Arrays.toString(m.displacements()) + ", "
          + java.util.Arrays.toString(m.counts()) + ", " + java.util.Arrays.toString(m.kinds()) + ", "
          + java.util.Arrays.toString(m.strides()) + ", "
          + java.util.Arrays.stream(m.bodies()).map(RandomShapes::text).toList() + ")";
      case ByteShape.Sequence s -> "Sequence" + s.parts().stream().map(RandomShapes::text).toList();
    };
  }
}
