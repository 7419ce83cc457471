// SPDX-License-Identifier: Apache-2.0
//nonblocking §6.12.8
//persistent §6.13.8

/**
 * Combines the ranks' elements, each with the one at the same place, and blocks until every rank's result is here
 * ({@code MPI_Allreduce}, MPI-4.1 §6.9.6). All ranks get the same bits. Between groups, each group gets the result of
 * the other's elements.
 *
 * @param <T> what one element is in Java
 * @param send this rank's elements, or {@link Buf#inPlace} at all ranks when they lie in {@code recv}
 * @param recv the result, of the same count and type as {@code send}
 * @param op how to combine two elements
 * @throws MpiException ERR_BUFFER, ERR_TYPE; ERR_OP when the operation is null or not defined for the type; ERR_COUNT
 *     when the buffers differ in count
 */
@Standard({"MPI_Allreduce", "MPI_Allreduce_c"})
<T> void allreduce(Buf<T> send, Buf<T> recv, Op<? super T> op) {
  run(new ReducingCollective(CollectiveMethod.ALLREDUCE, send, recv, op));
}

/**
 * Combines the ranks' elements in place ({@code MPI_Allreduce} with {@code MPI_IN_PLACE}, MPI-4.1 §6.9.6). Within one
 * group only.
 *
 * @param <T> what one element is in Java
 * @param buf this rank's elements, replaced by the result
 * @param op how to combine two elements
 * @throws MpiException as {@link #allreduce(Buf, Buf, Op)}
 */
@Standard({"MPI_Allreduce", "MPI_Allreduce_c"})
<T> void allreduce(Buf<T> buf, Op<? super T> op) {
  run(new ReducingCollective(CollectiveMethod.ALLREDUCE, Buf.inPlace(), buf, op));
}
