// SPDX-License-Identifier: Apache-2.0
//nonblocking §8.7.2
//persistent §8.8.2

/**
 * Sends a block to each neighbour, gets one from each, and blocks until they are here ({@code MPI_Neighbor_alltoall},
 * MPI-4.1 §8.6.2).
 *
 * @param send one block for each destination, in their order: its count is the number of destinations times that of a
 *     block; ignored and possibly null at a rank with no destinations
 * @param recv room for one block of each source, in their order; ignored and possibly null at a rank with no sources
 * @throws MpiException ERR_BUFFER when a buffer is missing, cannot be used, or both overlap; ERR_TYPE; ERR_COUNT when
 *     a buffer cannot be cut into equal blocks, or a block is not as long as what its source sends
 */
@Standard({"MPI_Neighbor_alltoall", "MPI_Neighbor_alltoall_c"})
void neighborAlltoall(Buf<?> send, Buf<?> recv) {
  run(new NeighborCollective(CollectiveMethod.NEIGHBOR_ALLTOALL, neighbors(), new BlockLayout.Equal(send),
      new BlockLayout.Equal(recv)));
}
