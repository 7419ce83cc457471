// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.schedule;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.spi.Collective;

/**
 * The error of a rank that cannot complete a call because another rank has failed in it, which informs all others
 * itself.
 */
public final class FailedElsewhere extends MpiException {
  private static final long serialVersionUID = 1;

  /** Creates the error; {@code who} names the rank that has failed. */
  public FailedElsewhere(ErrorClass errorClass, Collective collective, String who) {
    super(errorClass, collective + ": " + who + " has failed in this call"
        + (errorClass.isOfEnd() && errorClass != ErrorClass.ERR_REVOKED
            ? " because of a rank that has finalized or died" : ""));
  }

  /** Returns the text of the exception that programs know. */
  @Override
  public String toString() {
    return MpiException.class.getName() + ": " + getMessage();
  }
}
