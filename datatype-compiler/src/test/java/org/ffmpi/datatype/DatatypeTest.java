// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.tree.TypeTree;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The Java arrays of types, and the counts of messages. */
class DatatypeTest {
  @Test
  void arraysAreSentAsTheTypeOfTheirWidthAndSign() {
    assertSame(Datatype.INT8_T, Datatype.ofArray(byte[].class));
    assertSame(Datatype.INT16_T, Datatype.ofArray(short[].class));
    assertSame(Datatype.UINT16_T, Datatype.ofArray(char[].class));
    assertSame(Datatype.INT32_T, Datatype.ofArray(int[].class));
    assertSame(Datatype.INT64_T, Datatype.ofArray(long[].class));
    assertSame(Datatype.FLOAT, Datatype.ofArray(float[].class));
    assertSame(Datatype.DOUBLE, Datatype.ofArray(double[].class));
    assertSame(Datatype.C_BOOL, Datatype.ofArray(boolean[].class));
  }

  @Test
  void otherArraysAreRefusedByName() {
    for (Class<?> other : List.of(Integer[].class, int[][].class, String.class, int.class)) {
      MpiException refused = assertThrows(MpiException.class, () -> Datatype.ofArray(other));
      assertEquals(ErrorClass.ERR_TYPE, refused.errorClass());
      assertTrue(refused.getMessage().contains(other.getTypeName()), refused.getMessage());
    }
  }

  @Test
  void charArraysHoldSixteenBitsNotCharacters() {
    assertTrue(Datatype.UINT16_T.acceptsArray(char[].class));
    assertTrue(Datatype.UINT16_T.acceptsArray(short[].class));
    assertTrue(Datatype.INT16_T.acceptsArray(char[].class));
    assertFalse(Datatype.CHAR.acceptsArray(char[].class));
    assertFalse(Datatype.WCHAR.acceptsArray(char[].class));
  }

  @Test
  void wrongWidthsAndKindsAreNotAccepted() {
    assertFalse(Datatype.INT.acceptsArray(long[].class));
    assertFalse(Datatype.INT.acceptsArray(float[].class));
    assertFalse(Datatype.DOUBLE.acceptsArray(long[].class));
    assertFalse(Datatype.C_BOOL.acceptsArray(int[].class));
    assertFalse(Datatype.DOUBLE_INT.acceptsArray(double[].class), "the index does not lie in doubles");
    assertFalse(Datatype.LONG_DOUBLE.acceptsArray(double[].class));
    assertTrue(Datatype.C_DOUBLE_COMPLEX.acceptsArray(double[].class));
    assertTrue(Datatype.TWO_INT.acceptsArray(int[].class));
  }

  @Test
  void uninterpretedBytesLieInEveryPrimitiveArray() {
    for (Datatype<?> type : List.of(Datatype.BYTE, Datatype.PACKED)) {
      for (Class<?> array : List.of(byte[].class, boolean[].class, char[].class, short[].class, int[].class,
          long[].class, float[].class, double[].class)) {
        assertTrue(type.acceptsArray(array), type + " in " + array.getTypeName());
      }
      assertFalse(type.acceptsArray(String[].class));
      assertFalse(type.acceptsArray(byte[][].class));
    }
  }

  @Test
  @DisplayName("S1-4.1.11-f: count and elements are equal for basic types, UNDEFINED for incomplete ones")
  void wholeElementsAreCounted() {
    for (Datatype<?> type : Datatype.predefined()) {
      assertEquals(0, type.count(0));
      assertEquals(0, type.elements(0));
      assertEquals(5, type.count(5 * type.size()), type.name());
      int parts = ((TypeTree.Named) TypeHandle.of(type).tree()).basic().element().parts().size();
      assertEquals(5L * parts, type.elements(5 * type.size()), type.name());
      if (type.size() > 1) {
        assertEquals(Constants.UNDEFINED, type.count(5 * type.size() - 1), type.name());
        assertEquals(Constants.UNDEFINED, type.elements(5 * type.size() - 1), type.name());
      }
    }
  }

  @Test
  @DisplayName("S1-4.12: the value of an incomplete pair counts as an element, half of it as none")
  void incompletePairs() {
    assertEquals(Constants.UNDEFINED, Datatype.DOUBLE_INT.count(12 + 8));
    assertEquals(3, Datatype.DOUBLE_INT.elements(12 + 8));
    assertEquals(Constants.UNDEFINED, Datatype.DOUBLE_INT.elements(12 + 4));
    assertEquals(1, Datatype.SHORT_INT.elements(2));
    assertEquals(Constants.UNDEFINED, Datatype.SHORT_INT.elements(5));
    assertEquals(2, Datatype.SHORT_INT.elements(6));
  }

  @Test
  void complexNumbersAreOneElement() {
    assertEquals(2, Datatype.C_COMPLEX.elements(16));
    assertEquals(Constants.UNDEFINED, Datatype.C_COMPLEX.elements(12));
  }
}
