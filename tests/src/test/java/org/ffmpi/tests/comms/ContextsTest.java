// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.comms;

import static org.ffmpi.base.Constants.ANY_SOURCE;
import static org.ffmpi.base.Constants.ANY_TAG;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.ffmpi.Buf;
import org.ffmpi.CommRequest;
import org.ffmpi.Errhandler;
import org.ffmpi.Group;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.PartitionedRecv;
import org.ffmpi.PartitionedSend;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.EveryTransport;

/** Messages of one communicator meet no others: not its parent's, its child's or its twin's, and not the library's. */
class ContextsTest {
  /** Every way of making a communicator out of another one that has the same ranks. */
  private static final List<UnaryOperator<IntraComm>> WAYS = List.of(
      IntraComm::dup,
      comm -> {
        CommRequest<? extends IntraComm> request = comm.idup();
        request.await();
        return request.comm();
      },
      comm -> comm.split(0, comm.rank()),
      comm -> comm.create(comm.group()),
      comm -> comm.createGroup(comm.group(), 0),
      comm -> IntraComm.createFromGroup(comm.group(), "contexts", null, Errhandler.RETURN));

  /** One receive with both wildcards stands in each communicator while others are made, used and freed. */
  @EveryTransport
  @MpiTest(ranks = {1, 2, 3, 4, 8})
  void whatTheLibrarySendsIsNoMessageOfTheProgram(IntraComm world) {
    int next = (world.rank() + 1) % world.size();
    int previous = (world.rank() + world.size() - 1) % world.size();
    List<IntraComm> comms = new ArrayList<>(List.of(world));
    List<int[]> data = new ArrayList<>();
    List<Request> receives = new ArrayList<>();
    for (UnaryOperator<IntraComm> way : WAYS) {
      IntraComm latest = comms.getLast();
      int[] room = {-1};
      data.add(room);
      receives.add(latest.irecv(room, ANY_SOURCE, ANY_TAG));
      comms.add(way.apply(latest));
    }
    for (int i = 0; i < receives.size(); i++) {
      IntraComm comm = comms.get(i);
      for (UnaryOperator<IntraComm> way : WAYS) {
        try (IntraComm made = way.apply(comm)) {
          made.barrier();
        }
      }
      int[] sum = {world.rank()};
      comm.allreduce(Buf.of(sum), Op.SUM);
      assertEquals(world.size() * (world.size() - 1) / 2, sum[0]);
      assertFalse(receives.get(i).test(), "nothing has been sent");
    }
    world.barrier();
    for (int i = receives.size() - 1; i >= 0; i--) {
      Status status = new Status();
      comms.get(i).send(new int[] {1_000 * i + world.rank()}, next, i);
      receives.get(i).await(status);
      assertEquals(1_000 * i + previous, data.get(i)[0]);
      assertEquals(i, status.tag());
    }
    for (IntraComm comm : comms) {
      world.barrier();
      assertTrue(comm.iprobe(ANY_SOURCE, ANY_TAG).isEmpty());
    }
    comms.subList(1, comms.size()).forEach(IntraComm::close);
  }

  /** The same ranks, tags and lengths on many twins: the receives are posted in another order than the sends. */
  @EveryTransport
  @MpiTest(ranks = {1, 2, 3, 4})
  void twinsShareNothing(IntraComm world) {
    int twins = 40;
    int next = (world.rank() + 1) % world.size();
    List<IntraComm> comms = new ArrayList<>();
    for (int i = 0; i < twins; i++) {
      comms.add(WAYS.get(i % WAYS.size()).apply(i % 3 == 0 || comms.isEmpty() ? world : comms.get(i / 2)));
    }
    List<Request> requests = new ArrayList<>();
    int[][] received = new int[twins][1];
    for (int i = 0; i < twins; i++) {
      requests.add(comms.get(i).isend(new int[] {i}, next, 1));
    }
    for (int i = twins - 1; i >= 0; i--) {
      requests.add(comms.get(i).irecv(received[i], ANY_SOURCE, ANY_TAG));
    }
    Request.waitAll(requests);
    for (int i = 0; i < twins; i++) {
      assertEquals(i, received[i][0]);
      comms.get(i).close();
    }
  }

  /** Collectives on parent and child are under way at once, started in different orders at the ranks. */
  @EveryTransport
  @MpiTest(ranks = {2, 3, 4, 8})
  void collectivesOfDifferentCommunicatorsMayBeStartedInAnyOrder(IntraComm world) {
    try (IntraComm twin = world.dup(); IntraComm reversed = world.split(0, -world.rank())) {
      assertEquals(world.size() - 1 - world.rank(), reversed.rank());
      for (int round = 0; round < 30; round++) {
        List<IntraComm> comms = List.of(world, twin, reversed);
        long[][] sums = new long[3][1];
        int[][] roots = new int[3][1];
        Request[] requests = new Request[6];
        for (int k = 0; k < 3; k++) {
          int c = (k + world.rank() + round) % 3;
          sums[c][0] = (c + 1) * (world.rank() + 1L);
          roots[c][0] = world.rank() * 10 + c;
          requests[c] = comms.get(c).iallreduce(Buf.of(sums[c]), Op.SUM);
          requests[c + 3] = comms.get(c).ibcast(Buf.of(roots[c]), 0);
        }
        Request.waitAll(List.of(requests));
        for (int c = 0; c < 3; c++) {
          assertEquals((c + 1) * (world.size() * (world.size() + 1L) / 2), sums[c][0]);
          assertEquals((c == 2 ? world.size() - 1 : 0) * 10 + c, roots[c][0]);
        }
      }
    }
  }

  /** A message that nobody has received when its communicator is freed turns up nowhere else. */
  @EveryTransport
  @MpiTest(ranks = {2, 3, 4})
  void whatAFreedCommunicatorLeavesUnreceivedGoesNowhere(IntraComm world) {
    int next = (world.rank() + 1) % world.size();
    for (int i = 0; i < 20; i++) {
      for (UnaryOperator<IntraComm> way : WAYS) {
        try (IntraComm left = way.apply(world)) {
          left.send(new int[] {i}, next, i);
        }
      }
      world.barrier();
      for (UnaryOperator<IntraComm> way : WAYS) {
        try (IntraComm fresh = way.apply(world)) {
          assertTrue(fresh.iprobe(ANY_SOURCE, ANY_TAG).isEmpty());
        }
      }
      assertTrue(world.iprobe(ANY_SOURCE, ANY_TAG).isEmpty());
    }
  }

  /** The set-up of partitioned messages has contexts of its own in each communicator, and tags that others use too. */
  @EveryTransport
  @MpiTest(ranks = {1, 2, 3, 4})
  void partitionedMessagesStayInTheirCommunicator(IntraComm world) {
    int next = (world.rank() + 1) % world.size();
    int previous = (world.rank() + world.size() - 1) % world.size();
    try (IntraComm twin = world.dup()) {
      int[] one = {1, 2, 3, 4};
      int[] two = {5, 6, 7, 8};
      int[] first = new int[4];
      int[] second = new int[4];
      Request plain = twin.irecv(new int[1], ANY_SOURCE, ANY_TAG);
      try (PartitionedRecv b = twin.precvInit(Buf.of(second), 2, previous, 0);
          PartitionedRecv a = world.precvInit(Buf.of(first), 2, previous, 0);
          PartitionedSend c = world.psendInit(Buf.of(one), 4, next, 0);
          PartitionedSend d = twin.psendInit(Buf.of(two), 1, next, 0)) {
        Persistent.startAll(List.of(a, b, c, d));
        d.pready(0);
        for (int p = 3; p >= 0; p--) {
          c.pready(p);
        }
        Request.waitAll(List.of(a, b, c, d));
      }
      assertArrayEquals(one, first);
      assertArrayEquals(two, second);
      assertFalse(plain.test());
      world.barrier();
      twin.send(new int[1], next, 0);
      plain.await();
    }
  }

  /** A group's members agree among themselves, whatever the others of the parent do meanwhile. */
  @EveryTransport
  @MpiTest(ranks = {2, 3, 4, 8})
  void overlappingGroupsAreMadeWithoutTheOthers(Mpi mpi) {
    IntraComm world = mpi.world();
    Group all = world.group();
    // Pairs (0,1), (1,2), (2,3) and so on, the second rank first: each is made by its two ranks alone.
    List<IntraComm> mine = new ArrayList<>();
    for (int low = 0; low + 1 < world.size(); low++) {
      if (world.rank() == low || world.rank() == low + 1) {
        IntraComm pair = world.createGroup(all.incl(low + 1, low), 7);
        assertEquals(2, pair.size());
        assertEquals(world.rank() == low ? 1 : 0, pair.rank());
        mine.add(pair);
      }
    }
    for (IntraComm pair : mine) {
      int[] got = new int[1];
      pair.sendrecv(Buf.of(new int[] {world.rank()}), 1 - pair.rank(), 7, Buf.of(got), ANY_SOURCE, ANY_TAG);
      int partner = pair.group().translateRanks(new int[] {1 - pair.rank()}, all)[0];
      assertEquals(partner, got[0]);
    }
    mine.forEach(IntraComm::close);
  }
}
