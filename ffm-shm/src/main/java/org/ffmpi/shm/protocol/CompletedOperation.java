// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import org.ffmpi.spi.Operation;

/** The operation that is complete from the start, shared by all sends that end in the call that starts them. */
public final class CompletedOperation extends Operation {
  /** The only instance. */
  public static final Operation INSTANCE = new CompletedOperation();

  private CompletedOperation() {
    completeQuietly();
  }
}
