// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.carrier;

import java.lang.foreign.MemorySegment;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/**
 * The carrier of types that were read from a layout. An element is a segment, which a program accesses by the layout's
 * own handles.
 *
 * @param bytes size of the layout
 */
public record SegmentCarrier(long bytes) implements Carrier<MemorySegment> {
  @Override
  public MemorySegment read(MemorySegment segment, long offset) {
    checkWhole(segment, offset);
    return segment.asSlice(offset, bytes);
  }

  @Override
  public void write(MemorySegment segment, long offset, MemorySegment value) {
    if (value.byteSize() != bytes) {
      throw MpiException.argument(ErrorClass.ERR_ARG, "value.byteSize()", value.byteSize(), Long.toString(bytes));
    }
    checkWhole(segment, offset);
    MemorySegment.copy(value, 0, segment, offset, bytes);
  }

  /** An element is its whole layout here, not only the span of its data. */
  private void checkWhole(MemorySegment segment, long offset) {
    if (offset < 0 || offset > segment.byteSize() - bytes) {
      throw new MpiException(ErrorClass.ERR_BUFFER,
          "segment has " + segment.byteSize() + " bytes: too small for " + bytes + " bytes at " + offset);
    }
  }
}
