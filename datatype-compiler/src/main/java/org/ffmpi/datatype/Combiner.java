// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype;

import org.ffmpi.base.Constants;

/** The constructor that made a datatype (MPI-4.1 §5.1.13), as {@link TypeEnvelope} has it. */
public enum Combiner {
  /** A predefined type with a name. */
  NAMED(Constants.COMBINER_NAMED),
  /** {@link Datatype#dup}. */
  DUP(Constants.COMBINER_DUP),
  /** {@link Datatype#contiguous}. */
  CONTIGUOUS(Constants.COMBINER_CONTIGUOUS),
  /** {@link Datatype#vector}. */
  VECTOR(Constants.COMBINER_VECTOR),
  /** {@link Datatype#hvector}. */
  HVECTOR(Constants.COMBINER_HVECTOR),
  /** {@link Datatype#indexed}. */
  INDEXED(Constants.COMBINER_INDEXED),
  /** {@link Datatype#hindexed}. */
  HINDEXED(Constants.COMBINER_HINDEXED),
  /** {@link Datatype#indexedBlock}. */
  INDEXED_BLOCK(Constants.COMBINER_INDEXED_BLOCK),
  /** {@link Datatype#hindexedBlock}. */
  HINDEXED_BLOCK(Constants.COMBINER_HINDEXED_BLOCK),
  /** {@link Datatype#struct}. */
  STRUCT(Constants.COMBINER_STRUCT),
  /** {@link Datatype#subarray}. */
  SUBARRAY(Constants.COMBINER_SUBARRAY),
  /** {@link Datatype#darray}. */
  DARRAY(Constants.COMBINER_DARRAY),
  /** A Fortran real of chosen precision and range. */
  F90_REAL(Constants.COMBINER_F90_REAL),
  /** A Fortran complex number of chosen precision and range. */
  F90_COMPLEX(Constants.COMBINER_F90_COMPLEX),
  /** A Fortran integer of chosen range. */
  F90_INTEGER(Constants.COMBINER_F90_INTEGER),
  /** {@link Datatype#resized}. */
  RESIZED(Constants.COMBINER_RESIZED),
  /** A pair of value and index that has no name. */
  VALUE_INDEX(Constants.COMBINER_VALUE_INDEX);

  private final int code;

  Combiner(int code) {
    this.code = code;
  }

  /**
   * Returns the number of {@code MPI_COMBINER_…} in the MPI-5 binary interface.
   *
   * @return one of the constants {@code COMBINER_…}
   */
  public int code() {
    return code;
  }
}
