// SPDX-License-Identifier: Apache-2.0
//nonblocking §6.12.12
//persistent §6.13.12

/**
 * Combines the elements of all ranks lower than this one, each with the one at the same place, and blocks until the
 * result is here ({@code MPI_Exscan}, MPI-4.1 §6.11.2). Within one group only.
 *
 * @param <T> what one element is in Java
 * @param send this rank's elements, or {@link Buf#inPlace} at all ranks when they lie in {@code recv}
 * @param recv the result, of the same count and type as {@code send}; at rank 0 ignored, left as it is and possibly
 *     null
 * @param op how to combine two elements
 * @throws MpiException ERR_BUFFER, ERR_TYPE; ERR_OP when the operation is null or not defined for the type; ERR_COUNT
 *     when the buffers differ in count; ERR_COMM between groups
 */
@Standard({"MPI_Exscan", "MPI_Exscan_c"})
<T> void exscan(Buf<T> send, Buf<T> recv, Op<? super T> op) {
  run(new ReducingCollective(CollectiveMethod.EXSCAN, send, recv, op));
}

/**
 * Combines the elements of all ranks lower than this one in place ({@code MPI_Exscan} with {@code MPI_IN_PLACE},
 * MPI-4.1 §6.11.2).
 *
 * @param <T> what one element is in Java
 * @param buf this rank's elements, replaced by the result except at rank 0
 * @param op how to combine two elements
 * @throws MpiException as {@link #exscan(Buf, Buf, Op)}
 */
@Standard({"MPI_Exscan", "MPI_Exscan_c"})
<T> void exscan(Buf<T> buf, Op<? super T> op) {
  run(new ReducingCollective(CollectiveMethod.EXSCAN, Buf.inPlace(), buf, op));
}
