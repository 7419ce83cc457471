// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.explore;

import static org.ffmpi.base.Constants.ANY_SOURCE;
import static org.ffmpi.base.Constants.ANY_TAG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Epoch;
import org.ffmpi.IntraComm;
import org.ffmpi.Op;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.Win;
import org.ffmpi.explore.Exploration;
import org.ffmpi.explore.Explorer;
import org.junit.jupiter.api.Test;

/**
 * Small programs whose messages can come in several orders, each with mutations that are right in some order. Exploring
 * finds each of them, finds nothing in the program as it should be, and each line of choices shows the mistake again.
 */
class MutantsTest {
  /** No mutation. */
  private static final String NONE = "";

  /** How many orders are tried to see that a mutant is right in one. */
  private static final int PLAIN_RUNS = 40;

  /** A program with its mutations. */
  @FunctionalInterface
  private interface Program {
    /** Runs one rank. */
    void run(IntraComm world, String mutation) throws Exception;
  }

  private static Explorer explorer(int ranks, Program program, String mutation) {
    return new Explorer(ranks, Map.of("ffmpi.errors", "return"),
        (mpi, results) -> program.run(mpi.world(), mutation), () -> {}, Twins.LIMITS);
  }

  private static void expectFound(int ranks, Program program, String... mutations) {
    Exploration right = explorer(ranks, program, NONE).all();
    assertNull(right.finding(), () -> right.finding().text());
    assertTrue(right.complete(), right::summary);
    for (String mutation : mutations) {
      Exploration wrong = explorer(ranks, program, mutation).all();
      Exploration.Finding found = wrong.finding();
      assertNotNull(found, () -> mutation + ": not found");
      assertTrue(wrong.orders() > 0 || isRightInSomeOrder(ranks, program, mutation),
          () -> mutation + ": wrong in every order");
      Exploration.Finding again = explorer(ranks, program, mutation).one(found.choices()).finding();
      assertNotNull(again, () -> mutation + ": right with " + found.choices());
      assertEquals(found.kind() + found.text().lines().findFirst().orElseThrow(),
          again.kind() + again.text().lines().findFirst().orElseThrow(), mutation);
    }
  }

  private static boolean isRightInSomeOrder(int ranks, Program program, String mutation) {
    for (int seed = 0; seed < PLAIN_RUNS; seed++) {
      if (explorer(ranks, program, mutation).some(1, seed).finding() == null) {
        return true;
      }
    }
    return false;
  }

  private static int receive(Comm world, int source, int tag) {
    return receive(world, source, tag, new Status());
  }

  private static int receive(Comm world, int source, int tag, Status status) {
    int[] message = new int[1];
    world.recv(message, source, tag, status);
    return message[0];
  }

  private static void send(Comm world, int value, int to, int tag) {
    world.send(new int[] {value}, to, tag);
  }

  /** Rank 0 gives tasks to whom is free, and squares come back. */
  @Test
  void aFarm() {
    int tasks = 3;
    int stop = 9;
    expectFound(3, (world, mutation) -> {
      Status status = new Status();
      if (world.rank() != 0) {
        while (true) {
          int task = receive(world, 0, ANY_TAG, status);
          if (status.tag() == stop) {
            return;
          }
          send(world, task * task, 0, status.tag());
        }
      }
      int given = 0;
      int[] squares = new int[tasks];
      int workers = world.size() - 1;
      for (int worker = 1; worker <= workers; worker++) {
        send(world, given + 1, worker, given++);
      }
      for (int got = 0; got < tasks; got++) {
        int square = receive(world, ANY_SOURCE, ANY_TAG, status);
        squares[mutation.equals("results in the order of arrival") ? got : status.tag()] = square;
        int worker = mutation.equals("the loop index for the source") ? 1 + got % workers : status.source();
        if (given < tasks) {
          send(world, given + 1, worker, given++);
        } else {
          send(world, 0, worker, stop);
        }
      }
      for (int i = 0; i < tasks; i++) {
        assertEquals((i + 1) * (i + 1), squares[i]);
      }
    }, "results in the order of arrival", "the loop index for the source");
  }

  /** Ranks take numbers of tasks from a counter in a window. */
  @Test
  void aQueueOfWork() {
    int tasks = 2;
    expectFound(2, (world, mutation) -> {
      int done = 0;
      try (Win win = world.winAllocate(4, 4)) {
        int[] next = new int[1];
        int[] one = {1};
        while (next[0] < tasks) {
          try (Epoch _ = win.lockAll()) {
            if (mutation.isEmpty()) {
              win.fetchAndOp(Buf.of(one), Buf.of(next), 0, 0, Op.SUM);
            } else {
              win.get(Buf.of(next), 0, 0);
              win.flush(0);
              win.put(Buf.of(new int[] {next[0] + 1}), 0, 0);
            }
          }
          done += next[0] < tasks ? 1 << 4 * next[0] : 0;
        }
        int[] all = new int[1];
        world.allreduce(Buf.of(new int[] {done}), Buf.of(all), Op.SUM);
        assertEquals(0x11, all[0]);
      }
    }, "get and put for fetchAndOp");
  }

  /** The longest of several computations, whose results come as they are ready. */
  @Test
  void aSearchForTheLongest() {
    int[] lengths = {0, 7, 9, 8};
    expectFound(4, (world, mutation) -> {
      if (world.rank() != 0) {
        send(world, lengths[world.rank()], 0, 0);
        return;
      }
      int longest = 0;
      int where = 0;
      Status status = new Status();
      for (int i = 1; i < world.size(); i++) {
        int length = receive(world, ANY_SOURCE, 0, status);
        boolean better = mutation.equals("the last that is long enough") ? length >= 8 : length > longest;
        if (better) {
          longest = length;
          where = mutation.equals("the loop index for the source") ? i : status.source();
        }
      }
      assertEquals(2, where);
      assertEquals(9, longest);
    }, "the loop index for the source", "the last that is long enough");
  }

  /** Rank 0 counts solutions of parts; a worker sends as many messages as it finds, and then how many these were. */
  @Test
  void queens() {
    int found = 1;
    int end = 2;
    expectFound(3, (world, mutation) -> {
      if (world.rank() != 0) {
        for (int i = 0; i < world.rank(); i++) {
          send(world, 1, 0, found);
        }
        send(world, world.rank(), 0, end);
        return;
      }
      Status status = new Status();
      int solutions = 0;
      int ended = 0;
      int ends = mutation.equals("one end is enough") ? 1 : 2;
      while (ended < ends) {
        int value = receive(world, ANY_SOURCE, ANY_TAG, status);
        if (status.tag() == found) {
          solutions += value;
        } else {
          ended++;
        }
      }
      if (ends == 1) {
        while (world.iprobe(ANY_SOURCE, ANY_TAG).isPresent()) {
          receive(world, ANY_SOURCE, ANY_TAG, status);
          solutions += status.tag() == found ? 1 : 0;
        }
      }
      assertEquals(3, solutions);
    }, "one end is enough");
  }

  /** A token goes round, and a rank that looks for it has other messages, too. */
  @Test
  void aRingWithProbes() {
    int token = 1;
    int other = 2;
    expectFound(3, (world, mutation) -> {
      int next = (world.rank() + 1) % world.size();
      int before = (world.rank() + world.size() - 1) % world.size();
      if (world.rank() == 0) {
        send(world, 5, 2, other);
        send(world, 1, next, token);
        assertEquals(3, receive(world, before, token));
        return;
      }
      int open = world.rank();
      while (open > 0) {
        if (mutation.equals("no second look") && world.rank() == 2) {
          if (world.iprobe(ANY_SOURCE, token).isEmpty()) {
            assertEquals(5, receive(world, 0, other));
          }
          open = 0;
        }
        Status status = world.probe(ANY_SOURCE, ANY_TAG);
        int tag = mutation.equals("ANY_TAG for the tag of the probe") ? ANY_TAG : status.tag();
        int source = mutation.isEmpty() ? status.source() : ANY_SOURCE;
        int value = receive(world, source, tag);
        if (status.tag() == token) {
          assertEquals(world.rank(), value);
          send(world, value + 1, next, token);
        } else {
          assertEquals(5, value);
        }
        open--;
      }
    }, "ANY_TAG for the tag of the probe", "no second look");
  }

  /** A lock by compareAndSwap around an update of two words. */
  @Test
  void aLockOfOnesOwn() {
    expectFound(2, (world, mutation) -> {
      try (Win win = world.winAllocate(8, 4)) {
        int[] found = {1};
        int[] value = new int[1];
        try (Epoch _ = win.lockAll()) {
          do {
            win.compareAndSwap(Buf.of(new int[] {1}), Buf.of(new int[] {0}), Buf.of(found), 0, 0);
            win.flush(0);
          } while (found[0] != 0 && !mutation.equals("the lock is not taken"));
          win.get(Buf.of(value), 0, 1);
          win.flush(0);
          if (mutation.equals("given back too early")) {
            win.accumulate(Buf.of(new int[] {0}), 0, 0, Op.REPLACE);
            win.flush(0);
          }
          win.put(Buf.of(new int[] {value[0] + 1}), 0, 1);
          win.flush(0);
          if (!mutation.equals("given back too early")) {
            win.accumulate(Buf.of(new int[] {0}), 0, 0, Op.REPLACE);
            win.flush(0);
          }
          world.barrier();
          win.get(Buf.of(value), 0, 1);
          win.flush(0);
        }
        assertEquals(2, value[0]);
        world.barrier();
      }
    }, "the lock is not taken", "given back too early");
  }

  /** Receives that are completed as they come. */
  @Test
  void receivesAsTheyCome() {
    expectFound(3, (world, mutation) -> {
      if (world.rank() != 0) {
        send(world, world.rank(), 0, 0);
        return;
      }
      int[][] messages = new int[2][1];
      List<Request> requests =
          new ArrayList<>(List.of(world.irecv(messages[0], 1, 0), world.irecv(messages[1], 2, 0)));
      int sum = 0;
      if (mutation.startsWith("waitSome")) {
        for (int got = 0; got < 2;) {
          int[] ready = Request.waitSome(requests);
          got += ready.length;
          sum += messages[ready[0]][0];
        }
      } else if (mutation.startsWith("a test")) {
        sum += requests.get(0).test() ? messages[0][0] : 0;
        requests.get(1).await();
        sum += messages[1][0];
        requests.get(0).await();
      } else {
        for (int i = 0; i < 2; i++) {
          int ready = Request.waitAny(requests);
          sum += messages[mutation.isEmpty() ? ready : i][0];
        }
      }
      assertEquals(3, sum);
    }, "waitSome has one result", "a test without another", "the index of waitAny is ignored");
  }

  /** An exchange in a ring. */
  @Test
  void anExchange() {
    expectFound(3, (world, mutation) -> {
      int next = (world.rank() + 1) % world.size();
      int before = (world.rank() + world.size() - 1) % world.size();
      int[] halo = {-1};
      int[] own = {world.rank()};
      switch (mutation) {
        case "sends before receives" -> {
          world.send(own, next, 0);
          world.recv(halo, before, 0);
        }
        case "a wait too early" -> {
          world.isend(own, next, 0).await();
          world.recv(halo, before, 0);
        }
        case "the halo before its wait" -> {
          Request receive = world.irecv(halo, before, 0);
          Request send = world.isend(own, next, 0);
          receive.test();
          int seen = halo[0];
          Request.waitAll(List.of(receive, send));
          halo[0] = seen;
        }
        case "from any source" -> {
          Request receive = world.irecv(halo, ANY_SOURCE, 0);
          Request send = world.isend(own, next, 0);
          world.send(own, before, 0);
          receive.await();
          receive(world, ANY_SOURCE, 0);
          send.await();
        }
        default -> {
          Request receive = world.irecv(halo, before, 0);
          world.send(own, next, 0);
          receive.await();
        }
      }
      assertEquals(before, halo[0]);
    }, "sends before receives", "a wait too early", "the halo before its wait", "from any source");
  }

  /** Two rounds of messages to rank 0. */
  @Test
  void rounds() {
    expectFound(3, (world, mutation) -> {
      for (int round = 0; round < 2; round++) {
        if (world.rank() == 0) {
          for (int i = 1; i < world.size(); i++) {
            assertEquals(round, receive(world, ANY_SOURCE, mutation.equals("ANY_TAG for the round") ? ANY_TAG : round));
          }
        } else {
          send(world, round, 0, round);
        }
      }
    }, "ANY_TAG for the round");
  }

  /** What is first by chance is each of two in the runs with buffering, and in those without. */
  @Test
  void someOrdersBeginWithEither() {
    Set<Integer> first = ConcurrentHashMap.newKeySet();
    Explorer explorer = explorer(3, (world, mutation) -> {
      if (world.rank() != 0) {
        send(world, world.rank(), 0, 0);
      } else {
        first.add(receive(world, ANY_SOURCE, 0));
        receive(world, ANY_SOURCE, 0);
      }
    }, NONE);
    assertEquals(4, explorer.some(40, 42).orders());
    assertEquals(Set.of(1, 2), first);
  }
}
