// SPDX-License-Identifier: Apache-2.0
//nonblocking §6.12.3
//persistent §6.13.3

/**
 * Collects every rank's elements at the root, as many of each as the root says and where it says, and blocks until
 * this rank's part is done ({@code MPI_Gatherv}, MPI-4.1 §6.5).
 *
 * @param send this rank's block; at the root {@link Buf#inPlace} when it already lies where it belongs
 * @param recv at the root, the elements in which all blocks lie; elsewhere ignored and possibly null, as are the
 *     arrays
 * @param recvCounts number of elements of each rank's block
 * @param recvDispls where each rank's block begins, in elements of {@code recv}'s type from its beginning
 * @param root rank that collects, the same everywhere; between groups as {@link InterComm} says
 * @throws MpiException ERR_ROOT, ERR_BUFFER, ERR_TYPE; ERR_COUNT when a count is negative or not that of the root's
 *     own block, or the array has another length than there are ranks; ERR_ARG when that of the displacements has
 */
@Standard({"MPI_Gatherv", "MPI_Gatherv_c"})
void gatherv(Buf<?> send, Buf<?> recv, long[] recvCounts, long[] recvDispls, int root) {
  run(new MovingCollective(CollectiveMethod.GATHERV, new BlockLayout.One(send),
      new BlockLayout.Counted(recv, recvCounts, recvDispls), root));
}

/**
 * Collects every rank's elements at the root, whose own block already lies where it belongs ({@code MPI_Gatherv} with
 * {@code MPI_IN_PLACE}, MPI-4.1 §6.5).
 *
 * @param buf at the root the elements in which all blocks lie; elsewhere this rank's block, and the arrays are
 *     ignored
 * @param counts number of elements of each rank's block
 * @param displs where each rank's block begins, in elements of {@code buf}'s type from its beginning
 * @param root rank that collects, the same everywhere; between groups as {@link InterComm} says
 * @throws MpiException as {@link #gatherv(Buf, Buf, long[], long[], int)}
 */
@Standard({"MPI_Gatherv", "MPI_Gatherv_c"})
void gatherv(Buf<?> buf, long[] counts, long[] displs, int root) {
  run(MovingCollective.inPlace(CollectiveMethod.GATHERV, new BlockLayout.Counted(buf, counts, displs),
      root, channel()));
}
