// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.comms;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.ffmpi.Buf;
import org.ffmpi.Errhandler;
import org.ffmpi.Group;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.EveryTransport;
import org.ffmpi.tests.support.Seeds;
import org.ffmpi.tests.support.Threads;

/** Several threads of a rank make communicators at the same time. */
class CommThreadsTest {
  private static final int THREADS = 4;

  private final long seed = Seeds.next();

  /** Each thread grows a tree of its own, on a duplicate of the world. */
  @EveryTransport
  @MpiTest(ranks = {1, 2, 3, 4}, timeout = 180)
  void eachThreadHasATreeOfItsOwn(Mpi mpi) {
    IntraComm[] worlds = new IntraComm[THREADS];
    IntraComm[] selves = new IntraComm[THREADS];
    for (int t = 0; t < THREADS; t++) {
      worlds[t] = mpi.world().dup();
      selves[t] = mpi.self().dup();
    }
    Seeds.run(seed, () -> Threads.run(Thread.ofPlatform(), THREADS,
        t -> RandomTreesTest.grow(worlds[t], selves[t], seed + 1_000 * t, 10)));
  }

  @MpiTest(ranks = {2, 4}, timeout = 180)
  void virtualThreads(Mpi mpi) {
    IntraComm[] worlds = new IntraComm[THREADS];
    IntraComm[] selves = new IntraComm[THREADS];
    for (int t = 0; t < THREADS; t++) {
      worlds[t] = mpi.world().split(0, 0);
      selves[t] = mpi.self().split(0, 0);
    }
    Seeds.run(seed, () -> Threads.run(Thread.ofVirtual(), THREADS,
        t -> RandomTreesTest.grow(worlds[t], selves[t], seed + 1_000 * t, 10)));
  }

  /** Groups of one communicator are made by several threads at once: tags tell them apart (MPI-4.1 §7.4.2). */
  @EveryTransport
  @MpiTest(ranks = {1, 2, 3, 4, 8}, timeout = 180)
  void tagsTellGroupsApart(IntraComm world) throws Throwable {
    Group reversed = world.group().rangeIncl(new Group.Range(world.size() - 1, 0, -1));
    Threads.run(Thread.ofPlatform(), THREADS, t -> {
      for (int i = 0; i < 30; i++) {
        try (IntraComm made = world.createGroup(t % 2 == 0 ? world.group() : reversed, t)) {
          check(made, t, t % 2 == 0 ? world.rank() : world.size() - 1 - world.rank());
        }
      }
    });
  }

  @EveryTransport
  @MpiTest(ranks = {1, 2, 3, 4, 8}, timeout = 180)
  void stringTagsTellGroupsApart(IntraComm world) throws Throwable {
    Threads.run(Thread.ofPlatform(), THREADS, t -> {
      for (int i = 0; i < 30; i++) {
        try (IntraComm made = IntraComm.createFromGroup(world.group(), "thread " + t, null, Errhandler.RETURN)) {
          check(made, t, world.rank());
        }
      }
    });
  }

  /** The threads' sums tell which communicator a collective went through. */
  private static void check(IntraComm made, int thread, int rank) {
    assertEquals(rank, made.rank());
    long[] sum = {1_000_000L * thread + made.rank()};
    made.allreduce(Buf.of(sum), Op.SUM);
    assertEquals(1_000_000L * thread * made.size() + made.size() * (made.size() - 1) / 2, sum[0]);
  }

  /** What one thread makes others use and free. */
  @EveryTransport
  @MpiTest(ranks = {2, 3, 4})
  void communicatorsBelongToNoThread(IntraComm world) throws Throwable {
    IntraComm[] made = new IntraComm[THREADS * 10];
    for (int i = 0; i < made.length; i++) {
      made[i] = world.dup();
    }
    Set<Integer> seen = ConcurrentHashMap.newKeySet();
    Threads.run(Thread.ofPlatform(), THREADS, t -> {
      for (int i = t; i < made.length; i += THREADS) {
        int[] number = {world.rank() == 0 ? i : -1};
        made[i].bcast(Buf.of(number), 0);
        assertEquals(i, number[0]);
        assertTrue(seen.add(i));
        made[i].close();
      }
    });
    assertEquals(made.length, seen.size());
    world.barrier();
  }
}
