// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.handle;

import java.lang.foreign.MemorySegment;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.basic.Bounds;
import org.ffmpi.datatype.carrier.Carrier;

/** Reads and writes single elements of a buffer. Checks index, bounds and access before it touches memory. */
final class ElementAccess {
  private ElementAccess() {}

  static <T> T get(Carrier<T> carrier, Bounds bounds, MemorySegment segment, long index) {
    long at = place(bounds, segment, index);
    try {
      return carrier.read(segment, at);
    } catch (IllegalStateException | WrongThreadException e) {
      throw inaccessible(segment, e);
    }
  }

  static <T> void set(Carrier<T> carrier, Bounds bounds, MemorySegment segment, long index, T value) {
    long at = place(bounds, segment, index);
    if (segment.isReadOnly()) {
      throw MpiException.argument(ErrorClass.ERR_BUFFER, "segment", "read-only", "segments that can be written");
    }
    if (value == null) {
      throw MpiException.argument(ErrorClass.ERR_ARG, "value", "null", "objects");
    }
    try {
      carrier.write(segment, at, value);
    } catch (IllegalStateException | WrongThreadException e) {
      throw inaccessible(value instanceof MemorySegment from && isAccessible(segment) ? from : segment, e);
    } catch (ClassCastException e) {
      throw new MpiException(
          ErrorClass.ERR_ARG,
          "value = " + value + ": is a " + value.getClass().getName() + ", which an element of the type is not", e);
    }
  }

  /** Returns the exception for memory that cannot be touched. Exceptions of a record's own code pass unchanged. */
  private static RuntimeException inaccessible(MemorySegment segment, RuntimeException cause) {
    return isAccessible(segment)
        ? cause
        : new MpiException(
            ErrorClass.ERR_BUFFER, "segment = " + segment + ": its arena is closed or is another thread's", cause);
  }

  private static boolean isAccessible(MemorySegment segment) {
    return segment.scope().isAlive() && segment.isAccessibleBy(Thread.currentThread());
  }

  /** Returns where an element lies in a segment that holds all of it. */
  private static long place(Bounds bounds, MemorySegment segment, long index) {
    if (index < 0) {
      throw MpiException.argument(ErrorClass.ERR_ARG, "index", index, "indices that are not negative");
    }
    if (segment == null) {
      throw MpiException.argument(ErrorClass.ERR_BUFFER, "segment", "null", "memory segments");
    }
    long at = index * bounds.extent();
    boolean fits = Math.multiplyHigh(index, bounds.extent()) == at >> 63
        && at + bounds.trueLowerBound() >= 0
        && at <= segment.byteSize() - bounds.trueUpperBound();
    if (!fits) {
      throw new MpiException(ErrorClass.ERR_BUFFER, "segment has " + segment.byteSize() + " bytes: too small for"
          + " element " + index + " of extent " + bounds.extent() + " and true extent " + bounds.trueExtent());
    }
    return at;
  }
}
