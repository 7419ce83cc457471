// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ffmpi.dialect.BaseKind;
import org.ffmpi.dialect.TypedMemory;

/** Converts the operands of a program's own reductions to buffers over their memory and to arrays of the base type. */
final class Operands {
  private Operands() {}

  /** Combines elements that lie in two segments. */
  static void combine(UserFunction function, MemorySegment in, MemorySegment inOut, int count, Datatype type) {
    if (type.kind() == BaseKind.BOOLEAN) {
      Object first = array(buffer(in), type.kind());
      ByteBuffer results = buffer(inOut);
      Object second = array(results, type.kind());
      function.call(first, second, count, type);
      put(second, results);
      copyBack(results, inOut);
      return;
    }
    ByteBuffer results = buffer(inOut);
    function.call(buffer(in), results, count, type);
    copyBack(results, inOut);
  }

  private static boolean isViewed(MemorySegment segment) {
    return segment.isNative() || segment.heapBase().orElse(null) instanceof byte[];
  }

  /** Returns a buffer over the segment's memory; over a copy where it lies in an array of wider values. */
  private static ByteBuffer buffer(MemorySegment segment) {
    MemorySegment bytes =
        isViewed(segment) ? segment : MemorySegment.ofArray(new byte[(int) segment.byteSize()]).copyFrom(segment);
    return bytes.asByteBuffer().order(ByteOrder.nativeOrder());
  }

  private static void copyBack(ByteBuffer results, MemorySegment into) {
    if (!isViewed(into)) {
      into.copyFrom(MemorySegment.ofBuffer(results.duplicate().clear()));
    }
  }

  /** Returns a copy of a buffer as an array. */
  static Object array(ByteBuffer buffer, BaseKind kind) {
    int length = buffer.capacity() / kind.width();
    Object array = switch (kind) {
      case BYTE -> new byte[length];
      case BOOLEAN -> new boolean[length];
      case CHAR -> new char[length];
      case SHORT -> new short[length];
      case INT -> new int[length];
      case LONG -> new long[length];
      case FLOAT -> new float[length];
      case DOUBLE -> new double[length];
    };
    if (array instanceof boolean[] truths) {
      for (int i = 0; i < length; i++) {
        truths[i] = buffer.get(i) != 0;
      }
    } else {
      segment(array).copyFrom(whole(buffer, length * kind.width()));
    }
    return array;
  }

  /** Copies an array into a buffer. */
  static void put(Object array, ByteBuffer into) {
    if (array instanceof boolean[] truths) {
      for (int i = 0; i < truths.length; i++) {
        into.put(i, (byte) (truths[i] ? 1 : 0));
      }
    } else {
      MemorySegment values = segment(array);
      whole(into, (int) values.byteSize()).copyFrom(values);
    }
  }

  private static MemorySegment whole(ByteBuffer buffer, int bytes) {
    return MemorySegment.ofBuffer(buffer.duplicate().clear()).asSlice(0, bytes);
  }

  private static MemorySegment segment(Object array) {
    return (MemorySegment) TypedMemory.bytesOf(array);
  }
}
