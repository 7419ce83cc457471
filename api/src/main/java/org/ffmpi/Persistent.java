// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.util.List;
import java.util.function.Supplier;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.spi.Operation;

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
 * before that.
 *
 * <p>The buffer's elements are those that the memory holds at each start. Arguments are checked where the request is
 * made; that the memory may be touched is checked at each start. A datatype may be freed in between. To be closed when
 * it is of no more use. It may be used by any thread, by one at a time.
 */
public sealed class Persistent extends Request implements AutoCloseable permits PartitionedSend, PartitionedRecv {
  private final Supplier<Operation> start;
  private final Runnable onClose;
  private boolean closed;
  /** Seen in the list that is about to be started. */
  private boolean listed;

  /**
   * Creates an inactive request.
   *
   * @param kind what the operation is
   * @param start starts the operation; never waits, and throws what is wrong without having started anything
   */
  Persistent(CommState comm, Kind kind, Supplier<Operation> start) {
    this(comm, kind, start, null);
  }

  /**
   * Creates an inactive request.
   *
   * @param kind what the operation is
   * @param start starts the operation; never waits, and throws what is wrong without having started anything
   * @param onClose lets go of what was kept for further starts; null for nothing
   */
  Persistent(CommState comm, Kind kind, Supplier<Operation> start, Runnable onClose) {
    super(comm.world, comm, kind, true, null);
    this.start = start;
    this.onClose = onClose;
  }

  /**
   * Starts the operation and returns at once ({@code MPI_Start}, MPI-4.1 §3.9). Of a short send, allocates nothing.
   *
   * @throws MpiException ERR_REQUEST when the request is active or has been closed, ERR_BUFFER when the memory may not
   *     be touched now, ERR_OTHER after finalize, ERR_PROC_ABORTED when the receiver is gone; the request is then as it
   *     was before
   */
  @Standard({"MPI_Start"})
  public void start() {
    if (closed || isActive() || !world().isUsable()) {
      world().checkCommunication();
      throw raise(new MpiException(ErrorClass.ERR_REQUEST, "request: " + whyNotStartable()));
    }
    try {
      begin(start.get());
    } catch (RuntimeException e) {
      throw raise(Failures.translate(e));
    }
  }

  /**
   * Starts all operations, in the order of the list, and returns at once ({@code MPI_Startall}, MPI-4.1 §3.9).
   *
   * @param requests inactive persistent requests
   * @throws MpiException ERR_REQUEST when the list or an entry is null, or an entry is not persistent, active, closed
   *     or in the list twice: nothing has been started then; as {@link #start} when one cannot be started: those before
   *     it have been
   */
  @Standard({"MPI_Startall"})
  public static void startAll(List<? extends Request> requests) {
    if (requests == null) {
      throw RequestLists.noList();
    }
    int checked = 0;
    try {
      for (; checked < requests.size(); checked++) {
        checkStartable(requests, checked);
        ((Persistent) requests.get(checked)).listed = true;
      }
    } finally {
      for (int i = 0; i < checked; i++) {
        ((Persistent) requests.get(i)).listed = false;
      }
    }
    for (int i = 0; i < requests.size(); i++) {
      ((Persistent) requests.get(i)).start();
    }
  }

  private static void checkStartable(List<? extends Request> requests, int index) {
    Request request = requests.get(index);
    if (request instanceof Persistent p && !p.closed && !p.isActive() && !p.listed) {
      return;
    }
    String why = switch (request) {
      case null -> "is null";
      case Persistent p when p.listed -> "is in the list twice";
      case Persistent p -> p.whyNotStartable();
      default -> "is not persistent";
    };
    MpiException error =
        new MpiException(ErrorClass.ERR_REQUEST, "requests: request " + index + " " + why + "; nothing was started");
    throw request == null ? error : request.raise(error);
  }

  private String whyNotStartable() {
    return closed ? "has been closed" : "is active: it can be started again when a wait or test has completed it";
  }

  @Override
  final void onClose() {
    closed = true;
    if (onClose != null) {
      onClose.run();
    }
  }
}
