// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.requests;

import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Grequest;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.Requests;
import org.ffmpi.Status;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.Data;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Futures of requests, which the progress thread completes while the program is elsewhere. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FutureTest {
  private static final String THREAD = "ffmpi.progress=thread";

  @MpiTest(ranks = {1, 2, 3}, settings = THREAD)
  void futuresCompleteWhileNobodyWaits(Comm world) throws Exception {
    int next = (world.rank() + 1) % world.size();
    int previous = (world.rank() + world.size() - 1) % world.size();
    int[] lengths = {0, 8, 1_000, 70_000, 400_000};
    for (int length : lengths) {
      byte[] data = new byte[length];
      CompletableFuture<Status> in = world.irecv(data, previous, length).toCompletableFuture();
      CompletableFuture<Status> out = world.isend(Data.bytes(length, length), next, length).toCompletableFuture();
      Status status = in.get();
      assertEquals(previous, status.source());
      assertEquals(length, status.bytes());
      Data.check(data, 0, length, length);
      assertEquals(0, out.get().bytes());
    }
    world.barrier();
  }

  @MpiTest(ranks = 2, settings = {THREAD, "ffmpi.check=full"})
  void toTheCheckACompleteFutureIsAWait(Comm world) throws Exception {
    futuresCompleteWhileNobodyWaits(world);
    int[] sum = {1};
    world.iallreduce(sum, Op.SUM).toCompletableFuture().get();
    assertEquals(2, sum[0]);
    sum[0] = 3; // its buffer is free
    world.iallreduce(sum, Op.SUM).toCompletableFuture().get();
    assertEquals(6, sum[0]);
  }

  @MpiTest(ranks = 2, settings = THREAD)
  void dependentsMayBlockAndCallMpi(Comm world) throws Exception {
    int rounds = 50;
    if (world.rank() == 0) {
      List<CompletableFuture<Integer>> answers = new ArrayList<>();
      for (int i = 0; i < rounds; i++) {
        int[] question = new int[1];
        int tag = i;
        answers.add(world.irecv(question, 1, tag).toCompletableFuture().thenApply(status -> {
          assertTrue(Thread.currentThread().isVirtual());
          world.ssend(Buf.of(new int[] {2 * question[0]}), 1, 1_000 + tag); // blocks until the other asks for it
          return question[0];
        }));
      }
      world.barrier();
      for (int i = 0; i < rounds; i++) {
        assertEquals(i, answers.get(i).get());
      }
    } else {
      world.barrier();
      for (int i = rounds - 1; i >= 0; i--) {
        world.send(new int[] {i}, 0, i);
      }
      int[] answer = new int[1];
      for (int i = 0; i < rounds; i++) {
        world.recv(answer, 0, 1_000 + i);
        assertEquals(2 * i, answer[0]);
      }
    }
  }

  @MpiTest(ranks = 2, settings = THREAD)
  void theRequestStaysAsItIs(Comm world) throws Exception {
    int peer = 1 - world.rank();
    int[] data = new int[2];
    Request incoming = world.irecv(data, peer, 1);
    CompletableFuture<Status> future = incoming.toCompletableFuture();
    assertSame(future, incoming.toCompletableFuture());
    assertTrue(incoming.isActive());
    world.send(new int[] {1, 2}, peer, 1);
    assertEquals(8, incoming.await(new Status()).bytes());
    assertEquals(8, future.get().bytes());
    assertEquals(0, incoming.toCompletableFuture().get().bytes(), "of an inactive one, as wait");
    assertTrue(world.isend(new int[1], peer, 2).toCompletableFuture().isDone(), "what is over is over");
    world.recv(data, peer, 2);

    Request cancelled = world.irecv(data, peer, 3);
    CompletableFuture<Status> ofCancelled = cancelled.toCompletableFuture();
    assertTrue(ofCancelled.copy().cancel(true));
    assertFalse(ofCancelled.isDone(), "to cancel a future does not cancel the operation");
    cancelled.cancel();
    assertTrue(ofCancelled.get().isCancelled());
    cancelled.await();

    Request given = world.irecv(data, peer, 4);
    CompletableFuture<Status> ofGiven = given.toCompletableFuture();
    given.close();
    world.barrier();
    world.send(new int[] {7, 8}, peer, 4);
    assertEquals(4, ofGiven.get().tag());
    assertEquals(8, data[1]);

    try (Requests scope = world.requests()) {
      CompletableFuture<Status> inScope = scope.irecv(data, peer, 5).toCompletableFuture();
      scope.isend(new int[] {5}, peer, 5);
      scope.await();
      assertEquals(4, inScope.get().bytes());
    }
  }

  @MpiTest(ranks = 2, settings = THREAD)
  void persistentOnesHaveAFutureForEachStart(Comm world) throws Exception {
    int peer = 1 - world.rank();
    int[] in = new int[1];
    int[] out = new int[1];
    try (Persistent receive = world.recvInit(Buf.of(in), peer, 0);
        Persistent send = world.sendInit(Buf.of(out), peer, 0)) {
      assertEquals(0, receive.toCompletableFuture().get().bytes(), "inactive: an empty status at once");
      for (int round = 0; round < 200; round++) {
        out[0] = round;
        receive.start();
        CompletableFuture<Status> future = receive.toCompletableFuture();
        send.start();
        if (round % 2 == 0) {
          assertEquals(4, future.get().bytes());
          assertTrue(receive.isActive(), "still to be completed");
          receive.await();
        } else {
          receive.await();
          assertEquals(peer, future.get().source());
        }
        send.await();
        assertEquals(round, in[0]);
        assertFalse(receive.isActive());
      }
    }
  }

  @MpiTest(ranks = 2, settings = THREAD)
  void errorsCompleteThemExceptionally(Comm world) throws InterruptedException {
    if (world.rank() == 0) {
      Request incoming = world.irecv(new int[1], 1, 0);
      CompletableFuture<Status> future = incoming.toCompletableFuture();
      world.barrier();
      ExecutionException failed = assertThrows(ExecutionException.class, future::get);
      MpiException error = assertInstanceOf(MpiException.class, failed.getCause());
      assertEquals(ErrorClass.ERR_TRUNCATE, error.errorClass());
      assertSame(error, assertError(ErrorClass.ERR_TRUNCATE, incoming::await));
      assertTrue(future.isCompletedExceptionally());
      assertFalse(incoming.toCompletableFuture().isCompletedExceptionally(), "of an inactive one, as wait");
    } else {
      world.barrier();
      world.send(new int[2], 0, 0);
    }
    world.barrier();
  }

  @MpiTest(ranks = 2, settings = THREAD)
  void collectivesAndGeneralizedRequestsHaveThemToo(Mpi mpi) throws Exception {
    Comm world = mpi.world();
    world.ibarrier().toCompletableFuture().get();
    long[] sum = {world.rank() + 1};
    world.iallreduce(Buf.of(sum), org.ffmpi.Op.SUM).toCompletableFuture().get();
    assertEquals(3, sum[0]);
    Grequest request = Grequest.start(mpi, status -> status.setTag(9));
    CompletableFuture<Status> future = request.toCompletableFuture();
    assertFalse(future.isDone());
    request.complete();
    assertEquals(9, future.get().tag());
    assertEquals(9, request.await(new Status()).tag());
  }

  /** A wait completes and frees a request while its future is about to ask how the operation ended. */
  @MpiTest(ranks = 1, settings = THREAD)
  void callbacksAreNotAskedAfterTheyHaveBeenFreed(Mpi mpi) throws Exception {
    for (int i = 0; i < 2_000; i++) {
      int tag = i;
      AtomicBoolean freed = new AtomicBoolean();
      Grequest request = Grequest.start(mpi, new Grequest.Callbacks() {
        @Override
        public void query(Status status) {
          status.setTag(freed.get() ? -1 : tag);
        }

        @Override
        public void free() {
          assertFalse(freed.getAndSet(true));
        }
      });
      CompletableFuture<Status> future = request.toCompletableFuture();
      request.complete();
      for (int spin = i % 50 * 20; spin > 0; spin--) {
        Thread.onSpinWait();
      }
      assertEquals(tag, request.await(new Status()).tag());
      assertTrue(freed.get());
      assertEquals(tag, future.get().tag());
    }
  }

  @MpiTest(ranks = 2, settings = THREAD)
  void manyAtOnce(Comm world) throws Exception {
    int n = 500;
    int peer = 1 - world.rank();
    int[][] data = new int[n][2];
    List<CompletableFuture<?>> all = new ArrayList<>();
    ConcurrentLinkedQueue<Integer> seen = new ConcurrentLinkedQueue<>();
    for (int i = 0; i < n; i++) {
      int[] mine = data[i];
      all.add(world.irecv(mine, peer, i).toCompletableFuture().thenAccept(status -> seen.add(mine[0])));
    }
    world.barrier();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < n; i++) {
        int tag = i;
        threads.submit(() -> world.send(new int[] {tag, 0}, peer, tag));
      }
    }
    CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get();
    assertEquals(n, seen.stream().distinct().count());
    world.barrier();
  }

  @MpiTest(ranks = 1)
  void withoutTheProgressThreadThereAreNone(Comm world) {
    assertError(
        ErrorClass.ERR_OTHER, () -> world.irecv(new int[1], 0, 0).toCompletableFuture(), "ffmpi.progress=thread");
    assertError(
        ErrorClass.ERR_OTHER, () -> world.isend(new int[1], 0, 0).toCompletableFuture(), "ffmpi.progress=thread");
  }

  /** What can never be completed any more completes its future with an error when the rank leaves, or the job ends. */
  @Test
  void theEndCompletesThemAll() throws Exception {
    AtomicReference<CompletableFuture<Status>> left = new AtomicReference<>();
    AtomicReference<Request> request = new AtomicReference<>();
    Map<String, String> settings = Map.of("ffmpi.errors", "return", "ffmpi.progress", "thread");
    Mpi.runThreads(1, settings, mpi -> {
      request.set(mpi.world().irecv(new int[1], 0, 0));
      left.set(request.get().toCompletableFuture());
    });
    Throwable afterwards = assertThrows(ExecutionException.class, left.get()::get).getCause();
    assertEquals(ErrorClass.ERR_OTHER, assertInstanceOf(MpiException.class, afterwards).errorClass());
    assertError(ErrorClass.ERR_OTHER, request.get()::toCompletableFuture, "finalized");
    AtomicReference<CompletableFuture<Status>> aborted = new AtomicReference<>();
    assertThrows(IllegalStateException.class, () -> Mpi.runThreads(2, settings, mpi -> {
      if (mpi.world().rank() == 0) {
        aborted.set(mpi.world().irecv(new int[1], 1, 0).toCompletableFuture());
        mpi.world().barrier();
        mpi.world().recv(new int[1], 1, 1);
      } else {
        mpi.world().barrier();
        throw new IllegalStateException("the end");
      }
    }));
    Throwable early = assertThrows(ExecutionException.class, aborted.get()::get).getCause();
    assertEquals(ErrorClass.ERR_PROC_ABORTED, assertInstanceOf(MpiException.class, early).errorClass());
    assertNull(early.getCause());
  }
}
