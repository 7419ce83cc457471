// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.basic;

import java.util.Arrays;

/** An immutable array of {@code long}, compared by content, as a component of records. */
public final class Longs {
  private final long[] values;

  private Longs(long[] values) {
    this.values = values;
  }

  /** Copies an argument, which its owner may change afterwards. */
  public static Longs copyOf(long... values) {
    return new Longs(values.clone());
  }

  /** Copies an argument. */
  public static Longs copyOf(int[] values) {
    return new Longs(Arrays.stream(values).asLongStream().toArray());
  }

  public int length() {
    return values.length;
  }

  public long get(int index) {
    return values[index];
  }

  /** Returns a copy, which belongs to the caller. */
  public long[] toArray() {
    return values.clone();
  }

  /** Returns the values themselves, for shapes, which never write to their arrays. */
  public long[] shared() {
    return values;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Longs longs && Arrays.equals(values, longs.values);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(values);
  }

  @Override
  public String toString() {
    return Arrays.toString(values);
  }
}
