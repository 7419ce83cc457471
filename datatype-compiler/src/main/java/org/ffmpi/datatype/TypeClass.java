// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype;

import org.ffmpi.base.Constants;

/** The classes of Fortran types among which {@link Datatype#matchSize} looks (MPI-4.1 §19.1.5). */
public enum TypeClass {
  /** {@code MPI_TYPECLASS_INTEGER}. */
  INTEGER(Constants.TYPECLASS_INTEGER),
  /** {@code MPI_TYPECLASS_REAL}. */
  REAL(Constants.TYPECLASS_REAL),
  /** {@code MPI_TYPECLASS_COMPLEX}. */
  COMPLEX(Constants.TYPECLASS_COMPLEX);

  private final int code;

  TypeClass(int code) {
    this.code = code;
  }

  /**
   * Returns the number of {@code MPI_TYPECLASS_…} in the MPI-5 binary interface.
   *
   * @return one of the constants {@code TYPECLASS_…}
   */
  public int code() {
    return code;
  }
}
