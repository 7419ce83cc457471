// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.request;

import java.util.Locale;

/** The kind of operation of a request. */
public enum RequestKind {
  /** A send, or what sends as well as receives. */
  SEND,
  /** A receive. */
  RECEIVE,
  /** A partitioned send or receive. */
  PARTITIONED,
  /** A collective operation. */
  COLLECTIVE,
  /** What the program itself does. */
  GENERALIZED;

  /** Returns whether an active request can be neither cancelled nor freed: other ranks could not go on. */
  boolean isBinding() {
    return this == PARTITIONED || this == COLLECTIVE;
  }

  /** Returns the kind's name in messages. */
  String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
