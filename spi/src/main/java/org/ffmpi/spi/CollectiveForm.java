// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

/** The ways to carry out a collective call. */
public enum CollectiveForm {
  /** In the calling thread, to its end. */
  BLOCKING,
  /** By the engine's progress; the call returns at once. */
  NONBLOCKING,
  /** By the engine's progress, each time that the operation is started. */
  PERSISTENT
}
