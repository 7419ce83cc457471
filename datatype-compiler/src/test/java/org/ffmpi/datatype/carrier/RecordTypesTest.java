// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.carrier;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static org.ffmpi.datatype.Refusals.refused;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.Combiner;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.Length;
import org.ffmpi.datatype.Seed;
import org.ffmpi.datatype.handle.TypeHandle;
import org.junit.jupiter.api.Test;

/** Records as C structs. */
class RecordTypesTest {
  private record Point(double x, double y) {}

  private record Everything(
      byte b, double d, boolean z, char c, short s, Point p, float f, long l, int i, @Length(3) short[] tail) {}

  /** As example 4.17 of the standard has it. */
  record Particle(int kind, @Length(6) double[] d, @Length(7) byte[] b) {}

  private record Arrays8(
      @Length(2) byte[] b, @Length(3) boolean[] z, @Length(1) char[] c, @Length(5) short[] s, @Length(2) int[] i,
      @Length(2) long[] l, @Length(3) float[] f, @Length(1) double[] d) {}

  private record Nested(byte first, @Length(3) Point[] points, @Length({2, 3}) int[][] matrix, Particle particle) {}

  private record Empty() {}

  @Test
  void componentsLieAsInC() {
    Datatype<Everything> type = Datatype.ofRecord(Everything.class);
    MemoryLayout layout = type.layout().orElseThrow();
    long[] offsets = {0, 8, 16, 18, 20, 24, 40, 48, 56, 60};
    String[] names = {"b", "d", "z", "c", "s", "p", "f", "l", "i", "tail"};
    for (int i = 0; i < names.length; i++) {
      assertEquals(offsets[i], layout.byteOffset(groupElement(names[i])), names[i]);
    }
    assertEquals(72, type.extent(), "padding at the end");
    assertEquals(66, type.trueExtent());
    assertEquals(1 + 8 + 1 + 2 + 2 + 16 + 4 + 8 + 4 + 6, type.size());
    assertEquals(Optional.of("Everything"), layout.name());
    assertEquals(
        "INT8_T, DOUBLE, C_BOOL, UINT16_T, INT16_T, 2 x DOUBLE, FLOAT, INT64_T, INT32_T, 3 x INT16_T",
        TypeHandle.of(type).signature().toString());
  }

  @Test
  void aRecordIsDecodedAsOneWrittenByHand() {
    Datatype<Particle> type = Datatype.ofRecord(Particle.class);
    assertEquals(64, type.extent());
    assertEquals(59, type.size());
    assertEquals(Combiner.STRUCT, type.envelope().combiner());
    assertArrayEquals(new long[] {3, 1, 6, 7}, type.contents().integers());
    assertArrayEquals(new long[] {0, 8, 56}, type.contents().addresses());
    assertEquals(List.of(Datatype.INT32_T, Datatype.DOUBLE, Datatype.INT8_T), type.contents().datatypes());
  }

  @Test
  void eachCallGivesATypeOfItsOwnOverTheSameTree() {
    Datatype<Particle> one = Datatype.ofRecord(Particle.class);
    Datatype<Particle> other = Datatype.ofRecord(Particle.class);
    assertNotSame(one, other);
    assertSame(TypeHandle.of(one).tree(), TypeHandle.of(other).tree());
    one.close();
    assertEquals(64, other.extent());
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(64);
      refused(ErrorClass.ERR_TYPE, () -> one.get(buffer, 0), "freed");
      assertEquals(0, other.get(buffer, 0).kind());
    }
  }

  @Test
  void recordsComeBackAsTheyWere() {
    Seed.repeat(50, random -> {
      Datatype<Everything> type = Datatype.ofRecord(Everything.class).commit();
      int count = random.nextInt(1, 6);
      for (MemorySegment buffer : buffers((int) (type.extent() * count))) {
        Everything[] written = new Everything[count];
        for (int i = 0; i < count; i++) {
          written[i] = everything(random);
          type.set(buffer, i, written[i]);
        }
        for (int i = 0; i < count; i++) {
          Everything read = type.get(buffer, i);
          assertEquals(written[i].toString().replaceAll("tail=.*", ""), read.toString().replaceAll("tail=.*", ""));
          assertArrayEquals(written[i].tail(), read.tail());
        }
      }
    });
  }

  private static Everything everything(RandomGenerator random) {
    return new Everything((byte) random.nextInt(), random.nextDouble(), random.nextBoolean(), (char) random.nextInt(),
        (short) random.nextInt(), new Point(random.nextDouble(), -random.nextDouble()), random.nextFloat(),
        random.nextLong(), random.nextInt(), new short[] {(short) random.nextInt(), 2, (short) random.nextInt()});
  }

  /** Native memory, arrays, and a place where nothing is aligned. */
  private static List<MemorySegment> buffers(int bytes) {
    return List.of(Arena.ofAuto().allocate(bytes, 8), MemorySegment.ofArray(new byte[bytes]),
        MemorySegment.ofArray(new double[bytes / 8 + 1]), Arena.ofAuto().allocate(bytes + 3).asSlice(3));
  }

  @Test
  void arraysOfEveryKindAreCopied() {
    Datatype<Arrays8> type = Datatype.ofRecord(Arrays8.class);
    Arrays8 value = new Arrays8(new byte[] {1, 2}, new boolean[] {true, false, true}, new char[] {'\uffff'},
        new short[] {1, 2, 3, 4, -5}, new int[] {6, -7}, new long[] {8, Long.MIN_VALUE}, new float[] {1, 2, 3},
        new double[] {Math.PI});
    for (MemorySegment buffer : buffers((int) type.extent())) {
      type.set(buffer, 0, value);
      Arrays8 read = type.get(buffer, 0);
      assertArrayEquals(value.b(), read.b());
      assertArrayEquals(value.z(), read.z());
      assertArrayEquals(value.c(), read.c());
      assertArrayEquals(value.s(), read.s());
      assertArrayEquals(value.i(), read.i());
      assertArrayEquals(value.l(), read.l());
      assertArrayEquals(value.f(), read.f());
      assertArrayEquals(value.d(), read.d());
      read.s()[0] = 77;
      assertEquals(1, type.get(buffer, 0).s()[0], "a copy each time");
    }
  }

  @Test
  void recordsAndArraysNest() {
    Datatype<Nested> type = Datatype.ofRecord(Nested.class);
    assertEquals(8 + 48 + 24 + 64, type.extent());
    Nested value = new Nested((byte) 9, new Point[] {new Point(1, 2), new Point(3, 4), new Point(5, 6)},
        new int[][] {{1, 2, 3}, {4, 5, 6}}, new Particle(3, new double[] {1, 2, 3, 4, 5, 6}, new byte[7]));
    for (MemorySegment buffer : buffers((int) type.extent() * 2)) {
      type.set(buffer, 1, value);
      Nested read = type.get(buffer, 1);
      assertArrayEquals(value.points(), read.points());
      assertEquals(Arrays.deepToString(value.matrix()), Arrays.deepToString(read.matrix()));
      assertArrayEquals(value.particle().d(), read.particle().d());
      assertEquals(5, buffer.get(ValueLayout.JAVA_INT_UNALIGNED, type.extent() + 56 + 16));
    }
  }

  @Test
  void gapsAreNotWritten() {
    Datatype<Particle> type = Datatype.ofRecord(Particle.class).commit();
    MemorySegment buffer = Arena.ofAuto().allocate(64, 8).fill((byte) 0x55);
    type.set(buffer, 0, new Particle(0, new double[6], new byte[7]));
    assertEquals(0x5555_5555, buffer.get(ValueLayout.JAVA_INT, 4));
    assertEquals(0x55, buffer.get(ValueLayout.JAVA_BYTE, 63));
    MemorySegment packed = Arena.ofAuto().allocate(59);
    TypeHandle.planOf(type).pack(Memory.NATIVE, buffer, Raw.address(buffer), 1, 0, 59, Raw.address(packed));
    assertEquals(-1, packed.mismatch(Arena.ofAuto().allocate(59)));
  }

  @Test
  void theLastElementNeedsNoPaddingBehindIt() {
    Datatype<Particle> type = Datatype.ofRecord(Particle.class);
    MemorySegment buffer = Arena.ofAuto().allocate(64 + 63, 8);
    type.set(buffer, 1, new Particle(5, new double[6], new byte[7]));
    assertEquals(5, type.get(buffer, 1).kind());
    refused(ErrorClass.ERR_BUFFER, () -> type.get(buffer.asSlice(0, 126), 1), "126 bytes", "element 1", "64", "63");
    refused(ErrorClass.ERR_BUFFER, () -> type.get(buffer, Long.MAX_VALUE / 3), "too small");
    refused(ErrorClass.ERR_BUFFER, () -> type.get(null, 0), "segment = null");
    refused(ErrorClass.ERR_ARG, () -> type.get(buffer, -1), "index = -1");
  }

  @Test
  void duplicatesAndResizedTypesReadRecordsToo() {
    Datatype<Point> apart = Datatype.ofRecord(Point.class).dup().resized(0, 24);
    MemorySegment buffer = Arena.ofAuto().allocate(64, 8);
    apart.set(buffer, 1, new Point(1, 2));
    assertEquals(new Point(1, 2), apart.get(buffer, 1));
    assertEquals(2, buffer.get(ValueLayout.JAVA_DOUBLE, 32));
    refused(ErrorClass.ERR_TYPE, () -> Datatype.contiguous(2, apart).get(buffer, 0), "no form in Java");
  }

  @Test
  void predefinedTypesReadTheirBoxes() {
    for (MemorySegment buffer : buffers(40)) {
      Datatype.DOUBLE.set(buffer, 2, 1.5);
      assertEquals(1.5, Datatype.DOUBLE.get(buffer, 2));
      Datatype.C_BOOL.set(buffer, 1, true);
      assertEquals(true, Datatype.C_BOOL.get(buffer, 1));
      Datatype.UINT16_T.set(buffer, 3, '\uffff');
      assertEquals('\uffff', Datatype.UNSIGNED_SHORT.get(buffer, 3));
      Datatype.INT8_T.set(buffer, 3, (byte) -3);
      assertEquals((byte) -3, Datatype.BYTE.get(buffer, 3));
      Datatype.SHORT.set(buffer, 5, (short) -5);
      assertEquals((short) -5, Datatype.INTEGER2.get(buffer, 5));
      Datatype.AINT.set(buffer, 1, Long.MIN_VALUE);
      assertEquals(Long.MIN_VALUE, Datatype.LONG.resized(0, 2).get(buffer, 4));
      Datatype.INTEGER.set(buffer, 1, 7);
      assertEquals(7, Datatype.f90Integer(9).get(buffer, 1));
      Datatype.REAL.set(buffer, 1, 7f);
      assertEquals(7f, Datatype.FLOAT.dup().get(buffer, 1));
    }
    MemorySegment eight = Arena.ofAuto().allocate(8);
    refused(ErrorClass.ERR_BUFFER, () -> Datatype.DOUBLE.get(eight, 1), "8 bytes");
    refused(ErrorClass.ERR_ARG, () -> Datatype.DOUBLE.set(eight, 0, null), "value = null");
    refused(ErrorClass.ERR_TYPE, () -> Datatype.C_COMPLEX.get(eight, 0), "MPI_C_COMPLEX", "no form in Java");
    refused(ErrorClass.ERR_TYPE, () -> Datatype.DOUBLE_INT.get(eight, 0), "no form in Java");
  }

  @Test
  void anEmptyRecordHasNoBytes() {
    Datatype<Empty> type = Datatype.ofRecord(Empty.class);
    assertEquals(0, type.size());
    assertEquals(0, type.extent());
    assertEquals(new Empty(), type.get(Arena.ofAuto().allocate(1), 1000));
  }

  // ---- what is refused

  private record Text(int a, String name) {}

  private record Boxed(Integer a) {}

  private record NoLength(int a, int[] numbers) {}

  private record WrongLength(@Length(0) int[] a) {}

  private record WrongDimensions(@Length({2, 2}) int[] a) {}

  private record MissingDimension(@Length(2) int[][] a) {}

  private record NoDimension(@Length({}) int[] a) {}

  private record NotAnArray(@Length(2) int a) {}

  private record Outer(int a, Text inner) {}

  private record Itself(int a, @Length(1) Itself[] next) {}

  private record TooLarge(@Length({Integer.MAX_VALUE, Integer.MAX_VALUE, 1000}) long[][][] a) {}

  @Test
  void componentsThatAreNotDataAreNamed() {
    refused(ErrorClass.ERR_TYPE, () -> Datatype.ofRecord(Text.class), "Text.name", "java.lang.String");
    refused(ErrorClass.ERR_TYPE, () -> Datatype.ofRecord(Boxed.class), "Boxed.a", "java.lang.Integer");
    refused(ErrorClass.ERR_TYPE, () -> Datatype.ofRecord(NoLength.class), "NoLength.numbers", "int[]", "@Length");
    refused(ErrorClass.ERR_TYPE, () -> Datatype.ofRecord(WrongLength.class), "WrongLength.a", "[0]");
    refused(ErrorClass.ERR_TYPE, () -> Datatype.ofRecord(WrongDimensions.class), "WrongDimensions.a", "[2, 2]");
    refused(ErrorClass.ERR_TYPE, () -> Datatype.ofRecord(MissingDimension.class), "MissingDimension.a", "[2]");
    refused(ErrorClass.ERR_TYPE, () -> Datatype.ofRecord(NoDimension.class), "NoDimension.a", "[]");
    refused(ErrorClass.ERR_TYPE, () -> Datatype.ofRecord(NotAnArray.class), "NotAnArray.a", "@Length");
    refused(ErrorClass.ERR_TYPE, () -> Datatype.ofRecord(Outer.class), "Outer.inner.name", "java.lang.String");
    refused(ErrorClass.ERR_TYPE, () -> Datatype.ofRecord(Itself.class), "Itself.next[]", "contain itself");
    refused(ErrorClass.ERR_TYPE, () -> Datatype.ofRecord(TooLarge.class), "TooLarge", "63 bits");
    refused(ErrorClass.ERR_TYPE, () -> Datatype.ofRecord(null), "type = null");
  }

  @Test
  @SuppressWarnings("unchecked") // the point: another class in place of a record's
  void classesThatAreNoRecordsOrCannotBeReachedAreNamed() throws ClassNotFoundException {
    refused(ErrorClass.ERR_TYPE, () -> Datatype.ofRecord((Class<Record>) (Class<?>) String.class), "java.lang.String");
    refused(ErrorClass.ERR_TYPE, () -> Datatype.ofRecord(Record.class), "java.lang.Record", "record classes");
    Class<Record> hidden = (Class<Record>) Class.forName("jdk.internal.constant.ModuleDescImpl");
    refused(ErrorClass.ERR_TYPE, () -> Datatype.ofRecord(hidden),
        "ModuleDescImpl", "module java.base", "opens jdk.internal.constant\", or");
  }

  @Test
  void valuesThatDoNotFitAreNamedAndNothingIsWritten() {
    Datatype<Nested> type = Datatype.ofRecord(Nested.class);
    MemorySegment buffer = Arena.ofAuto().allocate(type.extent(), 8);
    Point[] points = {new Point(1, 2), new Point(3, 4), new Point(5, 6)};
    int[][] matrix = {{1, 2, 3}, {4, 5, 6}};
    Particle particle = new Particle(1, new double[6], new byte[7]);
    refused(ErrorClass.ERR_ARG, () -> type.set(buffer, 0, null), "value = null");
    refused(ErrorClass.ERR_ARG, () -> type.set(buffer, 0, new Nested((byte) 1, null, matrix, particle)),
        "Nested.points = null");
    refused(ErrorClass.ERR_ARG, () -> type.set(buffer, 0, new Nested((byte) 1, new Point[2], matrix, particle)),
        "Nested.points.length = 2", "allowed are 3");
    refused(ErrorClass.ERR_ARG,
        () -> type.set(buffer, 0, new Nested((byte) 1, new Point[] {points[0], null, points[1]}, matrix, particle)),
        "Nested.points[] = null");
    refused(ErrorClass.ERR_ARG,
        () -> type.set(buffer, 0, new Nested((byte) 1, points, new int[][] {{1, 2, 3}, {4}}, particle)),
        "Nested.matrix[].length = 1", "allowed are 3");
    refused(ErrorClass.ERR_ARG, () -> type.set(buffer, 0, new Nested((byte) 1, points, matrix, null)),
        "Nested.particle = null");
    refused(ErrorClass.ERR_ARG,
        () -> type.set(buffer, 0, new Nested((byte) 1, points, matrix, new Particle(1, new double[5], new byte[7]))),
        "Nested.particle.d.length = 5", "allowed are 6");
    refused(ErrorClass.ERR_BUFFER,
        () -> type.set(buffer.asReadOnly(), 0, new Nested((byte) 1, points, matrix, particle)), "read-only");
    assertEquals(-1, buffer.mismatch(Arena.ofAuto().allocate(type.extent())), "nothing was written");
  }

  private record Positive(int a) {
    Positive {
      if (a <= 0) {
        throw new IllegalArgumentException("a = " + a);
      }
    }
  }

  @Test
  void whatTheRecordItselfThrowsIsNotHidden() {
    Datatype<Positive> type = Datatype.ofRecord(Positive.class);
    assertThrows(IllegalArgumentException.class, () -> type.get(Arena.ofAuto().allocate(4), 0));
  }
}
