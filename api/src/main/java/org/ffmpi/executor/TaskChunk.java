// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.executor;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.MpiExecutor;

/**
 * The task that applies a function to some elements.
 *
 * @param mapping the function
 * @param elements its arguments
 * @param <A> type of the arguments
 * @param <R> type of the results
 */
record TaskChunk<A, R>(MpiExecutor.Mapping<? super A, ? extends R> mapping, ArrayList<A> elements)
    implements MpiExecutor.Task<List<R>> {
  @Override
  public List<R> call() {
    List<R> results = new ArrayList<>(elements.size());
    for (A element : elements) {
      results.add(mapping.apply(element));
    }
    return results;
  }
}
