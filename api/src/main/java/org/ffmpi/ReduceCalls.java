// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.spi.Channel;

/** The collective calls of {@link Comm} that combine all ranks' elements. */
abstract sealed class ReduceCalls extends AlltoallwCalls permits ScanCalls {
  ReduceCalls(World world, Channel channel, Errhandler<? super Comm> errhandler) {
    super(world, channel, errhandler);
  }

  // ---- reduction to one rank

  /**
   * Combines the ranks' elements, each with the one at the same place, into the root's buffer and blocks until this
   * rank's part is done ({@code MPI_Reduce}, MPI-4.1 §6.9.1). Between groups, those of the group that the root is not
   * in.
   *
   * @param <T> what one element is in Java
   * @param send this rank's elements; at the root {@link Buf#inPlace} when they lie in {@code recv}
   * @param recv at the root the result, of the same count and type as {@code send}; elsewhere ignored and possibly null
   * @param op how to combine two elements
   * @param root rank that gets the result, the same everywhere; between groups as {@link InterComm} says
   * @throws MpiException ERR_ROOT, ERR_BUFFER, ERR_TYPE; ERR_OP when the operation is null or not defined for the type;
   *     ERR_COUNT when the buffers differ in count
   */
  @Standard({"MPI_Reduce", "MPI_Reduce_c"})
  public <T> void reduce(Buf<T> send, Buf<T> recv, Op<? super T> op, int root) {
    run(new ReducingCollective.Reduce(send, recv, op, root));
  }

  /**
   * Starts a reduction to one rank and returns at once ({@code MPI_Ireduce}, MPI-4.1 §6.12.7).
   *
   * @param <T> what one element is in Java
   * @param send as {@link #reduce(Buf, Buf, Op, int)}; not to be changed until the request is complete
   * @param recv as {@link #reduce(Buf, Buf, Op, int)}; not to be touched until the request is complete
   * @param op how to combine two elements
   * @param root rank that gets the result, the same everywhere; between groups as {@link InterComm} says
   * @return the request
   * @throws MpiException as {@link #reduce(Buf, Buf, Op, int)}
   */
  @Standard({"MPI_Ireduce", "MPI_Ireduce_c"})
  public <T> Request ireduce(Buf<T> send, Buf<T> recv, Op<? super T> op, int root) {
    return start(new ReducingCollective.Reduce(send, recv, op, root));
  }

  /**
   * Makes a persistent request of a reduction to one rank ({@code MPI_Reduce_init}, MPI-4.1 §6.13.7). Collective;
   * starts nothing.
   *
   * @param <T> what one element is in Java
   * @param send as {@link #reduce(Buf, Buf, Op, int)}; not to be changed while the request is active
   * @param recv as {@link #reduce(Buf, Buf, Op, int)}; not to be touched while the request is active
   * @param op how to combine two elements
   * @param root rank that gets the result, the same everywhere; between groups as {@link InterComm} says
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException as {@link #reduce(Buf, Buf, Op, int)}
   */
  @Standard({"MPI_Reduce_init", "MPI_Reduce_init_c"})
  public <T> Persistent reduceInit(Buf<T> send, Buf<T> recv, Op<? super T> op, int root) {
    return init(new ReducingCollective.Reduce(send, recv, op, root), null);
  }

  /**
   * Makes a persistent request of a reduction to one rank, with hints ({@code MPI_Reduce_init}, MPI-4.1 §6.13.7).
   * Collective; starts nothing.
   *
   * @param <T> what one element is in Java
   * @param send as {@link #reduce(Buf, Buf, Op, int)}; not to be changed while the request is active
   * @param recv as {@link #reduce(Buf, Buf, Op, int)}; not to be touched while the request is active
   * @param op how to combine two elements
   * @param root rank that gets the result, the same everywhere; between groups as {@link InterComm} says
   * @param info hints, the same at all ranks; those that are not known are ignored; null for none
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException ERR_INFO when the info has been freed; otherwise as {@link #reduce(Buf, Buf, Op, int)}
   */
  @Standard({"MPI_Reduce_init", "MPI_Reduce_init_c"})
  public <T> Persistent reduceInit(Buf<T> send, Buf<T> recv, Op<? super T> op, int root, Info info) {
    return init(new ReducingCollective.Reduce(send, recv, op, root), info);
  }

  /**
   * Combines the ranks' elements into the root's buffer, which holds the root's own ({@code MPI_Reduce} with
   * {@code MPI_IN_PLACE}, MPI-4.1 §6.9.1).
   *
   * @param <T> what one element is in Java
   * @param buf this rank's elements; at the root replaced by the result
   * @param op how to combine two elements
   * @param root rank that gets the result, the same everywhere; between groups as {@link InterComm} says
   * @throws MpiException as {@link #reduce(Buf, Buf, Op, int)}
   */
  @Standard({"MPI_Reduce", "MPI_Reduce_c"})
  public <T> void reduce(Buf<T> buf, Op<? super T> op, int root) {
    run(ReducingCollective.Reduce.inPlace(buf, op, root, channel));
  }

  /**
   * Starts a reduction to one rank in place and returns at once ({@code MPI_Ireduce} with {@code MPI_IN_PLACE}, MPI-4.1
   * §6.12.7).
   *
   * @param <T> what one element is in Java
   * @param buf as {@link #reduce(Buf, Op, int)}; not to be touched until the request is complete
   * @param op how to combine two elements
   * @param root rank that gets the result, the same everywhere; between groups as {@link InterComm} says
   * @return the request
   * @throws MpiException as {@link #reduce(Buf, Buf, Op, int)}
   */
  @Standard({"MPI_Ireduce", "MPI_Ireduce_c"})
  public <T> Request ireduce(Buf<T> buf, Op<? super T> op, int root) {
    return start(ReducingCollective.Reduce.inPlace(buf, op, root, channel));
  }

  /**
   * Makes a persistent request of a reduction to one rank in place ({@code MPI_Reduce_init} with {@code MPI_IN_PLACE},
   * MPI-4.1 §6.13.7). Collective; starts nothing.
   *
   * @param <T> what one element is in Java
   * @param buf as {@link #reduce(Buf, Op, int)}; not to be touched while the request is active
   * @param op how to combine two elements
   * @param root rank that gets the result, the same everywhere; between groups as {@link InterComm} says
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException as {@link #reduce(Buf, Buf, Op, int)}
   */
  @Standard({"MPI_Reduce_init", "MPI_Reduce_init_c"})
  public <T> Persistent reduceInit(Buf<T> buf, Op<? super T> op, int root) {
    return init(ReducingCollective.Reduce.inPlace(buf, op, root, channel), null);
  }

  /**
   * Makes a persistent request of a reduction to one rank in place, with hints ({@code MPI_Reduce_init} with
   * {@code MPI_IN_PLACE}, MPI-4.1 §6.13.7). Collective; starts nothing.
   *
   * @param <T> what one element is in Java
   * @param buf as {@link #reduce(Buf, Op, int)}; not to be touched while the request is active
   * @param op how to combine two elements
   * @param root rank that gets the result, the same everywhere; between groups as {@link InterComm} says
   * @param info hints, the same at all ranks; those that are not known are ignored; null for none
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException ERR_INFO when the info has been freed; otherwise as {@link #reduce(Buf, Buf, Op, int)}
   */
  @Standard({"MPI_Reduce_init", "MPI_Reduce_init_c"})
  public <T> Persistent reduceInit(Buf<T> buf, Op<? super T> op, int root, Info info) {
    return init(ReducingCollective.Reduce.inPlace(buf, op, root, channel), info);
  }

  // ---- reduction to all ranks

  /**
   * Combines the ranks' elements, each with the one at the same place, and blocks until every rank's result is here
   * ({@code MPI_Allreduce}, MPI-4.1 §6.9.6). All ranks get the same bits. Between groups, each group gets the result of
   * the other's elements.
   *
   * @param <T> what one element is in Java
   * @param send this rank's elements, or {@link Buf#inPlace} at all ranks when they lie in {@code recv}
   * @param recv the result, of the same count and type as {@code send}
   * @param op how to combine two elements
   * @throws MpiException ERR_BUFFER, ERR_TYPE; ERR_OP when the operation is null or not defined for the type; ERR_COUNT
   *     when the buffers differ in count
   */
  @Standard({"MPI_Allreduce", "MPI_Allreduce_c"})
  public <T> void allreduce(Buf<T> send, Buf<T> recv, Op<? super T> op) {
    run(new ReducingCollective.Allreduce(send, recv, op));
  }

  /**
   * Starts a reduction to all ranks and returns at once ({@code MPI_Iallreduce}, MPI-4.1 §6.12.8).
   *
   * @param <T> what one element is in Java
   * @param send as {@link #allreduce(Buf, Buf, Op)}; not to be changed until the request is complete
   * @param recv as {@link #allreduce(Buf, Buf, Op)}; not to be touched until the request is complete
   * @param op how to combine two elements
   * @return the request
   * @throws MpiException as {@link #allreduce(Buf, Buf, Op)}
   */
  @Standard({"MPI_Iallreduce", "MPI_Iallreduce_c"})
  public <T> Request iallreduce(Buf<T> send, Buf<T> recv, Op<? super T> op) {
    return start(new ReducingCollective.Allreduce(send, recv, op));
  }

  /**
   * Makes a persistent request of a reduction to all ranks ({@code MPI_Allreduce_init}, MPI-4.1 §6.13.8). Collective;
   * starts nothing.
   *
   * @param <T> what one element is in Java
   * @param send as {@link #allreduce(Buf, Buf, Op)}; not to be changed while the request is active
   * @param recv as {@link #allreduce(Buf, Buf, Op)}; not to be touched while the request is active
   * @param op how to combine two elements
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException as {@link #allreduce(Buf, Buf, Op)}
   */
  @Standard({"MPI_Allreduce_init", "MPI_Allreduce_init_c"})
  public <T> Persistent allreduceInit(Buf<T> send, Buf<T> recv, Op<? super T> op) {
    return init(new ReducingCollective.Allreduce(send, recv, op), null);
  }

  /**
   * Makes a persistent request of a reduction to all ranks, with hints ({@code MPI_Allreduce_init}, MPI-4.1 §6.13.8).
   * Collective; starts nothing.
   *
   * @param <T> what one element is in Java
   * @param send as {@link #allreduce(Buf, Buf, Op)}; not to be changed while the request is active
   * @param recv as {@link #allreduce(Buf, Buf, Op)}; not to be touched while the request is active
   * @param op how to combine two elements
   * @param info hints, the same at all ranks; those that are not known are ignored; null for none
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException ERR_INFO when the info has been freed; otherwise as {@link #allreduce(Buf, Buf, Op)}
   */
  @Standard({"MPI_Allreduce_init", "MPI_Allreduce_init_c"})
  public <T> Persistent allreduceInit(Buf<T> send, Buf<T> recv, Op<? super T> op, Info info) {
    return init(new ReducingCollective.Allreduce(send, recv, op), info);
  }

  /**
   * Combines the ranks' elements in place ({@code MPI_Allreduce} with {@code MPI_IN_PLACE}, MPI-4.1 §6.9.6). Within one
   * group only.
   *
   * @param <T> what one element is in Java
   * @param buf this rank's elements, replaced by the result
   * @param op how to combine two elements
   * @throws MpiException as {@link #allreduce(Buf, Buf, Op)}
   */
  @Standard({"MPI_Allreduce", "MPI_Allreduce_c"})
  public <T> void allreduce(Buf<T> buf, Op<? super T> op) {
    run(new ReducingCollective.Allreduce(Buf.inPlace(), buf, op));
  }

  /**
   * Starts a reduction to all ranks in place and returns at once ({@code MPI_Iallreduce} with {@code MPI_IN_PLACE},
   * MPI-4.1 §6.12.8).
   *
   * @param <T> what one element is in Java
   * @param buf as {@link #allreduce(Buf, Op)}; not to be touched until the request is complete
   * @param op how to combine two elements
   * @return the request
   * @throws MpiException as {@link #allreduce(Buf, Buf, Op)}
   */
  @Standard({"MPI_Iallreduce", "MPI_Iallreduce_c"})
  public <T> Request iallreduce(Buf<T> buf, Op<? super T> op) {
    return start(new ReducingCollective.Allreduce(Buf.inPlace(), buf, op));
  }

  /**
   * Makes a persistent request of a reduction to all ranks in place ({@code MPI_Allreduce_init} with
   * {@code MPI_IN_PLACE}, MPI-4.1 §6.13.8). Collective; starts nothing.
   *
   * @param <T> what one element is in Java
   * @param buf as {@link #allreduce(Buf, Op)}; not to be touched while the request is active
   * @param op how to combine two elements
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException as {@link #allreduce(Buf, Buf, Op)}
   */
  @Standard({"MPI_Allreduce_init", "MPI_Allreduce_init_c"})
  public <T> Persistent allreduceInit(Buf<T> buf, Op<? super T> op) {
    return init(new ReducingCollective.Allreduce(Buf.inPlace(), buf, op), null);
  }

  /**
   * Makes a persistent request of a reduction to all ranks in place, with hints ({@code MPI_Allreduce_init} with
   * {@code MPI_IN_PLACE}, MPI-4.1 §6.13.8). Collective; starts nothing.
   *
   * @param <T> what one element is in Java
   * @param buf as {@link #allreduce(Buf, Op)}; not to be touched while the request is active
   * @param op how to combine two elements
   * @param info hints, the same at all ranks; those that are not known are ignored; null for none
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException ERR_INFO when the info has been freed; otherwise as {@link #allreduce(Buf, Buf, Op)}
   */
  @Standard({"MPI_Allreduce_init", "MPI_Allreduce_init_c"})
  public <T> Persistent allreduceInit(Buf<T> buf, Op<? super T> op, Info info) {
    return init(new ReducingCollective.Allreduce(Buf.inPlace(), buf, op), info);
  }
}
