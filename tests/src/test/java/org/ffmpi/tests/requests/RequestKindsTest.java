// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.requests;

import static org.ffmpi.base.Constants.ANY_SOURCE;
import static org.ffmpi.base.Constants.ANY_TAG;
import static org.ffmpi.base.Constants.UNDEFINED;
import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.CommRequest;
import org.ffmpi.Grequest;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.Requests;
import org.ffmpi.Status;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.Keyval;
import org.ffmpi.base.MpiException;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.Data;
import org.ffmpi.tests.support.EveryTransport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests of each kind are cancelled, freed, started again and outlived, in each of their states. */
class RequestKindsTest {
  private static void awaitQuietly(Request request) {
    while (request.getStatus().isEmpty()) {
      Thread.onSpinWait();
    }
  }

  // ---- cancel and close

  @EveryTransport
  @MpiTest(ranks = 2)
  @DisplayName("S3-15: whether an active request can be cancelled or freed depends on its kind, not on time")
  void bindingKinds(IntraComm world) {
    int[] data = {1};
    try (Persistent reduce = world.allreduceInit(Buf.of(data), Op.MAX, null)) {
      reduce.start();
      CommRequest<? extends Comm> dup = world.idup();
      List<Request> binding = List.of(world.ibarrier(), reduce, dup);
      for (int look = 0; look < 2; look++) {
        for (Request r : binding) {
          assertError(ErrorClass.ERR_REQUEST, r::cancel, "collective", "cancelled");
          assertError(ErrorClass.ERR_REQUEST, r::close, "collective", "freed");
          assertTrue(r.isActive());
        }
        if (look == 0) {
          binding.forEach(RequestKindsTest::awaitQuietly); // now the operations are complete, and the answer the same
        }
      }
      Request.waitAll(binding);
      for (Request r : binding) {
        assertError(ErrorClass.ERR_REQUEST, r::cancel, "not active");
      }
      dup.close();
      dup.comm().close();
    }
  }

  @EveryTransport
  @MpiTest(ranks = 2)
  void cancelledPersistentRequestsAreStartedAgain(Comm world) {
    int peer = 1 - world.rank();
    int[] in = new int[1];
    int[] out = {5 + world.rank()};
    try (Persistent receive = world.recvInit(Buf.of(in), peer, 1);
        Persistent send = world.ssendInit(Buf.of(out), peer, 1)) {
      for (int round = 0; round < 3; round++) {
        receive.start();
        receive.cancel();
        assertTrue(receive.await(new Status()).isCancelled());
        world.barrier();
        send.start();
        send.cancel();
        assertTrue(send.await(new Status()).isCancelled());
        world.barrier();
        in[0] = 0;
        Persistent.startAll(List.of(receive, send));
        Status status = receive.await(new Status());
        send.await();
        assertFalse(status.isCancelled());
        assertEquals(peer, status.source());
        assertEquals(5 + peer, in[0]);
        world.barrier();
      }
    }
  }

  @MpiTest(ranks = 2, processes = true)
  void freedAndCancelledInProcesses(Comm world) {
    theFreedReceiveTakesTheFirstMessage(world);
    cancelledPersistentRequestsAreStartedAgain(world);
  }

  @EveryTransport
  @MpiTest(ranks = 2)
  @DisplayName("§3.7.3: a freed receive keeps its place: the first message is its own")
  void theFreedReceiveTakesTheFirstMessage(Comm world) {
    for (int length : new int[] {1, 100, 5_000, 70_000}) {
      if (world.rank() == 0) {
        byte[] first = new byte[length];
        byte[] second = new byte[length];
        Request freed = world.irecv(first, 1, 1);
        freed.close();
        Request kept = world.irecv(second, 1, 1);
        world.send(new int[0], 1, 2);
        assertEquals(length, kept.await(new Status()).bytes());
        Data.check(second, 0, 2, length);
        while (!Arrays.equals(Data.bytes(1, length), first)) { // matched before, but its end is seen by nothing else
          world.iprobe(1, 99);
        }
      } else {
        world.recv(new int[0], 0, 2);
        world.ssend(Buf.of(Data.bytes(1, length)), 0, 1);
        world.ssend(Buf.of(Data.bytes(2, length)), 0, 1);
      }
      world.barrier();
    }
  }

  // ---- closed communicators

  @EveryTransport
  @MpiTest(ranks = 2)
  @DisplayName("§7.4.3: operations that are pending when a communicator is closed complete normally")
  void operationsOutliveTheirCommunicator(IntraComm world) {
    int peer = 1 - world.rank();
    AtomicInteger deleted = new AtomicInteger();
    Keyval<Comm, Integer> key =
        Keyval.of((comm, value) -> Optional.empty(), (comm, value) -> deleted.incrementAndGet());
    for (int length : new int[] {1, 1_000, 30_000}) {
      IntraComm dup = world.dup();
      dup.attributes().set(key, 7);
      byte[] in = new byte[length];
      int[] all = new int[2];
      int[] sum = {1 + world.rank()};
      Request receive = dup.irecv(in, peer, 1);
      Request gather = dup.iallgather(Buf.of(new int[] {world.rank()}), Buf.of(all));
      Request reduce = dup.iallreduce(Buf.of(sum), Op.SUM);
      Request send = dup.issend(Buf.of(Data.bytes(length, length)), peer, 1);
      int before = deleted.get();
      dup.close();
      assertEquals(before + 1, deleted.get(), "attributes go at once");
      assertError(ErrorClass.ERR_COMM, () -> dup.irecv(in, peer, 1), "closed");
      List<Request> requests = List.of(receive, gather, reduce, send);
      Request.waitAll(requests);
      Data.check(in, 0, length, length);
      assertArrayEquals(new int[] {0, 1}, all);
      assertEquals(3, sum[0]);
    }
    key.close();
  }

  @MpiTest(ranks = 2)
  @DisplayName("persistent requests of a closed communicator can be started, and completed, all the same")
  void persistentRequestsOutliveTheirCommunicator(IntraComm world) {
    int peer = 1 - world.rank();
    IntraComm dup = world.dup();
    int[] in = new int[1];
    int[] out = {world.rank()};
    int[] sum = new int[1];
    try (Persistent send = dup.sendInit(Buf.of(out), peer, 1);
        Persistent receive = dup.recvInit(Buf.of(in), peer, 1);
        Persistent reduce = dup.allreduceInit(Buf.of(out), Buf.of(sum), Op.SUM, null)) {
      dup.close();
      for (int round = 0; round < 3; round++) {
        out[0] = 10 * round + world.rank();
        List<Persistent> all = List.of(reduce, receive, send);
        Persistent.startAll(all);
        Request.waitAll(all);
        assertEquals(10 * round + peer, in[0]);
        assertEquals(20 * round + 1, sum[0]);
      }
    }
  }

  // ---- generalized requests

  /** Counts what it is asked. */
  private static final class Counts implements Grequest.Callbacks {
    final AtomicInteger queries = new AtomicInteger();
    final AtomicInteger frees = new AtomicInteger();
    final AtomicInteger cancels = new AtomicInteger();

    @Override
    public void query(Status status) {
      queries.incrementAndGet();
    }

    @Override
    public void free() {
      frees.incrementAndGet();
    }

    @Override
    public void cancel(boolean complete) {
      cancels.incrementAndGet();
    }

    void check(int expectedQueries, int expectedFrees, int expectedCancels) {
      assertEquals(
          List.of(expectedQueries, expectedFrees, expectedCancels), List.of(queries.get(), frees.get(), cancels.get()));
    }
  }

  @MpiTest(ranks = 1)
  @DisplayName("S1-12.3-c: how often each call of a generalized request's callbacks is made")
  void callbacksAreCounted(Mpi mpi) {
    Counts counts = new Counts();
    Grequest request = Grequest.start(mpi, counts);
    assertTrue(request.getStatus().isEmpty());
    assertFalse(request.test());
    assertEquals(OptionalInt.empty(), Request.testAny(List.of(request)));
    request.cancel();
    counts.check(0, 0, 1);
    request.complete();
    counts.check(0, 0, 1);
    request.getStatus();
    Request.getStatusAll(List.of(request), new Status[1]);
    Request.getStatusAny(List.of(request), new Status());
    Request.getStatusSome(List.of(request), new Status[1]);
    counts.check(4, 0, 1);
    request.cancel();
    counts.check(4, 0, 2);
    Request.waitAll(List.of(request));
    counts.check(5, 1, 2);
    request.await();
    request.getStatus();
    request.close();
    Request.waitAll(List.of(request));
    assertError(ErrorClass.ERR_REQUEST, request::cancel, "not active");
    counts.check(5, 1, 2);
    Counts closed = new Counts();
    Grequest given = Grequest.start(mpi, closed);
    given.close();
    closed.check(0, 0, 0);
    given.complete();
    closed.check(0, 1, 0);
    given.close();
    closed.check(0, 1, 0);
  }

  @MpiTest(ranks = 1, settings = "ffmpi.progress=thread")
  void aFutureQueriesAndDoesNotFree(Mpi mpi) throws Exception {
    Counts counts = new Counts();
    Grequest request = Grequest.start(mpi, counts);
    CompletableFuture<Status> future = request.toCompletableFuture();
    request.complete();
    future.get();
    counts.check(1, 0, 0);
    request.await();
    counts.check(2, 1, 0);
  }

  // ---- scopes

  @MpiTest(ranks = 2, settings = "ffmpi.requests.grace=20000000")
  @DisplayName("a scope that an exception leaves waits for a collective and a generalized request")
  void aScopeLeftByAnException(Mpi mpi) {
    IntraComm world = mpi.world();
    Counts counts = new Counts();
    int[] sum = {1};
    Grequest[] own = new Grequest[1];
    Thread[] worker = new Thread[1];
    IllegalStateException caught = assertThrows(IllegalStateException.class, () -> {
      try (Requests scope = world.requests()) {
        own[0] = Grequest.start(mpi, counts);
        scope.add(own[0]);
        scope.add(world.iallreduce(Buf.of(sum), Op.SUM));
        worker[0] = Thread.ofVirtual().start(() -> {
          while (counts.cancels.get() == 0) {
            Thread.onSpinWait();
          }
          own[0].complete();
        });
        throw new IllegalStateException("in the scope");
      }
    });
    assertEquals(List.of(), List.of(caught.getSuppressed()));
    assertFalse(own[0].isActive());
    counts.check(1, 1, 1);
    assertEquals(2, sum[0], "a collective cannot be cancelled, and is waited for");
    world.barrier();
  }

  // ---- lists with inactive requests

  @MpiTest(ranks = 1)
  @DisplayName("S3-12: looks at inactive persistent requests of every kind find none active")
  void inactiveOfEveryKind(IntraComm world) {
    int[] data = {3};
    try (Persistent send = world.sendInit(Buf.of(data), 0, 1);
        Persistent reduce = world.allreduceInit(Buf.of(data), Op.SUM, null);
        Persistent out = world.psendInit(Buf.of(data), 1, 0, 2);
        Persistent in = world.precvInit(Buf.of(new int[1]), 1, 0, 2)) {
      Status status = new Status();
      status.setTag(9);
      assertEquals(OptionalInt.of(UNDEFINED), Request.getStatusAny(List.of(send, reduce, out, in), status));
      assertEquals(ANY_TAG, status.tag());
      assertEquals(ANY_SOURCE, status.source());
      assertSame(Request.NONE_ACTIVE, Request.getStatusSome(List.of(send, reduce, out, in)));
      assertTrue(Request.getStatusAll(List.of(send, reduce, out, in)));
      assertEquals(UNDEFINED, Request.waitAny(List.of(send, reduce, out, in)));
    }
  }

  // ---- deaths

  /** A rank that is never idle, because messages come all the time, notices that another one has failed. */
  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aFloodHidesNoDeath() {
    for (int way = 0; way < 3; way++) {
      int receiving = way;
      List<Integer> received = new ArrayList<>();
      MpiException[] ended = new MpiException[2];
      assertThrows(IllegalStateException.class, () -> Mpi.runThreads(3, Map.of("ffmpi.errors", "return"), mpi -> {
        Comm world = mpi.world();
        int[] data = new int[1];
        switch (world.rank()) {
          case 0 -> ended[0] = assertThrows(MpiException.class, () -> {
            Request never = world.irecv(data, ANY_SOURCE, 2);
            while (true) {
              switch (receiving) {
                case 0 -> world.recv(data, ANY_SOURCE, 1);
                case 1 -> Request.waitAny(List.of(never, world.irecv(data, ANY_SOURCE, 1)));
                default -> world.irecv(data, ANY_SOURCE, 1).await();
              }
              if (received.isEmpty()) {
                received.add(data[0]);
              }
            }
          });
          case 1 -> ended[1] = assertThrows(MpiException.class, () -> {
            while (true) {
              world.send(data, 0, 1);
            }
          });
          default -> {
            Thread.sleep(50);
            throw new IllegalStateException("dies");
          }
        }
      }));
      for (MpiException e : ended) {
        assertEquals(ErrorClass.ERR_PROC_ABORTED, e.errorClass());
      }
      assertEquals(1, received.size());
    }
  }
}
