// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.progress;

import java.util.function.BooleanSupplier;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.spi.GatedOperation;
import org.ffmpi.spi.WaitNote;
import org.ffmpi.spi.WaitSubject;

/** A wait for a peer's store, as an operation whose condition every thread checks that makes progress. */
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
    } catch (RuntimeException e) {
      close();
      fail(new MpiException(ErrorClass.ERR_INTERN, "looking at shared memory failed: " + e, e));
      return true;
    } catch (Error e) { // of the checking thread, which may have little stack
      open();
      throw e;
    }
    return false;
  }

  /**
   * Ends a wait that the waiting thread leaves because of an error. When this returns, no thread checks the condition,
   * which can serve another wait.
   */
  void abandon() {
    while (!isDone()) {
      if (enter()) {
        close();
        complete();
      } else {
        Thread.yield();
      }
    }
  }
}
