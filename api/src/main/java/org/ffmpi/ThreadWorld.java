// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.ffmpi.base.MpiException;
import org.ffmpi.process.RankThreads;

/**
 * A world whose ranks are threads of this JVM, for callers that need more than {@link Mpi#runThreads} offers: its
 * threads, a time limit, or a way to end it. The engine is the one that processes use; abort and fatal errors end this
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
 * <p>The first rank whose body fails aborts the world, so that the waits of the others fail too. With the setting
 * {@code ffmpi.survive} the others go on, see {@link SurvivalCalls}. Any thread may use this object.
 */
public final class ThreadWorld implements AutoCloseable {
  private final RankThreads ranks;

  private ThreadWorld(RankThreads ranks) {
    this.ranks = ranks;
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
  public static ThreadWorld start(int ranks, Map<String, String> settings, Mpi.Body body) {
    return new ThreadWorld(RankThreads.start(ranks, settings, Mpi.threadBody(body)));
  }

  /**
   * Returns the ranks' threads.
   *
   * @return an unmodifiable list in rank order
   */
  public List<Thread> threads() {
    return ranks.threads();
  }

  /**
   * Returns the exceptions that bodies have thrown so far.
   *
   * @return exceptions by rank, the first one first
   */
  public Map<Integer, Throwable> failures() {
    return ranks.failures();
  }

  /**
   * Blocks until all ranks have ended. An interrupt aborts the world; the interrupt status is kept.
   *
   * @throws MpiException the first failure, with the others suppressed in it, see {@link Mpi#runThreads(int, Mpi.Body)}
   */
  public void await() {
    ranks.await();
  }

  /**
   * Blocks until all ranks have ended or the time is over. An interrupt aborts the world; the interrupt status is kept.
   *
   * @param limit how long to wait at most
   * @return true when all have ended well, false when some still run
   * @throws MpiException the first failure, as {@link #await()}
   */
  public boolean await(Duration limit) {
    return ranks.await(limit);
  }

  /**
   * Returns what each rank waits for, and why nothing moves: a receive that is missing, ranks that wait for each other,
   * a collective call that differs between ranks. A wait is known when it has lasted for some tenths of a second.
   *
   * @return whole lines for people to read, which may change with every release; empty once all ranks have ended
   */
  public String diagnosis() {
    return ranks.diagnosis();
  }

  /**
   * Ends this world: every call of its ranks that waits, or would have to wait, fails with ERR_PROC_ABORTED. A rank
   * that computes is not stopped.
   *
   * @param reason why, in one line
   */
  public void abort(String reason) {
    ranks.abort(reason);
  }

  /** Aborts the world if ranks are still running; returns at once. */
  @Override
  public void close() {
    ranks.close();
  }
}
