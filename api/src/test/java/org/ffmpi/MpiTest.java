// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import static org.ffmpi.Worlds.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.SegmentAllocator;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.fake.FakeEngine;
import org.ffmpi.fake.FakeProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Queries of environments, start and end of worlds of threads, and the effects of errors on them. */
@Timeout(60)
class MpiTest {
  private static final Map<String, String> RETURN = Map.of("ffmpi.errors", "return");

  private static FakeEngine engine(int rank) {
    return FakeProvider.LATEST.get(rank);
  }

  // ---- what there is

  @Test
  void factsOfARank() {
    Worlds w = Worlds.returning(2, 5);
    assertEquals(2, w.world.rank());
    assertEquals(5, w.world.size());
    assertEquals("MPI_COMM_WORLD", w.world.name());
    assertEquals("MPI_COMM_SELF", w.mpi.self().name());
    assertEquals("MPI_COMM_WORLD[rank 2 of 5]", w.world.toString());
    assertEquals("Mpi[rank 2 of 5]", w.mpi.toString());
    assertEquals("4.1", Mpi.version().toString());
    assertTrue(Mpi.libraryVersion().matches("ffmpi [0-9][^,]*"), Mpi.libraryVersion());
    assertFalse(Mpi.processorName().isBlank());
    assertTrue(Mpi.processorName().length() < Constants.MAX_PROCESSOR_NAME);
    assertEquals(1e-9, Mpi.wtick());
    double before = Mpi.wtime();
    assertTrue(Mpi.wtime() >= before);
    assertEquals(ThreadLevel.MULTIPLE, w.mpi.threadLevel());
    assertTrue(w.mpi.isThreadMain());
    assertEquals(ThreadLevel.FUNNELED, Worlds.with(Map.of("ffmpi.thread.level", "funneled")).mpi.threadLevel());
  }

  @Test
  void communicatorsCanBeNamed() {
    IntraComm world = Worlds.returning(0, 1).world;
    world.setName("ocean");
    assertEquals("ocean", world.name());
    assertError(ErrorClass.ERR_ARG, () -> world.setName(null), "name = null");
    world.setName("x".repeat(200));
    assertEquals("x".repeat(127), world.name());
    assertError(ErrorClass.ERR_ERRHANDLER, () -> world.setErrhandler(null), "errhandler = null");
  }

  @Test
  void sharedHeapChecksAndAsksTheEngine() {
    Worlds w = Worlds.returning(0, 1);
    SharedHeap heap = w.mpi.shared();
    assertEquals(100, heap.allocate(100).byteSize());
    assertEquals("allocate", w.engine.last().name());
    assertNull(w.engine.last().owner());
    try (Arena arena = Arena.ofConfined()) {
      SegmentAllocator within = heap.within(arena);
      assertTrue(within.allocate(8, 64).isAccessibleBy(Thread.currentThread()));
      assertSame(arena, w.engine.last().owner());
    }
    assertError(ErrorClass.ERR_ARG, () -> heap.allocate(-1), "bytes = -1");
    assertError(ErrorClass.ERR_ARG, () -> heap.allocate(8, 3), "alignment = 3", "powers of two");
    assertError(ErrorClass.ERR_ARG, () -> heap.allocate(8, 0), "alignment = 0");
    assertError(ErrorClass.ERR_ARG, () -> heap.within(null), "arena = null");
    w.engine.failNext = new MpiException(ErrorClass.ERR_NO_MEM, "full");
    assertError(ErrorClass.ERR_NO_MEM, () -> heap.allocate(8), "full");
  }

  // ---- worlds of threads

  @Test
  void everyRankRunsOnAThreadOfItsOwn() {
    Set<String> seen = Collections.synchronizedSet(new TreeSet<>());
    Mpi.runThreads(3, mpi -> {
      assertTrue(Mpi.isInitialized());
      assertFalse(Mpi.isFinalized());
      assertTrue(mpi.isThreadMain());
      seen.add(Thread.currentThread().getName() + " " + mpi.world().rank() + "/" + mpi.world().size());
      mpi.close();
      assertTrue(Mpi.isFinalized());
      mpi.close();
    });
    assertEquals(Set.of("ffmpi-rank-0 0/3", "ffmpi-rank-1 1/3", "ffmpi-rank-2 2/3"), seen);
    for (int rank = 0; rank < 3; rank++) {
      assertEquals(Boolean.FALSE, engine(rank).leftFailed, "left once, and well");
      assertEquals(0, engine(rank).abortCode);
    }
    assertFalse(Mpi.isInitialized(), "this thread is no rank");
  }

  @Test
  void theFirstFailureIsThrownWithTheOthers() throws InterruptedException {
    IllegalStateException first = new IllegalStateException("rank 2 fails first");
    CountDownLatch failed = new CountDownLatch(1);
    RuntimeException seen = assertThrows(IllegalStateException.class, () -> Mpi.runThreads(3, RETURN, mpi -> {
      switch (mpi.world().rank()) {
        case 0 -> mpi.world().rank();
        case 2 -> throw first;
        default -> {
          while (engine(2).leftFailed == null) {
            Thread.onSpinWait();
          }
          failed.countDown();
          throw new MpiException(ErrorClass.ERR_PROC_ABORTED, "rank 2 is gone");
        }
      }
    }));
    assertSame(first, seen);
    assertEquals(1, seen.getSuppressed().length);
    assertEquals(Boolean.FALSE, engine(0).leftFailed);
    assertEquals(Boolean.TRUE, engine(2).leftFailed);
    assertEquals(1, engine(2).abortCode);
    assertTrue(engine(1).endReason().orElseThrow().contains("rank 2: java.lang.IllegalStateException"));
    failed.await();
  }

  @Test
  void checkedExceptionsAndErrorsLeaveToo() {
    IOException checked = new IOException("disk");
    MpiException wrapped = assertError(
        ErrorClass.ERR_OTHER, () -> Mpi.runThreads(1, RETURN, mpi -> {
          throw checked;
        }), "disk");
    assertSame(checked, wrapped.getCause());
    AssertionError error = new AssertionError("wrong");
    assertSame(error, assertThrows(AssertionError.class, () -> Mpi.runThreads(2, RETURN, mpi -> {
      throw error;
    })));
  }

  @Test
  void aRankThatFailsAfterCatchingTellsWhatItThrewLast() {
    IllegalArgumentException last = new IllegalArgumentException("mine");
    assertSame(last, assertThrows(IllegalArgumentException.class, () -> Mpi.runThreads(1, mpi -> {
      assertError(ErrorClass.ERR_RANK, () -> mpi.world().send(new int[1], 9, 0));
      throw last;
    })));
  }

  @Test
  void abortEndsAWorldOfThreadsButNotTheJvm() {
    MpiException error =
        assertError(ErrorClass.ERR_PROC_ABORTED, () -> Mpi.runThreads(2, mpi -> {
          if (mpi.world().rank() == 1) {
            mpi.abort(7);
          }
        }), "rank 1 called abort(7) on MPI_COMM_WORLD");
    assertEquals(7, engine(1).abortCode);
    assertEquals(Boolean.TRUE, engine(1).leftFailed);
    assertTrue(error.getMessage().startsWith("MPI_ERR_PROC_ABORTED"));
  }

  @Test
  void wrongStartsAreRefused() {
    assertError(ErrorClass.ERR_ARG, () -> Mpi.runThreads(0, mpi -> {}), "ranks = 0", "1 or more");
    assertError(ErrorClass.ERR_ARG, () -> Mpi.runThreads(-3, mpi -> {}), "ranks = -3");
    assertError(ErrorClass.ERR_ARG, () -> Mpi.runThreads(1, null), "body = null");
    assertError(ErrorClass.ERR_ARG, () -> Mpi.runThreads(1, null, mpi -> {}), "settings = null");
    assertError(
        ErrorClass.ERR_ARG, () -> Mpi.runThreads(1, Map.of("ffmpi.engine", "warp"), mpi -> {}), "warp", "fake");
    assertError(ErrorClass.ERR_ARG, () -> Mpi.runThreads(1, Map.of("ffmpi.errors", "maybe"), mpi -> {}), "maybe");
    assertError(ErrorClass.ERR_ARG, () -> Mpi.init(new String[0], null), "required = null");
  }

  @Test
  void aWorldOfThreadsCanBeWatchedAndEnded() {
    CountDownLatch go = new CountDownLatch(1);
    try (ThreadWorld threads = ThreadWorld.start(2, RETURN, mpi -> go.await())) {
      assertFalse(threads.await(Duration.ofMillis(20)));
      assertEquals(List.of("ffmpi-rank-0", "ffmpi-rank-1"), threads.threads().stream().map(Thread::getName).toList());
      threads.abort("enough");
      assertEquals("enough", engine(1).endReason().orElseThrow());
      go.countDown();
      assertTrue(threads.await(Duration.ofSeconds(30)));
      assertTrue(threads.failures().isEmpty());
    }
  }

  @Test
  void anInterruptOfTheStarterEndsTheWorld() throws InterruptedException {
    CountDownLatch running = new CountDownLatch(1);
    AtomicReference<Boolean> kept = new AtomicReference<>();
    Thread starter = Thread.ofPlatform().start(() -> {
      Mpi.runThreads(1, RETURN, mpi -> {
        running.countDown();
        while (engine(0).endReason().isEmpty()) {
          Thread.onSpinWait();
        }
      });
      kept.set(Thread.currentThread().isInterrupted());
    });
    running.await();
    starter.interrupt();
    starter.join();
    assertEquals(Boolean.TRUE, kept.get());
  }

  @Test
  void providersAreLookedUpOncePerClassLoader() {
    Mpi.runThreads(1, mpi -> {});
    int created = FakeProvider.CREATED.get();
    Mpi.runThreads(1, mpi -> {});
    Mpi.runThreads(2, mpi -> {});
    assertEquals(created, FakeProvider.CREATED.get());
  }

  // ---- errors

  @Test
  void fatalAndAbortEndTheWorldAndThrow() {
    for (String handler : new String[] {"fatal", "abort", "FATAL"}) {
      Worlds w = Worlds.with(Map.of("ffmpi.errors", handler));
      MpiException error = assertError(ErrorClass.ERR_RANK, () -> w.world.send(new int[1], 4, 0), "dest = 4");
      assertEquals(List.of(error), w.told);
      assertEquals(ErrorClass.ERR_RANK.code(), w.engine.abortCode);
      assertEquals("rank 1: " + error.getMessage(), w.engine.endReason().orElseThrow());
      assertError(ErrorClass.ERR_TAG, () -> w.world.send(new int[1], 0, -1), "tag = -1");
      assertEquals(1, w.told.size(), "a world ends once");
    }
    assertEquals(Errhandler.FATAL, Worlds.with(Map.of()).world.errhandler(), "the standard's default");
  }

  @Test
  void returnOnlyThrows() {
    Worlds w = Worlds.with(Map.of());
    w.world.setErrhandler(Errhandler.RETURN);
    assertEquals(Errhandler.RETURN, w.world.errhandler());
    assertEquals(Errhandler.FATAL, w.mpi.self().errhandler(), "each communicator has its own");
    assertError(ErrorClass.ERR_RANK, () -> w.world.send(new int[1], 4, 0));
    assertTrue(w.told.isEmpty());
    assertEquals(0, w.engine.abortCode);
  }

  @Test
  void errorsOfRequestsGoThroughTheirCommunicatorsHandler() {
    Worlds w = Worlds.with(Map.of());
    Request r = w.world.irecv(new int[1], 0, 0);
    w.engine.started.getFirst().failWith(new MpiException(ErrorClass.ERR_TRUNCATE, "too long"));
    assertError(ErrorClass.ERR_TRUNCATE, r::await);
    assertEquals(1, w.told.size());
    assertEquals(ErrorClass.ERR_TRUNCATE.code(), w.engine.abortCode);
  }
}
