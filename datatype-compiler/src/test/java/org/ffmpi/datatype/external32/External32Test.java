// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.external32;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.Table;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.Seed;
import org.ffmpi.datatype.UserMemory;
import org.junit.jupiter.api.Test;

/** The portable representation, compared with bytes written by hand and by {@link ByteBuffer}. */
class External32Test {
  private final External32 converter = new External32();

  private byte[] pack(Datatype<?> type, long count, Object array) {
    byte[] packed = new byte[(int) External32.size(count, type)];
    converter.pack(type, Memory.kindOfArray(array), array, 0, count, Memory.BYTES, packed, 0);
    return packed;
  }

  private void unpack(Datatype<?> type, long count, byte[] packed, Object array) {
    converter.unpack(type, Memory.BYTES, packed, 0, Memory.kindOfArray(array), array, 0, count);
  }

  private void assertExternal(String hex, Datatype<?> type, long count, Object array, Object cleared) {
    byte[] packed = pack(type, count, array);
    assertEquals(hex.replace(" ", ""), HexFormat.of().formatHex(packed), type.name());
    unpack(type, count, packed, cleared);
    assertTrue(Arrays.deepEquals(new Object[] {array}, new Object[] {cleared}), type.name());
  }

  @Test
  void sizesAreTheTables() {
    for (Map<String, String> row : Table.read("predefined.tsv")) {
      Datatype<?> type = Table.constant(row.get("java_name"));
      if (!row.get("external32").equals("0") && !row.get("external32").isEmpty()) {
        assertEquals(Long.parseLong(row.get("external32")), External32.size(1, type), type.name());
      }
    }
    assertEquals(8, External32.size(1, Datatype.LONG_INT));
    assertEquals(12, External32.size(1, Datatype.DOUBLE_INT));
    assertEquals(6, External32.size(1, Datatype.SHORT_INT));
    assertEquals(20, External32.size(1, Datatype.LONG_DOUBLE_INT));
    assertEquals(0, External32.size(0, Datatype.DOUBLE));
    MpiException tooMany =
        assertThrows(MpiException.class, () -> External32.size(Long.MAX_VALUE / 2, Datatype.DOUBLE));
    assertEquals(ErrorClass.ERR_COUNT, tooMany.errorClass());
  }

  @Test
  void scalars() {
    assertExternal("01 ff", Datatype.INT8_T, 2, new byte[] {1, -1}, new byte[2]);
    assertExternal("01 00", Datatype.C_BOOL, 2, new boolean[] {true, false}, new boolean[2]);
    assertExternal("0102 fffe", Datatype.SHORT, 2, new short[] {0x102, -2}, new short[2]);
    assertExternal("0041", Datatype.UINT16_T, 1, new char[] {'A'}, new char[1]);
    assertExternal("01020304", Datatype.INT, 1, new int[] {0x01020304}, new int[1]);
    assertExternal("0102030405060708", Datatype.INT64_T, 1, new long[] {0x0102030405060708L}, new long[1]);
    assertExternal("3f800000 c0200000", Datatype.FLOAT, 2, new float[] {1, -2.5f}, new float[2]);
    assertExternal("3ff0000000000000", Datatype.DOUBLE, 1, new double[] {1}, new double[1]);
    assertExternal("3ff0000000000000 4000000000000000", Datatype.C_DOUBLE_COMPLEX, 1, new double[] {1, 2},
        new double[2]);
    assertExternal("0000000000000001 fffffffffffffffe", Datatype.INTEGER16, 1, new long[] {-2, 1}, new long[2]);
    assertExternal("00000007 ffffffff", Datatype.TWO_INT, 1, new int[] {7, -1}, new int[2]);
  }

  @Test
  void narrowTypesKeepTheirValues() {
    long[] longs = {Integer.MIN_VALUE, -1, Integer.MAX_VALUE};
    assertExternal("80000000 ffffffff 7fffffff", Datatype.LONG, 3, longs, new long[3]);
    assertExternal("00000000 ffffffff", Datatype.UNSIGNED_LONG, 2, new long[] {0, 0xffffffffL}, new long[2]);
    assertExternal("0041 fffd", Datatype.WCHAR, 2, new int[] {'A', 0xfffd}, new int[2]);
  }

  @Test
  void valuesThatDoNotFitAreErrors() {
    assertConversionError(Datatype.LONG, new long[] {0, 1L << 31}, "2147483648");
    assertConversionError(Datatype.LONG, new long[] {Integer.MIN_VALUE - 1L}, "-2147483649");
    assertConversionError(Datatype.UNSIGNED_LONG, new long[] {-1}, "18446744073709551615");
    assertConversionError(Datatype.WCHAR, new int[] {0x1f600}, "128512");
  }

  @Test
  void valuesThatDoNotFitInsideDerivedTypes() {
    Datatype<?> member = Datatype.struct(
        new long[] {1, 2}, new long[] {0, 8}, Datatype.INT, Datatype.LONG);
    Datatype<?> type = Datatype.vector(3, 1, 2, member).commit();
    long[] memory = new long[3 * 5];
    byte[] packed = new byte[(int) External32.size(1, type)];
    assertEquals(36, packed.length);
    converter.pack(type, Memory.LONGS, memory, 0, 1, Memory.BYTES, packed, 0);
    memory[2 * 3 * 2 + 2] = 1L << 31; // the last LONG
    MpiException error = assertThrows(
        MpiException.class, () -> converter.pack(type, Memory.LONGS, memory, 0, 1, Memory.BYTES, packed, 0));
    assertEquals(ErrorClass.ERR_CONVERSION, error.errorClass());
    assertTrue(error.getMessage().contains("2147483648"), error.getMessage());
  }

  private void assertConversionError(Datatype<?> type, Object array, String value) {
    int count = array instanceof long[] longs ? longs.length : 1;
    MpiException error = assertThrows(MpiException.class, () -> pack(type, count, array));
    assertEquals(ErrorClass.ERR_CONVERSION, error.errorClass());
    assertTrue(error.getMessage().contains(value) && error.getMessage().contains(type.name()), error.getMessage());
  }

  @Test
  void pairsAreTheirParts() {
    byte[] element = new byte[32];
    ByteBuffer memory = ByteBuffer.wrap(element).order(ByteOrder.nativeOrder());
    memory.putLong(0, -3).putInt(8, 4);
    assertEquals("fffffffd00000004", HexFormat.of().formatHex(pack(Datatype.LONG_INT, 1, element)));
    memory.putShort(0, (short) -3).putInt(4, 5);
    assertEquals("fffd00000005", HexFormat.of().formatHex(pack(Datatype.SHORT_INT, 1, element)));
    memory.putDouble(0, 1.0).putInt(8, 6);
    assertEquals("3ff000000000000000000006", HexFormat.of().formatHex(pack(Datatype.DOUBLE_INT, 1, element)));
    byte[] back = new byte[16];
    Arrays.fill(back, 12, 16, (byte) 0x55);
    unpack(Datatype.DOUBLE_INT, 1, pack(Datatype.DOUBLE_INT, 1, element), back);
    assertArrayEquals(Arrays.copyOf(element, 12), Arrays.copyOf(back, 12));
    assertEquals(0x55555555, ByteBuffer.wrap(back).getInt(12), "padding is left alone");
  }

  /** One of the structs of the standard's examples, long enough for many pieces, from and to every kind of memory. */
  @Test
  void structsInEveryKindOfMemory() {
    Datatype<?> particle = Datatype.struct(
        new long[] {1, 6, 7, 1}, new long[] {0, 8, 56, 64}, Datatype.INT, Datatype.DOUBLE, Datatype.CHAR,
        Datatype.LONG_INT).commit();
    int count = 700;
    int extent = (int) particle.extent();
    assertEquals(80, extent);
    Seed.repeat(3, random -> {
      byte[] elements = new byte[count * extent];
      byte[] expected = particles(random, elements, count, extent);
      assertEquals(expected.length, External32.size(count, particle));
      try (Arena confined = Arena.ofConfined(); Arena shared = Arena.ofShared()) {
        for (UserMemory from : UserMemory.everyKind(elements.length, particle, confined, shared)) {
          from.set(elements);
          for (UserMemory to : UserMemory.everyKind(expected.length + 8, Datatype.INT8_T, confined, shared)) {
            byte[] before = new byte[expected.length + 8];
            Arrays.fill(before, (byte) 0x77);
            to.set(before);
            converter.pack(particle, from.kind, from.owner, from.offset, count, to.kind, to.owner, to.offset);
            byte[] packed = to.get();
            assertArrayEquals(expected, Arrays.copyOf(packed, expected.length), from + " to " + to);
            assertEquals(0x7777777777777777L, ByteBuffer.wrap(packed).getLong(expected.length), "end of " + to);
            byte[] blank = new byte[elements.length];
            Arrays.fill(blank, (byte) 0x66);
            from.set(blank);
            converter.unpack(particle, to.kind, to.owner, to.offset, from.kind, from.owner, from.offset, count);
            assertArrayEquals(elements, from.get(), to + " to " + from);
          }
        }
      }
    });
  }

  /** Fills elements, their gaps with 0x66, and returns what they are in the portable form. */
  private static byte[] particles(RandomGenerator random, byte[] elements, int count, int extent) {
    Arrays.fill(elements, (byte) 0x66);
    ByteBuffer memory = ByteBuffer.wrap(elements).order(ByteOrder.nativeOrder());
    ByteBuffer external = ByteBuffer.allocate(count * (4 + 48 + 7 + 8));
    for (int i = 0; i < count; i++) {
      int at = i * extent;
      int kind = random.nextInt();
      memory.putInt(at, kind);
      external.putInt(kind);
      for (int d = 0; d < 6; d++) {
        double x = random.nextDouble();
        memory.putDouble(at + 8 + 8 * d, x);
        external.putDouble(x);
      }
      for (int b = 0; b < 7; b++) {
        byte x = (byte) random.nextInt();
        memory.put(at + 56 + b, x);
        external.put(x);
      }
      int value = random.nextInt();
      int index = random.nextInt();
      memory.putLong(at + 64, value).putInt(at + 72, index);
      external.putInt(value).putInt(index);
    }
    return external.array();
  }

  @Test
  void longRunsOfEveryWidth() {
    Seed.repeat(3, random -> {
      for (Datatype<?> type : List.of(Datatype.INT16_T, Datatype.FLOAT, Datatype.DOUBLE, Datatype.REAL16)) {
        Datatype<?> everyOther = Datatype.vector(5000, 1, 2, type).commit();
        MemorySegment memory = Arena.ofAuto().allocate(everyOther.trueExtent());
        byte[] noise = new byte[(int) memory.byteSize()];
        random.nextBytes(noise);
        MemorySegment.copy(noise, 0, memory, ValueLayout.JAVA_BYTE, 0, noise.length);
        byte[] packed = new byte[(int) everyOther.size()];
        converter.pack(
            everyOther, Memory.NATIVE, memory, Raw.address(memory), 1, Memory.BYTES, packed, 0);
        int width = (int) type.size();
        for (int i = 0; i < 5000; i++) {
          for (int b = 0; b < width; b++) {
            assertEquals(noise[2 * i * width + width - 1 - b], packed[i * width + b], type.name());
          }
        }
      }
    });
  }

  @Test
  void typesWhoseTypemapIsExponentiallyLong() {
    Datatype<?> type = Datatype.struct(new long[] {1, 1}, new long[] {0, 8}, Datatype.DOUBLE, Datatype.LONG);
    for (int i = 0; i < 50; i++) {
      type = Datatype.struct(new long[] {1, 1}, new long[] {0, type.extent()}, type, type);
    }
    assertEquals(12L << 50, External32.size(1, type));
    for (int i = 0; i < 8; i++) {
      type = Datatype.struct(new long[] {1, 1, 1}, new long[] {0, 0, 0}, type, Datatype.INT, type);
    }
    assertEquals((12L << 58) + 4 * 255, External32.size(1, type));
    assertEquals(0, External32.size(5, Datatype.contiguous(0, Datatype.INT)));
  }
}
