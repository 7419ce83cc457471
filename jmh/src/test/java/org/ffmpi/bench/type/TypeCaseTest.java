// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.type;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.handle.TypeHandle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TypeCaseTest {
  @ParameterizedTest
  @ValueSource(strings = {"contig/944", "vec1s2/1024", "vec8s16/1024", "indexed/1024", "partstruct/944", "face_xy/2048",
      "face_xz/2048", "face_yz/2048", "transpose/2048"})
  void runsThatChecksRelyOnAreThoseOfTheType(String name) {
    TypeCase t = of(name);
    MemorySegment sent = Arena.ofAuto().allocate(t.span());
    MemorySegment received = Arena.ofAuto().allocate(t.span());
    MemorySegment stream = Arena.ofAuto().allocate(t.payload());
    t.fill(sent);
    t.wipe(received);
    TypeHandle.planOf(t.type()).pack(Memory.NATIVE, sent, Raw.address(sent), t.count(), 0, t.payload(),
        Raw.address(stream));
    assertTrue(t.packed(sent, stream));
    TypeHandle.planOf(t.type()).unpack(
        Raw.address(stream), Memory.NATIVE, received, Raw.address(received), t.count(), 0, t.payload());
    assertTrue(t.arrived(sent, received));
    assertTrue(t.type().extent() * t.count() <= t.span() || t.count() == 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"vec1s2/1024", "partstruct/944", "transpose/2048"})
  void aWrongByteIsNoticed(String name) {
    TypeCase t = of(name);
    MemorySegment sent = Arena.ofAuto().allocate(t.span());
    MemorySegment received = Arena.ofAuto().allocate(t.span());
    t.fill(sent);
    t.wipe(received);
    assertFalse(t.arrived(sent, received));
    MemorySegment stream = Arena.ofAuto().allocate(t.payload());
    t.pack(sent, stream);
    assertTrue(t.packed(sent, stream));
    byte last = stream.get(ValueLayout.JAVA_BYTE, t.payload() - 1);
    stream.set(ValueLayout.JAVA_BYTE, t.payload() - 1, (byte) (last + 1));
    assertFalse(t.packed(sent, stream));
  }

  /** Numbers as {@code types.h} gives them. */
  @ParameterizedTest
  @CsvSource({"1024, 30, 1944", "65536, 1890, 133408", "1048576, 29208, 2103104", "3600000, 100230, 7216184"})
  void indexedBlocksAreThoseOfTheCProgram(long payload, int blocks, long span) {
    IndexedBlocks b = new IndexedBlocks(payload / Double.BYTES, 1);
    assertEquals(blocks, b.lengths.length);
    assertEquals(span, b.span * Double.BYTES);
  }

  @ParameterizedTest
  @ValueSource(strings = {"nothing/8", "vec8s16/72", "partstruct/60", "transpose/1024"})
  void unknownTypesAndImpossibleSizesAreRefused(String name) {
    assertThrows(IllegalArgumentException.class, () -> of(name));
  }

  private static TypeCase of(String name) {
    String[] f = name.split("/");
    return TypeCase.of(f[0], Long.parseLong(f[1]));
  }
}
