// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collective;

import java.util.Iterator;
import java.util.List;
import org.ffmpi.base.MpiException;
import org.ffmpi.process.Failures;
import org.ffmpi.spi.Collectives;
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
  private final Collectives collectives;
  private Operation current;

  /**
   * Creates an operation, to be registered with the engine.
   *
   * @param call the persistent operation that follows; null when only the others need to know
   * @param collectives starts and discards operations
   */
  ComparedOperation(CollectiveComparison comparison, Operation call, Collectives collectives) {
    this.comparison = comparison;
    this.steps = List.copyOf(comparison.steps()).iterator();
    this.call = call;
    this.collectives = collectives;
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
            end();
            if (error != null) {
              fail(error);
            } else {
              complete();
            }
            return true;
          }
        }
      } catch (RuntimeException e) {
        end();
        fail(Failures.translate(e));
        return true;
      }
    } while (!leave());
    return moved;
  }

  /** Lets no thread in any more and releases what is not under way. */
  private void end() {
    close();
    if (current == null || current.isDone()) {
      comparison.close();
      if (call != null) {
        collectives.discard(call);
      }
    }
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
      collectives.start(current);
      current.parent(this);
    }
    return null;
  }
}
