// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.comms;

import static org.ffmpi.base.Constants.ANY_SOURCE;
import static org.ffmpi.base.Constants.ANY_TAG;
import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Request;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.EveryTransport;

/** Communicators some of whose members have finalized, and those without such members. */
class StarvedCommsTest {
  /** Ranks 0 and 1 have a communicator of their own, which 1 leaves; all others go on, with rank 0. */
  @EveryTransport
  @MpiTest(ranks = {3, 4, 8})
  void whereAllOthersHaveGoneAReceiveFromAnySourceGoesOn(Mpi mpi) {
    IntraComm world = mpi.world();
    IntraComm pair = world.split(world.rank() / 2 == 0 ? 0 : 1, world.rank());
    IntraComm rest = world.split(world.rank() == 1 ? 1 : 0, world.rank());
    if (world.rank() == 1) {
      pair.send(new int[] {11}, 0, 1);
      mpi.close();
      return;
    }
    if (world.rank() == 0) {
      int[] data = new int[1];
      pair.recv(data, ANY_SOURCE, ANY_TAG); // what it sent before it left
      assertEquals(11, data[0]);
      assertError(ErrorClass.ERR_PROC_ABORTED, () -> pair.recv(data, 1, 5), "rank 1", "finalized");
      assertError(ErrorClass.ERR_PROC_ABORTED, () -> pair.ssend(Buf.of(data), 1, 5), "rank 1", "finalized");
      int[] own = new int[1];
      Request any = pair.irecv(own, ANY_SOURCE, ANY_TAG);
      assertFalse(any.test(), "this rank may still send");
      pair.send(new int[] {44}, 0, 7);
      any.await();
      assertEquals(44, own[0]);
      // Others can still send on the world.
      Request open = world.irecv(data, ANY_SOURCE, 3);
      rest.barrier();
      open.await();
      assertEquals(22, data[0]);
    } else {
      rest.barrier();
      if (world.rank() == 2) {
        world.send(new int[] {22}, 0, 3);
      }
    }
    goOn(rest);
  }

  /** One that waits while another member is still there gets that one's message, however late. */
  @EveryTransport
  @MpiTest(ranks = {3, 4})
  void aReceiveFromAnySourceWaitsForWhoIsLeft(Mpi mpi) {
    IntraComm world = mpi.world();
    IntraComm three = world.split(world.rank() < 3 ? 0 : 1, -world.rank());
    IntraComm others = world.split(world.rank() == 1 ? 1 : 0, 0);
    switch (world.rank()) {
      case 0 -> {
        int[] data = new int[1];
        Request any = three.irecv(data, ANY_SOURCE, ANY_TAG);
        assertError(ErrorClass.ERR_PROC_ABORTED, () -> three.recv(new int[1], three.size() - 2, 9), "rank 1");
        assertFalse(any.test(), "rank 2 may still send");
        others.barrier();
        any.await();
        assertEquals(33, data[0]);
        others.barrier();
      }
      case 1 -> mpi.close();
      default -> {
        others.barrier();
        if (world.rank() == 2) {
          three.send(new int[] {33}, 2, 4);
        }
        others.barrier();
      }
    }
  }

  /** Communicators are still made among those who are left, and out of those that have lost members. */
  @EveryTransport
  @MpiTest(ranks = {3, 4, 8})
  void whoIsLeftMakesNewCommunicators(Mpi mpi) {
    IntraComm world = mpi.world();
    IntraComm rest = world.split(world.rank() == 0 ? 1 : 0, 0);
    if (world.rank() == 0) {
      mpi.close();
      return;
    }
    assertError(ErrorClass.ERR_PROC_ABORTED, () -> world.recv(new int[1], 0, 9), "rank 0", "finalized");
    try (IntraComm twin = rest.dup();
        IntraComm part = twin.split(twin.rank() % 2, 0);
        IntraComm left = world.createGroup(world.group().excl(0), 1);
        IntraComm fromGroup = IntraComm.createFromGroup(left.group(), "left", null, left.errhandler())) {
      goOn(twin);
      goOn(part);
      goOn(left);
      goOn(fromGroup);
    }
  }

  /** A collective call in which a member that has gone would have to take part ends with an error. */
  @EveryTransport
  @MpiTest(ranks = {2, 3})
  void collectivesWithSomebodyWhoHasGoneFail(Mpi mpi) {
    IntraComm world = mpi.world();
    IntraComm twin = world.dup();
    if (world.rank() == world.size() - 1) {
      mpi.close();
      return;
    }
    if (world.size() == 2) {
      assertError(ErrorClass.ERR_PROC_ABORTED, twin::barrier, "finalized");
      assertError(ErrorClass.ERR_PROC_ABORTED, () -> twin.split(0, 0), "finalized");
    } else {
      assertError(ErrorClass.ERR_PROC_ABORTED, () -> twin.recv(new int[1], 2, 9), "rank 2", "finalized");
    }
  }

  private static void goOn(IntraComm comm) {
    long[] sum = {comm.rank()};
    comm.allreduce(Buf.of(sum), Op.SUM);
    assertEquals(comm.size() * (comm.size() - 1L) / 2, sum[0]);
  }
}
