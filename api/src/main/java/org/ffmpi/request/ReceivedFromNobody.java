// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.request;

import org.ffmpi.base.Constants;
import org.ffmpi.spi.Envelope;
import org.ffmpi.spi.Operation;

/** The operation of every receive from {@code PROC_NULL}, complete from the beginning. */
public final class ReceivedFromNobody extends Operation {
  /** The one operation. */
  public static final Operation INSTANCE = new ReceivedFromNobody();

  private ReceivedFromNobody() {
    completeQuietly();
  }

  @Override
  public void envelope(Envelope into) {
    into.set(Constants.PROC_NULL, Constants.ANY_TAG, 0, false);
  }
}
