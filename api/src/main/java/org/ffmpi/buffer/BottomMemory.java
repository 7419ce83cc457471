// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.buffer;

import java.lang.foreign.MemorySegment;
import java.util.Comparator;
import java.util.List;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.plan.Plan;

/**
 * The off-heap segments of a buffer of absolute addresses. As the owner of that buffer's memory it keeps them
 * reachable, and with them their memory, so only memory that cannot be closed is allowed.
 */
public final class BottomMemory {
  /** In the order of their addresses. */
  private final List<MemorySegment> segments;

  private BottomMemory(List<MemorySegment> segments) {
    this.segments = segments;
  }

  static BottomMemory of(List<MemorySegment> storages) {
    if (storages == null) {
      throw MpiException.argument(ErrorClass.ERR_BUFFER, "storages", null, "a list of off-heap segments");
    }
    int i = 0;
    for (MemorySegment segment : storages) {
      check("storages[" + i + "]", segment);
      i++;
    }
    return new BottomMemory(storages.stream().sorted(Comparator.comparingLong(Raw::address)).toList());
  }

  private static void check(String name, MemorySegment segment) {
    if (segment == null) {
      throw MpiException.argument(ErrorClass.ERR_BUFFER, name, null, "off-heap segments");
    }
    if (!segment.isNative()) {
      throw MpiException.argument(
          ErrorClass.ERR_BUFFER, name, segment, "off-heap segments: memory on the Java heap has no address");
    }
    if (Memory.kindOf(segment) != Memory.NATIVE) {
      throw MpiException.argument(
          ErrorClass.ERR_BUFFER, name, segment,
          "segments of a global or automatic arena or of the shared heap: others can be closed, which an address cannot"
              + " tell");
    }
  }

  /**
   * Checks that all bytes of some elements lie in these segments. Takes a time that grows with the number of runs,
   * unless one segment holds all of their span.
   *
   * @return whether some of them cannot be written
   */
  boolean check(Plan plan, long offset, long count) {
    if (count == 0 || plan.size() == 0) {
      return false;
    }
    boolean[] readOnly = {false};
    long ends = (count - 1) * plan.extent(); // known to fit, as are all sums below
    long low = offset + plan.trueLowerBound() + Math.min(0, ends);
    MemorySegment holder = find(low);
    if (holder != null && low + plan.trueExtent() + Math.abs(ends) <= Raw.address(holder) + holder.byteSize()) {
      return holder.isReadOnly();
    }
    if (plan.isContiguous()) { // one run, however many elements
      return checkRun(low, plan.packedBytes(count));
    }
    plan.forEachRun(count, (displacement, bytes) -> readOnly[0] |= checkRun(offset + displacement, bytes));
    return readOnly[0];
  }

  /** A run may continue in a segment that begins where one ends. */
  private boolean checkRun(long from, long bytes) {
    boolean readOnly = false;
    long at = from;
    while (at < from + bytes) {
      MemorySegment holder = find(at);
      if (holder == null) {
        throw new MpiException(
            ErrorClass.ERR_BUFFER,
            "type: names " + bytes + " bytes from address 0x" + Long.toHexString(from) + ", of which the one at 0x"
                + Long.toHexString(at) + " lies in none of the " + segments.size() + " storages");
      }
      readOnly |= holder.isReadOnly();
      at = Raw.address(holder) + holder.byteSize();
    }
    return readOnly;
  }

  /** Returns a segment that holds an address, of several the one that begins last; null when there is none. */
  private MemorySegment find(long address) {
    int low = 0;
    int high = segments.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Raw.address(segments.get(middle)) <= address) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    for (int i = low - 1; i >= 0; i--) { // segments may lie within others
      if (address < Raw.address(segments.get(i)) + segments.get(i).byteSize()) {
        return segments.get(i);
      }
    }
    return null;
  }

  /** Describes the segments for messages. */
  @Override
  public String toString() {
    return segments.size() + (segments.size() == 1 ? " storage" : " storages");
  }
}
