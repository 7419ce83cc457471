// SPDX-License-Identifier: Apache-2.0
//nonblocking §6.12.4
//persistent §6.13.4

/**
 * Sends each rank its block of the root's elements, in rank order, and blocks until this rank's part is done
 * ({@code MPI_Scatter}, MPI-4.1 §6.6).
 *
 * @param send at the root, one block for each rank: its count is {@link Comm#size} times a block's; elsewhere ignored
 *     and possibly null
 * @param recv where this rank's block goes; at the root {@link Buf#inPlace} when it may stay where it is
 * @param root rank that has the data, the same everywhere; between groups as {@link InterComm} says
 * @throws MpiException ERR_ROOT, ERR_BUFFER, ERR_TYPE; ERR_COUNT when {@code send} cannot be cut into equal blocks as
 *     long as the root's own
 */
@Standard({"MPI_Scatter", "MPI_Scatter_c"})
void scatter(Buf<?> send, Buf<?> recv, int root) {
  run(new MovingCollective(CollectiveMethod.SCATTER, all(send), recv, root));
}

/**
 * Sends each rank its block of the root's elements; the root's own stays where it is ({@code MPI_Scatter} with
 * {@code MPI_IN_PLACE}, MPI-4.1 §6.6).
 *
 * @param buf at the root the whole buffer, of {@link Comm#size} blocks; elsewhere where this rank's block goes
 * @param root rank that has the data, the same everywhere; between groups as {@link InterComm} says
 * @throws MpiException as {@link #scatter(Buf, Buf, int)}
 */
@Standard({"MPI_Scatter", "MPI_Scatter_c"})
void scatter(Buf<?> buf, int root) {
  run(MovingCollective.inPlace(CollectiveMethod.SCATTER, buf, root, channel()));
}
