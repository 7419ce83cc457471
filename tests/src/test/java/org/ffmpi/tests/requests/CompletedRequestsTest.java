// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.requests;

import static org.ffmpi.base.Constants.ANY_SOURCE;
import static org.ffmpi.base.Constants.ANY_TAG;
import static org.ffmpi.base.Constants.UNDEFINED;
import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Errhandler;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.RequestException;
import org.ffmpi.Status;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.EveryTransport;
import org.junit.jupiter.api.DisplayName;

/** Each request is found complete once, in lists of every kind, and is as MPI_REQUEST_NULL afterwards. */
class CompletedRequestsTest {
  /** How a program may hold its requests: in lists whose entries a call cannot make null, and one where it can. */
  private enum Form {
    LIST_OF, TO_LIST, AS_LIST, VIEW, MADE_ANEW;

    List<Request> of(Request... requests) {
      return switch (this) {
        case LIST_OF, MADE_ANEW -> List.of(requests);
        case TO_LIST -> Stream.of(requests).toList();
        case AS_LIST -> Arrays.asList(requests.clone());
        case VIEW -> Collections.unmodifiableList(new ArrayList<>(List.of(requests)));
      };
    }
  }

  private static void assertEmpty(Status status) {
    assertEquals(ANY_SOURCE, status.source());
    assertEquals(ANY_TAG, status.tag());
    assertEquals(0, status.bytes());
    assertEquals(ErrorClass.SUCCESS, status.error());
    assertFalse(status.isCancelled());
  }

  /** Rank 0 sends twice and receives once; rank 1 answers when it has both messages and a go. */
  private static void exchange(Comm world, BiConsumer<Request[], Runnable> check) {
    if (world.rank() == 0) {
      Request[] requests = {
        world.isend(new int[] {1}, 1, 1), world.irecv(new int[1], 1, 2), world.isend(new int[] {2}, 1, 3)
      };
      check.accept(requests, () -> world.send(new int[0], 1, 4));
    } else {
      int[] data = new int[1];
      world.recv(data, 0, 3);
      world.recv(data, 0, 1);
      world.recv(new int[0], 0, 4);
      world.send(data, 0, 2);
    }
  }

  @EveryTransport
  @MpiTest(ranks = 2)
  @DisplayName("S1-2.5.2-b: waitAny and testAny find each request of any list once, then none")
  void anyFindsEachOnce(Comm world) {
    for (boolean blocking : new boolean[] {true, false}) {
      for (Form form : Form.values()) {
        exchange(world, (requests, go) -> {
          List<Request> list = form.of(requests);
          Set<Integer> seen = new HashSet<>();
          while (seen.size() < 3) {
            List<Request> asked = form == Form.MADE_ANEW ? form.of(requests) : list;
            OptionalInt found = blocking ? OptionalInt.of(Request.waitAny(asked)) : Request.testAny(asked);
            if (found.isPresent()) {
              assertTrue(seen.add(found.getAsInt()), form + ": " + found + " again, after " + seen);
              if (seen.size() == 2) {
                assertEquals(Set.of(0, 2), seen);
                go.run();
              }
            }
          }
          assertEquals(UNDEFINED, Request.waitAny(list));
          assertEquals(OptionalInt.of(UNDEFINED), Request.testAny(list));
          assertTrue(Arrays.stream(requests).noneMatch(Request::isActive));
        });
      }
    }
  }

  @EveryTransport
  @MpiTest(ranks = 2)
  @DisplayName("S1-2.5.2-b: waitSome and testSome find each request of any list once, then none")
  void someFindEachOnce(Comm world) {
    for (boolean blocking : new boolean[] {true, false}) {
      for (Form form : Form.values()) {
        exchange(world, (requests, go) -> {
          List<Request> list = form.of(requests);
          go.run();
          int sum = 0;
          Set<Integer> seen = new HashSet<>();
          while (sum < 3) {
            List<Request> asked = form == Form.MADE_ANEW ? form.of(requests) : list;
            int[] found = blocking ? Request.waitSome(asked) : Request.testSome(asked);
            sum += found.length;
            Arrays.stream(found).forEach(seen::add);
          }
          assertEquals(3, sum);
          assertEquals(Set.of(0, 1, 2), seen);
          assertSame(Request.NONE_ACTIVE, Request.waitSome(list));
        });
      }
    }
  }

  @MpiTest(ranks = 2, processes = true)
  void eachOnceInProcesses(Comm world) {
    exchange(world, (requests, go) -> {
      List<Request> list = List.of(requests);
      assertEquals(0, Request.waitAny(list));
      assertEquals(2, Request.waitAny(list));
      go.run();
      assertEquals(1, Request.waitAny(list));
      assertEquals(UNDEFINED, Request.waitAny(list));
    });
  }

  /** More sends at the same time than are ever kept for reuse, completed in several ways. */
  @MpiTest(ranks = 2)
  void manySendsAreAllFound(Comm world) {
    int n = 3_000;
    int later = 200;
    int rounds = 2;
    if (world.rank() == 0) {
      for (int round = 0; round < rounds; round++) {
        List<Request> list = IntStream.range(0, n).mapToObj(i -> world.isend(new byte[1], 1, i)).toList();
        assertTrue(list.stream().allMatch(Request::isActive));
        boolean[] seen = new boolean[n];
        for (int k = 0; k < 10; k++) {
          int i = Request.waitAny(list);
          assertFalse(seen[i]);
          seen[i] = true;
        }
        list.get(n - 1).await();
        seen[n - 1] = true;
        for (int found = 11; found < n; ) {
          for (int i : Request.waitSome(list)) {
            assertFalse(seen[i]);
            seen[i] = true;
            found++;
          }
        }
        assertSame(Request.NONE_ACTIVE, Request.testSome(list));
        for (int i = 0; i < later; i++) {
          world.isend(new byte[1], 1, i).await();
        }
        List<Request> others = IntStream.range(0, later).mapToObj(i -> world.isend(new byte[1], 1, i)).toList();
        assertTrue(list.stream().noneMatch(Request::isActive), "they are not those of later sends");
        assertSame(Request.NONE_ACTIVE, Request.testSome(list));
        Request.waitAll(others);
      }
    } else {
      byte[] data = new byte[1];
      for (int i = 0; i < rounds * (n + 2 * later); i++) {
        world.recv(data, 0, ANY_TAG);
      }
    }
  }

  /** A program that looks at requests it has completed finds them as they are, whatever it sends later. */
  @MpiTest(ranks = 1)
  void completedSendsStayCompleted(Comm world) {
    byte[] data = new byte[4];
    List<Request> kept = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      Request send = world.isend(data, 0, 1);
      assertTrue(send.isActive());
      switch (i % 4) {
        case 0 -> send.await();
        case 1 -> assertEmpty(send.await(new Status()));
        case 2 -> assertTrue(send.test());
        default -> send.close();
      }
      assertFalse(send.isActive());
      kept.add(send);
      world.recv(data, 0, 1);
    }
    assertTrue(kept.stream().noneMatch(Request::isActive));
    assertEquals(500, Set.copyOf(kept).size());
    assertEquals(UNDEFINED, Request.waitAny(kept));
  }

  /** Each of several threads has requests of its own, and one thread may complete those of another. */
  @MpiTest(ranks = 1)
  void sendsOfManyThreads(Comm world) throws InterruptedException {
    int threads = 40;
    int sends = 30;
    Request[] all = new Request[threads * sends];
    List<Thread> started = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      int number = t;
      Runnable work = () -> {
        for (int i = 0; i < sends; i++) {
          world.isend(new byte[1], 0, 2).await();
          all[number * sends + i] = world.isend(new byte[1], 0, 2);
        }
      };
      started.add(t % 2 == 0 ? Thread.ofVirtual().start(work) : Thread.ofPlatform().start(work));
    }
    for (Thread thread : started) {
      thread.join();
    }
    List<Request> list = List.of(all);
    assertEquals(all.length, Set.copyOf(list).size());
    for (int i = 0; i < all.length; i++) {
      assertEquals(i, Request.waitAny(list));
    }
    assertEquals(UNDEFINED, Request.waitAny(list));
    for (int i = 0; i < 2 * all.length; i++) {
      world.recv(new byte[1], 0, 2);
    }
  }

  @MpiTest(ranks = 1)
  void aCompletedSendIsInactive(Comm world) {
    byte[] data = new byte[4];
    Request send = world.isend(data, 0, 1);
    send.await();
    assertFalse(send.isActive());
    send.close();
    assertFalse(send.isActive());
    while (send.isActive()) {
      send.test();
    }
    Request other = world.isend(data, 0, 1);
    while (other.isActive()) {
      other.test();
    }
    assertEmpty(other.getStatus().orElseThrow());
    assertError(ErrorClass.ERR_REQUEST, other::cancel, "not active");
    Request last = world.isend(data, 0, 1);
    last.cancel();
    assertTrue(last.isActive());
    assertFalse(last.await(new Status()).isCancelled());
    for (int i = 0; i < 3; i++) {
      world.recv(data, 0, 1);
    }
  }

  @MpiTest(ranks = 1)
  @DisplayName("none complete and none active can be told apart")
  void noneCompleteOrNoneActive(Comm world) {
    Persistent idle = world.recvInit(Buf.of(new int[1]), 0, 9);
    List<Request> pending = List.of(world.irecv(new int[1], 0, 1), idle, world.irecv(new int[1], 0, 2));
    List<Request> none = Arrays.asList(null, idle, null);
    for (int[] found : List.of(Request.testSome(pending), Request.getStatusSome(pending))) {
      assertEquals(0, found.length);
      assertNotSame(Request.NONE_ACTIVE, found);
    }
    Status[] statuses = new Status[3];
    for (int[] found : List.of(
        Request.testSome(none), Request.waitSome(none), Request.getStatusSome(none), Request.testSome(none, statuses),
        Request.waitSome(none, statuses), Request.getStatusSome(none, statuses), Request.testSome(List.of()))) {
      assertSame(Request.NONE_ACTIVE, found);
      assertEquals(0, found.length);
    }
    Status status = new Status();
    assertEquals(OptionalInt.of(UNDEFINED), Request.getStatusAny(List.of(idle)));
    assertEquals(OptionalInt.of(UNDEFINED), Request.getStatusAny(none, status));
    assertEmpty(status);
    assertEquals(OptionalInt.empty(), Request.getStatusAny(pending));
    for (Request r : List.of(pending.get(0), pending.get(2))) {
      r.cancel();
      r.await();
    }
    idle.close();
  }

  // ---- errors

  /** Three receives by rank 0, of which those with the given tags get more than they have room for. */
  private static Request[] receives(Comm world, Integer... tooLong) {
    if (world.rank() == 0) {
      Request[] requests = {
        world.irecv(new int[1], 1, 0), world.irecv(new int[1], 1, 1), world.irecv(new int[1], 1, 2)
      };
      world.send(new int[0], 1, 9);
      return requests;
    }
    world.recv(new int[0], 0, 9);
    for (int tag = 0; tag < 3; tag++) {
      world.send(new int[List.of(tooLong).contains(tag) ? 2 : 1], 0, tag);
    }
    return null;
  }

  private static void awaitAll(Request... requests) {
    while (!Request.getStatusAll(List.of(requests))) {
      Thread.onSpinWait();
    }
  }

  @MpiTest(ranks = 2)
  @DisplayName("the error of waitAny and testAny says which request has failed")
  void anySaysWhichHasFailed(Comm world) {
    for (boolean blocking : new boolean[] {true, false}) {
      for (boolean fixed : new boolean[] {true, false}) {
        Request[] requests = receives(world, 1);
        if (requests == null) {
          continue;
        }
        List<Request> list = fixed ? List.of(requests) : Arrays.asList(requests);
        awaitAll(requests.clone());
        assertEquals(0, blocking ? Request.waitAny(list) : Request.testAny(list).orElseThrow());
        Status status = new Status();
        RequestException error = assertThrows(RequestException.class, () -> {
          if (blocking) {
            Request.waitAny(list, status);
          } else {
            Request.testAny(list, status);
          }
        });
        assertEquals(ErrorClass.ERR_TRUNCATE, error.errorClass());
        assertArrayEquals(new int[] {1}, error.completed());
        assertArrayEquals(new int[] {1}, error.failed());
        assertSame(error.getCause(), error.error(1));
        assertTrue(error.getMessage().contains("request 1"), error.getMessage());
        assertEquals(1, status.tag());
        assertError(ErrorClass.ERR_ARG, () -> error.error(0), "index = 0");
        assertEquals(2, blocking ? Request.waitAny(list) : Request.testAny(list).orElseThrow());
        assertEquals(UNDEFINED, Request.waitAny(list));
      }
    }
  }

  @MpiTest(ranks = 2)
  @DisplayName("ERR_IN_STATUS of waitSome and testSome says what was completed, and each status how it ended")
  void someSayWhatTheyHaveCompleted(Comm world) {
    for (boolean blocking : new boolean[] {true, false}) {
      for (boolean fixed : new boolean[] {true, false}) {
        Request[] requests = receives(world, 2);
        if (requests == null) {
          continue;
        }
        Request pending = world.irecv(new int[1], 1, 100);
        Request[] all = {pending, requests[0], requests[2]};
        List<Request> list = fixed ? List.of(all) : Arrays.asList(all.clone());
        awaitAll(requests);
        Status[] statuses = new Status[3];
        RequestException error = assertThrows(
            RequestException.class,
            () -> {
              if (blocking) {
                Request.waitSome(list, statuses);
              } else {
                Request.testSome(list, statuses);
              }
            });
        assertEquals(ErrorClass.ERR_IN_STATUS, error.errorClass());
        assertArrayEquals(new int[] {1, 2}, error.completed());
        assertArrayEquals(new int[] {2}, error.failed());
        assertEquals(ErrorClass.ERR_TRUNCATE, error.error(2).errorClass());
        assertSame(error.getSuppressed()[0], error.error(2));
        assertEquals(ErrorClass.SUCCESS, statuses[0].error());
        assertEquals(ErrorClass.ERR_TRUNCATE, statuses[1].error());
        assertEquals(List.of(0, 2), List.of(statuses[0].tag(), statuses[1].tag()));
        assertTrue(pending.isActive());
        assertEquals(0, Request.testSome(list).length);
        pending.cancel();
        assertArrayEquals(new int[] {0}, Request.waitSome(list));
        requests[1].await();
      }
    }
  }

  @MpiTest(ranks = 2)
  @DisplayName("an error is told once: then the request is as MPI_REQUEST_NULL")
  void anErrorIsToldOnce(Comm world) {
    Request[] requests = receives(world, 0, 1, 2);
    if (requests == null) {
      return;
    }
    AtomicInteger told = new AtomicInteger();
    world.setErrhandler(Errhandler.of((Comm comm, MpiException error) -> told.incrementAndGet()));
    Request one = requests[0];
    assertError(ErrorClass.ERR_TRUNCATE, one::await);
    assertEquals(1, told.get());
    one.await();
    assertEmpty(one.await(new Status()));
    assertTrue(one.test());
    assertEmpty(one.getStatus().orElseThrow());
    Request.waitAll(List.of(one));
    assertTrue(Request.testAll(List.of(one)));
    one.close();
    List<Request> others = List.of(requests[1], requests[2]);
    Status[] statuses = new Status[2];
    RequestException error = assertThrows(RequestException.class, () -> Request.waitAll(others, statuses));
    assertArrayEquals(new int[] {0, 1}, error.failed());
    assertArrayEquals(new int[] {0, 1}, error.completed());
    assertEquals(2, told.get());
    Request.waitAll(others, statuses);
    assertEmpty(statuses[1]);
    assertEquals(2, told.get());
    world.setErrhandler(Errhandler.RETURN);
  }

  @MpiTest(ranks = 2)
  @DisplayName("waitAll with an operation that has failed waits for the others all the same")
  void waitAllWaitsForThoseAfterTheFailed(Comm world) throws InterruptedException {
    if (world.rank() == 0) {
      int[] last = new int[1];
      List<Request> list =
          List.of(world.irecv(new int[1], 1, 0), world.irecv(new int[1], 1, 1), world.irecv(last, 1, 2));
      awaitAll(list.get(0), list.get(1));
      assertFalse(Request.testAll(list));
      world.send(new int[0], 1, 9);
      Status[] statuses = new Status[3];
      assertError(ErrorClass.ERR_IN_STATUS, () -> Request.waitAll(list, statuses), "request 1: MPI_ERR_TRUNCATE");
      assertEquals(
          List.of(ErrorClass.SUCCESS, ErrorClass.ERR_TRUNCATE, ErrorClass.SUCCESS),
          Arrays.stream(statuses).map(Status::error).toList());
      assertEquals(7, last[0]);
    } else {
      world.send(new int[1], 0, 0);
      world.send(new int[2], 0, 1);
      world.recv(new int[0], 0, 9);
      Thread.sleep(20);
      world.send(new int[] {7}, 0, 2);
    }
  }
}
