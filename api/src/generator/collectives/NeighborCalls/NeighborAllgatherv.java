// SPDX-License-Identifier: Apache-2.0
//nonblocking §8.7.1
//persistent §8.8.1

/**
 * Sends a block to all neighbours, the same to each, gets from each one of its own length, and blocks until they are
 * here ({@code MPI_Neighbor_allgatherv}, MPI-4.1 §8.6.1).
 *
 * @param send what each neighbour gets; ignored and possibly null at a rank with no destinations
 * @param recv memory that all blocks to receive lie in; ignored, as the arrays, at a rank with no sources
 * @param recvCounts number of elements from each source, in their order
 * @param recvDispls element of {@code recv} that each block begins with
 * @throws MpiException ERR_BUFFER when a buffer is missing or cannot be used, a block reaches beyond its buffer, or
 *     blocks sent and received overlap; ERR_TYPE; ERR_COUNT when a count is negative, {@code recvCounts} has more or
 *     fewer entries than there are sources, or a block is not as long as what its source sends; ERR_ARG when
 *     {@code recvDispls} has more or fewer
 */
@Standard({"MPI_Neighbor_allgatherv", "MPI_Neighbor_allgatherv_c"})
void neighborAllgatherv(Buf<?> send, Buf<?> recv, long[] recvCounts, long[] recvDispls) {
  run(new NeighborCollective(CollectiveMethod.NEIGHBOR_ALLGATHERV, neighbors(), new BlockLayout.One(send),
      new BlockLayout.Counted(recv, recvCounts, recvDispls)));
}
