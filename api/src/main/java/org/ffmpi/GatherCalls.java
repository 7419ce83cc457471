// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.BlocksCollective.Layout;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.spi.Channel;

/** The collective calls of {@link Comm} that collect data at one rank. */
abstract sealed class GatherCalls extends CollectiveRuns permits ScatterCalls {
  GatherCalls(World world, Channel channel, Errhandler<? super Comm> errhandler) {
    super(world, channel, errhandler);
  }

  // ---- gather

  /**
   * Collects every rank's elements at the root, in rank order, and blocks until this rank's part is done
   * ({@code MPI_Gather}, MPI-4.1 §6.5).
   *
   * @param send this rank's block; at the root {@link Buf#inPlace} when it already lies where it belongs
   * @param recv at the root, room for one block of each rank: its count is {@link Comm#size} times a block's; elsewhere
   *     ignored and possibly null
   * @param root rank that collects, the same everywhere; between groups as {@link InterComm} says
   * @throws MpiException ERR_ROOT, ERR_BUFFER, ERR_TYPE; ERR_COUNT when {@code recv} cannot be cut into equal blocks as
   *     long as the root's own
   */
  @Standard({"MPI_Gather", "MPI_Gather_c"})
  public void gather(Buf<?> send, Buf<?> recv, int root) {
    run(new RootedCollective.Gather(send, recv, root));
  }

  /**
   * Starts a gather and returns at once ({@code MPI_Igather}, MPI-4.1 §6.12.3).
   *
   * @param send as {@link #gather(Buf, Buf, int)}; not to be changed until the request is complete
   * @param recv as {@link #gather(Buf, Buf, int)}; not to be touched until the request is complete
   * @param root rank that collects, the same everywhere; between groups as {@link InterComm} says
   * @return the request
   * @throws MpiException as {@link #gather(Buf, Buf, int)}
   */
  @Standard({"MPI_Igather", "MPI_Igather_c"})
  public Request igather(Buf<?> send, Buf<?> recv, int root) {
    return start(new RootedCollective.Gather(send, recv, root));
  }

  /**
   * Makes a persistent request of a gather ({@code MPI_Gather_init}, MPI-4.1 §6.13.3). Collective; starts nothing.
   *
   * @param send as {@link #gather(Buf, Buf, int)}; not to be changed while the request is active
   * @param recv as {@link #gather(Buf, Buf, int)}; not to be touched while the request is active
   * @param root rank that collects, the same everywhere; between groups as {@link InterComm} says
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException as {@link #gather(Buf, Buf, int)}
   */
  @Standard({"MPI_Gather_init", "MPI_Gather_init_c"})
  public Persistent gatherInit(Buf<?> send, Buf<?> recv, int root) {
    return init(new RootedCollective.Gather(send, recv, root), null);
  }

  /**
   * Makes a persistent request of a gather, with hints ({@code MPI_Gather_init}, MPI-4.1 §6.13.3). Collective; starts
   * nothing.
   *
   * @param send as {@link #gather(Buf, Buf, int)}; not to be changed while the request is active
   * @param recv as {@link #gather(Buf, Buf, int)}; not to be touched while the request is active
   * @param root rank that collects, the same everywhere; between groups as {@link InterComm} says
   * @param info hints, the same at all ranks; those that are not known are ignored; null for none
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException ERR_INFO when the info has been freed; otherwise as {@link #gather(Buf, Buf, int)}
   */
  @Standard({"MPI_Gather_init", "MPI_Gather_init_c"})
  public Persistent gatherInit(Buf<?> send, Buf<?> recv, int root, Info info) {
    return init(new RootedCollective.Gather(send, recv, root), info);
  }

  /**
   * Collects every rank's elements at the root, whose own block already lies where it belongs ({@code MPI_Gather} with
   * {@code MPI_IN_PLACE}, MPI-4.1 §6.5).
   *
   * @param buf at the root the whole buffer, of {@link Comm#size} blocks; elsewhere this rank's block
   * @param root rank that collects, the same everywhere; between groups as {@link InterComm} says
   * @throws MpiException as {@link #gather(Buf, Buf, int)}
   */
  @Standard({"MPI_Gather", "MPI_Gather_c"})
  public void gather(Buf<?> buf, int root) {
    run(RootedCollective.Gather.inPlace(buf, root, channel));
  }

  /**
   * Starts a gather in place and returns at once ({@code MPI_Igather} with {@code MPI_IN_PLACE}, MPI-4.1 §6.12.3).
   *
   * @param buf as {@link #gather(Buf, int)}; not to be touched until the request is complete
   * @param root rank that collects, the same everywhere; between groups as {@link InterComm} says
   * @return the request
   * @throws MpiException as {@link #gather(Buf, Buf, int)}
   */
  @Standard({"MPI_Igather", "MPI_Igather_c"})
  public Request igather(Buf<?> buf, int root) {
    return start(RootedCollective.Gather.inPlace(buf, root, channel));
  }

  /**
   * Makes a persistent request of a gather in place ({@code MPI_Gather_init} with {@code MPI_IN_PLACE}, MPI-4.1
   * §6.13.3). Collective; starts nothing.
   *
   * @param buf as {@link #gather(Buf, int)}; not to be touched while the request is active
   * @param root rank that collects, the same everywhere; between groups as {@link InterComm} says
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException as {@link #gather(Buf, Buf, int)}
   */
  @Standard({"MPI_Gather_init", "MPI_Gather_init_c"})
  public Persistent gatherInit(Buf<?> buf, int root) {
    return init(RootedCollective.Gather.inPlace(buf, root, channel), null);
  }

  /**
   * Makes a persistent request of a gather in place, with hints ({@code MPI_Gather_init} with {@code MPI_IN_PLACE},
   * MPI-4.1 §6.13.3). Collective; starts nothing.
   *
   * @param buf as {@link #gather(Buf, int)}; not to be touched while the request is active
   * @param root rank that collects, the same everywhere; between groups as {@link InterComm} says
   * @param info hints, the same at all ranks; those that are not known are ignored; null for none
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException ERR_INFO when the info has been freed; otherwise as {@link #gather(Buf, Buf, int)}
   */
  @Standard({"MPI_Gather_init", "MPI_Gather_init_c"})
  public Persistent gatherInit(Buf<?> buf, int root, Info info) {
    return init(RootedCollective.Gather.inPlace(buf, root, channel), info);
  }

  // ---- gather of blocks of different lengths

  /**
   * Collects every rank's elements at the root, as many of each as the root says and where it says, and blocks until
   * this rank's part is done ({@code MPI_Gatherv}, MPI-4.1 §6.5).
   *
   * @param send this rank's block; at the root {@link Buf#inPlace} when it already lies where it belongs
   * @param recv at the root, the elements in which all blocks lie; elsewhere ignored and possibly null, as are the
   *     arrays
   * @param recvCounts number of elements of each rank's block
   * @param recvDispls where each rank's block begins, in elements of {@code recv}'s type from its beginning
   * @param root rank that collects, the same everywhere; between groups as {@link InterComm} says
   * @throws MpiException ERR_ROOT, ERR_BUFFER, ERR_TYPE; ERR_COUNT when a count is negative or not that of the root's
   *     own block, or the array has another length than there are ranks; ERR_ARG when that of the displacements has
   */
  @Standard({"MPI_Gatherv", "MPI_Gatherv_c"})
  public void gatherv(Buf<?> send, Buf<?> recv, long[] recvCounts, long[] recvDispls, int root) {
    run(new BlocksCollective.Gatherv(send, Layout.of(recv, recvCounts, recvDispls), root));
  }

  /**
   * Starts a gather of blocks of different lengths and returns at once ({@code MPI_Igatherv}, MPI-4.1 §6.12.3).
   *
   * @param send as {@link #gatherv(Buf, Buf, long[], long[], int)}; not to be changed until the request is complete
   * @param recv as {@link #gatherv(Buf, Buf, long[], long[], int)}; not to be touched until the request is complete
   * @param recvCounts as {@link #gatherv(Buf, Buf, long[], long[], int)}; may be changed afterwards
   * @param recvDispls as {@link #gatherv(Buf, Buf, long[], long[], int)}; may be changed afterwards
   * @param root rank that collects, the same everywhere; between groups as {@link InterComm} says
   * @return the request
   * @throws MpiException as {@link #gatherv(Buf, Buf, long[], long[], int)}
   */
  @Standard({"MPI_Igatherv", "MPI_Igatherv_c"})
  public Request igatherv(Buf<?> send, Buf<?> recv, long[] recvCounts, long[] recvDispls, int root) {
    return start(new BlocksCollective.Gatherv(send, Layout.of(recv, recvCounts, recvDispls), root));
  }

  /**
   * Makes a persistent request of a gather of blocks of different lengths ({@code MPI_Gatherv_init}, MPI-4.1 §6.13.3).
   * Collective; starts nothing.
   *
   * @param send as {@link #gatherv(Buf, Buf, long[], long[], int)}; not to be changed while the request is active
   * @param recv as {@link #gatherv(Buf, Buf, long[], long[], int)}; not to be touched while the request is active
   * @param recvCounts as {@link #gatherv(Buf, Buf, long[], long[], int)}; may be changed afterwards
   * @param recvDispls as {@link #gatherv(Buf, Buf, long[], long[], int)}; may be changed afterwards
   * @param root rank that collects, the same everywhere; between groups as {@link InterComm} says
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException as {@link #gatherv(Buf, Buf, long[], long[], int)}
   */
  @Standard({"MPI_Gatherv_init", "MPI_Gatherv_init_c"})
  public Persistent gathervInit(Buf<?> send, Buf<?> recv, long[] recvCounts, long[] recvDispls, int root) {
    return init(new BlocksCollective.Gatherv(send, Layout.of(recv, recvCounts, recvDispls), root), null);
  }

  /**
   * Makes a persistent request of a gather of blocks of different lengths, with hints ({@code MPI_Gatherv_init},
   * MPI-4.1 §6.13.3). Collective; starts nothing.
   *
   * @param send as {@link #gatherv(Buf, Buf, long[], long[], int)}; not to be changed while the request is active
   * @param recv as {@link #gatherv(Buf, Buf, long[], long[], int)}; not to be touched while the request is active
   * @param recvCounts as {@link #gatherv(Buf, Buf, long[], long[], int)}; may be changed afterwards
   * @param recvDispls as {@link #gatherv(Buf, Buf, long[], long[], int)}; may be changed afterwards
   * @param root rank that collects, the same everywhere; between groups as {@link InterComm} says
   * @param info hints, the same at all ranks; those that are not known are ignored; null for none
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException ERR_INFO when the info has been freed; otherwise as
   *     {@link #gatherv(Buf, Buf, long[], long[], int)}
   */
  @Standard({"MPI_Gatherv_init", "MPI_Gatherv_init_c"})
  public Persistent gathervInit(Buf<?> send, Buf<?> recv, long[] recvCounts, long[] recvDispls, int root, Info info) {
    return init(new BlocksCollective.Gatherv(send, Layout.of(recv, recvCounts, recvDispls), root), info);
  }

  /**
   * Collects every rank's elements at the root, whose own block already lies where it belongs ({@code MPI_Gatherv} with
   * {@code MPI_IN_PLACE}, MPI-4.1 §6.5).
   *
   * @param buf at the root the elements in which all blocks lie; elsewhere this rank's block, and the arrays are
   *     ignored
   * @param counts number of elements of each rank's block
   * @param displs where each rank's block begins, in elements of {@code buf}'s type from its beginning
   * @param root rank that collects, the same everywhere; between groups as {@link InterComm} says
   * @throws MpiException as {@link #gatherv(Buf, Buf, long[], long[], int)}
   */
  @Standard({"MPI_Gatherv", "MPI_Gatherv_c"})
  public void gatherv(Buf<?> buf, long[] counts, long[] displs, int root) {
    run(BlocksCollective.Gatherv.inPlace(Layout.of(buf, counts, displs), root, channel));
  }

  /**
   * Starts a gather of blocks of different lengths in place and returns at once ({@code MPI_Igatherv} with
   * {@code MPI_IN_PLACE}, MPI-4.1 §6.12.3).
   *
   * @param buf as {@link #gatherv(Buf, long[], long[], int)}; not to be touched until the request is complete
   * @param counts as {@link #gatherv(Buf, long[], long[], int)}; may be changed afterwards
   * @param displs as {@link #gatherv(Buf, long[], long[], int)}; may be changed afterwards
   * @param root rank that collects, the same everywhere; between groups as {@link InterComm} says
   * @return the request
   * @throws MpiException as {@link #gatherv(Buf, Buf, long[], long[], int)}
   */
  @Standard({"MPI_Igatherv", "MPI_Igatherv_c"})
  public Request igatherv(Buf<?> buf, long[] counts, long[] displs, int root) {
    return start(BlocksCollective.Gatherv.inPlace(Layout.of(buf, counts, displs), root, channel));
  }

  /**
   * Makes a persistent request of a gather of blocks of different lengths in place ({@code MPI_Gatherv_init} with
   * {@code MPI_IN_PLACE}, MPI-4.1 §6.13.3). Collective; starts nothing.
   *
   * @param buf as {@link #gatherv(Buf, long[], long[], int)}; not to be touched while the request is active
   * @param counts as {@link #gatherv(Buf, long[], long[], int)}; may be changed afterwards
   * @param displs as {@link #gatherv(Buf, long[], long[], int)}; may be changed afterwards
   * @param root rank that collects, the same everywhere; between groups as {@link InterComm} says
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException as {@link #gatherv(Buf, Buf, long[], long[], int)}
   */
  @Standard({"MPI_Gatherv_init", "MPI_Gatherv_init_c"})
  public Persistent gathervInit(Buf<?> buf, long[] counts, long[] displs, int root) {
    return init(BlocksCollective.Gatherv.inPlace(Layout.of(buf, counts, displs), root, channel), null);
  }

  /**
   * Makes a persistent request of a gather of blocks of different lengths in place, with hints
   * ({@code MPI_Gatherv_init} with {@code MPI_IN_PLACE}, MPI-4.1 §6.13.3). Collective; starts nothing.
   *
   * @param buf as {@link #gatherv(Buf, long[], long[], int)}; not to be touched while the request is active
   * @param counts as {@link #gatherv(Buf, long[], long[], int)}; may be changed afterwards
   * @param displs as {@link #gatherv(Buf, long[], long[], int)}; may be changed afterwards
   * @param root rank that collects, the same everywhere; between groups as {@link InterComm} says
   * @param info hints, the same at all ranks; those that are not known are ignored; null for none
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException ERR_INFO when the info has been freed; otherwise as
   *     {@link #gatherv(Buf, Buf, long[], long[], int)}
   */
  @Standard({"MPI_Gatherv_init", "MPI_Gatherv_init_c"})
  public Persistent gathervInit(Buf<?> buf, long[] counts, long[] displs, int root, Info info) {
    return init(BlocksCollective.Gatherv.inPlace(Layout.of(buf, counts, displs), root, channel), info);
  }
}
