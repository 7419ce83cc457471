// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Neighbors;

/**
 * A communicator whose ranks have neighbours, with which they exchange data in one call: the neighbourhood collectives
 * (MPI-4.1 §8.6). One of {@link CartComm}, {@link GraphComm} and {@link DistGraphComm}.
 *
 * {@snippet :
 * try (CartComm ring = world.cartCreate(new int[] {world.size()}, new boolean[] {true}, true)) {
 *   ring.neighborAlltoall(Buf.of(edges), Buf.of(halos));        // first the block of the rank below, then that above
 * }
 * }
 *
 * <p>A rank has <em>sources</em>, from which blocks come, and <em>destinations</em>, to which they go. On a grid both
 * are, dimension by dimension, the rank below and the rank above; on a graph both are its {@link GraphComm#neighbors};
 * of a distributed graph each has its own, in the order of {@link DistGraphComm#neighbors}. Where a grid ends the
 * neighbour is {@code PROC_NULL}: there is a block for it, which is neither read nor written. A rank may be a neighbour
 * several times, and its own: the first block that goes to it is then the first that it gets from there, and so on. On
 * a grid what is sent downwards is received from above, also where both neighbours are the same rank.
 *
 * <p>All ranks make the same calls in the same order, as of all collective operations; a rank waits for its neighbours
 * only. There is no form in place.
 */
public abstract sealed class TopologyComm extends IntraComm permits CartComm, GraphComm, DistGraphComm {
  private final Neighbors neighbors;

  /**
   * Creates a communicator.
   *
   * @param sources rank that each receive block comes from
   * @param destinations rank that each send block goes to
   * @param receiveOrder the receive blocks in the order in which they take the messages of one rank
   */
  TopologyComm(
      World world, Channel channel, Errhandler<? super Comm> errhandler, int[] sources, int[] destinations,
      int[] receiveOrder) {
    super(world, channel, "", errhandler);
    this.neighbors = new Neighbors(sources, destinations, receiveOrder);
  }

  /** Returns 0, 1, 2 and so on. */
  static int[] inOrder(int blocks) {
    int[] order = new int[blocks];
    for (int i = 0; i < blocks; i++) {
      order[i] = i;
    }
    return order;
  }

  // ---- neighbor_allgather

  /**
   * Sends a block to all neighbours, the same to each, gets one from each, and blocks until they are here
   * ({@code MPI_Neighbor_allgather}, MPI-4.1 §8.6.1).
   *
   * @param send what each neighbour gets; ignored and possibly null at a rank with no destinations
   * @param recv room for one block of each source, in their order: its count is the number of sources times that of a
   *     block; ignored and possibly null at a rank with no sources
   * @throws MpiException ERR_BUFFER when a buffer is missing, cannot be used, or both overlap; ERR_TYPE; ERR_COUNT when
   *     {@code recv} cannot be cut into equal blocks, or a block is not as long as what its source sends
   */
  @Standard({"MPI_Neighbor_allgather", "MPI_Neighbor_allgather_c"})
  public final void neighborAllgather(Buf<?> send, Buf<?> recv) {
    run(new NeighborCollective(neighbors, new NeighborBlocks.Same(send), new NeighborBlocks.Equal(recv)));
  }

  /**
   * Starts what {@link #neighborAllgather(Buf, Buf)} does and returns at once ({@code MPI_Ineighbor_allgather}, MPI-4.1
   * §8.7.1).
   *
   * @param send as there; not to be changed until the request is complete
   * @param recv as there; not to be touched until the request is complete
   * @return the request
   * @throws MpiException as {@link #neighborAllgather(Buf, Buf)}
   */
  @Standard({"MPI_Ineighbor_allgather", "MPI_Ineighbor_allgather_c"})
  public final Request ineighborAllgather(Buf<?> send, Buf<?> recv) {
    return start(new NeighborCollective(neighbors, new NeighborBlocks.Same(send), new NeighborBlocks.Equal(recv)));
  }

  /**
   * Makes a persistent request of what {@link #neighborAllgather(Buf, Buf)} does ({@code MPI_Neighbor_allgather_init},
   * MPI-4.1 §8.8.1). Collective; starts nothing.
   *
   * @param send as there; not to be changed while the request is active
   * @param recv as there; not to be touched while the request is active
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException as {@link #neighborAllgather(Buf, Buf)}
   */
  @Standard({"MPI_Neighbor_allgather_init", "MPI_Neighbor_allgather_init_c"})
  public final Persistent neighborAllgatherInit(Buf<?> send, Buf<?> recv) {
    return neighborAllgatherInit(send, recv, null);
  }

  /**
   * Makes a persistent request of what {@link #neighborAllgather(Buf, Buf)} does ({@code MPI_Neighbor_allgather_init},
   * MPI-4.1 §8.8.1). Collective; starts nothing.
   *
   * @param send as there; not to be changed while the request is active
   * @param recv as there; not to be touched while the request is active
   * @param info hints, none of which is known; null for none
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException as {@link #neighborAllgather(Buf, Buf)}, ERR_INFO when the info has been freed
   */
  @Standard({"MPI_Neighbor_allgather_init", "MPI_Neighbor_allgather_init_c"})
  public final Persistent neighborAllgatherInit(Buf<?> send, Buf<?> recv, Info info) {
    return init(new NeighborCollective(neighbors, new NeighborBlocks.Same(send), new NeighborBlocks.Equal(recv)), info);
  }

  // ---- neighbor_allgatherv

  /**
   * Sends a block to all neighbours, the same to each, gets from each one of its own length, and blocks until they are
   * here ({@code MPI_Neighbor_allgatherv}, MPI-4.1 §8.6.1).
   *
   * @param send what each neighbour gets; ignored and possibly null at a rank with no destinations
   * @param recv memory that all blocks to receive lie in; ignored, as the arrays, at a rank with no sources
   * @param recvCounts number of elements from each source, in their order
   * @param recvDispls element of {@code recv} that each block begins with
   * @throws MpiException ERR_BUFFER when a buffer is missing or cannot be used, a block reaches beyond its buffer, or
   *     blocks sent and received overlap; ERR_TYPE; ERR_COUNT when a count is negative, {@code recvCounts} has more or
   *     fewer entries than there are sources, or a block is not as long as what its source sends; ERR_ARG when
   *     {@code recvDispls} has more or fewer
   */
  @Standard({"MPI_Neighbor_allgatherv", "MPI_Neighbor_allgatherv_c"})
  public final void neighborAllgatherv(Buf<?> send, Buf<?> recv, long[] recvCounts, long[] recvDispls) {
    run(new NeighborCollective(
        neighbors, new NeighborBlocks.Same(send),
        new NeighborBlocks.Counted(recv, recvCounts, recvDispls)));
  }

  /**
   * Starts what {@link #neighborAllgatherv(Buf, Buf, long[], long[])} does and returns at once
   * ({@code MPI_Ineighbor_allgatherv}, MPI-4.1 §8.7.1).
   *
   * @param send as there; not to be changed until the request is complete
   * @param recv as there; not to be touched until the request is complete
   * @param recvCounts as there
   * @param recvDispls as there
   * @return the request
   * @throws MpiException as {@link #neighborAllgatherv(Buf, Buf, long[], long[])}
   */
  @Standard({"MPI_Ineighbor_allgatherv", "MPI_Ineighbor_allgatherv_c"})
  public final Request ineighborAllgatherv(Buf<?> send, Buf<?> recv, long[] recvCounts, long[] recvDispls) {
    return start(new NeighborCollective(
        neighbors, new NeighborBlocks.Same(send),
        new NeighborBlocks.Counted(recv, recvCounts, recvDispls)));
  }

  /**
   * Makes a persistent request of what {@link #neighborAllgatherv(Buf, Buf, long[], long[])} does
   * ({@code MPI_Neighbor_allgatherv_init}, MPI-4.1 §8.8.1). Collective; starts nothing.
   *
   * @param send as there; not to be changed while the request is active
   * @param recv as there; not to be touched while the request is active
   * @param recvCounts as there
   * @param recvDispls as there
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException as {@link #neighborAllgatherv(Buf, Buf, long[], long[])}
   */
  @Standard({"MPI_Neighbor_allgatherv_init", "MPI_Neighbor_allgatherv_init_c"})
  public final Persistent neighborAllgathervInit(Buf<?> send, Buf<?> recv, long[] recvCounts, long[] recvDispls) {
    return neighborAllgathervInit(send, recv, recvCounts, recvDispls, null);
  }

  /**
   * Makes a persistent request of what {@link #neighborAllgatherv(Buf, Buf, long[], long[])} does
   * ({@code MPI_Neighbor_allgatherv_init}, MPI-4.1 §8.8.1). Collective; starts nothing.
   *
   * @param send as there; not to be changed while the request is active
   * @param recv as there; not to be touched while the request is active
   * @param recvCounts as there
   * @param recvDispls as there
   * @param info hints, none of which is known; null for none
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException as {@link #neighborAllgatherv(Buf, Buf, long[], long[])}, ERR_INFO when the info has been
   *     freed
   */
  @Standard({"MPI_Neighbor_allgatherv_init", "MPI_Neighbor_allgatherv_init_c"})
  public final Persistent neighborAllgathervInit(
      Buf<?> send, Buf<?> recv, long[] recvCounts, long[] recvDispls, Info info) {
    return init(new NeighborCollective(
        neighbors, new NeighborBlocks.Same(send),
        new NeighborBlocks.Counted(recv, recvCounts, recvDispls)), info);
  }

  // ---- neighbor_alltoall

  /**
   * Sends a block to each neighbour, gets one from each, and blocks until they are here ({@code MPI_Neighbor_alltoall},
   * MPI-4.1 §8.6.2).
   *
   * @param send one block for each destination, in their order: its count is the number of destinations times that of a
   *     block; ignored and possibly null at a rank with no destinations
   * @param recv room for one block of each source, in their order; ignored and possibly null at a rank with no sources
   * @throws MpiException ERR_BUFFER when a buffer is missing, cannot be used, or both overlap; ERR_TYPE; ERR_COUNT when
   *     a buffer cannot be cut into equal blocks, or a block is not as long as what its source sends
   */
  @Standard({"MPI_Neighbor_alltoall", "MPI_Neighbor_alltoall_c"})
  public final void neighborAlltoall(Buf<?> send, Buf<?> recv) {
    run(new NeighborCollective(neighbors, new NeighborBlocks.Equal(send), new NeighborBlocks.Equal(recv)));
  }

  /**
   * Starts what {@link #neighborAlltoall(Buf, Buf)} does and returns at once ({@code MPI_Ineighbor_alltoall}, MPI-4.1
   * §8.7.2).
   *
   * @param send as there; not to be changed until the request is complete
   * @param recv as there; not to be touched until the request is complete
   * @return the request
   * @throws MpiException as {@link #neighborAlltoall(Buf, Buf)}
   */
  @Standard({"MPI_Ineighbor_alltoall", "MPI_Ineighbor_alltoall_c"})
  public final Request ineighborAlltoall(Buf<?> send, Buf<?> recv) {
    return start(new NeighborCollective(neighbors, new NeighborBlocks.Equal(send), new NeighborBlocks.Equal(recv)));
  }

  /**
   * Makes a persistent request of what {@link #neighborAlltoall(Buf, Buf)} does ({@code MPI_Neighbor_alltoall_init},
   * MPI-4.1 §8.8.2). Collective; starts nothing.
   *
   * @param send as there; not to be changed while the request is active
   * @param recv as there; not to be touched while the request is active
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException as {@link #neighborAlltoall(Buf, Buf)}
   */
  @Standard({"MPI_Neighbor_alltoall_init", "MPI_Neighbor_alltoall_init_c"})
  public final Persistent neighborAlltoallInit(Buf<?> send, Buf<?> recv) {
    return neighborAlltoallInit(send, recv, null);
  }

  /**
   * Makes a persistent request of what {@link #neighborAlltoall(Buf, Buf)} does ({@code MPI_Neighbor_alltoall_init},
   * MPI-4.1 §8.8.2). Collective; starts nothing.
   *
   * @param send as there; not to be changed while the request is active
   * @param recv as there; not to be touched while the request is active
   * @param info hints, none of which is known; null for none
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException as {@link #neighborAlltoall(Buf, Buf)}, ERR_INFO when the info has been freed
   */
  @Standard({"MPI_Neighbor_alltoall_init", "MPI_Neighbor_alltoall_init_c"})
  public final Persistent neighborAlltoallInit(Buf<?> send, Buf<?> recv, Info info) {
    return init(new NeighborCollective(
        neighbors, new NeighborBlocks.Equal(send),
        new NeighborBlocks.Equal(recv)), info);
  }

  // ---- neighbor_alltoallv

  /**
   * Sends a block to each neighbour, gets one from each, all of lengths of their own, and blocks until they are here
   * ({@code MPI_Neighbor_alltoallv}, MPI-4.1 §8.6.2).
   *
   * @param send memory that all blocks to send lie in; ignored, as its arrays, at a rank with no destinations
   * @param sendCounts number of elements to each destination, in their order
   * @param sendDispls element of {@code send} that each block begins with
   * @param recv memory that all blocks to receive lie in; ignored, as its arrays, at a rank with no sources
   * @param recvCounts number of elements from each source, in their order
   * @param recvDispls element of {@code recv} that each block begins with
   * @throws MpiException ERR_BUFFER when a buffer is missing or cannot be used, a block reaches beyond its buffer, or
   *     blocks sent and received overlap; ERR_TYPE; ERR_COUNT when a count is negative, an array of counts has more or
   *     fewer entries than there are neighbours, or a block is not as long as what its source sends; ERR_ARG when an
   *     array of displacements has more or fewer
   */
  @Standard({"MPI_Neighbor_alltoallv", "MPI_Neighbor_alltoallv_c"})
  public final void neighborAlltoallv(
      Buf<?> send, long[] sendCounts, long[] sendDispls, Buf<?> recv, long[] recvCounts, long[] recvDispls) {
    run(new NeighborCollective(
        neighbors, new NeighborBlocks.Counted(send, sendCounts, sendDispls),
        new NeighborBlocks.Counted(recv, recvCounts, recvDispls)));
  }

  /**
   * Starts what {@link #neighborAlltoallv(Buf, long[], long[], Buf, long[], long[])} does and returns at once
   * ({@code MPI_Ineighbor_alltoallv}, MPI-4.1 §8.7.2).
   *
   * @param send as there; not to be changed until the request is complete
   * @param sendCounts as there
   * @param sendDispls as there
   * @param recv as there; not to be touched until the request is complete
   * @param recvCounts as there
   * @param recvDispls as there
   * @return the request
   * @throws MpiException as {@link #neighborAlltoallv(Buf, long[], long[], Buf, long[], long[])}
   */
  @Standard({"MPI_Ineighbor_alltoallv", "MPI_Ineighbor_alltoallv_c"})
  public final Request ineighborAlltoallv(
      Buf<?> send, long[] sendCounts, long[] sendDispls, Buf<?> recv, long[] recvCounts, long[] recvDispls) {
    return start(new NeighborCollective(
        neighbors, new NeighborBlocks.Counted(send, sendCounts, sendDispls),
        new NeighborBlocks.Counted(recv, recvCounts, recvDispls)));
  }

  /**
   * Makes a persistent request of what {@link #neighborAlltoallv(Buf, long[], long[], Buf, long[], long[])} does
   * ({@code MPI_Neighbor_alltoallv_init}, MPI-4.1 §8.8.2). Collective; starts nothing.
   *
   * @param send as there; not to be changed while the request is active
   * @param sendCounts as there
   * @param sendDispls as there
   * @param recv as there; not to be touched while the request is active
   * @param recvCounts as there
   * @param recvDispls as there
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException as {@link #neighborAlltoallv(Buf, long[], long[], Buf, long[], long[])}
   */
  @Standard({"MPI_Neighbor_alltoallv_init", "MPI_Neighbor_alltoallv_init_c"})
  public final Persistent neighborAlltoallvInit(
      Buf<?> send, long[] sendCounts, long[] sendDispls, Buf<?> recv, long[] recvCounts, long[] recvDispls) {
    return neighborAlltoallvInit(send, sendCounts, sendDispls, recv, recvCounts, recvDispls, null);
  }

  /**
   * Makes a persistent request of what {@link #neighborAlltoallv(Buf, long[], long[], Buf, long[], long[])} does
   * ({@code MPI_Neighbor_alltoallv_init}, MPI-4.1 §8.8.2). Collective; starts nothing.
   *
   * @param send as there; not to be changed while the request is active
   * @param sendCounts as there
   * @param sendDispls as there
   * @param recv as there; not to be touched while the request is active
   * @param recvCounts as there
   * @param recvDispls as there
   * @param info hints, none of which is known; null for none
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException as {@link #neighborAlltoallv(Buf, long[], long[], Buf, long[], long[])}, ERR_INFO when the
   *     info has been freed
   */
  @Standard({"MPI_Neighbor_alltoallv_init", "MPI_Neighbor_alltoallv_init_c"})
  public final Persistent neighborAlltoallvInit(
      Buf<?> send, long[] sendCounts, long[] sendDispls, Buf<?> recv, long[] recvCounts, long[] recvDispls, Info info) {
    return init(new NeighborCollective(
        neighbors, new NeighborBlocks.Counted(send, sendCounts, sendDispls),
        new NeighborBlocks.Counted(recv, recvCounts, recvDispls)), info);
  }

  // ---- neighbor_alltoallw

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
  public final void neighborAlltoallw(
      Buf<?> send, long[] sendCounts, long[] sendDispls, Datatype<?>[] sendTypes, Buf<?> recv, long[] recvCounts, long[]
      recvDispls, Datatype<?>[] recvTypes) {
    run(new NeighborCollective(
        neighbors, new NeighborBlocks.Typed(send, sendCounts, sendDispls, sendTypes),
        new NeighborBlocks.Typed(recv, recvCounts, recvDispls, recvTypes)));
  }

  /**
   * Starts what {@link #neighborAlltoallw(Buf, long[], long[], Datatype[], Buf, long[], long[], Datatype[])} does and
   * returns at once ({@code MPI_Ineighbor_alltoallw}, MPI-4.1 §8.7.2).
   *
   * @param send as there; not to be changed until the request is complete
   * @param sendCounts as there
   * @param sendDispls as there
   * @param sendTypes as there
   * @param recv as there; not to be touched until the request is complete
   * @param recvCounts as there
   * @param recvDispls as there
   * @param recvTypes as there
   * @return the request
   * @throws MpiException as
   *     {@link #neighborAlltoallw(Buf, long[], long[], Datatype[], Buf, long[], long[], Datatype[])}
   */
  @Standard({"MPI_Ineighbor_alltoallw", "MPI_Ineighbor_alltoallw_c"})
  public final Request ineighborAlltoallw(
      Buf<?> send, long[] sendCounts, long[] sendDispls, Datatype<?>[] sendTypes, Buf<?> recv, long[] recvCounts, long[]
      recvDispls, Datatype<?>[] recvTypes) {
    return start(new NeighborCollective(
        neighbors, new NeighborBlocks.Typed(send, sendCounts, sendDispls, sendTypes),
        new NeighborBlocks.Typed(recv, recvCounts, recvDispls, recvTypes)));
  }

  /**
   * Makes a persistent request of what
   * {@link #neighborAlltoallw(Buf, long[], long[], Datatype[], Buf, long[], long[], Datatype[])} does
   * ({@code MPI_Neighbor_alltoallw_init}, MPI-4.1 §8.8.2). Collective; starts nothing.
   *
   * @param send as there; not to be changed while the request is active
   * @param sendCounts as there
   * @param sendDispls as there
   * @param sendTypes as there
   * @param recv as there; not to be touched while the request is active
   * @param recvCounts as there
   * @param recvDispls as there
   * @param recvTypes as there
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException as
   *     {@link #neighborAlltoallw(Buf, long[], long[], Datatype[], Buf, long[], long[], Datatype[])}
   */
  @Standard({"MPI_Neighbor_alltoallw_init", "MPI_Neighbor_alltoallw_init_c"})
  public final Persistent neighborAlltoallwInit(
      Buf<?> send, long[] sendCounts, long[] sendDispls, Datatype<?>[] sendTypes, Buf<?> recv, long[] recvCounts, long[]
      recvDispls, Datatype<?>[] recvTypes) {
    return neighborAlltoallwInit(
        send, sendCounts, sendDispls, sendTypes, recv, recvCounts, recvDispls, recvTypes, null);
  }

  /**
   * Makes a persistent request of what
   * {@link #neighborAlltoallw(Buf, long[], long[], Datatype[], Buf, long[], long[], Datatype[])} does
   * ({@code MPI_Neighbor_alltoallw_init}, MPI-4.1 §8.8.2). Collective; starts nothing.
   *
   * @param send as there; not to be changed while the request is active
   * @param sendCounts as there
   * @param sendDispls as there
   * @param sendTypes as there
   * @param recv as there; not to be touched while the request is active
   * @param recvCounts as there
   * @param recvDispls as there
   * @param recvTypes as there
   * @param info hints, none of which is known; null for none
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException as
   *     {@link #neighborAlltoallw(Buf, long[], long[], Datatype[], Buf, long[], long[], Datatype[])}, ERR_INFO when the
   *     info has been freed
   */
  @Standard({"MPI_Neighbor_alltoallw_init", "MPI_Neighbor_alltoallw_init_c"})
  public final Persistent neighborAlltoallwInit(
      Buf<?> send, long[] sendCounts, long[] sendDispls, Datatype<?>[] sendTypes, Buf<?> recv, long[] recvCounts, long[]
      recvDispls, Datatype<?>[] recvTypes, Info info) {
    return init(new NeighborCollective(
        neighbors, new NeighborBlocks.Typed(send, sendCounts, sendDispls, sendTypes),
        new NeighborBlocks.Typed(recv, recvCounts, recvDispls, recvTypes)), info);
  }

  // ---- neighbor_alltoallw, each block a buffer

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
  public final void neighborAlltoallw(Buf<?>[] send, Buf<?>[] recv) {
    run(new NeighborCollective(neighbors, new NeighborBlocks.Given(send), new NeighborBlocks.Given(recv)));
  }

  /**
   * Starts what {@link #neighborAlltoallw(Buf[], Buf[])} does and returns at once ({@code MPI_Ineighbor_alltoallw},
   * MPI-4.1 §8.7.2).
   *
   * @param send as there; not to be changed until the request is complete
   * @param recv as there; not to be touched until the request is complete
   * @return the request
   * @throws MpiException as {@link #neighborAlltoallw(Buf[], Buf[])}
   */
  @Standard({"MPI_Ineighbor_alltoallw", "MPI_Ineighbor_alltoallw_c"})
  public final Request ineighborAlltoallw(Buf<?>[] send, Buf<?>[] recv) {
    return start(new NeighborCollective(neighbors, new NeighborBlocks.Given(send), new NeighborBlocks.Given(recv)));
  }

  /**
   * Makes a persistent request of what {@link #neighborAlltoallw(Buf[], Buf[])} does
   * ({@code MPI_Neighbor_alltoallw_init}, MPI-4.1 §8.8.2). Collective; starts nothing.
   *
   * @param send as there; not to be changed while the request is active
   * @param recv as there; not to be touched while the request is active
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException as {@link #neighborAlltoallw(Buf[], Buf[])}
   */
  @Standard({"MPI_Neighbor_alltoallw_init", "MPI_Neighbor_alltoallw_init_c"})
  public final Persistent neighborAlltoallwInit(Buf<?>[] send, Buf<?>[] recv) {
    return neighborAlltoallwInit(send, recv, null);
  }

  /**
   * Makes a persistent request of what {@link #neighborAlltoallw(Buf[], Buf[])} does
   * ({@code MPI_Neighbor_alltoallw_init}, MPI-4.1 §8.8.2). Collective; starts nothing.
   *
   * @param send as there; not to be changed while the request is active
   * @param recv as there; not to be touched while the request is active
   * @param info hints, none of which is known; null for none
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException as {@link #neighborAlltoallw(Buf[], Buf[])}, ERR_INFO when the info has been freed
   */
  @Standard({"MPI_Neighbor_alltoallw_init", "MPI_Neighbor_alltoallw_init_c"})
  public final Persistent neighborAlltoallwInit(Buf<?>[] send, Buf<?>[] recv, Info info) {
    return init(new NeighborCollective(
        neighbors, new NeighborBlocks.Given(send),
        new NeighborBlocks.Given(recv)), info);
  }
}
