// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.oracle;

import org.ffmpi.datatype.Datatype;

/**
 * The item at one displacement of a typemap: a basic type, or one of the two markers, which occupy no space.
 *
 * @param basic the predefined type; null for a marker
 * @param size bytes of data
 * @param alignment what the C compiler aligns it to
 */
public record Item(Datatype<?> basic, int size, int alignment) {
  /** The marker of a lower bound. */
  static final Item LB = new Item(null, 0, 1);

  /** The marker of an upper bound. */
  static final Item UB = new Item(null, 0, 1);

  boolean isMarker() {
    return basic == null;
  }

  @Override
  public String toString() {
    return this == LB ? "lb" : this == UB ? "ub" : basic.name();
  }

  /** Markers may be equal in all their numbers, so identity distinguishes them. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Item item && (isMarker() ? this == item : basic == item.basic);
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(isMarker() ? this : basic);
  }
}
