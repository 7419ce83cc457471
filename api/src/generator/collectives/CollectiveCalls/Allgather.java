// SPDX-License-Identifier: Apache-2.0
//nonblocking §6.12.5
//persistent §6.13.5

/**
 * Collects every rank's elements at all ranks, in rank order, and blocks until they are here ({@code MPI_Allgather},
 * MPI-4.1 §6.7). Between groups, blocks come from the ranks of the other group.
 *
 * @param send this rank's block, or {@link Buf#inPlace} at all ranks when each block already lies where it belongs
 * @param recv room for one block of each rank: its count is {@link Comm#size} times a block's
 * @throws MpiException ERR_BUFFER, ERR_TYPE; ERR_COUNT when {@code recv} cannot be cut into equal blocks as long as
 *     {@code send}
 */
@Standard({"MPI_Allgather", "MPI_Allgather_c"})
void allgather(Buf<?> send, Buf<?> recv) {
  run(new MovingCollective(CollectiveMethod.ALLGATHER, send, all(recv)));
}

/**
 * Collects every rank's elements at all ranks, where each rank's own block already lies where it belongs
 * ({@code MPI_Allgather} with {@code MPI_IN_PLACE}, MPI-4.1 §6.7). Within one group only.
 *
 * @param buf one block of each rank
 * @throws MpiException as {@link #allgather(Buf, Buf)}
 */
@Standard({"MPI_Allgather", "MPI_Allgather_c"})
void allgather(Buf<?> buf) {
  run(new MovingCollective(CollectiveMethod.ALLGATHER, Buf.inPlace(), all(buf)));
}
