// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.libraries;

import java.lang.foreign.MemorySegment;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.Float8Vector;
import org.ffmpi.Buf;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.spi.CountedMemory;

/**
 * The memory of an Arrow buffer for messages, by its address, without a copy. Each operation holds a reference of
 * its own from its start to its completion, so a vector may be closed while a message is on its way; its allocator may
 * not, as with any reference. A vector that grows gets another buffer: a {@link Buf} that was made before is then
 * refused.
 */
final class ArrowMemory implements CountedMemory {
  private final ArrowBuf buffer;
  private final MemorySegment segment;

  @SuppressWarnings("restricted") // the address is Arrow's, and lives as long as the references to it
  private ArrowMemory(ArrowBuf buffer) {
    this.buffer = buffer;
    this.segment = MemorySegment.ofAddress(buffer.memoryAddress()).reinterpret(buffer.capacity());
  }

  /** A buffer over all values of a vector; those of null entries have no meaning. */
  static Buf<Double> values(Float8Vector vector) {
    return Buf.of(new ArrowMemory(vector.getDataBuffer()), 0, vector.getValueCount(), Datatype.DOUBLE);
  }

  /** A buffer over the bits of a vector that mark the entries that are not null. */
  static Buf<Byte> validity(Float8Vector vector) {
    long bytes = (vector.getValueCount() + 7) / 8;
    return Buf.of(new ArrowMemory(vector.getValidityBuffer()), 0, bytes, Datatype.BYTE);
  }

  @Override
  public MemorySegment segment() {
    return segment;
  }

  @Override
  public String missing() {
    return buffer.refCnt() > 0 ? null : "a buffer of Arrow that has not been released";
  }

  @Override
  public Lease lease() {
    try {
      buffer.getReferenceManager().retain();
    } catch (IllegalStateException | IllegalArgumentException e) {
      throw new MpiException(ErrorClass.ERR_BUFFER, "buffer: " + buffer + " has been released", e);
    }
    return () -> buffer.getReferenceManager().release();
  }
}
