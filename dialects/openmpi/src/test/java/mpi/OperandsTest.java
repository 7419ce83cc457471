// SPDX-License-Identifier: Apache-2.0
package mpi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Operands of user functions: arrays of the base type, or buffers, over memory of any kind. */
class OperandsTest {
  private static final UserFunction ON_ARRAYS = new UserFunction() {
    @Override
    public void call(Object in, Object inOut, int count, Datatype type) {
      int[] first = (int[]) in;
      int[] second = (int[]) inOut;
      for (int i = 0; i < count; i++) {
        second[i] = 10 * second[i] + first[i];
      }
    }
  };

  private static final UserFunction ON_BUFFERS = new UserFunction() {
    @Override
    public void call(ByteBuffer in, ByteBuffer inOut, int count, Datatype type) {
      for (int i = 0; i < count; i++) {
        inOut.putInt(4 * i, 10 * inOut.getInt(4 * i) + in.getInt(4 * i));
      }
    }
  };

  @Test
  void elementsInArraysAreCombined() {
    for (UserFunction function : new UserFunction[] {ON_ARRAYS, ON_BUFFERS}) {
      int[] in = {1, 2};
      int[] inOut = {3, 4};
      Operands.combine(function, MemorySegment.ofArray(in), MemorySegment.ofArray(inOut), 2, MPI.INT);
      assertArrayEquals(new int[] {31, 42}, inOut);
      assertArrayEquals(new int[] {1, 2}, in);
    }
  }

  @Test
  void elementsOffHeapAreCombined() {
    try (Arena arena = Arena.ofConfined()) {
      for (UserFunction function : new UserFunction[] {ON_ARRAYS, ON_BUFFERS}) {
        MemorySegment in = arena.allocateFrom(ValueLayout.JAVA_INT, 1, 2);
        MemorySegment inOut = arena.allocateFrom(ValueLayout.JAVA_INT, 3, 4);
        Operands.combine(function, in, inOut, 2, MPI.INT);
        assertArrayEquals(new int[] {31, 42}, inOut.toArray(ValueLayout.JAVA_INT));
      }
    }
  }

  @Test
  void booleansComeAsArrays() {
    byte[] in = {1, 0, 1};
    byte[] inOut = {1, 0, 0};
    UserFunction either = new UserFunction() {
      @Override
      public void call(Object one, Object other, int count, Datatype type) {
        for (int i = 0; i < count; i++) {
          ((boolean[]) other)[i] ^= ((boolean[]) one)[i];
        }
      }
    };
    Operands.combine(either, MemorySegment.ofArray(in), MemorySegment.ofArray(inOut), 3, MPI.BOOLEAN);
    assertArrayEquals(new byte[] {0, 0, 1}, inOut);
  }

  @Test
  void aFunctionThatOverridesNothingIsRefused() {
    UserFunction nothing = new UserFunction() {};
    MemorySegment memory = MemorySegment.ofArray(new byte[4]);
    UnsupportedOperationException e = assertThrows(
        UnsupportedOperationException.class, () -> Operands.combine(nothing, memory, memory, 1, MPI.INT));
    assertEquals(nothing.getClass().getName() + " overrides neither call(Object, ...) nor call(ByteBuffer, ...)",
        e.getMessage());
  }
}
