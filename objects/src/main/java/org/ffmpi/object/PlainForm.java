// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.object;

import java.util.Arrays;
import java.util.List;

/**
 * The short form of strings, boxes, enums, arrays of primitives and of strings, the lists that programs mostly make,
 * and serializable records of these. A value begins with a byte, which is negative at the outermost, where
 * the length of an object stream is not. All other values, and those that contain themselves, are left to Java's
 * serialization.
 *
 * <p>The reader returns what Java's serialization would have returned, objects of the same classes with the same
 * content, and one object where the sender had one. Boxes have no identity.
 */
final class PlainForm {
  /** Set in the first byte of the outermost value. */
  static final int OUTERMOST = 1 << 7;

  static final int NULL = 0;
  static final int FALSE = 1;
  static final int TRUE = 2;
  static final int BYTE = 3;
  static final int CHAR = 4;
  static final int SHORT = 5;
  static final int INT = 6;
  static final int LONG = 7;
  static final int FLOAT = 8;
  static final int DOUBLE = 9;
  /** Length, and a byte for each char. */
  static final int LATIN = 10;
  /** Length, and two bytes for each char. */
  static final int UTF16 = 11;
  /** What {@link ValueWriter#writeArray} writes. */
  static final int PRIMITIVES = 12;
  /** Length and elements, as all lists. */
  static final int STRINGS = 13;
  static final int ARRAY_LIST = 14;
  static final int LIST_OF = 15;
  static final int AS_LIST = 16;
  /** Class and the constant's name. */
  static final int ENUM = 17;
  /** Class, the number that describes its components, and their values. */
  static final int RECORD = 18;

  /** Number of a string or an object that the value has had before, in the order in which they begin. */
  static final int AGAIN = 19;

  /** Deepest nesting of this form; deeper values are for Java's serialization, which counts by its own limits. */
  static final int DEEPEST = 32;

  static final Class<?> AS_LIST_CLASS = Arrays.asList().getClass();

  static final Class<?> LIST_OF_CLASS = List.of().getClass();

  private static final Class<?> LIST_OF_FEW = List.of(1).getClass();

  private PlainForm() {}

  /** Returns whether {@code List.of} makes such a list. Those of streams are of the same class, but hold nulls. */
  static boolean isListOf(Object value, Class<?> type) {
    return type == LIST_OF_FEW || type == LIST_OF_CLASS && !holdsNulls((List<?>) value);
  }

  private static boolean holdsNulls(List<?> list) {
    try {
      return List.copyOf(list) != list;
    } catch (NullPointerException e) {
      return true;
    }
  }
}
