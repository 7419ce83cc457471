// SPDX-License-Identifier: Apache-2.0
package mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.IntBuffer;
import org.junit.jupiter.api.Test;

/** What slices are parts of. */
class SlicesTest {
  @Test
  void aSliceKnowsItsParent() {
    DoubleBuffer whole = MPI.newDoubleBuffer(10);
    DoubleBuffer slice = MPI.slice(whole, 3);
    whole.put(3, 2.5);
    assertEquals(2.5, slice.get(0));
    assertEquals(7, slice.capacity());
    assertSame(whole, Slices.of(slice).memory());
    assertEquals(24, Slices.of(slice).byteOffset());
    assertNull(Slices.of(whole));
  }

  @Test
  void aSliceOfASliceKnowsTheWhole() {
    IntBuffer whole = MPI.newIntBuffer(10);
    IntBuffer slice = MPI.slice(MPI.slice(whole, 3), 4);
    assertSame(whole, Slices.of(slice).memory());
    assertEquals(28, Slices.of(slice).byteOffset());
  }

  @Test
  void aSliceOfAnArrayKnowsTheArray() {
    char[] array = {'a', 'b', 'c'};
    CharBuffer slice = MPI.slice(array, 1);
    assertEquals('b', slice.get(0));
    assertSame(array, Slices.of(slice).memory());
    assertEquals(2, Slices.of(slice).byteOffset());
    assertNull(Slices.of(array));
  }

  @Test
  void anOffsetBeyondTheValuesIsNamed() {
    String words = "offset = 4: allowed are 0..3, for there are 3 values";
    assertEquals(0, MPI.slice(new int[3], 3).capacity());
    assertEquals(words, assertThrows(IndexOutOfBoundsException.class, () -> MPI.slice(new int[3], 4)).getMessage());
    IntBuffer buffer = IntBuffer.allocate(3);
    assertEquals(words, assertThrows(IllegalArgumentException.class, () -> MPI.slice(buffer, 4)).getMessage());
    assertThrows(IllegalArgumentException.class, () -> MPI.slice(buffer, -1));
  }

  @Test
  void positionAndOrderOfTheParentDoNotMatter() {
    ByteBuffer whole = ByteBuffer.allocateDirect(8).position(5).limit(6);
    ByteBuffer slice = MPI.slice(whole, 2);
    assertEquals(6, slice.capacity());
    assertEquals(0, slice.position());
    assertEquals(ByteOrder.nativeOrder(), slice.order());
    assertEquals(2, Slices.of(slice).byteOffset());
  }
}
