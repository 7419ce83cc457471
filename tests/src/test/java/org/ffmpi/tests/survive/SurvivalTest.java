// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.survive;

import static org.ffmpi.tests.survive.Survivable.assertFails;
import static org.ffmpi.tests.survive.Survivable.die;
import static org.ffmpi.tests.survive.Survivable.run;
import static org.ffmpi.tests.survive.Survivable.runMpi;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.ffmpi.Buf;
import org.ffmpi.CommRequest;
import org.ffmpi.Group;
import org.ffmpi.InterComm;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The effect of a death on the other ranks of a job that outlives its dead, call by call. */
class SurvivalTest {
  /** Longer than what travels with an envelope. */
  private static final int LONG = 200_000;

  /** Dies when all others are through with what they have called, which an agreement is for all at the same time. */
  private static void meetAndLose(IntraComm comm, boolean dies) {
    comm.agree(1);
    if (dies) {
      die();
    }
  }

  private static void awaitDeath(IntraComm comm, int count) {
    while (comm.getFailed().size() < count) {
      Thread.onSpinWait();
    }
  }

  @Test
  void aReceiveFromADeadRankFailsAndOthersGoOn() {
    run(3, 1, world -> {
      if (world.rank() == 2) {
        die();
      }
      int[] one = {world.rank()};
      assertFails(ErrorClass.ERR_PROC_FAILED, () -> world.recv(new int[1], 2, 7));
      assertFails(ErrorClass.ERR_PROC_FAILED, () -> world.irecv(new int[1], 2, 7).await());
      world.sendrecv(Buf.of(one), 1 - world.rank(), 1, Buf.of(new int[1]), 1 - world.rank(), 1);
    });
  }

  @Test
  void messagesSentBeforeTheDeathArrive() {
    run(2, 1, world -> {
      if (world.rank() == 1) {
        world.send(new int[] {42}, 0, 7);
        die();
      }
      awaitDeath(world, 1);
      int[] got = new int[1];
      world.recv(got, 1, 7);
      assertEquals(42, got[0]);
      assertFails(ErrorClass.ERR_PROC_FAILED, () -> world.recv(got, 1, 7));
    });
  }

  @Test
  void objectsOfADeadRankFail() {
    run(3, 1, world -> {
      if (world.rank() == 2) {
        world.sendObject("before", 0, 7);
        die();
      }
      if (world.rank() == 0) {
        assertEquals("before", world.recvObject(2, 7));
      }
      awaitDeath(world, 1);
      assertFails(ErrorClass.ERR_PROC_FAILED, () -> world.recvObject(2, 7));
      assertFails(ErrorClass.ERR_PROC_FAILED, () -> world.irecvObject(2, 7).awaitValue());
      assertFails(ErrorClass.ERR_PROC_FAILED, () -> world.recvObject(Constants.ANY_SOURCE, 7));
      assertFails(ErrorClass.ERR_PROC_FAILED, () -> world.sendObject(new double[LONG], 2, 7));
      assertFails(ErrorClass.ERR_PROC_FAILED, () -> world.allgatherObjects("x"));
      assertFails(ErrorClass.ERR_PROC_FAILED, () -> world.scanObject("x", String::concat));
      Request sending = world.isendObject(new double[LONG], 1 - world.rank(), 1);
      double[] theirs = world.recvObject(1 - world.rank(), 1);
      assertEquals(LONG, theirs.length);
      sending.await();
    });
  }

  @Test
  void sendsToADeadRankFail() {
    run(2, 1, world -> {
      if (world.rank() == 1) {
        die();
      }
      awaitDeath(world, 1);
      for (int length : new int[] {0, 1, 100, 5000, LONG}) {
        assertFails(ErrorClass.ERR_PROC_FAILED, () -> world.send(new int[length], 1, 7));
        assertFails(ErrorClass.ERR_PROC_FAILED, () -> world.isend(new int[length], 1, 7).await());
        assertFails(ErrorClass.ERR_PROC_FAILED, () -> world.ssend(Buf.of(new int[length]), 1, 7));
      }
    });
  }

  @Test
  void sendsThatWaitForADyingRankFail() {
    run(2, 1, world -> {
      if (world.rank() == 1) {
        world.recv(new int[1], 0, 1);
        die();
      }
      Request large = world.isend(new int[LONG], 1, 7);
      Request matched = world.issend(Buf.of(new int[10]), 1, 7);
      world.send(new int[1], 1, 1);
      assertFails(ErrorClass.ERR_PROC_FAILED, large::await);
      assertFails(ErrorClass.ERR_PROC_FAILED, matched::await);
    });
  }

  @Test
  void aReceiveFromAnySourceReportsAFailureAndGoesOn() {
    run(3, 1, world -> {
      if (world.rank() == 2) {
        die();
      }
      if (world.rank() == 1) {
        world.recv(new int[1], 0, 1);
        world.send(new int[] {5}, 0, 7);
        return;
      }
      int[] got = new int[1];
      Request pending = world.irecv(got, Constants.ANY_SOURCE, 7);
      assertFails(ErrorClass.ERR_PROC_FAILED_PENDING, pending::await);
      assertTrue(pending.isActive());
      assertFails(ErrorClass.ERR_PROC_FAILED_PENDING, pending::await);
      assertFails(ErrorClass.ERR_PROC_FAILED, () -> world.recv(new int[1], Constants.ANY_SOURCE, 8));
      assertFails(ErrorClass.ERR_PROC_FAILED, () -> world.probe(Constants.ANY_SOURCE, 8));
      assertEquals(1, world.ackFailed(1));
      assertFalse(pending.test());
      world.send(new int[1], 1, 1);
      Status status = new Status();
      pending.await(status);
      assertEquals(5, got[0]);
      assertEquals(1, status.source());
    });
  }

  @Test
  void persistentReceivesFromAnySourceGoOn() {
    run(3, 1, world -> {
      if (world.rank() == 2) {
        die();
      }
      if (world.rank() == 1) {
        world.recv(new int[1], 0, 1);
        world.send(new int[] {5}, 0, 7);
        return;
      }
      int[] got = new int[1];
      Persistent receive = world.recvInit(Buf.of(got), Constants.ANY_SOURCE, 7);
      receive.start();
      assertFails(ErrorClass.ERR_PROC_FAILED_PENDING, receive::await);
      world.ackFailed(1);
      world.send(new int[1], 1, 1);
      receive.await();
      assertEquals(5, got[0]);
      receive.close();
    });
  }

  @Test
  void aMessageForAnySourceIsReceivedThoughAnotherRankHasFailed() {
    run(3, 1, world -> {
      if (world.rank() == 2) {
        die();
      }
      awaitDeath(world, 1);
      if (world.rank() == 1) {
        world.send(new int[] {5}, 0, 7);
      } else {
        world.probe(1, 7);
        world.recv(new int[1], Constants.ANY_SOURCE, 7);
      }
    });
  }

  @Test
  void collectivesFailAtEveryRankInRegionsAndByMessages() {
    for (String after : new String[] {"-1", "1"}) {
      run(4, 1, Map.of("ffmpi.coll.region.after", after), world -> {
        int[] data = new int[100];
        for (int i = 0; i < 20; i++) {
          world.allreduce(Buf.of(data), Op.SUM);
        }
        meetAndLose(world, world.rank() == 3);
        assertFails(ErrorClass.ERR_PROC_FAILED, () -> {
          while (true) {
            world.allreduce(Buf.of(data), Op.SUM);
          }
        });
        assertFails(ErrorClass.ERR_PROC_FAILED, world::barrier);
        assertFails(ErrorClass.ERR_PROC_FAILED, () -> world.bcast(Buf.of(data), 0));
        assertFails(ErrorClass.ERR_PROC_FAILED, () -> world.ibarrier().await());
        assertFails(ErrorClass.ERR_PROC_FAILED, () -> world.split(0, 0));
        assertFails(ErrorClass.ERR_PROC_FAILED, world::dup);
      });
    }
  }

  @Test
  void aRankThatLeavesACollectiveForAFailureLeavesNobodyWaiting() {
    for (String after : new String[] {"-1", "1"}) {
      run(5, 1, Map.of("ffmpi.coll.region.after", after), world -> {
        for (int i = 0; i < 3; i++) {
          world.barrier();
        }
        meetAndLose(world, world.rank() == 4);
        if (world.rank() == 0) {
          awaitDeath(world, 1); // and so does not even begin
        }
        int[] data = new int[LONG];
        assertFails(ErrorClass.ERR_PROC_FAILED, () -> {
          world.bcast(Buf.of(data), 0);
          world.barrier();
        });
      });
    }
  }

  @Test
  void revokingEndsWhatIsPendingEverywhere() {
    run(4, 0, world -> {
      IntraComm comm = world.dup();
      switch (world.rank()) {
        case 0 -> {
          Thread.sleep(20);
          comm.revoke();
        }
        case 1 -> assertFails(ErrorClass.ERR_REVOKED, () -> comm.recv(new int[1], 0, 7));
        case 2 -> assertFails(ErrorClass.ERR_REVOKED, () -> comm.send(new int[LONG], 0, 7));
        default -> assertFails(ErrorClass.ERR_REVOKED, comm::barrier);
      }
      assertTrue(comm.isRevoked());
      assertFails(ErrorClass.ERR_REVOKED, () -> comm.send(new int[1], 0, 7));
      assertFails(ErrorClass.ERR_REVOKED, () -> comm.recv(new int[1], 0, 7));
      assertFails(ErrorClass.ERR_REVOKED, () -> comm.iprobe(0, 7));
      assertFails(ErrorClass.ERR_REVOKED, comm::barrier);
      assertFails(ErrorClass.ERR_REVOKED, comm::dup);
      assertEquals(0b100, comm.agree(0b100 | 1 << (3 + comm.rank())));
      IntraComm same = comm.shrink();
      assertEquals(4, same.size());
      same.barrier();
      assertFalse(world.isRevoked());
      world.barrier();
      comm.close();
      same.close();
    });
  }

  @Test
  void oneRankMayRevokeBeforeAnotherHasTheCommunicator() {
    run(3, 0, world -> {
      CommRequest<? extends IntraComm> making = world.idup();
      making.await();
      if (world.rank() == 0) {
        making.comm().revoke();
      }
      world.barrier();
      assertTrue(making.comm().isRevoked());
      assertFails(ErrorClass.ERR_REVOKED, () -> making.comm().barrier());
    });
  }

  @Test
  void shrinkingLeavesTheSurvivorsInOrder() {
    run(6, 2, world -> {
      if (world.rank() == 1 || world.rank() == 4) {
        die();
      }
      awaitDeath(world, 2);
      IntraComm left = world.shrink();
      assertEquals(4, left.size());
      int[] ranks = new int[4];
      left.allgather(Buf.of(new int[] {world.rank()}), Buf.of(ranks));
      assertArrayEquals(new int[] {0, 2, 3, 5}, ranks);
      assertEquals(0, left.getFailed().size());
      left.close();
    });
  }

  @Test
  void shrinkingGoesOnWhileRanksDie() {
    run(6, 3, world -> {
      IntraComm comm = world;
      while (comm.size() > 3) {
        if (world.rank() == comm.size() - 1) {
          die();
        }
        CommRequest<? extends IntraComm> shrinking = comm.ishrink();
        shrinking.await();
        IntraComm left = shrinking.comm();
        int[] sum = {1};
        try {
          left.allreduce(Buf.of(sum), Op.SUM);
          if (left.agree(1) == 1) {
            assertEquals(left.size(), sum[0]);
          }
        } catch (org.ffmpi.base.MpiException e) {
          assertEquals(ErrorClass.ERR_PROC_FAILED, e.errorClass());
          left.revoke();
        }
        comm = left;
      }
    });
  }

  @Test
  void agreementIsTheSameForAllAndReportsFailuresUntilAllHaveAcknowledged() {
    run(4, 1, world -> {
      assertEquals(0b1000, world.agree(0b1000 | 1 << world.rank() & 7));
      if (world.rank() == 3) {
        die();
      }
      assertFails(ErrorClass.ERR_PROC_FAILED, () -> world.agree(-1));
      if (world.rank() != 0) {
        assertEquals(1, world.ackFailed(5));
      }
      int[] flag = {world.rank() == 1 ? 6 : 3};
      assertFails(ErrorClass.ERR_PROC_FAILED, () -> world.iagree(flag).await()); // rank 0 has not acknowledged
      assertEquals(2, flag[0]);
      world.ackFailed(1);
      assertEquals(-1, world.agree(-1));
      List<Request> several = new ArrayList<>();
      int[][] flags = new int[20][1];
      for (int i = 0; i < flags.length; i++) {
        flags[i][0] = i;
        several.add(world.iagree(flags[i]));
      }
      for (int i = 0; i < flags.length; i++) {
        several.get(i).await();
        assertEquals(i, flags[i][0]);
      }
    });
  }

  @Test
  void theFailedAreAGroupInAnOrderThatAllShare() {
    run(5, 2, world -> {
      if (world.rank() % 2 == 1) {
        die();
      }
      awaitDeath(world, 2);
      Group failed = world.getFailed();
      int[] ranks = failed.translateRanks(new int[] {0, 1}, world.group());
      assertArrayEquals(new int[] {1, 3}, Arrays.stream(ranks).sorted().toArray());
      assertEquals(ranks[0] << 3 | ranks[1], sharedOrder(world, ranks[0] << 3 | ranks[1]));
      assertFails(ErrorClass.ERR_ARG, () -> world.ackFailed(-1));
      assertEquals(0, world.ackFailed(0));
      assertEquals(2, world.ackFailed(2));
      assertEquals(2, world.ackFailed(1));
    });
  }

  private static int sharedOrder(IntraComm world, int mine) {
    IntraComm left = world.shrink();
    int[] shared = {mine};
    left.bcast(Buf.of(shared), 0);
    left.close();
    return shared[0];
  }

  @Test
  void communicatorsBetweenGroupsShrinkOnBothSides() {
    run(6, 2, world -> {
      int side = world.rank() / 3;
      IntraComm half = world.split(side, 0);
      InterComm between = half.intercomm(0, world, 3 * (1 - side), 5);
      meetAndLose(world, half.rank() == 2);
      awaitDeath(world, 2);
      assertFails(ErrorClass.ERR_PROC_FAILED, between::barrier);
      InterComm left = between.shrink();
      assertEquals(2, left.size());
      assertEquals(2, left.remoteSize());
      left.barrier();
      assertFails(ErrorClass.ERR_PROC_FAILED, () -> between.agree(1));
      assertEquals(1, left.agree(1));
      left.close();
    });
  }

  @Test
  void ranksThatShareNoMemberWithTheDeadGoOn() {
    run(4, 1, world -> {
      IntraComm half = world.split(world.rank() / 2, 0);
      meetAndLose(world, world.rank() == 3);
      awaitDeath(world, 1);
      if (world.rank() < 2) {
        for (int i = 0; i < 50; i++) {
          half.barrier();
        }
        half.close();
      }
    });
  }

  @Test
  void communicatorsOfOneSplitHaveNothingToDoWithEachOther() {
    run(4, 0, world -> {
      IntraComm half = world.split(world.rank() / 2, 0);
      IntraComm self = world.split(world.rank(), 0);
      assertEquals(world.rank(), self.agree(world.rank()));
      assertEquals(world.rank() / 2, half.agree(world.rank() / 2));
      if (world.rank() == 0) {
        half.revoke();
        self.revoke();
      }
      world.barrier();
      assertEquals(world.rank() < 2, half.isRevoked());
      assertEquals(world.rank() == 0, self.isRevoked());
      assertEquals(1, self.shrink().size());
      assertEquals(2, half.shrink().size());
    });
  }

  @Test
  void withoutTheSettingTheCallsSayWhatIsMissing() {
    Mpi.runThreads(2, Map.of("ffmpi.errors", "return"), mpi -> {
      IntraComm world = mpi.world();
      assertFails(ErrorClass.ERR_UNSUPPORTED_OPERATION, world::revoke);
      assertFails(ErrorClass.ERR_UNSUPPORTED_OPERATION, world::shrink);
      assertFails(ErrorClass.ERR_UNSUPPORTED_OPERATION, () -> world.agree(1));
      assertFails(ErrorClass.ERR_UNSUPPORTED_OPERATION, world::getFailed);
    });
  }

  @Test
  @DisplayName("regions that a dead rank has not left are used again")
  void regionsOfTheDeadAreGivenBack() {
    Map<String, String> settings = Map.of("ffmpi.shm.limit", "12000000", "ffmpi.coll.region.after", "1");
    runMpi(4, 1, settings, mpi -> {
      IntraComm world = mpi.world();
      useRegions(world, 20);
      meetAndLose(world, world.rank() == 3);
      awaitDeath(world, 1);
      IntraComm left = world.shrink();
      useRegions(left, 20);
      if (left.rank() == 0) {
        mpi.shared().allocate(3_000_000); // there is no room for that if the first regions are still there
      }
      left.agree(1);
    });
  }

  private static void useRegions(IntraComm comm, int count) {
    List<IntraComm> copies = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      copies.add(comm.dup());
      copies.getLast().barrier();
      copies.getLast().barrier();
    }
    comm.agree(1);
    copies.forEach(IntraComm::close);
  }

  @Test
  @DisplayName("memory does not grow with agreements, nor with communicators that are shrunk and closed")
  void agreementsUseTheirMemoryAgain() {
    run(3, 0, Map.of("ffmpi.shm.limit", "4000000"), world -> {
      for (int i = 0; i < 2_000; i++) {
        IntraComm same = world.shrink();
        assertEquals(3, same.agree(3));
        same.close();
      }
    });
  }
}
