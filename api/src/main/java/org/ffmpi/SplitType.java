// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.Constants;
import org.ffmpi.base.Standard;

/** By what {@link IntraComm#splitType} puts ranks together (MPI-4.1 §7.4.2). */
public enum SplitType {
  /** Processes that can share memory. */
  @Standard({"MPI_COMM_TYPE_SHARED"})
  SHARED(Constants.COMM_TYPE_SHARED),

  /** Processes on the same hardware of a kind that the info key {@code mpi_hw_resource_type} names. */
  @Standard({"MPI_COMM_TYPE_HW_GUIDED"})
  HW_GUIDED(Constants.COMM_TYPE_HW_GUIDED),

  /** Processes on the same hardware, of the largest kind that not all of them share. */
  @Standard({"MPI_COMM_TYPE_HW_UNGUIDED"})
  HW_UNGUIDED(Constants.COMM_TYPE_HW_UNGUIDED),

  /**
   * Processes on the same hardware, as {@link #HW_GUIDED}, or those of a process set that the info key
   * {@code mpi_pset_name} names.
   */
  @Standard({"MPI_COMM_TYPE_RESOURCE_GUIDED"})
  RESOURCE_GUIDED(Constants.COMM_TYPE_RESOURCE_GUIDED);

  private final int code;

  SplitType(int code) {
    this.code = code;
  }

  /**
   * Returns the integer that stands for this kind in the MPI-5 binary interface.
   *
   * @return one of the {@code COMM_TYPE_…} constants
   */
  public int code() {
    return code;
  }
}
