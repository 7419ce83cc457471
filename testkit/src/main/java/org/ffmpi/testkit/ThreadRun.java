// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.testkit;

import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.ffmpi.Mpi;
import org.ffmpi.ThreadWorld;
import org.junit.platform.commons.support.ReflectionSupport;

/** Runs a test method on ranks that are threads. Used by JUnit's thread; {@link #rank} runs in the ranks' threads. */
final class ThreadRun {
  /** How long ranks may need to notice that their world was aborted, before and after they are interrupted. */
  private static final Duration GRACE = Duration.ofSeconds(3);

  /** Time limit while a debugger is attached. */
  private static final Duration FOREVER = Duration.ofDays(365);

  private final WorldShape shape;
  private final Class<?> testClass;
  private final Object instance;
  private final Method method;
  private final List<Object> resolved;
  private final AtomicReferenceArray<Thread> threads;

  /** The stacks of all ranks when a rank threw, by rank. */
  private final Map<Integer, String> scenes = new ConcurrentHashMap<>();

  ThreadRun(WorldShape shape, Class<?> testClass, Object instance, Method method, List<Object> resolved) {
    this.shape = shape;
    this.testClass = testClass;
    this.instance = instance;
    this.method = method;
    this.resolved = resolved;
    this.threads = new AtomicReferenceArray<>(shape.ranks());
  }

  /** Runs all ranks to their end; throws the failure for JUnit. */
  void run() throws Throwable {
    try (ThreadWorld world = ThreadWorld.start(shape.ranks(), shape.settings(), this::rank)) {
      List<Integer> running = join(world, isDebugged() ? FOREVER : shape.timeout());
      if (!running.isEmpty()) {
        throw hang(world, running);
      }
      if (!world.failures().isEmpty()) {
        throw Report.failed(shape, world.failures(), scenes, "");
      }
    }
  }

  private void rank(Mpi mpi) {
    int rank = mpi.world().rank();
    threads.set(rank, Thread.currentThread());
    try {
      ReflectionSupport.invokeMethod(method, instance, RankArguments.argumentsOf(mpi, method, resolved));
    } catch (Throwable thrown) {
      scenes.put(rank, Stacks.of(threads, testClass, rank));
      throw thrown;
    }
  }

  /** Waits for the ranks; returns those that still run. An interrupt, as by an outer time limit, ends the world. */
  private static List<Integer> join(ThreadWorld world, Duration limit) throws InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    List<Integer> running = new ArrayList<>();
    List<Thread> all = world.threads();
    for (int rank = 0; rank < all.size(); rank++) {
      if (!all.get(rank).join(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())))) {
        running.add(rank);
      }
    }
    return running;
  }

  /** Aborts a world that takes too long, and reports the stacks of its ranks. */
  private Throwable hang(ThreadWorld world, List<Integer> running) throws InterruptedException {
    Map<Integer, Throwable> before = world.failures();
    String stacks = world.diagnosis() + Stacks.of(threads, testClass, -1);
    world.abort("the test took longer than " + shape.timeout().toSeconds() + " s");
    List<Integer> left = join(world, GRACE);
    if (!left.isEmpty()) {
      left.forEach(rank -> world.threads().get(rank).interrupt());
      left = join(world, GRACE);
    }
    String late = Report.ranks(running) + " of " + shape.ranksInWords() + " had not ended after "
        + shape.timeout().toSeconds() + " s"
        + (left.isEmpty() ? "" : "; " + Report.ranks(left) + " could not be ended and still run")
        + "\n" + stacks;
    return before.isEmpty() ? Report.timedOut(late) : Report.failed(shape, before, scenes, late);
  }

  private static boolean isDebugged() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .anyMatch(a -> a.startsWith("-agentlib:jdwp") || a.startsWith("-Xrunjdwp"));
  }
}
