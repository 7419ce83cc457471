// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import static org.ffmpi.Worlds.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.fake.FakeOperation;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Requests that are started again, given up, or only looked at. */
class RequestLifeTest {
  private final Worlds w = Worlds.returning(0, 4);
  private final IntraComm world = w.world;

  private FakeOperation started(int i) {
    return w.engine.started.get(i);
  }

  private static MpiException truncated() {
    return new MpiException(ErrorClass.ERR_TRUNCATE, "too long");
  }

  private static void assertEmpty(Status status) {
    assertEquals(Constants.ANY_SOURCE, status.source());
    assertEquals(Constants.ANY_TAG, status.tag());
    assertEquals(0, status.bytes());
    assertEquals(ErrorClass.SUCCESS, status.error());
    assertFalse(status.isCancelled());
  }

  // ---- persistent requests

  @Test
  void aPersistentRequestIsStartedAgainAndAgain() {
    Persistent in = world.recvInit(Buf.of(new int[4]), 2, Constants.ANY_TAG);
    assertFalse(in.isActive());
    assertTrue(w.engine.started.isEmpty());
    Status status = new Status();
    for (int round = 0; round < 3; round++) {
      in.start();
      assertTrue(in.isActive());
      assertFalse(in.test(status));
      started(round).finish(2, 10 + round, 4 * round);
      assertEquals(10 + round, in.getStatus().orElseThrow().tag());
      assertTrue(in.isActive());
      assertSame(status, in.await(status));
      assertEquals(10 + round, status.tag());
      assertEquals(4 * round, status.bytes());
      assertFalse(in.isActive());
      assertEmpty(in.await(status));
      assertTrue(in.test(status));
      assertEmpty(status);
      assertEmpty(in.getStatus().orElseThrow());
      in.await();
      assertTrue(in.test());
    }
    assertEquals("irecv", w.engine.last().name());
    assertEquals(3, w.engine.calls.size());
  }

  @Test
  void eachModeIsStartedAsItIs() {
    Buf<Integer> buf = Buf.of(new int[4]);
    List<Persistent> all =
        List.of(world.sendInit(buf, 1, 5), world.ssendInit(buf, 2, 6), world.rsendInit(buf, 3, 7));
    Persistent.startAll(all);
    assertEquals(List.of(1, 2, 3), w.engine.calls.stream().map(c -> c.peer()).toList());
    assertEquals(List.of(5, 6, 7), w.engine.calls.stream().map(c -> c.tag()).toList());
    assertEquals("issend", w.engine.calls.get(1).name());
    Request.waitAll(all);
    assertTrue(all.stream().noneMatch(Request::isActive));
  }

  @Test
  void nobodyIsSentToAndReceivedFrom() {
    Buf<Integer> buf = Buf.of(new int[4]);
    Persistent out = world.sendInit(buf, Constants.PROC_NULL, 1);
    Persistent in = world.recvInit(buf, Constants.PROC_NULL, 1);
    for (int i = 0; i < 2; i++) {
      Persistent.startAll(List.of(out, in));
      assertEmpty(out.await(new Status()));
      assertEquals(Constants.PROC_NULL, in.getStatus().orElseThrow().source());
      assertEquals(Constants.PROC_NULL, in.await(new Status()).source());
      assertEmpty(in.await(new Status()));
    }
    assertTrue(w.engine.calls.isEmpty());
  }

  @Test
  void anErrorIsThrownOnceAndTheRequestGoesOn() {
    Persistent in = world.recvInit(Buf.of(new int[4]), 2, 3);
    in.start();
    started(0).failWith(truncated());
    assertError(ErrorClass.ERR_TRUNCATE, in::await);
    in.await();
    in.start();
    started(1).finish(2, 3, 8);
    assertEquals(8, in.await(new Status()).bytes());
    w.engine.failNext = new MpiException(ErrorClass.ERR_PROC_ABORTED, "rank 2 is gone");
    assertError(ErrorClass.ERR_PROC_ABORTED, in::start);
    assertFalse(in.isActive());
    in.start();
  }

  @Test
  void wrongStartsAreRefused() {
    Persistent in = world.recvInit(Buf.of(new int[4]), 2, 3);
    Persistent out = world.sendInit(Buf.of(new int[4]), 2, 3);
    assertError(ErrorClass.ERR_REQUEST, in::cancel, "not active");
    in.start();
    assertError(ErrorClass.ERR_REQUEST, in::start, "is active");
    assertError(ErrorClass.ERR_REQUEST, () -> Persistent.startAll(List.of(out, in)), "request 1 is active", "nothing");
    assertFalse(out.isActive());
    assertError(ErrorClass.ERR_REQUEST, () -> Persistent.startAll(null), "requests = null");
    assertError(ErrorClass.ERR_REQUEST, () -> Persistent.startAll(Arrays.asList(out, null)), "request 1 is null");
    Request once = world.irecv(new int[1], 0, 0);
    assertError(ErrorClass.ERR_REQUEST, () -> Persistent.startAll(List.of(out, once)), "request 1 is not persistent");
    assertError(ErrorClass.ERR_REQUEST, () -> Persistent.startAll(List.of(out, out)), "request 1 is in the list twice");
    assertFalse(out.isActive());
    out.close();
    out.close();
    assertError(ErrorClass.ERR_REQUEST, out::start, "closed");
    assertError(ErrorClass.ERR_REQUEST, () -> Persistent.startAll(List.of(out)), "request 0 has been closed");
    assertEmpty(out.await(new Status()));
    Persistent.startAll(List.of());
    started(0).finish(2, 3, 0);
    in.await();
    w.mpi.close();
    assertError(ErrorClass.ERR_OTHER, in::start, "finalized");
    in.close();
  }

  @Test
  void argumentsAreCheckedWhereTheRequestIsMade() {
    Buf<Integer> buf = Buf.of(new int[4]);
    assertError(ErrorClass.ERR_RANK, () -> world.sendInit(buf, 4, 0), "dest = 4");
    assertError(ErrorClass.ERR_TAG, () -> world.ssendInit(buf, 1, -1), "tag = -1");
    assertError(ErrorClass.ERR_RANK, () -> world.rsendInit(buf, Constants.ANY_SOURCE, 0), "dest");
    assertError(ErrorClass.ERR_BUFFER, () -> world.recvInit(null, 1, 0), "buffer = null");
    assertError(ErrorClass.ERR_RANK, () -> world.recvInit(buf, 9, 0), "source = 9");
    assertError(ErrorClass.ERR_TYPE, () -> world.recvInit(
        Buf.of(new int[4], 1, Datatype.contiguous(2, Datatype.INT32_T)), 1, 0), "not committed");
  }

  @Test
  void memoryIsLookedAtByEachStartAndTypesMayBeFreed() {
    Datatype<?> type = Datatype.contiguous(2, Datatype.INT32_T).commit();
    Persistent typed = world.sendInit(Buf.of(new int[4], 2, type), 1, 0);
    type.close();
    typed.start();
    typed.await();
    Persistent gone;
    try (Arena arena = Arena.ofShared()) {
      gone = world.sendInit(Buf.of(arena.allocate(64), 4, Datatype.INT), 1, 0);
      gone.start();
      gone.await();
    }
    assertError(ErrorClass.ERR_BUFFER, gone::start, "the arena of this buffer has been closed");
    assertFalse(gone.isActive());
    assertEquals(2, w.engine.calls.size());
  }

  @Test
  void listsKeepPersistentRequests() {
    w.engine.eager = false;
    Persistent a = world.recvInit(Buf.of(new int[1]), 1, 1);
    Persistent b = world.sendInit(Buf.of(new int[1]), 1, 1);
    Request once = world.irecv(new int[1], 1, 1);
    List<Request> list = new ArrayList<>(Arrays.asList(a, once, null, b));
    Status[] statuses = new Status[4];
    Persistent.startAll(List.of(a, b));
    assertEquals(OptionalInt.empty(), Request.testAny(list));
    started(1).finish(1, 11, 4);
    started(2).finish();
    assertArrayEquals(new int[] {0, 3}, Request.waitSome(list, statuses));
    assertEquals(11, statuses[0].tag());
    started(0).finish(1, 12, 4);
    assertEquals(1, Request.waitAny(list));
    assertEquals(Arrays.asList(a, null, null, b), list);
    assertEquals(Constants.UNDEFINED, Request.waitAny(list));
    assertTrue(Request.testAll(list, statuses));
    Arrays.stream(statuses).forEach(RequestLifeTest::assertEmpty);
    a.start();
    started(3).failWith(truncated());
    assertError(ErrorClass.ERR_IN_STATUS, () -> Request.waitAll(list, statuses), "request 0: MPI_ERR_TRUNCATE");
    assertEquals(ErrorClass.ERR_TRUNCATE, statuses[0].error());
    assertSame(a, list.get(0));
    Request.waitAll(list);
  }

  // ---- giving up

  @Test
  @DisplayName("S1-2.8-f: the error of an operation that was given up goes to the handler")
  void whatIsGivenUpGoesOn() throws InterruptedException {
    Worlds fatal = Worlds.with(Map.of());
    Request lost = fatal.world.irecv(new int[1], 0, 0);
    Request fine = fatal.world.irecv(new int[1], 0, 0);
    Request senderless = fatal.world.irecv(new int[1], 0, 0);
    for (Request r : List.of(lost, fine, senderless)) {
      r.close();
      assertFalse(r.isActive());
      assertEmpty(r.await(new Status()));
      r.close();
      assertError(ErrorClass.ERR_REQUEST, () -> {
        fatal.world.setErrhandler(Errhandler.RETURN);
        r.cancel();
      });
      fatal.world.setErrhandler(Errhandler.FATAL);
    }
    fatal.engine.started.get(1).finish(0, 0, 4);
    fatal.engine.started.get(2).failWith(new MpiException(ErrorClass.ERR_PROC_ABORTED, "no sender is left"));
    assertTrue(fatal.told.isEmpty());
    MpiException error = truncated();
    fatal.engine.started.get(0).failWith(error);
    while (fatal.engine.abortCode == 0) {
      Thread.sleep(1);
    }
    assertEquals(List.of(error), fatal.told);
  }

  @Test
  @SuppressWarnings("try") // closes a request before its block ends
  void whatHasFailedIsToldByClose() {
    Request r = world.irecv(new int[1], 0, 0);
    started(0).failWith(truncated());
    assertError(ErrorClass.ERR_TRUNCATE, r::close);
    assertFalse(r.isActive());
    r.close();
    Request sent = world.isend(new int[1], 0, 0);
    sent.close();
    sent.await();
    try (Persistent in = world.recvInit(Buf.of(new int[1]), 0, 0)) {
      in.start();
      in.close();
      assertEmpty(in.await(new Status()));
    }
  }

  // ---- looking

  @Test
  void looksCompleteNothing() {
    Request a = world.irecv(new int[1], 1, 1);
    Request b = world.irecv(new int[1], 1, 1);
    Persistent idle = world.recvInit(Buf.of(new int[1]), 1, 1);
    List<Request> list = new ArrayList<>(Arrays.asList(null, a, idle, b));
    Status[] statuses = new Status[4];
    Status status = new Status();
    assertEquals(OptionalInt.empty(), Request.getStatusAny(list, status));
    assertArrayEquals(new int[0], Request.getStatusSome(list, statuses));
    assertFalse(Request.getStatusAll(list, statuses));
    assertFalse(a.getStatus(status));
    w.engine.onProgress = () -> {
      if (!started(1).isDone()) {
        started(1).failWith(truncated());
      }
    };
    status.setError(ErrorClass.ERR_DIMS);
    assertEquals(OptionalInt.of(3), Request.getStatusAny(list, status));
    assertEquals(ErrorClass.ERR_DIMS, status.error(), "neither written nor thrown");
    assertTrue(b.getStatus(status));
    assertEquals(ErrorClass.ERR_DIMS, status.error(), "neither written nor thrown");
    assertEquals(ErrorClass.ERR_TRUNCATE, b.getStatus().orElseThrow().error());
    assertArrayEquals(new int[] {3}, Request.getStatusSome(list, statuses));
    assertEquals(ErrorClass.ERR_TRUNCATE, statuses[0].error());
    assertArrayEquals(new int[] {3}, Request.getStatusSome(list));
    assertFalse(Request.getStatusAll(list));
    started(0).finish(1, 5, 4);
    assertTrue(Request.getStatusAll(list));
    assertTrue(Request.getStatusAll(list, statuses));
    assertEquals(
        List.of(ErrorClass.SUCCESS, ErrorClass.SUCCESS, ErrorClass.SUCCESS, ErrorClass.ERR_TRUNCATE),
        Arrays.stream(statuses).map(Status::error).toList());
    assertEquals(5, statuses[1].tag());
    assertEmpty(statuses[2]);
    assertEquals(OptionalInt.of(1), Request.getStatusAny(list));
    assertTrue(a.isActive() && b.isActive());
    assertNotNull(list.get(1));
    assertTrue(a.getStatus(status));
    a.await();
    assertError(ErrorClass.ERR_TRUNCATE, b::await);
    assertEquals(OptionalInt.of(Constants.UNDEFINED), Request.getStatusAny(list, status));
    assertEmpty(status);
    assertTrue(Request.getStatusAll(List.of()));
    assertArrayEquals(new int[0], Request.getStatusSome(List.of()));
  }

  @Test
  void statusesArePendingWhereAWaitFails() {
    List<Request> list = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      list.add(world.irecv(new int[1], 1, 1));
    }
    list.add(null);
    started(0).finish(1, 9, 4);
    started(2).failWith(truncated());
    w.engine.failNext = null;
    w.engine.onProgress = () -> {
      throw new MpiException(ErrorClass.ERR_PROC_ABORTED, "the job has ended");
    };
    Status[] statuses = new Status[4];
    assertError(ErrorClass.ERR_PROC_ABORTED, () -> Request.waitAll(list, statuses));
    assertEquals(
        List.of(ErrorClass.SUCCESS, ErrorClass.ERR_PENDING, ErrorClass.ERR_TRUNCATE, ErrorClass.SUCCESS),
        Arrays.stream(statuses).map(Status::error).toList());
    assertTrue(list.get(0).isActive() && list.get(1).isActive());
  }

  @Test
  void futuresNeedTheProgressThread() {
    Request r = world.irecv(new int[1], 1, 1);
    assertError(ErrorClass.ERR_OTHER, r::toCompletableFuture, "ffmpi.progress=thread");
    assertError(ErrorClass.ERR_OTHER, world.isend(new int[1], 1, 1)::toCompletableFuture, "ffmpi.progress=thread");
  }
}
