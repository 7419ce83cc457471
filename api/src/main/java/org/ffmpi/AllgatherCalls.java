// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.BlocksCollective.Layout;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.spi.Channel;

/** The collective calls of {@link Comm} that collect data at all ranks. */
abstract sealed class AllgatherCalls extends ScatterCalls permits AlltoallCalls {
  AllgatherCalls(World world, Channel channel, Errhandler<? super Comm> errhandler) {
    super(world, channel, errhandler);
  }

  // ---- gather to all

  /**
   * Collects every rank's elements at all ranks, in rank order, and blocks until they are here ({@code MPI_Allgather},
   * MPI-4.1 §6.7). Between groups, blocks come from the ranks of the other group.
   *
   * @param send this rank's block, or {@link Buf#inPlace} at all ranks when each block already lies where it belongs
   * @param recv room for one block of each rank: its count is {@link Comm#size} times a block's
   * @throws MpiException ERR_BUFFER, ERR_TYPE; ERR_COUNT when {@code recv} cannot be cut into equal blocks as long as
   *     {@code send}
   */
  @Standard({"MPI_Allgather", "MPI_Allgather_c"})
  public void allgather(Buf<?> send, Buf<?> recv) {
    run(new ExchangeCollective.Allgather(send, recv));
  }

  /**
   * Starts a gather to all ranks and returns at once ({@code MPI_Iallgather}, MPI-4.1 §6.12.5).
   *
   * @param send as {@link #allgather(Buf, Buf)}; not to be changed until the request is complete
   * @param recv as {@link #allgather(Buf, Buf)}; not to be touched until the request is complete
   * @return the request
   * @throws MpiException as {@link #allgather(Buf, Buf)}
   */
  @Standard({"MPI_Iallgather", "MPI_Iallgather_c"})
  public Request iallgather(Buf<?> send, Buf<?> recv) {
    return start(new ExchangeCollective.Allgather(send, recv));
  }

  /**
   * Makes a persistent request of a gather to all ranks ({@code MPI_Allgather_init}, MPI-4.1 §6.13.5). Collective;
   * starts nothing.
   *
   * @param send as {@link #allgather(Buf, Buf)}; not to be changed while the request is active
   * @param recv as {@link #allgather(Buf, Buf)}; not to be touched while the request is active
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException as {@link #allgather(Buf, Buf)}
   */
  @Standard({"MPI_Allgather_init", "MPI_Allgather_init_c"})
  public Persistent allgatherInit(Buf<?> send, Buf<?> recv) {
    return init(new ExchangeCollective.Allgather(send, recv), null);
  }

  /**
   * Makes a persistent request of a gather to all ranks, with hints ({@code MPI_Allgather_init}, MPI-4.1 §6.13.5).
   * Collective; starts nothing.
   *
   * @param send as {@link #allgather(Buf, Buf)}; not to be changed while the request is active
   * @param recv as {@link #allgather(Buf, Buf)}; not to be touched while the request is active
   * @param info hints, the same at all ranks; those that are not known are ignored; null for none
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException ERR_INFO when the info has been freed; otherwise as {@link #allgather(Buf, Buf)}
   */
  @Standard({"MPI_Allgather_init", "MPI_Allgather_init_c"})
  public Persistent allgatherInit(Buf<?> send, Buf<?> recv, Info info) {
    return init(new ExchangeCollective.Allgather(send, recv), info);
  }

  /**
   * Collects every rank's elements at all ranks, where each rank's own block already lies where it belongs
   * ({@code MPI_Allgather} with {@code MPI_IN_PLACE}, MPI-4.1 §6.7). Within one group only.
   *
   * @param buf one block of each rank
   * @throws MpiException as {@link #allgather(Buf, Buf)}
   */
  @Standard({"MPI_Allgather", "MPI_Allgather_c"})
  public void allgather(Buf<?> buf) {
    run(new ExchangeCollective.Allgather(Buf.inPlace(), buf));
  }

  /**
   * Starts a gather to all ranks in place and returns at once ({@code MPI_Iallgather} with {@code MPI_IN_PLACE},
   * MPI-4.1 §6.12.5).
   *
   * @param buf as {@link #allgather(Buf)}; not to be touched until the request is complete
   * @return the request
   * @throws MpiException as {@link #allgather(Buf, Buf)}
   */
  @Standard({"MPI_Iallgather", "MPI_Iallgather_c"})
  public Request iallgather(Buf<?> buf) {
    return start(new ExchangeCollective.Allgather(Buf.inPlace(), buf));
  }

  /**
   * Makes a persistent request of a gather to all ranks in place ({@code MPI_Allgather_init} with {@code MPI_IN_PLACE},
   * MPI-4.1 §6.13.5). Collective; starts nothing.
   *
   * @param buf as {@link #allgather(Buf)}; not to be touched while the request is active
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException as {@link #allgather(Buf, Buf)}
   */
  @Standard({"MPI_Allgather_init", "MPI_Allgather_init_c"})
  public Persistent allgatherInit(Buf<?> buf) {
    return init(new ExchangeCollective.Allgather(Buf.inPlace(), buf), null);
  }

  /**
   * Makes a persistent request of a gather to all ranks in place, with hints ({@code MPI_Allgather_init} with
   * {@code MPI_IN_PLACE}, MPI-4.1 §6.13.5). Collective; starts nothing.
   *
   * @param buf as {@link #allgather(Buf)}; not to be touched while the request is active
   * @param info hints, the same at all ranks; those that are not known are ignored; null for none
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException ERR_INFO when the info has been freed; otherwise as {@link #allgather(Buf, Buf)}
   */
  @Standard({"MPI_Allgather_init", "MPI_Allgather_init_c"})
  public Persistent allgatherInit(Buf<?> buf, Info info) {
    return init(new ExchangeCollective.Allgather(Buf.inPlace(), buf), info);
  }

  // ---- gather to all of blocks of different lengths

  /**
   * Collects every rank's elements at all ranks, as many of each as the counts say, and blocks until they are here
   * ({@code MPI_Allgatherv}, MPI-4.1 §6.7). Between groups, blocks come from the ranks of the other group.
   *
   * @param send this rank's block, or {@link Buf#inPlace} at all ranks when each block already lies where it belongs
   * @param recv the elements in which all blocks lie
   * @param recvCounts number of elements of each rank's block
   * @param recvDispls where each rank's block begins, in elements of {@code recv}'s type from its beginning
   * @throws MpiException ERR_BUFFER, ERR_TYPE; ERR_COUNT when a count is negative or not that of this rank's own block,
   *     or the array has another length than there are ranks; ERR_ARG when that of the displacements has
   */
  @Standard({"MPI_Allgatherv", "MPI_Allgatherv_c"})
  public void allgatherv(Buf<?> send, Buf<?> recv, long[] recvCounts, long[] recvDispls) {
    run(new BlocksCollective.Allgatherv(send, Layout.of(recv, recvCounts, recvDispls)));
  }

  /**
   * Starts a gather to all ranks of blocks of different lengths and returns at once ({@code MPI_Iallgatherv}, MPI-4.1
   * §6.12.5).
   *
   * @param send as {@link #allgatherv(Buf, Buf, long[], long[])}; not to be changed until the request is complete
   * @param recv as {@link #allgatherv(Buf, Buf, long[], long[])}; not to be touched until the request is complete
   * @param recvCounts as {@link #allgatherv(Buf, Buf, long[], long[])}; may be changed afterwards
   * @param recvDispls as {@link #allgatherv(Buf, Buf, long[], long[])}; may be changed afterwards
   * @return the request
   * @throws MpiException as {@link #allgatherv(Buf, Buf, long[], long[])}
   */
  @Standard({"MPI_Iallgatherv", "MPI_Iallgatherv_c"})
  public Request iallgatherv(Buf<?> send, Buf<?> recv, long[] recvCounts, long[] recvDispls) {
    return start(new BlocksCollective.Allgatherv(send, Layout.of(recv, recvCounts, recvDispls)));
  }

  /**
   * Makes a persistent request of a gather to all ranks of blocks of different lengths ({@code MPI_Allgatherv_init},
   * MPI-4.1 §6.13.5). Collective; starts nothing.
   *
   * @param send as {@link #allgatherv(Buf, Buf, long[], long[])}; not to be changed while the request is active
   * @param recv as {@link #allgatherv(Buf, Buf, long[], long[])}; not to be touched while the request is active
   * @param recvCounts as {@link #allgatherv(Buf, Buf, long[], long[])}; may be changed afterwards
   * @param recvDispls as {@link #allgatherv(Buf, Buf, long[], long[])}; may be changed afterwards
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException as {@link #allgatherv(Buf, Buf, long[], long[])}
   */
  @Standard({"MPI_Allgatherv_init", "MPI_Allgatherv_init_c"})
  public Persistent allgathervInit(Buf<?> send, Buf<?> recv, long[] recvCounts, long[] recvDispls) {
    return init(new BlocksCollective.Allgatherv(send, Layout.of(recv, recvCounts, recvDispls)), null);
  }

  /**
   * Makes a persistent request of a gather to all ranks of blocks of different lengths, with hints
   * ({@code MPI_Allgatherv_init}, MPI-4.1 §6.13.5). Collective; starts nothing.
   *
   * @param send as {@link #allgatherv(Buf, Buf, long[], long[])}; not to be changed while the request is active
   * @param recv as {@link #allgatherv(Buf, Buf, long[], long[])}; not to be touched while the request is active
   * @param recvCounts as {@link #allgatherv(Buf, Buf, long[], long[])}; may be changed afterwards
   * @param recvDispls as {@link #allgatherv(Buf, Buf, long[], long[])}; may be changed afterwards
   * @param info hints, the same at all ranks; those that are not known are ignored; null for none
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException ERR_INFO when the info has been freed; otherwise as
   *     {@link #allgatherv(Buf, Buf, long[], long[])}
   */
  @Standard({"MPI_Allgatherv_init", "MPI_Allgatherv_init_c"})
  public Persistent allgathervInit(Buf<?> send, Buf<?> recv, long[] recvCounts, long[] recvDispls, Info info) {
    return init(new BlocksCollective.Allgatherv(send, Layout.of(recv, recvCounts, recvDispls)), info);
  }

  /**
   * Collects every rank's elements at all ranks, where each rank's own block already lies where it belongs
   * ({@code MPI_Allgatherv} with {@code MPI_IN_PLACE}, MPI-4.1 §6.7). Within one group only.
   *
   * @param buf the elements in which all blocks lie
   * @param counts number of elements of each rank's block
   * @param displs where each rank's block begins, in elements of {@code buf}'s type from its beginning
   * @throws MpiException as {@link #allgatherv(Buf, Buf, long[], long[])}
   */
  @Standard({"MPI_Allgatherv", "MPI_Allgatherv_c"})
  public void allgatherv(Buf<?> buf, long[] counts, long[] displs) {
    run(new BlocksCollective.Allgatherv(Buf.inPlace(), Layout.of(buf, counts, displs)));
  }

  /**
   * Starts a gather to all ranks of blocks of different lengths in place and returns at once ({@code MPI_Iallgatherv}
   * with {@code MPI_IN_PLACE}, MPI-4.1 §6.12.5).
   *
   * @param buf as {@link #allgatherv(Buf, long[], long[])}; not to be touched until the request is complete
   * @param counts as {@link #allgatherv(Buf, long[], long[])}; may be changed afterwards
   * @param displs as {@link #allgatherv(Buf, long[], long[])}; may be changed afterwards
   * @return the request
   * @throws MpiException as {@link #allgatherv(Buf, Buf, long[], long[])}
   */
  @Standard({"MPI_Iallgatherv", "MPI_Iallgatherv_c"})
  public Request iallgatherv(Buf<?> buf, long[] counts, long[] displs) {
    return start(new BlocksCollective.Allgatherv(Buf.inPlace(), Layout.of(buf, counts, displs)));
  }

  /**
   * Makes a persistent request of a gather to all ranks of blocks of different lengths in place
   * ({@code MPI_Allgatherv_init} with {@code MPI_IN_PLACE}, MPI-4.1 §6.13.5). Collective; starts nothing.
   *
   * @param buf as {@link #allgatherv(Buf, long[], long[])}; not to be touched while the request is active
   * @param counts as {@link #allgatherv(Buf, long[], long[])}; may be changed afterwards
   * @param displs as {@link #allgatherv(Buf, long[], long[])}; may be changed afterwards
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException as {@link #allgatherv(Buf, Buf, long[], long[])}
   */
  @Standard({"MPI_Allgatherv_init", "MPI_Allgatherv_init_c"})
  public Persistent allgathervInit(Buf<?> buf, long[] counts, long[] displs) {
    return init(new BlocksCollective.Allgatherv(Buf.inPlace(), Layout.of(buf, counts, displs)), null);
  }

  /**
   * Makes a persistent request of a gather to all ranks of blocks of different lengths in place, with hints
   * ({@code MPI_Allgatherv_init} with {@code MPI_IN_PLACE}, MPI-4.1 §6.13.5). Collective; starts nothing.
   *
   * @param buf as {@link #allgatherv(Buf, long[], long[])}; not to be touched while the request is active
   * @param counts as {@link #allgatherv(Buf, long[], long[])}; may be changed afterwards
   * @param displs as {@link #allgatherv(Buf, long[], long[])}; may be changed afterwards
   * @param info hints, the same at all ranks; those that are not known are ignored; null for none
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException ERR_INFO when the info has been freed; otherwise as
   *     {@link #allgatherv(Buf, Buf, long[], long[])}
   */
  @Standard({"MPI_Allgatherv_init", "MPI_Allgatherv_init_c"})
  public Persistent allgathervInit(Buf<?> buf, long[] counts, long[] displs, Info info) {
    return init(new BlocksCollective.Allgatherv(Buf.inPlace(), Layout.of(buf, counts, displs)), info);
  }
}
