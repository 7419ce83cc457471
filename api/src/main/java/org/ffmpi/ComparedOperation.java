// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import org.ffmpi.base.MpiException;
import org.ffmpi.spi.GatedOperation;
import org.ffmpi.spi.Operation;

/**
 * A nonblocking collective where everything is checked: first the ranks compare what they call, then, if they agree,
 * they do it. Complete with an error when they do not.
 */
final class ComparedOperation extends GatedOperation {
  private final CollectiveComparison comparison;
  private final Iterator<Operation> steps;
  private final Operation call;
  private final Consumer<Operation> starter;
  private Operation current;

  /**
   * Creates an operation, to be registered with the engine.
   *
   * @param call what is to be done in the end, not begun yet; null when only the others need to know
   * @param starter begins an operation
   */
  ComparedOperation(CollectiveComparison comparison, Operation call, Consumer<Operation> starter) {
    this.comparison = comparison;
    this.steps = List.copyOf(comparison.steps()).iterator();
    this.call = call;
    this.starter = starter;
    open();
  }

  @Override
  public boolean advance() {
    if (!enter()) {
      return false;
    }
    boolean moved = false;
    do {
      try {
        while (current == null || isOver(current)) {
          moved = true;
          MpiException error = current == null ? null : current.error();
          boolean last = current == call && current != null;
          if (error == null && !last) {
            error = next();
          }
          if (error != null || current == null || last) {
            close();
            if (error != null) {
              fail(error);
            } else {
              complete();
            }
            return true;
          }
        }
      } catch (RuntimeException e) {
        close();
        fail(Failures.translate(e));
        return true;
      }
    } while (!leave());
    return moved;
  }

  private static boolean isOver(Operation operation) {
    if (!operation.isDone()) {
      operation.advance();
    }
    return operation.isDone();
  }

  /** Begins what comes next; returns why there is nothing to begin, with null for current when all is done. */
  private MpiException next() {
    if (steps.hasNext()) {
      current = steps.next();
    } else {
      MpiException mistake = comparison.mistake();
      if (mistake != null) {
        return mistake;
      }
      current = call;
    }
    if (current != null) {
      starter.accept(current);
      current.parent(this);
    }
    return null;
  }
}
