// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import static org.ffmpi.Worlds.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.fake.FakeOperation;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Waiting for requests, one by one and in lists. */
class RequestTest {
  private final Worlds w = Worlds.returning(0, 4);
  private final IntraComm world = w.world;

  private Request receive() {
    return world.irecv(new int[4], Constants.ANY_SOURCE, Constants.ANY_TAG);
  }

  private List<Request> receives(int n) {
    List<Request> all = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      all.add(receive());
    }
    return all;
  }

  private FakeOperation started(int i) {
    return w.engine.started.get(i);
  }

  private static MpiException truncated() {
    return new MpiException(ErrorClass.ERR_TRUNCATE, "too long");
  }

  // ---- one

  @Test
  @DisplayName("S3-12: a completed request is as MPI_REQUEST_NULL, with an empty status")
  void aRequestTellsItsStatusOnce() {
    Request r = receive();
    assertTrue(r.isActive());
    assertFalse(r.test());
    assertTrue(r.getStatus().isEmpty());
    assertEquals("Request[in flight]", r.toString());
    started(0).finish(2, 7, 8);
    assertEquals(2, r.getStatus().orElseThrow().source());
    assertTrue(r.isActive(), "looking does not complete it");
    Status status = new Status();
    assertTrue(r.test(status));
    assertFalse(r.isActive());
    assertEquals(2, status.source());
    assertEquals(7, status.tag());
    assertEquals(2, status.getCount(Datatype.INT));
    assertSame(status, r.await(status));
    assertEmpty(status);
    assertEmpty(r.getStatus().orElseThrow());
    r.await();
    assertTrue(r.test());
    assertTrue(r.test(status));
    assertEquals("Request[inactive]", r.toString());
  }

  @Test
  @DisplayName("S1-2.8-f: errors of an operation appear at the call that completes it")
  void aFailedRequestThrowsWhereItIsCompleted() {
    Request r = receive();
    MpiException error = truncated();
    started(0).failWith(error);
    assertEquals(ErrorClass.ERR_TRUNCATE, r.getStatus().orElseThrow().error(), "looking does not throw");
    Status status = new Status();
    assertSame(error, assertError(ErrorClass.ERR_TRUNCATE, () -> r.await(status)));
    assertEquals(ErrorClass.SUCCESS, status.error(), "not touched, the error is thrown");
    assertFalse(r.isActive());
    r.await();
    assertTrue(r.test());
    assertEmpty(r.await(new Status()));
    assertEmpty(r.getStatus().orElseThrow());
    Request.waitAll(List.of(r));
  }

  private static void assertEmpty(Status status) {
    assertEquals(Constants.ANY_SOURCE, status.source());
    assertEquals(Constants.ANY_TAG, status.tag());
    assertEquals(0, status.bytes());
    assertEquals(ErrorClass.SUCCESS, status.error());
    assertFalse(status.isCancelled());
  }

  @Test
  void aCancelledRequestSaysSo() {
    Request r = receive();
    r.cancel();
    assertTrue(r.await(new Status()).isCancelled());
    assertError(ErrorClass.ERR_REQUEST, r::cancel, "not active");
    Request late = receive();
    started(1).finish(1, 1, 4);
    late.cancel();
    assertFalse(late.await(new Status()).isCancelled());
  }

  @Test
  void aStatusIsNeededWhereOneIsAskedFor() {
    Request r = receive();
    assertError(ErrorClass.ERR_ARG, () -> r.await(null), "into = null");
    assertError(ErrorClass.ERR_ARG, () -> r.test(null), "into = null");
    assertError(ErrorClass.ERR_ARG, () -> Request.waitAny(List.of(r), null), "into = null");
    assertError(ErrorClass.ERR_ARG, () -> Request.testAny(List.of(r), null), "into = null");
    assertError(ErrorClass.ERR_ARG, () -> Request.waitAll(List.of(r), null), "into = null");
    assertError(
        ErrorClass.ERR_ARG, () -> Request.waitSome(List.of(r), new Status[0]), "length of into = 0", "1 or more");
  }

  // ---- all

  @Test
  @DisplayName("S1-2.5.2-a, -b: entries beyond the list are untouched, null entries are passed over")
  void waitAllFillsAsManyStatusesAsThereAreRequests() {
    List<Request> list = receives(3);
    list.set(1, null);
    list.add(world.isend(new int[1], 0, 0));
    started(0).finish(1, 10, 4);
    started(2).finish(2, 20, 8);
    Status mine = new Status();
    Status beyond = new Status();
    Status[] statuses = {mine, null, null, null, beyond, null};
    Request.waitAll(list, statuses);
    assertSame(mine, statuses[0]);
    assertEquals(10, statuses[0].tag());
    assertEquals(Constants.ANY_SOURCE, statuses[1].source());
    assertEquals(20, statuses[2].tag());
    assertEquals(Constants.ANY_TAG, statuses[3].tag());
    assertSame(beyond, statuses[4]);
    assertNull(statuses[5]);
    assertEquals(Arrays.asList(null, null, null, null), list);
    Request.waitAll(list);
    assertTrue(Request.testAll(list));
  }

  @Test
  @DisplayName("S1-2.5.2-c: statuses may be left out")
  void waitAllWaitsForEach() {
    List<Request> list = receives(3);
    int[] waits = {0};
    w.engine.onProgress = () -> started(waits[0]++).finish(0, 0, 4);
    Request.waitAll(list);
    assertEquals(3, waits[0]);
  }

  @Test
  void waitAllNamesEveryFailureAfterAllAreComplete() {
    List<Request> list = receives(4);
    List<Request> same = List.copyOf(list);
    MpiException first = truncated();
    MpiException second = new MpiException(ErrorClass.ERR_PROC_ABORTED, "rank 3 is gone");
    started(0).finish(1, 1, 4);
    started(1).failWith(first);
    w.engine.onProgress = () -> {
      w.engine.onProgress = () -> started(3).failWith(second);
      started(2).finish(1, 2, 4);
    };
    Status[] statuses = new Status[4];
    MpiException all = assertError(ErrorClass.ERR_IN_STATUS, () -> Request.waitAll(list, statuses),
        "2 of 4 requests failed", "request 1: MPI_ERR_TRUNCATE", "request 3: MPI_ERR_PROC_ABORTED: rank 3 is gone");
    assertArrayEquals(new Throwable[] {first, second}, all.getSuppressed());
    assertEquals(
        List.of(ErrorClass.SUCCESS, ErrorClass.ERR_TRUNCATE, ErrorClass.SUCCESS, ErrorClass.ERR_PROC_ABORTED),
        Arrays.stream(statuses).map(Status::error).toList());
    assertTrue(same.stream().noneMatch(Request::isActive));
  }

  @Test
  void testAllCompletesAllOrNone() {
    List<Request> list = receives(2);
    started(0).finish(1, 1, 4);
    assertFalse(Request.testAll(list));
    assertTrue(list.get(0).isActive());
    w.engine.onProgress = () -> started(1).finish(1, 2, 4);
    Status[] statuses = new Status[2];
    assertTrue(Request.testAll(list, statuses));
    assertEquals(2, statuses[1].tag());
    assertTrue(Request.testAll(List.of()));
  }

  // ---- any

  @Test
  void waitAnyFindsEachOnce() {
    List<Request> list = receives(3);
    list.add(1, world.isend(new int[1], 0, 0));
    list.add(world.isend(new int[1], 0, 0));
    started(2).finish(3, 33, 4);
    Status status = new Status();
    List<Integer> order = new ArrayList<>();
    w.engine.onProgress = () -> started(order.size() == 3 ? 0 : 1).finish(1, 1, 4);
    for (int i = 0; i < 5; i++) {
      order.add(Request.waitAny(list, status));
    }
    assertEquals(List.of(1, 3, 4, 0, 2), order);
    assertEquals(Constants.UNDEFINED, Request.waitAny(list, status));
    assertEquals(Constants.ANY_SOURCE, status.source());
    assertEquals(Constants.UNDEFINED, Request.waitAny(List.of()));
    assertEquals(OptionalInt.of(Constants.UNDEFINED), Request.testAny(list));
  }

  @Test
  void unmodifiableListsWork() {
    List<Request> list = List.copyOf(receives(2));
    started(1).finish(1, 1, 4);
    assertEquals(1, Request.waitAny(list));
    started(0).finish(1, 1, 4);
    assertEquals(OptionalInt.of(0), Request.testAny(list));
    assertEquals(Constants.UNDEFINED, Request.waitAny(list));
    Request.waitAll(List.of(world.isend(new int[1], 0, 0)));
    Request.waitAll(Collections.unmodifiableList(new ArrayList<>(receivesDone(2))));
  }

  private List<Request> receivesDone(int n) {
    List<Request> all = receives(n);
    w.engine.started.stream().filter(o -> !o.isDone()).forEach(o -> o.finish(0, 0, 0));
    return all;
  }

  @Test
  void testAnyTellsWhenNothingIsComplete() {
    List<Request> list = receives(2);
    assertEquals(OptionalInt.empty(), Request.testAny(list));
    w.engine.onProgress = () -> started(1).failWith(truncated());
    assertError(ErrorClass.ERR_TRUNCATE, () -> Request.testAny(list, new Status()));
    assertNull(list.get(1));
    assertNotNull(list.get(0));
  }

  // ---- some

  @Test
  void waitSomeTakesAllThatAreComplete() {
    List<Request> list = receives(4);
    w.engine.onProgress = () -> {
      started(3).finish(3, 33, 4);
      started(1).finish(1, 11, 4);
    };
    Status[] statuses = new Status[4];
    assertArrayEquals(new int[] {1, 3}, Request.waitSome(list, statuses));
    assertEquals(11, statuses[0].tag());
    assertEquals(33, statuses[1].tag());
    assertNull(statuses[2]);
    w.engine.onProgress = () -> {};
    assertArrayEquals(new int[0], Request.testSome(list));
    started(0).finish(0, 0, 4);
    started(2).failWith(truncated());
    assertError(
        ErrorClass.ERR_IN_STATUS, () -> Request.testSome(list, statuses), "1 of 4", "request 2: MPI_ERR_TRUNCATE");
    assertArrayEquals(new int[0], Request.waitSome(list));
  }

  // ---- wrong lists

  @Test
  void requestsOfTwoWorldsDoNotMix() {
    Worlds other = Worlds.returning(0, 2);
    List<Request> mixed = List.of(receive(), other.world.irecv(new int[1], 0, 0));
    String text = "request 1 belongs to another rank";
    assertError(ErrorClass.ERR_REQUEST, () -> Request.waitAll(mixed), text);
    assertError(ErrorClass.ERR_REQUEST, () -> Request.waitAny(mixed), text);
    assertError(ErrorClass.ERR_REQUEST, () -> Request.waitSome(mixed), text);
    assertError(ErrorClass.ERR_REQUEST, () -> Request.testAll(mixed), text);
    assertError(ErrorClass.ERR_REQUEST, () -> Request.testAny(mixed), text);
    assertError(ErrorClass.ERR_REQUEST, () -> Request.testSome(mixed), text);
    assertError(ErrorClass.ERR_REQUEST, () -> world.requests().add(mixed.get(1)), "another world");
    assertError(ErrorClass.ERR_REQUEST, () -> Request.waitAll(null), "requests = null");
    assertError(ErrorClass.ERR_REQUEST, () -> Request.waitSome(null, new Status[0]), "requests = null");
  }

  // ---- scopes

  @Test
  void aScopeWaitsForItsRequests() {
    try (Requests scope = world.requests()) {
      scope.irecv(new double[1], 1, 0);
      scope.isend(new double[1], 1, 0);
      scope.add(world.ibarrier());
      assertFalse(scope.test());
      w.engine.started.forEach(FakeOperation::finish);
      scope.await();
      scope.irecv(new double[1], 1, 0);
      w.engine.onProgress = () -> started(2).finish(1, 0, 8);
      assertTrue(scope.test());
      w.engine.onProgress = () -> {
        throw new AssertionError("nothing is left to wait for");
      };
    }
    assertFalse(started(0).cancel());
  }

  @Test
  void aScopeLeftEarlyCancelsAndGoesOn() {
    RuntimeException left = new RuntimeException("left");
    RuntimeException seen = null;
    try (Requests scope = world.requests()) {
      scope.irecv(new double[1], 1, 0);
      throw left;
    } catch (RuntimeException e) {
      seen = e;
    }
    assertSame(left, seen);
    assertEquals(0, left.getSuppressed().length);
    assertTrue(started(0).isDone());
    assertEquals(0, w.engine.abortCode);
    world.send(new int[1], 1, 0);
  }

  @Test
  void aScopeLeftEarlyGivesTheRestSomeTime() {
    w.engine.cancellable = false;
    w.engine.onProgress = () -> started(0).finish(1, 0, 8);
    try (Requests scope = world.requests()) {
      scope.irecv(new double[1], 1, 0);
    }
    assertEquals(0, w.engine.abortCode);
  }

  @Test
  void aScopeThatCannotBeLeftEndsTheWorld() {
    w.engine.cancellable = false;
    MpiException error = assertError(ErrorClass.ERR_PENDING, () -> {
      try (Requests scope = world.requests()) {
        scope.irecv(new double[1], 1, 0);
        scope.isend(new double[1], 1, 0);
      }
    }, "1 of 1 operations", "ffmpi.requests.grace");
    assertEquals(ErrorClass.ERR_PENDING.code(), w.engine.abortCode);
    assertEquals(List.of(error), w.told);
    assertError(ErrorClass.ERR_OTHER, () -> world.send(new int[1], 0, 0), "given up its world");
  }

  @Test
  void aClosedScopeTakesNothing() {
    Requests scope = world.requests();
    scope.close();
    scope.close();
    assertError(ErrorClass.ERR_REQUEST, () -> scope.irecv(new int[1], 1, 0), "closed");
    assertTrue(started(0).isDone(), "cancelled, since nobody would wait for it");
    assertError(ErrorClass.ERR_REQUEST, () -> world.requests().add(null), "request = null");
  }

  @Test
  void factsOfFailedListsHaveToBeGiven() {
    MpiException error = truncated();
    int[] one = {1};
    assertError(ErrorClass.ERR_ARG, () -> new RequestException(null, 1), "error = null");
    assertError(ErrorClass.ERR_ARG, () -> new RequestException(null, one, one, 2), "errors = null");
    assertError(ErrorClass.ERR_ARG, () -> new RequestException(List.of(error), null, one, 2), "failed = null");
    assertError(ErrorClass.ERR_ARG, () -> new RequestException(List.of(error), one, null, 2), "completed = null");
    assertError(ErrorClass.ERR_ARG, () -> new RequestException(List.of(), one, one, 2), "errors.size() = 0", "1");
    assertError(ErrorClass.ERR_ARG,
        () -> new RequestException(Collections.singletonList(null), one, one, 2), "errors[0] = null");
    assertSame(error, new RequestException(List.of(error), one, one, 2).error(1));
  }
}
