// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype;

import org.ffmpi.base.Constants;

/** The classes of Fortran types among which {@link Datatype#matchSize} looks (MPI-4.1 §19.1.5). */
public enum TypeClass {
  /** {@code MPI_TYPECLASS_INTEGER}. */
  INTEGER(Constants.TYPECLASS_INTEGER, Basic.INTEGER1, Basic.INTEGER2, Basic.INTEGER4, Basic.INTEGER8, Basic.INTEGER16),
  /** {@code MPI_TYPECLASS_REAL}. */
  REAL(Constants.TYPECLASS_REAL, Basic.REAL2, Basic.REAL4, Basic.REAL8, Basic.REAL16),
  /** {@code MPI_TYPECLASS_COMPLEX}. */
  COMPLEX(Constants.TYPECLASS_COMPLEX, Basic.COMPLEX4, Basic.COMPLEX8, Basic.COMPLEX16, Basic.COMPLEX32);

  private final int code;
  private final Basic[] types;

  TypeClass(int code, Basic... types) {
    this.code = code;
    this.types = types;
  }

  /**
   * Returns the number of {@code MPI_TYPECLASS_…} in the MPI-5 binary interface.
   *
   * @return one of the constants {@code TYPECLASS_…}
   */
  public int code() {
    return code;
  }

  /** Returns the types of the class, smallest first. */
  Basic[] types() {
    return types.clone();
  }
}
