// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.request;

import org.ffmpi.Status;
import org.ffmpi.base.MpiException;
import org.ffmpi.process.World;

/**
 * The traits by which a kind of request differs from an ordinary one. The request that a program holds implements it,
 * and keeps its state in a {@link RequestImpl}.
 */
public interface RequestTraits {
  /** Returns the holder of this request's state. */
  RequestImpl request();

  /** Returns whether the request can be started again: it stays in lists then. */
  default boolean isPersistent() {
    return false;
  }

  /** Passes an error to the handler of what the request belongs to, where that is no communicator. */
  default MpiException raise(World world, MpiException reason) {
    return world.raise(reason);
  }

  /** Releases resources for further starts. Called when the program frees the request. */
  default void onFree() {}

  /** Frees an operation that the program itself performs; returns false when it is an ordinary one. */
  default boolean release() {
    return false;
  }

  /** Returns whether {@link #peek} and {@link #finish} fill in statuses, in place of the operation. */
  default boolean hasStatus() {
    return false;
  }

  /** Fills in the result of the operation, which stays available; returns its error, or null. */
  default MpiException peek(Status into) {
    throw new UnsupportedOperationException();
  }

  /** Fills in the result of the operation for the last time; returns its error, or null. */
  default MpiException finish(Status into) {
    throw new UnsupportedOperationException();
  }
}
