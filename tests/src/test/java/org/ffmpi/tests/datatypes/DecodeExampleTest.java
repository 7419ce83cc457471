// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.datatypes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.datatype.Combiner;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.TypeContents;
import org.ffmpi.tests.support.Errors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The standard's example of a program that takes types apart. */
class DecodeExampleTest {
  private static final Datatype<?> STRUCT = Datatype.struct(
      new long[] {1, 2}, new long[] {0, 8}, new Datatype<?>[] {Datatype.INT, Datatype.DOUBLE});

  /** Prints a type as the example does, and returns whether it may be freed. */
  private static boolean print(Datatype<?> type, StringBuilder into) {
    if (type.envelope().combiner() == Combiner.NAMED) {
      into.append("Datatype is named: ").append(type.name()).append('\n');
      return false;
    }
    assertEquals(Combiner.STRUCT, type.envelope().combiner());
    TypeContents contents = type.contents();
    into.append("Datatype is struct containing ").append(contents.integers()[0]).append(" datatypes:\n");
    for (int i = 0; i < contents.integers()[0]; i++) {
      into.append("blocklength ").append(contents.integers()[i + 1])
          .append(", displacement ").append(contents.addresses()[i]).append(", type:\n");
      Datatype<?> component = contents.datatypes().get(i);
      if (print(component, into)) {
        component.close();
      }
    }
    return true;
  }

  @Test
  @DisplayName("S1-4.20 S1-4.1.13-h: a struct is taken apart recursively, and its parts are freed")
  void recursivePrinter() {
    Datatype<?> outer = Datatype.struct(
        new long[] {3, 1}, new long[] {24, 0}, new Datatype<?>[] {STRUCT, Datatype.CHAR});
    StringBuilder printed = new StringBuilder();
    assertTrue(print(outer, printed));
    assertEquals("""
        Datatype is struct containing 2 datatypes:
        blocklength 3, displacement 24, type:
        Datatype is struct containing 2 datatypes:
        blocklength 1, displacement 0, type:
        Datatype is named: MPI_INT
        blocklength 2, displacement 8, type:
        Datatype is named: MPI_DOUBLE
        blocklength 1, displacement 0, type:
        Datatype is named: MPI_CHAR
        """, printed.toString());
    assertEquals(20, STRUCT.size(), "the components were handles of their own");
  }

  @Test
  @DisplayName("S1-4.20: what the decoding calls give back")
  void decoded() {
    TypeContents contents = STRUCT.contents();
    assertArrayEquals(new long[] {2, 1, 2}, contents.integers());
    assertArrayEquals(new long[] {0, 8}, contents.addresses());
    assertEquals(2, contents.datatypes().size());
    assertSame(Datatype.INT, contents.datatypes().get(0));
    assertSame(Datatype.DOUBLE, contents.datatypes().get(1));
  }

  @Test
  @DisplayName("S1-4.20: every type describes itself so")
  void describedByTheLibrary() {
    String text = STRUCT.describe();
    for (String part : List.of("struct", "2", "MPI_INT", "MPI_DOUBLE", "8")) {
      assertTrue(text.contains(part), text);
    }
    assertTrue(Datatype.INT.describe().contains("MPI_INT"), Datatype.INT.describe());
  }

  @Test
  @DisplayName("S1-4.1.13-c S1-4.1.13-e: named types cannot be taken apart or freed")
  void namedTypes() {
    Errors.assertError(ErrorClass.ERR_TYPE, Datatype.INT::contents, "MPI_INT");
    Errors.assertError(ErrorClass.ERR_TYPE, STRUCT.contents().datatypes().getFirst()::close, "MPI_INT");
  }
}
