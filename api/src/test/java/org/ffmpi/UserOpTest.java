// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import static org.ffmpi.Worlds.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BinaryOperator;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.Keyval;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.UserFunction;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Operations of a program's own, with their making, arguments and freeing, on one rank. */
class UserOpTest {
  record Complex(double re, double im) {
    Complex times(Complex o) {
      return new Complex(re * o.re - im * o.im, re * o.im + im * o.re);
    }
  }

  private static final Datatype<Complex> COMPLEX = Datatype.ofRecord(Complex.class).commit();

  private static final UserFunction NOTHING = (_, _, _, _) -> { };

  private static double[] values(MemorySegment complexes) {
    return complexes.toArray(ValueLayout.JAVA_DOUBLE);
  }

  @Test
  @DisplayName("S0-15: the complex product: (1+2i)(5-i) = 7+9i, (3-i)(2i) = 2+6i")
  void complexProduct() {
    Op.Kernel bulk = (in, inout, len) -> {
      for (long i = 0; i < 2 * len; i += 2) {
        double a = in.getAtIndex(ValueLayout.JAVA_DOUBLE, i);
        double b = in.getAtIndex(ValueLayout.JAVA_DOUBLE, i + 1);
        double c = inout.getAtIndex(ValueLayout.JAVA_DOUBLE, i);
        double d = inout.getAtIndex(ValueLayout.JAVA_DOUBLE, i + 1);
        inout.setAtIndex(ValueLayout.JAVA_DOUBLE, i, a * c - b * d);
        inout.setAtIndex(ValueLayout.JAVA_DOUBLE, i + 1, a * d + b * c);
      }
    };
    for (Op<Complex> op : List.of(
        Op.commutative(COMPLEX, Complex::times), Op.ordered(COMPLEX, Complex::times),
        Op.commutative(Complex.class, Complex::times), Op.ordered(Complex.class, Complex::times),
        Op.kernel(COMPLEX, true, bulk), Op.kernel(COMPLEX, false, bulk))) {
      MemorySegment in = Arena.ofAuto().allocateFrom(ValueLayout.JAVA_DOUBLE, 1, 2, 3, -1);
      MemorySegment inout = MemorySegment.ofArray(new double[] {5, -1, 0, 2});
      op.reduceLocal(Buf.of(in, 2, COMPLEX), Buf.of(inout, 2, COMPLEX));
      assertArrayEquals(new double[] {7, 9, 2, 6}, values(inout), op.name());
    }
    Op<Object> any = Op.kernel(true, (in, inout, len, _) -> bulk.apply(in, inout, len));
    try (Datatype<Double> pair = Datatype.contiguous(2, Datatype.DOUBLE).commit()) {
      double[] inout = {5, -1, 0, 2};
      any.reduceLocal(Buf.of(new double[] {1, 2, 3, -1}, 2, pair), Buf.of(inout, 2, pair));
      assertArrayEquals(new double[] {7, 9, 2, 6}, inout);
    }
  }

  @Test
  @DisplayName("S0-4: the left operand is the one of the first buffer, the result replaces the other")
  void theLeftOperandIsTheFirst() {
    int[] inout = {1, 2, 3};
    Op.ordered(Integer.class, (a, b) -> 10 * a + b).reduceLocal(Buf.of(new int[] {7, 8, 9}), Buf.of(inout));
    assertArrayEquals(new int[] {71, 82, 93}, inout);
  }

  @Test
  void boxesOfAllPrimitiveTypes() {
    double[] doubles = {3};
    Op.commutative(Double.class, Math::hypot).reduceLocal(Buf.of(new double[] {4}), Buf.of(doubles));
    float[] floats = {3};
    Op.commutative(Float.class, Float::sum).reduceLocal(Buf.of(new float[] {4}), Buf.of(floats));
    long[] longs = {12};
    Op.commutative(Long.class, UserOpTest::gcd).reduceLocal(Buf.of(new long[] {18}), Buf.of(longs));
    short[] shorts = {3};
    Op.commutative(Short.class, (a, b) -> (short) (a + b)).reduceLocal(Buf.of(new short[] {4}), Buf.of(shorts));
    byte[] bytes = {3};
    Op.commutative(Datatype.BYTE, (a, b) -> (byte) (a + b)).reduceLocal(
        Buf.of(new byte[] {4}, 1, Datatype.BYTE), Buf.of(bytes, 1, Datatype.BYTE));
    char[] chars = {'a'};
    Op.commutative(Character.class, (a, b) -> a > b ? a : b).reduceLocal(Buf.of(new char[] {'x'}), Buf.of(chars));
    boolean[] booleans = {true, false};
    Op.commutative(Boolean.class, (a, b) -> a && b).reduceLocal(
        Buf.of(new boolean[] {true, true}), Buf.of(booleans));
    assertEquals("5.0 7.0 6 7 7 x true false", doubles[0] + " " + floats[0] + " " + longs[0] + " " + shorts[0] + " "
        + bytes[0] + " " + chars[0] + " " + booleans[0] + " " + booleans[1]);
  }

  private static long gcd(long a, long b) {
    return b == 0 ? a : gcd(b, a % b);
  }

  @Test
  void elementsOfALayoutAreSlices() {
    StructLayout layout = MemoryLayout.structLayout(
        ValueLayout.JAVA_LONG.withName("n"), ValueLayout.JAVA_INT.withName("i"), MemoryLayout.paddingLayout(4));
    Datatype<MemorySegment> type = Datatype.of(layout).commit();
    Op<MemorySegment> greater = Op.commutative(type,
        (a, b) -> a.get(ValueLayout.JAVA_LONG, 0) > b.get(ValueLayout.JAVA_LONG, 0) ? a : b);
    long[] inout = {5, 1, 6, 2};
    greater.reduceLocal(Buf.of(MemorySegment.ofArray(new long[] {4, 8, 9, 7}), 2, type),
        Buf.of(MemorySegment.ofArray(inout), 2, type));
    assertArrayEquals(new long[] {5, 1, 9, 7}, inout);
  }

  @Test
  @DisplayName("S0-16 S0-6: a function tells the types it is given apart by their handles; others it leaves alone")
  void oneFunctionForSeveralTypes() {
    Op<Object> addsFloats = Op.kernel(true, (in, inout, len, type) -> {
      if (type == Datatype.FLOAT) {
        for (long i = 0; i < len; i++) {
          inout.setAtIndex(ValueLayout.JAVA_FLOAT, i,
              in.getAtIndex(ValueLayout.JAVA_FLOAT, i) + inout.getAtIndex(ValueLayout.JAVA_FLOAT, i));
        }
      }
    });
    float[] floats = {1, 2};
    addsFloats.reduceLocal(Buf.of(new float[] {3, 4}), Buf.of(floats));
    assertArrayEquals(new float[] {4, 6}, floats);
    int[] ints = {1, 2};
    addsFloats.reduceLocal(Buf.of(new int[] {3, 4}), Buf.of(ints));
    assertArrayEquals(new int[] {1, 2}, ints);
  }

  @Test
  @DisplayName("S0-7 S0-5: lengths are long, and a function is called as often as it takes")
  void manyElements() {
    List<Long> lengths = new ArrayList<>();
    Op<Object> counting = Op.kernel(true, (_, inout, len, _) -> {
      lengths.add(len);
      inout.fill((byte) 1);
    });
    byte[] inout = new byte[5_000_000];
    counting.reduceLocal(Buf.of(new byte[5_000_000]), Buf.of(inout));
    assertEquals(5_000_000, lengths.stream().mapToLong(Long::longValue).sum());
    assertTrue(lengths.size() > 1);
    for (byte b : inout) {
      assertEquals(1, b);
    }
    MemorySegment sparse = Arena.ofAuto().allocate(1, 64);
    Datatype<?> huge = Datatype.contiguous(0, Datatype.BYTE).resized(0, 1L << 60).commit();
    lengths.clear();
    reduceLocal(counting, sparse, 3, huge);
    assertTrue(lengths.isEmpty(), "elements without data need no call");
  }

  private static <T> void reduceLocal(Op<Object> op, MemorySegment memory, long count, Datatype<T> type) {
    op.reduceLocal(Buf.of(memory, count, type), Buf.of(memory, count, type));
  }

  @Test
  @DisplayName("S0-17: the flag is the one given; predefined operations commute")
  void commutativity() {
    assertTrue(Op.commutative(Integer.class, Integer::sum).isCommutative());
    assertFalse(Op.ordered(Integer.class, Integer::sum).isCommutative());
    assertTrue(Op.kernel(true, NOTHING).isCommutative());
    assertFalse(Op.kernel(false, NOTHING).isCommutative());
    assertFalse(Op.kernel(Datatype.INT, false, (_, _, _) -> { }).isCommutative());
    assertTrue(Op.SUM.isCommutative() && Op.MAXLOC.isCommutative());
    assertEquals("ordered user-defined operation on MPI_INT", Op.ordered(Datatype.INT, Integer::sum).name());
  }

  @Test
  @DisplayName("S0-14: freed operations and types of freed handles; predefined operations cannot be freed")
  void freeing() {
    assertError(ErrorClass.ERR_OP, Op.SUM::close, "MPI_SUM", "not predefined");
    Op<Integer> op = Op.commutative(Datatype.INT, Integer::sum);
    op.close();
    op.close();
    int[] a = {1};
    assertError(ErrorClass.ERR_OP, () -> op.reduceLocal(Buf.of(new int[1]), Buf.of(a)), "freed");
    assertError(ErrorClass.ERR_OP, op::isCommutative, "freed");
    Worlds ranks = Worlds.returning(0, 2);
    assertError(ErrorClass.ERR_OP, () -> ranks.world.allreduce(Buf.of(a), op), "freed");
    // An operation keeps its type's form by itself, and asks no attribute's copy function for it.
    Datatype<Complex> freed = Datatype.ofRecord(Complex.class).commit();
    Keyval<Datatype<?>, String> key = Keyval.of((_, _) -> {
      throw new AssertionError("copied");
    }, (_, _) -> { });
    freed.attributes().set(key, "");
    Op<Complex> product = Op.commutative(freed, Complex::times);
    freed.close();
    double[] inout = {5, -1};
    product.reduceLocal(Buf.of(MemorySegment.ofArray(new double[] {1, 2}), 1, COMPLEX),
        Buf.of(MemorySegment.ofArray(inout), 1, COMPLEX));
    assertArrayEquals(new double[] {7, 9}, inout);
  }

  @Test
  void whatIsRefused() {
    BinaryOperator<Integer> none = null;
    Datatype<Integer> noType = null;
    assertError(ErrorClass.ERR_ARG, () -> Op.commutative(Datatype.INT, none), "function = null");
    assertError(ErrorClass.ERR_ARG, () -> Op.kernel(true, null), "function = null");
    assertError(ErrorClass.ERR_TYPE, () -> Op.commutative(noType, Integer::sum), "type = null");
    assertError(ErrorClass.ERR_TYPE, () -> Op.commutative(String.class, String::concat), "String", "boxes");
    assertError(ErrorClass.ERR_TYPE, () -> Op.commutative((Class<Integer>) null, Integer::sum), "form = null");
    assertError(ErrorClass.ERR_TYPE, () -> Op.commutative(int.class, Integer::sum), "boxes");
    assertError(ErrorClass.ERR_TYPE, () -> Op.ordered(Void.class, (a, _) -> a), "boxes");
    assertError(ErrorClass.ERR_TYPE, () -> Op.commutative(Datatype.C_DOUBLE_COMPLEX, (a, _) -> a), "COMPLEX");
    assertError(ErrorClass.ERR_TYPE, () -> Op.ordered(Datatype.contiguous(2, Datatype.INT), (a, _) -> a), "committed");
    Datatype<Integer> freed = Datatype.contiguous(2, Datatype.INT).commit();
    freed.close();
    assertError(ErrorClass.ERR_TYPE, () -> Op.kernel(freed, true, (_, _, _) -> { }), "freed");
    Op<Complex> product = Op.commutative(COMPLEX, Complex::times);
    assertError(ErrorClass.ERR_OP, () -> product.kernel(Datatype.DOUBLE), "made for");
    Op<Integer> broken = Op.commutative(Integer.class, (_, _) -> null);
    assertError(ErrorClass.ERR_OTHER, () -> broken.reduceLocal(Buf.of(new int[1]), Buf.of(new int[1])), "null");
  }

  @Test
  @DisplayName("S0-9 S0-10: no communication inside a function; queries, local reductions and abort are allowed")
  void nothingIsSentFromInside() {
    Worlds ranks = Worlds.returning(0, 2);
    IntraComm world = ranks.world;
    Request pending = world.irecv(new int[1], 1, 3);
    List<Runnable> forbidden = List.of(
        () -> world.send(new int[1], 1, 0), () -> world.recv(new int[1], 1, 0), () -> world.isend(new int[1], 1, 0),
        () -> world.irecv(Buf.of(new int[1]), 1, 0), () -> world.ssend(Buf.of(new int[1]), 1, 0), world::barrier,
        () -> world.iallreduce(Buf.of(new int[1]), Op.SUM), () -> world.iprobe(1, 0), () -> world.improbe(1, 0),
        world::dup, world::idup, () -> world.split(0, 0), () -> world.createGroup(world.group(), 0), pending::test,
        pending::await, () -> Request.testAll(List.of(pending)), () -> world.sendInit(Buf.of(new int[1]), 1, 0).start(),
        ranks.mpi::close, ranks.mpi::bufferFlush, () -> IntraComm.createFromGroup(world.group(), "inside"));
    for (int i = 0; i < forbidden.size(); i++) {
      Runnable call = forbidden.get(i);
      int which = i;
      Op<Integer> op = Op.commutative(Integer.class, (a, b) -> {
        call.run();
        throw new AssertionError("call number " + which);
      });
      assertError(ErrorClass.ERR_OTHER, () -> op.reduceLocal(Buf.of(new int[1]), Buf.of(new int[1])), "inside");
    }
    Op<Object> asking = Op.kernel(true, (in, inout, len, type) -> {
      assertEquals(4, type.envelope() == null ? 0 : type.extent());
      assertEquals(2, world.size() + world.group().rank());
      assertFalse(world.name().isEmpty());
      assertTrue(world.attributes().get(Comm.TAG_UB).isPresent());
      MemorySegment copy = Arena.ofAuto().allocate(4, 4).copyFrom(in.asSlice(0, 4));
      Op.SUM.reduceLocal(Buf.of(copy, 1, Datatype.INT), Buf.of(inout, 1, Datatype.INT));
    });
    int[] inout = {2};
    asking.reduceLocal(Buf.of(new int[] {40}), Buf.of(inout));
    assertEquals(42, inout[0]);
    assertDoesNotThrow(() -> world.send(new int[1], 1, 0), "outside it is allowed again");
    Op<Integer> aborting = Op.commutative(Integer.class, (_, _) -> {
      world.abort(7);
      return 0;
    });
    MpiException aborted = assertError(ErrorClass.ERR_PROC_ABORTED,
        () -> aborting.reduceLocal(Buf.of(new int[1]), Buf.of(inout)), "abort(7)");
    assertEquals(0, aborted.getSuppressed().length);
  }

  @Test
  void anotherThreadMayCommunicateMeanwhile() throws InterruptedException {
    Worlds ranks = Worlds.returning(0, 2);
    List<Throwable> thrown = new ArrayList<>();
    Op<Integer> op = Op.commutative(Integer.class, (a, b) -> {
      Thread other = Thread.ofPlatform().start(() -> {
        try {
          ranks.world.send(new int[1], 1, 0);
        } catch (Throwable e) {
          thrown.add(e);
        }
      });
      try {
        other.join();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      return a + b;
    });
    op.reduceLocal(Buf.of(new int[1]), Buf.of(new int[1]));
    assertEquals(List.of(), thrown);
  }
}
