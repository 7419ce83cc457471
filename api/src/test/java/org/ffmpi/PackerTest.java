// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import static org.ffmpi.Worlds.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.datatype.Datatype;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Packing and unpacking piece by piece, in the machine's representation and the portable one. */
class PackerTest {
  private static final byte[] BLANK = {9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9};

  private static Datatype<Object> particle() {
    return Datatype.struct(
        new long[] {1, 6, 7}, new long[] {0, 8, 56}, Datatype.INT, Datatype.DOUBLE, Datatype.CHAR).commit();
  }

  @Test
  @DisplayName("S1-4.2-a, S1-4.2-c, S1-4.21: an int and 100 characters make one unit of 104 bytes")
  void packsOneAfterTheOther() {
    byte[] characters = new byte[100];
    Arrays.fill(characters, (byte) 'x');
    Packer packer = Packer.into(new byte[1000]).pack(Buf.of(new int[] {42}));
    assertEquals(4, packer.position());
    packer.pack(Buf.of(characters, 100, Datatype.CHAR));
    assertEquals(104, packer.position());
    Buf<Byte> packed = packer.packed();
    assertEquals(104, packed.count());
    assertSame(Datatype.PACKED, packed.type());
    assertEquals("Packer[104 of 1000 bytes]", packer.toString());

    int[] number = new int[1];
    byte[] text = new byte[100];
    Unpacker unpacker = Unpacker.from(packed).unpack(Buf.of(number));
    assertEquals(100, unpacker.remaining());
    unpacker.unpack(Buf.of(text, 100, Datatype.CHAR));
    assertEquals(42, number[0]);
    assertArrayEquals(characters, text);
    assertEquals(104, unpacker.position());
    assertEquals("Unpacker[104 of 104 bytes]", unpacker.toString());
  }

  @Test
  @DisplayName("S1-4.2-b: unpacking takes exactly what the buffer has, from wherever the position is")
  void positionsCanBeMoved() {
    Packer packer = Packer.into(new byte[16]).position(8).pack(Buf.of(new int[] {1, 2}));
    packer.position(0).pack(Buf.of(new int[] {3, 4}));
    assertEquals(8, packer.packed().count());
    packer.position(16);
    int[] back = new int[1];
    Unpacker unpacker = Unpacker.from(packer.packed()).position(12).unpack(Buf.of(back));
    assertEquals(2, back[0]);
    unpacker.position(4).unpack(Buf.of(back));
    assertEquals(4, back[0]);
    assertEquals(0, packer.reset().packed().count());
    assertError(ErrorClass.ERR_ARG, () -> packer.position(17), "position = 17", "0..16");
    assertError(ErrorClass.ERR_ARG, () -> unpacker.position(-1), "position = -1", "0..16");
  }

  @Test
  @DisplayName("S1-4.2-a: what does not fit is ERR_TRUNCATE, and nothing of it is written")
  void overflowWritesNothing() {
    byte[] memory = BLANK.clone();
    Packer packer = Packer.into(MemorySegment.ofArray(memory).asSlice(0, 10)).pack(Buf.of(new int[] {0}));
    assertError(ErrorClass.ERR_TRUNCATE, () -> packer.pack(Buf.of(new double[1])), "8 bytes", "allowed are 6");
    assertEquals(4, packer.position());
    packer.pack(Buf.of(new byte[6]));
    assertError(ErrorClass.ERR_TRUNCATE, () -> packer.pack(Buf.of(new byte[1])), "allowed are 0");
    byte[] expected = BLANK.clone();
    Arrays.fill(expected, 0, 10, (byte) 0);
    assertArrayEquals(expected, memory);

    Packer portable = Packer.external32(new byte[7]);
    assertError(ErrorClass.ERR_TRUNCATE, () -> portable.pack(Buf.of(new double[1])));
    assertEquals(0, portable.position());
  }

  @Test
  void unpackingBeyondTheEndWritesNothing() {
    int[] back = {7, 7};
    Unpacker unpacker = Unpacker.from(new byte[6]);
    assertError(ErrorClass.ERR_TRUNCATE, () -> unpacker.unpack(Buf.of(back)), "8 packed bytes", "allowed are 6");
    assertArrayEquals(new int[] {7, 7}, back);
    assertEquals(0, unpacker.position());
    assertError(ErrorClass.ERR_TRUNCATE, () -> Unpacker.external32(new byte[6]).unpack(Buf.of(back)));
  }

  @Test
  @DisplayName("S1-4.2-g, S1-4.17-1: sizes are exact; an int that cannot hold one is UNDEFINED")
  void sizes() {
    assertEquals(59_000, Packer.size(1000, particle()));
    assertEquals(59_000, Packer.external32Size(1000, particle()));
    assertEquals(4, Packer.external32Size(1, Datatype.LONG));
    Datatype<Integer> huge = Datatype.contiguous(0x7fffffff, Datatype.INT);
    assertEquals(8589934588L, Packer.size(1, huge));
    assertEquals(Constants.UNDEFINED, Packer.sizeInt(1, huge));
    assertEquals(80, Packer.sizeInt(10, Datatype.DOUBLE));
    assertError(ErrorClass.ERR_COUNT, () -> Packer.size(Long.MAX_VALUE, huge), "63 bits");
    assertError(ErrorClass.ERR_COUNT, () -> Packer.external32Size(Long.MAX_VALUE, huge), "63 bits");
    assertError(ErrorClass.ERR_COUNT, () -> Packer.size(-1, huge), "count = -1");
    assertError(ErrorClass.ERR_TYPE, () -> Packer.size(1, null), "type = null");
    huge.close();
    assertError(ErrorClass.ERR_TYPE, () -> Packer.size(1, huge), "freed");
  }

  /** Derived types between every two kinds of memory, longer than the pieces in which they are copied. */
  @Test
  void derivedTypesInEveryKindOfMemory() {
    Datatype<Object> type = particle();
    int count = 300;
    byte[] elements = new byte[64 * count];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = (byte) (i % 64 == 63 || (i % 64 >= 4 && i % 64 < 8) ? 0 : i * 31 / 7);
    }
    byte[] expected = new byte[59 * count];
    Packer.into(expected).pack(Buf.of(elements, count, type));
    try (Arena confined = Arena.ofConfined(); Arena shared = Arena.ofShared()) {
      for (MemorySegment from : everyKind(elements.length, confined, shared)) {
        from.copyFrom(MemorySegment.ofArray(elements));
        for (MemorySegment to : everyKind(expected.length, confined, shared)) {
          Packer packer = Packer.into(to).pack(Buf.of(from, count, type));
          assertArrayEquals(expected, to.toArray(ValueLayout.JAVA_BYTE));
          byte[] back = new byte[elements.length];
          Unpacker.from(packer.packed()).unpack(Buf.of(back, count, type));
          assertArrayEquals(elements, back);
          Packer.external32(to).pack(Buf.of(from, count, type));
          from.fill((byte) 0);
          Unpacker.external32(to).unpack(Buf.of(from, count, type));
          assertArrayEquals(elements, from.toArray(ValueLayout.JAVA_BYTE));
        }
      }
    }
  }

  private static List<MemorySegment> everyKind(int bytes, Arena confined, Arena shared) {
    return List.of(
        Arena.ofAuto().allocate(bytes), confined.allocate(bytes), shared.allocate(bytes),
        MemorySegment.ofArray(new byte[bytes]));
  }

  @Test
  void theWholeOfAnySegmentIsUsed() {
    double[] doubles = new double[2];
    Packer.into(MemorySegment.ofArray(doubles)).pack(Buf.of(new double[] {1, 2}));
    assertArrayEquals(new double[] {1, 2}, doubles);
    boolean[] truths = new boolean[2];
    Unpacker.from(new byte[] {1, 0}).unpack(Buf.of(truths));
    assertArrayEquals(new boolean[] {true, false}, truths);
  }

  @Test
  @DisplayName("external32: a message of bytes, big-endian, with the standard's widths")
  void portable() {
    Packer packer = Packer.external32(new byte[64]).pack(Buf.of(new int[] {1})).pack(
        Buf.of(new long[] {-2}, 1, Datatype.LONG));
    assertSame(Datatype.BYTE, packer.packed().type());
    assertEquals(8, packer.position());
    byte[] bytes = new byte[8];
    Unpacker.from(packer.packed()).unpack(Buf.of(bytes));
    assertArrayEquals(new byte[] {0, 0, 0, 1, -1, -1, -1, -2}, bytes);
    assertError(
        ErrorClass.ERR_CONVERSION, () -> packer.pack(Buf.of(new long[] {1L << 40}, 1, Datatype.LONG)), "MPI_LONG",
        "1099511627776");
    assertEquals(8, packer.position());
    long[] back = new long[1];
    Unpacker unpacker = Unpacker.external32(packer.packed()).position(4).unpack(Buf.of(back, 1, Datatype.LONG));
    assertEquals(-2, back[0]);
    assertEquals("Packer[8 of 64 bytes, external32]", packer.toString());
    assertEquals("Unpacker[8 of 8 bytes, external32]", unpacker.toString());
  }

  @Test
  void whatCannotBeUsed() {
    Arena arena = Arena.ofShared();
    MemorySegment closed = arena.allocate(8);
    Packer late = Packer.into(closed);
    arena.close();
    MemorySegment readOnly = MemorySegment.ofArray(new byte[8]).asReadOnly();
    Packer packer = Packer.into(new byte[100]);
    Datatype<Integer> uncommitted = Datatype.contiguous(2, Datatype.INT);
    Datatype<Integer> freed = Datatype.contiguous(2, Datatype.INT).commit();
    Buf<Integer> ofFreed = Buf.of(new int[2], 1, freed);
    freed.close();
    assertError(ErrorClass.ERR_BUFFER, () -> Packer.into((MemorySegment) null), "segment = null");
    assertError(ErrorClass.ERR_BUFFER, () -> Packer.into((byte[]) null), "array = null");
    assertError(ErrorClass.ERR_BUFFER, () -> Packer.into(readOnly), "writable");
    assertError(ErrorClass.ERR_BUFFER, () -> Packer.into(closed), "closed");
    assertError(ErrorClass.ERR_BUFFER, () -> late.pack(Buf.of(new byte[1])), "closed");
    assertError(ErrorClass.ERR_BUFFER, () -> packer.pack(null), "buf = null");
    assertError(ErrorClass.ERR_BUFFER, () -> packer.pack(Buf.inPlace()), "inPlace");
    assertError(ErrorClass.ERR_TYPE, () -> packer.pack(Buf.of(new int[2], 1, uncommitted)), "commit()");
    assertError(ErrorClass.ERR_TYPE, () -> packer.pack(ofFreed), "freed");
    assertError(ErrorClass.ERR_BUFFER, () -> Unpacker.from(readOnly).unpack(Buf.of(readOnly, 8, Datatype.BYTE)),
        "writable");
    Buf<Integer> gaps = Buf.of(new int[8], 1, Datatype.vector(2, 1, 2, Datatype.INT).commit());
    assertError(ErrorClass.ERR_BUFFER, () -> Unpacker.from(gaps), "without gaps");
    assertError(ErrorClass.ERR_BUFFER, () -> Unpacker.from((Buf<?>) null), "packed = null");
    byte[] kept = new byte[8];
    Unpacker.from(readOnly).unpack(Buf.of(kept));
    assertEquals(0, packer.position());
  }

  @Test
  void whatIsUnpackedFromIsOfATypeInUse() {
    Datatype<Integer> type = Datatype.contiguous(2, Datatype.INT);
    Buf<Integer> buf = Buf.of(new int[2], 1, type);
    assertError(ErrorClass.ERR_TYPE, () -> Unpacker.from(buf), "not committed");
    type.commit();
    assertEquals(8, Unpacker.from(buf).remaining());
    type.close();
    assertError(ErrorClass.ERR_TYPE, () -> Unpacker.from(buf), "freed");
    assertError(ErrorClass.ERR_BUFFER, () -> Unpacker.from(Buf.inPlace()), "inPlace");
  }
}
