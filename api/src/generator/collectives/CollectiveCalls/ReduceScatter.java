// SPDX-License-Identifier: Apache-2.0
//nonblocking §6.12.10
//persistent §6.13.10

/**
 * Combines the ranks' elements, each with the one at the same place, cuts the result into a part for each rank and
 * blocks until this rank's is here ({@code MPI_Reduce_scatter}, MPI-4.1 §6.10.2). Between groups, each group gets the
 * result of the other's elements, and the counts of both have the same sum.
 *
 * @param <T> what one element is in Java
 * @param send this rank's elements, as many as all parts have, or {@link Buf#inPlace} at all ranks when they lie in
 *     {@code recv}
 * @param recv this rank's part of the result; in place all elements, whose beginning is replaced by the result and
 *     the rest left undefined
 * @param counts number of elements of each rank's part of the result, the same at all ranks of a group
 * @param op how to combine two elements
 * @throws MpiException ERR_BUFFER, ERR_TYPE; ERR_OP when the operation is null or not defined for the type; ERR_COUNT
 *     when a count is negative, there is not one for each rank, or there are not as many elements as they say
 */
@Standard({"MPI_Reduce_scatter", "MPI_Reduce_scatter_c"})
<T> void reduceScatter(Buf<T> send, Buf<T> recv, long[] counts, Op<? super T> op) {
  run(ReducingCollective.reduceScatter(send, recv, counts, op));
}

/**
 * Combines the ranks' elements and cuts the result into a part for each rank, in place ({@code MPI_Reduce_scatter}
 * with {@code MPI_IN_PLACE}, MPI-4.1 §6.10.2). Within one group only.
 *
 * @param <T> what one element is in Java
 * @param buf this rank's elements, as many as all parts have; its beginning is replaced by this rank's part of the
 *     result, and the rest left undefined
 * @param counts number of elements of each rank's part of the result, the same at all ranks of a group
 * @param op how to combine two elements
 * @throws MpiException as {@link #reduceScatter(Buf, Buf, long[], Op)}
 */
@Standard({"MPI_Reduce_scatter", "MPI_Reduce_scatter_c"})
<T> void reduceScatter(Buf<T> buf, long[] counts, Op<? super T> op) {
  run(ReducingCollective.reduceScatter(Buf.inPlace(), buf, counts, op));
}
