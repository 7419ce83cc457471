// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.carrier;

import java.lang.foreign.MemorySegment;

/**
 * Reads one element in memory as a Java object and writes it back.
 *
 * @param <T> the object's class
 */
public interface Carrier<T> {
  /** Reads the element whose origin is at a displacement in a segment, which has been checked to hold it. */
  T read(MemorySegment segment, long offset);

  /** Writes an element; touches nothing when the object cannot be written. */
  void write(MemorySegment segment, long offset, T value);
}
