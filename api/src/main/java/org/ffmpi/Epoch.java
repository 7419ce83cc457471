// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.MpiException;

/**
 * A time in which this rank may access the windows of others, for {@code try} (MPI-4.1 §12.5): closing it is the call
 * that ends it, {@link Win#unlock}, {@link Win#unlockAll} or {@link Win#complete}. That call may be made instead;
 * closing does nothing then.
 */
@FunctionalInterface
public interface Epoch extends AutoCloseable {
  /**
   * Ends the epoch: returns when its operations are complete, at the targets too. Blocks.
   *
   * @throws MpiException as the call that ends the epoch
   */
  @Override
  void close();
}
