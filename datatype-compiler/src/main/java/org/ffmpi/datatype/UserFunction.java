// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype;

import java.lang.foreign.MemorySegment;
import org.ffmpi.base.Standard;

/**
 * A program's own function that combines elements of any type, several at a time ({@code MPI_User_function} and its
 * large-count form, MPI-4.1 §6.9.5). For each {@code i < len}, {@code inout[i]} becomes {@code in[i] op inout[i]}; the
 * left operand comes from the lower rank. The operation has to be associative.
 *
 * {@snippet :
 * UserFunction sum = (in, inout, len, type) -> {
 *   for (long i = 0; i < len; i++) {
 *     inout.setAtIndex(JAVA_DOUBLE, i, in.getAtIndex(JAVA_DOUBLE, i) + inout.getAtIndex(JAVA_DOUBLE, i));
 *   }
 * };
 * }
 *
 * <p>Both operands are native segments, for buffers in any kind of memory, and begin at an address that suits the type.
 * Element {@code i} lies {@code i * type.extent()} bytes from the first, gaps included. The first element lies at the
 * beginning of the segment, unless data lie below it (negative displacements or extents): then the lowest byte of data
 * is the beginning. Bytes written to gaps are lost. Segments include the gap at the end of the last element.
 *
 * <p>A call combines some or all elements of a reduction; all calls together combine each element once. Any thread that
 * makes progress may call the function, and several threads may do so at the same time, but never for the same
 * reduction of the same rank.
 *
 * <p>The function must not communicate: such calls fail with ERR_OTHER. It may query the type and call {@code abort}.
 * An exception of the function becomes the error of the reduction.
 */
@FunctionalInterface
@Standard({"MPI_User_function"})
public interface UserFunction {
  /**
   * Combines elements.
   *
   * @param in left operands, read-only; not to be used after the call
   * @param inout right operands, to be replaced by the results; not to be used after the call
   * @param len number of elements of {@code type}, at least 1
   * @param type the object that the program has given to the reduction, so that one function can serve several types
   */
  void apply(MemorySegment in, MemorySegment inout, long len, Datatype<?> type);
}
