// SPDX-License-Identifier: Apache-2.0
//nonblocking §6.12.2
//persistent §6.13.2

/**
 * Sends the root's elements to all ranks and blocks until they are here ({@code MPI_Bcast}, MPI-4.1 §6.4).
 *
 * @param buf at the root the elements to send, at the others where they go; the same amount of data everywhere
 * @param root rank that has the data, the same everywhere; between groups as {@link InterComm} says
 * @throws MpiException ERR_ROOT, ERR_BUFFER, ERR_TYPE
 */
@Standard({"MPI_Bcast", "MPI_Bcast_c"})
void bcast(Buf<?> buf, int root) {
  run(MovingCollective.bcast(buf, root));
}
