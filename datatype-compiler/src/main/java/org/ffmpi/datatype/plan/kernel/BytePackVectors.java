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
 * Vector loops that pack the runs of a list out of a {@code byte[]}; linked only where there are vectors of 64 bytes.
 * The classes for other kinds of memory are derived from this one.
 */
final class BytePackVectors {
  private static final VectorSpecies<Byte> S512 = ByteVector.SPECIES_512;
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final MemorySegment MEMORY = Raw.EVERYTHING;

  /** Fewer elements are not worth a search for a permutation. */
  private static final long FEW = 8;

  /** Elements in a loop that counts with ints, which the JVM's compiler handles best. */
  private static final long CHUNK = 1 << 24;

  private BytePackVectors() {}

  static void runs(
      byte[] a, long src, long srcStride, long dst, long count,
      long[] displacements, long[] lengths, int from, int to) {
    if (count >= FEW && elements(a, src, srcStride, dst, count, displacements, lengths, from, to)) {
      return;
    }
    long stream = dst;
    for (long i = 0; i < count; i++) {
      for (int r = from; r < to; r++) {
        long bytes = lengths[r];
        long s = src + i * srcStride + displacements[r];
        if (bytes - 1 >>> 6 == 0 && ByteArrays.isWhole(s | bytes)) {
          VectorMask<Byte> mask = first(bytes);
          ByteVector.fromArray(S512, a, ByteArrays.at(s), mask).intoMemorySegment(MEMORY, stream, ORDER, mask);
        } else {
          BytesToNative.one(a, s, stream, bytes);
        }
        stream += bytes;
      }
    }
  }

  /** Returns the mask of the lanes that hold the first bytes, 1 to 64. */
  private static VectorMask<Byte> first(long bytes) {
    return VectorMask.fromLong(S512, -1L >>> (64 - bytes / ByteArrays.WIDTH));
  }

  /** Packs elements that fit a vector by one permutation; returns false if they do not fit. */
  private static boolean elements(
      byte[] a, long src, long srcStride, long dst, long count,
      long[] displacements, long[] lengths, int from, int to) {
    int span = VectorLanes.span(displacements, lengths, from, to);
    if (span == 0 || srcStride <= 0 || count >= CHUNK) {
      return false;
    }
    long low = VectorLanes.lowest(displacements, from, to);
    long lowest = src + low;
    if (!ByteArrays.isWhole(lowest | srcStride)) {
      return false;
    }
    IntVector lanes = VectorLanes.unfold(VectorLanes.gather(displacements, lengths, from, to, low));
    int size = VectorLanes.size(lengths, from, to);
    // The last elements are moved run by run, so that no vector reads behind them or writes behind the stream.
    long readable = count - 1 - (64 - span + srcStride - 1) / srcStride;
    int whole = (int) Math.min(readable, count - (64 + size - 1) / size);
    var s = ByteArrays.at(lowest);
    var step = ByteArrays.at(srcStride);
    long d = dst;
    for (int i = 0; i < whole; i++) {
      IntVector v = ByteVector.fromArray(S512, a, s).reinterpretAsInts();
      lanes.selectFrom(v, v).intoMemorySegment(MEMORY, d, ORDER);
      s += step;
      d += size;
    }
    for (long i = Math.max(whole, 0); i < count; i++) {
      d = BytesToNative.runsPacked(a, src + i * srcStride, displacements, lengths, from, to, d);
    }
    return true;
  }
}
