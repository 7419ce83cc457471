// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import static org.ffmpi.Worlds.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.fake.FakeCollectives.Call;
import org.ffmpi.fake.FakeCollectives;
import org.ffmpi.fake.FakeOperation;
import org.ffmpi.spi.Collective;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Arguments of the collective calls, as they reach the collectives, and refused ones. */
class CollectiveTest {
  private final Worlds w = Worlds.returning(1, 4);
  private final IntraComm world = w.world;
  private final Buf<Double> a = Buf.of(new double[8]);
  private final Buf<Double> b = Buf.of(new double[8]);
  private final Buf<Double> block = Buf.of(new double[2]);
  private final Buf<Byte> readOnly = Buf.of(MemorySegment.ofArray(new byte[8]).asReadOnly(), 8, Datatype.INT8_T);

  @BeforeEach
  void forget() {
    FakeCollectives.CALLS.clear();
    FakeCollectives.failNext = null;
  }

  private static Call last() {
    return FakeCollectives.CALLS.getLast();
  }

  @Test
  void rootsOutOfRange() {
    for (int root : new int[] {-1, -3, 4, Integer.MAX_VALUE}) {
      String text = "root = " + root;
      assertError(ErrorClass.ERR_ROOT, () -> world.bcast(a, root), text, "0..3");
      assertError(ErrorClass.ERR_ROOT, () -> world.ibcast(a, root), text);
      assertError(ErrorClass.ERR_ROOT, () -> world.gather(a, b, root), text);
      assertError(ErrorClass.ERR_ROOT, () -> world.gather(a, root), text);
      assertError(ErrorClass.ERR_ROOT, () -> world.igather(a, b, root), text);
      assertError(ErrorClass.ERR_ROOT, () -> world.reduce(a, b, Op.SUM, root), text);
      assertError(ErrorClass.ERR_ROOT, () -> world.ireduce(a, Op.SUM, root), text);
    }
    assertTrue(FakeCollectives.CALLS.isEmpty());
  }

  @Test
  void oneBufferMeansInPlaceAtThisRank() {
    world.allreduce(a, Op.SUM);
    assertEquals(
        new Call(Collective.ALLREDUCE, FakeCollectives.IN_PLACE, BufImpl.of(a).memoryOwner(),
        Op.SUM.kernel(Datatype.DOUBLE), 0),
        last());
    world.reduce(a, Op.MAX, 1);
    assertEquals(
        new Call(Collective.REDUCE, FakeCollectives.IN_PLACE, BufImpl.of(a).memoryOwner(),
        Op.MAX.kernel(Datatype.DOUBLE), 1),
        last());
    world.reduce(a, Op.MAX, 0);
    assertEquals(new Call(Collective.REDUCE, BufImpl.of(a).memoryOwner(), null, Op.MAX.kernel(Datatype.DOUBLE), 0),
        last());
    world.gather(a, 1);
    assertEquals(new Call(Collective.GATHER, FakeCollectives.IN_PLACE, BufImpl.of(a).memoryOwner(), null, 1), last());
    world.gather(block, 0);
    assertEquals(new Call(Collective.GATHER, BufImpl.of(block).memoryOwner(), null, null, 0), last());
  }

  @Test
  void whatIsNotSignificantIsNotLookedAt() {
    world.gather(block, null, 0);
    assertNull(last().recv());
    world.gather(block, Buf.of(new int[1]), 3);
    assertNull(last().recv());
    world.reduce(a, null, Op.SUM, 2);
    assertNull(last().recv());
    world.bcast(readOnly, 1);
    assertSame(BufImpl.of(readOnly).memoryOwner(), last().send());
  }

  @Test
  void buffersThatCannotBeUsed() {
    assertError(ErrorClass.ERR_BUFFER, () -> world.bcast(null, 0), "buf = null");
    assertError(ErrorClass.ERR_BUFFER, () -> world.bcast(Buf.inPlace(), 0), "inPlace");
    assertError(ErrorClass.ERR_BUFFER, () -> world.bcast(readOnly, 0), "writable");
    assertError(ErrorClass.ERR_BUFFER, () -> world.gather(null, null, 0), "send = null");
    assertError(ErrorClass.ERR_BUFFER, () -> world.gather(Buf.inPlace(), null, 0), "inPlace");
    assertError(ErrorClass.ERR_BUFFER, () -> world.gather(block, null, 1), "recv = null");
    assertError(ErrorClass.ERR_BUFFER, () -> world.reduce(null, a, Op.SUM, 1), "send = null");
    assertError(ErrorClass.ERR_BUFFER, () -> world.reduce(a, null, Op.SUM, 1), "recv = null");
    assertError(ErrorClass.ERR_BUFFER, () -> world.reduce(Buf.<Double>inPlace(), null, Op.SUM, 2), "inPlace");
    assertError(ErrorClass.ERR_BUFFER, () -> world.allreduce(a, a, Op.SUM), "overlap");
    assertError(ErrorClass.ERR_BUFFER, () -> world.allreduce(readOnly, Op.SUM), "writable");
    assertError(ErrorClass.ERR_BUFFER, () -> world.allreduce((Buf<Double>) null, Op.SUM), "recv = null");
    Buf<Double> inside = Buf.of((double[]) BufImpl.of(a).memoryOwner(), 2, 2);
    assertError(ErrorClass.ERR_BUFFER, () -> world.gather(inside, a, 1), "overlap");
  }

  @Test
  void countsThatDoNotFit() {
    assertError(ErrorClass.ERR_COUNT, () -> world.allreduce(block, a, Op.SUM), "count of send = 2", "8");
    assertError(ErrorClass.ERR_COUNT, () -> world.reduce(block, a, Op.SUM, 1), "count of send = 2");
    assertError(ErrorClass.ERR_COUNT, () -> world.gather(block, Buf.of(new double[9]), 1), "count of recv = 9", "4");
    assertError(ErrorClass.ERR_COUNT, () -> world.gather(a, b, 1), "bytes of send = 64", "16");
    Buf<Double> other = Buf.of(new byte[64], 8, Datatype.REAL8);
    assertError(ErrorClass.ERR_TYPE, () -> world.allreduce(other, a, Op.SUM), "MPI_REAL8", "MPI_DOUBLE");
  }

  @Test
  void operationsThatAreNotDefined() {
    assertError(ErrorClass.ERR_OP, () -> world.allreduce(a, b, Op.BAND), "MPI_BAND", "MPI_DOUBLE");
    assertError(ErrorClass.ERR_OP, () -> world.iallreduce(a, Op.LAND), "MPI_LAND");
    assertError(ErrorClass.ERR_OP, () -> world.reduce(a, b, Op.MAXLOC, 0), "MPI_MAXLOC");
    assertError(ErrorClass.ERR_OP, () -> world.allreduce(Buf.of(new byte[2], 2, Datatype.CHAR), Op.SUM), "MPI_CHAR");
    assertError(ErrorClass.ERR_OP, () -> world.allreduce(a, null), "op = null");
    assertError(ErrorClass.ERR_TYPE, () -> Op.SUM.kernel(null), "type = null");
    assertEquals("MPI_SUM", Op.SUM.name());
    assertTrue(Op.SUM.isCommutative());
  }

  @Test
  void blockingCollectivesThrowTheirError() {
    FakeCollectives.failNext = new MpiException(ErrorClass.ERR_PROC_ABORTED, "rank 2 is gone");
    assertError(ErrorClass.ERR_PROC_ABORTED, world::barrier, "rank 2 is gone");
    world.barrier();
  }

  @Test
  void nonblockingCollectivesAreRegistered() {
    List<Request> requests = List.of(
        world.ibarrier(), world.ibcast(a, 0), world.igather(block, null, 0), world.igather(a, 1),
        world.ireduce(a, b, Op.SUM, 0), world.ireduce(a, Op.SUM, 1), world.iallreduce(a, b, Op.SUM),
        world.iallreduce(a, Op.SUM));
    assertEquals(8, w.engine.started.size());
    assertFalse(requests.getFirst().test());
    assertError(ErrorClass.ERR_REQUEST, () -> requests.getFirst().cancel(), "collective", "cancelled");
    assertError(ErrorClass.ERR_REQUEST, () -> requests.getFirst().close(), "collective", "freed");
    assertFalse(requests.getFirst().test());
    w.engine.started.forEach(FakeOperation::finish);
    Request.waitAll(requests);
  }
}
