// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.reduce;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.Seed;
import org.ffmpi.datatype.UserFunction;
import org.ffmpi.datatype.UserMemory;
import org.ffmpi.datatype.handle.TypeHandle;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The arguments of a program's own functions, over memory of every kind and types with gaps. */
class UserOperationTest {
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;

  private static UserOperation general(UserFunction function) {
    return new UserOperation("test", true, function, null);
  }

  private static void reduce(UserOperation op, Datatype<?> type, UserMemory in, UserMemory inout, int count) {
    ReductionLoop.reduce(op.kernel(type), TypeHandle.planOf(type), in.kind, in.owner, in.offset, inout.kind,
        inout.owner,
        inout.offset, count);
  }

  /** Adds integers wherever the type has them, by its own displacements, and checks its arguments. */
  private static UserFunction adding(Datatype<?> expected, List<Long> displacements, long[] seen, Set<Class<?>> kinds) {
    long lowest = displacements.stream().mapToLong(Long::longValue).min().orElse(0);
    return (in, inout, len, type) -> {
      assertSame(expected, type);
      assertTrue(len > 0 && in.isNative() && inout.isNative() && in.isReadOnly() && !inout.isReadOnly());
      assertEquals(in.byteSize(), inout.byteSize());
      kinds.add(in.getClass());
      kinds.add(inout.getClass());
      seen[0] += len;
      long origin = -Math.min(0, lowest + Math.min(0, (len - 1) * type.extent()));
      for (long i = 0; i < len; i++) {
        for (long at : displacements) {
          long place = origin + i * type.extent() + at;
          inout.set(INT, place, in.get(INT, place) + inout.get(INT, place));
        }
      }
    };
  }

  /** Makes a type of integers with its displacements. */
  private static Datatype<?> spread(RandomGenerator random, List<Long> displacements) {
    int runs = random.nextInt(1, 5);
    long[] at = new long[runs];
    long place = random.nextInt(-3, 3);
    for (int i = 0; i < runs; i++) {
      at[i] = place;
      displacements.add(4 * place);
      place += random.nextInt(1, 4);
    }
    Datatype<?> type = Datatype.indexedBlock(1, at, Datatype.INT);
    long extent = 4 * (place - at[0] + random.nextInt(0, 4));
    return switch (random.nextInt(3)) {
      case 0 -> type;
      case 1 -> type.resized(random.nextInt(-2, 2) * 4, extent);
      default -> type.resized(0, -extent);
    };
  }

  @Test
  @DisplayName("S0-8 S0-5 S0-6: elements lie an extent apart, parts add up, the type is the one given")
  void functionsSeeElementsAsTheyLie() {
    Set<Class<?>> kinds = new HashSet<>();
    Seed.repeat(30, random -> {
      List<Long> displacements = new ArrayList<>();
      Datatype<?> type = spread(random, displacements).commit();
      int count = random.nextBoolean() ? random.nextInt(1, 5) : random.nextInt(500, 3_000);
      long low = type.trueLowerBound() + Math.min(0, (count - 1) * type.extent());
      long high = type.trueLowerBound() + type.trueExtent() + Math.max(0, (count - 1) * type.extent());
      int bytes = Math.toIntExact(high - low);
      try (Arena confined = Arena.ofConfined(); Arena shared = Arena.ofShared()) {
        List<UserMemory> lefts = UserMemory.everyKind(bytes, type, confined, shared);
        List<UserMemory> rights = UserMemory.everyKind(bytes, type, confined, shared);
        for (UserMemory in : lefts) {
          UserMemory inout = rights.get(random.nextInt(rights.size()));
          byte[] left = new byte[bytes];
          byte[] right = new byte[bytes];
          random.nextBytes(left);
          random.nextBytes(right);
          in.set(left);
          inout.set(right);
          long[] seen = new long[1];
          UserOperation op = general(adding(type, displacements, seen, kinds));
          int origin = (int) -low;
          ReductionLoop.reduce(op.kernel(type), TypeHandle.planOf(type), in.kind, in.owner, in.offset + origin,
              inout.kind, inout.owner, inout.offset + origin, count);
          MemorySegment expected = MemorySegment.ofArray(right);
          for (int i = 0; i < count; i++) {
            for (long at : displacements) {
              long place = origin + i * type.extent() + at;
              expected.set(ValueLayout.JAVA_INT_UNALIGNED, place, expected.get(ValueLayout.JAVA_INT_UNALIGNED, place)
                  + MemorySegment.ofArray(left).get(ValueLayout.JAVA_INT_UNALIGNED, place));
            }
          }
          assertArrayEquals(right, inout.get(), count + " x " + type.describe() + " from " + in + " to " + inout);
          assertArrayEquals(left, in.get(), "left operands stay");
          assertEquals(count, seen[0]);
          if (in.kind == Memory.NATIVE && inout.kind == Memory.NATIVE) {
            checkCombined(op.kernel(type), in, inout, origin, count, displacements, type.extent());
          }
        }
      }
    });
    assertEquals(1, kinds.size(), "classes of segments: " + kinds);
  }

  /** Combines a second time, into other memory, of which only elements may change. */
  private static void checkCombined(ReduceKernel kernel, UserMemory left, UserMemory right, int origin, int count,
      List<Long> displacements, long extent) {
    byte[] first = left.get();
    byte[] operand = right.get();
    MemorySegment out = Arena.ofAuto().allocate(operand.length, 4).fill((byte) 77);
    byte[] expected = out.toArray(ValueLayout.JAVA_BYTE);
    for (int i = 0; i < count; i++) {
      for (long at : displacements) {
        long place = origin + i * extent + at;
        MemorySegment.ofArray(expected).set(ValueLayout.JAVA_INT_UNALIGNED, place,
            MemorySegment.ofArray(first).get(ValueLayout.JAVA_INT_UNALIGNED, place)
                + MemorySegment.ofArray(operand).get(ValueLayout.JAVA_INT_UNALIGNED, place));
      }
    }
    kernel.combine(left.offset + origin, right.offset + origin, Raw.address(out) + origin, count);
    assertArrayEquals(expected, out.toArray(ValueLayout.JAVA_BYTE));
    assertArrayEquals(operand, right.get(), "right operands stay");
  }

  @Test
  void typesMadeOfTheUnitAreCombinedUnitByUnit() {
    UserOperation minus = UserOperation.onElements("minus", false, (Integer a, Integer b) -> a - b, Datatype.INT);
    Datatype<?> column = Datatype.vector(3, 1, 4, Datatype.INT32_T).commit();
    int[] left = {1, 0, 0, 0, 2, 0, 0, 0, 3};
    int[] right = {10, 7, 7, 7, 20, 7, 7, 7, 30};
    ReductionLoop.reduce(minus.kernel(column), TypeHandle.planOf(column), Memory.INTS, left, 0, Memory.INTS, right, 0,
        1);
    assertArrayEquals(new int[] {-9, 7, 7, 7, -18, 7, 7, 7, -27}, right);
    for (Datatype<?> other : List.of(Datatype.DOUBLE, Datatype.UINT32_T, Datatype.TWO_INT)) {
      MpiException refused = assertThrows(MpiException.class, () -> minus.kernel(other));
      assertEquals(ErrorClass.ERR_OP, refused.errorClass());
      assertTrue(refused.getMessage().contains("MPI_INT, and"), refused.getMessage());
    }
  }

  /** Three bytes of padding, which the last element of an array may go without. */
  record Padded(long value, byte flag) {}

  @Test
  void recordsKeepTheirGapsAndMayEndWithTheBuffer() {
    Datatype<Padded> type = Datatype.ofRecord(Padded.class).commit();
    UserOperation op = UserOperation.onElements("both", true,
        (Padded a, Padded b) -> new Padded(a.value + b.value, (byte) (a.flag | b.flag)), TypeHandle.of(type).bare());
    int count = 2_500;
    int bytes = (int) ((count - 1) * type.extent() + type.trueExtent());
    assertTrue(bytes % 16 == 9);
    try (Arena confined = Arena.ofConfined(); Arena shared = Arena.ofShared()) {
      byte[] left = new byte[bytes];
      byte[] right = new byte[bytes];
      for (int i = 0; i < bytes; i++) {
        left[i] = (byte) (i % 16 == 8 ? 1 : i % 16 == 0 ? i / 16 % 100 : 0);
        right[i] = (byte) (i % 16 == 8 ? 2 : i % 16 == 0 ? 1 : i % 16 > 8 ? 99 : 0);
      }
      byte[] expected = right.clone();
      for (int i = 0; i < count; i++) {
        expected[16 * i] = (byte) (left[16 * i] + 1);
        expected[16 * i + 8] = 3;
      }
      for (UserMemory in : UserMemory.everyKind(bytes, type, confined, shared)) {
        for (UserMemory inout : UserMemory.everyKind(bytes, type, confined, shared)) {
          in.set(left);
          inout.set(right);
          reduce(op, type.dup(), in, inout, count);
          assertArrayEquals(expected, inout.get(), in + " to " + inout);
        }
      }
    }
    MpiException refused =
        assertThrows(MpiException.class, () -> op.kernel(Datatype.contiguous(2, type).commit()));
    assertEquals(ErrorClass.ERR_OP, refused.errorClass());
  }

  @Test
  void whatAFunctionThrowsIsTheError() {
    long[] memory = new long[1];
    UserOperation failing = general((_, _, _, _) -> {
      throw new IllegalStateException("no sum today");
    });
    MpiException error = assertThrows(MpiException.class, () -> ReductionLoop.reduce(
        failing.kernel(Datatype.LONG), TypeHandle.planOf(Datatype.LONG), Memory.LONGS, new long[1], 0, Memory.LONGS,
        memory, 0, 1));
    assertEquals(ErrorClass.ERR_OTHER, error.errorClass());
    assertTrue(error.getMessage().contains("no sum today"), error.getMessage());
    assertTrue(error.getCause() instanceof IllegalStateException);
    assertFalse(UserCalls.isInside());
    MpiException own = new MpiException(ErrorClass.ERR_ARG, "mine");
    UserOperation throwing = general((_, _, _, _) -> {
      throw own;
    });
    assertSame(own, assertThrows(MpiException.class, () -> ReductionLoop.reduce(throwing.kernel(Datatype.LONG),
        TypeHandle.planOf(Datatype.LONG), Memory.LONGS, new long[1], 0, Memory.LONGS, memory, 0, 1)));
    UserOperation nothing = UserOperation.onElements("nothing", true, (Long _, Long _) -> null, Datatype.LONG);
    error = assertThrows(MpiException.class, () -> ReductionLoop.reduce(nothing.kernel(Datatype.LONG),
        TypeHandle.planOf(Datatype.LONG), Memory.LONGS, new long[1], 0, Memory.LONGS, memory, 0, 1));
    assertTrue(error.getMessage().contains("null as a result"), error.getMessage());
  }

  @Test
  void segmentsEndWithTheCall() {
    MemorySegment[] kept = new MemorySegment[2];
    UserOperation keeping = general((in, inout, _, _) -> {
      assertTrue(UserCalls.isInside());
      kept[0] = in;
      kept[1] = inout;
    });
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment data = arena.allocate(16, 8);
      keeping.kernel(Datatype.LONG).reduce(data.address(), data.address() + 8, 1);
    }
    assertThrows(IllegalStateException.class, () -> kept[0].get(ValueLayout.JAVA_LONG, 0));
    assertThrows(IllegalStateException.class, () -> kept[1].set(ValueLayout.JAVA_LONG, 0, 1));
  }
}
