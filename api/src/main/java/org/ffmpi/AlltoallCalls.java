// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.BlocksCollective.Layout;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.spi.Channel;

/** The collective calls of {@link Comm} in which each rank has something else for each. */
abstract sealed class AlltoallCalls extends AllgatherCalls permits AlltoallwCalls {
  AlltoallCalls(World world, Channel channel, Errhandler<? super Comm> errhandler) {
    super(world, channel, errhandler);
  }

  // ---- all to all

  /**
   * Sends each rank a block and receives one from each, both in rank order, and blocks until they are here
   * ({@code MPI_Alltoall}, MPI-4.1 §6.8). Between groups, blocks go to and come from the other group, and those of the
   * two directions may differ in length.
   *
   * @param send one block for each rank, or {@link Buf#inPlace} at all ranks when they lie in {@code recv}
   * @param recv room for one block of each rank
   * @throws MpiException ERR_BUFFER, ERR_TYPE; ERR_COUNT when a buffer cannot be cut into equal blocks or the two
   *     differ in length
   */
  @Standard({"MPI_Alltoall", "MPI_Alltoall_c"})
  public void alltoall(Buf<?> send, Buf<?> recv) {
    run(new ExchangeCollective.Alltoall(send, recv));
  }

  /**
   * Starts an exchange of all with all and returns at once ({@code MPI_Ialltoall}, MPI-4.1 §6.12.6).
   *
   * @param send as {@link #alltoall(Buf, Buf)}; not to be changed until the request is complete
   * @param recv as {@link #alltoall(Buf, Buf)}; not to be touched until the request is complete
   * @return the request
   * @throws MpiException as {@link #alltoall(Buf, Buf)}
   */
  @Standard({"MPI_Ialltoall", "MPI_Ialltoall_c"})
  public Request ialltoall(Buf<?> send, Buf<?> recv) {
    return start(new ExchangeCollective.Alltoall(send, recv));
  }

  /**
   * Makes a persistent request of an exchange of all with all ({@code MPI_Alltoall_init}, MPI-4.1 §6.13.6). Collective;
   * starts nothing.
   *
   * @param send as {@link #alltoall(Buf, Buf)}; not to be changed while the request is active
   * @param recv as {@link #alltoall(Buf, Buf)}; not to be touched while the request is active
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException as {@link #alltoall(Buf, Buf)}
   */
  @Standard({"MPI_Alltoall_init", "MPI_Alltoall_init_c"})
  public Persistent alltoallInit(Buf<?> send, Buf<?> recv) {
    return init(new ExchangeCollective.Alltoall(send, recv), null);
  }

  /**
   * Makes a persistent request of an exchange of all with all, with hints ({@code MPI_Alltoall_init}, MPI-4.1 §6.13.6).
   * Collective; starts nothing.
   *
   * @param send as {@link #alltoall(Buf, Buf)}; not to be changed while the request is active
   * @param recv as {@link #alltoall(Buf, Buf)}; not to be touched while the request is active
   * @param info hints, the same at all ranks; those that are not known are ignored; null for none
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException ERR_INFO when the info has been freed; otherwise as {@link #alltoall(Buf, Buf)}
   */
  @Standard({"MPI_Alltoall_init", "MPI_Alltoall_init_c"})
  public Persistent alltoallInit(Buf<?> send, Buf<?> recv, Info info) {
    return init(new ExchangeCollective.Alltoall(send, recv), info);
  }

  /**
   * Exchanges blocks with all ranks, each being replaced by the one that the other rank has for this one
   * ({@code MPI_Alltoall} with {@code MPI_IN_PLACE}, MPI-4.1 §6.8). Within one group only.
   *
   * @param buf one block for each rank
   * @throws MpiException as {@link #alltoall(Buf, Buf)}
   */
  @Standard({"MPI_Alltoall", "MPI_Alltoall_c"})
  public void alltoall(Buf<?> buf) {
    run(new ExchangeCollective.Alltoall(Buf.inPlace(), buf));
  }

  /**
   * Starts an exchange of all with all in place and returns at once ({@code MPI_Ialltoall} with {@code MPI_IN_PLACE},
   * MPI-4.1 §6.12.6).
   *
   * @param buf as {@link #alltoall(Buf)}; not to be touched until the request is complete
   * @return the request
   * @throws MpiException as {@link #alltoall(Buf, Buf)}
   */
  @Standard({"MPI_Ialltoall", "MPI_Ialltoall_c"})
  public Request ialltoall(Buf<?> buf) {
    return start(new ExchangeCollective.Alltoall(Buf.inPlace(), buf));
  }

  /**
   * Makes a persistent request of an exchange of all with all in place ({@code MPI_Alltoall_init} with
   * {@code MPI_IN_PLACE}, MPI-4.1 §6.13.6). Collective; starts nothing.
   *
   * @param buf as {@link #alltoall(Buf)}; not to be touched while the request is active
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException as {@link #alltoall(Buf, Buf)}
   */
  @Standard({"MPI_Alltoall_init", "MPI_Alltoall_init_c"})
  public Persistent alltoallInit(Buf<?> buf) {
    return init(new ExchangeCollective.Alltoall(Buf.inPlace(), buf), null);
  }

  /**
   * Makes a persistent request of an exchange of all with all in place, with hints ({@code MPI_Alltoall_init} with
   * {@code MPI_IN_PLACE}, MPI-4.1 §6.13.6). Collective; starts nothing.
   *
   * @param buf as {@link #alltoall(Buf)}; not to be touched while the request is active
   * @param info hints, the same at all ranks; those that are not known are ignored; null for none
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException ERR_INFO when the info has been freed; otherwise as {@link #alltoall(Buf, Buf)}
   */
  @Standard({"MPI_Alltoall_init", "MPI_Alltoall_init_c"})
  public Persistent alltoallInit(Buf<?> buf, Info info) {
    return init(new ExchangeCollective.Alltoall(Buf.inPlace(), buf), info);
  }

  // ---- all to all, with blocks of different lengths

  /**
   * Sends each rank a block and receives one from each, of lengths that may differ, and blocks until they are here
   * ({@code MPI_Alltoallv}, MPI-4.1 §6.8). A block is received with as much data as it has been sent with.
   *
   * @param send the elements in which the blocks to send lie, or {@link Buf#inPlace} at all ranks when they lie in
   *     {@code recv}: its arrays are ignored then
   * @param sendCounts number of elements of the block for each rank
   * @param sendDispls where the block for each rank begins, in elements of {@code send}'s type from its beginning
   * @param recv the elements in which the blocks to receive lie
   * @param recvCounts number of elements of the block from each rank
   * @param recvDispls where the block from each rank begins, in elements of {@code recv}'s type from its beginning
   * @throws MpiException ERR_BUFFER, ERR_TYPE; ERR_COUNT when a count is negative, an array of counts has another
   *     length than there are ranks, or this rank's own block is sent with another length than it is received; ERR_ARG
   *     when an array of displacements has another length
   */
  @Standard({"MPI_Alltoallv", "MPI_Alltoallv_c"})
  public void alltoallv(
      Buf<?> send, long[] sendCounts, long[] sendDispls, Buf<?> recv, long[] recvCounts, long[] recvDispls) {
    run(new BlocksCollective.Alltoallv(
        Layout.of(send, sendCounts, sendDispls), Layout.of(recv, recvCounts, recvDispls)));
  }

  /**
   * Starts an exchange of all with all of blocks of different lengths and returns at once ({@code MPI_Ialltoallv},
   * MPI-4.1 §6.12.6).
   *
   * @param send as {@link #alltoallv(Buf, long[], long[], Buf, long[], long[])}; not to be changed until the request is
   *     complete
   * @param sendCounts as {@link #alltoallv(Buf, long[], long[], Buf, long[], long[])}; may be changed afterwards
   * @param sendDispls as {@link #alltoallv(Buf, long[], long[], Buf, long[], long[])}; may be changed afterwards
   * @param recv as {@link #alltoallv(Buf, long[], long[], Buf, long[], long[])}; not to be touched until the request is
   *     complete
   * @param recvCounts as {@link #alltoallv(Buf, long[], long[], Buf, long[], long[])}; may be changed afterwards
   * @param recvDispls as {@link #alltoallv(Buf, long[], long[], Buf, long[], long[])}; may be changed afterwards
   * @return the request
   * @throws MpiException as {@link #alltoallv(Buf, long[], long[], Buf, long[], long[])}
   */
  @Standard({"MPI_Ialltoallv", "MPI_Ialltoallv_c"})
  public Request ialltoallv(
      Buf<?> send, long[] sendCounts, long[] sendDispls, Buf<?> recv, long[] recvCounts, long[] recvDispls) {
    return start(new BlocksCollective.Alltoallv(
        Layout.of(send, sendCounts, sendDispls), Layout.of(recv, recvCounts, recvDispls)));
  }

  /**
   * Makes a persistent request of an exchange of all with all of blocks of different lengths
   * ({@code MPI_Alltoallv_init}, MPI-4.1 §6.13.6). Collective; starts nothing.
   *
   * @param send as {@link #alltoallv(Buf, long[], long[], Buf, long[], long[])}; not to be changed while the request is
   *     active
   * @param sendCounts as {@link #alltoallv(Buf, long[], long[], Buf, long[], long[])}; may be changed afterwards
   * @param sendDispls as {@link #alltoallv(Buf, long[], long[], Buf, long[], long[])}; may be changed afterwards
   * @param recv as {@link #alltoallv(Buf, long[], long[], Buf, long[], long[])}; not to be touched while the request is
   *     active
   * @param recvCounts as {@link #alltoallv(Buf, long[], long[], Buf, long[], long[])}; may be changed afterwards
   * @param recvDispls as {@link #alltoallv(Buf, long[], long[], Buf, long[], long[])}; may be changed afterwards
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException as {@link #alltoallv(Buf, long[], long[], Buf, long[], long[])}
   */
  @Standard({"MPI_Alltoallv_init", "MPI_Alltoallv_init_c"})
  public Persistent alltoallvInit(
      Buf<?> send, long[] sendCounts, long[] sendDispls, Buf<?> recv, long[] recvCounts, long[] recvDispls) {
    return init(
        new BlocksCollective.Alltoallv(
            Layout.of(send, sendCounts, sendDispls), Layout.of(recv, recvCounts, recvDispls)), null);
  }

  /**
   * Makes a persistent request of an exchange of all with all of blocks of different lengths, with hints
   * ({@code MPI_Alltoallv_init}, MPI-4.1 §6.13.6). Collective; starts nothing.
   *
   * @param send as {@link #alltoallv(Buf, long[], long[], Buf, long[], long[])}; not to be changed while the request is
   *     active
   * @param sendCounts as {@link #alltoallv(Buf, long[], long[], Buf, long[], long[])}; may be changed afterwards
   * @param sendDispls as {@link #alltoallv(Buf, long[], long[], Buf, long[], long[])}; may be changed afterwards
   * @param recv as {@link #alltoallv(Buf, long[], long[], Buf, long[], long[])}; not to be touched while the request is
   *     active
   * @param recvCounts as {@link #alltoallv(Buf, long[], long[], Buf, long[], long[])}; may be changed afterwards
   * @param recvDispls as {@link #alltoallv(Buf, long[], long[], Buf, long[], long[])}; may be changed afterwards
   * @param info hints, the same at all ranks; those that are not known are ignored; null for none
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException ERR_INFO when the info has been freed; otherwise as
   *     {@link #alltoallv(Buf, long[], long[], Buf, long[], long[])}
   */
  @Standard({"MPI_Alltoallv_init", "MPI_Alltoallv_init_c"})
  public Persistent alltoallvInit(
      Buf<?> send, long[] sendCounts, long[] sendDispls, Buf<?> recv, long[] recvCounts, long[] recvDispls, Info info) {
    return init(
        new BlocksCollective.Alltoallv(
            Layout.of(send, sendCounts, sendDispls), Layout.of(recv, recvCounts, recvDispls)), info);
  }

  /**
   * Exchanges blocks of lengths that may differ with all ranks, each being replaced by the one that the other rank has
   * for this one ({@code MPI_Alltoallv} with {@code MPI_IN_PLACE}, MPI-4.1 §6.8). Within one group only; two ranks have
   * blocks of the same length for each other.
   *
   * @param buf the elements in which the blocks lie
   * @param counts number of elements of each rank's block
   * @param displs where each rank's block begins, in elements of {@code buf}'s type from its beginning
   * @throws MpiException as {@link #alltoallv(Buf, long[], long[], Buf, long[], long[])}
   */
  @Standard({"MPI_Alltoallv", "MPI_Alltoallv_c"})
  public void alltoallv(Buf<?> buf, long[] counts, long[] displs) {
    run(BlocksCollective.Alltoallv.inPlace(Layout.of(buf, counts, displs)));
  }

  /**
   * Starts an exchange of all with all of blocks of different lengths in place and returns at once
   * ({@code MPI_Ialltoallv} with {@code MPI_IN_PLACE}, MPI-4.1 §6.12.6).
   *
   * @param buf as {@link #alltoallv(Buf, long[], long[])}; not to be touched until the request is complete
   * @param counts as {@link #alltoallv(Buf, long[], long[])}; may be changed afterwards
   * @param displs as {@link #alltoallv(Buf, long[], long[])}; may be changed afterwards
   * @return the request
   * @throws MpiException as {@link #alltoallv(Buf, long[], long[], Buf, long[], long[])}
   */
  @Standard({"MPI_Ialltoallv", "MPI_Ialltoallv_c"})
  public Request ialltoallv(Buf<?> buf, long[] counts, long[] displs) {
    return start(BlocksCollective.Alltoallv.inPlace(Layout.of(buf, counts, displs)));
  }

  /**
   * Makes a persistent request of an exchange of all with all of blocks of different lengths in place
   * ({@code MPI_Alltoallv_init} with {@code MPI_IN_PLACE}, MPI-4.1 §6.13.6). Collective; starts nothing.
   *
   * @param buf as {@link #alltoallv(Buf, long[], long[])}; not to be touched while the request is active
   * @param counts as {@link #alltoallv(Buf, long[], long[])}; may be changed afterwards
   * @param displs as {@link #alltoallv(Buf, long[], long[])}; may be changed afterwards
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException as {@link #alltoallv(Buf, long[], long[], Buf, long[], long[])}
   */
  @Standard({"MPI_Alltoallv_init", "MPI_Alltoallv_init_c"})
  public Persistent alltoallvInit(Buf<?> buf, long[] counts, long[] displs) {
    return init(BlocksCollective.Alltoallv.inPlace(Layout.of(buf, counts, displs)), null);
  }

  /**
   * Makes a persistent request of an exchange of all with all of blocks of different lengths in place, with hints
   * ({@code MPI_Alltoallv_init} with {@code MPI_IN_PLACE}, MPI-4.1 §6.13.6). Collective; starts nothing.
   *
   * @param buf as {@link #alltoallv(Buf, long[], long[])}; not to be touched while the request is active
   * @param counts as {@link #alltoallv(Buf, long[], long[])}; may be changed afterwards
   * @param displs as {@link #alltoallv(Buf, long[], long[])}; may be changed afterwards
   * @param info hints, the same at all ranks; those that are not known are ignored; null for none
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException ERR_INFO when the info has been freed; otherwise as
   *     {@link #alltoallv(Buf, long[], long[], Buf, long[], long[])}
   */
  @Standard({"MPI_Alltoallv_init", "MPI_Alltoallv_init_c"})
  public Persistent alltoallvInit(Buf<?> buf, long[] counts, long[] displs, Info info) {
    return init(BlocksCollective.Alltoallv.inPlace(Layout.of(buf, counts, displs)), info);
  }
}
