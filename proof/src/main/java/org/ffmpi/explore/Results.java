// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.explore;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Results that have to be the same in every order. The first run that reaches one sets it. Used by the ranks, one at a
 * time.
 */
public final class Results {
  /** A result, by its rank and name, and the line of choices of the run that gave it. */
  private record Known(Object value, String line) {}

  private record Name(int rank, String label, int count) {}

  private final Map<Name, Known> known = new HashMap<>();
  private final Map<Name, Integer> counts = new HashMap<>();
  private Supplier<String> line = () -> "";

  Results() {}

  void begin(Supplier<String> choices) {
    counts.clear();
    line = choices;
  }

  /**
   * Compares a result with that of other orders.
   *
   * @param rank the rank that has it
   * @param label its name
   * @param value the result, compared by {@link Objects#deepEquals}
   * @throws AssertionError when another order gave another one
   */
  public void same(int rank, String label, Object value) {
    int count = counts.merge(new Name(rank, label, 0), 1, Integer::sum);
    Known first = known.putIfAbsent(new Name(rank, label, count), new Known(copy(value), line.get()));
    if (first != null && !Objects.deepEquals(first.value, value)) {
      throw new AssertionError(label + " differs between orders: here it is " + text(value) + ", in the order \""
          + first.line + "\" it was " + text(first.value));
    }
  }

  /** Copies an array, which the program may change later. */
  private static Object copy(Object value) {
    return switch (value) {
      case int[] a -> a.clone();
      case long[] a -> a.clone();
      case double[] a -> a.clone();
      case byte[] a -> a.clone();
      case Object[] a -> a.clone();
      case null, default -> value;
    };
  }

  private static String text(Object value) {
    return switch (value) {
      case int[] a -> Arrays.toString(a);
      case long[] a -> Arrays.toString(a);
      case double[] a -> Arrays.toString(a);
      case byte[] a -> Arrays.toString(a);
      case Object[] a -> Arrays.deepToString(a);
      case null -> "null";
      default -> value.toString();
    };
  }
}
