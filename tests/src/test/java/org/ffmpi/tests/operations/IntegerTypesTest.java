// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.operations;

import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.LongBinaryOperator;
import java.util.random.RandomGenerator;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Op;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.Seeds;
import org.junit.jupiter.api.DisplayName;

/** Predefined operations over ranks, on random bits of every integer type, against Java's own arithmetic. */
class IntegerTypesTest {
  private static final List<Datatype<?>> SIGNED = List.of(
      Datatype.INT, Datatype.LONG, Datatype.SHORT, Datatype.LONG_LONG_INT, Datatype.LONG_LONG, Datatype.SIGNED_CHAR,
      Datatype.INT8_T, Datatype.INT16_T, Datatype.INT32_T, Datatype.INT64_T);
  private static final List<Datatype<?>> UNSIGNED = List.of(
      Datatype.UNSIGNED_SHORT, Datatype.UNSIGNED, Datatype.UNSIGNED_LONG, Datatype.UNSIGNED_LONG_LONG,
      Datatype.UNSIGNED_CHAR, Datatype.UINT8_T, Datatype.UINT16_T, Datatype.UINT32_T, Datatype.UINT64_T);
  private static final List<Datatype<?>> FORTRAN = List.of(
      Datatype.INTEGER, Datatype.INTEGER1, Datatype.INTEGER2, Datatype.INTEGER4, Datatype.INTEGER8, Datatype.AINT,
      Datatype.COUNT, Datatype.OFFSET);
  private static final List<Datatype<?>> FLOATING = List.of(
      Datatype.FLOAT, Datatype.DOUBLE, Datatype.REAL, Datatype.DOUBLE_PRECISION, Datatype.REAL4, Datatype.REAL8);

  /** One operation on numbers that fit in a long; bits above the type's are cut off afterwards. */
  private record Expected(Op<Object> op, LongBinaryOperator signed, LongBinaryOperator unsigned) {
    Expected(Op<Object> op, LongBinaryOperator both) {
      this(op, both, both);
    }
  }

  private static final List<Expected> ARITHMETIC = List.of(
      new Expected(Op.MAX, Math::max, (a, b) -> Long.compareUnsigned(a, b) > 0 ? a : b),
      new Expected(Op.MIN, Math::min, (a, b) -> Long.compareUnsigned(a, b) < 0 ? a : b),
      new Expected(Op.SUM, Long::sum), new Expected(Op.PROD, (a, b) -> a * b));
  private static final List<Expected> BITWISE = List.of(
      new Expected(Op.BAND, (a, b) -> a & b), new Expected(Op.BOR, (a, b) -> a | b),
      new Expected(Op.BXOR, (a, b) -> a ^ b));
  private static final List<Expected> LOGICAL = List.of(
      new Expected(Op.LAND, (a, b) -> a != 0 && b != 0 ? 1 : 0), new Expected(Op.LOR, (a, b) -> (a | b) != 0 ? 1 : 0),
      new Expected(Op.LXOR, (a, b) -> a != 0 ^ b != 0 ? 1 : 0));

  private static final Set<Integer> SMALL = Set.of(0, 1, 2);

  /** Reads the number at a place as the type has it. */
  private static long get(MemorySegment memory, int i, int width, boolean signed) {
    long value = switch (width) {
      case 1 -> memory.get(ValueLayout.JAVA_BYTE, i);
      case 2 -> memory.getAtIndex(ValueLayout.JAVA_SHORT, i);
      case 4 -> memory.getAtIndex(ValueLayout.JAVA_INT, i);
      default -> memory.getAtIndex(ValueLayout.JAVA_LONG, i);
    };
    return signed || width == 8 ? value : value & (1L << 8 * width) - 1;
  }

  private static void set(MemorySegment memory, int i, int width, long value) {
    switch (width) {
      case 1 -> memory.set(ValueLayout.JAVA_BYTE, i, (byte) value);
      case 2 -> memory.setAtIndex(ValueLayout.JAVA_SHORT, i, (short) value);
      case 4 -> memory.setAtIndex(ValueLayout.JAVA_INT, i, (int) value);
      default -> memory.setAtIndex(ValueLayout.JAVA_LONG, i, value);
    }
  }

  private static MemorySegment random(RandomGenerator random, int count, int width) {
    MemorySegment memory = Arena.ofAuto().allocate((long) count * width, 8);
    for (int i = 0; i < count; i++) {
      set(memory, i, width, SMALL.contains(i % 7) ? random.nextInt(3) : random.nextLong());
    }
    return memory;
  }

  private static <T> void check(
      IntraComm world, long seed, Datatype<T> type, boolean signed, List<Expected> operations) {
    int width = (int) type.size();
    for (int count : new int[] {5, 600}) {
      List<MemorySegment> all = new ArrayList<>();
      for (int r = 0; r < world.size(); r++) {
        all.add(random(Seeds.random(seed + 100L * r + count), count, width));
      }
      for (Expected expected : operations) {
        MemorySegment result = Arena.ofAuto().allocate((long) count * width, 8);
        world.allreduce(Buf.of(all.get(world.rank()), count, type), Buf.of(result, count, type), expected.op());
        LongBinaryOperator operator = signed ? expected.signed() : expected.unsigned();
        MemorySegment whole = Arena.ofAuto().allocate((long) count * width, 8);
        for (int i = 0; i < count; i++) {
          long value = get(all.getFirst(), i, width, signed);
          for (int r = 1; r < world.size(); r++) {
            set(whole, i, width, operator.applyAsLong(value, get(all.get(r), i, width, signed)));
            value = get(whole, i, width, signed);
          }
        }
        assertEquals(-1, result.mismatch(whole), () -> expected.op().name() + " of " + type.name());
      }
    }
  }

  @MpiTest(ranks = {2, 3})
  @DisplayName("S1-5.9.2-b S1-5.9.2-g: the 19 integer types of C with ten operations; unsigned ones compare unsigned")
  void typesOfC(IntraComm world) {
    assertEquals(19, SIGNED.size() + UNSIGNED.size());
    long[] seed = {Seeds.next()};
    world.bcast(Buf.of(seed), 0);
    Seeds.run(seed[0], () -> {
      for (List<Expected> operations : List.of(ARITHMETIC, BITWISE, LOGICAL)) {
        for (Datatype<?> type : SIGNED) {
          check(world, seed[0], type, true, operations);
        }
        for (Datatype<?> type : UNSIGNED) {
          check(world, seed[0], type, false, operations);
        }
      }
    });
  }

  @MpiTest(ranks = {2, 3})
  @DisplayName("S1-5.9.2-c: integers of Fortran and AINT, COUNT, OFFSET with arithmetic and bits, but not logically")
  void typesOfFortran(IntraComm world) {
    long[] seed = {Seeds.next()};
    world.bcast(Buf.of(seed), 0);
    Seeds.run(seed[0], () -> {
      for (Datatype<?> type : FORTRAN) {
        check(world, seed[0], type, true, ARITHMETIC);
        check(world, seed[0], type, true, BITWISE);
        refused(world, type, Op.LAND, Op.LOR, Op.LXOR, Op.MAXLOC);
      }
    });
    for (Datatype<?> type : List.of(Datatype.CHAR, Datatype.WCHAR, Datatype.CHARACTER)) {
      refused(world, type, Op.MAX, Op.SUM, Op.LAND, Op.BAND, Op.MINLOC);
    }
  }

  @SafeVarargs
  private static void refused(IntraComm world, Datatype<?> type, Op<Object>... ops) {
    MemorySegment memory = Arena.ofAuto().allocate(16, 8);
    for (Op<Object> op : ops) {
      assertError(ErrorClass.ERR_OP, () -> world.allreduce(Buf.of(memory, 1, type), op), op.name(), type.name());
    }
  }

  @MpiTest(ranks = {2, 3})
  @DisplayName("S1-5.9.2-d S1-5.9.2-h: floating-point types with arithmetic, the same bits at all ranks; nothing else")
  void floatingTypes(IntraComm world) {
    long[] seed = {Seeds.next()};
    world.bcast(Buf.of(seed), 0);
    Seeds.run(seed[0], () -> {
      for (Datatype<?> type : FLOATING) {
        floating(world, seed[0] + world.rank(), type);
        refused(world, type, Op.LAND, Op.LOR, Op.LXOR, Op.BAND, Op.BOR, Op.BXOR, Op.MAXLOC, Op.MINLOC);
      }
    });
  }

  private static <T> void floating(IntraComm world, long seed, Datatype<T> type) {
    int count = 2_000;
    RandomGenerator own = Seeds.random(seed);
    MemorySegment mine = Arena.ofAuto().allocate(8L * count, 8);
    for (int i = 0; i < count; i++) {
      double value = own.nextGaussian() * Math.exp(own.nextInt(20));
      if (type.size() == 4) {
        mine.setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) value);
      } else {
        mine.setAtIndex(ValueLayout.JAVA_DOUBLE, i, value);
      }
    }
    for (Op<Object> op : List.of(Op.MAX, Op.MIN, Op.SUM, Op.PROD)) {
      MemorySegment result = Arena.ofAuto().allocate(type.size() * count, 8);
      world.allreduce(Buf.of(mine, count, type), Buf.of(result, count, type), op);
      byte[] bits = result.toArray(ValueLayout.JAVA_BYTE);
      byte[] ofRankZero = bits.clone();
      world.bcast(Buf.of(ofRankZero), 0);
      assertEquals(-1, MemorySegment.ofArray(bits).mismatch(MemorySegment.ofArray(ofRankZero)), type::name);
      // By requests and in place too.
      MemorySegment again = Arena.ofAuto().allocate(type.size() * count, 8);
      again.copyFrom(mine.asSlice(0, type.size() * count));
      world.iallreduce(Buf.of(again, count, type), op).await();
      assertEquals(-1, again.mismatch(result), type::name);
    }
  }
}
