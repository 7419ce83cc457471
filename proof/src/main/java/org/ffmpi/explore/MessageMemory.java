// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.explore;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.ffmpi.base.raw.Raw;

/** The packed bytes of the messages of one run at a time. Used by the rank that has the turn. */
final class MessageMemory {
  private static final long CHUNK = 1 << 16;

  /** Chunks that are full, and in use until the run is over. */
  private final List<MemorySegment> kept = new ArrayList<>();
  private MemorySegment chunk = Arena.ofAuto().allocate(CHUNK, 64);
  private long used;

  /** Returns the address of some bytes, which last as long as this object, or until it is emptied. */
  long allocate(long bytes) {
    long rounded = bytes + 7 & -8;
    if (rounded > chunk.byteSize() - used) {
      kept.add(chunk);
      chunk = Arena.ofAuto().allocate(Math.max(CHUNK, rounded), 64);
      used = 0;
    }
    long address = Raw.address(chunk) + used;
    used += rounded;
    return address;
  }

  /** Forgets all messages; the run that used them is over. */
  void empty() {
    kept.clear();
    used = 0;
  }
}
