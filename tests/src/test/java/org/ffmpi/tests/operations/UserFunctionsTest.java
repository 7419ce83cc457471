// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.operations;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Op;
import org.ffmpi.Persistent;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.EveryTransport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Arguments and rights of a program's function, by length, form and rank, before and after there is a region. */
class UserFunctionsTest {
  /** 64 bytes, 64 KiB and more than is kept in one piece, in longs. */
  private static final int[] LENGTHS = {8, 8_192, 40_000};

  /** Blocking calls of each kind; a communicator gets its region within them. */
  private static final int CALLS = 6;

  // ---- order of operands

  /** [[a, b], [c, d]] times [[e, f], [g, h]], element by element in native memory. */
  private static final Op<Object> MATRICES = Op.kernel(false, (in, inout, len, type) -> {
    assertTrue(in.isNative() && inout.isNative() && in.isReadOnly() && !inout.isReadOnly());
    assertTrue(in.byteSize() >= len * type.size() && inout.byteSize() >= len * type.size());
    for (long i = 0; i < 4 * len; i += 4) {
      long a = in.getAtIndex(ValueLayout.JAVA_LONG, i);
      long b = in.getAtIndex(ValueLayout.JAVA_LONG, i + 1);
      long c = in.getAtIndex(ValueLayout.JAVA_LONG, i + 2);
      long d = in.getAtIndex(ValueLayout.JAVA_LONG, i + 3);
      long e = inout.getAtIndex(ValueLayout.JAVA_LONG, i);
      long f = inout.getAtIndex(ValueLayout.JAVA_LONG, i + 1);
      long g = inout.getAtIndex(ValueLayout.JAVA_LONG, i + 2);
      long h = inout.getAtIndex(ValueLayout.JAVA_LONG, i + 3);
      inout.setAtIndex(ValueLayout.JAVA_LONG, i, a * e + b * g);
      inout.setAtIndex(ValueLayout.JAVA_LONG, i + 1, a * f + b * h);
      inout.setAtIndex(ValueLayout.JAVA_LONG, i + 2, c * e + d * g);
      inout.setAtIndex(ValueLayout.JAVA_LONG, i + 3, c * f + d * h);
    }
  });

  private static final Datatype<Long> FOUR = Datatype.contiguous(4, Datatype.INT64_T).commit();

  /** Matrices [[r + 1 + i, 1], [1, 0]] of ranks {@code 0..ranks - 1}, multiplied by hand. */
  private static long[] product(int ranks, int count) {
    long[] all = new long[4 * count];
    for (int i = 0; i < count; i++) {
      long[] m = {1, 0, 0, 1};
      for (int r = 0; r < ranks; r++) {
        long x = r + 1 + i;
        m = new long[] {m[0] * x + m[1], m[0], m[2] * x + m[3], m[2]};
      }
      System.arraycopy(m, 0, all, 4 * i, 4);
    }
    return all;
  }

  private static long[] own(int rank, int count) {
    long[] all = new long[4 * count];
    for (int i = 0; i < count; i++) {
      all[4 * i] = rank + 1 + i;
      all[4 * i + 1] = 1;
      all[4 * i + 2] = 1;
    }
    return all;
  }

  private static Buf<Long> matrices(long[] array) {
    return Buf.of(MemorySegment.ofArray(array), array.length / 4, FOUR);
  }

  @EveryTransport
  @MpiTest(ranks = {2, 3, 5})
  @DisplayName("S0-3 S0-18: products of matrices of any number of ranks and any length, again and again, at each root")
  void matricesOfAnyLength(IntraComm world) {
    int n = world.size();
    try (IntraComm comm = world.dup()) {
      for (int count : new int[] {1, 50, 3_000}) {
        long[] expected = product(n, count);
        for (int call = 0; call < CALLS; call++) {
          long[] result = new long[4 * count];
          comm.reduce(matrices(own(comm.rank(), count)), matrices(result), MATRICES, call % n);
          assertArrayEquals(comm.rank() == call % n ? expected : new long[4 * count], result);
          comm.scan(matrices(own(comm.rank(), count)), matrices(result), MATRICES);
          assertArrayEquals(product(comm.rank() + 1, count), result);
          Arrays.fill(result, 9);
          comm.exscan(matrices(own(comm.rank(), count)), matrices(result), MATRICES);
          assertArrayEquals(comm.rank() == 0 ? filled(4 * count, 9) : product(comm.rank(), count), result);
          long[] inPlace = own(comm.rank(), count);
          comm.iallreduce(matrices(inPlace), MATRICES).await();
          assertArrayEquals(expected, inPlace);
        }
      }
    }
  }

  private static long[] filled(int length, long value) {
    long[] array = new long[length];
    Arrays.fill(array, value);
    return array;
  }

  @EveryTransport
  @MpiTest(ranks = {1, 2, 3, 4})
  @DisplayName("S0-4: a function that keeps the left operand gives the first rank's data, one that keeps the right one "
      + "the last rank's")
  void leftAndRight(IntraComm world) {
    Op<Object> left = Op.kernel(false, (in, inout, len, type) ->
        MemorySegment.copy(in, 0, inout, 0, len * type.extent()));
    Op<Object> right = Op.kernel(false, (_, _, _, _) -> { });
    int r = world.rank();
    try (IntraComm comm = world.dup()) {
      for (int length : LENGTHS) {
        for (int call = 0; call < CALLS; call++) {
          long[] got = new long[length];
          comm.allreduce(Buf.of(filled(length, r)), Buf.of(got), left);
          assertArrayEquals(filled(length, 0), got);
          comm.allreduce(Buf.of(filled(length, r)), Buf.of(got), right);
          assertArrayEquals(filled(length, comm.size() - 1), got);
          comm.scan(Buf.of(filled(length, r)), Buf.of(got), left);
          assertArrayEquals(filled(length, 0), got);
          comm.scan(Buf.of(filled(length, r)), Buf.of(got), right);
          assertArrayEquals(filled(length, r), got);
          Arrays.fill(got, -1);
          comm.exscan(Buf.of(filled(length, r)), Buf.of(got), right);
          assertArrayEquals(filled(length, r - 1), got, "rank 0's buffer is not touched");
        }
      }
    }
  }

  /** The standard's reference: partial results go from rank to rank by messages, the last one to the root. */
  @EveryTransport
  @MpiTest(ranks = {1, 2, 3, 4})
  @DisplayName("S0-12: every reduction gives what the linear chain of messages and local reductions gives")
  void theChainByMessages(IntraComm world) {
    int n = world.size();
    int r = world.rank();
    Op<Affine> op = Affine.inBulk();
    try (IntraComm comm = world.dup()) {
      for (int count : new int[] {1, 600, 20_000}) {
        for (int root = 0; root < n; root++) {
          MemorySegment partial = Arena.ofAuto().allocate(16L * count, 8);
          Affine.fill(partial, 16, count, r);
          MemorySegment mine = Arena.ofAuto().allocate(16L * count, 8).copyFrom(partial);
          if (r > 0) {
            MemorySegment before = Arena.ofAuto().allocate(16L * count, 8);
            world.recv(Buf.of(before, count, Affine.TYPE), r - 1, 1);
            op.reduceLocal(Buf.of(before, count, Affine.TYPE), Buf.of(partial, count, Affine.TYPE));
          }
          if (r < n - 1) {
            world.send(Buf.of(partial, count, Affine.TYPE), r + 1, 1);
          }
          MemorySegment whole = r == n - 1 ? partial : Arena.ofAuto().allocate(16L * count, 8);
          world.bcast(Buf.of(whole, count, Affine.TYPE), n - 1);
          MemorySegment result = Arena.ofAuto().allocate(16L * count, 8);
          comm.reduce(Buf.of(mine, count, Affine.TYPE), Buf.of(result, count, Affine.TYPE), op, root);
          if (r == root) {
            assertEquals(-1, result.mismatch(whole), "reduce");
          }
          comm.allreduce(Buf.of(mine, count, Affine.TYPE), Buf.of(result, count, Affine.TYPE), op);
          assertEquals(-1, result.mismatch(whole), "allreduce");
          comm.scan(Buf.of(mine, count, Affine.TYPE), Buf.of(result, count, Affine.TYPE), op);
          assertEquals(-1, result.mismatch(partial), "scan");
        }
      }
    }
  }

  @EveryTransport
  @MpiTest(ranks = {2, 3})
  @DisplayName("S0-1: a function that adds gives what SUM gives, in every call that reduces, commuting or not")
  void aFunctionThatAdds(IntraComm world) {
    int n = world.size();
    int r = world.rank();
    for (boolean commutes : new boolean[] {true, false}) {
      Op<Object> adds = Op.kernel(commutes, (in, inout, len, _) -> {
        for (long i = 0; i < len; i++) {
          inout.setAtIndex(ValueLayout.JAVA_LONG, i,
              in.getAtIndex(ValueLayout.JAVA_LONG, i) + inout.getAtIndex(ValueLayout.JAVA_LONG, i));
        }
      });
      assertEquals(commutes, adds.isCommutative());
      for (int each : new int[] {1, 300, 3_000}) {
        long[] mine = new long[each * n];
        Arrays.setAll(mine, i -> 31L * r + i);
        long[] counts = filled(n, each);
        List<long[]> expected = results(world, mine, each, counts, Op.SUM);
        List<long[]> got = results(world, mine, each, counts, adds);
        for (int i = 0; i < expected.size(); i++) {
          assertArrayEquals(expected.get(i), got.get(i), "result " + i);
        }
      }
    }
  }

  private static List<long[]> results(IntraComm world, long[] mine, int each, long[] counts, Op<Object> op) {
    List<long[]> all = new ArrayList<>();
    Buf<Long> in = Buf.of(mine);
    List<Buf<Long>> out = new ArrayList<>();
    for (int i = 0; i < 18; i++) {
      long[] target = new long[i % 6 == 2 || i % 6 == 3 ? each : mine.length];
      all.add(target);
      out.add(Buf.of(target));
    }
    int root = world.size() - 1;
    world.reduce(in, out.get(0), op, root);
    world.allreduce(in, out.get(1), op);
    world.reduceScatterBlock(in, out.get(2), op);
    world.reduceScatter(in, out.get(3), counts, op);
    world.scan(in, out.get(4), op);
    world.exscan(in, out.get(5), op);
    world.ireduce(in, out.get(6), op, root).await();
    world.iallreduce(in, out.get(7), op).await();
    world.ireduceScatterBlock(in, out.get(8), op).await();
    world.ireduceScatter(in, out.get(9), counts, op).await();
    world.iscan(in, out.get(10), op).await();
    world.iexscan(in, out.get(11), op).await();
    List<Persistent> requests = List.of(
        world.reduceInit(in, out.get(12), op, root, null), world.allreduceInit(in, out.get(13), op, null),
        world.reduceScatterBlockInit(in, out.get(14), op, null),
        world.reduceScatterInit(in, out.get(15), counts, op, null), world.scanInit(in, out.get(16), op, null),
        world.exscanInit(in, out.get(17), op, null));
    for (Persistent request : requests) {
      request.start();
      request.await();
      request.close();
    }
    return all;
  }

  // ---- handles in static fields

  private static final Datatype<Affine> KEPT_TYPE = Datatype.ofRecord(Affine.class).commit();
  private static final AtomicReference<Datatype<?>> GIVEN = new AtomicReference<>();
  private static final Op<Object> KEPT_OP = Op.kernel(true, (_, _, _, type) -> GIVEN.set(type));

  @MpiTest(ranks = 2, processes = true, timeout = 120)
  @DisplayName("S0-11: types and operations made before MPI are used in it; the function compares handles")
  void handlesOfALibrary(IntraComm world) {
    MemorySegment data = Arena.ofAuto().allocate(16, 8);
    for (int i = 0; i < CALLS; i++) {
      GIVEN.set(null);
      world.allreduce(Buf.of(data, 1, KEPT_TYPE), KEPT_OP);
      Datatype<?> given = GIVEN.get();
      if (given != null) { // this rank has combined something
        assertSame(KEPT_TYPE, given);
      }
      int[] seen = {given == null ? 0 : 1};
      world.allreduce(Buf.of(seen), Op.MAX);
      assertEquals(1, seen[0], "one of the ranks has");
    }
  }

  // ---- large lengths

  /** Memory of which only touched pages exist. */
  private static MemorySegment sparse(Path file, long bytes) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.SPARSE,
        StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, Arena.ofAuto());
    }
  }

  @Test
  @DisplayName("S0-7: a function is given more elements than an int counts, all of them once")
  void moreElementsThanAnIntCounts(@TempDir Path directory) throws IOException {
    long count = (1L << 31) + 1_000;
    long[] done = new long[1];
    // Memory of an automatic arena is handed to the function as it is; what nobody has written stays without pages.
    MemorySegment in = sparse(directory.resolve("in"), count);
    MemorySegment inout = sparse(directory.resolve("inout"), count);
    long[] places = {0, 1, Integer.MAX_VALUE - 1L, Integer.MAX_VALUE, 1L << 31, count - 1};
    for (int i = 0; i < places.length; i++) {
      in.set(ValueLayout.JAVA_BYTE, places[i], (byte) (i + 1));
      inout.set(ValueLayout.JAVA_BYTE, places[i], (byte) (10 * i));
    }
    Op<Object> adds = Op.kernel(true, (left, right, len, _) -> {
      for (long place : places) {
        long at = place - done[0];
        if (at >= 0 && at < len) {
          right.set(ValueLayout.JAVA_BYTE, at,
              (byte) (left.get(ValueLayout.JAVA_BYTE, at) + right.get(ValueLayout.JAVA_BYTE, at)));
        }
      }
      done[0] += len;
    });
    adds.reduceLocal(Buf.of(in, count, Datatype.BYTE), Buf.of(inout, count, Datatype.BYTE));
    assertEquals(count, done[0]);
    for (int i = 0; i < places.length; i++) {
      assertEquals(11 * i + 1, inout.get(ValueLayout.JAVA_BYTE, places[i]), "at " + places[i]);
    }
  }

  @MpiTest(ranks = {2, 3})
  @DisplayName("S0-7: in a reduction of ranks the lengths of each combination add up to its count, also of wide types")
  void lengthsAddUp(IntraComm world) {
    Datatype<Integer> wide = Datatype.INT.resized(0, 24).commit();
    for (int count : new int[] {1, 1_000, 60_000}) {
      long[] elements = new long[1];
      Op<Object> counting = Op.kernel(true, (in, _, len, type) -> {
        assertTrue(len > 0 && in.byteSize() >= (len - 1) * type.extent() + type.trueExtent());
        synchronized (elements) {
          elements[0] += len;
        }
      });
      MemorySegment data = Arena.ofAuto().allocate(24L * count, 8);
      world.reduce(Buf.of(data, count, wide), counting, 0);
      world.allreduce(Buf.of(elements), Op.SUM);
      assertEquals((world.size() - 1L) * count, elements[0]);
    }
  }

  // ---- communication inside

  /** Counts its calls, and at one rank tries to communicate, which is refused; adds. */
  private static final class Meddling {
    final AtomicInteger calls = new AtomicInteger();
    final AtomicInteger refused = new AtomicInteger();
    final Op<Object> op;

    Meddling(IntraComm comm, boolean meddles) {
      op = Op.kernel(true, (in, inout, len, _) -> {
        calls.incrementAndGet();
        if (meddles) {
          meddle(comm);
        }
        for (long i = 0; i < len; i++) {
          inout.setAtIndex(ValueLayout.JAVA_LONG, i,
              in.getAtIndex(ValueLayout.JAVA_LONG, i) + inout.getAtIndex(ValueLayout.JAVA_LONG, i));
        }
      });
    }

    private void meddle(IntraComm comm) {
      int other = (comm.rank() + 1) % comm.size();
      List<Runnable> forbidden = List.of(
          () -> comm.send(new int[1], other, 77), () -> comm.irecv(new int[1], other, 77), comm::barrier,
          () -> comm.iallreduce(Buf.of(new int[1]), Op.SUM), () -> comm.iprobe(other, 77));
      int before = refused.get();
      for (Runnable call : forbidden) {
        try {
          call.run();
        } catch (MpiException e) {
          if (e.errorClass() == ErrorClass.ERR_OTHER && e.getMessage().contains("inside")) {
            refused.incrementAndGet();
          }
        }
      }
      assertEquals(before + forbidden.size(), refused.get(), "all are refused");
    }
  }

  @MpiTest(ranks = {2, 3, 4}, timeout = 120)
  @DisplayName("S0-9: communication inside a function is refused at every rank, length and form, before and after "
      + "there is a region; the function may go on")
  void communicationInside(IntraComm world) {
    int n = world.size();
    for (int meddler = 0; meddler < n; meddler++) {
      int[] ran = new int[1];
      for (int length : LENGTHS) {
        try (IntraComm comm = world.dup()) { // without a region at first
          boolean meddles = comm.rank() == meddler;
          Meddling meddling = new Meddling(comm, meddles);
          Runnable check = () -> assertEquals(meddles ? 5 * meddling.calls.get() : 0, meddling.refused.get());
          long[] mine = filled(length, comm.rank());
          long[] sum = new long[length];
          long[] expected = filled(length, n * (n - 1) / 2);
          for (int call = 0; call < CALLS; call++) {
            comm.allreduce(Buf.of(mine), Buf.of(sum), meddling.op);
            assertArrayEquals(expected, sum);
            comm.reduce(Buf.of(mine), Buf.of(sum), meddling.op, meddler);
            check.run();
          }
          assertArrayEquals(expected, sum);
          comm.iallreduce(Buf.of(mine), Buf.of(sum), meddling.op).await();
          assertArrayEquals(expected, sum);
          try (Persistent request = comm.allreduceInit(Buf.of(mine), Buf.of(sum), meddling.op, null)) {
            for (int start = 0; start < 2; start++) {
              Arrays.fill(sum, -1);
              request.start();
              request.await();
              assertArrayEquals(expected, sum);
            }
          }
          check.run();
          ran[0] += meddling.calls.get();
          assertTrue(comm.iprobe(Constants.ANY_SOURCE, 77).isEmpty());
        }
      }
      assertTrue(world.rank() != meddler || ran[0] > 0, "the function has run at rank " + meddler);
    }
  }

  @MpiTest(ranks = {2, 3, 4}, timeout = 120)
  @DisplayName("S0-9: communication inside that is not caught ends the reduction at each rank, length and form; "
      + "the next one is right")
  void communicationInsideThatIsNotCaught(IntraComm world) {
    int n = world.size();
    for (int meddler = 0; meddler < n; meddler++) {
      for (int length : LENGTHS) {
        for (int form = 0; form < 4; form++) {
          try (IntraComm comm = world.dup()) {
            endsEverywhere(comm, comm.rank() == meddler, length, form);
          }
        }
      }
    }
  }

  /** Form 0 is the first call of a communicator, 1 a later one, 2 nonblocking, 3 persistent. */
  private static void endsEverywhere(IntraComm comm, boolean meddles, int length, int form) {
    AtomicInteger ran = new AtomicInteger();
    Op<Object> op = Op.kernel(true, (_, _, _, _) -> {
      if (meddles) {
        ran.incrementAndGet();
        comm.send(new int[1], 0, 77);
      }
    });
    Buf<Long> mine = Buf.of(filled(length, 1));
    long[] sum = new long[length];
    for (int call = 0; form == 1 && call < CALLS; call++) {
      comm.allreduce(mine, Buf.of(sum), Op.SUM);
    }
    MpiException error = null;
    try {
      switch (form) {
        case 2 -> comm.iallreduce(mine, Buf.of(sum), op).await();
        case 3 -> {
          try (Persistent request = comm.allreduceInit(mine, Buf.of(sum), op, null)) {
            request.start();
            request.await();
          }
        }
        default -> comm.allreduce(mine, Buf.of(sum), op);
      }
    } catch (MpiException e) {
      error = e;
    }
    if (ran.get() > 0) {
      assertEquals(ErrorClass.ERR_OTHER, error.errorClass());
      assertTrue(error.getMessage().contains("inside"), error.getMessage());
    }
    comm.allreduce(mine, Buf.of(sum), Op.SUM);
    assertArrayEquals(filled(length, comm.size()), sum);
    assertTrue(comm.iprobe(Constants.ANY_SOURCE, 77).isEmpty());
  }
}
