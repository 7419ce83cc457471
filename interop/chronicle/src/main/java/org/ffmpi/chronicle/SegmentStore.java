// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.chronicle;

import java.lang.foreign.MemorySegment;
import net.openhft.chronicle.bytes.PointerBytesStore;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;

/** A store over a segment, which it keeps reachable and thereby alive. */
final class SegmentStore extends PointerBytesStore {
  private final MemorySegment segment;

  SegmentStore(MemorySegment segment) {
    this.segment = segment;
    set(Raw.address(segment), segment.byteSize());
  }

  /** Refuses memory that an address cannot stand for. */
  static void check(MemorySegment segment) {
    if (segment == null) {
      throw MpiException.argument(ErrorClass.ERR_BUFFER, "segment", null, "a native segment");
    }
    if (!segment.isNative()) {
      throw MpiException.argument(
          ErrorClass.ERR_BUFFER, "segment", segment,
          "native segments: memory on the Java heap has no address; BytesStore.wrap takes a byte[]");
    }
    if (Memory.kindOf(segment) != Memory.NATIVE) {
      throw MpiException.argument(
          ErrorClass.ERR_BUFFER, "segment", segment,
          "segments of mpi.shared().allocate or of a global or automatic arena: others can be closed, which Chronicle"
              + " would not notice");
    }
    if (segment.isReadOnly()) {
      throw MpiException.argument(
          ErrorClass.ERR_BUFFER, "segment", segment, "writable segments: Chronicle would write to it all the same");
    }
  }

  /** Describes the store for messages. */
  @Override
  public String toString() {
    return "SegmentStore[" + segment + "]";
  }
}
