// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.request;

/** The kind of operation of a request. */
public enum RequestKind {
  /** A send, or what sends as well as receives. */
  SEND,
  /** A receive. */
  RECEIVE,
  /** A collective operation, which can be neither cancelled nor freed while it runs. */
  COLLECTIVE,
  /** What the program itself does. */
  GENERALIZED,
  /** All sends that were over when they started, which have one request; never becomes inactive. */
  SHARED
}
