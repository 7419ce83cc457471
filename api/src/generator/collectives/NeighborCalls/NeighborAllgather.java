// SPDX-License-Identifier: Apache-2.0
//nonblocking §8.7.1
//persistent §8.8.1

/**
 * Sends a block to all neighbours, the same to each, gets one from each, and blocks until they are here
 * ({@code MPI_Neighbor_allgather}, MPI-4.1 §8.6.1).
 *
 * @param send what each neighbour gets; ignored and possibly null at a rank with no destinations
 * @param recv room for one block of each source, in their order: its count is the number of sources times that of a
 *     block; ignored and possibly null at a rank with no sources
 * @throws MpiException ERR_BUFFER when a buffer is missing, cannot be used, or both overlap; ERR_TYPE; ERR_COUNT when
 *     {@code recv} cannot be cut into equal blocks, or a block is not as long as what its source sends
 */
@Standard({"MPI_Neighbor_allgather", "MPI_Neighbor_allgather_c"})
void neighborAllgather(Buf<?> send, Buf<?> recv) {
  run(new NeighborCollective(CollectiveMethod.NEIGHBOR_ALLGATHER, neighbors(), new BlockLayout.One(send),
      new BlockLayout.Equal(recv)));
}
