// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ffmpi.base.raw.Raw;

/**
 * Memory of confined arenas. Only the thread that owns the arena touches or closes it, so one check at the beginning of
 * a call holds until its end, and the memory is moved by address.
 */
final class ConfinedMemory {
  private ConfinedMemory() {}

  /**
   * Returns the address of a segment's first byte; throws the JDK's exception when it is closed or another thread's.
   */
  static long address(Object owner) {
    MemorySegment segment = (MemorySegment) owner;
    segment.get(ValueLayout.JAVA_BYTE, 0); // the cheapest access that checks: calls that move nothing do not come here
    return Raw.address(segment);
  }
}
