// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.operations;

import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.IntraComm;
import org.ffmpi.Op;
import org.ffmpi.Request;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Combiner;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.EveryTransport;
import org.junit.jupiter.api.DisplayName;

/** The rules of the standard for a program's own operations, over several ranks. */
@EveryTransport
class UserOpsTest {
  /** A 2 by 2 matrix. */
  record Matrix(long a, long b, long c, long d) {
    Matrix times(Matrix o) {
      return new Matrix(a * o.a + b * o.c, a * o.b + b * o.d, c * o.a + d * o.c, c * o.b + d * o.d);
    }
  }

  /** Handles of a library's, kept where its class is initialised. */
  private static final Datatype<Matrix> MATRIX = Datatype.ofRecord(Matrix.class).commit();
  private static final Op<Matrix> PRODUCT = Op.ordered(MATRIX, Matrix::times);

  private static MemorySegment matrix(int rank) {
    return MemorySegment.ofArray(new long[] {rank + 1, 1, 1, 0});
  }

  @MpiTest(ranks = 4)
  @DisplayName("S0-3 S0-2 S0-11: M0 M1 M2 M3 = [[43,10],[30,7]] at every root; scan and exscan stop before")
  void matricesAreMultipliedInTheOrderOfRanks(Comm world) {
    long[] expected = {43, 10, 30, 7};
    long[][] upTo = {{1, 1, 1, 0}, {3, 1, 2, 1}, {10, 3, 7, 2}, expected};
    for (int root = 0; root < 4; root++) {
      MemorySegment result = MemorySegment.ofArray(new long[4]);
      world.reduce(Buf.of(matrix(world.rank()), 1, MATRIX), Buf.of(result, 1, MATRIX), PRODUCT, root);
      assertArrayEquals(world.rank() == root ? expected : new long[4], result.toArray(ValueLayout.JAVA_LONG));
      MemorySegment inPlace = matrix(world.rank());
      world.ireduce(Buf.of(inPlace, 1, MATRIX), PRODUCT, root).await();
      if (world.rank() == root) {
        assertArrayEquals(expected, inPlace.toArray(ValueLayout.JAVA_LONG));
      }
    }
    MemorySegment everywhere = matrix(world.rank());
    world.allreduce(Buf.of(everywhere, 1, MATRIX), PRODUCT);
    assertArrayEquals(expected, everywhere.toArray(ValueLayout.JAVA_LONG));
    MemorySegment scanned = MemorySegment.ofArray(new long[4]);
    world.scan(Buf.of(matrix(world.rank()), 1, MATRIX), Buf.of(scanned, 1, MATRIX), PRODUCT);
    assertArrayEquals(upTo[world.rank()], scanned.toArray(ValueLayout.JAVA_LONG));
    MemorySegment before = MemorySegment.ofArray(new long[] {9, 9, 9, 9});
    world.exscan(Buf.of(matrix(world.rank()), 1, MATRIX), Buf.of(before, 1, MATRIX), PRODUCT);
    assertArrayEquals(world.rank() == 0 ? new long[] {9, 9, 9, 9} : upTo[world.rank() - 1],
        before.toArray(ValueLayout.JAVA_LONG));
  }

  @MpiTest(ranks = {2, 3, 4, 8})
  @DisplayName("S0-5: a function may get a part of the elements; the parts of a reduction add up to count each")
  void theParts(Comm world) {
    AtomicLong elements = new AtomicLong();
    Op<Object> counting = Op.kernel(true, (_, _, len, _) -> elements.addAndGet(len));
    for (int count : new int[] {1, 10, 5_000, 300_000}) {
      elements.set(0);
      world.reduce(Buf.of(new short[count]), counting, 0);
      long[] all = {elements.get()};
      world.allreduce(Buf.of(all), Op.SUM);
      assertEquals((world.size() - 1L) * count, all[0], "all but one contribution are combined into another");
    }
  }

  @MpiTest(ranks = {2, 4})
  @DisplayName("S0-6: the function is given the very handle of the call, whatever it is equal to")
  void handles(Comm world) {
    List<Datatype<?>> seen = new ArrayList<>();
    Op<Object> op = Op.kernel(true, (_, _, _, type) -> {
      synchronized (seen) {
        seen.add(type);
      }
    });
    Datatype<Integer> first = Datatype.INT.dup().commit();
    Datatype<Integer> second = Datatype.INT.dup().commit();
    for (Datatype<Integer> type : List.of(first, Datatype.INT, second)) {
      seen.clear();
      world.allreduce(Buf.of(new int[5], 5, type), op);
      assertTrue(world.size() > 2 || !seen.isEmpty());
      seen.forEach(given -> assertSame(type, given));
    }
  }

  @MpiTest(ranks = {2, 3, 4})
  @DisplayName("S0-10: a function may ask what its type is made of")
  void queriesInside(Comm world) {
    Op<Object> asking = Op.kernel(true, (in, inout, len, type) -> {
      assertEquals(Combiner.CONTIGUOUS, type.envelope().combiner());
      assertSame(Datatype.INT, type.contents().datatypes().getFirst());
      for (long i = 0; i < 2 * len; i++) {
        inout.setAtIndex(ValueLayout.JAVA_INT, i,
            in.getAtIndex(ValueLayout.JAVA_INT, i) + inout.getAtIndex(ValueLayout.JAVA_INT, i));
      }
    });
    try (Datatype<Integer> pair = Datatype.contiguous(2, Datatype.INT).commit()) {
      int[] data = {1, 2, 3, 4};
      world.allreduce(Buf.of(data, 2, pair), asking);
      int n = world.size();
      assertArrayEquals(new int[] {n, 2 * n, 3 * n, 4 * n}, data);
    }
  }

  @MpiTest(ranks = {2, 3, 4})
  @DisplayName("S0-9: communication inside a function, and what it throws, is the error of the reduction")
  void failingFunctions(IntraComm world) {
    // The last rank's contribution reaches rank 0 by messages that need nothing of rank 0, which alone fails.
    IntraComm pair = world.split(world.rank() < 2 ? 0 : 1, 0);
    if (world.rank() > 1) {
      world.barrier();
      return;
    }
    Op<Integer> sending = Op.commutative(Integer.class, (a, b) -> {
      pair.send(new int[] {a, b}, 1 - pair.rank(), 0);
      return a + b;
    });
    Op<Integer> throwing = Op.ordered(Integer.class, (_, _) -> {
      throw new IllegalArgumentException("not these two");
    });
    int[] data = {1};
    if (pair.rank() == 0) {
      assertError(ErrorClass.ERR_OTHER, () -> pair.reduce(Buf.of(data), sending, 0), "must not communicate");
      Request request = pair.ireduce(Buf.of(data), throwing, 0);
      MpiException error = assertError(ErrorClass.ERR_OTHER, request::await, "not these two");
      assertTrue(error.getCause() instanceof IllegalArgumentException);
    } else {
      pair.reduce(Buf.of(data), sending, 0);
      pair.ireduce(Buf.of(data), throwing, 0).await();
    }
    pair.allreduce(Buf.of(data), Op.SUM);
    assertEquals(2, data[0], "the communicator can be used on");
    world.barrier();
  }

  @MpiTest(ranks = {2, 3, 4})
  @DisplayName("S0-14: what was started with an operation completes after it was freed; no new call takes it")
  void freedWhilePending(Comm world) {
    int n = 50_000;
    MemorySegment data = Arena.ofAuto().allocate(16L * n, 8);
    Affine.fill(data, 16, n, world.rank());
    Op<Affine> op = Affine.inBulk();
    Request request;
    try (op) {
      request = world.iallreduce(Buf.of(data, n, Affine.TYPE), op);
    }
    assertError(ErrorClass.ERR_OP, () -> world.allreduce(Buf.of(data, n, Affine.TYPE), op), "freed");
    request.await();
    for (int i = 0; i < n; i++) {
      assertEquals(Affine.chain(world.size(), i), Affine.TYPE.get(data, i), "element " + i);
    }
    assertError(ErrorClass.ERR_OP, Op.SUM::close, "MPI_SUM");
  }

  @MpiTest(ranks = {2, 4})
  @DisplayName("S0-16: a function that adds REAL and leaves everything else alone")
  void onlyFloats(Comm world) {
    Op<Object> op = Op.kernel(true, (in, inout, len, type) -> {
      for (long i = 0; i < len && type == Datatype.FLOAT; i++) {
        inout.setAtIndex(ValueLayout.JAVA_FLOAT, i,
            in.getAtIndex(ValueLayout.JAVA_FLOAT, i) + inout.getAtIndex(ValueLayout.JAVA_FLOAT, i));
      }
    });
    float[] floats = new float[1_000];
    Arrays.fill(floats, 0.5f);
    world.allreduce(Buf.of(floats), op);
    assertEquals(0.5f * world.size(), floats[999]);
    int[] ints = {3};
    world.allreduce(Buf.of(ints), op);
    assertEquals(3, ints[0]);
  }

  @MpiTest(ranks = {1, 2, 3, 4, 8})
  @DisplayName("S0-15: the product of each rank's 100 complex numbers")
  void complexProducts(Comm world) {
    Op<Object> product = Op.kernel(true, (in, inout, len, _) -> {
      for (long i = 0; i < 2 * len; i += 2) {
        double a = in.getAtIndex(ValueLayout.JAVA_DOUBLE, i);
        double b = in.getAtIndex(ValueLayout.JAVA_DOUBLE, i + 1);
        double c = inout.getAtIndex(ValueLayout.JAVA_DOUBLE, i);
        double d = inout.getAtIndex(ValueLayout.JAVA_DOUBLE, i + 1);
        inout.setAtIndex(ValueLayout.JAVA_DOUBLE, i, a * c - b * d);
        inout.setAtIndex(ValueLayout.JAVA_DOUBLE, i + 1, a * d + b * c);
      }
    });
    Datatype<Double> complex = Datatype.contiguous(2, Datatype.DOUBLE).commit();
    double[] mine = new double[200];
    for (int i = 0; i < 200; i += 2) { // i to the power of the rank
      mine[i] = world.rank() % 2 == 0 ? 1 : 0;
      mine[i + 1] = world.rank() % 2;
    }
    double[] result = new double[200];
    world.reduce(Buf.of(mine, 100, complex), Buf.of(result, 100, complex), product, 0);
    int quarterTurns = world.size() / 2 % 4;
    if (world.rank() == 0) {
      assertEquals(new double[] {1, 0, -1, 0}[quarterTurns], result[198], 1e-9);
      assertEquals(new double[] {0, 1, 0, -1}[quarterTurns], result[199], 1e-9);
    }
    complex.close();
    product.close();
  }
}
