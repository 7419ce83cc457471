// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.comms;

import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.CommRequest;
import org.ffmpi.Comparison;
import org.ffmpi.Group;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.Threads;

/** Making communicators within a group, using and closing them. */
class CommunicatorTest {
  /** Each rank tells the next one who it is, and all add up their ranks. */
  private static void use(IntraComm comm) {
    int n = comm.size();
    int[] in = {-1};
    Request receive = comm.irecv(Buf.of(in), Math.floorMod(comm.rank() - 1, n), Constants.ANY_TAG);
    comm.send(new int[] {comm.rank()}, (comm.rank() + 1) % n, 3);
    Status status = receive.await(new Status());
    assertEquals(Math.floorMod(comm.rank() - 1, n), in[0]);
    assertEquals(in[0], status.source());
    int[] sum = {comm.rank()};
    comm.allreduce(Buf.of(sum), Op.SUM);
    assertEquals(n * (n - 1) / 2, sum[0]);
  }

  @MpiTest(ranks = {1, 2, 3, 4, 8})
  void duplicates(IntraComm world) {
    try (IntraComm dup = world.dup()) {
      assertEquals(Comparison.CONGRUENT, dup.compare(world));
      assertEquals(Comparison.IDENT, dup.compare(dup));
      assertEquals("", dup.name());
      use(dup);
      try (IntraComm second = dup.dup()) {
        use(second);
        use(dup);
      }
    }
    use(world);
  }

  @MpiTest(ranks = {1, 2, 3, 4})
  void manyDuplicatesByRequests(IntraComm world) {
    List<CommRequest<? extends IntraComm>> requests = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      requests.add(world.idup());
    }
    Request.waitAll(new ArrayList<>(requests));
    List<IntraComm> made = new ArrayList<>();
    for (CommRequest<? extends IntraComm> request : requests) {
      made.add(request.comm());
      assertSame(made.getLast(), request.comm());
    }
    for (int i = 0; i < made.size(); i += 37) {
      use(made.get(i));
    }
    made.forEach(Comm::close);
  }

  @MpiTest(ranks = {1, 2, 3, 4, 5, 8})
  void splits(IntraComm world) {
    int me = world.rank();
    int n = world.size();
    try (IntraComm half = world.split(me % 2, -me)) {
      assertEquals((n + 1 - me % 2) / 2, half.size());
      assertEquals(half.size() - 1 - me / 2, half.rank(), "the keys turn the order round");
      use(half);
    }
    try (IntraComm some = world.split(me == 0 ? Constants.UNDEFINED : 7, 0)) {
      if (me == 0) {
        assertNull(some);
      } else {
        assertEquals(me - 1, some.rank());
        use(some);
      }
    }
    try (IntraComm same = world.split(Integer.MAX_VALUE, Integer.MIN_VALUE + me)) {
      assertEquals(Comparison.CONGRUENT, same.compare(world));
      use(same);
    }
    assertError(ErrorClass.ERR_ARG, () -> world.split(-5, 0), "color = -5");
  }

  @MpiTest(ranks = {1, 2, 3, 4, 8})
  void creates(IntraComm world) {
    int me = world.rank();
    int n = world.size();
    Group all = world.group();
    Group even = all.rangeIncl(new Group.Range(0, n - 1, 2));
    Group odd = all.difference(even);
    try (IntraComm half = world.create(me % 2 == 0 ? even : odd)) {
      assertEquals(me / 2, half.rank());
      use(half);
    }
    try (IntraComm last = world.create(me == n - 1 ? all.incl(n - 1) : Group.EMPTY)) {
      assertEquals(me == n - 1, last != null);
    }
    int[] reversed = IntStream.range(0, n).map(r -> n - 1 - r).toArray();
    try (IntraComm turned = world.create(all.incl(reversed))) {
      assertEquals(n - 1 - me, turned.rank());
      assertEquals(n == 1 ? Comparison.CONGRUENT : Comparison.SIMILAR, turned.compare(world));
      use(turned);
      assertArrayEquals(reversed, turned.group().translateRanks(IntStream.range(0, n).toArray(), all));
    }
    assertError(ErrorClass.ERR_GROUP, () -> world.create(null), "group");
  }

  @MpiTest(ranks = {1, 2, 3, 4, 8})
  void createsAmongTheGroupAlone(IntraComm world) {
    int me = world.rank();
    Group mine = world.group().incl(
        IntStream.range(0, world.size()).filter(r -> r % 3 == me % 3).toArray());
    for (int i = 0; i < 3; i++) {
      try (IntraComm third = world.createGroup(mine, 5)) {
        assertEquals(me / 3, third.rank());
        use(third);
      }
      try (IntraComm third = IntraComm.createFromGroup(mine, "org.ffmpi.tests")) {
        use(third);
        Group freed = third.group();
        freed.close();
        assertError(ErrorClass.ERR_GROUP, () -> IntraComm.createFromGroup(freed, "x"), "group");
      }
    }
    assertNull(world.createGroup(Group.EMPTY, 0));
    assertError(ErrorClass.ERR_TAG, () -> world.createGroup(mine, -1), "tag = -1");
    assertError(ErrorClass.ERR_ARG, () -> IntraComm.createFromGroup(mine, null), "stringtag");
    assertNull(IntraComm.createFromGroup(Group.EMPTY, "x"));
    assertError(ErrorClass.ERR_GROUP, () -> IntraComm.createFromGroup(null, "x"), "group");
    if (world.size() > 1) {
      Group other = world.group().excl(me);
      assertError(ErrorClass.ERR_GROUP, () -> world.createGroup(other, 0), "contain this process");
    }
  }

  /** Threads agree on communicators at the same time, each pair of calls told apart by its tag. */
  @MpiTest(ranks = {2, 4})
  void createsInThreads(IntraComm world) throws Throwable {
    Group all = world.group();
    IntraComm[] made = new IntraComm[8];
    Threads.run(Thread.ofPlatform(), made.length, t -> {
      made[t] = t % 2 == 0 ? world.createGroup(all, t) : IntraComm.createFromGroup(all, "thread " + t);
      use(made[t]);
      try (IntraComm child = made[t].dup()) {
        use(child);
      }
    });
    for (IntraComm comm : made) {
      use(comm);
      comm.close();
    }
  }

  @MpiTest(ranks = 2)
  void closesAtThisRankAlone(Mpi mpi) {
    IntraComm world = mpi.world();
    IntraComm dup = world.dup();
    int peer = 1 - world.rank();
    int[] in = {-1};
    Request receive = dup.irecv(Buf.of(in), peer, 0);
    if (world.rank() == 0) {
      dup.close();
      world.barrier();
    } else {
      world.barrier();
      dup.send(new int[] {9}, 0, 0);
    }
    if (world.rank() == 0) {
      receive.await();
      assertEquals(9, in[0], "what is pending goes on");
      dup.close();
      assertError(ErrorClass.ERR_COMM, () -> dup.send(in, peer, 0), "has been closed");
      assertError(ErrorClass.ERR_COMM, () -> dup.recv(in, Constants.ANY_SOURCE, 0), "has been closed");
      assertError(ErrorClass.ERR_COMM, () -> dup.iprobe(Constants.ANY_SOURCE, 0), "has been closed");
      assertError(ErrorClass.ERR_COMM, dup::barrier, "has been closed");
      assertError(ErrorClass.ERR_COMM, dup::group, "has been closed");
      assertError(ErrorClass.ERR_COMM, () -> world.compare(dup), "other");
    } else {
      receive.cancel();
      receive.await();
      assertTrue(dup.rank() == 1);
    }
    assertError(ErrorClass.ERR_COMM, world::close, "those that a program has made");
    assertError(ErrorClass.ERR_COMM, () -> mpi.self().close(), "MPI_COMM_SELF");
    assertFalse(world.isInter());
  }
}
