// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.datatype.Datatype;

/**
 * The accesses of a window (MPI-4.1 §12.3). Each needs an epoch of this rank that covers the target. An access that has
 * returned need not be complete: the origin's buffers must not be touched, and its effects are not to be relied on,
 * before the epoch ends or the target is {@linkplain EpochCalls#flush flushed}. The {@code r}-forms return a request
 * whose completion is the origin's. Accesses never wait for the target to make a matching call.
 *
 * <p>A displacement counts in the target's own displacement units, from the beginning of its part. Where count and type
 * of the target's elements are left out, they are those of the origin's buffer. Elements of both ends have the same
 * basic types in the same order. An access to {@code PROC_NULL} does nothing.
 *
 * <p>Everything is checked before a byte moves. All calls throw: ERR_WIN when the window has been closed, ERR_RMA_SYNC
 * when no epoch covers the target, ERR_RANK for ranks that the window has not, ERR_BUFFER and ERR_TYPE as a send,
 * ERR_COUNT when the two ends differ in length, ERR_DISP for negative displacements, and ERR_RMA_RANGE when an element
 * lies outside the target's part.
 */
public sealed interface OneSidedCalls permits Win {
  // ---- put and get

  /**
   * Writes elements to a target ({@code MPI_Put}, MPI-4.1 §12.3.1).
   *
   * @param origin the elements
   * @param target rank of the window, or {@code PROC_NULL}
   * @param disp where they go in the target's part, in its displacement units
   * @throws MpiException as described above
   */
  @Standard({"MPI_Put", "MPI_Put_c"})
  void put(Buf<?> origin, int target, long disp);

  /**
   * Writes elements to a target, where they lie otherwise than here ({@code MPI_Put}, MPI-4.1 §12.3.1).
   *
   * @param origin the elements
   * @param target rank of the window, or {@code PROC_NULL}
   * @param disp where they go in the target's part, in its displacement units
   * @param count number of elements at the target
   * @param type their type, committed
   * @throws MpiException as described above
   */
  @Standard({"MPI_Put", "MPI_Put_c"})
  void put(Buf<?> origin, int target, long disp, long count, Datatype<?> type);

  /**
   * Reads elements of a target ({@code MPI_Get}, MPI-4.1 §12.3.2).
   *
   * @param origin receives the elements
   * @param target rank of the window, or {@code PROC_NULL}
   * @param disp where they lie in the target's part, in its displacement units
   * @throws MpiException as described above
   */
  @Standard({"MPI_Get", "MPI_Get_c"})
  void get(Buf<?> origin, int target, long disp);

  /**
   * Reads elements of a target, where they lie otherwise than here ({@code MPI_Get}, MPI-4.1 §12.3.2).
   *
   * @param origin receives the elements
   * @param target rank of the window, or {@code PROC_NULL}
   * @param disp where they lie in the target's part, in its displacement units
   * @param count number of elements at the target
   * @param type their type, committed
   * @throws MpiException as described above
   */
  @Standard({"MPI_Get", "MPI_Get_c"})
  void get(Buf<?> origin, int target, long disp, long count, Datatype<?> type);

  /**
   * Writes elements to a target ({@code MPI_Rput}, MPI-4.1 §12.3.5). Only in an epoch of {@link EpochCalls#lock} or
   * {@link EpochCalls#lockAll}.
   *
   * @param origin the elements
   * @param target rank of the window, or {@code PROC_NULL}
   * @param disp where they go in the target's part, in its displacement units
   * @return a request that is complete when {@code origin} may be changed
   * @throws MpiException as described above
   */
  @Standard({"MPI_Rput", "MPI_Rput_c"})
  Request rput(Buf<?> origin, int target, long disp);

  /**
   * Writes elements to a target, where they lie otherwise than here ({@code MPI_Rput}, MPI-4.1 §12.3.5), as
   * {@link #rput(Buf, int, long)}.
   *
   * @param origin the elements
   * @param target rank of the window, or {@code PROC_NULL}
   * @param disp where they go in the target's part, in its displacement units
   * @param count number of elements at the target
   * @param type their type, committed
   * @return a request that is complete when {@code origin} may be changed
   * @throws MpiException as described above
   */
  @Standard({"MPI_Rput", "MPI_Rput_c"})
  Request rput(Buf<?> origin, int target, long disp, long count, Datatype<?> type);

  /**
   * Reads elements of a target ({@code MPI_Rget}, MPI-4.1 §12.3.5). Only in an epoch of {@link EpochCalls#lock} or
   * {@link EpochCalls#lockAll}.
   *
   * @param origin receives the elements
   * @param target rank of the window, or {@code PROC_NULL}
   * @param disp where they lie in the target's part, in its displacement units
   * @return a request that is complete when they are there
   * @throws MpiException as described above
   */
  @Standard({"MPI_Rget", "MPI_Rget_c"})
  Request rget(Buf<?> origin, int target, long disp);

  /**
   * Reads elements of a target, where they lie otherwise than here ({@code MPI_Rget}, MPI-4.1 §12.3.5), as
   * {@link #rget(Buf, int, long)}.
   *
   * @param origin receives the elements
   * @param target rank of the window, or {@code PROC_NULL}
   * @param disp where they lie in the target's part, in its displacement units
   * @param count number of elements at the target
   * @param type their type, committed
   * @return a request that is complete when they are there
   * @throws MpiException as described above
   */
  @Standard({"MPI_Rget", "MPI_Rget_c"})
  Request rget(Buf<?> origin, int target, long disp, long count, Datatype<?> type);

  // ---- accumulate

  /**
   * Combines elements with those of a target ({@code MPI_Accumulate}, MPI-4.1 §12.3.4): {@code target = target op
   * origin}. Each element of a predefined type is combined in one step that no other accumulating call divides, and
   * those of one rank to one place happen in order.
   *
   * @param origin the elements, all of one predefined type
   * @param target rank of the window, or {@code PROC_NULL}
   * @param disp where the others lie in the target's part, in its displacement units
   * @param op a predefined operation, or {@link Op#REPLACE}
   * @throws MpiException as described above; ERR_OP when the operation is not predefined, or not defined for the type
   */
  @Standard({"MPI_Accumulate", "MPI_Accumulate_c"})
  void accumulate(Buf<?> origin, int target, long disp, Op<?> op);

  /**
   * Combines elements with those of a target, where they lie otherwise than here ({@code MPI_Accumulate}, MPI-4.1
   * §12.3.4), as {@link #accumulate(Buf, int, long, Op)}.
   *
   * @param origin the elements, all of one predefined type
   * @param target rank of the window, or {@code PROC_NULL}
   * @param disp where the others lie in the target's part, in its displacement units
   * @param count number of elements at the target
   * @param type their type, committed, made of the same predefined type
   * @param op a predefined operation, or {@link Op#REPLACE}
   * @throws MpiException as described above; ERR_OP when the operation is not predefined, or not defined for the type
   */
  @Standard({"MPI_Accumulate", "MPI_Accumulate_c"})
  void accumulate(Buf<?> origin, int target, long disp, long count, Datatype<?> type, Op<?> op);

  /**
   * Reads elements of a target and combines them in the same step ({@code MPI_Get_accumulate}, MPI-4.1 §12.3.4): result
   * becomes what was there.
   *
   * @param origin what is combined; ignored, and may be null, with {@link Op#NO_OP}
   * @param result receives the elements that were at the target; must not overlap {@code origin}
   * @param target rank of the window, or {@code PROC_NULL}
   * @param disp where they lie in the target's part, in its displacement units
   * @param op a predefined operation, {@link Op#REPLACE} or {@link Op#NO_OP}
   * @throws MpiException as described above; ERR_OP when the operation is not predefined, or not defined for the type
   */
  @Standard({"MPI_Get_accumulate", "MPI_Get_accumulate_c"})
  void getAccumulate(Buf<?> origin, Buf<?> result, int target, long disp, Op<?> op);

  /**
   * Reads elements of a target and combines them in the same step, where they lie otherwise than here
   * ({@code MPI_Get_accumulate}, MPI-4.1 §12.3.4), as {@link #getAccumulate(Buf, Buf, int, long, Op)}.
   *
   * @param origin what is combined; ignored, and may be null, with {@link Op#NO_OP}
   * @param result receives the elements that were at the target; must not overlap {@code origin}
   * @param target rank of the window, or {@code PROC_NULL}
   * @param disp where they lie in the target's part, in its displacement units
   * @param count number of elements at the target
   * @param type their type, committed, made of one predefined type
   * @param op a predefined operation, {@link Op#REPLACE} or {@link Op#NO_OP}
   * @throws MpiException as described above; ERR_OP when the operation is not predefined, or not defined for the type
   */
  @Standard({"MPI_Get_accumulate", "MPI_Get_accumulate_c"})
  void getAccumulate(
      Buf<?> origin, Buf<?> result, int target, long disp, long count, Datatype<?> type, Op<?> op);

  /**
   * Reads one element of a target and combines it in the same step ({@code MPI_Fetch_and_op}, MPI-4.1 §12.3.4).
   *
   * @param origin one element of a predefined type; ignored, and may be null, with {@link Op#NO_OP}
   * @param result receives the element that was at the target; one element of the same type
   * @param target rank of the window, or {@code PROC_NULL}
   * @param disp where it lies in the target's part, in its displacement units
   * @param op a predefined operation, {@link Op#REPLACE} or {@link Op#NO_OP}
   * @throws MpiException as described above; ERR_COUNT when a buffer has not one element; ERR_OP when the operation is
   *     not predefined, or not defined for the type
   */
  @Standard({"MPI_Fetch_and_op"})
  void fetchAndOp(Buf<?> origin, Buf<?> result, int target, long disp, Op<?> op);

  /**
   * Adds to a whole number of a target and returns what it was: {@code MPI_Fetch_and_op} with {@link Op#SUM} on
   * {@link Datatype#LONG}, without buffers, and complete when it returns.
   *
   * @param value what to add
   * @param target rank of the window
   * @param disp where the number lies in the target's part, in its displacement units
   * @return the number before
   * @throws MpiException as described above
   */
  long fetchAndAdd(long value, int target, long disp);

  /**
   * Replaces one element of a target if it is equal to another ({@code MPI_Compare_and_swap}, MPI-4.1 §12.3.4): in one
   * step that no other accumulating call divides.
   *
   * @param origin the new element, of an integer, logical or byte type
   * @param compare value that has to be at the target, bit for bit
   * @param result receives the old value of the target
   * @param target rank of the window, or {@code PROC_NULL}
   * @param disp where it lies in the target's part, in its displacement units
   * @throws MpiException as described above; ERR_COUNT when a buffer has not one element; ERR_TYPE when the three types
   *     differ, or are none of those
   */
  @Standard({"MPI_Compare_and_swap"})
  void compareAndSwap(Buf<?> origin, Buf<?> compare, Buf<?> result, int target, long disp);

  /**
   * Combines elements with those of a target ({@code MPI_Raccumulate}, MPI-4.1 §12.3.5). Only in an epoch of
   * {@link EpochCalls#lock} or {@link EpochCalls#lockAll}.
   *
   * @param origin the elements, all of one predefined type
   * @param target rank of the window, or {@code PROC_NULL}
   * @param disp where the others lie in the target's part, in its displacement units
   * @param op a predefined operation, or {@link Op#REPLACE}
   * @return a request that is complete when {@code origin} may be changed
   * @throws MpiException as {@link #accumulate(Buf, int, long, Op)}
   */
  @Standard({"MPI_Raccumulate", "MPI_Raccumulate_c"})
  Request raccumulate(Buf<?> origin, int target, long disp, Op<?> op);

  /**
   * Combines elements with those of a target, where they lie otherwise than here ({@code MPI_Raccumulate}, MPI-4.1
   * §12.3.5), as {@link #raccumulate(Buf, int, long, Op)}.
   *
   * @param origin the elements, all of one predefined type
   * @param target rank of the window, or {@code PROC_NULL}
   * @param disp where the others lie in the target's part, in its displacement units
   * @param count number of elements at the target
   * @param type their type, committed, made of the same predefined type
   * @param op a predefined operation, or {@link Op#REPLACE}
   * @return a request that is complete when {@code origin} may be changed
   * @throws MpiException as {@link #accumulate(Buf, int, long, Op)}
   */
  @Standard({"MPI_Raccumulate", "MPI_Raccumulate_c"})
  Request raccumulate(Buf<?> origin, int target, long disp, long count, Datatype<?> type, Op<?> op);

  /**
   * Reads elements of a target and combines them in the same step ({@code MPI_Rget_accumulate}, MPI-4.1 §12.3.5). Only
   * in an epoch of {@link EpochCalls#lock} or {@link EpochCalls#lockAll}.
   *
   * @param origin what is combined; ignored, and may be null, with {@link Op#NO_OP}
   * @param result receives the elements that were at the target; must not overlap {@code origin}
   * @param target rank of the window, or {@code PROC_NULL}
   * @param disp where they lie in the target's part, in its displacement units
   * @param op a predefined operation, {@link Op#REPLACE} or {@link Op#NO_OP}
   * @return a request that is complete when the result is there
   * @throws MpiException as {@link #getAccumulate(Buf, Buf, int, long, Op)}
   */
  @Standard({"MPI_Rget_accumulate", "MPI_Rget_accumulate_c"})
  Request rgetAccumulate(Buf<?> origin, Buf<?> result, int target, long disp, Op<?> op);

  /**
   * Reads elements of a target and combines them in the same step, where they lie otherwise than here
   * ({@code MPI_Rget_accumulate}, MPI-4.1 §12.3.5), as {@link #rgetAccumulate(Buf, Buf, int, long, Op)}.
   *
   * @param origin what is combined; ignored, and may be null, with {@link Op#NO_OP}
   * @param result receives the elements that were at the target; must not overlap {@code origin}
   * @param target rank of the window, or {@code PROC_NULL}
   * @param disp where they lie in the target's part, in its displacement units
   * @param count number of elements at the target
   * @param type their type, committed, made of one predefined type
   * @param op a predefined operation, {@link Op#REPLACE} or {@link Op#NO_OP}
   * @return a request that is complete when the result is there
   * @throws MpiException as {@link #getAccumulate(Buf, Buf, int, long, Op)}
   */
  @Standard({"MPI_Rget_accumulate", "MPI_Rget_accumulate_c"})
  Request rgetAccumulate(
      Buf<?> origin, Buf<?> result, int target, long disp, long count, Datatype<?> type, Op<?> op);
}
