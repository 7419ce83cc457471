// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.request;

/** A request of a partitioned message, which holds a persistent one. */
public interface Partitioned extends RequestTraits {
  /** Returns what is started. */
  PersistentImpl persistent();

  @Override
  default RequestImpl request() {
    return persistent().request();
  }
}
