// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.connect;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Comparison;
import org.ffmpi.Group;
import org.ffmpi.Info;
import org.ffmpi.InterComm;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Request;
import org.ffmpi.Spawn;
import org.ffmpi.Win;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.testkit.MpiTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rules of MPI-4.1 §11.8 and §11.10 with ranks that are threads and spawn threads. */
@Timeout(60)
class SpawnedThreadsTest {
  private static final Map<String, String> RETURN = Map.of("ffmpi.errors", "return");

  /** A worker that adds what the parents say, as a class with a main method. */
  static final class Worker {
    private Worker() {}

    public static void main(String[] args) {
      Mpi.run(args, mpi -> {
        InterComm parent = mpi.parent();
        int[] sum = new int[1];
        parent.allreduce(Buf.of(new int[] {Integer.parseInt(args[0])}), Buf.of(sum), Op.SUM);
        parent.send(new int[] {sum[0] + mpi.world().rank()}, 0, 3);
        parent.disconnect();
      });
    }
  }

  @ParameterizedTest
  @CsvSource({"1,1", "1,4", "2,2", "4,1", "3,8"})
  void parentsAndChildrenMeet(int parents, int children) {
    AtomicInteger seen = new AtomicInteger();
    Mpi.runThreads(parents, RETURN, mpi -> {
      IntraComm world = mpi.world();
      assertNull(mpi.parent());
      InterComm workers = world.spawn(Mpi.spawnBody(child -> {
        InterComm parent = child.parent();
        assertSame(parent, child.parent());
        assertEquals(children, child.world().size());
        assertEquals(parents, parent.remoteSize());
        int[] from = new int[1];
        parent.recv(from, 0, 1);
        IntraComm all = parent.merge(true);
        assertEquals(parents + child.world().rank(), all.rank());
        int[] sum = {all.rank()};
        all.allreduce(Buf.of(sum), Op.SUM);
        parent.send(new int[] {from[0] + sum[0]}, 0, 2);
        all.disconnect();
        seen.incrementAndGet();
        parent.disconnect();
        assertNull(child.parent());
      }).processes(children));
      assertTrue(workers.isInter());
      assertEquals(children, workers.remoteSize());
      if (world.rank() == 0) {
        for (int r = 0; r < children; r++) {
          workers.send(new int[] {100 + r}, r, 1);
        }
      }
      IntraComm all = workers.merge(false);
      assertEquals(world.rank(), all.rank());
      int[] sum = {all.rank()};
      all.allreduce(Buf.of(sum), Op.SUM);
      int n = parents + children;
      assertEquals(n * (n - 1) / 2, sum[0]);
      if (world.rank() == 0) {
        for (int r = 0; r < children; r++) {
          int[] answer = new int[1];
          workers.recv(answer, r, 2);
          assertEquals(100 + r + sum[0], answer[0]);
        }
      }
      all.disconnect();
      workers.disconnect();
    });
    assertEquals(children, seen.get());
  }

  @Test
  void aClassWithAMainMethodIsSpawned() {
    Mpi.runThreads(2, RETURN, mpi -> {
      InterComm workers = mpi.world().spawn(1, Spawn.of(Worker.class.getName(), "5").processes(3));
      int[] sum = new int[1];
      workers.allreduce(Buf.of(new int[] {7}), Buf.of(sum), Op.SUM);
      assertEquals(15, sum[0]);
      if (mpi.world().rank() == 0) {
        for (int r = 0; r < 3; r++) {
          int[] got = new int[1];
          workers.recv(got, r, 3);
          assertEquals(14 + r, got[0]);
        }
      }
      workers.disconnect();
    });
  }

  @Test
  void severalCommandsHaveNumbers() {
    Mpi.runThreads(1, RETURN, mpi -> {
      int[] codes = {9, 9, 9};
      Mpi.Body body = child -> child.parent().send(
          new int[] {child.world().attributes().get(Comm.APPNUM).orElseThrow()}, 0, 0);
      InterComm workers = mpi.world().spawn(codes, 0, Mpi.spawnBody(body), Mpi.spawnBody(body).processes(2));
      assertArrayEquals(new int[3], codes);
      for (int r = 0; r < 3; r++) {
        int[] number = new int[1];
        workers.recv(number, r, 0);
        assertEquals(r == 0 ? 0 : 1, number[0]);
      }
    });
  }

  @Test
  void requestsOfSeveralMeetingsAreAwaitedTogether() {
    Mpi.runThreads(2, RETURN, mpi -> {
      IntraComm world = mpi.world();
      Mpi.Body echo = child -> {
        int[] x = new int[1];
        child.parent().recv(x, 0, 0);
        child.parent().send(new int[] {x[0] * 2}, 0, 0);
      };
      InterComm first = world.spawn(Mpi.spawnBody(echo));
      InterComm second = world.spawn(Mpi.spawnBody(echo));
      if (world.rank() == 0) {
        int[][] got = new int[3][1];
        Request[] all = {
          first.irecv(Buf.of(got[0]), 0, 0), second.irecv(Buf.of(got[1]), 0, 0), world.irecv(Buf.of(got[2]), 1, 0)
        };
        second.send(new int[] {2}, 0, 0);
        first.send(new int[] {1}, 0, 0);
        Request.waitAll(List.of(all));
        assertArrayEquals(new int[][] {{2}, {4}, {3}}, got);
      } else {
        world.send(new int[] {3}, 0, 0);
      }
    });
  }

  @Test
  void largeMessagesAndWindowsWorkBetweenTheJobs() {
    Mpi.runThreads(2, RETURN, mpi -> {
      InterComm workers = mpi.world().spawn(Mpi.spawnBody(child -> work(child.parent().merge(true))).processes(2));
      work(workers.merge(false));
    });
  }

  private static void work(IntraComm all) {
    int n = 1 << 18;
    int right = (all.rank() + 1) % all.size();
    int left = (all.rank() + all.size() - 1) % all.size();
    double[] mine = new double[n];
    java.util.Arrays.fill(mine, all.rank());
    double[] got = new double[n];
    Request sent = all.isend(Buf.of(mine), right, 4);
    all.recv(Buf.of(got), left, 4);
    sent.await();
    assertEquals(left, got[n - 1]);
    try (Win win = all.winAllocate(4L * all.size(), 4)) {
      win.fence();
      win.put(Buf.of(new int[] {all.rank() + 1}), right, all.rank());
      win.fence();
      assertEquals(left + 1, win.segment().getAtIndex(java.lang.foreign.ValueLayout.JAVA_INT, left));
    }
  }

  @Test
  void groupsOfBothJobsAreCompared() {
    Mpi.runThreads(2, RETURN, mpi -> {
      IntraComm world = mpi.world();
      InterComm workers = world.spawn(Mpi.spawnBody(child -> child.parent().merge(true)));
      IntraComm all = workers.merge(false);
      Group own = world.group();
      assertEquals(Comparison.IDENT, own.compare(workers.group()));
      assertEquals(own, workers.group());
      assertEquals(own.hashCode(), workers.group().hashCode());
      assertArrayEquals(new int[] {0, 1}, own.translateRanks(new int[] {0, 1}, all.group()));
      assertEquals(2, all.group().intersection(own).size());
      assertEquals(1, all.group().difference(own).size());
      assertEquals(3, own.union(all.group()).size());
      assertEquals(Constants.UNDEFINED, all.group().translateRanks(new int[] {2}, own)[0]);
      assertEquals(Comparison.UNEQUAL, all.compare(world));
      IntraComm part = all.create(own);
      assertEquals(Comparison.CONGRUENT, part.compare(world));
    });
  }

  @Test
  void groupsOutliveTheirMeetingAndTheirWorld() {
    Group[] kept = new Group[3];
    Mpi.runThreads(1, RETURN, mpi -> {
      InterComm workers = mpi.world().spawn(Mpi.spawnBody(child -> {
        InterComm parent = child.parent();
        assertEquals(child.world().group(), parent.group());
        parent.disconnect();
      }).processes(3));
      kept[0] = workers.group();
      kept[1] = workers.remoteGroup();
      kept[2] = mpi.world().group();
      workers.disconnect();
      Thread.sleep(500); // its memory is released
      assertEquals(kept[2], kept[0]);
      assertEquals(kept[2].hashCode(), kept[0].hashCode());
      assertEquals(Comparison.UNEQUAL, kept[2].compare(kept[1]));
      assertEquals(0, kept[2].intersection(kept[1]).size());
    });
    assertEquals(kept[2], kept[0]);
    assertEquals(kept[2].hashCode(), kept[0].hashCode());
    assertNotNull(kept[1].toString());
  }

  @Test
  void wrongDescriptionsAreErrorsOfAll() {
    Mpi.runThreads(2, Map.of("ffmpi.errors", "return", "ffmpi.universe", "4"), mpi -> {
      IntraComm world = mpi.world();
      Spawn none = Mpi.spawnBody(child -> { });
      assertSpawnError(() -> world.spawn());
      assertSpawnError(() -> world.spawn(Spawn.of("no.such.Class")));
      assertSpawnError(() -> world.spawn(Spawn.java(java.nio.file.Path.of("x.jar"))));
      assertSpawnError(() -> world.spawn(none.processes(3)));
      assertSpawnError(() -> world.spawn(none.info(info("wdir", "/no/such"))));
      assertSpawnError(() -> world.spawn(none.info(info("host", "elsewhere"))));
      assertSpawnError(() -> world.spawn(none.info(info("arch", "pdp11"))));
      assertSpawnError(() -> world.spawn(none.info(info("soft", "x"))));
      assertEquals(ErrorClass.ERR_ROOT,
          assertThrows(MpiException.class, () -> world.spawn(2, none)).errorClass());
      assertThrows(MpiException.class, () -> none.processes(0));
      assertEquals(4, world.attributes().get(Comm.UNIVERSE_SIZE).orElseThrow());
      int[] codes = {1, 1, 1};
      InterComm some = world.spawn(
          codes, 0, Mpi.spawnBody(child -> child.parent().disconnect()).processes(3).info(info("soft", "1:2")));
      assertEquals(2, some.remoteSize());
      assertArrayEquals(new int[] {0, 0, ErrorClass.ERR_SPAWN.code()}, codes);
      some.disconnect();
    });
  }

  @Test
  void errorCodesNameTheProcessesThatAreMissing() {
    Mpi.runThreads(2, Map.of("ffmpi.errors", "return", "ffmpi.universe", "4"), mpi -> {
      Mpi.Body goes = child -> child.parent().disconnect();
      int[] codes = {1, 1, 1};
      InterComm two = mpi.world().spawn(
          codes, 0, Mpi.spawnBody(goes).processes(2).info(info("soft", "1")), Mpi.spawnBody(goes));
      assertEquals(2, two.remoteSize());
      assertArrayEquals(new int[] {0, ErrorClass.ERR_SPAWN.code(), 0}, codes);
      two.disconnect();
    });
  }

  @MpiTest(ranks = 2)
  void theRanksOfATestSpawn(IntraComm world) {
    InterComm workers = world.spawn(Mpi.spawnBody(child -> together(child.parent().merge(true), 4)).processes(2));
    together(workers.merge(false), 4);
  }

  private static Info info(String key, String value) {
    Info info = new Info();
    info.set(key, value);
    return info;
  }

  private static void assertSpawnError(org.junit.jupiter.api.function.Executable call) {
    MpiException e = assertThrows(MpiException.class, call);
    assertEquals(ErrorClass.ERR_SPAWN, e.errorClass(), e.toString());
  }

  @Test
  void aChildThatFailsEndsItsParents() {
    MpiException e = assertThrows(MpiException.class, () -> Mpi.runThreads(2, mpi -> {
      InterComm workers = mpi.world().spawn(Mpi.spawnBody(child -> {
        throw new IllegalStateException("no work today");
      }));
      workers.recv(new int[1], 0, 0);
    }));
    assertTrue(e.getMessage().contains("no work today"), e.getMessage());
  }

  @Test
  void afterDisconnectAFailureIsNoneOfTheOthers() {
    Mpi.runThreads(2, mpi -> {
      InterComm workers = mpi.world().spawn(Mpi.spawnBody(child -> {
        child.parent().disconnect();
        child.abort(3);
      }).processes(2));
      workers.disconnect();
      Thread.sleep(300);
      mpi.world().barrier();
    });
  }

  @Test
  void aChildThatEndsBeforeInitIsAnError() {
    Mpi.runThreads(1, RETURN, mpi -> {
      MpiException e = assertThrows(
          MpiException.class, () -> mpi.world().spawn(Spawn.of(Lazy.class.getName()).processes(2)));
      assertEquals(ErrorClass.ERR_SPAWN, e.errorClass());
      assertNotNull(mpi.world());
    });
  }

  /** A program without MPI. */
  static final class Lazy {
    private Lazy() {}

    public static void main(String[] args) {}
  }

  @Test
  void childrenSpawnChildren() {
    Mpi.runThreads(2, RETURN, mpi -> {
      InterComm workers = mpi.world().spawn(Mpi.spawnBody(child -> {
        IntraComm all = child.parent().merge(true);
        InterComm further = all.spawn(2, Mpi.spawnBody(grandchild -> grandchild.parent().barrier()));
        further.barrier();
      }));
      IntraComm all = workers.merge(false);
      InterComm further = all.spawn(2);
      assertEquals(1, further.remoteSize());
      further.barrier();
    });
  }

  @Test
  void theChildrenOfTwoSpawnsMeetThroughTheirParents() {
    Mpi.runThreads(2, RETURN, mpi -> {
      InterComm first = mpi.world().spawn(Mpi.spawnBody(child -> {
        IntraComm all = child.parent().merge(true);
        together(all.intercomm(0, null, 0, 5).merge(false), 5);
      }));
      InterComm second = mpi.world().spawn(Mpi.spawnBody(
          child -> together(child.world().intercomm(0, child.parent(), 0, 5).merge(true), 5)).processes(2));
      IntraComm all = first.merge(false);
      together(all.intercomm(0, second, 0, 5).merge(false), 5);
    });
  }

  @Test
  void worldsThatHaveMergedMakeAnIntercommunicator() {
    Mpi.runThreads(2, RETURN, mpi -> {
      InterComm workers = mpi.world().spawn(Mpi.spawnBody(child -> {
        IntraComm all = child.parent().merge(true);
        InterComm again = child.world().intercomm(0, all, 0, 9);
        assertEquals(2, again.remoteSize());
        again.barrier();
      }).processes(3));
      IntraComm all = workers.merge(false);
      InterComm again = mpi.world().intercomm(0, all, 2, 9);
      assertEquals(3, again.remoteSize());
      again.barrier();
    });
  }

  private static void together(IntraComm all, int size) {
    int[] sum = {1};
    all.allreduce(Buf.of(sum), Op.SUM);
    assertEquals(size, sum[0]);
  }

  @Test
  void ranksOfSeveralNodesOfOneMachineMeet() {
    Mpi.runThreads(3, Map.of("ffmpi.errors", "return", "ffmpi.node", "2,1"), mpi -> {
      Mpi.Body body = child -> together(child.parent().merge(true), 5);
      InterComm workers = mpi.world().spawn(Mpi.spawnBody(body).processes(2));
      IntraComm all = workers.merge(false);
      together(all, 5);
      assertArrayEquals(new int[] {0, 1, 2}, mpi.world().group().translateRanks(new int[] {0, 1, 2}, all.group()));
    });
  }
}
