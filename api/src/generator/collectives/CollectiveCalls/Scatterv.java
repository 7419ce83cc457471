// SPDX-License-Identifier: Apache-2.0
//nonblocking §6.12.4
//persistent §6.13.4

/**
 * Sends each rank its block of the root's elements, as long as the root says and from where it says, and blocks until
 * this rank's part is done ({@code MPI_Scatterv}, MPI-4.1 §6.6).
 *
 * @param send at the root, the elements in which all blocks lie; elsewhere ignored and possibly null, as are the
 *     arrays
 * @param sendCounts number of elements of each rank's block
 * @param sendDispls where each rank's block begins, in elements of {@code send}'s type from its beginning
 * @param recv where this rank's block goes; at the root {@link Buf#inPlace} when it may stay where it is
 * @param root rank that has the data, the same everywhere; between groups as {@link InterComm} says
 * @throws MpiException ERR_ROOT, ERR_BUFFER, ERR_TYPE; ERR_COUNT when a count is negative or not that of the root's
 *     own block, or the array has another length than there are ranks; ERR_ARG when that of the displacements has
 */
@Standard({"MPI_Scatterv", "MPI_Scatterv_c"})
void scatterv(Buf<?> send, long[] sendCounts, long[] sendDispls, Buf<?> recv, int root) {
  run(new MovingCollective(CollectiveMethod.SCATTERV, new BlockLayout.Counted(send, sendCounts, sendDispls),
      new BlockLayout.One(recv), root));
}

/**
 * Sends each rank its block of the root's elements; the root's own stays where it is ({@code MPI_Scatterv} with
 * {@code MPI_IN_PLACE}, MPI-4.1 §6.6).
 *
 * @param buf at the root the elements in which all blocks lie; elsewhere where this rank's block goes, and the arrays
 *     are ignored
 * @param counts number of elements of each rank's block
 * @param displs where each rank's block begins, in elements of {@code buf}'s type from its beginning
 * @param root rank that has the data, the same everywhere; between groups as {@link InterComm} says
 * @throws MpiException as {@link #scatterv(Buf, long[], long[], Buf, int)}
 */
@Standard({"MPI_Scatterv", "MPI_Scatterv_c"})
void scatterv(Buf<?> buf, long[] counts, long[] displs, int root) {
  run(MovingCollective.inPlace(CollectiveMethod.SCATTERV, new BlockLayout.Counted(buf, counts, displs),
      root, channel()));
}
