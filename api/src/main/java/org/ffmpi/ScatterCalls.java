// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.BlocksCollective.Layout;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.spi.Channel;

/** The collective calls of {@link Comm} that hand out data from one rank. */
abstract sealed class ScatterCalls extends GatherCalls permits AllgatherCalls {
  ScatterCalls(World world, Channel channel, Errhandler<? super Comm> errhandler) {
    super(world, channel, errhandler);
  }

  // ---- scatter

  /**
   * Sends each rank its block of the root's elements, in rank order, and blocks until this rank's part is done
   * ({@code MPI_Scatter}, MPI-4.1 §6.6).
   *
   * @param send at the root, one block for each rank: its count is {@link Comm#size} times a block's; elsewhere ignored
   *     and possibly null
   * @param recv where this rank's block goes; at the root {@link Buf#inPlace} when it may stay where it is
   * @param root rank that has the data, the same everywhere; between groups as {@link InterComm} says
   * @throws MpiException ERR_ROOT, ERR_BUFFER, ERR_TYPE; ERR_COUNT when {@code send} cannot be cut into equal blocks as
   *     long as the root's own
   */
  @Standard({"MPI_Scatter", "MPI_Scatter_c"})
  public void scatter(Buf<?> send, Buf<?> recv, int root) {
    run(new RootedCollective.Scatter(send, recv, root));
  }

  /**
   * Starts a scatter and returns at once ({@code MPI_Iscatter}, MPI-4.1 §6.12.4).
   *
   * @param send as {@link #scatter(Buf, Buf, int)}; not to be changed until the request is complete
   * @param recv as {@link #scatter(Buf, Buf, int)}; not to be touched until the request is complete
   * @param root rank that has the data, the same everywhere; between groups as {@link InterComm} says
   * @return the request
   * @throws MpiException as {@link #scatter(Buf, Buf, int)}
   */
  @Standard({"MPI_Iscatter", "MPI_Iscatter_c"})
  public Request iscatter(Buf<?> send, Buf<?> recv, int root) {
    return start(new RootedCollective.Scatter(send, recv, root));
  }

  /**
   * Makes a persistent request of a scatter ({@code MPI_Scatter_init}, MPI-4.1 §6.13.4). Collective; starts nothing.
   *
   * @param send as {@link #scatter(Buf, Buf, int)}; not to be changed while the request is active
   * @param recv as {@link #scatter(Buf, Buf, int)}; not to be touched while the request is active
   * @param root rank that has the data, the same everywhere; between groups as {@link InterComm} says
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException as {@link #scatter(Buf, Buf, int)}
   */
  @Standard({"MPI_Scatter_init", "MPI_Scatter_init_c"})
  public Persistent scatterInit(Buf<?> send, Buf<?> recv, int root) {
    return init(new RootedCollective.Scatter(send, recv, root), null);
  }

  /**
   * Makes a persistent request of a scatter, with hints ({@code MPI_Scatter_init}, MPI-4.1 §6.13.4). Collective; starts
   * nothing.
   *
   * @param send as {@link #scatter(Buf, Buf, int)}; not to be changed while the request is active
   * @param recv as {@link #scatter(Buf, Buf, int)}; not to be touched while the request is active
   * @param root rank that has the data, the same everywhere; between groups as {@link InterComm} says
   * @param info hints, the same at all ranks; those that are not known are ignored; null for none
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException ERR_INFO when the info has been freed; otherwise as {@link #scatter(Buf, Buf, int)}
   */
  @Standard({"MPI_Scatter_init", "MPI_Scatter_init_c"})
  public Persistent scatterInit(Buf<?> send, Buf<?> recv, int root, Info info) {
    return init(new RootedCollective.Scatter(send, recv, root), info);
  }

  /**
   * Sends each rank its block of the root's elements; the root's own stays where it is ({@code MPI_Scatter} with
   * {@code MPI_IN_PLACE}, MPI-4.1 §6.6).
   *
   * @param buf at the root the whole buffer, of {@link Comm#size} blocks; elsewhere where this rank's block goes
   * @param root rank that has the data, the same everywhere; between groups as {@link InterComm} says
   * @throws MpiException as {@link #scatter(Buf, Buf, int)}
   */
  @Standard({"MPI_Scatter", "MPI_Scatter_c"})
  public void scatter(Buf<?> buf, int root) {
    run(RootedCollective.Scatter.inPlace(buf, root, channel));
  }

  /**
   * Starts a scatter in place and returns at once ({@code MPI_Iscatter} with {@code MPI_IN_PLACE}, MPI-4.1 §6.12.4).
   *
   * @param buf as {@link #scatter(Buf, int)}; not to be touched until the request is complete
   * @param root rank that has the data, the same everywhere; between groups as {@link InterComm} says
   * @return the request
   * @throws MpiException as {@link #scatter(Buf, Buf, int)}
   */
  @Standard({"MPI_Iscatter", "MPI_Iscatter_c"})
  public Request iscatter(Buf<?> buf, int root) {
    return start(RootedCollective.Scatter.inPlace(buf, root, channel));
  }

  /**
   * Makes a persistent request of a scatter in place ({@code MPI_Scatter_init} with {@code MPI_IN_PLACE}, MPI-4.1
   * §6.13.4). Collective; starts nothing.
   *
   * @param buf as {@link #scatter(Buf, int)}; not to be touched while the request is active
   * @param root rank that has the data, the same everywhere; between groups as {@link InterComm} says
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException as {@link #scatter(Buf, Buf, int)}
   */
  @Standard({"MPI_Scatter_init", "MPI_Scatter_init_c"})
  public Persistent scatterInit(Buf<?> buf, int root) {
    return init(RootedCollective.Scatter.inPlace(buf, root, channel), null);
  }

  /**
   * Makes a persistent request of a scatter in place, with hints ({@code MPI_Scatter_init} with {@code MPI_IN_PLACE},
   * MPI-4.1 §6.13.4). Collective; starts nothing.
   *
   * @param buf as {@link #scatter(Buf, int)}; not to be touched while the request is active
   * @param root rank that has the data, the same everywhere; between groups as {@link InterComm} says
   * @param info hints, the same at all ranks; those that are not known are ignored; null for none
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException ERR_INFO when the info has been freed; otherwise as {@link #scatter(Buf, Buf, int)}
   */
  @Standard({"MPI_Scatter_init", "MPI_Scatter_init_c"})
  public Persistent scatterInit(Buf<?> buf, int root, Info info) {
    return init(RootedCollective.Scatter.inPlace(buf, root, channel), info);
  }

  // ---- scatter of blocks of different lengths

  /**
   * Sends each rank its block of the root's elements, as long as the root says and from where it says, and blocks until
   * this rank's part is done ({@code MPI_Scatterv}, MPI-4.1 §6.6).
   *
   * @param send at the root, the elements in which all blocks lie; elsewhere ignored and possibly null, as are the
   *     arrays
   * @param sendCounts number of elements of each rank's block
   * @param sendDispls where each rank's block begins, in elements of {@code send}'s type from its beginning
   * @param recv where this rank's block goes; at the root {@link Buf#inPlace} when it may stay where it is
   * @param root rank that has the data, the same everywhere; between groups as {@link InterComm} says
   * @throws MpiException ERR_ROOT, ERR_BUFFER, ERR_TYPE; ERR_COUNT when a count is negative or not that of the root's
   *     own block, or the array has another length than there are ranks; ERR_ARG when that of the displacements has
   */
  @Standard({"MPI_Scatterv", "MPI_Scatterv_c"})
  public void scatterv(Buf<?> send, long[] sendCounts, long[] sendDispls, Buf<?> recv, int root) {
    run(new BlocksCollective.Scatterv(Layout.of(send, sendCounts, sendDispls), recv, root));
  }

  /**
   * Starts a scatter of blocks of different lengths and returns at once ({@code MPI_Iscatterv}, MPI-4.1 §6.12.4).
   *
   * @param send as {@link #scatterv(Buf, long[], long[], Buf, int)}; not to be changed until the request is complete
   * @param sendCounts as {@link #scatterv(Buf, long[], long[], Buf, int)}; may be changed afterwards
   * @param sendDispls as {@link #scatterv(Buf, long[], long[], Buf, int)}; may be changed afterwards
   * @param recv as {@link #scatterv(Buf, long[], long[], Buf, int)}; not to be touched until the request is complete
   * @param root rank that has the data, the same everywhere; between groups as {@link InterComm} says
   * @return the request
   * @throws MpiException as {@link #scatterv(Buf, long[], long[], Buf, int)}
   */
  @Standard({"MPI_Iscatterv", "MPI_Iscatterv_c"})
  public Request iscatterv(Buf<?> send, long[] sendCounts, long[] sendDispls, Buf<?> recv, int root) {
    return start(new BlocksCollective.Scatterv(Layout.of(send, sendCounts, sendDispls), recv, root));
  }

  /**
   * Makes a persistent request of a scatter of blocks of different lengths ({@code MPI_Scatterv_init}, MPI-4.1
   * §6.13.4). Collective; starts nothing.
   *
   * @param send as {@link #scatterv(Buf, long[], long[], Buf, int)}; not to be changed while the request is active
   * @param sendCounts as {@link #scatterv(Buf, long[], long[], Buf, int)}; may be changed afterwards
   * @param sendDispls as {@link #scatterv(Buf, long[], long[], Buf, int)}; may be changed afterwards
   * @param recv as {@link #scatterv(Buf, long[], long[], Buf, int)}; not to be touched while the request is active
   * @param root rank that has the data, the same everywhere; between groups as {@link InterComm} says
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException as {@link #scatterv(Buf, long[], long[], Buf, int)}
   */
  @Standard({"MPI_Scatterv_init", "MPI_Scatterv_init_c"})
  public Persistent scattervInit(Buf<?> send, long[] sendCounts, long[] sendDispls, Buf<?> recv, int root) {
    return init(new BlocksCollective.Scatterv(Layout.of(send, sendCounts, sendDispls), recv, root), null);
  }

  /**
   * Makes a persistent request of a scatter of blocks of different lengths, with hints ({@code MPI_Scatterv_init},
   * MPI-4.1 §6.13.4). Collective; starts nothing.
   *
   * @param send as {@link #scatterv(Buf, long[], long[], Buf, int)}; not to be changed while the request is active
   * @param sendCounts as {@link #scatterv(Buf, long[], long[], Buf, int)}; may be changed afterwards
   * @param sendDispls as {@link #scatterv(Buf, long[], long[], Buf, int)}; may be changed afterwards
   * @param recv as {@link #scatterv(Buf, long[], long[], Buf, int)}; not to be touched while the request is active
   * @param root rank that has the data, the same everywhere; between groups as {@link InterComm} says
   * @param info hints, the same at all ranks; those that are not known are ignored; null for none
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException ERR_INFO when the info has been freed; otherwise as
   *     {@link #scatterv(Buf, long[], long[], Buf, int)}
   */
  @Standard({"MPI_Scatterv_init", "MPI_Scatterv_init_c"})
  public Persistent scattervInit(Buf<?> send, long[] sendCounts, long[] sendDispls, Buf<?> recv, int root, Info info) {
    return init(new BlocksCollective.Scatterv(Layout.of(send, sendCounts, sendDispls), recv, root), info);
  }

  /**
   * Sends each rank its block of the root's elements; the root's own stays where it is ({@code MPI_Scatterv} with
   * {@code MPI_IN_PLACE}, MPI-4.1 §6.6).
   *
   * @param buf at the root the elements in which all blocks lie; elsewhere where this rank's block goes, and the arrays
   *     are ignored
   * @param counts number of elements of each rank's block
   * @param displs where each rank's block begins, in elements of {@code buf}'s type from its beginning
   * @param root rank that has the data, the same everywhere; between groups as {@link InterComm} says
   * @throws MpiException as {@link #scatterv(Buf, long[], long[], Buf, int)}
   */
  @Standard({"MPI_Scatterv", "MPI_Scatterv_c"})
  public void scatterv(Buf<?> buf, long[] counts, long[] displs, int root) {
    run(BlocksCollective.Scatterv.inPlace(Layout.of(buf, counts, displs), root, channel));
  }

  /**
   * Starts a scatter of blocks of different lengths in place and returns at once ({@code MPI_Iscatterv} with
   * {@code MPI_IN_PLACE}, MPI-4.1 §6.12.4).
   *
   * @param buf as {@link #scatterv(Buf, long[], long[], int)}; not to be touched until the request is complete
   * @param counts as {@link #scatterv(Buf, long[], long[], int)}; may be changed afterwards
   * @param displs as {@link #scatterv(Buf, long[], long[], int)}; may be changed afterwards
   * @param root rank that has the data, the same everywhere; between groups as {@link InterComm} says
   * @return the request
   * @throws MpiException as {@link #scatterv(Buf, long[], long[], Buf, int)}
   */
  @Standard({"MPI_Iscatterv", "MPI_Iscatterv_c"})
  public Request iscatterv(Buf<?> buf, long[] counts, long[] displs, int root) {
    return start(BlocksCollective.Scatterv.inPlace(Layout.of(buf, counts, displs), root, channel));
  }

  /**
   * Makes a persistent request of a scatter of blocks of different lengths in place ({@code MPI_Scatterv_init} with
   * {@code MPI_IN_PLACE}, MPI-4.1 §6.13.4). Collective; starts nothing.
   *
   * @param buf as {@link #scatterv(Buf, long[], long[], int)}; not to be touched while the request is active
   * @param counts as {@link #scatterv(Buf, long[], long[], int)}; may be changed afterwards
   * @param displs as {@link #scatterv(Buf, long[], long[], int)}; may be changed afterwards
   * @param root rank that has the data, the same everywhere; between groups as {@link InterComm} says
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException as {@link #scatterv(Buf, long[], long[], Buf, int)}
   */
  @Standard({"MPI_Scatterv_init", "MPI_Scatterv_init_c"})
  public Persistent scattervInit(Buf<?> buf, long[] counts, long[] displs, int root) {
    return init(BlocksCollective.Scatterv.inPlace(Layout.of(buf, counts, displs), root, channel), null);
  }

  /**
   * Makes a persistent request of a scatter of blocks of different lengths in place, with hints
   * ({@code MPI_Scatterv_init} with {@code MPI_IN_PLACE}, MPI-4.1 §6.13.4). Collective; starts nothing.
   *
   * @param buf as {@link #scatterv(Buf, long[], long[], int)}; not to be touched while the request is active
   * @param counts as {@link #scatterv(Buf, long[], long[], int)}; may be changed afterwards
   * @param displs as {@link #scatterv(Buf, long[], long[], int)}; may be changed afterwards
   * @param root rank that has the data, the same everywhere; between groups as {@link InterComm} says
   * @param info hints, the same at all ranks; those that are not known are ignored; null for none
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException ERR_INFO when the info has been freed; otherwise as
   *     {@link #scatterv(Buf, long[], long[], Buf, int)}
   */
  @Standard({"MPI_Scatterv_init", "MPI_Scatterv_init_c"})
  public Persistent scattervInit(Buf<?> buf, long[] counts, long[] displs, int root, Info info) {
    return init(BlocksCollective.Scatterv.inPlace(Layout.of(buf, counts, displs), root, channel), info);
  }
}
