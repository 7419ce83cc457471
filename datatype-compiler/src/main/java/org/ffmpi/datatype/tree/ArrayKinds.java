// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.tree;

import org.ffmpi.datatype.basic.Element;

/** Bit sets of the primitive array classes in which elements of a type may lie. */
final class ArrayKinds {
  /** All eight. */
  static final int ALL = 0xff;

  /** The set of each representation, plus one; 0 until it is computed. A benign race: all threads write the same. */
  private static final int[] KNOWN = new int[Element.values().length];

  private ArrayKinds() {}

  /** Returns the arrays that elements of a representation may lie in. */
  static int of(Element element) {
    int known = KNOWN[element.ordinal()];
    if (known == 0) {
      known = find(element) + 1;
      KNOWN[element.ordinal()] = known;
    }
    return known - 1;
  }

  private static int find(Element element) {
    int kinds = 0;
    for (Class<?> array : new Class<?>[] {
      byte[].class, boolean[].class, char[].class, short[].class, int[].class, long[].class, float[].class,
      double[].class
    }) {
      kinds |= element.acceptsArray(array) ? bit(array) : 0;
    }
    return kinds;
  }

  /** Returns the bit of a class; 0 for one that is not an array of a primitive type. */
  static int bit(Class<?> array) {
    if (array == double[].class) {
      return 1;
    } else if (array == float[].class) {
      return 1 << 1;
    } else if (array == long[].class) {
      return 1 << 2;
    } else if (array == int[].class) {
      return 1 << 3;
    } else if (array == short[].class) {
      return 1 << 4;
    } else if (array == char[].class) {
      return 1 << 5;
    } else if (array == byte[].class) {
      return 1 << 6;
    } else if (array == boolean[].class) {
      return 1 << 7;
    }
    return 0;
  }
}
