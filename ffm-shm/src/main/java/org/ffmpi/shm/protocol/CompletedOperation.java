// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import org.ffmpi.spi.Operation;

/** The operation that was complete from the start; shared by all sends that ended in the call that started them. */
public final class CompletedOperation extends Operation {
  /** The one such operation. */
  public static final Operation INSTANCE = new CompletedOperation();

  private CompletedOperation() {
    completeQuietly();
  }
}
