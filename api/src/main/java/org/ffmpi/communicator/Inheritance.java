// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.communicator;

import java.util.function.Consumer;
import org.ffmpi.Comm;
import org.ffmpi.Errhandler;
import org.ffmpi.base.Attributes;
import org.ffmpi.process.CommState;

/**
 * The error handler and the attributes that a duplicate gets from its original, as they were when the duplication
 * began.
 *
 * @param copies sets the copies of the attributes; null without attributes
 */
record Inheritance(Comm original, Errhandler<? super Comm> errhandler, Consumer<Attributes<Comm>> copies) {
  /** Completes a new duplicate. */
  void passTo(Comm duplicate) {
    CommState.of(duplicate).setErrhandler(errhandler);
    if (copies != null) {
      copies.accept(duplicate.attributes());
    }
  }

  /** Deletes the copies where there will be no duplicate; the delete functions get the original. */
  void delete() {
    if (copies != null) {
      Attributes<Comm> unused = new Attributes<>(original);
      copies.accept(unused);
      unused.deleteAll();
    }
  }
}
