// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.util.List;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.request.PersistentImpl;

/**
 * An operation whose arguments are given once and that is started any number of times (MPI-4.1 §3.9).
 *
 * {@snippet :
 * try (Persistent out = world.sendInit(edge, right, 0); Persistent in = world.recvInit(halo, left, 0)) {
 *   List<Persistent> both = List.of(out, in);
 *   for (int i = 0; i < steps; i++) {
 *     Persistent.startAll(both);
 *     computeInterior();
 *     Request.waitAll(both);
 *   }
 * }
 * }
 *
 * <p>A persistent request begins inactive. {@link #start} makes it active, and a wait or a successful test inactive
 * again, when it can be started anew. Waits and tests of an inactive one return at once with an empty status. Calls
 * over lists leave it in the list. A message of one side may be of a persistent request and at the other side not.
 *
 * <p>A persistent collective operation meets only such operations of the other ranks: those that were made as the same
 * one after another. All ranks make theirs in the same order, and have to start and complete each as often as the
 * others, in any order. It is active until a wait or test has completed it, and can be neither cancelled nor closed
 * before that. One that has failed can be started again, by all ranks.
 *
 * <p>The buffer's elements are those that the memory holds at each start. Arguments are checked where the request is
 * made; that the memory may be touched is checked at each start. A datatype may be freed in between. To be closed when
 * it is of no more use. It may be used by any thread, by one at a time.
 */
public sealed interface Persistent extends Request, AutoCloseable
    permits PersistentImpl, PartitionedSend, PartitionedRecv {
  /**
   * Starts the operation and returns at once ({@code MPI_Start}, MPI-4.1 §3.9). Of a short send, allocates nothing.
   *
   * @throws MpiException ERR_REQUEST when the request is active or has been closed, ERR_BUFFER when the memory may not
   *     be touched now, ERR_OTHER after finalize, ERR_PROC_ABORTED when the receiver is gone; the request is then as it
   *     was before
   */
  @Standard({"MPI_Start"})
  void start();

  /**
   * Starts all operations, in the order of the list, and returns at once ({@code MPI_Startall}, MPI-4.1 §3.9).
   *
   * @param requests inactive persistent requests
   * @throws MpiException ERR_REQUEST when the list or an entry is null, or an entry is not persistent, active, closed
   *     or in the list twice: nothing has been started then; as {@link #start} when one cannot be started: those before
   *     it have been
   */
  @Standard({"MPI_Startall"})
  static void startAll(List<? extends Request> requests) {
    PersistentImpl.beginAll(requests);
  }

  @Standard({"MPI_Request_free"})
  @Override
  void close();
}
