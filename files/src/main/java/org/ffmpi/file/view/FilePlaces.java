// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.file.view;

import org.ffmpi.base.raw.Memory;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.datatype.plan.StreamCursor;

/**
 * The places in a file that a view leaves, those of a filetype, over and over from a displacement on. The bytes of the
 * view are numbered as a packed stream is, and the file's bytes stand for memory, so that the plan that packs memory
 * also moves bytes between a stream and a <em>window</em>, a part of the file in memory. Immutable; any thread.
 */
public final class FilePlaces {
  private static final long TWO = 2;

  private final long disp;
  private final Plan plan;
  private final boolean ascending;

  /**
   * Creates a layout.
   *
   * @param disp bytes of the file before the first filetype
   * @param plan the filetype
   */
  public FilePlaces(long disp, Plan plan) {
    this.disp = disp;
    this.plan = plan;
    this.ascending = plan.isContiguous() || plan.extent() >= plan.trueExtent();
  }

  public long disp() {
    return disp;
  }

  public Plan plan() {
    return plan;
  }

  /** Returns the bytes of one filetype in the view. */
  public long size() {
    return plan.size();
  }

  /** Returns whether the view has no gaps. */
  public boolean isContiguous() {
    return plan.isContiguous();
  }

  /** Returns whether a later byte of the view lies further back in the file: a filetype ends before the next begins. */
  public boolean isAscending() {
    return ascending;
  }

  /** Returns the mean length of the runs of bytes that a filetype is made of. */
  public long meanRun() {
    return plan.isContiguous() ? Long.MAX_VALUE : Math.max(1, plan.size() / Math.max(1, plan.runs()));
  }

  /** Returns a cursor over the view's bytes, whose places count from the displacement. */
  public StreamCursor cursor() {
    return plan.cursor();
  }

  /** Returns where in the file a byte of the view lies. */
  public long place(long from) {
    if (plan.isContiguous()) {
      return disp + plan.trueLowerBound() + from;
    }
    StreamCursor cursor = plan.cursor();
    cursor.seek(from);
    return disp + cursor.place();
  }

  /**
   * Returns the first byte of a part of an ascending view that does not lie before a place.
   *
   * @param from first byte of the part
   * @param to its end, which is returned when all of it lies before
   */
  public long firstNotBefore(long place, long from, long to) {
    if (plan.isContiguous()) {
      return Math.clamp(place - disp - plan.trueLowerBound(), from, to);
    }
    StreamCursor cursor = plan.cursor();
    long low = from;
    long high = to;
    long tile = Math.floorDiv(place - disp - plan.trueLowerBound(), plan.extent());
    if (tile > 0 && tile < Long.MAX_VALUE / plan.size() - 1) {
      low = Math.clamp(tile * plan.size(), from, to);
      high = Math.clamp((tile + 1) * plan.size(), from, to);
    } else if (tile < 0) {
      return from;
    } else if (tile == 0) {
      high = Math.clamp(plan.size(), from, to);
    }
    while (low < high) {
      long middle = low + (high - low) / TWO;
      cursor.seek(middle);
      long at = disp + cursor.place();
      if (at >= place) {
        high = middle;
      } else {
        // The rest of this run lies before the place as well, as far as it is that long.
        low = middle + Math.max(1, Math.min(place - at, cursor.left()));
      }
    }
    return Math.min(low, to);
  }

  /**
   * Copies bytes of the view from a window to a stream.
   *
   * @param window address of the window
   * @param start the place in the file that the window begins with
   * @param from first byte of the view, all of which lie in the window
   * @param to address that receives it
   */
  public void gather(long window, long start, long from, long bytes, long to) {
    plan.pack(Memory.NATIVE, null, window - start + disp, TWO, from, bytes, to);
  }

  /** Copies bytes of a stream to their places in a window, as {@link #gather} does the other way round. */
  public void scatter(long source, long window, long start, long from, long bytes) {
    plan.unpack(source, Memory.NATIVE, null, window - start + disp, TWO, from, bytes);
  }
}
