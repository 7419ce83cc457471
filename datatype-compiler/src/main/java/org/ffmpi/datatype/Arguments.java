// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/** Checks what is given to the constructors of types. Whatever is refused is named, with its value. */
final class Arguments {
  private Arguments() {}

  /** Refuses a negative number of copies. */
  static void count(String name, long value) {
    if (value < 0) {
      throw MpiException.argument(ErrorClass.ERR_COUNT, name, value, "counts that are not negative");
    }
  }

  /** Refuses a negative length. */
  static void notNegative(String name, long value) {
    if (value < 0) {
      throw MpiException.argument(ErrorClass.ERR_ARG, name, value, "lengths that are not negative");
    }
  }

  /** Refuses an array that holds a negative length. */
  static void notNegative(String name, Longs values) {
    for (int i = 0; i < values.length(); i++) {
      if (values.get(i) < 0) {
        throw MpiException.argument(
            ErrorClass.ERR_ARG, name + "[" + i + "]", values.get(i), "lengths that are not negative");
      }
    }
  }

  /** Refuses a value outside a range. */
  static void inRange(String name, long value, long first, long last) {
    if (value < first || value > last) {
      throw MpiException.argument(ErrorClass.ERR_ARG, name, value, first + ".." + last);
    }
  }

  /** Refuses arrays that do not go together. */
  static void sameLength(String name, int length, String other, int expected) {
    if (length != expected) {
      throw MpiException.argument(
          ErrorClass.ERR_ARG, name + ".length", length, expected + ", as many as " + other + ".length");
    }
  }

  /** Returns an argument that must be there. */
  static <A> A present(String name, A value) {
    if (value == null) {
      throw MpiException.argument(ErrorClass.ERR_ARG, name, null, "references that are not null");
    }
    return value;
  }

  /** Returns a copy of an array that must be there. */
  static Longs copy(String name, long[] values) {
    return Longs.copyOf(present(name, values));
  }

  /** Returns what a type that goes into another one is made of. */
  static TypeTree old(String name, Datatype<?> type) {
    if (type == null) {
      throw MpiException.argument(ErrorClass.ERR_TYPE, name, null, "datatypes that are not null");
    }
    type.requireOpen(name);
    return type.tree();
  }

  /** Returns what the types that go into another one are made of. */
  static List<TypeTree> old(String name, Datatype<?>[] types) {
    List<TypeTree> trees = new ArrayList<>();
    for (Datatype<?> type : present(name, types)) {
      trees.add(old(name + "[" + trees.size() + "]", type));
    }
    return List.copyOf(trees);
  }

  /** Returns a copy of an array without holes. */
  static <A> List<A> list(String name, A[] values) {
    List<A> list = new ArrayList<>();
    for (A value : present(name, values)) {
      list.add(present(name + "[" + list.size() + "]", value));
    }
    return List.copyOf(list);
  }

  /** What to throw when a number of copies makes a type too large. */
  static MpiException tooMany(String name, long value) {
    return MpiException.argument(
        ErrorClass.ERR_COUNT, name, value, "counts so that the number of bytes in the type fits in 63 bits");
  }

  /** What to throw when a distance makes a type too wide. */
  static MpiException tooFar(String name, long value) {
    return MpiException.argument(
        ErrorClass.ERR_ARG, name, value, "distances so that every bound and the extent of the type fit in 63 bits");
  }
}
