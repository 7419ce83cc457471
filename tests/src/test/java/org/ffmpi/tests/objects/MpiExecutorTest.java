// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.objects;

import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.ffmpi.IntraComm;
import org.ffmpi.MpiExecutor;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.nodes.EveryNodes;
import org.ffmpi.tests.support.Seeds;

/** The executor over ranks keeps the contract of an executor service. */
class MpiExecutorTest {
  private final long seed = Seeds.next();

  /** Cannot be written. */
  private static final class Plain {}

  /** Refuses to be written. */
  private static final class Stubborn extends Exception {
    private static final long serialVersionUID = 1;

    Stubborn(String text) {
      super(text);
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      throw new NotSerializableException(Stubborn.class.getName());
    }
  }

  private static long slow(long n) throws InterruptedException {
    Thread.sleep(n);
    return n;
  }

  @MpiTest
  void tasksGiveTheirResults(IntraComm world) throws Exception {
    Seeds.run(seed, () -> MpiExecutor.run(world, pool -> {
      RandomGenerator random = Seeds.random(seed);
      List<Future<double[]>> futures = new ArrayList<>();
      List<double[]> expected = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        double[] captured = random.doubles(random.nextInt(3) == 0 ? 20_000 : 3).toArray();
        futures.add(pool.submit(() -> Arrays.stream(captured).map(x -> 2 * x).toArray()));
        expected.add(Arrays.stream(captured).map(x -> 2 * x).toArray());
      }
      for (int i = 0; i < expected.size(); i++) {
        assertTrue(Arrays.equals(expected.get(i), futures.get(i).get()));
      }
      assertEquals(40, pool.progress().submitted());
      assertEquals(world.size() - 1, pool.progress().workers());
    }));
  }

  @MpiTest(ranks = 3)
  void anyRankCanBeTheMaster(IntraComm world) throws Exception {
    AtomicInteger bodies = new AtomicInteger();
    MpiExecutor.run(world, 2, pool -> {
      bodies.incrementAndGet();
      assertEquals("a", pool.submit(() -> "a").get());
    });
    assertEquals(world.rank() == 2 ? 1 : 0, bodies.get());
    assertError(ErrorClass.ERR_ROOT, () -> MpiExecutor.run(world, 3, pool -> { }), "master", "3");
  }

  @MpiTest(ranks = {1, 3})
  void exceptionsComeBackWithTheirStacks(IntraComm world) throws Exception {
    MpiExecutor.run(world, pool -> {
      ExecutionException thrown = assertThrows(ExecutionException.class, () -> pool.submit(() -> fail("text")).get());
      assertInstanceOf(IllegalStateException.class, thrown.getCause());
      assertEquals("text", thrown.getCause().getMessage());
      assertEquals("fail", thrown.getCause().getStackTrace()[0].getMethodName());
      for (String kind : List.of("io", "stubborn")) {
        Throwable cause =
            assertThrows(ExecutionException.class, () -> pool.submit(() -> failBadly(kind)).get()).getCause();
        assertTrue(cause.getMessage().contains("of kind " + kind), cause.getMessage());
        assertEquals("failBadly", cause.getStackTrace()[0].getMethodName());
      }
      Future<?> error = pool.submit(() -> {
        throw new StackOverflowError("deep");
      });
      assertInstanceOf(StackOverflowError.class, assertThrows(ExecutionException.class, error::get).getCause());
    });
  }

  private static int fail(String text) {
    throw new IllegalStateException(text);
  }

  private static int failBadly(String kind) throws Exception {
    throw kind.equals("io") ? new IOException("of kind io") : new Stubborn("of kind stubborn");
  }

  @MpiTest(ranks = {1, 2})
  void whatCannotBeSentIsRefusedByName(IntraComm world) throws Exception {
    MpiExecutor.run(world, pool -> {
      Callable<Integer> plain = () -> 1;
      assertError(ErrorClass.ERR_CONVERSION, () -> pool.submit(plain), "Serializable", "MpiExecutor.Task");
      Plain captured = new Plain();
      assertError(ErrorClass.ERR_CONVERSION, () -> pool.submit(() -> captured.hashCode()), "Plain");
      ExecutionException thrown = assertThrows(ExecutionException.class, () -> pool.submit(Plain::new).get());
      assertTrue(thrown.getCause().getMessage().contains("Plain"), thrown.getCause().getMessage());
      assertEquals(1, pool.submit(() -> 1).get());
    });
  }

  @MpiTest
  void mappedResultsAreInOrderOrAsTheyComplete(IntraComm world) throws Exception {
    MpiExecutor.run(world, pool -> {
      List<Integer> squares = IntStream.range(0, 100).map(i -> i * i).boxed().toList();
      assertEquals(squares, pool.map(i -> i * i, IntStream.range(0, 100).boxed()).toList());
      assertEquals(squares, pool.map(i -> i * i, IntStream.range(0, 100).boxed(), 7).toList());
      assertEquals(squares, pool.mapAsCompleted(i -> i * i, IntStream.range(0, 100).boxed(), 3).sorted().toList());
      assertEquals(List.of(0, 2, 4), pool.map(i -> 2 * i, Stream.iterate(0, i -> i + 1)).limit(3).toList());
      assertEquals(List.of(), pool.map(i -> i, Stream.empty()).toList());
      CompletionException thrown = assertThrows(
          CompletionException.class, () -> pool.map(i -> fail("at " + i), Stream.of(1, 2)).toList());
      assertEquals("at 1", thrown.getCause().getMessage());
      assertError(ErrorClass.ERR_COUNT, () -> pool.map(i -> i, Stream.of(1), 0), "chunk", "0");
    });
  }

  @MpiTest(ranks = {1, 2, 4})
  void severalTasksAtOnce(IntraComm world) throws Exception {
    MpiExecutor.run(world, pool -> {
      List<MpiExecutor.Task<Integer>> tasks = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        int n = i;
        tasks.add(() -> n == 3 ? fail("three") : n);
      }
      List<Future<Integer>> all = pool.invokeAll(tasks);
      assertTrue(all.stream().allMatch(Future::isDone));
      assertEquals(9, all.get(9).get());
      assertThrows(ExecutionException.class, () -> all.get(3).get());
      assertEquals(1, pool.<Integer>invokeAny(List.<MpiExecutor.Task<Integer>>of(() -> fail("first"), () -> 1)));
      assertThrows(ExecutionException.class,
          () -> pool.<Integer>invokeAny(List.<MpiExecutor.Task<Integer>>of(() -> fail("a"), () -> fail("b"))));
      assertThrows(TimeoutException.class, () -> pool.<Long>invokeAny(
          List.<MpiExecutor.Task<Long>>of(() -> slow(300)), 10, TimeUnit.MILLISECONDS));
    });
  }

  @MpiTest(ranks = {1, 2})
  void waitingTasksCanBeCancelledAndGivenBack(IntraComm world) throws Exception {
    MpiExecutor.run(world, pool -> {
      CompletableFuture<Long> first = pool.submit(() -> slow(200));
      Future<Integer> cancelled = pool.submit(() -> 1);
      Future<Integer> left = pool.submit(() -> 2);
      assertTrue(cancelled.cancel(true));
      while (pool.progress().running() == 0 && world.size() > 1) {
        Thread.onSpinWait();
      }
      List<Runnable> given = pool.shutdownNow();
      assertTrue(given.size() <= 3);
      assertThrows(RejectedExecutionException.class, () -> pool.submit(() -> 3));
      given.forEach(Runnable::run);
      assertEquals(2, left.get());
      assertTrue(cancelled.isCancelled());
      assertEquals(200, first.get());
      assertTrue(pool.awaitTermination(20, TimeUnit.SECONDS));
      assertTrue(pool.isTerminated());
    });
  }

  @MpiTest(ranks = 3)
  void severalThreadsSubmit(IntraComm world) throws Exception {
    MpiExecutor.run(world, pool -> {
      ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
      List<Thread> threads = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        int base = 1000 * t;
        threads.add(Thread.ofPlatform().start(() -> {
          try {
            for (int i = 0; i < 50; i++) {
              int n = base + i;
              assertEquals(n + 1, pool.submit(() -> n + 1).get());
            }
          } catch (Throwable e) {
            failures.add(e);
          }
        }));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertTrue(failures.isEmpty(), failures::toString);
    });
  }

  @MpiTest(ranks = {1, 3})
  void progressIsToldAfterEachTask(IntraComm world) throws Exception {
    MpiExecutor.run(world, pool -> {
      CountDownLatch told = new CountDownLatch(5);
      pool.onProgress(p -> {
        told.countDown();
        throw new IllegalStateException("ignored");
      });
      for (int i = 0; i < 5; i++) {
        pool.submit(() -> { });
      }
      assertTrue(told.await(20, TimeUnit.SECONDS));
      assertEquals(5, pool.progress().ended());
    });
  }

  @MpiTest(ranks = {1, 2})
  void aBodyThatThrowsEndsThePool(IntraComm world) throws Exception {
    try {
      MpiExecutor.run(world, pool -> {
        pool.submit(() -> slow(50));
        throw new IOException("of the body");
      });
      assertFalse(world.rank() == 0, "thrown at the master");
    } catch (IOException e) {
      assertEquals("of the body", e.getMessage());
    }
    MpiExecutor.run(world, pool -> assertNull(pool.submit(() -> null).get()));
  }

  @MpiTest(ranks = 2, settings = "ffmpi.thread.level=serialized")
  void needsThreads(IntraComm world) throws Exception {
    MpiException e = assertThrows(MpiException.class, () -> MpiExecutor.run(world, pool -> { }));
    assertTrue(e.getMessage().contains("MULTIPLE"), e.getMessage());
  }

  @MpiTest(ranks = 3, processes = true)
  void ranksAreProcesses(IntraComm world) throws Exception {
    MpiExecutor.run(world, pool -> {
      long here = ProcessHandle.current().pid();
      List<Long> pids = pool.map(i -> {
        slow20();
        return ProcessHandle.current().pid();
      }, IntStream.range(0, 8).boxed()).distinct().toList();
      assertEquals(2, pids.size());
      assertFalse(pids.contains(here));
    });
  }

  private static void slow20() {
    try {
      Thread.sleep(20);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @EveryNodes
  @MpiTest(ranks = 4)
  void tasksGoToOtherNodes(IntraComm world) throws Exception {
    MpiExecutor.run(world, pool -> assertEquals(
        IntStream.range(0, 50).map(n -> n * n).boxed().toList(),
        pool.map(n -> n * n, IntStream.range(0, 50).boxed(), 7).toList()));
  }

  @MpiTest(ranks = 2, settings = "ffmpi.objects.allow=java.net.URI")
  void whatTheWorldsSettingAllowsIsRead(IntraComm world) throws Exception {
    MpiExecutor.run(world, pool -> {
      URI captured = URI.create("a:b");
      assertEquals(URI.create("a:bc"), pool.submit(() -> URI.create(captured + "c")).get());
    });
  }

  @MpiTest(ranks = 2)
  void whatItDoesNotAllowIsRefused(IntraComm world) throws Exception {
    MpiExecutor.run(world, pool -> {
      URI captured = URI.create("a:b");
      Throwable refused = assertThrows(ExecutionException.class, () -> pool.submit(captured::getPath).get()).getCause();
      assertTrue(refused.getMessage().contains("java.net.URI"), refused.toString());
    });
  }
}
