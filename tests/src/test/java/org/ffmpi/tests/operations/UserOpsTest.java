// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.operations;

import static org.ffmpi.tests.Errors.assertError;
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
import java.util.random.RandomGenerator;
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
import org.ffmpi.tests.EveryTransport;
import org.ffmpi.tests.Seeds;
import org.junit.jupiter.api.DisplayName;

/** Reductions with operations of a program's own, over several ranks, against the linear chain of the standard. */
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
  @DisplayName("S0-3 S0-2 S0-11: M0 M1 M2 M3 = [[43,10],[30,7]] at every root")
  void matricesAreMultipliedInTheOrderOfRanks(Comm world) {
    long[] expected = {43, 10, 30, 7};
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
  }

  // ---- any form, any memory, against the chain

  private static final int[] COUNTS = {0, 1, 3, 100, 1_500, 20_000};

  /** Memory for {@code bytes} bytes: an array, a confined or closeable segment, or one that nothing frees. */
  private static MemorySegment memory(RandomGenerator random, long bytes, Arena confined, Arena shared) {
    return switch (random.nextInt(4)) {
      case 0 -> MemorySegment.ofArray(new long[(int) (bytes / 8)]);
      case 1 -> confined.allocate(bytes, 8);
      case 2 -> shared.allocate(bytes, 8);
      default -> Arena.ofAuto().allocate(bytes, 8);
    };
  }

  private static void fill(MemorySegment memory, long stride, int count, int rank) {
    memory.fill((byte) -1);
    for (int i = 0; i < count; i++) {
      Affine own = Affine.of(rank, i);
      memory.set(ValueLayout.JAVA_LONG, i * stride, own.a());
      memory.set(ValueLayout.JAVA_LONG, i * stride + 8, own.b());
    }
  }

  private static void assertChain(MemorySegment memory, long stride, int count, int ranks, String what) {
    for (int i = 0; i < count; i++) {
      Affine expected = Affine.chain(ranks, i);
      assertEquals(expected.a(), memory.get(ValueLayout.JAVA_LONG, i * stride), () -> what + ", a");
      assertEquals(expected.b(), memory.get(ValueLayout.JAVA_LONG, i * stride + 8), () -> what + ", b");
      for (long gap = 16; gap < stride; gap += 8) {
        assertEquals(-1, memory.get(ValueLayout.JAVA_LONG, i * stride + gap), () -> what + ", a gap");
      }
    }
  }

  @MpiTest(ranks = {1, 2, 3, 4, 5, 8})
  @DisplayName("S0-1 S0-2 S0-8 S0-12 S0-18: reduce and allreduce give what the chain of ranks gives, in all memories")
  void everythingAgreesWithTheChain(IntraComm world) {
    long[] seed = {Seeds.next()};
    world.bcast(Buf.of(seed), 0);
    Seeds.run(seed[0], () -> {
      RandomGenerator same = Seeds.random(seed[0]);
      RandomGenerator own = Seeds.random(seed[0] + 1 + world.rank());
      Datatype<Affine> wide = Affine.TYPE.resized(0, 32).commit();
      Op<Affine> onRecords = Affine.onRecords();
      Op<Affine> inBulk = Affine.inBulk();
      Op<Object> onAnyType = Affine.onAnyType();
      for (int i = 0; i < 12; i++) {
        int count = COUNTS[same.nextInt(COUNTS.length)];
        int root = same.nextInt(world.size());
        switch (same.nextInt(3)) {
          case 0 -> check(world, same, own, count, root, Affine.TYPE, onRecords);
          case 1 -> check(world, same, own, count, root, Affine.TYPE, inBulk);
          default -> check(world, same, own, count, root, wide, onAnyType);
        }
      }
    });
  }

  private static <T> void check(IntraComm world, RandomGenerator same, RandomGenerator own, int count, int root,
      Datatype<T> type, Op<? super T> op) {
    try (Arena confined = Arena.ofConfined(); Arena shared = Arena.ofShared()) {
      MemorySegment send = memory(own, count * type.extent(), confined, shared);
      MemorySegment recv = memory(own, count * type.extent(), confined, shared);
      fill(send, type.extent(), count, world.rank());
      recv.fill((byte) -1);
      Buf<T> from = Buf.of(send, count, type);
      Buf<T> to = Buf.of(recv, count, type);
      int form = same.nextInt(6);
      boolean inPlace = form >= 4;
      switch (form) {
        case 0 -> world.allreduce(from, to, op);
        case 1 -> world.iallreduce(from, to, op).await();
        case 2 -> world.reduce(from, to, op, root);
        case 3 -> world.ireduce(from, to, op, root).await();
        case 4 -> world.allreduce(from, op);
        default -> world.reduce(from, op, root);
      }
      if (form == 0 || form == 1 || form == 4 || world.rank() == root) {
        assertChain(inPlace ? send : recv, type.extent(), count, world.size(),
            "form " + form + " of " + count + " x " + type + " with " + op);
      }
    }
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
    fill(data, 16, n, world.rank());
    Op<Affine> op = Affine.inBulk();
    Request request;
    try (op) {
      request = world.iallreduce(Buf.of(data, n, Affine.TYPE), op);
    }
    assertError(ErrorClass.ERR_OP, () -> world.allreduce(Buf.of(data, n, Affine.TYPE), op), "freed");
    request.await();
    assertChain(data, 16, n, world.size(), "after free");
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
      assertEquals(new double[] {1, 0, -1, 0}[quarterTurns], result[198]);
      assertEquals(new double[] {0, 1, 0, -1}[quarterTurns], result[199]);
    }
    complex.close();
    product.close();
  }
}
