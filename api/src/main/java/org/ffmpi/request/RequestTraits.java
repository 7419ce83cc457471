// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.request;

import org.ffmpi.Status;
import org.ffmpi.base.MpiException;

/**
 * The traits by which a kind of request differs from an ordinary one. The request that a program holds implements it,
 * and keeps its state in a {@link RequestImpl}.
 */
public interface RequestTraits {
  /** Returns what keeps the state of this request. */
  RequestImpl request();

  /** Returns whether the request can be started again: it stays in lists then. */
  default boolean isPersistent() {
    return false;
  }

  /** Lets go of what was kept for further starts. Called when the program frees the request. */
  default void onFree() {}

  /** Frees an operation that the program itself performs; returns false when it is an ordinary one. */
  default boolean release() {
    return false;
  }

  /** Returns whether {@link #look} and {@link #finish} fill in statuses, in place of the operation. */
  default boolean hasStatus() {
    return false;
  }

  /** Fills in how the operation ended, which may be asked again; returns its error, or null. */
  default MpiException look(Status into) {
    throw new UnsupportedOperationException();
  }

  /** Fills in how the operation ended, for good; returns its error, or null. */
  default MpiException finish(Status into) {
    throw new UnsupportedOperationException();
  }
}
