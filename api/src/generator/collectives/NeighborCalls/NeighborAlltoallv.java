// SPDX-License-Identifier: Apache-2.0
//nonblocking §8.7.2
//persistent §8.8.2

/**
 * Sends a block to each neighbour, gets one from each, all of lengths of their own, and blocks until they are here
 * ({@code MPI_Neighbor_alltoallv}, MPI-4.1 §8.6.2).
 *
 * @param send memory that all blocks to send lie in; ignored, as its arrays, at a rank with no destinations
 * @param sendCounts number of elements to each destination, in their order
 * @param sendDispls element of {@code send} that each block begins with
 * @param recv memory that all blocks to receive lie in; ignored, as its arrays, at a rank with no sources
 * @param recvCounts number of elements from each source, in their order
 * @param recvDispls element of {@code recv} that each block begins with
 * @throws MpiException ERR_BUFFER when a buffer is missing or cannot be used, a block reaches beyond its buffer, or
 *     blocks sent and received overlap; ERR_TYPE; ERR_COUNT when a count is negative, an array of counts has more or
 *     fewer entries than there are neighbours, or a block is not as long as what its source sends; ERR_ARG when an
 *     array of displacements has more or fewer
 */
@Standard({"MPI_Neighbor_alltoallv", "MPI_Neighbor_alltoallv_c"})
void neighborAlltoallv(
    Buf<?> send, long[] sendCounts, long[] sendDispls, Buf<?> recv, long[] recvCounts, long[] recvDispls) {
  run(new NeighborCollective(CollectiveMethod.NEIGHBOR_ALLTOALLV, neighbors(),
      new BlockLayout.Counted(send, sendCounts, sendDispls), new BlockLayout.Counted(recv, recvCounts, recvDispls)));
}
