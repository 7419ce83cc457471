// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.oracle;

import java.util.List;
import java.util.random.RandomGenerator;
import org.ffmpi.datatype.Datatype;

/** Predefined types of all widths, with and without gaps, as typemaps written by hand. */
public final class Leaves {
  private static final Item BYTE = item(Datatype.BYTE, 1);
  private static final Item CHAR = item(Datatype.CHAR, 1);
  private static final Item BOOL = item(Datatype.C_BOOL, 1);
  private static final Item SHORT = item(Datatype.SHORT, 2);
  private static final Item UNSIGNED_SHORT = item(Datatype.UNSIGNED_SHORT, 2);
  private static final Item INT = item(Datatype.INT, 4);
  private static final Item FLOAT = item(Datatype.FLOAT, 4);
  private static final Item LONG = item(Datatype.LONG, 8);
  private static final Item DOUBLE = item(Datatype.DOUBLE, 8);
  private static final Item LONG_DOUBLE = item(Datatype.LONG_DOUBLE, 16);
  private static final Item COMPLEX = new Item(Datatype.C_COMPLEX, 8, 4);
  private static final Item DOUBLE_COMPLEX = new Item(Datatype.C_DOUBLE_COMPLEX, 16, 8);

  private static final List<Sample> SCALARS = List.of(
      scalar("BYTE", BYTE), scalar("CHAR", CHAR), scalar("C_BOOL", BOOL), scalar("SHORT", SHORT),
      scalar("UNSIGNED_SHORT", UNSIGNED_SHORT), scalar("INT", INT), scalar("FLOAT", FLOAT), scalar("LONG", LONG),
      scalar("DOUBLE", DOUBLE), scalar("LONG_DOUBLE", LONG_DOUBLE), scalar("C_COMPLEX", COMPLEX),
      scalar("C_DOUBLE_COMPLEX", DOUBLE_COMPLEX));

  private static final List<Sample> PAIRS = List.of(
      pair("SHORT_INT", Datatype.SHORT_INT, SHORT, 4, INT),
      pair("FLOAT_INT", Datatype.FLOAT_INT, FLOAT, 4, INT),
      pair("DOUBLE_INT", Datatype.DOUBLE_INT, DOUBLE, 8, INT),
      pair("LONG_INT", Datatype.LONG_INT, LONG, 8, INT),
      pair("TWO_INT", Datatype.TWO_INT, INT, 4, INT),
      pair("LONG_DOUBLE_INT", Datatype.LONG_DOUBLE_INT, LONG_DOUBLE, 16, INT),
      pair("valueIndex(SHORT, LONG)", Datatype.valueIndex(Datatype.SHORT, Datatype.LONG), SHORT, 8, LONG),
      pair("valueIndex(DOUBLE, SHORT)", Datatype.valueIndex(Datatype.DOUBLE, Datatype.SHORT), DOUBLE, 8, SHORT));

  private Leaves() {}

  private static Item item(Datatype<?> basic, int size) {
    return new Item(basic, size, size);
  }

  private static Sample scalar(String name, Item item) {
    return new Sample(item.basic(), Typemap.of(new Typemap.Entry(item, 0)), name);
  }

  private static Sample pair(String name, Datatype<?> type, Item value, long indexAt, Item index) {
    return new Sample(
        type, Typemap.of(new Typemap.Entry(value, 0), new Typemap.Entry(index, indexAt)), name);
  }

  /** Returns one of the types, seldom a pair. */
  static Sample random(RandomGenerator random) {
    List<Sample> from = random.nextInt(6) == 0 ? PAIRS : SCALARS;
    return from.get(random.nextInt(from.size()));
  }

  /** Returns the type that an item is alone. */
  static Sample of(Item item) {
    return SCALARS.stream().filter(scalar -> scalar.type() == item.basic()).findFirst().orElseThrow();
  }

  /** Returns the typemap of one of these types. */
  public static Typemap mapOf(Datatype<?> predefined) {
    for (List<Sample> samples : List.of(SCALARS, PAIRS)) {
      for (Sample sample : samples) {
        if (sample.type() == predefined) {
          return sample.map();
        }
      }
    }
    throw new AssertionError("no leaf of the random types: " + predefined);
  }
}
