// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.comms;

import static org.ffmpi.base.Constants.ANY_SOURCE;
import static org.ffmpi.base.Constants.ANY_TAG;
import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Errhandler;
import org.ffmpi.Group;
import org.ffmpi.Group.Range;
import org.ffmpi.InterComm;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.Halves;
import org.ffmpi.tests.support.Threads;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Refused calls of communicators between two groups: an error at all ranks that take part, and the job continues. */
class InterCommErrorsTest {
  private static IntraComm half(IntraComm world) {
    return world.split(world.rank() < world.size() / 2 ? 0 : 1, world.rank());
  }

  private static int otherLeader(IntraComm world) {
    return world.rank() < world.size() / 2 ? world.size() / 2 : 0;
  }

  @MpiTest(ranks = {2, 4, 8})
  @DisplayName("the leader's wrong arguments are an error at its whole group")
  void argumentsOfTheLeader(IntraComm world) {
    IntraComm freed = world.dup();
    freed.close();
    try (IntraComm half = half(world)) {
      int other = otherLeader(world);
      int own = world.rank() < world.size() / 2 ? 0 : world.size() / 2;
      assertError(ErrorClass.ERR_COMM, () -> half.intercomm(0, null, other, 1), "peerComm = null");
      assertError(ErrorClass.ERR_COMM, () -> half.intercomm(0, freed, other, 1), "peerComm");
      assertError(ErrorClass.ERR_RANK, () -> half.intercomm(0, world, -1, 1), "remoteLeader = -1");
      assertError(
          ErrorClass.ERR_RANK, () -> half.intercomm(0, world, Constants.PROC_NULL, 1), "remoteLeader = -3", "0..");
      assertError(
          ErrorClass.ERR_RANK, () -> half.intercomm(0, world, world.size(), 1), "remoteLeader = " + world.size());
      assertError(ErrorClass.ERR_RANK, () -> half.intercomm(0, world, own, 1), "remoteLeader = " + own, "outside");
      assertError(ErrorClass.ERR_TAG, () -> half.intercomm(0, world, other, -1), "tag = -1");
      assertError(ErrorClass.ERR_RANK, () -> half.intercomm(half.size(), world, other, 1), "localLeader");
      assertError(ErrorClass.ERR_RANK, () -> half.intercomm(-1, world, other, 1), "localLeader = -1");
      try (InterComm inter = half.intercomm(0, world, other, 1)) { // only the leader has to say something sensible
        InterCommTest.exchange(inter, 1, world);
      }
      boolean leads = half.rank() == 0;
      try (InterComm inter = half.intercomm(0, leads ? world : null, leads ? other : -9, leads ? 1 : -9)) {
        InterCommTest.exchange(inter, 1, world);
      }
    }
  }

  @MpiTest(ranks = {4, 8})
  @DisplayName("ranks that name different leaders all get an error")
  void differentLeaders(IntraComm world) {
    try (IntraComm half = half(world)) {
      int mine = half.rank() == 1 ? 1 : 0;
      assertError(ErrorClass.ERR_RANK, () -> half.intercomm(mine, world, otherLeader(world), 1), "localLeader");
      int[] sum = {1};
      half.allreduce(Buf.of(sum), Op.SUM);
      assertEquals(half.size(), sum[0]);
    }
  }

  @MpiTest(ranks = {3, 4})
  @DisplayName("groups with a process in common are refused at all processes of both")
  void overlappingGroups(IntraComm world) throws Throwable {
    Group all = world.group();
    Group low = all.rangeIncl(new Range(0, 1));
    Group high = all.rangeIncl(new Range(1, world.size() - 1));
    boolean isHigh = world.rank() >= 1;
    boolean isLow = world.rank() <= 1;
    AtomicInteger refused = new AtomicInteger();
    Threads.run(Thread.ofPlatform().daemon(), 2, thread -> {
      if (thread == 0 ? isLow : isHigh) {
        try (IntraComm mine = world.createGroup(thread == 0 ? low : high, thread)) {
          int remote = thread == 0 ? world.size() - 1 : 0;
          assertError(
              ErrorClass.ERR_COMM,
              () -> mine.intercomm(thread == 0 ? 0 : mine.size() - 1, world, remote, 5), "peerComm", "common");
          refused.incrementAndGet();
        }
      }
    });
    assertEquals(world.rank() == 1 ? 2 : 1, refused.get());
    assertError(
        ErrorClass.ERR_GROUP, () -> InterComm.createFromGroups(all, 0, low, 0, "t"), "remoteGroup", "local processes");
  }

  @MpiTest(ranks = {2, 3, 4})
  void collectivesThatAreNotDefined(IntraComm world) {
    try (Halves halves = new Halves(world)) {
      InterComm inter = halves.inter;
      Buf<Integer> one = Buf.of(new int[1]);
      Buf<Integer> other = Buf.of(new int[1]);
      Buf<Integer> blocks = Buf.of(new int[inter.remoteSize()]);
      assertError(ErrorClass.ERR_COMM, () -> inter.scan(one, other, Op.SUM), "scan", "between two");
      assertError(ErrorClass.ERR_COMM, () -> inter.iexscan(one, Op.SUM), "exscan", "between two");
      assertError(ErrorClass.ERR_BUFFER, () -> inter.allreduce(one, Op.SUM), "in place", "two groups");
      assertError(ErrorClass.ERR_BUFFER, () -> inter.iallgather(blocks), "in place", "two groups");
      assertError(ErrorClass.ERR_BUFFER, () -> inter.alltoallInit(blocks, null), "in place", "two groups");
      assertError(ErrorClass.ERR_BUFFER, () -> inter.reduceScatterBlock(blocks, Op.SUM), "in place", "two groups");
      int none = inter.remoteSize();
      assertError(ErrorClass.ERR_ROOT, () -> inter.bcast(one, none), "root = " + none, "ROOT", "PROC_NULL");
      assertError(ErrorClass.ERR_ROOT, () -> inter.ireduce(one, other, Op.SUM, -1), "root = -1");
      InterCommTest.exchange(inter, 1, world);
    }
  }

  @MpiTest(ranks = {2, 3, 4, 8})
  void ranksAreThoseOfTheOtherGroup(IntraComm world) {
    try (Halves halves = new Halves(world)) {
      InterComm inter = halves.inter;
      int none = inter.remoteSize();
      assertError(ErrorClass.ERR_RANK, () -> inter.send(new int[1], none, 1), "dest = " + none);
      assertError(ErrorClass.ERR_RANK, () -> inter.irecv(Buf.of(new int[1]), none, 1), "source = " + none);
      assertError(ErrorClass.ERR_RANK, () -> inter.probe(none, 1), "source = " + none);
      InterCommTest.exchange(inter, 1, world);
    }
  }

  @MpiTest(ranks = {3, 4, 8})
  @DisplayName("a wrong group at one rank is an error there, at rank 0 of a group everywhere")
  void wrongGroups(IntraComm world) {
    try (Halves halves = new Halves(world)) {
      InterComm inter = halves.inter;
      Group local = inter.group();
      boolean bad = halves.isUpper && inter.rank() == 1;
      if (bad) {
        assertError(ErrorClass.ERR_GROUP, () -> inter.create(inter.remoteGroup()), "group", "subsets");
      } else {
        inter.create(local).close();
      }
      boolean isLeader = halves.isUpper && inter.rank() == 0;
      Group freed = inter.group();
      freed.close();
      assertError(
          ErrorClass.ERR_GROUP, () -> inter.create(isLeader ? freed : local),
          halves.isUpper ? "freed" : "in the other group");
      assertError(ErrorClass.ERR_GROUP, () -> inter.create(isLeader ? null : local), "group = null");
      if (bad) {
        assertError(ErrorClass.ERR_GROUP, () -> inter.create(local.incl(0)), "rank 0 names");
      } else {
        inter.create(local).close();
      }
      InterComm after = inter.dup();
      InterCommTest.exchange(after, 1, world);
      after.close();
    }
  }

  @MpiTest(ranks = {2, 3, 4, 8})
  void wrongColours(IntraComm world) {
    try (Halves halves = new Halves(world)) {
      boolean bad = world.rank() == world.size() - 1;
      if (bad) {
        assertError(ErrorClass.ERR_ARG, () -> halves.inter.split(-1, 0), "color = -1");
      } else {
        InterComm made = halves.inter.split(5, 0);
        if (made != null) {
          made.close();
        }
      }
      try (InterComm after = halves.inter.split(1, 0)) {
        InterCommTest.exchange(after, 1, world);
      }
    }
  }

  @MpiTest(ranks = {2, 3})
  void closedOnesAreRefused(IntraComm world) {
    Halves halves = new Halves(world);
    InterComm inter = halves.inter;
    Group remote = inter.remoteGroup();
    halves.close();
    assertEquals(halves.remoteSize(), remote.size());
    assertError(ErrorClass.ERR_COMM, inter::remoteSize, "closed");
    assertError(ErrorClass.ERR_COMM, inter::remoteGroup, "closed");
    assertError(ErrorClass.ERR_COMM, inter::dup, "closed");
    assertError(ErrorClass.ERR_COMM, inter::idup, "closed");
    assertError(ErrorClass.ERR_COMM, () -> inter.merge(true), "closed");
    assertError(ErrorClass.ERR_COMM, () -> inter.split(0, 0), "closed");
    assertError(ErrorClass.ERR_COMM, () -> inter.create(Group.EMPTY), "closed");
    assertError(ErrorClass.ERR_COMM, () -> inter.send(new int[1], 0, 0), "closed");
    assertError(ErrorClass.ERR_COMM, () -> inter.irecv(Buf.of(new int[1]), 0, 0), "closed");
    assertError(ErrorClass.ERR_COMM, () -> halves.half.intercomm(0, world, 0, 0), "closed");
    inter.close();
  }

  @MpiTest(ranks = {1, 2})
  void wrongGroupsToBeginWith(IntraComm world) {
    Group self = world.group().incl(world.rank());
    Group freed = world.group();
    freed.close();
    String longTag = "x".repeat(Constants.MAX_STRINGTAG_LEN);
    assertError(ErrorClass.ERR_GROUP, () -> InterComm.createFromGroups(null, 0, self, 0, "t"), "localGroup = null");
    assertError(ErrorClass.ERR_GROUP, () -> InterComm.createFromGroups(freed, 0, self, 0, "t"), "localGroup");
    assertError(ErrorClass.ERR_GROUP, () -> InterComm.createFromGroups(self, 0, null, 0, "t"), "remoteGroup = null");
    assertError(ErrorClass.ERR_GROUP, () -> InterComm.createFromGroups(self, 0, freed, 0, "t"), "remoteGroup");
    assertError(ErrorClass.ERR_GROUP, () -> InterComm.createFromGroups(self, 0, self, 0, "t"), "remoteGroup");
    assertError(ErrorClass.ERR_RANK, () -> InterComm.createFromGroups(self, 1, self, 0, "t"), "localLeader = 1");
    assertError(ErrorClass.ERR_ARG, () -> InterComm.createFromGroups(self, 0, self, 0, null), "stringtag = null");
    assertError(ErrorClass.ERR_ARG, () -> InterComm.createFromGroups(self, 0, self, 0, longTag), "stringtag");
    if (world.size() == 2) {
      Group other = world.group().incl(1 - world.rank());
      assertError(ErrorClass.ERR_RANK, () -> InterComm.createFromGroups(self, 0, other, 1, "t"), "remoteLeader = 1");
      assertError(ErrorClass.ERR_GROUP, () -> InterComm.createFromGroups(other, 0, self, 0, "t"), "this process");
    }
  }

  @MpiTest(ranks = {2, 4})
  void errorsGoThroughTheHandlerOfTheParent(IntraComm world) {
    AtomicInteger calls = new AtomicInteger();
    try (Errhandler<Comm> counting = Errhandler.of((comm, error) -> calls.incrementAndGet());
        IntraComm half = half(world)) {
      half.setErrhandler(counting);
      assertError(ErrorClass.ERR_COMM, () -> half.intercomm(0, null, 0, 0), "peerComm");
      assertEquals(1, calls.get());
      try (InterComm inter = half.intercomm(0, world, otherLeader(world), 0); IntraComm all = inter.merge(true)) {
        assertEquals(counting, inter.errhandler());
        assertEquals(counting, all.errhandler());
        assertError(ErrorClass.ERR_COMM, () -> inter.scan(Buf.of(new int[1]), Op.SUM));
        assertEquals(2, calls.get());
      }
    }
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  @DisplayName("a receive from any source fails when the other group has finalized, one's own group need not have")
  void starvation() {
    Mpi.runThreads(3, Map.of("ffmpi.errors", "return"), mpi -> {
      IntraComm world = mpi.world();
      Halves halves = new Halves(world);
      if (!halves.isUpper) {
        for (int r = 0; r < 2; r++) {
          halves.inter.send(new int[1], r, 1);
        }
        return;
      }
      int[] got = new int[1];
      halves.inter.recv(got, ANY_SOURCE, ANY_TAG);
      MpiException error = assertError(
          ErrorClass.ERR_PROC_ABORTED, () -> halves.inter.recv(got, ANY_SOURCE, ANY_TAG), "finalized");
      assertFalse(error.getMessage().isEmpty());
      halves.half.barrier();
      assertTrue(halves.half.size() == 2);
    });
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  @DisplayName("an intercommunicator with a leader that has left is refused at the whole group")
  void missingLeader() {
    Mpi.runThreads(3, Map.of("ffmpi.errors", "return"), mpi -> {
      IntraComm world = mpi.world();
      try (IntraComm half = world.split(world.rank() == 0 ? 0 : 1, 0)) {
        if (world.rank() > 0) {
          assertError(ErrorClass.ERR_PROC_ABORTED, () -> half.intercomm(0, world, 0, 1), "finalized");
        }
      }
    });
  }
}
