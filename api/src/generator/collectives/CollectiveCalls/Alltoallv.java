// SPDX-License-Identifier: Apache-2.0
//nonblocking §6.12.6
//persistent §6.13.6

/**
 * Sends each rank a block and receives one from each, of lengths that may differ, and blocks until they are here
 * ({@code MPI_Alltoallv}, MPI-4.1 §6.8). A block is received with as much data as it has been sent with.
 *
 * @param send the elements in which the blocks to send lie, or {@link Buf#inPlace} at all ranks when they lie in
 *     {@code recv}: its arrays are ignored then
 * @param sendCounts number of elements of the block for each rank
 * @param sendDispls where the block for each rank begins, in elements of {@code send}'s type from its beginning
 * @param recv the elements in which the blocks to receive lie
 * @param recvCounts number of elements of the block from each rank
 * @param recvDispls where the block from each rank begins, in elements of {@code recv}'s type from its beginning
 * @throws MpiException ERR_BUFFER, ERR_TYPE; ERR_COUNT when a count is negative, an array of counts has another
 *     length than there are ranks, or this rank's own block is sent with another length than it is received; ERR_ARG
 *     when an array of displacements has another length
 */
@Standard({"MPI_Alltoallv", "MPI_Alltoallv_c"})
void alltoallv(Buf<?> send, long[] sendCounts, long[] sendDispls, Buf<?> recv, long[] recvCounts, long[] recvDispls) {
  run(new MovingCollective(CollectiveMethod.ALLTOALLV, new BlockLayout.Counted(send, sendCounts, sendDispls),
      new BlockLayout.Counted(recv, recvCounts, recvDispls)));
}

/**
 * Exchanges blocks of lengths that may differ with all ranks, each being replaced by the one that the other rank has
 * for this one ({@code MPI_Alltoallv} with {@code MPI_IN_PLACE}, MPI-4.1 §6.8). Within one group only; two ranks have
 * blocks of the same length for each other.
 *
 * @param buf the elements in which the blocks lie
 * @param counts number of elements of each rank's block
 * @param displs where each rank's block begins, in elements of {@code buf}'s type from its beginning
 * @throws MpiException as {@link #alltoallv(Buf, long[], long[], Buf, long[], long[])}
 */
@Standard({"MPI_Alltoallv", "MPI_Alltoallv_c"})
void alltoallv(Buf<?> buf, long[] counts, long[] displs) {
  run(new MovingCollective(CollectiveMethod.ALLTOALLV, new BlockLayout.One(Buf.inPlace()),
      new BlockLayout.Counted(buf, counts, displs)));
}
