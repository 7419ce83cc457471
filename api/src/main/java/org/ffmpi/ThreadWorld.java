// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

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
 * A world whose ranks are threads of this JVM, for whoever wants more of it than {@link Mpi#runThreads} gives: its
 * threads, a limit on its time, or to end it. The engine is the one that processes use; abort and fatal errors end this
 * world and never touch the JVM.
 *
 * {@snippet :
 * try (ThreadWorld world = ThreadWorld.start(4, Map.of("ffmpi.errors", "return"), mpi -> work(mpi.world()))) {
 *   if (!world.await(Duration.ofSeconds(10))) {
 *     world.threads().forEach(t -> print(t.getStackTrace()));
 *   }
 * }
 * }
 *
 * <p>The first rank whose body fails aborts the world, so that the waits of the others fail too. Any thread may use
 * this object.
 */
public final class ThreadWorld implements AutoCloseable {
  private static final Duration LONGEST = Duration.ofDays(36_500);

  private final List<Engine> engines;
  private final List<Thread> threads = new ArrayList<>();
  /** What the bodies threw, by rank, in the order in which it happened; guarded by itself. */
  private final Map<Integer, Throwable> failures = new LinkedHashMap<>();

  private ThreadWorld(List<Engine> engines) {
    this.engines = engines;
  }

  /**
   * Makes a world and starts its ranks; returns at once.
   *
   * @param ranks number of ranks, at least 1
   * @param settings values by property name, which go before system properties and environment
   * @param body what each rank runs, on a platform thread of its own named {@code ffmpi-rank-N}
   * @return the running world
   * @throws MpiException ERR_ARG when {@code ranks} is less than 1 or a setting has no allowed value, ERR_NO_MEM when
   *     there is not enough memory for so many ranks
   */
  public static ThreadWorld start(int ranks, Map<String, String> settings, MpiBody body) {
    if (ranks < 1) {
      throw MpiException.argument(ErrorClass.ERR_ARG, "ranks", ranks, "1 or more");
    }
    if (settings == null || body == null) {
      String argument = settings == null ? "settings" : "body";
      throw MpiException.argument(ErrorClass.ERR_ARG, argument, null, "anything but null");
    }
    ClassLoader loader = Providers.loader();
    Settings view = Settings.of(settings);
    ThreadWorld world =
        new ThreadWorld(Providers.withEngine(loader, view, provider -> provider.threads(ranks, view)));
    for (int rank = 0; rank < ranks; rank++) {
      int self = rank;
      Engine engine = world.engines.get(rank);
      world.threads.add(Thread.ofPlatform()
          .name("ffmpi-rank-" + rank)
          .daemon()
          .unstarted(() -> world.runRank(self, engine, view, loader, body)));
    }
    world.threads.forEach(Thread::start);
    return world;
  }

  private void runRank(int rank, Engine engine, Settings settings, ClassLoader loader, MpiBody body) {
    try {
      Membership membership = Membership.ofThread(engine, loader, failure -> failed(rank, failure));
      new Mpi(new World(membership, settings, false)).runThread(body);
    } catch (Throwable failure) {
      failed(rank, failure);
    }
  }

  /**
   * Notes a failure. A rank that ends its world says so before the others can notice, and comes first thereby; what
   * leaves its body later takes the place of what it said, unless it merely says that the world has ended.
   */
  private void failed(int rank, Throwable failure) {
    synchronized (failures) {
      failures.merge(rank, failure, (said, left) -> isConsequence(left) ? said : left);
    }
  }

  private static boolean isConsequence(Throwable failure) {
    return failure instanceof MpiException e && e.errorClass() == ErrorClass.ERR_PROC_ABORTED;
  }

  /**
   * Returns the ranks' threads.
   *
   * @return an unmodifiable list in rank order
   */
  public List<Thread> threads() {
    return List.copyOf(threads);
  }

  /**
   * Returns what the bodies have thrown so far.
   *
   * @return exceptions by rank, the first one first
   */
  public Map<Integer, Throwable> failures() {
    synchronized (failures) {
      return new LinkedHashMap<>(failures);
    }
  }

  /**
   * Blocks until all ranks have ended. An interrupt aborts the world; the interrupt status is kept.
   *
   * @throws MpiException the first failure, with the others suppressed in it, see {@link Mpi#runThreads(int, MpiBody)}
   */
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

  /**
   * Blocks until all ranks have ended or the time is over. An interrupt aborts the world; the interrupt status is kept.
   *
   * @param limit how long to wait at most
   * @return true when all have ended well, false when some still run
   * @throws MpiException the first failure, as {@link #await()}
   */
  public boolean await(Duration limit) {
    long deadline = System.nanoTime() + (limit.compareTo(LONGEST) < 0 ? limit : LONGEST).toNanos();
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
        thrown = Mpi.unchecked(first);
        carrier = thrown;
      }
      for (Throwable other : all) {
        if (other != carrier) {
          carrier.addSuppressed(other);
        }
      }
      failures.clear(); // told once
      if (thrown == null) {
        throw (Error) first;
      }
      throw thrown;
    }
  }

  /**
   * Ends this world: every call of its ranks that waits, or would have to wait, fails with ERR_PROC_ABORTED. A rank
   * that computes is not stopped.
   *
   * @param reason why, in one line
   */
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
