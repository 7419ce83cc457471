// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.explore;

import static org.ffmpi.base.Constants.ANY_SOURCE;
import static org.ffmpi.base.Constants.ANY_TAG;
import static org.ffmpi.testkit.MpiTest.ALL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.IntraComm;
import org.ffmpi.Message;
import org.ffmpi.Op;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.Win;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.testkit.Orders;
import org.junit.jupiter.api.BeforeEach;

/** Correct programs of all kinds of calls, in every order: none is reported, and each gives the same result. */
class RightOrdersTest {
  private final List<String> seen = new ArrayList<>();
  private boolean begun;

  @BeforeEach
  void eachRunHasAnInstance() {
    assertTrue(seen.isEmpty() && !begun);
    begun = true;
  }

  @MpiTest(ranks = {2, 3}, orders = ALL)
  void messagesOfOneSenderDoNotOvertake(Comm world) {
    seen.add("rank " + world.rank());
    if (world.rank() != 0) {
      for (int i = 0; i < 3; i++) {
        world.send(new int[] {world.rank(), i}, 0, i % 2);
      }
      return;
    }
    int[] next = new int[world.size()];
    int[] message = new int[2];
    for (int i = 0; i < 3 * (world.size() - 1); i++) {
      world.recv(message, ANY_SOURCE, ANY_TAG);
      assertEquals(next[message[0]]++, message[1]);
    }
  }

  @MpiTest(ranks = 3, orders = ALL)
  void collectiveCallsHaveOneOrder(IntraComm world, Orders orders) {
    int[] sum = new int[1];
    world.allreduce(Buf.of(new int[] {world.rank()}), Buf.of(sum), Op.SUM);
    assertEquals(3, sum[0]);
    int[] all = new int[3];
    world.allgather(Buf.of(new int[] {world.rank()}), Buf.of(all));
    orders.same("all", all);
    try (IntraComm half = world.split(world.rank() % 2, 0)) {
      half.barrier();
    }
    Request barrier = world.ibarrier();
    while (!barrier.test()) {
      Thread.onSpinWait();
    }
  }

  @MpiTest(ranks = 3, orders = ALL)
  void objects(Comm world) {
    if (world.rank() != 0) {
      world.sendObject(List.of("from", world.rank()), 0, 0);
      return;
    }
    List<Object> got = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      List<?> list = (List<?>) world.recvObject(ANY_SOURCE, 0);
      got.add(list.get(1));
    }
    got.sort(null);
    assertEquals(List.of(1, 2), got);
  }

  /** Ranks that do not know from whom messages come, and end by a barrier that does not block. */
  @MpiTest(ranks = 2, orders = ALL)
  void consensusByABarrier(IntraComm world) {
    Request sent = world.issend(new int[] {world.rank()}, (world.rank() + 1) % world.size(), 0);
    Request barrier = null;
    int[] message = new int[1];
    int received = 0;
    while (barrier == null || !barrier.test()) {
      Optional<Message> found = world.improbe(ANY_SOURCE, 0);
      if (found.isPresent()) {
        found.get().mrecv(Buf.of(message));
        assertEquals((world.rank() + 1) % world.size(), message[0]);
        received++;
      }
      if (barrier == null && sent.test()) {
        barrier = world.ibarrier();
      }
    }
    assertEquals(1, received);
  }

  @MpiTest(ranks = 3, orders = ALL)
  void listsOfRequests(Comm world, Orders orders) {
    if (world.rank() != 0) {
      world.ssend(new int[] {world.rank()}, 0, 0);
      world.send(new int[] {10 * world.rank()}, 0, 1);
      return;
    }
    int[][] messages = new int[4][1];
    List<Request> requests = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      requests.add(world.irecv(messages[i], 1 + i % 2, i / 2));
    }
    int open = 4;
    while (open > 0) {
      open -= Request.waitSome(requests).length;
      if (open > 0 && Request.testAny(requests).isPresent()) {
        open--;
      }
    }
    orders.same("all", Arrays.deepToString(messages));
  }

  @MpiTest(ranks = 2, orders = ALL)
  void copiesOfMessages(Comm world) {
    int other = 1 - world.rank();
    int[] value = {world.rank()};
    world.attachBuffer(Buf.of(new byte[1000]));
    world.bsend(value, other, 0);
    world.ibsend(value, other, 1).await();
    for (int i = 0; i < 2; i++) {
      world.recv(value, other, i);
      assertEquals(other, value[0]);
    }
    world.detachBuffer();
    world.sendrecvReplace(Buf.of(value), other, 2, other, 2);
    assertEquals(world.rank(), value[0]);
    try (Persistent send = world.sendInit(Buf.of(value), other, 3);
        Persistent receive = world.recvInit(Buf.of(new int[1]), ANY_SOURCE, 3)) {
      for (int i = 0; i < 2; i++) {
        Persistent.startAll(List.of(receive, send));
        Request.waitAll(List.of(receive, send));
      }
    }
  }

  @MpiTest(ranks = 3, orders = ALL)
  void windows(IntraComm world) {
    try (Win win = world.winAllocate(8, 1)) {
      win.fence();
      if (world.rank() != 0) {
        win.put(Buf.of(new byte[] {(byte) world.rank()}), 0, world.rank());
      }
      win.fence();
      world.barrier();
    }
  }

  @MpiTest(ranks = 3, orders = "some:200:42")
  void aQueueOfWork(Comm world) {
    int stop = 2;
    if (world.rank() != 0) {
      int[] task = new int[1];
      Status status = world.recv(task, 0, ANY_TAG, new Status());
      while (status.tag() != stop) {
        world.send(new int[] {task[0] * task[0]}, 0, 0);
        status = world.recv(task, 0, ANY_TAG, new Status());
      }
      return;
    }
    int tasks = 8;
    int given = 0;
    for (int worker = 1; worker < world.size(); worker++) {
      world.send(new int[] {++given}, worker, 1);
    }
    int sum = 0;
    int[] result = new int[1];
    for (int got = 0; got < tasks; got++) {
      Status status = world.recv(result, ANY_SOURCE, 0, new Status());
      sum += result[0];
      boolean more = given < tasks;
      world.send(new int[] {more ? ++given : 0}, status.source(), more ? 1 : stop);
    }
    assertEquals(204, sum);
  }

  @MpiTest(ranks = 3, orders = "r0<-2 r0<-1")
  void oneOrder(Comm world) {
    if (world.rank() != 0) {
      world.send(new int[] {world.rank()}, 0, 0);
      return;
    }
    int[] message = new int[1];
    for (int expected = 2; expected > 0; expected--) {
      world.recv(message, ANY_SOURCE, 0);
      assertEquals(expected, message[0]);
    }
  }
}
