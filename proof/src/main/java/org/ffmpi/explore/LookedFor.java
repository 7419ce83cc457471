// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.explore;

import java.util.function.BooleanSupplier;
import org.ffmpi.spi.Operation;

/** A condition that a call looks at, as an operation that is complete when it holds. Used by the rank's own thread. */
final class LookedFor extends Operation {
  private final BooleanSupplier isThere;

  LookedFor(BooleanSupplier isThere) {
    this.isThere = isThere;
  }

  @Override
  public boolean advance() {
    if (isDone() || !isThere.getAsBoolean()) {
      return false;
    }
    complete();
    return true;
  }
}
