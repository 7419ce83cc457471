// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import static org.ffmpi.Worlds.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.reduce.ReduceKernel;
import org.ffmpi.fake.FakeCollectives.Call;
import org.ffmpi.fake.FakeCollectives;
import org.ffmpi.fake.FakeOperation;
import org.ffmpi.request.RequestImpl;
import org.ffmpi.spi.Collective;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Arguments of the collective calls with blocks, parts and prefixes, and of persistent ones. Rank 1 of 4. */
class CollectiveBlocksTest {
  private final Worlds w = Worlds.returning(1, 4);
  private final IntraComm world = w.world;
  private final double[] array = new double[8];
  private final Buf<Double> a = Buf.of(array);
  private final Buf<Double> b = Buf.of(new double[8]);
  private final Buf<Double> block = Buf.of(new double[2]);
  private final Buf<Byte> readOnly = Buf.of(MemorySegment.ofArray(new byte[8]).asReadOnly(), 8, Datatype.INT8_T);
  private final long[] twos = {2, 2, 2, 2};
  private final long[] displs = {0, 2, 4, 6};
  private final long[] bytes = {0, 16, 32, 48};
  private final Datatype<?>[] types = {Datatype.DOUBLE, Datatype.DOUBLE, Datatype.DOUBLE, Datatype.DOUBLE};

  @BeforeEach
  void forget() {
    FakeCollectives.CALLS.clear();
    FakeCollectives.failNext = null;
  }

  private static Call last() {
    return FakeCollectives.CALLS.getLast();
  }

  @Test
  void oneBufferMeansInPlaceAtThisRank() {
    world.scatter(a, 1);
    assertEquals(new Call(Collective.SCATTER, BufImpl.of(a).memoryOwner(), FakeCollectives.IN_PLACE, null, 1), last());
    world.scatter(block, 0);
    assertEquals(new Call(Collective.SCATTER, null, BufImpl.of(block).memoryOwner(), null, 0), last());
    world.alltoall(a);
    assertEquals(new Call(Collective.ALLTOALL, FakeCollectives.IN_PLACE, BufImpl.of(a).memoryOwner(), null, 0), last());
    world.scan(a, Op.SUM);
    assertEquals(
        new Call(Collective.SCAN, FakeCollectives.IN_PLACE, BufImpl.of(a).memoryOwner(),
        Op.SUM.kernel(Datatype.DOUBLE), 0),
        last());
    world.reduceScatterBlock(a, Op.SUM);
    ReduceKernel sum = Op.SUM.kernel(Datatype.DOUBLE);
    assertEquals(
        new Call(Collective.REDUCE_SCATTER_BLOCK, FakeCollectives.IN_PLACE, BufImpl.of(a).memoryOwner(), sum, 0),
        last());
    world.gatherv(block, null, null, 0);
    assertEquals(new Call(Collective.GATHERV, BufImpl.of(block).memoryOwner(), null, null, 0), last());
    world.gatherv(a, twos, displs, 1);
    assertEquals(new Call(Collective.GATHERV, FakeCollectives.IN_PLACE, null, null, 1), last());
    world.allgatherv(a, twos, displs);
    assertEquals(new Call(Collective.ALLGATHERV, FakeCollectives.IN_PLACE, null, null, 0), last());
  }

  @Test
  void whatIsNotSignificantIsNotLookedAt() {
    world.scatter(null, block, 0);
    assertNull(last().send());
    world.scatterv(readOnly, new long[1], null, block, 3);
    assertSame(BufImpl.of(block).memoryOwner(), last().recv());
    world.gatherv(block, null, new long[] {-1}, null, 2);
    assertSame(BufImpl.of(block).memoryOwner(), last().send());
    world.alltoallv(Buf.inPlace(), null, null, a, twos, displs);
    world.alltoallw(Buf.inPlace(), null, null, null, a, twos, bytes, types);
    assertEquals(Collective.ALLTOALLV, last().operation());
  }

  @Test
  void blocksThatDoNotFit() {
    assertError(ErrorClass.ERR_COUNT, () -> world.scatter(a, a, 1), "bytes of recv = 64", "16");
    assertError(ErrorClass.ERR_COUNT, () -> world.scatter(Buf.of(new double[7]), block, 1), "count of send = 7", "4");
    assertError(ErrorClass.ERR_COUNT, () -> world.allgather(a, b), "bytes of send = 64", "16");
    assertError(ErrorClass.ERR_COUNT, () -> world.allgather(block), "count of recv = 2", "4");
    assertError(ErrorClass.ERR_COUNT, () -> world.alltoall(Buf.of(new double[4]), a), "bytes of send = 32", "64");
    assertError(ErrorClass.ERR_COUNT, () -> world.reduceScatterBlock(a, b, Op.SUM), "count of send = 8", "4");
    assertError(ErrorClass.ERR_COUNT, () -> world.reduceScatterBlock(block, Op.SUM), "count of recv = 2", "4");
    assertError(ErrorClass.ERR_COUNT, () -> world.scan(block, a, Op.SUM), "count of send = 2", "8");
    assertError(ErrorClass.ERR_COUNT, () -> world.gatherv(a, b, twos, displs, 1), "bytes of send = 64", "16");
    assertError(ErrorClass.ERR_COUNT, () -> world.scatterv(a, twos, displs, b, 1), "bytes of recv = 64", "16");
    assertError(ErrorClass.ERR_COUNT, () -> world.allgatherv(a, b, twos, displs), "bytes of send = 64", "16");
    long[] others = {2, 1, 2, 2};
    assertError(ErrorClass.ERR_COUNT, () -> world.alltoallv(a, others, displs, b, twos, displs), "recv[1]", "16");
  }

  @Test
  void arraysThatDoNotFit() {
    long[] three = new long[3];
    long[] negative = {2, 2, -1, 2};
    long[] beyond = {0, 2, 4, 7};
    assertError(ErrorClass.ERR_COUNT, () -> world.gatherv(block, a, null, displs, 1), "recvCounts = null", "4");
    assertError(ErrorClass.ERR_COUNT, () -> world.gatherv(block, a, three, displs, 1), "recvCounts.length = 3", "4");
    assertError(ErrorClass.ERR_COUNT, () -> world.igatherv(block, a, negative, displs, 1), "recvCounts[2] = -1");
    assertError(ErrorClass.ERR_ARG, () -> world.scatterv(a, twos, three, block, 1), "sendDispls.length = 3");
    assertError(ErrorClass.ERR_BUFFER, () -> world.scatterv(a, twos, beyond, block, 1), "sendDispls[3] = 7", "8");
    assertError(ErrorClass.ERR_BUFFER, () -> world.allgathervInit(block, a, twos, beyond, null), "recvDispls[3] = 7");
    assertError(ErrorClass.ERR_ARG, () -> world.alltoallv(a, twos, null, b, twos, displs), "sendDispls = null");
    assertError(ErrorClass.ERR_TYPE,
        () -> world.alltoallw(a, twos, bytes, new Datatype<?>[4], b, twos, bytes, types), "sendTypes[0] = null");
    assertError(ErrorClass.ERR_TYPE,
        () -> world.alltoallw(a, twos, bytes, types, b, twos, bytes, new Datatype<?>[5]), "recvTypes.length = 5");
    assertError(ErrorClass.ERR_ARG, () -> world.alltoallw(new Buf<?>[4], new Buf<?>[3]), "recv.length = 3", "4");
    assertError(ErrorClass.ERR_ARG, () -> world.alltoallw((Buf<?>[]) null), "recv = null", "4");
    assertError(ErrorClass.ERR_BUFFER, () -> world.ialltoallw(new Buf<?>[4], new Buf<?>[4]), "[0] = null");
    assertError(ErrorClass.ERR_COUNT, () -> world.reduceScatter(a, block, three, Op.SUM), "counts.length = 3");
    assertError(ErrorClass.ERR_COUNT, () -> world.reduceScatter(a, block, null, Op.SUM), "counts = null");
    assertError(ErrorClass.ERR_COUNT, () -> world.reduceScatter(a, block, negative, Op.SUM), "counts[2] = -1");
    long[] huge = {Long.MAX_VALUE, Long.MAX_VALUE, 4, 2};
    assertError(ErrorClass.ERR_COUNT, () -> world.reduceScatter(a, block, huge, Op.SUM), "count of send = 8");
    assertError(ErrorClass.ERR_COUNT, () -> world.reduceScatter(a, b, twos, Op.SUM), "count of recv = 8", "2");
    assertTrue(FakeCollectives.CALLS.isEmpty());
  }

  @Test
  void buffersThatCannotBeUsed() {
    assertError(ErrorClass.ERR_BUFFER, () -> world.scatter(null, 1), "send = null");
    assertError(ErrorClass.ERR_BUFFER, () -> world.scatter(null, 0), "recv = null");
    assertError(ErrorClass.ERR_BUFFER, () -> world.scatter(a, Buf.inPlace(), 0), "inPlace");
    assertError(ErrorClass.ERR_BUFFER, () -> world.scatter(Buf.inPlace(), block, 1), "inPlace");
    assertError(ErrorClass.ERR_BUFFER, () -> world.allgather(Buf.<Double>inPlace()), "inPlace");
    assertError(ErrorClass.ERR_BUFFER, () -> world.alltoall(readOnly), "writable");
    assertError(ErrorClass.ERR_BUFFER, () -> world.alltoallv(a, twos, displs, null, twos, displs), "recv = null");
    assertError(ErrorClass.ERR_BUFFER, () -> world.alltoallv(null, twos, displs, b, twos, displs), "send = null");
    assertError(ErrorClass.ERR_BUFFER, () -> world.scan(a, null, Op.SUM), "recv = null");
    assertError(ErrorClass.ERR_BUFFER, () -> world.exscan(null, a, Op.SUM), "send = null");
    assertError(ErrorClass.ERR_BUFFER, () -> world.reduceScatterBlock(null, block, Op.SUM), "send = null");
  }

  @Test
  void memoryThatOverlaps() {
    Buf<Double> inside = Buf.of(array, 2, 2);
    assertError(ErrorClass.ERR_BUFFER, () -> world.scatter(a, inside, 1), "overlap");
    assertError(ErrorClass.ERR_BUFFER, () -> world.allgather(inside, a), "overlap");
    assertError(ErrorClass.ERR_BUFFER, () -> world.alltoall(a, a), "overlap");
    assertError(ErrorClass.ERR_BUFFER, () -> world.scan(a, a, Op.SUM), "overlap");
    assertError(ErrorClass.ERR_BUFFER, () -> world.reduceScatterBlock(a, inside, Op.SUM), "overlap");
    assertError(ErrorClass.ERR_BUFFER, () -> world.gatherv(inside, a, twos, displs, 1), "overlap");
    assertError(ErrorClass.ERR_BUFFER, () -> world.alltoallv(a, twos, displs, a, twos, displs), "overlap");
    long[] elsewhere = {0, 4, 6, 4}; // nobody's block is where the elements to send are
    world.gatherv(inside, a, new long[] {2, 2, 2, 0}, elsewhere, 1);
  }

  @Test
  void operationsThatAreNotDefined() {
    assertError(ErrorClass.ERR_OP, () -> world.scan(a, b, Op.BAND), "MPI_BAND");
    assertError(ErrorClass.ERR_OP, () -> world.exscan(a, b, null), "op = null");
    assertError(ErrorClass.ERR_OP, () -> world.reduceScatterBlock(a, Op.MAXLOC), "MPI_MAXLOC");
    assertError(ErrorClass.ERR_OP, () -> world.reduceScatterInit(a, twos, Op.BXOR, null), "MPI_BXOR");
    Buf<Double> other = Buf.of(new byte[64], 8, Datatype.REAL8);
    assertError(ErrorClass.ERR_TYPE, () -> world.scan(other, a, Op.SUM), "MPI_REAL8", "MPI_DOUBLE");
    assertError(ErrorClass.ERR_TYPE, () -> world.reduceScatterBlock(other, block, Op.SUM), "MPI_REAL8");
  }

  @Test
  void persistentCollectives() {
    Persistent request = world.alltoallInit(a, b, null);
    assertFalse(request.isActive());
    request.await();
    assertTrue(request.test());
    request.start();
    assertError(ErrorClass.ERR_REQUEST, request::start, "is active");
    assertError(ErrorClass.ERR_REQUEST, request::cancel, "collective", "cancelled");
    assertError(ErrorClass.ERR_REQUEST, request::close, "collective", "freed");
    assertTrue(request.isActive());
    FakeOperation running = (FakeOperation) RequestImpl.of(request).operation();
    running.finish();
    request.await();
    assertFalse(request.isActive());
    request.close();
    assertError(ErrorClass.ERR_REQUEST, request::start, "closed");
    Info freed = new Info();
    freed.close();
    assertError(ErrorClass.ERR_INFO, () -> world.barrierInit(freed));
    world.barrierInit(new Info().set("unknown", "hint")).close();
    world.barrierInit(null).close();
  }
}
