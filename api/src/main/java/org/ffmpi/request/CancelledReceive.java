// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.request;

import org.ffmpi.base.Constants;
import org.ffmpi.spi.Envelope;
import org.ffmpi.spi.Operation;

/** The operation of every receive that was cancelled when no sender was left for it. */
final class CancelledReceive extends Operation {
  static final Operation INSTANCE = new CancelledReceive();

  private CancelledReceive() {
    completeQuietly();
  }

  @Override
  public void envelope(Envelope into) {
    into.set(Constants.ANY_SOURCE, Constants.ANY_TAG, 0, true);
  }
}
