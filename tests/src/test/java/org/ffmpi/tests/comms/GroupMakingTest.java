// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.comms;

import static org.ffmpi.base.Constants.ANY_SOURCE;
import static org.ffmpi.base.Constants.ANY_TAG;
import static org.ffmpi.base.Constants.UNDEFINED;
import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.ffmpi.Buf;
import org.ffmpi.Comparison;
import org.ffmpi.Errhandler;
import org.ffmpi.Group;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Request;
import org.ffmpi.Session;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.EveryTransport;
import org.ffmpi.tests.support.Threads;
import org.junit.jupiter.api.DisplayName;

/** Communicators of groups (MPI-4.1 §7.4.2): by threads at once, far ahead of each other, and of odd groups. */
class GroupMakingTest {
  private static final int THREADS = 4;
  private static final int AHEAD = 10_000;

  /** Thread t makes the group without rank t, in an order of its own, again and again under tag t. */
  @EveryTransport
  @MpiTest(ranks = {3, 4, 8}, timeout = 120)
  void overlappingGroupsByThreads(IntraComm world) throws Throwable {
    Threads.run(Thread.ofPlatform(), THREADS, t -> {
      int n = world.size();
      int[] order = IntStream.range(1, n).map(i -> (t + i) % n).toArray(); // all but t, beginning behind it
      Group group = world.group().incl(order);
      for (int round = 0; group.rank() != UNDEFINED && round < 25; round++) {
        try (IntraComm made = world.createGroup(group, t)) {
          int[] all = new int[2 * made.size()];
          made.allgather(Buf.of(new int[] {t * 1_000 + round, world.rank()}), Buf.of(all));
          for (int r = 0; r < order.length; r++) {
            assertEquals(t * 1_000 + round, all[2 * r]);
            assertEquals(order[r], all[2 * r + 1]);
          }
        }
      }
    });
  }

  /** The first rank has made all of its communicators before the others make the first. */
  @MpiTest(ranks = {2, 3}, timeout = 120)
  void theFirstRankIsFarAhead(IntraComm world) {
    Group group = world.group();
    List<IntraComm> kept = new ArrayList<>();
    if (world.rank() > 0) {
      world.recv(new int[0], 0, 1);
    }
    for (int i = 0; i < AHEAD; i++) {
      IntraComm made = world.createGroup(group, 3);
      if (i % 97 == 0) {
        kept.add(made);
      } else {
        made.close();
      }
    }
    if (world.rank() == 0) {
      for (int r = 1; r < world.size(); r++) {
        world.send(new int[0], r, 1);
        for (int k = kept.size() - 1; k >= 0; k--) {
          kept.get(k).send(new int[] {k}, r, 2);
        }
      }
    } else {
      int[] got = new int[1];
      for (int k = 0; k < kept.size(); k++) {
        kept.get(k).recv(got, ANY_SOURCE, ANY_TAG);
        assertEquals(k, got[0]);
      }
    }
    kept.forEach(IntraComm::close);
  }

  /** One call of create: two groups in orders of their own, a rank that gives none, one that is not in its group. */
  @EveryTransport
  @MpiTest(ranks = {4, 5, 8})
  void disjointGroupsInOneCall(IntraComm world) {
    Group all = world.group();
    Group pair = all.incl(2, 0);
    int[] later = IntStream.range(4, world.size()).map(r -> world.size() + 3 - r).toArray();
    Group others = all.incl(later);
    Group given = switch (world.rank()) {
      case 0, 2 -> pair;
      case 1 -> Group.EMPTY;
      case 3 -> pair; // which it does not belong to
      default -> others;
    };
    for (int i = 0; i < 70; i++) { // more than contexts are handed out together
      try (IntraComm made = world.create(given)) {
        if (world.rank() == 1 || world.rank() == 3) {
          assertNull(made);
        } else {
          assertArrayEquals(world.rank() < 4 ? new int[] {2, 0} : later, members(made, all));
        }
      }
    }
    try (IntraComm part = world.create(given)) {
      if (part != null) {
        Group wider = given.union(all.incl(1));
        assertError(ErrorClass.ERR_GROUP, () -> part.create(wider), "group");
        assertError(ErrorClass.ERR_GROUP, () -> part.createGroup(wider, 0), "group");
      }
    }
    world.barrier();
  }

  /** Returns the ranks of all, as its ranks tell it by messages of the communicator itself. */
  private static int[] members(IntraComm made, Group all) {
    int[] ranks = new int[made.size()];
    made.allgather(Buf.of(new int[] {all.rank()}), Buf.of(ranks));
    assertArrayEquals(ranks, made.group().translateRanks(IntStream.range(0, ranks.length).toArray(), all));
    return ranks;
  }

  // ---- sessions

  private static IntraComm create(Group group, String stringtag) {
    return IntraComm.createFromGroup(group, stringtag, null, Errhandler.RETURN);
  }

  /** Two sessions of a process, one thread each: the same text, different groups. */
  @EveryTransport
  @MpiTest(ranks = {3, 4})
  @DisplayName("two sessions make communicators of different groups under one text at once")
  void oneTextInTwoSessions(Mpi mpi) throws Throwable {
    int rank = mpi.world().rank();
    int n = mpi.world().size();
    try (Session one = Session.init(null, Errhandler.RETURN); Session two = Session.init(null, Errhandler.RETURN)) {
      Threads.run(Thread.ofPlatform(), 2, t -> {
        Group all = (t == 0 ? one : two).group(Session.WORLD);
        // In the first session a pair and the rest, which are disjoint; in the second all in reverse, which overlaps.
        Group mine = t == 1 ? all.rangeIncl(new Group.Range(n - 1, 0, -1)) : rank < 2 ? all.incl(0, 1)
            : all.excl(0, 1);
        for (int round = 0; round < 30; round++) {
          try (IntraComm made = create(mine, "org.ffmpi.tests.same")) {
            assertEquals(mine.rank(), made.rank());
            long[] sum = {1_000L * t + rank};
            made.allreduce(Buf.of(sum), Op.SUM);
            long ranks = t == 1 ? n * (n - 1L) / 2 : rank < 2 ? 1 : n * (n - 1L) / 2 - 1;
            assertEquals(1_000L * t * made.size() + ranks, sum[0]);
          }
        }
      });
    }
  }

  /** The same group and text in two sessions, one after the other, both in use together. */
  @MpiTest(ranks = {1, 2, 3})
  void oneTextAndGroupInTwoSessionsOneAfterTheOther(Mpi mpi) {
    try (Session one = Session.init(null, Errhandler.RETURN);
        Session two = Session.init(null, Errhandler.RETURN);
        IntraComm first = create(one.group(Session.WORLD), "org.ffmpi.tests.same");
        IntraComm second = create(two.group(Session.WORLD), "org.ffmpi.tests.same")) {
      int[][] got = new int[2][1];
      Request inFirst = first.irecv(got[0], ANY_SOURCE, ANY_TAG);
      Request inSecond = second.irecv(got[1], ANY_SOURCE, ANY_TAG);
      int next = (first.rank() + 1) % first.size();
      second.send(new int[] {2}, next, 0);
      first.send(new int[] {1}, next, 0);
      Request.waitAll(Arrays.asList(inFirst, inSecond));
      assertEquals(1, got[0][0]);
      assertEquals(2, got[1][0]);
      assertError(ErrorClass.ERR_COMM, () -> first.compare(second), "session");
      assertEquals(Comparison.IDENT, first.compare(first));
    }
  }

  @MpiTest(ranks = 4, processes = true, timeout = 120)
  void inProcesses(Mpi mpi) throws Throwable {
    overlappingGroupsByThreads(mpi.world());
    disjointGroupsInOneCall(mpi.world());
    oneTextInTwoSessions(mpi);
    oneTextAndGroupInTwoSessionsOneAfterTheOther(mpi);
  }
}
