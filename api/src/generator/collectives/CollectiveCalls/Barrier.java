// SPDX-License-Identifier: Apache-2.0
//nonblocking §6.12.1
//persistent §6.13.1

/**
 * Blocks until all ranks have called it ({@code MPI_Barrier}, MPI-4.1 §6.3); between groups, until all ranks of the
 * other group have.
 */
@Standard({"MPI_Barrier"})
void barrier() {
  run(MovingCollective.barrier());
}
