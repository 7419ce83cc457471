// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.requests;

import static org.ffmpi.base.Constants.ANY_SOURCE;
import static org.ffmpi.base.Constants.ANY_TAG;
import static org.ffmpi.base.Constants.UNDEFINED;
import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Mpi;
import org.ffmpi.Request;
import org.ffmpi.Requests;
import org.ffmpi.Status;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.Data;
import org.ffmpi.tests.support.EveryTransport;

/** Waiting for and testing several requests (MPI-4.1 §3.7.5), and scopes of requests. */
@EveryTransport
class RequestListsTest {
  private static final int N = 6;

  /** Length of message i in bytes: of every protocol one. */
  private static int length(int i) {
    return new int[] {4, 100, 2_000, 20_000, 50, 60_000}[i];
  }

  private static int next(Comm world) {
    return (world.rank() + 1) % world.size();
  }

  private static int previous(Comm world) {
    return (world.rank() + world.size() - 1) % world.size();
  }

  private static List<Request> receives(Comm world, byte[][] data) {
    List<Request> requests = new ArrayList<>();
    for (int i = 0; i < N; i++) {
      data[i] = new byte[length(i)];
      requests.add(world.irecv(data[i], previous(world), i));
    }
    return requests;
  }

  private static List<Request> sends(Comm world) {
    List<Request> requests = new ArrayList<>();
    for (int i = N - 1; i >= 0; i--) {
      requests.add(world.isend(Data.bytes(i, length(i)), next(world), i));
    }
    return requests;
  }

  @MpiTest(ranks = {1, 2, 3})
  void waitAll(Comm world) {
    byte[][] data = new byte[N][];
    List<Request> all = receives(world, data);
    all.add(2, null);
    Status[] statuses = new Status[N + 2];
    Status beyond = new Status();
    statuses[N + 1] = beyond;
    List<Request> outgoing = sends(world);
    Request.waitAll(all, statuses);
    for (int i = 0; i < N; i++) {
      int entry = i < 2 ? i : i + 1;
      Data.check(data[i], 0, i, length(i));
      assertEquals(length(i), statuses[entry].bytes());
      assertEquals(i, statuses[entry].tag());
      assertNull(all.get(entry));
    }
    assertEquals(ANY_SOURCE, statuses[2].source());
    assertEquals(ANY_TAG, statuses[2].tag());
    assertSame(beyond, statuses[N + 1]);
    Request.waitAll(outgoing);
    Request.waitAll(outgoing); // all null by now
    Request.waitAll(List.of());
  }

  @MpiTest(ranks = {1, 2, 3})
  void testAll(Comm world) {
    byte[][] data = new byte[N][];
    List<Request> all = receives(world, data);
    Request last = world.irecv(new byte[0], previous(world), 99);
    all.add(last);
    Request.waitAll(sends(world));
    assertFalse(Request.testAll(all), "the last one has not been sent");
    assertTrue(all.stream().allMatch(r -> r != null && r.isActive()), "all or none");
    world.barrier();
    world.send(new byte[0], next(world), 99);
    Status[] statuses = new Status[N + 1];
    while (!Request.testAll(all, statuses)) {
      Thread.onSpinWait();
    }
    for (int i = 0; i < N; i++) {
      Data.check(data[i], 0, i, length(i));
      assertEquals(length(i), statuses[i].bytes());
    }
    assertTrue(Request.testAll(all));
    assertTrue(Request.testAll(List.of()));
  }

  @MpiTest(ranks = {1, 2, 3})
  void waitAny(Comm world) {
    byte[][] data = new byte[N][];
    List<Request> all = receives(world, data);
    List<Request> outgoing = sends(world);
    boolean[] seen = new boolean[N];
    Status status = new Status();
    for (int k = 0; k < N; k++) {
      int i = k % 2 == 0 ? Request.waitAny(all, status) : Request.waitAny(all);
      assertFalse(seen[i]);
      seen[i] = true;
      assertNull(all.get(i));
      Data.check(data[i], 0, i, length(i));
      if (k % 2 == 0) {
        assertEquals(i, status.tag());
      }
    }
    assertEquals(UNDEFINED, Request.waitAny(all, status));
    assertEquals(ANY_SOURCE, status.source());
    Request.waitAll(outgoing);
  }

  @MpiTest(ranks = {1, 2, 3})
  void testAny(Comm world) {
    byte[][] data = new byte[N][];
    List<Request> all = receives(world, data);
    assertEquals(OptionalInt.empty(), Request.testAny(all));
    world.barrier();
    List<Request> outgoing = sends(world);
    int done = 0;
    while (done < N) {
      OptionalInt i = Request.testAny(all, new Status());
      if (i.isPresent()) {
        Data.check(data[i.getAsInt()], 0, i.getAsInt(), length(i.getAsInt()));
        done++;
      }
      outgoing.removeIf(r -> r.test());
    }
    assertEquals(OptionalInt.of(UNDEFINED), Request.testAny(all));
    Request.waitAll(outgoing);
  }

  @MpiTest(ranks = {1, 2, 3})
  void waitSomeAndTestSome(Comm world) {
    byte[][] data = new byte[N][];
    List<Request> all = receives(world, data);
    assertEquals(0, Request.testSome(all).length);
    world.barrier();
    List<Request> outgoing = sends(world);
    int done = 0;
    boolean wait = true;
    while (done < N) {
      Status[] statuses = new Status[N];
      int[] some = wait ? Request.waitSome(all, statuses) : Request.testSome(all, statuses);
      assertTrue(some.length > 0 || !wait);
      assertArrayEquals(Arrays.stream(some).sorted().toArray(), some);
      for (int k = 0; k < some.length; k++) {
        assertEquals(some[k], statuses[k].tag());
        Data.check(data[some[k]], 0, some[k], length(some[k]));
        assertNull(all.get(some[k]));
        done++;
      }
      wait = !wait;
    }
    assertEquals(0, Request.waitSome(all).length);
    assertEquals(0, Request.testSome(all).length);
    Request.waitAll(outgoing);
  }

  /** One of several fails: the others complete all the same, and the error tells which. */
  @MpiTest(ranks = {1, 2, 3})
  void errorsInAList(Comm world) {
    byte[][] data = new byte[N][];
    List<Request> all = receives(world, data);
    List<Request> outgoing = new ArrayList<>();
    for (int i = 0; i < N; i++) {
      outgoing.add(world.isend(Data.bytes(i, i % 2 == 1 ? length(i) + 1 : length(i)), next(world), i));
    }
    Status[] statuses = new Status[N];
    MpiException error = assertError(
        ErrorClass.ERR_IN_STATUS,
        () -> Request.waitAll(all, statuses),
        "3 of 6", "request 1", "request 3", "request 5");
    assertEquals(3, error.getSuppressed().length);
    for (int i = 0; i < N; i++) {
      assertEquals(i % 2 == 1 ? ErrorClass.ERR_TRUNCATE : ErrorClass.SUCCESS, statuses[i].error());
      if (i % 2 == 0) {
        Data.check(data[i], 0, i, length(i));
      }
    }
    Request.waitAll(outgoing);
  }

  @MpiTest(ranks = {1, 2})
  void requestsOfTwoWorlds(Mpi mpi) {
    Comm world = mpi.world();
    Request ours = world.irecv(new int[1], ANY_SOURCE, 3);
    Mpi.runThreads(1, Map.of("ffmpi.errors", "return"), other -> {
      Request theirs = other.world().irecv(new int[1], 0, 3);
      List<Request> both = new ArrayList<>(List.of(ours, theirs));
      assertError(ErrorClass.ERR_REQUEST, () -> Request.waitAll(both), "request 1", "another rank");
      assertError(ErrorClass.ERR_REQUEST, () -> Request.waitAny(both), "request 1");
      assertError(ErrorClass.ERR_REQUEST, () -> Request.waitSome(both), "request 1");
      assertError(ErrorClass.ERR_REQUEST, () -> Request.testAll(both), "request 1");
      assertError(ErrorClass.ERR_REQUEST, () -> Request.testAny(both), "request 1");
      assertError(ErrorClass.ERR_REQUEST, () -> Request.testSome(both), "request 1");
      try (Requests scope = other.world().requests()) {
        assertError(ErrorClass.ERR_REQUEST, () -> scope.add(ours), "another world");
      }
      theirs.cancel();
      theirs.await();
    });
    ours.cancel();
    assertTrue(ours.await(new Status()).isCancelled());
    world.barrier(); // no rank leaves while another's receive could be told that its senders have gone
  }

  @MpiTest(ranks = 1)
  void wrongLists(Comm world) {
    assertError(ErrorClass.ERR_REQUEST, () -> Request.waitAll(null), "null");
    assertError(ErrorClass.ERR_REQUEST, () -> Request.waitAny(null), "null");
    Request receive = world.irecv(new int[1], 0, 0);
    List<Request> one = new ArrayList<>(List.of(receive));
    assertError(ErrorClass.ERR_ARG, () -> Request.waitAll(one, null), "into");
    assertError(ErrorClass.ERR_ARG, () -> Request.waitAll(one, new Status[0]), "0", "1 or more");
    assertError(ErrorClass.ERR_ARG, () -> Request.waitAny(one, null), "into");
    assertError(ErrorClass.ERR_ARG, () -> receive.await(null), "into");
    assertTrue(receive.isActive());
    world.send(new int[1], 0, 0);
    receive.await();
  }

  @MpiTest(ranks = {1, 2, 3})
  void aScope(Comm world) {
    int[] in = new int[3];
    byte[] large = new byte[60_000];
    try (Requests scope = world.requests()) {
      for (int round = 0; round < 3; round++) {
        scope.irecv(in, previous(world), round);
        scope.irecv(Buf.of(large), previous(world), 10);
        scope.isend(new int[] {round, 2, 3}, next(world), round);
        scope.issend(Buf.of(Data.bytes(round, 60_000)), next(world), 10);
        if (round == 1) {
          while (!scope.test()) {
            Thread.onSpinWait();
          }
        } else {
          scope.await();
        }
        assertEquals(round, in[0]);
        Data.check(large, 0, round, 60_000);
      }
    }
    Requests closed = world.requests();
    closed.close();
    closed.close();
    Request late = world.irecv(in, previous(world), 7);
    assertError(ErrorClass.ERR_REQUEST, () -> closed.add(late), "closed");
    assertFalse(late.isActive(), "cancelled, since no call would wait for it");
  }

  @MpiTest(ranks = {1, 2})
  void getStatusLeavesTheRequestActive(Comm world) {
    int[] data = new int[4];
    Request receive = world.irecv(data, next(world), 1);
    assertTrue(receive.getStatus().isEmpty());
    world.barrier();
    Request send = world.isend(new int[] {1, 2}, next(world), 1);
    while (receive.getStatus().isEmpty()) {
      Thread.onSpinWait();
    }
    assertEquals(8, receive.getStatus().orElseThrow().bytes());
    assertTrue(receive.isActive());
    assertEquals(8, receive.await(new Status()).bytes());
    assertFalse(receive.isActive());
    assertEquals(0, receive.getStatus().orElseThrow().bytes());
    send.await();
  }
}
