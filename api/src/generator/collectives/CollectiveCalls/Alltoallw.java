// SPDX-License-Identifier: Apache-2.0
//nonblocking §6.12.6
//persistent §6.13.6

/**
 * Sends each rank a block and receives one from each, of types and lengths that may differ, and blocks until they are
 * here ({@code MPI_Alltoallw}, MPI-4.1 §6.8). A block is received with as much data as it has been sent with.
 *
 * @param send elements in whose bytes the blocks to send lie, whatever their own type; or {@link Buf#inPlace} at all
 *     ranks when they lie in {@code recv}: its arrays are ignored then
 * @param sendCounts number of elements of the block for each rank
 * @param sendDispls where the block for each rank begins, in bytes from the beginning of {@code send}
 * @param sendTypes type of the elements of the block for each rank
 * @param recv elements in whose bytes the blocks to receive lie, whatever their own type
 * @param recvCounts number of elements of the block from each rank
 * @param recvDispls where the block from each rank begins, in bytes from the beginning of {@code recv}
 * @param recvTypes type of the elements of the block from each rank
 * @throws MpiException ERR_BUFFER, ERR_TYPE; ERR_COUNT when a count is negative, an array of counts has another
 *     length than there are ranks, or this rank's own block is sent with another length than it is received; ERR_ARG
 *     when an array of displacements has another length; ERR_TYPE when one of types has, too
 */
@Standard({"MPI_Alltoallw", "MPI_Alltoallw_c"})
void alltoallw(
    Buf<?> send, long[] sendCounts, long[] sendDispls, Datatype<?>[] sendTypes, Buf<?> recv, long[] recvCounts,
    long[] recvDispls, Datatype<?>[] recvTypes) {
  run(new MovingCollective(CollectiveMethod.ALLTOALLW, new BlockLayout.Typed(send, sendCounts, sendDispls, sendTypes),
      new BlockLayout.Typed(recv, recvCounts, recvDispls, recvTypes)));
}

/**
 * Exchanges blocks of types and lengths that may differ with all ranks, each being replaced by the one that the other
 * rank has for this one ({@code MPI_Alltoallw} with {@code MPI_IN_PLACE}, MPI-4.1 §6.8). Within one group only; two
 * ranks have the same amount of data for each other.
 *
 * @param buf elements in whose bytes the blocks lie, whatever their own type
 * @param counts number of elements of each rank's block
 * @param displs where each rank's block begins, in bytes from the beginning of {@code buf}
 * @param types type of the elements of each rank's block
 * @throws MpiException as {@link #alltoallw(Buf, long[], long[], Datatype[], Buf, long[], long[], Datatype[])}
 */
@Standard({"MPI_Alltoallw", "MPI_Alltoallw_c"})
void alltoallw(Buf<?> buf, long[] counts, long[] displs, Datatype<?>[] types) {
  run(new MovingCollective(CollectiveMethod.ALLTOALLW, new BlockLayout.One(Buf.inPlace()),
      new BlockLayout.Typed(buf, counts, displs, types)));
}

/**
 * Sends each rank a block and receives one from each, of which each is a buffer of its own, and blocks until they are
 * here ({@code MPI_Alltoallw}, MPI-4.1 §6.8). A block is received with as much data as it has been sent with.
 *
 * @param send the block for each rank; of count 0 where there is nothing to send
 * @param recv where the block from each rank goes
 * @throws MpiException ERR_BUFFER, ERR_TYPE; ERR_ARG when an array has another length than there are ranks; ERR_COUNT
 *     when this rank's own block is sent with another length than it is received
 */
@Standard({"MPI_Alltoallw", "MPI_Alltoallw_c"})
void alltoallw(Buf<?>[] send, Buf<?>[] recv) {
  run(new MovingCollective(CollectiveMethod.ALLTOALLW, new BlockLayout.Given(send), new BlockLayout.Given(recv)));
}

/**
 * Exchanges blocks, of which each is a buffer of its own, with all ranks, each being replaced by the one that the
 * other rank has for this one ({@code MPI_Alltoallw} with {@code MPI_IN_PLACE}, MPI-4.1 §6.8). Within one group only;
 * two ranks have the same amount of data for each other.
 *
 * @param bufs the block for each rank
 * @throws MpiException as {@link #alltoallw(Buf[], Buf[])}
 */
@Standard({"MPI_Alltoallw", "MPI_Alltoallw_c"})
void alltoallw(Buf<?>[] bufs) {
  run(new MovingCollective(CollectiveMethod.ALLTOALLW, new BlockLayout.One(Buf.inPlace()),
      new BlockLayout.Given(bufs)));
}
