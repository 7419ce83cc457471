// SPDX-License-Identifier: Apache-2.0
//nonblocking §6.12.11
//persistent §6.13.11

/**
 * Combines the elements of this rank and all lower ones, each with the one at the same place, and blocks until the
 * result is here ({@code MPI_Scan}, MPI-4.1 §6.11.1). Within one group only.
 *
 * @param <T> what one element is in Java
 * @param send this rank's elements, or {@link Buf#inPlace} at all ranks when they lie in {@code recv}
 * @param recv the result, of the same count and type as {@code send}
 * @param op how to combine two elements
 * @throws MpiException ERR_BUFFER, ERR_TYPE; ERR_OP when the operation is null or not defined for the type; ERR_COUNT
 *     when the buffers differ in count; ERR_COMM between groups
 */
@Standard({"MPI_Scan", "MPI_Scan_c"})
<T> void scan(Buf<T> send, Buf<T> recv, Op<? super T> op) {
  run(new ReducingCollective(CollectiveMethod.SCAN, send, recv, op));
}

/**
 * Combines the elements of this rank and all lower ones in place ({@code MPI_Scan} with {@code MPI_IN_PLACE}, MPI-4.1
 * §6.11.1).
 *
 * @param <T> what one element is in Java
 * @param buf this rank's elements, replaced by the result
 * @param op how to combine two elements
 * @throws MpiException as {@link #scan(Buf, Buf, Op)}
 */
@Standard({"MPI_Scan", "MPI_Scan_c"})
<T> void scan(Buf<T> buf, Op<? super T> op) {
  run(new ReducingCollective(CollectiveMethod.SCAN, Buf.inPlace(), buf, op));
}
