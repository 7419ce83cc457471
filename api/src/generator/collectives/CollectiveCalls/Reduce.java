// SPDX-License-Identifier: Apache-2.0
//nonblocking §6.12.7
//persistent §6.13.7

/**
 * Combines the ranks' elements, each with the one at the same place, into the root's buffer and blocks until this
 * rank's part is done ({@code MPI_Reduce}, MPI-4.1 §6.9.1). Between groups, those of the group that the root is not
 * in.
 *
 * @param <T> what one element is in Java
 * @param send this rank's elements; at the root {@link Buf#inPlace} when they lie in {@code recv}
 * @param recv at the root the result, of the same count and type as {@code send}; elsewhere ignored and possibly null
 * @param op how to combine two elements
 * @param root rank that gets the result, the same everywhere; between groups as {@link InterComm} says
 * @throws MpiException ERR_ROOT, ERR_BUFFER, ERR_TYPE; ERR_OP when the operation is null or not defined for the type;
 *     ERR_COUNT when the buffers differ in count
 */
@Standard({"MPI_Reduce", "MPI_Reduce_c"})
<T> void reduce(Buf<T> send, Buf<T> recv, Op<? super T> op, int root) {
  run(ReducingCollective.reduce(send, recv, op, root));
}

/**
 * Combines the ranks' elements into the root's buffer, which holds the root's own ({@code MPI_Reduce} with
 * {@code MPI_IN_PLACE}, MPI-4.1 §6.9.1).
 *
 * @param <T> what one element is in Java
 * @param buf this rank's elements; at the root replaced by the result
 * @param op how to combine two elements
 * @param root rank that gets the result, the same everywhere; between groups as {@link InterComm} says
 * @throws MpiException as {@link #reduce(Buf, Buf, Op, int)}
 */
@Standard({"MPI_Reduce", "MPI_Reduce_c"})
<T> void reduce(Buf<T> buf, Op<? super T> op, int root) {
  run(ReducingCollective.reduceInPlace(buf, op, root, channel()));
}
