// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.comms;

import static org.ffmpi.base.Constants.ANY_SOURCE;
import static org.ffmpi.base.Constants.ANY_TAG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.ffmpi.Buf;
import org.ffmpi.Errhandler;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Request;
import org.ffmpi.Session;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.Data;
import org.ffmpi.tests.support.EveryTransport;
import org.ffmpi.tests.support.Seeds;

/** Sessions know nothing of each other: their messages, their communicators, their ends. */
class SessionsApartTest {
  private static final String TAG = "sessions apart";

  private final long seed = Seeds.next();

  /** Messages of the world are under way while sessions end: nobody waits for those. */
  @EveryTransport
  @MpiTest(ranks = {1, 2, 3, 4})
  void theEndOfASessionWaitsForNobodyElse(Mpi mpi) {
    IntraComm world = mpi.world();
    int next = (world.rank() + 1) % world.size();
    int previous = (world.rank() + world.size() - 1) % world.size();
    try (Session other = Session.init(null, Errhandler.RETURN)) {
      IntraComm theirs = all(other);
      Request sync = world.issend(Buf.of(new int[] {1}), next, 1);
      Request large = theirs.isend(Data.bytes(2, 300_000), next, 2);
      for (int i = 0; i < 3; i++) {
        try (Session session = Session.init(null, Errhandler.RETURN)) {
          IntraComm comm = all(session);
          comm.barrier();
          comm.close();
        }
      }
      int[] one = new int[1];
      world.recv(one, previous, 1);
      assertEquals(1, one[0]);
      byte[] received = new byte[300_000];
      theirs.recv(received, previous, 2);
      Data.check(received, 0, 2, 300_000);
      sync.await();
      large.await();
      theirs.close();
    }
  }

  /** Receives with both wildcards stand in each of them while trees grow on the others. */
  @EveryTransport
  @MpiTest(ranks = {1, 2, 3, 4}, timeout = 180)
  void treesGrowOnSessions(Mpi mpi) {
    IntraComm world = mpi.world();
    int next = (world.rank() + 1) % world.size();
    try (Session one = Session.init(null, Errhandler.RETURN);
        Session two = Session.init(null, Errhandler.RETURN);
        IntraComm ones = all(one);
        IntraComm twos = all(two)) {
      int[] data = new int[2];
      Request inWorld = world.irecv(new int[1], ANY_SOURCE, ANY_TAG);
      Request inOne = ones.irecv(data, ANY_SOURCE, ANY_TAG);
      try (IntraComm self = IntraComm.createFromGroup(two.group(Session.SELF), TAG, null, Errhandler.RETURN)) {
        Seeds.run(seed, () -> RandomTreesTest.grow(twos, self, seed, 8));
      }
      assertFalse(inWorld.test());
      assertFalse(inOne.test());
      twos.barrier();
      ones.send(new int[] {3, 4}, next, 0);
      inOne.await();
      assertEquals(4, data[1]);
      assertFalse(inWorld.test());
      ones.barrier();
      world.send(new int[1], next, 0);
      inWorld.await();
    }
  }

  /** Sessions one after the other, each with communicators of its own. */
  @MpiTest(ranks = {1, 2, 4})
  void manySessions(Mpi mpi) {
    for (int i = 0; i < 300; i++) {
      try (Session session = Session.init(null, Errhandler.RETURN); IntraComm comm = all(session)) {
        int[] sum = {i};
        comm.allreduce(Buf.of(sum), Op.SUM);
        assertEquals(i * comm.size(), sum[0]);
      }
    }
    mpi.world().barrier();
  }

  private static IntraComm all(Session session) {
    return IntraComm.createFromGroup(session.group(Session.WORLD), TAG, null, Errhandler.RETURN);
  }
}
