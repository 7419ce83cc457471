// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.process;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;
import org.ffmpi.spi.Engine;

/**
 * The ranks of a {@link org.ffmpi.ThreadWorld} with their engines, their threads, and the exceptions of their bodies.
 */
public final class RankThreads implements AutoCloseable {
  private static final Duration LONGEST = Duration.ofDays(36_500);

  private final List<Engine> engines;
  private final List<Thread> threads = new ArrayList<>();
  /** The exceptions of the bodies, by rank, in the order in which they were thrown; guarded by itself. */
  private final Map<Integer, Throwable> failures = new LinkedHashMap<>();

  /** The program of one rank on its world. */
  @FunctionalInterface
  public interface Body {
    /** Runs the rank and leaves the world. */
    void run(World world) throws Throwable;
  }

  private RankThreads(List<Engine> engines) {
    this.engines = engines;
  }

  /** Makes a world and starts its ranks, see {@link org.ffmpi.ThreadWorld#start}. */
  public static RankThreads start(int ranks, Map<String, String> settings, Body body) {
    if (ranks < 1) {
      throw MpiException.argument(ErrorClass.ERR_ARG, "ranks", ranks, "1 or more");
    }
    if (settings == null || body == null) {
      String argument = settings == null ? "settings" : "body";
      throw MpiException.argument(ErrorClass.ERR_ARG, argument, null, "anything but null");
    }
    settings.forEach((name, value) -> {
      if (name == null || value == null) {
        throw MpiException.argument(
            ErrorClass.ERR_ARG, "settings", name + "=" + value, "names and values that are not null");
      }
    });
    ClassLoader loader = Providers.loader();
    Settings view = Settings.of(settings);
    List<Engine> engines = Providers.withEngine(loader, view, provider -> provider.threads(ranks, view));
    RankThreads world = new RankThreads(layered(engines));
    for (int rank = 0; rank < ranks; rank++) {
      int self = rank;
      Engine engine = world.engines.get(rank);
      world.threads.add(Thread.ofPlatform()
          .name("ffmpi-rank-" + rank)
          .daemon()
          .unstarted(() -> world.runRank(self, engine, view, loader, body)));
    }
    for (int rank = 0; rank < ranks; rank++) {
      world.engines.get(rank).setThread(world.threads.get(rank));
    }
    world.threads.forEach(Thread::start);
    return world;
  }

  /** Puts the layers over all engines. A layer that refuses its settings ends the world before it has begun. */
  private static List<Engine> layered(List<Engine> engines) {
    List<Engine> tops = new ArrayList<>(engines);
    try {
      for (int rank = 0; rank < tops.size(); rank++) {
        tops.set(rank, Providers.layered(tops.get(rank)));
      }
    } catch (RuntimeException | Error e) {
      engines.getFirst().abort(1, "a rank cannot start: " + e.getMessage());
      tops.forEach(top -> leave(top, e));
      throw e;
    }
    return tops;
  }

  private static void leave(Engine engine, Throwable reason) {
    try {
      engine.leave(true);
    } catch (RuntimeException e) {
      reason.addSuppressed(e);
    }
  }

  private void runRank(int rank, Engine engine, Settings settings, ClassLoader loader, Body body) {
    try {
      Membership membership = Membership.ofThread(engine, loader, failure -> failed(rank, failure));
      body.run(new World(membership, settings, false));
    } catch (Throwable failure) {
      failed(rank, failure);
    }
  }

  /**
   * Records a failure. A rank that ends its world records it before the others can notice, and so comes first. A later
   * exception of its body replaces that record, unless it is a mere consequence of the end of the world.
   */
  private void failed(int rank, Throwable failure) {
    synchronized (failures) {
      failures.merge(rank, failure, (said, left) -> isConsequence(left) ? said : left);
    }
  }

  private static boolean isConsequence(Throwable failure) {
    return failure instanceof MpiException e && e.errorClass() == ErrorClass.ERR_PROC_ABORTED;
  }

  /** Returns the threads in rank order. */
  public List<Thread> threads() {
    return List.copyOf(threads);
  }

  /** Returns the exceptions of the bodies, in the order in which they were thrown. */
  public Map<Integer, Throwable> failures() {
    synchronized (failures) {
      return new LinkedHashMap<>(failures);
    }
  }

  /** Blocks until all ranks have ended, see {@link org.ffmpi.ThreadWorld#await()}. */
  public void await() {
    boolean interrupted = false;
    for (Thread thread : threads) {
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          interrupted = true;
          abort("the thread that waited for the ranks was interrupted");
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    throwFailure();
  }

  /** Blocks until all ranks have ended or the time is over, see {@link org.ffmpi.ThreadWorld#await(Duration)}. */
  public boolean await(Duration limit) {
    if (limit == null) {
      throw MpiException.argument(ErrorClass.ERR_ARG, "limit", null, "a duration");
    }
    Duration most = limit.isNegative() ? Duration.ZERO : limit.compareTo(LONGEST) < 0 ? limit : LONGEST;
    long deadline = System.nanoTime() + most.toNanos();
    boolean interrupted = false;
    boolean ended = true;
    for (Thread thread : threads) {
      while (ended && thread.isAlive()) {
        try {
          ended = thread.join(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
        } catch (InterruptedException e) {
          interrupted = true;
          abort("the thread that waited for the ranks was interrupted");
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (ended) {
      throwFailure();
    }
    return ended;
  }

  private void throwFailure() {
    synchronized (failures) {
      if (failures.isEmpty()) {
        return;
      }
      List<Throwable> all = new ArrayList<>(failures.values());
      Throwable first = all.removeFirst();
      RuntimeException thrown = null;
      Throwable carrier = first;
      if (!(first instanceof Error)) {
        thrown = Failures.unchecked(first);
        carrier = thrown;
      }
      for (Throwable other : all) {
        if (other != carrier) {
          carrier.addSuppressed(other);
        }
      }
      failures.clear(); // reported once
      if (thrown == null) {
        throw (Error) first;
      }
      throw thrown;
    }
  }

  /** Returns what the ranks wait for, see {@link org.ffmpi.ThreadWorld#diagnosis}. */
  public String diagnosis() {
    return engines.getFirst().diagnosis();
  }

  /** Ends this world. */
  public void abort(String reason) {
    engines.getFirst().abort(1, reason);
  }

  /** Aborts the world if ranks are still running; returns at once. */
  @Override
  public void close() {
    if (threads.stream().anyMatch(Thread::isAlive)) {
      abort("the world was closed while ranks were running");
    }
  }
}
