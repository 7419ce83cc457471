// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.explore;

import static org.ffmpi.base.Constants.ANY_SOURCE;
import static org.ffmpi.base.Constants.ANY_TAG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ffmpi.Comm;
import org.ffmpi.Grequest;
import org.ffmpi.IntraComm;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.Win;
import org.ffmpi.base.MpiException;
import org.ffmpi.explore.Exploration;
import org.ffmpi.explore.Exploration.Kind;
import org.ffmpi.explore.Explorer;
import org.junit.jupiter.api.Test;

/** Programs with a mistake that only another order shows, each beside its correct twin. */
class WrongOrdersTest {
  private static Exploration.Finding expect(Kind kind, int ranks, Twins.OfWorld twins) {
    return Twins.expect(kind, ranks, twins);
  }

  private static int receive(Comm world, int source, int tag) {
    int[] message = new int[1];
    world.recv(message, source, tag);
    return message[0];
  }

  private static void send(Comm world, int value, int to, int tag) {
    world.send(new int[] {value}, to, tag);
  }

  @Test
  void theLowerRankIsNotAlwaysFirst() {
    Exploration.Finding found = expect(Kind.EXCEPTION, 3, (world, wrong, results) -> {
      if (world.rank() != 0) {
        send(world, world.rank(), 0, 0);
      } else {
        int first = receive(world, wrong ? ANY_SOURCE : 1, 0);
        assertEquals(1, first);
        receive(world, ANY_SOURCE, 0);
      }
    });
    assertTrue(found.text().contains("receive any <- #"), found::text);
    assertTrue(found.text().contains("WrongOrdersTest.java:"), found::text);
  }

  @Test
  void aReceiveAfterAProbeNamesTheSource() {
    expect(Kind.EXCEPTION, 3, (world, wrong, results) -> {
      if (world.rank() != 0) {
        world.send(new int[world.rank()], 0, 0);
        return;
      }
      for (int i = 0; i < 2; i++) {
        Status status = world.probe(ANY_SOURCE, 0);
        int[] message = new int[status.source()];
        world.recv(message, wrong ? ANY_SOURCE : status.source(), 0);
      }
    });
  }

  @Test
  void deadlockOfOneOrder() {
    Exploration.Finding found = expect(Kind.DEADLOCK, 3, (world, wrong, results) -> {
      if (world.rank() != 0) {
        send(world, world.rank(), 0, 0);
      } else {
        receive(world, ANY_SOURCE, 0);
        receive(world, wrong ? 1 : ANY_SOURCE, 0);
      }
    });
    assertTrue(found.text().contains("rank 0 waits in a receive from rank 1 with tag 0, for which there is no message"),
        found::text);
    assertEquals("r0<-1", found.choices());
  }

  @Test
  void sendsThatWorkedBecauseTheyWereShort() {
    Exploration.Finding found = expect(Kind.DEADLOCK, 2, (world, wrong, results) -> {
      int other = 1 - world.rank();
      if (wrong || world.rank() == 0) {
        send(world, 1, other, 0);
        receive(world, other, 0);
      } else {
        receive(world, other, 0);
        send(world, 1, other, 0);
      }
    });
    assertTrue(found.text().contains("when no send is buffered"), found::text);
    assertEquals(Explorer.UNBUFFERED, found.choices());
  }

  /** It hangs if the first send of rank 0 waits for its receive, and that of rank 2 does not. */
  @Test
  void sendsOfWhichOnlyOneMayWait() {
    Exploration.Finding found = expect(Kind.DEADLOCK, 3, (world, wrong, results) -> {
      if (world.rank() == 0) {
        send(world, 0, 1, 1);
        send(world, 0, 1, 2);
        receive(world, 2, 3);
      } else if (world.rank() == 2) {
        send(world, 2, 0, 3);
        send(world, 2, 1, 1);
      } else if (receive(world, ANY_SOURCE, 1) == 0) {
        receive(world, 0, 2);
        receive(world, 2, 1);
      } else {
        receive(world, 0, wrong ? 2 : 1);
        receive(world, 0, wrong ? 1 : 2);
      }
    });
    assertTrue(found.text().contains("no rank can go on when only some sends are buffered"), found::text);
    assertEquals("waiting:r0#1 r1<-2", found.choices());
  }

  @Test
  void aSumInTheOrderOfArrival() {
    Exploration.Finding found = expect(Kind.EXCEPTION, 4, (world, wrong, results) -> {
      double[] values = {0, 1e16, 1, -1e16};
      if (world.rank() != 0) {
        world.send(new double[] {values[world.rank()]}, 0, 0);
        return;
      }
      double[] message = new double[1];
      double[] all = new double[4];
      double sum = 0;
      for (int i = 1; i < 4; i++) {
        Status status = world.recv(message, ANY_SOURCE, 0, new Status());
        sum += message[0];
        all[status.source()] = message[0];
      }
      results.same(0, "sum", wrong ? sum : all[1] + all[2] + all[3]);
    });
    assertTrue(found.text().contains("sum differs between orders"), found::text);
  }

  @Test
  void aMessageOfTheNextRound() {
    expect(Kind.EXCEPTION, 3, (world, wrong, results) -> {
      for (int round = 0; round < 2; round++) {
        if (world.rank() == 0) {
          for (int i = 1; i < 3; i++) {
            assertEquals(round, receive(world, ANY_SOURCE, wrong ? ANY_TAG : round));
          }
        } else {
          send(world, round, 0, wrong ? 0 : round);
        }
      }
    });
  }

  @Test
  void theFirstOfWaitAny() {
    expect(Kind.EXCEPTION, 3, (world, wrong, results) -> {
      if (world.rank() != 0) {
        send(world, world.rank(), 0, 0);
        return;
      }
      int[][] messages = new int[2][1];
      List<Request> requests =
          new ArrayList<>(List.of(world.irecv(messages[0], 1, 0), world.irecv(messages[1], 2, 0)));
      int first = Request.waitAny(requests);
      assertEquals(wrong ? 1 : first + 1, messages[first][0]);
      Request.waitAny(requests);
    });
  }

  @Test
  void aTestThatMayFail() {
    expect(Kind.LEFTOVER, 2, (world, wrong, results) -> {
      if (world.rank() == 1) {
        send(world, 7, 0, 0);
        world.ssend(new int[1], 0, 1);
        return;
      }
      int[] message = new int[1];
      Request request = world.irecv(message, 1, 0);
      receive(world, 1, 1);
      if (!request.test() && !wrong) {
        request.await();
      }
    });
  }

  @Test
  void aProbeThatSeesNothingYet() {
    expect(Kind.LEFTOVER, 2, (world, wrong, results) -> {
      if (world.rank() == 1) {
        world.isend(new int[1], 0, 0).await();
        return;
      }
      boolean there = world.iprobe(1, 0).isPresent();
      if (there || !wrong) {
        receive(world, 1, 0);
      }
    });
  }

  @Test
  void aReadySendBeforeItsReceive() {
    expect(Kind.EXCEPTION, 2, (world, wrong, results) -> {
      if (world.rank() == 0) {
        int[] message = new int[1];
        Request request = world.irecv(message, 1, 0);
        send(world, 0, 1, 1);
        request.await();
      } else {
        if (!wrong) {
          receive(world, 0, 1);
        }
        world.rsend(new int[1], 0, 0);
        if (wrong) {
          receive(world, 0, 1);
        }
      }
    });
  }

  /** A queue of work; the wrong one takes it that the last task gives the last result. */
  @Test
  void aQueueWhoseLastTaskIsNotLast() {
    int tasks = 3;
    expect(Kind.EXCEPTION, 3, (world, wrong, results) -> {
      int work = 1;
      int stop = 2;
      if (world.rank() != 0) {
        int[] task = new int[1];
        while (true) {
          Status status = world.recv(task, 0, ANY_TAG, new Status());
          if (status.tag() == stop) {
            return;
          }
          send(world, task[0] * task[0], 0, 0);
        }
      }
      int given = 0;
      int sum = 0;
      for (int worker = 1; worker < world.size(); worker++) {
        send(world, ++given, worker, work);
      }
      int[] result = new int[1];
      for (int got = 0; got < tasks; got++) {
        Status status = world.recv(result, ANY_SOURCE, 0, new Status());
        sum += result[0];
        assertTrue(!wrong || got < tasks - 1 || result[0] == tasks * tasks, "the last task is not the last result");
        if (given < tasks) {
          send(world, ++given, status.source(), work);
        } else {
          send(world, 0, status.source(), stop);
        }
      }
      assertEquals(14, sum);
    });
  }

  @Test
  void aTestThatDependsOnTime() {
    Exploration.Finding found = new Explorer(2, Map.of("ffmpi.errors", "return"), (mpi, results) -> {
      Comm world = mpi.world();
      if (world.rank() == 0) {
        world.send(new int[(int) (System.nanoTime() / 100 % 1000)], 1, 0);
      } else {
        world.recv(new int[1000], 0, 0);
      }
    }, () -> {}, Twins.LIMITS).all().finding();
    assertNotNull(found);
    assertEquals(Kind.UNREPEATABLE, found.kind());
    assertTrue(found.text().contains("call 1 of rank 0 was once a send of rank 1"), found::text);
  }

  @Test
  void aRankThatComputesForEver() {
    Explorer.Limits limits = new Explorer.Limits(10, Duration.ofSeconds(60), Duration.ofMillis(300));
    Exploration.Finding found = new Explorer(2, Map.of("ffmpi.errors", "return"), (mpi, results) -> {
      long end = System.nanoTime() + Duration.ofMillis(1_500).toNanos();
      while (mpi.world().rank() == 1 && System.nanoTime() < end) {
        Thread.onSpinWait();
      }
      mpi.world().barrier();
    }, () -> {}, limits).all().finding();
    assertNotNull(found);
    assertEquals(Kind.STUCK, found.kind());
    assertTrue(found.text().startsWith("rank 1 has made no call"), found::text);
  }

  @Test
  void anotherThreadOfARank() {
    Exploration.Finding found = new Explorer(1, Map.of("ffmpi.errors", "return"), (mpi, results) -> {
      Throwable[] thrown = new Throwable[1];
      Thread other = Thread.ofPlatform().start(() -> {
        try {
          mpi.world().send(new int[1], 0, 0);
        } catch (RuntimeException e) {
          thrown[0] = e;
        }
      });
      other.join();
      throw new IllegalStateException(thrown[0]);
    }, () -> {}, Twins.LIMITS).all().finding();
    assertNotNull(found);
    assertTrue(found.text().contains("orders cannot be explored: rank 0 calls from thread"), found::text);
  }

  @Test
  void aMessageOfAnotherType() {
    Exploration.Finding found = expect(Kind.EXCEPTION, 2, (world, wrong, results) -> {
      if (world.rank() == 0) {
        send(world, 1, 1, 0);
      } else if (wrong) {
        world.recv(new float[1], 0, 0);
      } else {
        receive(world, 0, 0);
      }
    });
    assertTrue(found.text().contains("carries elements of int (INT32_T), but the receive expects float"),
        found::text);
  }

  @Test
  void aMistakeBehindTheCloseThatFollows() {
    Exploration.Finding found = expect(Kind.EXCEPTION, 2, (world, wrong, results) -> {
      try (Win _ = ((IntraComm) world).winAllocate(8, 8)) {
        assertTrue(!wrong || world.rank() == 1, "planted");
        world.barrier();
      }
    });
    assertTrue(found.text().startsWith("rank 0 of 2: planted"), found::text);
    assertTrue(found.text().contains("then no rank can go on"), found::text);
  }

  private static void expectUnexplored(String reason, Explorer.Body body) {
    Exploration.Finding found =
        new Explorer(2, Map.of("ffmpi.errors", "return"), body, () -> {}, Twins.LIMITS).all().finding();
    assertNotNull(found, reason);
    assertEquals(Kind.UNREPEATABLE, found.kind(), found::text);
    assertTrue(found.text().startsWith("orders cannot be explored: "), found::text);
    assertTrue(found.text().contains(reason), found::text);
  }

  @Test
  void whatCannotBeExplored() {
    expectUnexplored("has a generalized request that", (mpi, results) -> {
      Grequest request = Grequest.start(mpi, status -> {});
      Thread.ofPlatform().start(() -> {
        try {
          request.complete();
        } catch (MpiException e) {
          // the run has been given up before
        }
      });
      request.await();
    });
    expectUnexplored("calls from thread", (mpi, results) -> {
      Thread other = Thread.ofVirtual().start(() -> {
        try {
          mpi.world().barrier();
        } catch (MpiException e) {
          // nobody tells the rank
        }
      });
      other.join();
    });
    expectUnexplored("is completed by a progress thread", (mpi, results) -> {
      Request request = mpi.world().irecv(new int[1], mpi.world().rank(), 0);
      try {
        request.toCompletableFuture();
      } finally {
        mpi.world().send(new int[1], mpi.world().rank(), 0);
        request.await();
      }
    });
    int[] runs = new int[1];
    expectUnexplored("call 1 of rank 0 was once a send of rank 1, tag 0, 4 bytes and once", (mpi, results) -> {
      if (mpi.world().rank() == 0) {
        mpi.world().send(new int[++runs[0]], 1, 0);
      } else {
        mpi.world().recv(new int[10], 0, 0);
      }
    });
  }

  @Test
  void aLoopThatLooksForEver() {
    expect(Kind.DEADLOCK, 2, (world, wrong, results) -> {
      if (world.rank() == 1) {
        send(world, 1, 0, 0);
        return;
      }
      while (world.iprobe(1, wrong ? 1 : 0).isEmpty()) {
        Thread.onSpinWait();
      }
      receive(world, 1, 0);
    });
  }
}
