// SPDX-License-Identifier: Apache-2.0
//nonblocking §6.12.9
//persistent §6.13.9

/**
 * Combines the ranks' elements, each with the one at the same place, cuts the result into a block for each rank and
 * blocks until this rank's is here ({@code MPI_Reduce_scatter_block}, MPI-4.1 §6.10.1). Between groups, each group
 * gets the result of the other's elements.
 *
 * @param <T> what one element is in Java
 * @param send this rank's elements, {@link Comm#size} times as many as {@code recv} has, or {@link Buf#inPlace} at
 *     all ranks when they lie in {@code recv}
 * @param recv this rank's block of the result; in place all elements, of which the first block is replaced by the
 *     result and the rest left undefined
 * @param op how to combine two elements
 * @throws MpiException ERR_BUFFER, ERR_TYPE; ERR_OP when the operation is null or not defined for the type; ERR_COUNT
 *     when there are not as many elements as blocks need
 */
@Standard({"MPI_Reduce_scatter_block", "MPI_Reduce_scatter_block_c"})
<T> void reduceScatterBlock(Buf<T> send, Buf<T> recv, Op<? super T> op) {
  run(new ReducingCollective(CollectiveMethod.REDUCE_SCATTER_BLOCK, all(send), recv, op));
}

/**
 * Combines the ranks' elements and cuts the result into a block for each rank, in place
 * ({@code MPI_Reduce_scatter_block} with {@code MPI_IN_PLACE}, MPI-4.1 §6.10.1). Within one group only.
 *
 * @param <T> what one element is in Java
 * @param buf this rank's elements, one block for each rank; its first block is replaced by this rank's block of the
 *     result, and the rest left undefined
 * @param op how to combine two elements
 * @throws MpiException as {@link #reduceScatterBlock(Buf, Buf, Op)}
 */
@Standard({"MPI_Reduce_scatter_block", "MPI_Reduce_scatter_block_c"})
<T> void reduceScatterBlock(Buf<T> buf, Op<? super T> op) {
  run(new ReducingCollective(CollectiveMethod.REDUCE_SCATTER_BLOCK, Buf.inPlace(), all(buf), op));
}
