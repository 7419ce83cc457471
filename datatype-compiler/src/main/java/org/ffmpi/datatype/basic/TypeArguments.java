// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.basic;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/** Checks the arguments of types' constructors. Messages name the argument and its value. */
public final class TypeArguments {
  private TypeArguments() {}

  /** Refuses a negative number of copies. */
  public static void count(String name, long value) {
    if (value < 0) {
      throw MpiException.argument(ErrorClass.ERR_COUNT, name, value, "counts that are not negative");
    }
  }

  /** Refuses a negative length. */
  public static void notNegative(String name, long value) {
    if (value < 0) {
      throw MpiException.argument(ErrorClass.ERR_ARG, name, value, "lengths that are not negative");
    }
  }

  /** Refuses an array that holds a negative length. */
  public static void notNegative(String name, Longs values) {
    for (int i = 0; i < values.length(); i++) {
      if (values.get(i) < 0) {
        throw MpiException.argument(
            ErrorClass.ERR_ARG, name + "[" + i + "]", values.get(i), "lengths that are not negative");
      }
    }
  }

  /** Refuses a value outside a range. */
  public static void inRange(String name, long value, long first, long last) {
    if (value < first || value > last) {
      throw MpiException.argument(ErrorClass.ERR_ARG, name, value, first + ".." + last);
    }
  }

  /** Refuses arrays of different lengths. */
  public static void sameLength(String name, int length, String other, int expected) {
    if (length != expected) {
      throw MpiException.argument(
          ErrorClass.ERR_ARG, name + ".length", length, expected + ", as many as " + other + ".length");
    }
  }

  /** Returns an argument that must not be null. */
  public static <A> A present(String name, A value) {
    if (value == null) {
      throw MpiException.argument(ErrorClass.ERR_ARG, name, null, "references that are not null");
    }
    return value;
  }

  /** Returns a copy of an array that must not be null. */
  public static Longs copy(String name, long[] values) {
    return Longs.copyOf(present(name, values));
  }

  /** Returns a copy of an array whose elements must not be null. */
  public static <A> List<A> list(String name, A[] values) {
    List<A> list = new ArrayList<>();
    for (A value : present(name, values)) {
      list.add(present(name + "[" + list.size() + "]", value));
    }
    return List.copyOf(list);
  }

  /** Returns the exception for a number of copies that makes a type too large. */
  public static MpiException tooMany(String name, long value) {
    return MpiException.argument(
        ErrorClass.ERR_COUNT, name, value, "counts so that the number of bytes in the type fits in 63 bits");
  }

  /** Returns the exception for a distance that makes a type too wide. */
  public static MpiException tooFar(String name, long value) {
    return MpiException.argument(
        ErrorClass.ERR_ARG, name, value, "distances so that every bound and the extent of the type fit in 63 bits");
  }
}
