// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.schedule;

/** The place of a {@link Slice}, which has no address before an {@code Execution} binds it. */
public enum SymbolicBuffer {
  /** The buffer that holds this rank's contribution. Read only: may be the user's constant data. */
  SEND,
  /** The buffer that takes the result; in place, it holds the contribution at first. */
  RECEIVE,
  /** Memory of the execution's own, undefined at the start. */
  SCRATCH
}
