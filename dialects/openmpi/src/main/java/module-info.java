// SPDX-License-Identifier: Apache-2.0

/** Package {@code mpi} as programs of Open MPI's Java bindings know it. */
module org.ffmpi.dialect.openmpi {
  requires org.ffmpi.dialect;

  exports mpi;
}
