// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.collectives;

import static org.ffmpi.base.Constants.PROC_NULL;
import static org.ffmpi.base.Constants.ROOT;
import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.ffmpi.Buf;
import org.ffmpi.CartComm;
import org.ffmpi.Comm;
import org.ffmpi.InterComm;
import org.ffmpi.IntraComm;
import org.ffmpi.Op;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.testkit.MpiVariant;
import org.ffmpi.tests.support.Halves;

/** Errors that {@code ffmpi.check=full} reports about collective calls that do not fit together, at all ranks. */
@MpiVariant(name = "checked", settings = "ffmpi.check=full")
class ComparedCollectivesTest {
  private final Buf<Integer> one = Buf.of(new int[] {1});
  private final Buf<Integer> two = Buf.of(new int[2]);
  private final Buf<Double> half = Buf.of(new double[1]);

  private static int last(Comm world) {
    return world.size() - 1;
  }

  private static boolean isLast(Comm world) {
    return world.rank() == last(world);
  }

  /** All goes on after a mistake that all ranks have seen. */
  private static void works(Comm world) {
    int[] sum = {1};
    world.allreduce(Buf.of(sum), Op.SUM);
    assertEquals(world.size(), sum[0]);
    world.iallreduce(Buf.of(sum), Op.MAX).await();
    assertEquals(world.size(), sum[0]);
  }

  @MpiTest(ranks = {3, 4, 8})
  void otherOperation(Comm world) {
    String who = "rank " + last(world) + " has called gather";
    assertError(ErrorClass.ERR_OTHER, () -> {
      if (isLast(world)) {
        world.gather(one, null, 0);
      } else {
        world.bcast(one, 0);
      }
    }, who, "bcast");
    assertError(ErrorClass.ERR_OTHER, () -> {
      if (isLast(world)) {
        world.igather(one, null, 0).await();
      } else {
        world.ibcast(one, 0).await();
      }
    }, who, "bcast");
    assertError(ErrorClass.ERR_OTHER, () -> {
      if (isLast(world)) {
        world.gatherInit(one, null, 0, null);
      } else {
        world.bcastInit(one, 0, null);
      }
    }, who, "bcast");
    works(world);
  }

  @MpiTest(ranks = {3, 4, 8})
  void otherForm(Comm world) {
    assertError(ErrorClass.ERR_OTHER, () -> {
      if (isLast(world)) {
        world.ibarrier().await();
      } else {
        world.barrier();
      }
    }, "rank " + last(world), "nonblocking", "barrier");
    works(world);
  }

  @MpiTest(ranks = {3, 4, 8})
  void otherRoot(Comm world) {
    int root = isLast(world) ? 1 : 0;
    String who = "rank " + last(world) + " has called ";
    assertError(ErrorClass.ERR_ROOT, () -> world.bcast(one, root), who + "bcast with root = 1");
    assertError(ErrorClass.ERR_ROOT, () -> world.ireduce(one, Op.SUM, root).await(), who);
  }

  @MpiTest(ranks = {2, 3, 4, 8})
  void otherAmounts(Comm world) {
    Buf<Integer> mine = isLast(world) ? two : one;
    assertError(ErrorClass.ERR_COUNT, () -> world.bcast(mine, 0), "rank " + last(world), "bytes");
    assertError(ErrorClass.ERR_COUNT, () -> world.ibcast(mine, 0).await(), "rank " + last(world), "4", "8");
    assertError(ErrorClass.ERR_COUNT, () -> world.allreduce(mine, Op.SUM), "rank ", "4 bytes", "8 bytes");
    assertError(ErrorClass.ERR_COUNT, () -> world.scanInit(mine, Op.SUM, null), "rank ", "4 bytes", "8 bytes");
    int n = world.size();
    long[] counts = new long[n];
    long[] displs = new long[n];
    counts[0] = isLast(world) ? 1 : 0; // for rank 0, which expects nothing: no message would tell
    long[] none = new long[n];
    assertError(ErrorClass.ERR_COUNT, () -> world.alltoallv(one, counts, displs, two, none, displs),
        "rank " + last(world) + " has 4 bytes for rank 0", "0");
    works(world);
  }

  @MpiTest(ranks = {3, 4, 8})
  void otherTypesAndOps(Comm world) {
    Buf<?> mine = isLast(world) ? half : two;
    assertError(
        ErrorClass.ERR_TYPE, () -> world.bcast(mine, 0),
        "bcast: rank 0 sends 2 x INT32_T, rank " + last(world) + " receives 1 x DOUBLE");
    Buf<?> operand = isLast(world) ? Buf.of(new float[2]) : two;
    assertError(
        ErrorClass.ERR_TYPE, () -> world.allreduce(operand, Op.SUM),
        "allreduce: rank " + last(world) + " has 2 x FLOAT, rank 0 has 2 x INT32_T");
    Op<Object> op = isLast(world) ? Op.MAX : Op.SUM;
    assertError(ErrorClass.ERR_OP, () -> world.allreduce(one, op),
        "allreduce: rank " + last(world) + " has MAX, rank 0 has SUM");
    long[] counts = new long[world.size()];
    counts[isLast(world) ? 1 : 0] = 1;
    Buf<Integer> result = Buf.of(new int[(int) counts[world.rank()]]);
    assertError(
        ErrorClass.ERR_COUNT, () -> world.ireduceScatter(one, result, counts, Op.SUM).await(),
        "rank " + last(world) + " has counts of its own");
    works(world);
  }

  @MpiTest(ranks = {2, 3, 4, 8})
  void wrongArgumentsAtOneRank(Comm world) {
    Buf<Integer> mine = isLast(world) ? null : one;
    String text = isLast(world) ? "buf = null" : "rank " + last(world) + " has called bcast with wrong arguments";
    assertError(ErrorClass.ERR_BUFFER, () -> world.bcast(mine, 0), text);
    assertError(ErrorClass.ERR_BUFFER, () -> world.ibcast(mine, 0).await(), text);
    assertError(ErrorClass.ERR_BUFFER, () -> world.bcastInit(mine, 0, null), text);
    works(world);
  }

  @MpiTest(ranks = {2, 3, 4, 8})
  void betweenGroups(IntraComm world) {
    try (Halves halves = new Halves(world)) {
      InterComm inter = halves.inter;
      inter.barrier();
      Buf<Integer> recv = Buf.of(new int[inter.remoteSize()]);
      inter.allgather(one, recv);
      inter.iallgather(one, recv).await();
      int root = !halves.isUpper ? 0 : inter.rank() == 0 ? ROOT : PROC_NULL;
      inter.bcast(one, root);
      inter.ibcast(one, root).await();
      inter.reduce(one, one, Op.SUM, root);
      Buf<Integer> more = halves.isUpper ? two : one;
      assertError(ErrorClass.ERR_COUNT, () -> inter.bcast(more, root), "bytes");
      assertError(ErrorClass.ERR_COUNT, () -> inter.ibcast(more, root).await(), "bytes");
      assertError(ErrorClass.ERR_ROOT, () -> inter.bcast(one, halves.isUpper ? PROC_NULL : 0), "no rank");
      assertError(ErrorClass.ERR_ROOT, () -> inter.bcast(one, ROOT), "root = ROOT, as has rank ");
      assertError(ErrorClass.ERR_OTHER, () -> {
        if (halves.isUpper) {
          inter.barrier();
        } else {
          inter.allgather(one, recv);
        }
      }, "allgather", "barrier");
      inter.barrier();
    }
  }

  @MpiTest(ranks = {3, 4, 8})
  void neighbors(IntraComm world) {
    try (CartComm ring = world.cartCreate(new int[] {world.size()}, new boolean[] {true}, false)) {
      Buf<Integer> got = Buf.of(new int[2]);
      ring.neighborAllgather(one, got);
      ring.neighborAlltoall(two, got);
      Buf<Integer> twice = Buf.of(new int[4]);
      assertError(
          ErrorClass.ERR_COUNT, () -> ring.neighborAllgather(isLast(ring) ? two : one, isLast(ring) ? twice : got),
          "rank " + last(ring), "4 bytes", "neighborAllgather");
      long[] counts = {isLast(ring) ? 0 : 1, 1};
      long[] displs = {0, 1};
      assertError(
          ErrorClass.ERR_COUNT,
          () -> ring.ineighborAlltoallv(two, counts, displs, got, new long[] {1, 1}, displs).await(),
          "rank " + last(ring) + " has 0 bytes");
      works(ring);
    }
  }
}
