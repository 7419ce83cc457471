// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.kernel;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;
import org.ffmpi.base.raw.Raw;

/**
 * Vector loops that move the runs of a list into a {@code byte[]}, out of a stream or out of native memory laid out
 * alike; linked only where there are vectors of 64 bytes. The classes for other kinds of memory are derived from this
 * one.
 */
final class ByteUnpackVectors {
  private static final VectorSpecies<Byte> S512 = ByteVector.SPECIES_512;
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final MemorySegment MEMORY = Raw.EVERYTHING;

  /** Fewer elements are not worth a search for a permutation. */
  private static final long FEW = 8;

  /** Elements in a loop that counts with ints, which the JVM's compiler handles best. */
  private static final long CHUNK = 1 << 24;

  private ByteUnpackVectors() {}

  /** Returns the mask of the lanes that hold the first bytes, 1 to 64. */
  private static VectorMask<Byte> first(long bytes) {
    return VectorMask.fromLong(S512, -1L >>> (64 - bytes / ByteArrays.WIDTH));
  }

  private static void one(byte[] a, long s, long d, long bytes) {
    if (bytes - 1 >>> 6 == 0 && ByteArrays.isWhole(d | bytes)) {
      VectorMask<Byte> mask = first(bytes);
      ByteVector.fromMemorySegment(S512, MEMORY, s, ORDER, mask).intoArray(a, ByteArrays.at(d), mask);
    } else {
      NativeToBytes.one(a, s, d, bytes);
    }
  }

  // ---- out of a stream

  static void runs(
      byte[] a, long src, long dst, long dstStride, long count,
      long[] displacements, long[] lengths, int from, int to) {
    if (count >= FEW && elements(a, src, dst, dstStride, count, displacements, lengths, from, to)) {
      return;
    }
    long stream = src;
    for (long i = 0; i < count; i++) {
      for (int r = from; r < to; r++) {
        long bytes = lengths[r];
        one(a, stream, dst + i * dstStride + displacements[r], bytes);
        stream += bytes;
      }
    }
  }

  /** Unpacks elements that fit a vector by one permutation; returns false if they do not fit. */
  private static boolean elements(
      byte[] a, long src, long dst, long dstStride, long count,
      long[] displacements, long[] lengths, int from, int to) {
    int span = VectorLanes.span(displacements, lengths, from, to);
    if (span == 0 || count >= CHUNK) {
      return false;
    }
    long low = VectorLanes.lowest(displacements, from, to);
    long lowest = dst + low;
    long bytes = VectorLanes.bytes(displacements, lengths, from, to, low);
    if (!ByteArrays.isWhole(lowest | dstStride) || !VectorLanes.whole(bytes, ByteArrays.WIDTH)) {
      return false;
    }
    IntVector lanes = VectorLanes.unfold(VectorLanes.scatter(displacements, lengths, from, to, low));
    VectorMask<Byte> mask = VectorMask.fromLong(S512, VectorLanes.elements(bytes, ByteArrays.WIDTH));
    int size = VectorLanes.size(lengths, from, to);
    // The last elements are moved run by run, so that no vector reads behind the stream.
    int whole = (int) (count - (64 + size - 1) / size);
    var d = ByteArrays.at(lowest);
    var step = ByteArrays.at(dstStride);
    long s = src;
    for (int i = 0; i < whole; i++) {
      IntVector v = IntVector.fromMemorySegment(IntVector.SPECIES_512, MEMORY, s, ORDER);
      lanes.selectFrom(v, v).reinterpretAsBytes().intoArray(a, d, mask);
      s += size;
      d += step;
    }
    for (long i = Math.max(whole, 0); i < count; i++) {
      s = NativeToBytes.runsUnpacked(a, s, dst + i * dstStride, displacements, lengths, from, to);
    }
    return true;
  }

  // ---- out of memory laid out alike

  static void copyRuns(
      byte[] a, long src, long srcStride, long dst, long dstStride, long count,
      long[] displacements, long[] lengths, int from, int to) {
    if (count >= FEW && copyElements(a, src, srcStride, dst, dstStride, count, displacements, lengths, from, to)) {
      return;
    }
    for (long i = 0; i < count; i++) {
      for (int r = from; r < to; r++) {
        long displacement = displacements[r];
        one(a, src + i * srcStride + displacement, dst + i * dstStride + displacement, lengths[r]);
      }
    }
  }

  /** Copies elements that fit a vector under one mask; returns false if they do not fit. */
  private static boolean copyElements(
      byte[] a, long src, long srcStride, long dst, long dstStride, long count,
      long[] displacements, long[] lengths, int from, int to) {
    long low = VectorLanes.lowest(displacements, from, to);
    long lowest = dst + low;
    long bytes = VectorLanes.bytes(displacements, lengths, from, to, low);
    if (bytes == 0 || count >= CHUNK
        || !ByteArrays.isWhole(lowest | dstStride) || !VectorLanes.whole(bytes, ByteArrays.WIDTH)) {
      return false;
    }
    VectorMask<Byte> mask = VectorMask.fromLong(S512, VectorLanes.elements(bytes, ByteArrays.WIDTH));
    long s = src + low;
    var d = ByteArrays.at(lowest);
    var step = ByteArrays.at(dstStride);
    for (int i = 0; i < (int) count; i++) {
      ByteVector.fromMemorySegment(S512, MEMORY, s, ORDER, mask).intoArray(a, d, mask);
      s += srcStride;
      d += step;
    }
    return true;
  }
}
