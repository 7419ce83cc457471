// SPDX-License-Identifier: Apache-2.0
//nonblocking §6.12.6
//persistent §6.13.6

/**
 * Sends each rank a block and receives one from each, both in rank order, and blocks until they are here
 * ({@code MPI_Alltoall}, MPI-4.1 §6.8). Between groups, blocks go to and come from the other group, and those of the
 * two directions may differ in length.
 *
 * @param send one block for each rank, or {@link Buf#inPlace} at all ranks when they lie in {@code recv}
 * @param recv room for one block of each rank
 * @throws MpiException ERR_BUFFER, ERR_TYPE; ERR_COUNT when a buffer cannot be cut into equal blocks or the two
 *     differ in length
 */
@Standard({"MPI_Alltoall", "MPI_Alltoall_c"})
void alltoall(Buf<?> send, Buf<?> recv) {
  run(new MovingCollective(CollectiveMethod.ALLTOALL, all(send), all(recv)));
}

/**
 * Exchanges blocks with all ranks, each being replaced by the one that the other rank has for this one
 * ({@code MPI_Alltoall} with {@code MPI_IN_PLACE}, MPI-4.1 §6.8). Within one group only.
 *
 * @param buf one block for each rank
 * @throws MpiException as {@link #alltoall(Buf, Buf)}
 */
@Standard({"MPI_Alltoall", "MPI_Alltoall_c"})
void alltoall(Buf<?> buf) {
  run(new MovingCollective(CollectiveMethod.ALLTOALL, Buf.inPlace(), all(buf)));
}
