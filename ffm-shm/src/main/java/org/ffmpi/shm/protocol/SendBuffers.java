// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import org.ffmpi.base.raw.Memory;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.shm.memory.CrossMemory;
import org.ffmpi.shm.memory.SharedHeapArena;

/** Finds the places of send buffers, as far as their receivers can use them. Any thread. */
final class SendBuffers {
  private final Endpoint endpoint;
  private final ProtocolSelector selector;
  private final SharedHeapArena heap;
  private final CrossMemory cross;

  /**
   * Creates the view of one rank.
   *
   * @param endpoint the rank's end of the segment
   * @param heap its shared heap
   * @param cross reads of private memory
   */
  public SendBuffers(Endpoint endpoint, SharedHeapArena heap, CrossMemory cross) {
    this.endpoint = endpoint;
    this.selector = endpoint.options().selector();
    this.heap = heap;
    this.cross = cross;
  }

  /** Returns whether a buffer lies in the shared heap, and its message is long enough to be copied from there. */
  boolean isDirect(long bytes, int kind, long offset) {
    return selector.isDirect(bytes) && kind == Memory.NATIVE && heap.contains(offset);
  }

  /** Returns the place of a buffer, for which {@link #layout} has returned {@code layout}. */
  ProtocolSelector.Place place(long bytes, int kind, long offset, long layout, boolean isRun) {
    if (layout != 0 || isRun && isDirect(bytes, kind, offset)) {
      return ProtocolSelector.Place.SHARED;
    }
    return isRun && kind == Memory.NATIVE && selector.isCross(bytes) && cross.mayBeRead()
        ? ProtocolSelector.Place.READABLE
        : ProtocolSelector.Place.PRIVATE;
  }

  /**
   * Returns the record of the plan by which peers read strided elements in the shared heap; 0 when the elements are one
   * run, or are packed. All of the data has to lie there, and its origin too: data at absolute addresses may lie in
   * several blocks, of which a transfer could pin only one.
   */
  long layout(long bytes, int kind, long offset, long count, Plan plan) {
    if (plan.isRun(count) || !isDirect(bytes, kind, offset)) {
      return 0;
    }
    long last = (count - 1) * plan.extent();
    long first = offset + plan.trueLowerBound() + Math.min(0, last);
    long end = offset + plan.trueLowerBound() + plan.trueExtent() + Math.max(0, last);
    boolean inHeap = heap.contains(first) && heap.contains(end - 1);
    return inHeap && ProtocolSelector.readsStrided(bytes, count * plan.runs(), end - first)
        ? endpoint.types().of(plan)
        : 0;
  }

  /** Pins the heap block at an address; null when this rank has no block there. */
  SharedHeapArena.Block pin(long address) {
    return heap.pin(address);
  }
}
