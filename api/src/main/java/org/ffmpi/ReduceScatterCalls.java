// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.spi.Channel;

/** The collective calls of {@link Comm} that combine all ranks' elements and share out the result. */
abstract sealed class ReduceScatterCalls extends ScanCalls permits CollectiveCalls {
  ReduceScatterCalls(World world, Channel channel, Errhandler<? super Comm> errhandler) {
    super(world, channel, errhandler);
  }

  // ---- reduction of which each rank gets a block

  /**
   * Combines the ranks' elements, each with the one at the same place, cuts the result into a block for each rank and
   * blocks until this rank's is here ({@code MPI_Reduce_scatter_block}, MPI-4.1 §6.10.1). Between groups, each group
   * gets the result of the other's elements.
   *
   * @param <T> what one element is in Java
   * @param send this rank's elements, {@link Comm#size} times as many as {@code recv} has, or {@link Buf#inPlace} at
   *     all ranks when they lie in {@code recv}
   * @param recv this rank's block of the result; in place all elements, of which the first block is replaced by the
   *     result and the rest left undefined
   * @param op how to combine two elements
   * @throws MpiException ERR_BUFFER, ERR_TYPE; ERR_OP when the operation is null or not defined for the type; ERR_COUNT
   *     when there are not as many elements as blocks need
   */
  @Standard({"MPI_Reduce_scatter_block", "MPI_Reduce_scatter_block_c"})
  public <T> void reduceScatterBlock(Buf<T> send, Buf<T> recv, Op<? super T> op) {
    run(new ReducingCollective.ReduceScatterBlock(send, recv, op));
  }

  /**
   * Starts a reduction of which each rank gets a block and returns at once ({@code MPI_Ireduce_scatter_block}, MPI-4.1
   * §6.12.9).
   *
   * @param <T> what one element is in Java
   * @param send as {@link #reduceScatterBlock(Buf, Buf, Op)}; not to be changed until the request is complete
   * @param recv as {@link #reduceScatterBlock(Buf, Buf, Op)}; not to be touched until the request is complete
   * @param op how to combine two elements
   * @return the request
   * @throws MpiException as {@link #reduceScatterBlock(Buf, Buf, Op)}
   */
  @Standard({"MPI_Ireduce_scatter_block", "MPI_Ireduce_scatter_block_c"})
  public <T> Request ireduceScatterBlock(Buf<T> send, Buf<T> recv, Op<? super T> op) {
    return start(new ReducingCollective.ReduceScatterBlock(send, recv, op));
  }

  /**
   * Makes a persistent request of a reduction of which each rank gets a block ({@code MPI_Reduce_scatter_block_init},
   * MPI-4.1 §6.13.9). Collective; starts nothing.
   *
   * @param <T> what one element is in Java
   * @param send as {@link #reduceScatterBlock(Buf, Buf, Op)}; not to be changed while the request is active
   * @param recv as {@link #reduceScatterBlock(Buf, Buf, Op)}; not to be touched while the request is active
   * @param op how to combine two elements
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException as {@link #reduceScatterBlock(Buf, Buf, Op)}
   */
  @Standard({"MPI_Reduce_scatter_block_init", "MPI_Reduce_scatter_block_init_c"})
  public <T> Persistent reduceScatterBlockInit(Buf<T> send, Buf<T> recv, Op<? super T> op) {
    return init(new ReducingCollective.ReduceScatterBlock(send, recv, op), null);
  }

  /**
   * Makes a persistent request of a reduction of which each rank gets a block, with hints
   * ({@code MPI_Reduce_scatter_block_init}, MPI-4.1 §6.13.9). Collective; starts nothing.
   *
   * @param <T> what one element is in Java
   * @param send as {@link #reduceScatterBlock(Buf, Buf, Op)}; not to be changed while the request is active
   * @param recv as {@link #reduceScatterBlock(Buf, Buf, Op)}; not to be touched while the request is active
   * @param op how to combine two elements
   * @param info hints, the same at all ranks; those that are not known are ignored; null for none
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException ERR_INFO when the info has been freed; otherwise as {@link #reduceScatterBlock(Buf, Buf, Op)}
   */
  @Standard({"MPI_Reduce_scatter_block_init", "MPI_Reduce_scatter_block_init_c"})
  public <T> Persistent reduceScatterBlockInit(Buf<T> send, Buf<T> recv, Op<? super T> op, Info info) {
    return init(new ReducingCollective.ReduceScatterBlock(send, recv, op), info);
  }

  /**
   * Combines the ranks' elements and cuts the result into a block for each rank, in place
   * ({@code MPI_Reduce_scatter_block} with {@code MPI_IN_PLACE}, MPI-4.1 §6.10.1). Within one group only.
   *
   * @param <T> what one element is in Java
   * @param buf this rank's elements, one block for each rank; its first block is replaced by this rank's block of the
   *     result, and the rest left undefined
   * @param op how to combine two elements
   * @throws MpiException as {@link #reduceScatterBlock(Buf, Buf, Op)}
   */
  @Standard({"MPI_Reduce_scatter_block", "MPI_Reduce_scatter_block_c"})
  public <T> void reduceScatterBlock(Buf<T> buf, Op<? super T> op) {
    run(new ReducingCollective.ReduceScatterBlock(Buf.inPlace(), buf, op));
  }

  /**
   * Starts a reduction of which each rank gets a block in place and returns at once ({@code MPI_Ireduce_scatter_block}
   * with {@code MPI_IN_PLACE}, MPI-4.1 §6.12.9).
   *
   * @param <T> what one element is in Java
   * @param buf as {@link #reduceScatterBlock(Buf, Op)}; not to be touched until the request is complete
   * @param op how to combine two elements
   * @return the request
   * @throws MpiException as {@link #reduceScatterBlock(Buf, Buf, Op)}
   */
  @Standard({"MPI_Ireduce_scatter_block", "MPI_Ireduce_scatter_block_c"})
  public <T> Request ireduceScatterBlock(Buf<T> buf, Op<? super T> op) {
    return start(new ReducingCollective.ReduceScatterBlock(Buf.inPlace(), buf, op));
  }

  /**
   * Makes a persistent request of a reduction of which each rank gets a block in place
   * ({@code MPI_Reduce_scatter_block_init} with {@code MPI_IN_PLACE}, MPI-4.1 §6.13.9). Collective; starts nothing.
   *
   * @param <T> what one element is in Java
   * @param buf as {@link #reduceScatterBlock(Buf, Op)}; not to be touched while the request is active
   * @param op how to combine two elements
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException as {@link #reduceScatterBlock(Buf, Buf, Op)}
   */
  @Standard({"MPI_Reduce_scatter_block_init", "MPI_Reduce_scatter_block_init_c"})
  public <T> Persistent reduceScatterBlockInit(Buf<T> buf, Op<? super T> op) {
    return init(new ReducingCollective.ReduceScatterBlock(Buf.inPlace(), buf, op), null);
  }

  /**
   * Makes a persistent request of a reduction of which each rank gets a block in place, with hints
   * ({@code MPI_Reduce_scatter_block_init} with {@code MPI_IN_PLACE}, MPI-4.1 §6.13.9). Collective; starts nothing.
   *
   * @param <T> what one element is in Java
   * @param buf as {@link #reduceScatterBlock(Buf, Op)}; not to be touched while the request is active
   * @param op how to combine two elements
   * @param info hints, the same at all ranks; those that are not known are ignored; null for none
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException ERR_INFO when the info has been freed; otherwise as {@link #reduceScatterBlock(Buf, Buf, Op)}
   */
  @Standard({"MPI_Reduce_scatter_block_init", "MPI_Reduce_scatter_block_init_c"})
  public <T> Persistent reduceScatterBlockInit(Buf<T> buf, Op<? super T> op, Info info) {
    return init(new ReducingCollective.ReduceScatterBlock(Buf.inPlace(), buf, op), info);
  }

  // ---- reduction of which each rank gets a part

  /**
   * Combines the ranks' elements, each with the one at the same place, cuts the result into a part for each rank and
   * blocks until this rank's is here ({@code MPI_Reduce_scatter}, MPI-4.1 §6.10.2). Between groups, each group gets the
   * result of the other's elements, and the counts of both have the same sum.
   *
   * @param <T> what one element is in Java
   * @param send this rank's elements, as many as all parts have, or {@link Buf#inPlace} at all ranks when they lie in
   *     {@code recv}
   * @param recv this rank's part of the result; in place all elements, whose beginning is replaced by the result and
   *     the rest left undefined
   * @param counts number of elements of each rank's part of the result, the same at all ranks of a group
   * @param op how to combine two elements
   * @throws MpiException ERR_BUFFER, ERR_TYPE; ERR_OP when the operation is null or not defined for the type; ERR_COUNT
   *     when a count is negative, there is not one for each rank, or there are not as many elements as they say
   */
  @Standard({"MPI_Reduce_scatter", "MPI_Reduce_scatter_c"})
  public <T> void reduceScatter(Buf<T> send, Buf<T> recv, long[] counts, Op<? super T> op) {
    run(new ReducingCollective.ReduceScatter(send, recv, counts, op));
  }

  /**
   * Starts a reduction of which each rank gets a part and returns at once ({@code MPI_Ireduce_scatter}, MPI-4.1
   * §6.12.10).
   *
   * @param <T> what one element is in Java
   * @param send as {@link #reduceScatter(Buf, Buf, long[], Op)}; not to be changed until the request is complete
   * @param recv as {@link #reduceScatter(Buf, Buf, long[], Op)}; not to be touched until the request is complete
   * @param counts as {@link #reduceScatter(Buf, Buf, long[], Op)}; may be changed afterwards
   * @param op how to combine two elements
   * @return the request
   * @throws MpiException as {@link #reduceScatter(Buf, Buf, long[], Op)}
   */
  @Standard({"MPI_Ireduce_scatter", "MPI_Ireduce_scatter_c"})
  public <T> Request ireduceScatter(Buf<T> send, Buf<T> recv, long[] counts, Op<? super T> op) {
    return start(new ReducingCollective.ReduceScatter(send, recv, counts, op));
  }

  /**
   * Makes a persistent request of a reduction of which each rank gets a part ({@code MPI_Reduce_scatter_init}, MPI-4.1
   * §6.13.10). Collective; starts nothing.
   *
   * @param <T> what one element is in Java
   * @param send as {@link #reduceScatter(Buf, Buf, long[], Op)}; not to be changed while the request is active
   * @param recv as {@link #reduceScatter(Buf, Buf, long[], Op)}; not to be touched while the request is active
   * @param counts as {@link #reduceScatter(Buf, Buf, long[], Op)}; may be changed afterwards
   * @param op how to combine two elements
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException as {@link #reduceScatter(Buf, Buf, long[], Op)}
   */
  @Standard({"MPI_Reduce_scatter_init", "MPI_Reduce_scatter_init_c"})
  public <T> Persistent reduceScatterInit(Buf<T> send, Buf<T> recv, long[] counts, Op<? super T> op) {
    return init(new ReducingCollective.ReduceScatter(send, recv, counts, op), null);
  }

  /**
   * Makes a persistent request of a reduction of which each rank gets a part, with hints
   * ({@code MPI_Reduce_scatter_init}, MPI-4.1 §6.13.10). Collective; starts nothing.
   *
   * @param <T> what one element is in Java
   * @param send as {@link #reduceScatter(Buf, Buf, long[], Op)}; not to be changed while the request is active
   * @param recv as {@link #reduceScatter(Buf, Buf, long[], Op)}; not to be touched while the request is active
   * @param counts as {@link #reduceScatter(Buf, Buf, long[], Op)}; may be changed afterwards
   * @param op how to combine two elements
   * @param info hints, the same at all ranks; those that are not known are ignored; null for none
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException ERR_INFO when the info has been freed; otherwise as
   *     {@link #reduceScatter(Buf, Buf, long[], Op)}
   */
  @Standard({"MPI_Reduce_scatter_init", "MPI_Reduce_scatter_init_c"})
  public <T> Persistent reduceScatterInit(Buf<T> send, Buf<T> recv, long[] counts, Op<? super T> op, Info info) {
    return init(new ReducingCollective.ReduceScatter(send, recv, counts, op), info);
  }

  /**
   * Combines the ranks' elements and cuts the result into a part for each rank, in place ({@code MPI_Reduce_scatter}
   * with {@code MPI_IN_PLACE}, MPI-4.1 §6.10.2). Within one group only.
   *
   * @param <T> what one element is in Java
   * @param buf this rank's elements, as many as all parts have; its beginning is replaced by this rank's part of the
   *     result, and the rest left undefined
   * @param counts number of elements of each rank's part of the result, the same at all ranks of a group
   * @param op how to combine two elements
   * @throws MpiException as {@link #reduceScatter(Buf, Buf, long[], Op)}
   */
  @Standard({"MPI_Reduce_scatter", "MPI_Reduce_scatter_c"})
  public <T> void reduceScatter(Buf<T> buf, long[] counts, Op<? super T> op) {
    run(new ReducingCollective.ReduceScatter(Buf.inPlace(), buf, counts, op));
  }

  /**
   * Starts a reduction of which each rank gets a part in place and returns at once ({@code MPI_Ireduce_scatter} with
   * {@code MPI_IN_PLACE}, MPI-4.1 §6.12.10).
   *
   * @param <T> what one element is in Java
   * @param buf as {@link #reduceScatter(Buf, long[], Op)}; not to be touched until the request is complete
   * @param counts as {@link #reduceScatter(Buf, long[], Op)}; may be changed afterwards
   * @param op how to combine two elements
   * @return the request
   * @throws MpiException as {@link #reduceScatter(Buf, Buf, long[], Op)}
   */
  @Standard({"MPI_Ireduce_scatter", "MPI_Ireduce_scatter_c"})
  public <T> Request ireduceScatter(Buf<T> buf, long[] counts, Op<? super T> op) {
    return start(new ReducingCollective.ReduceScatter(Buf.inPlace(), buf, counts, op));
  }

  /**
   * Makes a persistent request of a reduction of which each rank gets a part in place ({@code MPI_Reduce_scatter_init}
   * with {@code MPI_IN_PLACE}, MPI-4.1 §6.13.10). Collective; starts nothing.
   *
   * @param <T> what one element is in Java
   * @param buf as {@link #reduceScatter(Buf, long[], Op)}; not to be touched while the request is active
   * @param counts as {@link #reduceScatter(Buf, long[], Op)}; may be changed afterwards
   * @param op how to combine two elements
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException as {@link #reduceScatter(Buf, Buf, long[], Op)}
   */
  @Standard({"MPI_Reduce_scatter_init", "MPI_Reduce_scatter_init_c"})
  public <T> Persistent reduceScatterInit(Buf<T> buf, long[] counts, Op<? super T> op) {
    return init(new ReducingCollective.ReduceScatter(Buf.inPlace(), buf, counts, op), null);
  }

  /**
   * Makes a persistent request of a reduction of which each rank gets a part in place, with hints
   * ({@code MPI_Reduce_scatter_init} with {@code MPI_IN_PLACE}, MPI-4.1 §6.13.10). Collective; starts nothing.
   *
   * @param <T> what one element is in Java
   * @param buf as {@link #reduceScatter(Buf, long[], Op)}; not to be touched while the request is active
   * @param counts as {@link #reduceScatter(Buf, long[], Op)}; may be changed afterwards
   * @param op how to combine two elements
   * @param info hints, the same at all ranks; those that are not known are ignored; null for none
   * @return an inactive request, to be started any number of times and closed at the end
   * @throws MpiException ERR_INFO when the info has been freed; otherwise as
   *     {@link #reduceScatter(Buf, Buf, long[], Op)}
   */
  @Standard({"MPI_Reduce_scatter_init", "MPI_Reduce_scatter_init_c"})
  public <T> Persistent reduceScatterInit(Buf<T> buf, long[] counts, Op<? super T> op, Info info) {
    return init(new ReducingCollective.ReduceScatter(Buf.inPlace(), buf, counts, op), info);
  }
}
