// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.io.Serializable;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.ffmpi.base.MpiException;
import org.ffmpi.executor.TaskPool;

/**
 * An {@link ExecutorService} whose tasks run on the ranks of a communicator, as the package {@code mpi4py.futures} has
 * it for Python. One rank, the master, submits tasks and gets futures. All others serve it, each with one task at a
 * time, as long as its body runs.
 *
 * {@snippet :
 * MpiExecutor.run(world, pool -> {
 *   Future<Long> one = pool.submit(() -> countPrimes(0, 1_000_000));
 *   List<Long> all = pool.map(n -> countPrimes(n, n + 1000), Stream.iterate(0, n -> n + 1000).limit(500)).toList();
 *   System.out.println(one.get() + " " + all);
 * });
 * }
 *
 * <p>Tasks, their results and what lambdas capture travel as {@linkplain Codec#objects objects} do. A lambda is
 * serializable when its type is, so the calls of this interface take {@link Task}, {@link Action} and {@link Mapping}.
 * Tasks of other types have to be {@link Serializable} by themselves. A task cannot see the variables of the master,
 * only copies of what it captures.
 *
 * <p>A task that throws completes its future with that exception, which keeps its stack. A running task cannot be
 * interrupted from another rank: a future that is cancelled, or an executor that is shut down, gives up the result. In
 * a job with the setting {@code ffmpi.survive=on} a worker that dies leaves the pool and its task runs again on another
 * one; a task that three workers have died of fails. When no worker is left, and on a communicator of one rank, the
 * master runs the tasks on a thread of its own.
 *
 * <p>Any thread of the master may use the executor. Not part of MPI.
 */
public interface MpiExecutor extends ExecutorService {
  /**
   * Runs a body with an executor at rank 0, while all other ranks serve it. Collective; returns at the master when its
   * body has returned and all tasks have ended, at the others after that. When the body throws, tasks that have not
   * begun are given up.
   *
   * @param comm the ranks; the executor uses a communicator of its own
   * @param body what the master does; not called at other ranks
   * @param <X> what the body throws
   * @throws X at the master, what the body throws
   * @throws MpiException ERR_OTHER below {@link ThreadLevel#MULTIPLE}; otherwise as {@link IntraComm#dup}
   */
  static <X extends Exception> void run(IntraComm comm, Body<X> body) throws X {
    run(comm, 0, body);
  }

  /**
   * Runs a body with an executor at one rank, see {@link #run(IntraComm, Body)}.
   *
   * @param comm the ranks
   * @param master rank of the master, the same at all ranks
   * @param body what the master does
   * @param <X> what the body throws
   * @throws X at the master, what the body throws
   * @throws MpiException ERR_ROOT when there is no such rank; otherwise as {@link #run(IntraComm, Body)}
   */
  static <X extends Exception> void run(IntraComm comm, int master, Body<X> body) throws X {
    TaskPool.run(comm, master, body);
  }

  /**
   * Submits a task. Blocks no longer than its message takes to leave; waits for no worker.
   *
   * @param task what a worker calls
   * @param <T> type of the result
   * @return completes with the result, or with what the task throws, on a virtual thread: functions that depend on it
   *     may block and submit tasks
   * @throws RejectedExecutionException when the executor has been shut down
   * @throws MpiException ERR_CONVERSION when the task, or what it captures, cannot be sent
   */
  <T> CompletableFuture<T> submit(Task<T> task);

  /**
   * Submits a task without a result.
   *
   * @param task what a worker runs
   * @return completes with null, or with what the task throws
   * @throws RejectedExecutionException when the executor has been shut down
   * @throws MpiException ERR_CONVERSION when the task, or what it captures, cannot be sent
   */
  Future<?> submit(Action task);

  /**
   * Applies a function to all elements of a stream on the workers. Results are in the order of the elements. The stream
   * is read as far as the workers need it, and may be endless where the results are limited.
   *
   * @param mapping the function
   * @param elements its arguments
   * @param <A> type of the arguments
   * @param <R> type of the results
   * @return the results, a sequential stream; throws {@link java.util.concurrent.CompletionException} with what the
   *     function has thrown, and then gives up the tasks that are left
   * @throws MpiException ERR_CONVERSION when the function, or what it captures, cannot be sent
   */
  default <A, R> Stream<R> map(Mapping<? super A, ? extends R> mapping, Stream<? extends A> elements) {
    return map(mapping, elements, 1);
  }

  /**
   * Applies a function to all elements of a stream, several elements to a task.
   *
   * @param mapping the function
   * @param elements its arguments
   * @param chunk elements of a task, at least 1: the shorter the function, the more
   * @param <A> type of the arguments
   * @param <R> type of the results
   * @return the results, as those of {@link #map(Mapping, Stream)}
   * @throws MpiException ERR_COUNT when the chunk is less than 1; otherwise as {@link #map(Mapping, Stream)}
   */
  <A, R> Stream<R> map(Mapping<? super A, ? extends R> mapping, Stream<? extends A> elements, int chunk);

  /**
   * Applies a function to all elements of a stream, with the results in the order in which they are complete.
   *
   * @param mapping the function
   * @param elements its arguments
   * @param chunk elements of a task, at least 1
   * @param <A> type of the arguments
   * @param <R> type of the results
   * @return the results, otherwise as those of {@link #map(Mapping, Stream)}
   * @throws MpiException ERR_COUNT when the chunk is less than 1; otherwise as {@link #map(Mapping, Stream)}
   */
  <A, R> Stream<R> mapAsCompleted(Mapping<? super A, ? extends R> mapping, Stream<? extends A> elements, int chunk);

  /**
   * Returns how far the executor has come. Local.
   *
   * @return numbers of this moment
   */
  Progress progress();

  /**
   * Has a listener called after each task that has ended, on the executor's thread, which assigns no other task
   * meanwhile. Replaces an earlier one.
   *
   * @param listener gets the numbers of this moment; what it throws is ignored; null for none
   */
  void onProgress(Consumer<? super Progress> listener);

  /**
   * The part of the program that submits tasks.
   *
   * @param <X> what it throws
   */
  @FunctionalInterface
  interface Body<X extends Exception> {
    /**
     * Runs at the master.
     *
     * @param pool the executor, shut down when this returns
     * @throws X any exception of the program
     */
    void run(MpiExecutor pool) throws X;
  }

  /**
   * A task with a result, which may be a lambda.
   *
   * @param <T> type of the result
   */
  @FunctionalInterface
  interface Task<T> extends Callable<T>, Serializable {}

  /** A task without a result, which may be a lambda. */
  @FunctionalInterface
  interface Action extends Runnable, Serializable {}

  /**
   * A function that is applied to many elements, which may be a lambda.
   *
   * @param <A> type of the arguments
   * @param <R> type of the results
   */
  @FunctionalInterface
  interface Mapping<A, R> extends Function<A, R>, Serializable {}

  /**
   * Numbers of an executor's tasks and workers.
   *
   * @param submitted tasks so far
   * @param running tasks that workers have now
   * @param ended tasks with a result, an exception, or cancelled
   * @param workers ranks that serve; 0 where the master runs the tasks
   */
  record Progress(long submitted, int running, long ended, int workers) {}
}
