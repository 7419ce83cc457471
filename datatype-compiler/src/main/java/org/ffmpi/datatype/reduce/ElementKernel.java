// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.reduce;

import java.lang.foreign.Arena;
import java.lang.ref.Reference;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;

/**
 * The base of the generated kernels, which selects a loop for each kind of memory. Arrays of the element's own type are
 * combined in place. Other memory (a {@code byte[]} that holds doubles, an unaligned offset, a segment with an owner)
 * goes through a small native tile.
 */
abstract class ElementKernel implements ReduceKernel {
  /** Bytes of an operand copied at a time: such a tile stays in the first-level cache. */
  static final int TILE_BYTES = 4096;

  /**
   * Elements from which a loop that the compiler vectorizes is faster than eight scalars at a time, which need no
   * prologue and epilogue.
   */
  static final int MANY = 64;

  /** The same between native operands, of which one is copied to an array first to enable vector code. */
  static final int TILED_FROM = 128;

  /** The same for short operations on 4-byte numbers. */
  static final int TILED_INTS_FROM = 256;

  /** Elements from which copies to arrays and back are faster than loads and stores that are not compiled. */
  static final int FEW = 16;

  /**
   * Elements from which on a kernel uses loops over native memory. Until these are compiled they take a microsecond an
   * element, since each load is a dozen calls; a loop over two arrays takes thirty times less, and three copies as much
   * as that loop. Tests set it.
   */
  static long longRun = 1 << 24;

  /** What a call counts beside its elements: also the copies of short operands take a while. */
  private static final int CALL = 64;

  private final int unit;
  private final int stride;
  private final int span;

  private int kind;

  /** Elements and calls so far; a rough count, since threads may race. */
  private long combined;

  /**
   * Creates a kernel.
   *
   * @param unit bytes of one component of the arrays such elements lie in; a power of two
   * @param stride bytes between elements
   * @param span bytes from the first to the last byte of an element's data
   */
  ElementKernel(int unit, int stride, int span) {
    this.unit = unit;
    this.stride = stride;
    this.span = span;
  }

  /**
   * Combines into an array of the element's own type.
   *
   * @param in absolute address of the left operands
   * @param array the array
   * @param kind its kind
   * @param from array index of the first right operand
   * @param count number of elements
   * @return false, with nothing done, when there is no loop for this kind of array
   */
  abstract boolean reduceArray(long in, Object array, int kind, int from, int count);

  @Override
  public final int kind() {
    return kind;
  }

  /** Sets the {@link #kind}, before the kernel is used. */
  final void kind(int number) {
    kind = number;
  }

  /** Counts a call; returns whether so much has been combined that the loops over native memory pay. */
  final boolean runsLong(long count) {
    if (combined >= longRun) {
      return true;
    }
    combined += count + CALL;
    return false;
  }

  @Override
  public final void reduce(long in, Object array, int arrayKind, long byteOffset, long count) {
    if (arrayKind == Memory.NATIVE) {
      try {
        reduce(in, byteOffset, count);
      } finally {
        Reference.reachabilityFence(array);
      }
      return;
    }
    boolean aligned = (byteOffset & (unit - 1)) == 0;
    boolean small = count <= Integer.MAX_VALUE && byteOffset / unit <= Integer.MAX_VALUE;
    if (!aligned || !small || !reduceArray(in, array, arrayKind, (int) (byteOffset / unit), (int) count)) {
      reduceStaged(in, array, arrayKind, byteOffset, count);
    }
  }

  private void reduceStaged(long in, Object owner, int kind, long offset, long count) {
    if (count == 0) {
      return;
    }
    long chunk = Math.min(count, TILE_BYTES / stride);
    try (Arena arena = Arena.ofConfined()) {
      long stage = Raw.address(arena.allocate(chunk * stride, Long.BYTES));
      for (long done = 0; done < count; done += chunk) {
        long elements = Math.min(count - done, chunk);
        // Ends with the last element's data: the padding after it need not belong to the buffer.
        long bytes = (elements - 1) * stride + span;
        Memory.read(kind, owner, offset + done * stride, stage, bytes);
        reduce(in + done * stride, stage, elements);
        Memory.write(kind, owner, offset + done * stride, stage, bytes);
      }
    }
  }
}
