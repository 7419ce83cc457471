// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.reduce;

/**
 * One operation on elements of one type, {@code inout[i] = in[i] op inout[i]}. In a reduction {@code in} comes from the
 * lower rank.
 *
 * <p>Operands lie as in a user's buffer, elements {@code extent()} apart: pairs with gaps keep their gaps, whose
 * bytes are not changed. They do not overlap. Kernels are immutable, shared by all threads, do not block, and check no
 * bounds on native memory: callers have done so and keep the memory alive during the call. Results do not depend on the
 * path taken (native or array, vector instructions or none); only which NaN a sum or product of NaNs yields is left to
 * the processor.
 */
public interface ReduceKernel {

  /**
   * Combines elements in native memory.
   *
   * @param in absolute address of the left operands
   * @param inout absolute address of the right operands, replaced by the results
   * @param count number of elements, not negative
   */
  void reduce(long in, long inout, long count);

  /**
   * Combines elements in native memory into a Java array, or any other memory a buffer can lie in.
   *
   * @param in absolute address of the left operands
   * @param array owner of the right operands, which are replaced by the results
   * @param arrayKind kind of {@code array}, a constant of {@link org.ffmpi.base.raw.Memory}
   * @param byteOffset where the first right operand lies, by the rules of {@code arrayKind}
   * @param count number of elements, not negative
   */
  void reduce(long in, Object array, int arrayKind, long byteOffset, long count);

  /**
   * Combines elements of two operands that stay as they are: {@code out[i] = left[i] op right[i]}, in native memory.
   * For operands that others read as well.
   *
   * @param left absolute address of the left operands
   * @param right absolute address of the right operands; the left ones may lie there too
   * @param out absolute address of the results, which overlap neither operand; bytes in gaps are not changed
   * @param count number of elements, not negative
   */
  void combine(long left, long right, long out, long count);

  /**
   * Returns a small number that is the same in all processes for one operation on one representation of elements. For
   * another operation on the same, or the same operation on another, it differs also modulo 31.
   *
   * @return the number; 0 for operations of programs, pairs, and numbers that Java does not have
   */
  default int kind() {
    return 0;
  }
}
