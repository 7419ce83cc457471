// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.collectives;

import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.CommRequest;
import org.ffmpi.InterComm;
import org.ffmpi.IntraComm;
import org.ffmpi.Op;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.testkit.MpiVariant;
import org.junit.jupiter.api.function.Executable;

/**
 * Collective calls whose arguments one rank refuses, with and without {@code ffmpi.check=full}: it does so at once, and
 * where everything is checked the ranks that have made the same call get to know.
 */
class RefusedCallsTest {
  private static final int TAG = 5;

  private final Buf<Integer> one = Buf.of(new int[1]);

  private static int last(Comm comm) {
    return comm.size() - 1;
  }

  private static boolean isLast(Comm comm) {
    return comm.rank() == last(comm);
  }

  private static void works(IntraComm world) {
    for (int i = 0; i < 6; i++) {
      int[] sum = {1};
      Request later = world.ibarrier();
      world.allreduce(Buf.of(sum), Op.SUM);
      assertEquals(world.size(), sum[0]);
      later.await();
    }
  }

  /** All calls that the last rank refuses, in all forms. */
  private List<Executable> refused(IntraComm world) {
    Buf<Integer> odd = Buf.of(new int[world.size() + 1]);
    return List.of(
        () -> world.bcast(null, 0), () -> world.ibcast(one, -7), () -> world.bcastInit(one, world.size(), null),
        () -> world.gather(null, 0), () -> world.allgather(one, odd), () -> world.ialltoall(odd, odd),
        () -> world.allreduce(one, null), () -> world.iscan(one, null), () -> world.reduceInit(one, null, 0, null));
  }

  @CheckedOrNot
  @MpiTest(ranks = {1, 2, 3, 4})
  void oneRankAloneRefusesAndGoesOn(IntraComm world) {
    for (Executable call : refused(world)) {
      if (isLast(world)) {
        assertThrows(MpiException.class, call);
      }
      world.barrier();
    }
    works(world);
  }

  /** Some more often than others, and nonblocking calls pending meanwhile. */
  @CheckedOrNot
  @MpiTest(ranks = {2, 3, 4})
  void manyRefusalsAtSomeRanks(IntraComm world) {
    List<Request> pending = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      pending.add(world.ibarrier());
      for (int k = 0; k < world.rank() * i; k++) {
        assertError(ErrorClass.ERR_ROOT, () -> world.bcast(one, -1), "root");
        assertError(ErrorClass.ERR_ROOT, () -> world.igather(one, -1), "root");
      }
      int[] sum = {i};
      pending.add(world.iallreduce(Buf.of(sum), Op.SUM));
      if (i % 7 == 3) {
        Request.waitAll(pending);
        pending.clear();
        assertEquals(i * world.size(), sum[0]);
      }
    }
    Request.waitAll(pending);
    works(world);
  }

  /** The last rank has its error before any other rank has called. */
  @MpiVariant(name = "checked", settings = "ffmpi.check=full")
  @MpiTest(ranks = {2, 3, 4, 8})
  void theOthersThatCallTheSameGetAnError(IntraComm world) {
    String who = "rank " + last(world) + " has called bcast with wrong arguments";
    List<Executable> calls =
        List.of(() -> world.bcast(one, isLast(world) ? -1 : 0), () -> world.ibcast(one, isLast(world) ? -1 : 0).await(),
            () -> world.bcastInit(one, isLast(world) ? -1 : 0, null));
    for (Executable call : calls) {
      if (isLast(world)) {
        assertError(ErrorClass.ERR_ROOT, call, "root = -1");
        for (int r = 0; r < last(world); r++) {
          world.send(new int[1], r, TAG);
        }
        for (int r = 0; r < last(world); r++) {
          world.recv(new int[1], r, TAG); // sent after the error there
        }
      } else {
        world.recv(new int[1], last(world), TAG);
        assertError(ErrorClass.ERR_ROOT, call, who);
        world.send(new int[1], last(world), TAG);
      }
    }
    works(world);
  }

  /** A program that tries the call again at one rank alone is told so, and does not hang. */
  @MpiVariant(name = "checked", settings = "ffmpi.check=full")
  @MpiTest(ranks = {2, 3, 4})
  void aRankThatCallsAgainIsOneCallBehind(IntraComm world) {
    if (isLast(world)) {
      assertError(ErrorClass.ERR_ROOT, () -> world.bcast(one, -1), "root = -1");
      assertError(ErrorClass.ERR_OTHER, () -> world.bcast(one, 0), "has called bcast", "barrier");
    } else {
      assertError(ErrorClass.ERR_ROOT, () -> world.bcast(one, 0), "rank " + last(world), "wrong arguments");
      assertError(ErrorClass.ERR_OTHER, world::barrier, "has called bcast", "barrier");
    }
    works(world);
  }

  @MpiVariant(name = "checked", settings = "ffmpi.check=full")
  @MpiTest(ranks = {3, 4})
  void ranksThatDifferBesidesARefusal(IntraComm world) {
    int me = world.rank();
    assertError(ErrorClass.ERR_ROOT, () -> {
      if (me == 0) {
        world.bcast(one, -1);
      } else if (me == 1) {
        world.barrier();
      } else {
        world.bcast(one, 0);
      }
    }, me == 0 ? "root = -1" : "rank 0 has called bcast with wrong arguments");
    works(world);
  }

  /** The last rank ends without another call: the others do not wait for it. */
  @MpiVariant(name = "checked", settings = "ffmpi.check=full")
  @MpiTest(ranks = {2, 3})
  void theOneThatRefusesEnds(IntraComm world) {
    if (isLast(world)) {
      assertError(ErrorClass.ERR_ROOT, () -> world.bcast(one, -1), "root = -1");
    } else {
      assertError(ErrorClass.ERR_ROOT, () -> world.bcast(one, 0), "rank " + last(world));
    }
  }

  @MpiVariant(name = "checked", settings = "ffmpi.check=full")
  @MpiTest(ranks = 3, processes = true)
  void inProcesses(IntraComm world) {
    if (isLast(world)) {
      assertError(ErrorClass.ERR_ROOT, () -> world.gather(one, -1), "root = -1");
    }
    works(world);
    theOthersThatCallTheSameGetAnError(world);
  }

  @CheckedOrNot
  @MpiTest(ranks = {2, 3, 4})
  void betweenGroups(IntraComm world) {
    boolean isLow = world.rank() == 0;
    try (IntraComm part = world.split(isLow ? 0 : 1, 0);
        InterComm inter = part.intercomm(0, world, isLow ? 1 : 0, TAG)) {
      for (int i = 0; i < 5; i++) {
        if (isLast(world)) {
          assertError(ErrorClass.ERR_ROOT, () -> inter.bcast(one, 99), "root = 99");
        }
        Request later = inter.ibarrier();
        int[] sum = {1};
        inter.allreduce(Buf.of(new int[] {1}), Buf.of(sum), Op.SUM);
        assertEquals(inter.remoteSize(), sum[0]);
        later.await();
      }
    }
  }

  /** Communicators that are made while compared calls wait for slow ranks. */
  @CheckedOrNot
  @MpiTest(ranks = {2, 3, 4})
  void communicatorsMadeMeanwhile(IntraComm world) throws InterruptedException {
    List<Request> pending = new ArrayList<>();
    List<int[]> sums = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      if (i % 10 == world.rank()) {
        Thread.sleep(5);
      }
      int[] sum = {i};
      sums.add(sum);
      pending.add(world.iallreduce(Buf.of(sum), Op.SUM));
      if (i % 3 == 0) {
        CommRequest<? extends IntraComm> copy = world.idup();
        pending.add(world.ibarrier());
        copy.await();
        IntraComm made = copy.comm();
        made.barrier();
        made.close();
      } else if (i % 3 == 1) {
        world.split(i, world.rank()).close();
      } else {
        Persistent persistent = world.barrierInit(null);
        persistent.start();
        persistent.await();
        persistent.close();
      }
    }
    Request.waitAll(pending);
    for (int i = 0; i < sums.size(); i++) {
      assertEquals(i * world.size(), sums.get(i)[0]);
    }
  }

  /** The others never hear of what one rank has refused while communicators are made and closed. */
  @CheckedOrNot
  @MpiTest(ranks = {2, 3, 4})
  void communicatorsMadeAndClosedAfterARefusal(IntraComm world) {
    for (int i = 0; i < 70; i++) { // more than there are contexts in a block
      if (isLast(world)) {
        assertError(ErrorClass.ERR_ROOT, () -> world.bcast(one, -1), "root");
      }
      CommRequest<? extends IntraComm> copy = world.idup();
      copy.await();
      IntraComm made = i % 2 == 0 ? copy.comm() : copy.comm().split(0, 0);
      if (isLast(world)) {
        assertError(ErrorClass.ERR_ROOT, () -> made.bcast(one, -1), "root");
      }
      if (i % 3 == 0) {
        made.barrier();
      }
      if (i % 7 == 0) {
        IntraComm other = made.dup(); // so that the rank looks for what the others have called
        other.close();
        made.disconnect();
      } else {
        made.close();
      }
    }
    works(world);
  }

  /** Calls that wait for slow ranks when their communicator is closed. */
  @CheckedOrNot
  @MpiTest(ranks = {2, 3, 4})
  void closedWithCallsUnderWay(IntraComm world) throws InterruptedException {
    for (int late = 0; late < world.size(); late++) {
      IntraComm comm = world.dup();
      for (int i = 0; i < 6; i++) {
        comm.barrier(); // until there is a region
      }
      if (world.rank() == late) {
        Thread.sleep(5);
      }
      int[] sum = {1};
      int[] longer = new int[30_000];
      Request first = comm.iallreduce(Buf.of(sum), Op.SUM);
      Request second = comm.ibcast(Buf.of(longer), 0);
      comm.close();
      second.await();
      first.await();
      assertEquals(world.size(), sum[0]);
    }
  }
}
