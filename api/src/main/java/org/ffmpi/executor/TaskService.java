// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.executor;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.ffmpi.MpiExecutor;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/** The calls of an executor that start tasks, all by way of one. */
abstract class TaskService implements MpiExecutor {
  /** Starts a task, which is a {@link Callable} or a {@link Runnable}. */
  abstract <T> CompletableFuture<T> start(Object task);

  @Override
  public <T> CompletableFuture<T> submit(Task<T> task) {
    return start(task);
  }

  @Override
  public <T> Future<T> submit(Callable<T> task) {
    return start(task);
  }

  @Override
  public Future<?> submit(Action task) {
    return start(task);
  }

  @Override
  public Future<?> submit(Runnable task) {
    return start(task);
  }

  @Override
  public <T> Future<T> submit(Runnable task, T result) {
    CompletableFuture<Object> own = start(task);
    CompletableFuture<T> future = own.thenApply(nothing -> result);
    future.whenComplete((done, failure) -> {
      if (future.isCancelled()) {
        own.cancel(true);
      }
    });
    return future;
  }

  @Override
  public void execute(Runnable task) {
    start(task);
  }

  // ---- several tasks

  @Override
  public <T> List<Future<T>> invokeAll(Collection<? extends Callable<T>> tasks) throws InterruptedException {
    return awaitAll(startAll(tasks), Long.MAX_VALUE);
  }

  @Override
  public <T> List<Future<T>> invokeAll(Collection<? extends Callable<T>> tasks, long timeout, TimeUnit unit)
      throws InterruptedException {
    return awaitAll(startAll(tasks), unit.toNanos(timeout));
  }

  private <T> List<CompletableFuture<T>> startAll(Collection<? extends Callable<T>> tasks) {
    List<CompletableFuture<T>> futures = new ArrayList<>(tasks.size());
    try {
      for (Callable<T> task : tasks) {
        futures.add(start(task));
      }
      return futures;
    } catch (RuntimeException e) {
      futures.forEach(f -> f.cancel(true));
      throw e;
    }
  }

  private static <T> List<Future<T>> awaitAll(List<CompletableFuture<T>> futures, long nanos)
      throws InterruptedException {
    long start = System.nanoTime();
    try {
      for (CompletableFuture<T> future : futures) {
        try {
          future.get(nanos - (System.nanoTime() - start), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | CancellationException e) {
          continue; // it has ended
        }
      }
    } catch (TimeoutException | InterruptedException e) {
      futures.forEach(f -> f.cancel(true));
      if (e instanceof InterruptedException interrupted) {
        throw interrupted;
      }
    }
    return new ArrayList<>(futures);
  }

  @Override
  public <T> T invokeAny(Collection<? extends Callable<T>> tasks) throws InterruptedException, ExecutionException {
    try {
      return any(tasks, Long.MAX_VALUE);
    } catch (TimeoutException e) {
      throw new IllegalStateException("three hundred years are over", e);
    }
  }

  @Override
  public <T> T invokeAny(Collection<? extends Callable<T>> tasks, long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    return any(tasks, unit.toNanos(timeout));
  }

  private <T> T any(Collection<? extends Callable<T>> tasks, long nanos)
      throws InterruptedException, ExecutionException, TimeoutException {
    if (tasks.isEmpty()) {
      throw new IllegalArgumentException("tasks: are none");
    }
    long start = System.nanoTime();
    LinkedBlockingQueue<CompletableFuture<T>> complete = new LinkedBlockingQueue<>();
    List<CompletableFuture<T>> futures = startAll(tasks);
    try {
      futures.forEach(f -> f.whenComplete((r, e) -> complete.add(f)));
      ExecutionException last = null;
      for (int i = 0; i < futures.size(); i++) {
        CompletableFuture<T> next = complete.poll(nanos - (System.nanoTime() - start), TimeUnit.NANOSECONDS);
        if (next == null) {
          throw new TimeoutException();
        }
        try {
          return next.get();
        } catch (ExecutionException e) {
          last = e;
        }
      }
      throw last;
    } finally {
      futures.forEach(f -> f.cancel(true));
    }
  }

  @Override
  public <A, R> Stream<R> map(Mapping<? super A, ? extends R> mapping, Stream<? extends A> elements, int chunk) {
    return results(mapping, elements, chunk, true);
  }

  @Override
  public <A, R> Stream<R> mapAsCompleted(
      Mapping<? super A, ? extends R> mapping, Stream<? extends A> elements, int chunk) {
    return results(mapping, elements, chunk, false);
  }

  private <A, R> Stream<R> results(
      Mapping<? super A, ? extends R> mapping, Stream<? extends A> elements, int chunk, boolean ordered) {
    if (chunk < 1) {
      throw MpiException.argument(ErrorClass.ERR_COUNT, "chunk", chunk, "1 and more");
    }
    MappedResults<A, R> results = new MappedResults<>(this, mapping, elements.iterator(), chunk, ordered);
    results.submit();
    return StreamSupport.stream(Spliterators.spliteratorUnknownSize(results, Spliterator.ORDERED), false);
  }
}
