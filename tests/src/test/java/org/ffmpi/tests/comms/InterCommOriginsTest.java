// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.comms;

import static org.ffmpi.base.Constants.UNDEFINED;
import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.stream.IntStream;
import org.ffmpi.Buf;
import org.ffmpi.Comparison;
import org.ffmpi.Errhandler;
import org.ffmpi.Group;
import org.ffmpi.Group.Range;
import org.ffmpi.Info;
import org.ffmpi.InterComm;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Session;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.Halves;
import org.ffmpi.tests.support.Threads;
import org.junit.jupiter.api.DisplayName;

/** Communicators between two groups that come from groups, from each other, from sessions, and in threads. */
class InterCommOriginsTest {
  @MpiTest(ranks = {2, 3, 4, 8})
  void fromGroups(IntraComm world) {
    int border = world.size() / 2;
    Group low = world.group().rangeIncl(new Range(0, border - 1));
    Group high = world.group().rangeExcl(new Range(0, border - 1));
    boolean isLow = world.rank() < border;
    Group mine = isLow ? low : high;
    int leader = mine.size() - 1;
    boolean leads = mine.rank() == leader;
    Group other = leads ? isLow ? high : low : null;
    int remoteLeader = leads ? other.size() - 1 : -5;
    for (String tag : new String[] {"", "org.ffmpi.tests"}) {
      try (InterComm inter =
          InterComm.createFromGroups(mine, leader, other, remoteLeader, tag, null, Errhandler.RETURN)) {
        assertEquals(mine, inter.group());
        assertEquals(isLow ? high : low, inter.remoteGroup());
        InterCommTest.exchange(inter, 1, world);
        assertError(ErrorClass.ERR_RANK, () -> inter.send(new int[1], inter.remoteSize(), 1));
      }
    }
    assertNull(InterComm.createFromGroups(mine, 0, Group.EMPTY, 0, "x"));
    assertNull(InterComm.createFromGroups(Group.EMPTY, 0, mine, 0, "x"));
  }

  @MpiTest(ranks = {4, 8})
  @DisplayName("an intercommunicator serves as the communicator of the leaders")
  void leadersMeetInAnIntercommunicator(IntraComm world) {
    int half = world.size() / 2;
    boolean isUpper = world.rank() >= half;
    try (IntraComm mine = world.split(isUpper ? 1 : 0, 0);
        InterComm between = mine.intercomm(0, world, isUpper ? 0 : half, 1);
        InterComm again = mine.intercomm(mine.size() - 1, between, mine.size() - 1, 1);
        IntraComm whole = again.merge(isUpper);
        IntraComm parity = whole.split(whole.rank() % 2, 0);
        InterComm crossing = parity.intercomm(0, whole, 1 - whole.rank() % 2, 2)) {
      InterCommTest.exchange(again, 1, world);
      InterCommTest.exchange(crossing, 1, world);
      assertEquals(Comparison.CONGRUENT, again.compare(between));
    }
  }

  @MpiTest(ranks = {2, 3, 8})
  @DisplayName("threads make intercommunicators at the same time, told apart by their tags")
  void inThreads(IntraComm world) throws Throwable {
    int threads = 4;
    IntraComm[] halves = new IntraComm[threads];
    int border = world.size() / 2;
    boolean isUpper = world.rank() >= border;
    for (int t = 0; t < threads; t++) {
      halves[t] = world.split(isUpper ? 1 : 0, world.rank());
    }
    Group low = world.group().rangeIncl(new Range(0, border - 1));
    Group high = world.group().rangeExcl(new Range(0, border - 1));
    Threads.run(Thread.ofPlatform().daemon(), threads, t -> {
      for (int round = 0; round < 10; round++) {
        try (InterComm inter = halves[t].intercomm(0, world, isUpper ? 0 : border, t);
            InterComm named = InterComm.createFromGroups(
                isUpper ? high : low, 0, isUpper ? low : high, 0, "thread " + t);
            IntraComm merged = inter.merge(isUpper)) {
          InterCommTest.exchange(inter, round, world);
          InterCommTest.exchange(named, round, world);
          assertEquals(Comparison.CONGRUENT, world.compare(merged));
          int[] sum = {1};
          merged.allreduce(Buf.of(sum), Op.SUM);
          assertEquals(world.size(), sum[0]);
        }
      }
    });
    for (IntraComm half : halves) {
      half.close();
    }
  }

  @MpiTest(ranks = {2, 3})
  @DisplayName("S1-2.5.1-a: groups live on when the communicators they come from are closed")
  void groupsOutliveCommunicators(IntraComm world) {
    Halves halves = new Halves(world);
    Group local = halves.inter.group();
    Group remote = halves.inter.remoteGroup();
    halves.close();
    assertEquals(Comparison.UNEQUAL, local.compare(remote));
    assertEquals(world.size(), local.union(remote).size());
    assertEquals(UNDEFINED, remote.rank());
    try (InterComm again = InterComm.createFromGroups(local, 0, remote, 0, "")) {
      InterCommTest.exchange(again, 1, world);
    }
  }

  @MpiTest(ranks = {2, 3, 4})
  @DisplayName("between groups of a session, which do not mix with those of the world")
  void inASession(Mpi mpi) {
    IntraComm world = mpi.world();
    int border = world.size() / 2;
    boolean isUpper = world.rank() >= border;
    int[] remotes = IntStream.range(isUpper ? 0 : border, isUpper ? border : world.size()).toArray();
    try (Session session = Session.init(null, Errhandler.RETURN)) {
      Group all = session.group(Session.WORLD);
      Group low = all.rangeIncl(new Range(0, border - 1));
      Group high = all.difference(low);
      Group local = isUpper ? high : low;
      Group remote = isUpper ? low : high;
      try (InterComm inter = InterComm.createFromGroups(
              local, 0, remote, 0, "own", new Info().set("mpi_assert_exact_length", "true"), Errhandler.RETURN);
          IntraComm both = inter.merge(isUpper);
          IntraComm part = both.split(isUpper ? 1 : 0, 0);
          InterComm again = part.intercomm(0, both, isUpper ? 0 : border, 1)) {
        InterCommTest.exchange(inter, 1, world.rank(), remotes);
        InterCommTest.exchange(again, 2, world.rank(), remotes);
        assertEquals(remote, again.remoteGroup());
        assertError(ErrorClass.ERR_COMM, () -> part.intercomm(0, world, isUpper ? 0 : border, 1), "session");
        assertError(ErrorClass.ERR_GROUP, () -> again.create(world.group()), "session");
        assertError(
            ErrorClass.ERR_GROUP,
            () -> InterComm.createFromGroups(local, 0, world.group(), 0, "mix", null, Errhandler.RETURN), "session");
        InterCommTest.exchange(again, 3, world.rank(), remotes);
      }
    }
  }

  @MpiTest(ranks = {2, 4}, processes = true, timeout = 120)
  void betweenProcesses(Mpi mpi) throws Throwable {
    fromGroups(mpi.world());
    inThreads(mpi.world());
    inASession(mpi);
  }
}
