// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.operations;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ffmpi.Op;
import org.ffmpi.datatype.Datatype;

/** The map from x to a x + b, of numbers modulo 2^64. One after the other is associative, but does not commute. */
public record Affine(long a, long b) {
  static final Datatype<Affine> TYPE = Datatype.ofRecord(Affine.class).commit();

  /** This map first, then the other one. */
  Affine then(Affine next) {
    return new Affine(a * next.a, next.a * b + next.b);
  }

  /** What a rank contributes as element {@code i}. */
  static Affine of(int rank, int i) {
    return new Affine(2L * rank + 3 + 4L * i, 7L * i - rank);
  }

  /** The maps of ranks {@code 0..ranks - 1} one after the other: the linear chain of the standard. */
  static Affine chain(int ranks, int i) {
    Affine all = of(0, i);
    for (int rank = 1; rank < ranks; rank++) {
      all = all.then(of(rank, i));
    }
    return all;
  }

  /** Writes what a rank contributes, {@code stride} bytes apart, and -1 into all other bytes. */
  static void fill(MemorySegment memory, long stride, int count, int rank) {
    memory.fill((byte) -1);
    for (int i = 0; i < count; i++) {
      Affine own = of(rank, i);
      memory.set(ValueLayout.JAVA_LONG, i * stride, own.a);
      memory.set(ValueLayout.JAVA_LONG, i * stride + 8, own.b);
    }
  }

  static void compose(MemorySegment in, MemorySegment inout, long len) {
    for (long i = 0; i < 2 * len; i += 2) {
      long a = inout.getAtIndex(ValueLayout.JAVA_LONG, i);
      long b = inout.getAtIndex(ValueLayout.JAVA_LONG, i + 1);
      inout.setAtIndex(ValueLayout.JAVA_LONG, i, in.getAtIndex(ValueLayout.JAVA_LONG, i) * a);
      inout.setAtIndex(ValueLayout.JAVA_LONG, i + 1, a * in.getAtIndex(ValueLayout.JAVA_LONG, i + 1) + b);
    }
  }

  /** The operation on single records. */
  static Op<Affine> onRecords() {
    return Op.ordered(TYPE, Affine::then);
  }

  /** The operation on many records in a call. */
  static Op<Affine> inBulk() {
    return Op.kernel(TYPE, false, Affine::compose);
  }

  /** The operation on pairs of longs of whatever type, as long as they lie side by side at the beginning of it. */
  static Op<Object> onAnyType() {
    return Op.kernel(false, (in, inout, len, type) -> {
      for (long i = 0; i < len; i++) {
        long at = i * type.extent();
        compose(in.asSlice(at, 16), inout.asSlice(at, 16), 1);
      }
    });
  }
}
