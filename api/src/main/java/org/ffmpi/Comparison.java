// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.Constants;
import org.ffmpi.base.Standard;

/** The results of comparing two groups or two communicators (MPI-4.1 §7.3.1 and §7.4.1). */
public enum Comparison {
  /** Groups: the same members in the same order. Communicators: the same communicator. */
  @Standard({"MPI_IDENT"})
  IDENT(Constants.IDENT),

  /** Communicators only: the same members in the same order, in another context. */
  @Standard({"MPI_CONGRUENT"})
  CONGRUENT(Constants.CONGRUENT),

  /** The same members in another order. */
  @Standard({"MPI_SIMILAR"})
  SIMILAR(Constants.SIMILAR),

  /** Other members. */
  @Standard({"MPI_UNEQUAL"})
  UNEQUAL(Constants.UNEQUAL);

  private final int code;

  Comparison(int code) {
    this.code = code;
  }

  /**
   * Returns the number of the MPI ABI.
   *
   * @return the constant of the same name in {@link Constants}
   */
  public int code() {
    return code;
  }
}
