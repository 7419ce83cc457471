// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.request;

import java.util.Locale;

/** The kind of operation of a request. */
public enum RequestKind {
  /** A send, or an operation that sends and receives. */
  SEND,
  /** A receive. */
  RECEIVE,
  /** A partitioned send or receive. */
  PARTITIONED,
  /** A collective operation. */
  COLLECTIVE,
  /** An access to a window. */
  ONE_SIDED,
  /** An access of a file. */
  FILE,
  /** An operation that the program itself performs. */
  GENERALIZED;

  /** Returns whether an active request can be neither cancelled nor freed: other ranks could not continue. */
  boolean isBinding() {
    return this == PARTITIONED || this == COLLECTIVE || this == ONE_SIDED || this == FILE;
  }

  /** Returns the kind's name in messages. */
  String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
