// SPDX-License-Identifier: Apache-2.0
//nonblocking §8.7.2
//persistent §8.8.2

/**
 * Sends a block to each neighbour, gets one from each, all of lengths and types of their own, and blocks until they
 * are here ({@code MPI_Neighbor_alltoallw}, MPI-4.1 §8.6.2).
 *
 * @param send memory that all blocks to send lie in, whatever its type; ignored, as its arrays, at a rank with no
 *     destinations
 * @param sendCounts number of elements to each destination, in their order
 * @param sendDispls where each block begins, in bytes from the beginning of {@code send}
 * @param sendTypes type of each block's elements
 * @param recv memory that all blocks to receive lie in, whatever its type; ignored, as its arrays, at a rank with no
 *     sources
 * @param recvCounts number of elements from each source, in their order
 * @param recvDispls where each block begins, in bytes from the beginning of {@code recv}
 * @param recvTypes type of each block's elements
 * @throws MpiException ERR_BUFFER when a buffer is missing or cannot be used, a block reaches beyond its buffer, or
 *     blocks sent and received overlap; ERR_TYPE when a type is null, freed or not committed, or an array of types
 *     has more or fewer entries than there are neighbours; ERR_COUNT when a count is negative, an array of counts has
 *     more or fewer, or a block is not as long as what its source sends; ERR_ARG when an array of displacements has
 *     more or fewer
 */
@Standard({"MPI_Neighbor_alltoallw", "MPI_Neighbor_alltoallw_c"})
void neighborAlltoallw(
    Buf<?> send, long[] sendCounts, long[] sendDispls, Datatype<?>[] sendTypes, Buf<?> recv, long[] recvCounts,
    long[] recvDispls, Datatype<?>[] recvTypes) {
  run(new NeighborCollective(CollectiveMethod.NEIGHBOR_ALLTOALLW, neighbors(),
      new BlockLayout.Typed(send, sendCounts, sendDispls, sendTypes),
      new BlockLayout.Typed(recv, recvCounts, recvDispls, recvTypes)));
}

/**
 * Sends a block to each neighbour, gets one from each, each a buffer of its own, and blocks until they are here
 * ({@code MPI_Neighbor_alltoallw}, MPI-4.1 §8.6.2): the form for blocks in different memory.
 *
 * @param send what each destination gets, in their order; ignored at a rank with no destinations
 * @param recv where what each source sends goes, in their order; ignored at a rank with no sources
 * @throws MpiException ERR_ARG when an array has more or fewer entries than there are neighbours; ERR_BUFFER when a
 *     buffer is missing or cannot be used, or buffers sent and received overlap; ERR_TYPE; ERR_COUNT when a block is
 *     not as long as what its source sends
 */
@Standard({"MPI_Neighbor_alltoallw", "MPI_Neighbor_alltoallw_c"})
void neighborAlltoallw(Buf<?>[] send, Buf<?>[] recv) {
  run(new NeighborCollective(CollectiveMethod.NEIGHBOR_ALLTOALLW, neighbors(), new BlockLayout.Given(send),
      new BlockLayout.Given(recv)));
}
