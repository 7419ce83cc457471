// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.collective.ArrayBufs;
import org.ffmpi.collective.ArrayLengths;

/**
 * The calls of {@link Comm} on whole arrays of primitives, for which a {@link Buf} of the whole array would be enough,
 * or whose result is a new array, as long as need be. An {@code A} is an array of primitives, or a {@link
 * java.lang.foreign.MemorySegment} of bytes, whose lengths and counts are bytes; a new segment lives as long as it is
 * referred to. Anything else is ERR_BUFFER. So a null that is written out goes to the form with a {@code Buf}, as it
 * did before these calls were there.
 */
public sealed interface WholeArrayCalls permits Comm {
  /**
   * Sends a whole array in buffered mode ({@code MPI_Bsend}, MPI-4.1 §3.4), as {@link Comm#bsend(Buf, int, int)}
   * does. Does not block.
   *
   * @param <A> an array of primitives
   * @param data all elements are sent
   * @param dest rank of the receiver, or {@code PROC_NULL}
   * @param tag tag of the message, not negative
   * @throws MpiException ERR_BUFFER when the array is null, ERR_RANK, ERR_TAG; ERR_BUFFER also when the attached
   *     buffer is full
   */
  @Standard({"MPI_Bsend", "MPI_Bsend_c"})
  default <A> void bsend(A data, int dest, int tag) {
    ((Comm) this).bsend(ArrayBufs.of(this, data), dest, tag);
  }

  /**
   * Sends a whole array and blocks until the receiver has matched it ({@code MPI_Ssend}, MPI-4.1 §3.4), as {@link
   * Comm#ssend(Buf, int, int)} does.
   *
   * @param <A> an array of primitives
   * @param data all elements are sent
   * @param dest rank of the receiver, or {@code PROC_NULL}
   * @param tag tag of the message, not negative
   * @throws MpiException ERR_BUFFER when the array is null, ERR_RANK, ERR_TAG
   */
  @Standard({"MPI_Ssend", "MPI_Ssend_c"})
  default <A> void ssend(A data, int dest, int tag) {
    ((Comm) this).ssend(ArrayBufs.of(this, data), dest, tag);
  }

  /**
   * Sends a whole array whose receive has been posted ({@code MPI_Rsend}, MPI-4.1 §3.4), as {@link Comm#rsend(Buf,
   * int, int)} does. Blocks until it may be changed.
   *
   * @param <A> an array of primitives
   * @param data all elements are sent
   * @param dest rank of the receiver, or {@code PROC_NULL}
   * @param tag tag of the message, not negative
   * @throws MpiException ERR_BUFFER when the array is null, ERR_RANK, ERR_TAG
   */
  @Standard({"MPI_Rsend", "MPI_Rsend_c"})
  default <A> void rsend(A data, int dest, int tag) {
    ((Comm) this).rsend(ArrayBufs.of(this, data), dest, tag);
  }

  /**
   * Starts what {@link Comm#ibsend(Buf, int, int)} does with a whole array ({@code MPI_Ibsend}, MPI-4.1 §3.7.2), and
   * returns at once.
   *
   * @param <A> an array of primitives
   * @param data all elements are sent; not to be changed until the request is complete
   * @param dest rank of the receiver, or {@code PROC_NULL}
   * @param tag tag of the message, not negative
   * @return the request
   * @throws MpiException ERR_BUFFER when the array is null, ERR_RANK, ERR_TAG
   */
  @Standard({"MPI_Ibsend", "MPI_Ibsend_c"})
  default <A> Request ibsend(A data, int dest, int tag) {
    return ((Comm) this).ibsend(ArrayBufs.of(this, data), dest, tag);
  }

  /**
   * Starts what {@link Comm#issend(Buf, int, int)} does with a whole array ({@code MPI_Issend}, MPI-4.1 §3.7.2), and
   * returns at once.
   *
   * @param <A> an array of primitives
   * @param data all elements are sent; not to be changed until the request is complete
   * @param dest rank of the receiver, or {@code PROC_NULL}
   * @param tag tag of the message, not negative
   * @return the request
   * @throws MpiException ERR_BUFFER when the array is null, ERR_RANK, ERR_TAG
   */
  @Standard({"MPI_Issend", "MPI_Issend_c"})
  default <A> Request issend(A data, int dest, int tag) {
    return ((Comm) this).issend(ArrayBufs.of(this, data), dest, tag);
  }

  /**
   * Starts what {@link Comm#irsend(Buf, int, int)} does with a whole array ({@code MPI_Irsend}, MPI-4.1 §3.7.2), and
   * returns at once.
   *
   * @param <A> an array of primitives
   * @param data all elements are sent; not to be changed until the request is complete
   * @param dest rank of the receiver, or {@code PROC_NULL}
   * @param tag tag of the message, not negative
   * @return the request
   * @throws MpiException ERR_BUFFER when the array is null, ERR_RANK, ERR_TAG
   */
  @Standard({"MPI_Irsend", "MPI_Irsend_c"})
  default <A> Request irsend(A data, int dest, int tag) {
    return ((Comm) this).irsend(ArrayBufs.of(this, data), dest, tag);
  }

  /**
   * Sends one array and receives into another, and blocks until both is done ({@code MPI_Sendrecv}, MPI-4.1 §3.10).
   *
   * @param <A> an array of primitives
   * @param send all elements are sent
   * @param dest rank of the receiver, or {@code PROC_NULL}
   * @param sendTag tag of the message that is sent
   * @param recv filled from its first element on; another array
   * @param source rank of the sender, {@code ANY_SOURCE} or {@code PROC_NULL}
   * @param recvTag tag of the message that is received, or {@code ANY_TAG}
   * @throws MpiException ERR_TRUNCATE when the message is longer than {@code recv}; ERR_BUFFER when an array is null,
   *     ERR_RANK, ERR_TAG
   */
  @Standard({"MPI_Sendrecv", "MPI_Sendrecv_c"})
  default <A> void sendrecv(A send, int dest, int sendTag, A recv, int source, int recvTag) {
    ((Comm) this).sendrecv(ArrayBufs.of(this, send), dest, sendTag, ArrayBufs.of(this, recv), source, recvTag);
  }

  /**
   * Sends one array and receives into another, blocks until both is done, and returns the status of the receive
   * ({@code MPI_Sendrecv}, MPI-4.1 §3.10).
   *
   * @param <A> an array of primitives
   * @param send all elements are sent
   * @param dest rank of the receiver, or {@code PROC_NULL}
   * @param sendTag tag of the message that is sent
   * @param recv filled from its first element on; another array
   * @param source rank of the sender, {@code ANY_SOURCE} or {@code PROC_NULL}
   * @param recvTag tag of the message that is received, or {@code ANY_TAG}
   * @param into filled with source, tag and length of the message received
   * @return {@code into}
   * @throws MpiException ERR_TRUNCATE when the message is longer than {@code recv}; ERR_BUFFER when an array is null,
   *     ERR_RANK, ERR_TAG, ERR_ARG when {@code into} is null
   */
  @Standard({"MPI_Sendrecv", "MPI_Sendrecv_c"})
  default <A> Status sendrecv(
      A send, int dest, int sendTag, A recv, int source, int recvTag, Status into) {
    return ((Comm) this).sendrecv(
        ArrayBufs.of(this, send), dest, sendTag, ArrayBufs.of(this, recv), source, recvTag, into);
  }

  /**
   * Sends an array, receives into the same, and blocks until both is done ({@code MPI_Sendrecv_replace}, MPI-4.1
   * §3.10).
   *
   * @param <A> an array of primitives
   * @param data all elements are sent, and replaced by those received
   * @param dest rank of the receiver, or {@code PROC_NULL}
   * @param sendTag tag of the message that is sent
   * @param source rank of the sender, {@code ANY_SOURCE} or {@code PROC_NULL}
   * @param recvTag tag of the message that is received, or {@code ANY_TAG}
   * @throws MpiException ERR_TRUNCATE when the message is longer than the array; ERR_BUFFER when it is null,
   *     ERR_RANK, ERR_TAG
   */
  @Standard({"MPI_Sendrecv_replace", "MPI_Sendrecv_replace_c"})
  default <A> void sendrecvReplace(A data, int dest, int sendTag, int source, int recvTag) {
    ((Comm) this).sendrecvReplace(ArrayBufs.of(this, data), dest, sendTag, source, recvTag);
  }

  /**
   * Sends the root's array to all ranks and blocks until it is here ({@code MPI_Bcast}, MPI-4.1 §6.4), as {@link
   * Comm#bcast(Buf, int)} does with the whole array.
   *
   * @param <A> an array of primitives
   * @param data at the root what to send, at the others where it goes; as long everywhere
   * @param root rank of the root, the same everywhere
   * @throws MpiException ERR_ROOT, ERR_BUFFER when the array is null
   */
  @Standard({"MPI_Bcast", "MPI_Bcast_c"})
  default <A> void bcast(A data, int root) {
    ((Comm) this).bcast(ArrayBufs.of(this, data), root);
  }

  /**
   * Returns the elements of all ranks in the order of ranks, and blocks until they are here ({@code MPI_Allgather},
   * MPI-4.1 §6.7). Within one group.
   *
   * @param <A> an array of primitives
   * @param mine this rank's elements; as many at all ranks
   * @return a new array
   * @throws MpiException ERR_BUFFER when the array is null; ERR_COUNT when lengths differ or the result has no room
   *     in an array; ERR_COMM between groups
   */
  @Standard({"MPI_Allgather", "MPI_Allgather_c"})
  default <A> A allgather(A mine) {
    Comm comm = ArrayLengths.within(this, "allgather");
    Buf<?> send = ArrayBufs.of(this, mine);
    A all = ArrayBufs.make(mine, ArrayLengths.times(comm, ArrayBufs.length(mine)));
    comm.allgather(send, ArrayBufs.of(this, all));
    return all;
  }

  /**
   * Returns the elements of all ranks, in the order of ranks, at the root ({@code MPI_Gather}, MPI-4.1 §6.5). Blocks
   * until they are there, at the others until {@code mine} may be changed. Within one group.
   *
   * @param <A> an array of primitives
   * @param mine this rank's elements; as many at all ranks
   * @param root rank of the root, the same everywhere
   * @return a new array at the root, null at the others
   * @throws MpiException ERR_ROOT, ERR_BUFFER when the array is null; ERR_COUNT when lengths differ or the result has
   *     no room in an array; ERR_COMM between groups
   */
  @Standard({"MPI_Gather", "MPI_Gather_c"})
  default <A> A gather(A mine, int root) {
    Comm comm = ArrayLengths.within(this, "gather");
    Buf<?> send = ArrayBufs.of(this, mine);
    A all = comm.rank() == root ? ArrayBufs.make(mine, ArrayLengths.times(comm, ArrayBufs.length(mine))) : null;
    comm.gather(send, all == null ? null : ArrayBufs.of(this, all), root);
    return all;
  }

  /**
   * Cuts the root's array into one block for each rank and returns this rank's ({@code MPI_Scatter} after a {@code
   * MPI_Bcast} of the length, MPI-4.1 §6.6). Blocks until it is here. Within one group.
   *
   * @param <A> an array of primitives
   * @param all at the root as many elements for each rank; not looked at elsewhere, null will do
   * @param root rank of the root, the same everywhere
   * @return a new array
   * @throws MpiException ERR_ROOT; at all ranks ERR_BUFFER when the root's array is null and ERR_COUNT when its
   *     length is no multiple of the number of ranks; ERR_COMM between groups
   */
  @Standard({"MPI_Scatter", "MPI_Scatter_c"})
  default <A> A scatter(A all, int root) {
    Comm comm = ArrayLengths.within(this, "scatter");
    boolean isRoot = comm.rank() == root;
    int[] told = ArrayLengths.ofRoot(comm, all, root, comm.size());
    A mine = ArrayBufs.make(told[1], told[0] / comm.size());
    comm.scatter(isRoot ? ArrayBufs.of(this, all) : null, ArrayBufs.of(this, mine), root);
    return mine;
  }

  /**
   * Sends each rank its block of an array and returns the blocks of all ranks for this one, in the order of ranks
   * ({@code MPI_Alltoall}, MPI-4.1 §6.8). Blocks until they are here. Within one group.
   *
   * @param <A> an array of primitives
   * @param all as many elements for each rank, the same number at all ranks
   * @return a new array, as long
   * @throws MpiException ERR_BUFFER when the array is null; ERR_COUNT when its length is no multiple of the number of
   *     ranks, or lengths differ; ERR_COMM between groups
   */
  @Standard({"MPI_Alltoall", "MPI_Alltoall_c"})
  default <A> A alltoall(A all) {
    Comm comm = ArrayLengths.within(this, "alltoall");
    Buf<?> send = ArrayBufs.of(this, all);
    ArrayLengths.checkBlocks(comm, ArrayBufs.length(all));
    A came = ArrayBufs.make(all, ArrayBufs.length(all));
    comm.alltoall(send, ArrayBufs.of(this, came));
    return came;
  }

  /**
   * Returns the elements of all ranks in the order of ranks, as many as each has ({@code MPI_Allgatherv} after a
   * {@code MPI_Allgather} of the lengths, MPI-4.1 §6.7). Blocks until they are here. Within one group.
   *
   * @param <A> an array of primitives
   * @param mine this rank's elements
   * @return a new array
   * @throws MpiException ERR_BUFFER when the array is null; ERR_COUNT at all ranks when the result has no room in an
   *     array; ERR_COMM between groups
   */
  @Standard({"MPI_Allgatherv", "MPI_Allgatherv_c"})
  default <A> A allgatherv(A mine) {
    return allgatherv(mine, null);
  }

  /**
   * Returns the elements of all ranks as {@link #allgatherv(Object)}, and how many each has.
   *
   * @param <A> an array of primitives
   * @param mine this rank's elements
   * @param counts filled with the number of elements of each rank; null where it is not wanted
   * @return a new array
   * @throws MpiException ERR_BUFFER when the array is null; ERR_COUNT at all ranks when the result has no room in an
   *     array; ERR_COMM between groups; ERR_ARG when {@code counts} has another length than the group
   */
  @Standard({"MPI_Allgatherv", "MPI_Allgatherv_c"})
  default <A> A allgatherv(A mine, int[] counts) {
    Comm comm = ArrayLengths.within(this, "allgatherv");
    Buf<?> send = ArrayBufs.of(this, mine);
    int[] lengths = ArrayLengths.ofAll(comm, ArrayBufs.length(mine), counts);
    A all = ArrayBufs.make(mine, ArrayLengths.sum(comm, lengths));
    comm.allgatherv(send, ArrayBufs.of(this, all), lengths, ArrayLengths.displacements(lengths));
    return all;
  }

  /**
   * Returns the elements of all ranks, as many as each has, in the order of ranks at the root ({@code MPI_Gatherv}
   * after a {@code MPI_Allgather} of the lengths, MPI-4.1 §6.5). Blocks as {@link #gather(Object, int)}. Within
   * one group.
   *
   * @param <A> an array of primitives
   * @param mine this rank's elements
   * @param root rank of the root, the same everywhere
   * @return a new array at the root, null at the others
   * @throws MpiException ERR_BUFFER when the array is null; ERR_COUNT at all ranks when the result has no room in an
   *     array; ERR_COMM between groups, ERR_ROOT
   */
  @Standard({"MPI_Gatherv", "MPI_Gatherv_c"})
  default <A> A gatherv(A mine, int root) {
    return gatherv(mine, null, root);
  }

  /**
   * Returns the elements of all ranks at the root as {@link #gatherv(Object, int)}, and everywhere how many each
   * has.
   *
   * @param <A> an array of primitives
   * @param mine this rank's elements
   * @param counts filled with the number of elements of each rank; null where it is not wanted
   * @param root rank of the root, the same everywhere
   * @return a new array at the root, null at the others
   * @throws MpiException ERR_BUFFER when the array is null; ERR_COUNT at all ranks when the result has no room in an
   *     array; ERR_COMM between groups, ERR_ROOT; ERR_ARG when {@code counts} has another length than the group
   */
  @Standard({"MPI_Gatherv", "MPI_Gatherv_c"})
  default <A> A gatherv(A mine, int[] counts, int root) {
    Comm comm = ArrayLengths.within(this, "gatherv");
    Buf<?> send = ArrayBufs.of(this, mine);
    int[] lengths = ArrayLengths.ofAll(comm, ArrayBufs.length(mine), counts);
    int n = ArrayLengths.sum(comm, lengths);
    A all = comm.rank() == root ? ArrayBufs.make(mine, n) : null;
    comm.gatherv(
        send, all == null ? null : ArrayBufs.of(this, all), lengths, ArrayLengths.displacements(lengths), root);
    return all;
  }

  /**
   * Cuts the root's array into a block for each rank, as the root has counted, and returns this rank's ({@code
   * MPI_Scatterv} after a {@code MPI_Scatter} of the lengths, MPI-4.1 §6.6). Blocks until it is here. Within one
   * group.
   *
   * @param <A> an array of primitives
   * @param all at the root the blocks in the order of ranks; not looked at elsewhere, null will do
   * @param counts at the root the number of elements of each rank; not looked at elsewhere, null will do
   * @param root rank of the root, the same everywhere
   * @return a new array
   * @throws MpiException ERR_ROOT; at all ranks ERR_BUFFER when the root's array is null, and ERR_COUNT when its
   *     counts are not one for each rank, are negative, or exceed its array; ERR_COMM between groups
   */
  @Standard({"MPI_Scatterv", "MPI_Scatterv_c"})
  default <A> A scatterv(A all, int[] counts, int root) {
    Comm comm = ArrayLengths.within(this, "scatterv");
    boolean isRoot = comm.rank() == root;
    int[] told = ArrayLengths.ofBlock(comm, all, counts, root);
    A mine = ArrayBufs.make(told[1], told[0]);
    if (isRoot) {
      comm.scatterv(
          ArrayBufs.of(this, all), counts, ArrayLengths.displacements(counts), ArrayBufs.of(this, mine), root);
    } else {
      comm.scatterv(null, (int[]) null, null, ArrayBufs.of(this, mine), root);
    }
    return mine;
  }

  /**
   * Sends each rank its block of an array and returns the blocks of all ranks for this one, in the order of ranks
   * ({@code MPI_Alltoallv} after a {@code MPI_Alltoall} of the lengths, MPI-4.1 §6.8). Blocks until they are here.
   * Within one group.
   *
   * @param <A> an array of primitives
   * @param all the blocks in the order of ranks
   * @param sendCounts number of elements for each rank
   * @return a new array
   * @throws MpiException ERR_BUFFER when the array is null; ERR_COUNT when counts are not one for each rank, are
   *     negative or exceed the array, or the result has no room in an array; ERR_COMM between groups
   */
  @Standard({"MPI_Alltoallv", "MPI_Alltoallv_c"})
  default <A> A alltoallv(A all, int[] sendCounts) {
    return alltoallv(all, sendCounts, null);
  }

  /**
   * Exchanges blocks as {@link #alltoallv(Object, int[])}, with the number of elements that each rank has sent.
   *
   * @param <A> an array of primitives
   * @param all the blocks in the order of ranks
   * @param sendCounts number of elements for each rank
   * @param recvCounts filled with the number of elements from each rank; null where it is not wanted
   * @return a new array
   * @throws MpiException as {@link #alltoallv(Object, int[])}; ERR_ARG when {@code recvCounts} has another length
   *     than the group
   */
  @Standard({"MPI_Alltoallv", "MPI_Alltoallv_c"})
  default <A> A alltoallv(A all, int[] sendCounts, int[] recvCounts) {
    Comm comm = ArrayLengths.within(this, "alltoallv");
    Buf<?> send = ArrayBufs.of(this, all);
    int[] lengths = ArrayLengths.ofBlocks(comm, ArrayBufs.length(all), sendCounts, recvCounts);
    A came = ArrayBufs.make(all, ArrayLengths.sum(comm, lengths));
    comm.alltoallv(send, sendCounts, ArrayLengths.displacements(sendCounts), ArrayBufs.of(this, came), lengths,
        ArrayLengths.displacements(lengths));
    return came;
  }
}
