// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.progress;

import java.util.function.BooleanSupplier;
import org.ffmpi.base.MpiException;
import org.ffmpi.spi.GatedOperation;
import org.ffmpi.spi.WaitNote;
import org.ffmpi.spi.WaitSubject;

/** A wait for a peer's store, as an operation: every thread that makes progress looks at its condition. */
final class StoreWait extends GatedOperation {
  private final BooleanSupplier condition;

  StoreWait(BooleanSupplier condition) {
    this.condition = condition;
    open();
  }

  @Override
  public void describe(WaitNote note) {
    if (condition instanceof WaitSubject subject) {
      subject.describe(note);
    }
  }

  @Override
  public boolean advance() {
    if (!enter()) {
      return false;
    }
    try {
      do {
        if (condition.getAsBoolean()) {
          close();
          complete();
          return true;
        }
      } while (!leave());
    } catch (MpiException e) {
      close();
      fail(e);
      return true;
    }
    return false;
  }
}
