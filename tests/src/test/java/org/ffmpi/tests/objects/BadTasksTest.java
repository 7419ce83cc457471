// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.objects;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.ffmpi.IntraComm;
import org.ffmpi.MpiExecutor;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.Seeds;

/** Tasks, results, exceptions and listeners that do what they should not fail alone, and the executor works on. */
class BadTasksTest {
  private static final int LIMIT = 20;

  /** Set by the task of {@link #aCancelledRunnableDoesNotRun}; ranks are threads there. */
  private static final AtomicBoolean HAS_RUN = new AtomicBoolean();

  private final long seed = Seeds.next();

  /** Throws when it is asked for its text. */
  private static final class Mute extends RuntimeException {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new IllegalStateException("no text");
    }
  }

  /** Throws an error when it is written. */
  private static final class Unwritable implements Serializable {
    private static final long serialVersionUID = 1;

    private void writeObject(ObjectOutputStream out) throws IOException {
      throw new OutOfMemoryError("while it was written");
    }
  }

  /** Throws an error when it is read. */
  private static final class Unreadable implements Serializable {
    private static final long serialVersionUID = 1;

    private void readObject(ObjectInputStream in) throws IOException {
      throw new OutOfMemoryError("while it was read");
    }
  }

  private static Throwable cause(Future<?> future) {
    return assertThrows(ExecutionException.class, () -> future.get(LIMIT, TimeUnit.SECONDS)).getCause();
  }

  private static void assertWorks(MpiExecutor pool) throws Exception {
    assertEquals(7, pool.submit(() -> 7).get(LIMIT, TimeUnit.SECONDS));
  }

  @MpiTest(ranks = {1, 2})
  void errorsOfTheProgramsClassesFailOneTask(IntraComm world) throws Exception {
    MpiExecutor.run(world, pool -> {
      Throwable unwritable = cause(pool.submit(() -> new Unwritable()));
      assertEquals("while it was written", unwritable.getMessage());
      assertWorks(pool);
      Throwable unreadable = cause(pool.submit(() -> new Unreadable()));
      assertEquals("while it was read", unreadable.getMessage());
      assertWorks(pool);
      Future<Integer> mute = pool.submit(() -> {
        throw new Mute();
      });
      assertInstanceOf(Mute.class, cause(mute));
      assertWorks(pool);
    });
  }

  @MpiTest(ranks = {1, 2})
  void exceptionsOfFuturesAreThoseOfTheTask(IntraComm world) throws Exception {
    MpiExecutor.run(world, pool -> {
      Future<Integer> cancellation = pool.submit(() -> {
        throw new CancellationException("by the task");
      });
      assertInstanceOf(CancellationException.class, cause(cancellation));
      assertFalse(cancellation.isCancelled());
      Future<Integer> completion = pool.submit(() -> {
        throw new CompletionException("by the task", new IllegalStateException());
      });
      assertInstanceOf(CompletionException.class, cause(completion));
    });
  }

  @MpiTest(ranks = {1, 3})
  void aListenerThatThrowsAnErrorIsIgnored(IntraComm world) throws Exception {
    MpiExecutor.run(world, pool -> {
      pool.onProgress(p -> {
        throw new AssertionError("of the listener");
      });
      for (int i = 0; i < 10; i++) {
        assertWorks(pool);
      }
    });
  }

  @MpiTest(ranks = {1, 2})
  void dependentsMayWaitForOtherTasks(IntraComm world) throws Exception {
    MpiExecutor.run(world, pool -> {
      CompletableFuture<Integer> sum = pool.submit(() -> {
        Thread.sleep(20);
        return 1;
      }).thenApply(one -> one + pool.submit(() -> 2).orTimeout(LIMIT, TimeUnit.SECONDS).join());
      assertEquals(3, sum.get(2 * LIMIT, TimeUnit.SECONDS));
    });
  }

  @MpiTest(ranks = {1, 2})
  void tasksAreCountedBeforeTheirFuturesAreComplete(IntraComm world) throws Exception {
    MpiExecutor.run(world, pool -> {
      for (int i = 1; i <= 500; i++) {
        pool.submit(() -> 1).get();
        assertEquals(i, pool.progress().ended());
      }
    });
  }

  @MpiTest(ranks = {1, 3})
  void allFuturesAreCompleteWhenTheExecutorHasTerminated(IntraComm world) throws Exception {
    for (int round = 0; round < 20; round++) {
      MpiExecutor.run(world, pool -> {
        List<Future<Integer>> futures = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
          futures.add(pool.submit(() -> 1));
        }
        pool.shutdown();
        assertTrue(pool.awaitTermination(LIMIT, TimeUnit.SECONDS));
        assertTrue(futures.stream().allMatch(Future::isDone));
      });
    }
  }

  @MpiTest(ranks = 2)
  void aCancelledRunnableDoesNotRun(IntraComm world) throws Exception {
    MpiExecutor.run(world, pool -> {
      HAS_RUN.set(false);
      Future<Integer> before = pool.submit(() -> {
        Thread.sleep(100);
        return 1;
      });
      MpiExecutor.Action action = () -> HAS_RUN.set(true);
      assertTrue(pool.submit(action, "result").cancel(true));
      assertEquals(1, before.get());
      assertWorks(pool);
      assertFalse(HAS_RUN.get());
      assertEquals("result", pool.submit(action, "result").get());
      assertTrue(HAS_RUN.get());
    });
  }

  @MpiTest(ranks = {1, 2})
  void whatABodyLeavesWhenItThrowsIsCancelled(IntraComm world) throws Exception {
    AtomicReference<Future<Integer>> left = new AtomicReference<>();
    try {
      MpiExecutor.run(world, pool -> {
        for (int i = 0; i < 3; i++) {
          left.set(pool.submit(() -> {
            Thread.sleep(50);
            return 1;
          }));
        }
        throw new IOException("of the body");
      });
      assertFalse(world.rank() == 0, "thrown at the master");
    } catch (IOException e) {
      assertTrue(left.get().isCancelled());
    }
  }

  private enum Kind { RESULT, EXCEPTION, UNWRITABLE, UNREADABLE, MUTE, BIG, CANCELLED }

  private static Object play(Kind kind, long n) {
    return switch (kind) {
      case RESULT, CANCELLED -> n;
      case BIG -> new long[] {n, 2, 3, 4, n};
      case EXCEPTION -> throw new IllegalStateException("task " + n);
      case MUTE -> throw new Mute();
      case UNWRITABLE -> new Unwritable();
      case UNREADABLE -> new Unreadable();
    };
  }

  private static void check(Kind kind, long n, Future<Object> future, boolean isCancelled) throws Exception {
    if (isCancelled) {
      assertTrue(future.isCancelled());
      return;
    }
    switch (kind) {
      case RESULT, CANCELLED -> assertEquals(n, future.get(LIMIT, TimeUnit.SECONDS));
      case BIG -> assertTrue(Arrays.equals(new long[] {n, 2, 3, 4, n}, (long[]) future.get(LIMIT, TimeUnit.SECONDS)));
      case EXCEPTION -> assertEquals("task " + n, cause(future).getMessage());
      case MUTE -> assertInstanceOf(Mute.class, cause(future));
      case UNWRITABLE, UNREADABLE -> assertInstanceOf(OutOfMemoryError.class, cause(future));
    }
  }

  @MpiTest(ranks = {1, 2, 3, 4})
  void randomTasksEndAsTheModelHasIt(IntraComm world) throws Exception {
    Seeds.run(seed, () -> MpiExecutor.run(world, pool -> {
      RandomGenerator random = Seeds.random(seed);
      int tasks = 200;
      List<Kind> kinds = new ArrayList<>();
      List<Future<Object>> futures = new ArrayList<>();
      List<Boolean> cancelled = new ArrayList<>();
      for (int i = 0; i < tasks; i++) {
        Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
        long n = i;
        Future<Object> future = pool.submit(() -> play(kind, n));
        kinds.add(kind);
        futures.add(future);
        cancelled.add(kind == Kind.CANCELLED && future.cancel(random.nextBoolean()));
        if (random.nextInt(20) == 0) {
          int some = random.nextInt(futures.size());
          check(kinds.get(some), some, futures.get(some), cancelled.get(some));
        }
      }
      for (int i = 0; i < tasks; i++) {
        check(kinds.get(i), i, futures.get(i), cancelled.get(i));
      }
      pool.shutdown();
      assertThrows(RejectedExecutionException.class, () -> pool.submit(() -> 1));
      assertTrue(pool.awaitTermination(LIMIT, TimeUnit.SECONDS));
      MpiExecutor.Progress end = pool.progress();
      assertEquals(new MpiExecutor.Progress(tasks, 0, tasks, world.size() - 1), end);
    }));
  }
}
