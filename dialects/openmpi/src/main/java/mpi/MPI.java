// SPDX-License-Identifier: Apache-2.0
package mpi;

import org.ffmpi.base.ErrorClass;

/** Constants, start and end. */
public final class MPI {
  /** {@code MPI_ERR_OTHER}. */
  public static final int ERR_OTHER = ErrorClass.ERR_OTHER.code();

  /** Programs have no use for an object; the original lets them make one. */
  public MPI() {}
}
