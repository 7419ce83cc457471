// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.request;

/** A request of a partitioned message, which holds a persistent one. */
public interface Partitioned extends RequestTraits {
  /** Returns the persistent request. */
  PersistentImpl persistent();

  @Override
  default RequestImpl request() {
    return persistent().request();
  }
}
