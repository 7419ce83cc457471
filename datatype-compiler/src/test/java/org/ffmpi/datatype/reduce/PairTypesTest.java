// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.reduce;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.Combiner;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.Seed;
import org.ffmpi.datatype.TypeEnvelope;
import org.ffmpi.datatype.UserMemory;
import org.ffmpi.datatype.basic.Basic;
import org.ffmpi.datatype.basic.Element;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.tree.TypeTree;
import org.junit.jupiter.api.Test;

/** Pairs of value and index, named or not, and their reductions. */
class PairTypesTest {
  private static final List<Datatype<?>> INTEGERS = List.of(
      Datatype.INT8_T, Datatype.UINT8_T, Datatype.INT16_T, Datatype.UINT16_T, Datatype.INT32_T, Datatype.UINT32_T,
      Datatype.INT64_T, Datatype.UINT64_T, Datatype.INTEGER16, Datatype.AINT, Datatype.SIGNED_CHAR);

  private static final List<Datatype<?>> REALS = List.of(
      Datatype.REAL2, Datatype.FLOAT, Datatype.DOUBLE, Datatype.LONG_DOUBLE, Datatype.REAL16);

  private static void refused(ErrorClass expected, String text, Datatype<?> value, Datatype<?> index) {
    MpiException refused = assertThrows(MpiException.class, () -> Datatype.valueIndex(value, index));
    assertEquals(expected, refused.errorClass());
    assertTrue(refused.getMessage().contains(text), refused.getMessage());
  }

  @Test
  void pairsThatMpiNamesAreThose() {
    assertSame(Datatype.FLOAT_INT, Datatype.valueIndex(Datatype.FLOAT, Datatype.INT));
    assertSame(Datatype.DOUBLE_INT, Datatype.valueIndex(Datatype.DOUBLE, Datatype.INT));
    assertSame(Datatype.LONG_INT, Datatype.valueIndex(Datatype.LONG, Datatype.INT));
    assertSame(Datatype.TWO_INT, Datatype.valueIndex(Datatype.INT, Datatype.INT));
    assertSame(Datatype.SHORT_INT, Datatype.valueIndex(Datatype.SHORT, Datatype.INT));
    assertSame(Datatype.LONG_DOUBLE_INT, Datatype.valueIndex(Datatype.LONG_DOUBLE, Datatype.INT));
    assertSame(Datatype.TWO_REAL, Datatype.valueIndex(Datatype.REAL, Datatype.REAL));
    assertSame(Datatype.TWO_DOUBLE_PRECISION,
        Datatype.valueIndex(Datatype.DOUBLE_PRECISION, Datatype.DOUBLE_PRECISION));
    assertSame(Datatype.TWO_INTEGER, Datatype.valueIndex(Datatype.INTEGER, Datatype.INTEGER));
  }

  @Test
  void otherPairsHaveNoNameButArePredefined() {
    Datatype<?> pair = Datatype.valueIndex(Datatype.DOUBLE, Datatype.UINT64_T);
    assertSame(pair, Datatype.valueIndex(Datatype.DOUBLE, Datatype.UINT64_T));
    assertEquals("", pair.name());
    assertTrue(pair.isPredefined() && pair.isCommitted());
    assertEquals(new TypeEnvelope(Combiner.VALUE_INDEX, 0, 0, 2), pair.envelope());
    assertEquals(List.of(Datatype.DOUBLE, Datatype.UINT64_T), pair.contents().datatypes());
    assertEquals(ErrorClass.ERR_TYPE, assertThrows(MpiException.class, pair::close).errorClass());
    Datatype<?> gaps = Datatype.valueIndex(Datatype.INT8_T, Datatype.INT64_T);
    assertEquals(9, gaps.size());
    assertEquals(16, gaps.extent());
    Datatype<?> tail = Datatype.valueIndex(Datatype.DOUBLE, Datatype.INT16_T);
    assertEquals(10, tail.size());
    assertEquals(16, tail.extent());
    assertEquals(10, tail.trueExtent());
    Datatype<?> fortran = Datatype.valueIndex(Datatype.f90Real(15, 300), Datatype.f90Integer(9));
    assertEquals(12, fortran.size());
    assertSame(Datatype.f90Real(15, 300), fortran.contents().datatypes().getFirst());
  }

  @Test
  void whatCannotBeAPairIsRefused() {
    refused(ErrorClass.ERR_TYPE, "index = MPI_FLOAT", Datatype.FLOAT, Datatype.FLOAT);
    refused(ErrorClass.ERR_TYPE, "index = MPI_REAL", Datatype.DOUBLE, Datatype.REAL);
    refused(ErrorClass.ERR_TYPE, "value = MPI_C_COMPLEX", Datatype.C_COMPLEX, Datatype.INT);
    refused(ErrorClass.ERR_TYPE, "value = MPI_CHAR", Datatype.CHAR, Datatype.INT);
    refused(ErrorClass.ERR_TYPE, "value = MPI_C_BOOL", Datatype.C_BOOL, Datatype.INT);
    refused(ErrorClass.ERR_TYPE, "value = MPI_COMPLEX32", Datatype.COMPLEX32, Datatype.INT);
    refused(ErrorClass.ERR_TYPE, "index = MPI_LONG_DOUBLE", Datatype.LONG_DOUBLE, Datatype.LONG_DOUBLE);
    refused(ErrorClass.ERR_TYPE, "value = ", Datatype.contiguous(1, Datatype.INT), Datatype.INT);
    refused(ErrorClass.ERR_TYPE, "index = ", Datatype.INT, Datatype.contiguous(1, Datatype.INT));
    refused(ErrorClass.ERR_TYPE, "value", null, Datatype.INT);
    refused(ErrorClass.ERR_TYPE, "index", Datatype.INT, null);
    for (PredefinedOp op : PredefinedOp.values()) {
      if (op != PredefinedOp.MAXLOC && op != PredefinedOp.MINLOC) {
        MpiException refused = assertThrows(MpiException.class,
            () -> ReduceKernels.kernel(op, Datatype.valueIndex(Datatype.DOUBLE, Datatype.LONG)));
        assertEquals(ErrorClass.ERR_OP, refused.errorClass());
      }
    }
  }

  /** Every pair of value and index, MAXLOC and MINLOC, in every kind of memory, against a naive reading. */
  @Test
  void everyPairIsReduced() {
    List<Datatype<?>> values = new ArrayList<>(INTEGERS);
    values.addAll(REALS);
    Seed.repeat(1, random -> {
      for (Datatype<?> value : values) {
        for (Datatype<?> index : INTEGERS) {
          for (PredefinedOp op : List.of(PredefinedOp.MAXLOC, PredefinedOp.MINLOC)) {
            check(random, op, value, index);
          }
        }
      }
    });
  }

  private static void check(RandomGenerator random, PredefinedOp op, Datatype<?> value, Datatype<?> index) {
    Datatype<?> pair = Datatype.valueIndex(value, index);
    int count = random.nextInt(1, 40);
    int stride = (int) pair.extent();
    int at = Math.ceilDiv((int) value.size(), (int) index.extent()) * (int) index.extent();
    int bytes = (count - 1) * stride + (int) pair.trueExtent();
    try (Arena arena = Arena.ofConfined(); Arena shared = Arena.ofShared()) {
      byte[] left = operands(random, element(value), bytes, stride, at);
      MemorySegment in = arena.allocateFrom(ValueLayout.JAVA_BYTE, left);
      for (UserMemory memory : UserMemory.everyKind(bytes, pair, arena, shared)) {
        byte[] right = operands(random, element(value), bytes, stride, at);
        memory.set(right);
        byte[] expected = memory.keeps(right);
        for (int i = 0; i < count; i++) {
          combine(op, element(value), element(index), left, expected, i * stride, at);
        }
        ReduceKernels.kernel(op, pair).reduce(Raw.address(in), memory.owner, memory.kind, memory.offset, count);
        assertArrayEquals(expected, memory.get(), op + " of " + pair + " in " + memory);
      }
    }
  }

  private static Element element(Datatype<?> type) {
    return ((TypeTree.Named) TypeHandle.of(type).tree()).basic().element();
  }

  /** Few different values, so that there are ties, zeros of both signs and NaNs among them. */
  private static byte[] operands(RandomGenerator random, Element value, int bytes, int stride, int at) {
    byte[] all = new byte[bytes];
    random.nextBytes(all);
    for (int i = 0; i < bytes; i++) {
      boolean ofValue = i % stride < at;
      all[i] = switch (random.nextInt(ofValue ? 3 : 2)) {
        case 0 -> 0;
        case 1 -> (byte) (random.nextBoolean() ? -1 : 0x80);
        default -> all[i];
      };
      if (random.nextInt(3) > 0 && i % stride > 0) {
        all[i] = all[i - 1];
      }
    }
    for (int pair = 0; isWide(value) && pair < bytes; pair += stride) {
      WideOracle.of(value).pick(random, buffer(all), pair);
    }
    return all;
  }

  private static void combine(
      PredefinedOp op, Element value, Element index, byte[] left, byte[] right, int pair, int at) {
    int width = (int) value.bounds().size();
    int indexWidth = (int) index.bounds().size();
    int winner = compare(op, value, left, right, pair);
    int lower = integer(left, pair + at, index).compareTo(integer(right, pair + at, index));
    if (winner > 0) {
      System.arraycopy(left, pair, right, pair, width);
      System.arraycopy(left, pair + at, right, pair + at, indexWidth);
    } else if (winner == 0) {
      boolean zero = isWide(value)
          ? WideOracle.of(value).read(buffer(left), pair).isZero()
          : isReal(value) && real(left, pair, value) == 0;
      if (zero) {
        boolean negative = isWide(value)
            ? WideOracle.of(value).read(buffer(left), pair).negative()
            : left[pair + width - 1] < 0;
        if (negative == (op == PredefinedOp.MINLOC)) {
          System.arraycopy(left, pair, right, pair, width);
        }
      }
      if (lower < 0) {
        System.arraycopy(left, pair + at, right, pair + at, indexWidth);
      }
    }
    if (isWide(value) && WideOracle.of(value) == WideOracle.X87) {
      Arrays.fill(right, pair + 10, pair + 16, (byte) 0); // padding
    }
  }

  private static int compare(PredefinedOp op, Element value, byte[] left, byte[] right, int at) {
    int order;
    if (isWide(value)) {
      WideOracle.Value a = WideOracle.of(value).read(buffer(left), at);
      WideOracle.Value b = WideOracle.of(value).read(buffer(right), at);
      if (a.isNaN() || b.isNaN()) {
        return Boolean.compare(a.isNaN(), b.isNaN());
      }
      order = WideOracle.compare(a, b);
    } else if (isReal(value)) {
      double a = real(left, at, value);
      double b = real(right, at, value);
      if (Double.isNaN(a) || Double.isNaN(b)) {
        return Boolean.compare(Double.isNaN(a), Double.isNaN(b));
      }
      order = a < b ? -1 : a > b ? 1 : 0;
    } else {
      order = integer(left, at, value).compareTo(integer(right, at, value));
    }
    return op == PredefinedOp.MAXLOC ? order : -order;
  }

  private static boolean isWide(Element element) {
    return element == Element.LONG_DOUBLE || element == Element.FLOAT128;
  }

  private static boolean isReal(Element element) {
    return element.name().startsWith("FLOAT");
  }

  private static double real(byte[] bytes, int at, Element element) {
    return switch (element) {
      case FLOAT16 -> Float.float16ToFloat(buffer(bytes).getShort(at));
      case FLOAT32 -> buffer(bytes).getFloat(at);
      default -> buffer(bytes).getDouble(at);
    };
  }

  private static ByteBuffer buffer(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
  }

  private static BigInteger integer(byte[] bytes, int at, Element element) {
    int width = (int) element.bounds().size();
    byte[] bigEndian = new byte[width];
    for (int i = 0; i < width; i++) {
      bigEndian[width - 1 - i] = bytes[at + i];
    }
    return element.name().startsWith("U") ? new BigInteger(1, bigEndian) : new BigInteger(bigEndian);
  }

  @Test
  void theUnnamedKernelAgreesWithTheNamedOnes() {
    // REAL8 and INTEGER4 lie as DOUBLE and INT do, but MPI has no name for the pair.
    Datatype<?> unnamed = Datatype.valueIndex(Datatype.REAL8, Datatype.INTEGER4);
    assertEquals(Combiner.VALUE_INDEX, unnamed.envelope().combiner());
    ReductionOracle oracle = new ReductionOracle(PredefinedOp.MAXLOC, Basic.DOUBLE_INT.element());
    Seed.repeat(20, random -> {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment left = arena.allocateFrom(ValueLayout.JAVA_BYTE, oracle.operands(random, 50));
        byte[] before = oracle.operands(random, 50);
        MemorySegment one = arena.allocateFrom(ValueLayout.JAVA_BYTE, before);
        MemorySegment other = arena.allocateFrom(ValueLayout.JAVA_BYTE, before);
        ReduceKernels.kernel(PredefinedOp.MAXLOC, Datatype.DOUBLE_INT).reduce(Raw.address(left), Raw.address(one), 50);
        ReduceKernels.kernel(PredefinedOp.MAXLOC, unnamed).reduce(Raw.address(left), Raw.address(other), 50);
        assertArrayEquals(oracle.withOneNaN(one.toArray(ValueLayout.JAVA_BYTE), 50),
            oracle.withOneNaN(other.toArray(ValueLayout.JAVA_BYTE), 50));
      }
    });
  }
}
