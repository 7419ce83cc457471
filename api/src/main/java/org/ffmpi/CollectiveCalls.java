// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.spi.Channel;

/** The collective calls of {@link Comm} that need the fewest arguments. */
abstract sealed class CollectiveCalls extends ReduceScatterCalls permits CommProperties {
  CollectiveCalls(World world, Channel channel, Errhandler<? super Comm> errhandler) {
    super(world, channel, errhandler);
  }

  // ---- barrier

  /**
   * Blocks until all ranks have called it ({@code MPI_Barrier}, MPI-4.1 §6.3); between groups, until all ranks of the
   * other group have.
   */
  @Standard({"MPI_Barrier"})
  public void barrier() {
    run(new ExchangeCollective.Barrier());
  }

  /**
   * Starts a barrier and returns at once ({@code MPI_Ibarrier}, MPI-4.1 §6.12.1).
   *
   * @return a request that is complete when all ranks have called it
   */
  @Standard({"MPI_Ibarrier"})
  public Request ibarrier() {
    return start(new ExchangeCollective.Barrier());
  }

  /**
   * Makes a persistent request of a barrier ({@code MPI_Barrier_init}, MPI-4.1 §6.13.1). Collective; starts nothing.
   *
   * @return an inactive request, to be started any number of times and closed at the end
   */
  @Standard({"MPI_Barrier_init"})
  public Persistent barrierInit() {
    return init(new ExchangeCollective.Barrier(), null);
  }

  /**
   * Makes a persistent request of a barrier, with hints ({@code MPI_Barrier_init}, MPI-4.1 §6.13.1). Collective; starts
   * nothing.
   *
   * @param info hints, the same at all ranks; those that are not known are ignored; null for none
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException ERR_INFO when the info has been freed
   */
  @Standard({"MPI_Barrier_init"})
  public Persistent barrierInit(Info info) {
    return init(new ExchangeCollective.Barrier(), info);
  }

  // ---- broadcast

  /**
   * Sends the root's elements to all ranks and blocks until they are here ({@code MPI_Bcast}, MPI-4.1 §6.4).
   *
   * @param buf at the root the elements to send, at the others where they go; the same amount of data everywhere
   * @param root rank that has the data, the same everywhere; between groups as {@link InterComm} says
   * @throws MpiException ERR_ROOT, ERR_BUFFER, ERR_TYPE
   */
  @Standard({"MPI_Bcast", "MPI_Bcast_c"})
  public void bcast(Buf<?> buf, int root) {
    run(new RootedCollective.Bcast(buf, root));
  }

  /**
   * Starts a broadcast and returns at once ({@code MPI_Ibcast}, MPI-4.1 §6.12.2).
   *
   * @param buf as {@link #bcast(Buf, int)}; not to be touched until the request is complete
   * @param root rank that has the data, the same everywhere; between groups as {@link InterComm} says
   * @return the request
   * @throws MpiException as {@link #bcast(Buf, int)}
   */
  @Standard({"MPI_Ibcast", "MPI_Ibcast_c"})
  public Request ibcast(Buf<?> buf, int root) {
    return start(new RootedCollective.Bcast(buf, root));
  }

  /**
   * Makes a persistent request of a broadcast ({@code MPI_Bcast_init}, MPI-4.1 §6.13.2). Collective; starts nothing.
   *
   * @param buf as {@link #bcast(Buf, int)}; not to be touched while the request is active
   * @param root rank that has the data, the same everywhere; between groups as {@link InterComm} says
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException as {@link #bcast(Buf, int)}
   */
  @Standard({"MPI_Bcast_init", "MPI_Bcast_init_c"})
  public Persistent bcastInit(Buf<?> buf, int root) {
    return init(new RootedCollective.Bcast(buf, root), null);
  }

  /**
   * Makes a persistent request of a broadcast, with hints ({@code MPI_Bcast_init}, MPI-4.1 §6.13.2). Collective; starts
   * nothing.
   *
   * @param buf as {@link #bcast(Buf, int)}; not to be touched while the request is active
   * @param root rank that has the data, the same everywhere; between groups as {@link InterComm} says
   * @param info hints, the same at all ranks; those that are not known are ignored; null for none
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException ERR_INFO when the info has been freed; otherwise as {@link #bcast(Buf, int)}
   */
  @Standard({"MPI_Bcast_init", "MPI_Bcast_init_c"})
  public Persistent bcastInit(Buf<?> buf, int root, Info info) {
    return init(new RootedCollective.Bcast(buf, root), info);
  }
}
