// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

import java.lang.foreign.MemorySegment;
import java.util.function.BooleanSupplier;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.datatype.reduce.AccumulateUnit;
import org.ffmpi.datatype.reduce.PredefinedOp;

/**
 * Watches the accesses and the synchronization of one rank of a window, where a setting asks for it. Called by the
 * threads that call the window; {@link #after} waits for the reports of other ranks in {@link #before}, the others do
 * not wait. What it finds is thrown.
 */
@SuppressWarnings("exports") // plans cross this port only between our own modules, to which their package is exported
public interface WindowWatch {
  /** In place of a target: all ranks of the window. */
  int ALL = -1;

  /** The kinds of synchronization that order ranks by themselves. */
  enum Order {
    /** All ranks meet, at a fence. */
    FENCE,
    /** A target has posted its part to an origin. */
    POST,
    /** An origin has completed its accesses to a target. */
    COMPLETE,
    /** All ranks meet for the last time. */
    CLOSE
  }

  /**
   * The memory of a window.
   *
   * @param name describes the window
   * @param own memory of this rank's part, as bytes; absent in dynamic windows
   * @param parts memory of all parts as far as this rank reaches them, null elsewhere; may be null
   * @param sameOp whether the program has promised that accumulates at one place have one operation
   * @param ordered whether accumulates of one rank at one place are made in its order
   */
  record Parts(
      Object name, FlatBuffer own, MemorySegment[] parts, BooleanSupplier sameOp, BooleanSupplier ordered) {}

  /**
   * An access to a part.
   *
   * @param op operation of an accumulating call; null for put and get
   * @param unit what it combines; null for put and get
   * @param swaps whether it is a compare-and-swap
   * @param target rank of the part
   * @param position first byte in the part
   * @param count number of elements there
   * @param plan plan of the elements there
   * @param read buffer that is read; null for none
   * @param compared another one that is read; null for none
   * @param written buffer that is written; null for none
   */
  record Access(
      PredefinedOp op, AccumulateUnit unit, boolean swaps, int target, long position, long count, Plan plan,
      FlatBuffer read, FlatBuffer compared, FlatBuffer written) {}

  /**
   * Returns whether this watch compares accesses with each other.
   *
   * @return false when the window has to compare them
   */
  default boolean comparesAccesses() {
    return true;
  }

  /**
   * Notes an access that is about to start.
   *
   * @param access the access
   */
  void access(Access access);

  /**
   * Notes that the last access of this thread has been started.
   *
   * @param pending completes when the access is complete at this rank; null when it is
   */
  default void started(Operation pending) {}

  /**
   * Notes that accesses of this rank are complete.
   *
   * @param target their target, or {@link #ALL}
   * @param locally whether only at this rank: its buffers are free again
   */
  void completed(int target, boolean locally);

  /**
   * Makes the request of the last access of this thread.
   *
   * @param started the operation that completes with it
   * @param onSeen runs once when the program learns of its end by a wait or test
   * @return an operation that stands for it
   */
  Operation requested(Operation started, Runnable onSeen);

  /**
   * Reports to other ranks the progress of this one, before it synchronizes with them.
   *
   * @param order how
   * @param ranks the others; null for all
   */
  void before(Order order, int[] ranks);

  /**
   * Reads the reports of other ranks, after this one has synchronized with them.
   *
   * @param order how
   * @param ranks the others; null for all
   */
  void after(Order order, int[] ranks);

  /**
   * Notes that this rank has got the lock of a part.
   *
   * @param target rank of the part
   * @param exclusive whether it excludes others
   */
  void locked(int target, boolean exclusive);

  /**
   * Notes that this rank is about to release the lock of a part, its accesses there being complete.
   *
   * @param target rank of the part
   * @param exclusive whether it excludes others
   */
  void unlocking(int target, boolean exclusive);

  /**
   * Notes that memory is a part of a dynamic window from now on.
   *
   * @param memory the memory, whose addresses are the positions
   */
  void attached(MemorySegment memory);

  /**
   * Notes that memory is no part of a dynamic window any more.
   *
   * @param memory the memory
   */
  void detached(MemorySegment memory);
}
