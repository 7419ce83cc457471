// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.executor;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import org.ffmpi.MpiExecutor;

/**
 * The results of a function over many elements, in order or as they are complete. It keeps more tasks submitted than
 * there are workers, so that none has to wait, and reads no more elements than that takes.
 *
 * @param <A> type of the arguments
 * @param <R> type of the results
 */
final class MappedResults<A, R> implements Iterator<R> {
  private final MpiExecutor pool;
  private final MpiExecutor.Mapping<? super A, ? extends R> mapping;
  private final Iterator<? extends A> elements;
  private final int chunk;

  /** Tasks without a result yet, in order. */
  private final ArrayDeque<CompletableFuture<List<R>>> submitted = new ArrayDeque<>();

  /** Those of them that are complete, as they come; null where results are in order. */
  private final LinkedBlockingQueue<CompletableFuture<List<R>>> complete;

  private Iterator<R> now = Collections.emptyIterator();

  MappedResults(
      MpiExecutor pool, MpiExecutor.Mapping<? super A, ? extends R> mapping, Iterator<? extends A> elements, int chunk,
      boolean ordered) {
    this.pool = pool;
    this.mapping = mapping;
    this.elements = elements;
    this.chunk = chunk;
    this.complete = ordered ? null : new LinkedBlockingQueue<>();
  }

  /** Submits until each worker has a task and finds another one. */
  void submit() {
    int most = 2 * Math.max(1, pool.progress().workers()) + 1;
    while (submitted.size() < most && elements.hasNext()) {
      ArrayList<A> some = new ArrayList<>(chunk);
      while (some.size() < chunk && elements.hasNext()) {
        some.add(elements.next());
      }
      CompletableFuture<List<R>> future = pool.submit(new TaskChunk<A, R>(mapping, some));
      submitted.add(future);
      if (complete != null) {
        future.whenComplete((r, e) -> complete.add(future));
      }
    }
  }

  @Override
  public boolean hasNext() {
    while (!now.hasNext()) {
      submit();
      if (submitted.isEmpty()) {
        return false;
      }
      try {
        now = take().join().iterator();
      } catch (RuntimeException e) {
        submitted.forEach(f -> f.cancel(false));
        throw e;
      }
    }
    return true;
  }

  private CompletableFuture<List<R>> take() {
    if (complete == null) {
      return submitted.remove();
    }
    try {
      CompletableFuture<List<R>> next = complete.take();
      submitted.remove(next);
      return next;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CompletionException(e);
    }
  }

  @Override
  public R next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return now.next();
  }
}
