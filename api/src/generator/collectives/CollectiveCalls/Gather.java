// SPDX-License-Identifier: Apache-2.0
//nonblocking §6.12.3
//persistent §6.13.3

/**
 * Collects every rank's elements at the root, in rank order, and blocks until this rank's part is done
 * ({@code MPI_Gather}, MPI-4.1 §6.5).
 *
 * @param send this rank's block; at the root {@link Buf#inPlace} when it already lies where it belongs
 * @param recv at the root, room for one block of each rank: its count is {@link Comm#size} times a block's; elsewhere
 *     ignored and possibly null
 * @param root rank that collects, the same everywhere; between groups as {@link InterComm} says
 * @throws MpiException ERR_ROOT, ERR_BUFFER, ERR_TYPE; ERR_COUNT when {@code recv} cannot be cut into equal blocks as
 *     long as the root's own
 */
@Standard({"MPI_Gather", "MPI_Gather_c"})
void gather(Buf<?> send, Buf<?> recv, int root) {
  run(new MovingCollective(CollectiveMethod.GATHER, send, all(recv), root));
}

/**
 * Collects every rank's elements at the root, whose own block already lies where it belongs ({@code MPI_Gather} with
 * {@code MPI_IN_PLACE}, MPI-4.1 §6.5).
 *
 * @param buf at the root the whole buffer, of {@link Comm#size} blocks; elsewhere this rank's block
 * @param root rank that collects, the same everywhere; between groups as {@link InterComm} says
 * @throws MpiException as {@link #gather(Buf, Buf, int)}
 */
@Standard({"MPI_Gather", "MPI_Gather_c"})
void gather(Buf<?> buf, int root) {
  run(MovingCollective.inPlace(CollectiveMethod.GATHER, buf, root, channel()));
}
