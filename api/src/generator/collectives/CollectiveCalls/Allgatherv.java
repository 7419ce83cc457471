// SPDX-License-Identifier: Apache-2.0
//nonblocking §6.12.5
//persistent §6.13.5

/**
 * Collects every rank's elements at all ranks, as many of each as the counts say, and blocks until they are here
 * ({@code MPI_Allgatherv}, MPI-4.1 §6.7). Between groups, blocks come from the ranks of the other group.
 *
 * @param send this rank's block, or {@link Buf#inPlace} at all ranks when each block already lies where it belongs
 * @param recv the elements in which all blocks lie
 * @param recvCounts number of elements of each rank's block
 * @param recvDispls where each rank's block begins, in elements of {@code recv}'s type from its beginning
 * @throws MpiException ERR_BUFFER, ERR_TYPE; ERR_COUNT when a count is negative or not that of this rank's own block,
 *     or the array has another length than there are ranks; ERR_ARG when that of the displacements has
 */
@Standard({"MPI_Allgatherv", "MPI_Allgatherv_c"})
void allgatherv(Buf<?> send, Buf<?> recv, long[] recvCounts, long[] recvDispls) {
  run(new MovingCollective(CollectiveMethod.ALLGATHERV, new BlockLayout.One(send),
      new BlockLayout.Counted(recv, recvCounts, recvDispls)));
}

/**
 * Collects every rank's elements at all ranks, where each rank's own block already lies where it belongs
 * ({@code MPI_Allgatherv} with {@code MPI_IN_PLACE}, MPI-4.1 §6.7). Within one group only.
 *
 * @param buf the elements in which all blocks lie
 * @param counts number of elements of each rank's block
 * @param displs where each rank's block begins, in elements of {@code buf}'s type from its beginning
 * @throws MpiException as {@link #allgatherv(Buf, Buf, long[], long[])}
 */
@Standard({"MPI_Allgatherv", "MPI_Allgatherv_c"})
void allgatherv(Buf<?> buf, long[] counts, long[] displs) {
  run(new MovingCollective(CollectiveMethod.ALLGATHERV, new BlockLayout.One(Buf.inPlace()),
      new BlockLayout.Counted(buf, counts, displs)));
}
