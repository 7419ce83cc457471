// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.requests;

import static org.ffmpi.base.Constants.ANY_TAG;
import static org.ffmpi.base.Constants.UNDEFINED;
import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import org.ffmpi.Comm;
import org.ffmpi.Grequest;
import org.ffmpi.Mpi;
import org.ffmpi.Request;
import org.ffmpi.Requests;
import org.ffmpi.Status;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.EveryTransport;
import org.junit.jupiter.api.DisplayName;

/** Generalized requests (MPI-4.1 §13.2) and the setters of a status. */
class GrequestTest {
  /** Counts its calls, and throws what a test wants. */
  private static final class Counting implements Grequest.Callbacks {
    final AtomicInteger queries = new AtomicInteger();
    final AtomicInteger frees = new AtomicInteger();
    final List<Boolean> cancels = new ArrayList<>();
    Exception queryThrows;
    Exception freeThrows;
    Exception cancelThrows;

    @Override
    public void query(Status status) throws Exception {
      queries.incrementAndGet();
      assertEquals(0, frees.get(), "asked before it is freed");
      status.setSource(3);
      status.setTag(7);
      status.setElements(Datatype.INT, 5);
      status.setCancelled(!cancels.isEmpty() && !cancels.getFirst());
      throwIfAny(queryThrows);
    }

    @Override
    public void free() throws Exception {
      frees.incrementAndGet();
      throwIfAny(freeThrows);
    }

    @Override
    public void cancel(boolean complete) throws Exception {
      cancels.add(complete);
      throwIfAny(cancelThrows);
    }

    private static void throwIfAny(Exception e) throws Exception {
      if (e != null) {
        throw e;
      }
    }
  }

  @MpiTest(ranks = 1)
  @DisplayName("S1-12.3-c: the query callback fills the status; free comes last")
  void theCallbacksOfOneRequest(Mpi mpi) {
    Counting calls = new Counting();
    Grequest request = Grequest.start(mpi, calls);
    Status status = new Status();
    assertTrue(request.isActive());
    assertFalse(request.test());
    assertTrue(request.getStatus().isEmpty());
    assertEquals(0, calls.queries.get(), "not before it is complete");
    request.complete();
    assertEquals(7, request.getStatus().orElseThrow().tag());
    assertTrue(request.getStatus(status));
    assertEquals(2, calls.queries.get());
    assertEquals(0, calls.frees.get());
    assertTrue(request.isActive());
    assertSame(status, request.await(status));
    assertEquals(3, calls.queries.get());
    assertEquals(1, calls.frees.get());
    assertEquals(3, status.source());
    assertEquals(7, status.tag());
    assertEquals(5, status.getCount(Datatype.INT));
    assertEquals(ErrorClass.SUCCESS, status.error());
    assertFalse(status.isCancelled());
    assertEquals(0, request.await(status).bytes());
    assertEquals(3, calls.queries.get(), "inactive: nobody is asked again");
    assertFalse(request.isActive());
    request.close();
    assertEquals(1, calls.frees.get());
    assertError(ErrorClass.ERR_REQUEST, request::complete, "completed before");
  }

  @MpiTest(ranks = 1)
  void queriedAlsoWhenTheStatusIsIgnored(Mpi mpi) {
    for (int way = 0; way < 6; way++) {
      Counting calls = new Counting();
      Grequest request = Grequest.start(mpi, calls);
      request.complete();
      List<Request> list = new ArrayList<>(List.of(request));
      switch (way) {
        case 0 -> request.await();
        case 1 -> assertTrue(request.test());
        case 2 -> Request.waitAll(list);
        case 3 -> assertEquals(OptionalInt.of(0), Request.testAny(list));
        case 4 -> assertArrayEquals(new int[] {0}, Request.waitSome(list));
        default -> assertTrue(Request.testAll(list));
      }
      assertEquals(1, calls.queries.get());
      assertEquals(1, calls.frees.get());
      assertFalse(request.isActive());
    }
  }

  @MpiTest(ranks = 1)
  void whatCallbacksThrowIsTheRequestsError(Mpi mpi) {
    MpiException own = new MpiException(ErrorClass.ERR_FILE, "no such file");
    Counting calls = new Counting();
    calls.queryThrows = own;
    Grequest request = Grequest.start(mpi, calls);
    request.complete();
    Status status = new Status();
    assertTrue(request.getStatus(status));
    assertEquals(ErrorClass.SUCCESS, status.error(), "neither written nor thrown");
    assertEquals(ErrorClass.ERR_FILE, request.getStatus().orElseThrow().error());
    assertSame(own, assertError(ErrorClass.ERR_FILE, () -> request.await(status)));
    assertEquals(ErrorClass.SUCCESS, status.error());
    assertEquals(5, status.getCount(Datatype.INT), "what it had said before");
    assertEquals(1, calls.frees.get(), "freed all the same");

    Counting both = new Counting();
    both.queryThrows = new IOException("unplugged");
    both.freeThrows = new IllegalStateException("stuck");
    Grequest second = Grequest.start(mpi, both);
    second.complete();
    MpiException error = assertError(ErrorClass.ERR_OTHER, second::test, "free callback", "stuck");
    assertSame(both.freeThrows, error.getCause());
    assertSame(both.queryThrows, error.getSuppressed()[0].getCause());

    Counting cancels = new Counting();
    cancels.cancelThrows = new IOException("too late");
    Grequest third = Grequest.start(mpi, cancels);
    assertError(ErrorClass.ERR_OTHER, third::cancel, "cancel callback", "too late");
    third.complete();
    third.await();
  }

  @MpiTest(ranks = 1)
  @DisplayName("S1-12.3-a: mixed requests; each status carries its own error")
  void mixedWithOthers(Mpi mpi) {
    Comm world = mpi.world();
    Counting fine = new Counting();
    Counting failing = new Counting();
    failing.freeThrows = new MpiException(ErrorClass.ERR_NO_SPACE, "disk full");
    Grequest a = Grequest.start(mpi, fine);
    Grequest b = Grequest.start(mpi, failing);
    Grequest c = Grequest.start(mpi, new Counting());
    int[] data = new int[2];
    List<Request> list = new ArrayList<>(Arrays.asList(a, world.irecv(data, 0, 1), null, b, c));
    assertEquals(OptionalInt.empty(), Request.testAny(list));
    world.send(new int[] {1, 2}, 0, 1);
    a.complete();
    b.complete();
    Status[] statuses = new Status[5];
    assertArrayEquals(new int[] {0, 1, 3}, Request.getStatusSome(list, statuses));
    assertEquals(List.of(3, 0, 3), Arrays.stream(statuses).limit(3).map(Status::source).toList());
    assertFalse(Request.testAll(list, statuses));
    assertError(ErrorClass.ERR_IN_STATUS, () -> Request.waitSome(list, statuses), "request 3", "disk full");
    assertEquals(
        List.of(ErrorClass.SUCCESS, ErrorClass.SUCCESS, ErrorClass.ERR_NO_SPACE),
        Arrays.stream(statuses).limit(3).map(Status::error).toList());
    assertEquals(Arrays.asList(null, null, null, null, c), list);
    c.complete();
    assertEquals(4, Request.waitAny(list, statuses[0]));
    assertEquals(7, statuses[0].tag());
    assertEquals(UNDEFINED, Request.waitAny(list));
    assertEquals(2, data[1]);
  }

  @MpiTest(ranks = 1)
  void cancelTellsWhetherItIsComplete(Mpi mpi) {
    Counting calls = new Counting();
    Grequest request = Grequest.start(mpi, calls);
    request.cancel();
    assertTrue(request.isActive());
    assertFalse(request.test(), "still to be completed");
    request.complete();
    request.cancel();
    assertEquals(List.of(false, true), calls.cancels);
    assertTrue(request.await(new Status()).isCancelled());
    assertError(ErrorClass.ERR_REQUEST, request::cancel, "not active");
  }

  @MpiTest(ranks = 1)
  void givenUpBeforeOrAfterCompletion(Mpi mpi) {
    Counting first = new Counting();
    Grequest before = Grequest.start(mpi, first);
    before.close();
    assertFalse(before.isActive());
    before.await();
    assertEquals(0, first.frees.get(), "it still runs");
    before.complete();
    assertEquals(1, first.frees.get());
    assertEquals(0, first.queries.get());
    before.close();
    Counting second = new Counting();
    Grequest after = Grequest.start(mpi, second);
    after.complete();
    after.close();
    after.close();
    assertEquals(1, second.frees.get());
    assertEquals(0, second.queries.get());
    Counting third = new Counting();
    third.freeThrows = new IOException("stuck");
    Grequest failing = Grequest.start(mpi, third);
    failing.complete();
    assertError(ErrorClass.ERR_OTHER, failing::close, "stuck");
    Grequest late = Grequest.start(mpi, third);
    late.close();
    assertError(ErrorClass.ERR_OTHER, late::complete, "stuck");
  }

  @MpiTest(ranks = 1)
  void aScopeFreesThem(Mpi mpi) {
    Counting calls = new Counting();
    Grequest[] self = new Grequest[1];
    self[0] = Grequest.start(mpi, new Grequest.Callbacks() {
      @Override
      public void query(Status status) {
        calls.queries.incrementAndGet();
      }

      @Override
      public void free() {
        calls.frees.incrementAndGet();
      }

      @Override
      public void cancel(boolean complete) {
        self[0].complete();
      }
    });
    try (Requests scope = mpi.world().requests()) {
      scope.add(self[0]);
    }
    assertEquals(1, calls.frees.get());
    assertFalse(self[0].isActive());
  }

  @MpiTest(ranks = 2)
  void misuse(Mpi mpi) {
    assertError(ErrorClass.ERR_ARG, () -> Grequest.start(null, status -> {}), "mpi = null");
    assertError(ErrorClass.ERR_ARG, () -> Grequest.start(mpi, null), "callbacks = null");
    Grequest request = Grequest.start(mpi, status -> {});
    request.complete();
    assertError(ErrorClass.ERR_REQUEST, request::complete, "completed before");
    Grequest.start(mpi, status -> {}); // one that is never completed does not keep a rank from leaving
  }

  /** Every kind of wait is woken by completion from a thread of the program. */
  @EveryTransport
  @MpiTest(ranks = {1, 2})
  void completedByOtherThreads(Mpi mpi) throws InterruptedException {
    for (boolean virtual : new boolean[] {false, true}) {
      for (int way = 0; way < 4; way++) {
        int n = 3;
        int[] results = new int[n];
        List<Request> list = new ArrayList<>();
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < n; i++) {
          int index = i;
          Grequest request = Grequest.start(mpi, status -> status.setTag(results[index]));
          list.add(request);
          Runnable work = () -> {
            sleep(2 * index);
            results[index] = 10 + index;
            request.complete();
          };
          workers.add((virtual ? Thread.ofVirtual() : Thread.ofPlatform()).start(work));
        }
        List<Request> all = List.copyOf(list);
        Status[] statuses = new Status[n];
        switch (way) {
          case 0 -> Request.waitAll(list, statuses);
          case 1 -> {
            for (int i = 0; i < n; i++) {
              Status status = new Status();
              statuses[Request.waitAny(list, status)] = status;
            }
          }
          case 2 -> {
            for (int done = 0; done < n; ) {
              Status[] some = new Status[n];
              int[] indices = Request.waitSome(list, some);
              for (int i = 0; i < indices.length; i++) {
                statuses[indices[i]] = some[i];
              }
              done += indices.length;
            }
          }
          default -> {
            for (int i = n - 1; i >= 0; i--) {
              statuses[i] = list.get(i).await(new Status());
            }
          }
        }
        for (int i = 0; i < n; i++) {
          assertEquals(10 + i, statuses[i].tag(), "what was done before is visible");
          assertFalse(all.get(i).isActive());
        }
        for (Thread t : workers) {
          t.join();
        }
      }
    }
  }

  /** A thread waits for a generalized request while others use the communicator. */
  @EveryTransport
  @MpiTest(ranks = 2)
  void whileMessagesGoOn(Mpi mpi) throws InterruptedException {
    Comm world = mpi.world();
    int peer = 1 - world.rank();
    Grequest request = Grequest.start(mpi, status -> status.setTag(5));
    Throwable[] failed = new Throwable[1];
    Thread waiter = Thread.ofPlatform().start(() -> {
      try {
        assertEquals(5, request.await(new Status()).tag());
      } catch (Throwable e) {
        failed[0] = e;
      }
    });
    int[] data = new int[1];
    for (int i = 0; i < 300; i++) {
      if (world.rank() == 0) {
        world.send(new int[] {i}, peer, 0);
        world.recv(data, peer, 0);
      } else {
        world.recv(data, peer, 0);
        world.send(data, peer, 0);
      }
      assertEquals(i, data[0]);
    }
    request.complete();
    waiter.join();
    assertNull(failed[0], () -> "" + failed[0]);
    assertEquals(ANY_TAG, request.getStatus().orElseThrow().tag());
  }

  @MpiTest(ranks = 1)
  @DisplayName("S1-12.3-d, -f: elements and cancelled, as they were set")
  void theSettersOfAStatus() {
    Datatype<?> pair = Datatype.contiguous(2, Datatype.INT).commit();
    Status status = new Status();
    status.setElements(pair, 3);
    assertEquals(3, status.getElements(pair));
    assertEquals(UNDEFINED, status.getCount(pair));
    status.setElements(pair, 4);
    assertEquals(4, status.getElements(pair));
    assertEquals(2, status.getCount(pair));
    status.setCancelled(true);
    assertTrue(status.isCancelled());
    status.setCancelled(false);
    assertFalse(status.isCancelled());
    assertEquals(4, status.getElements(pair), "kept");
    assertError(ErrorClass.ERR_COUNT, () -> status.setElements(pair, -1));
    assertError(ErrorClass.ERR_TYPE, () -> status.setElements(null, 1));
    assertError(ErrorClass.ERR_ARG, () -> status.setError(null));
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
