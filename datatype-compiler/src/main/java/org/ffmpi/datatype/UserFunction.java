// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype;

import java.lang.foreign.MemorySegment;
import org.ffmpi.base.Standard;

/**
 * How a program combines elements of any type, several at a time ({@code MPI_User_function} and its large-count form,
 * MPI-4.1 §6.9.5). For each {@code i < len}, {@code inout[i]} becomes {@code in[i] op inout[i]}; the left operand comes
 * from the lower rank. The operation has to be associative.
 *
 * {@snippet :
 * UserFunction sum = (in, inout, len, type) -> {
 *   for (long i = 0; i < len; i++) {
 *     inout.setAtIndex(JAVA_DOUBLE, i, in.getAtIndex(JAVA_DOUBLE, i) + inout.getAtIndex(JAVA_DOUBLE, i));
 *   }
 * };
 * }
 *
 * <p>Both operands are always native segments, whatever memory the buffers of the call lie in, and begin at an address
 * that suits the type. Element {@code i} lies {@code i * type.extent()} bytes from the first, gaps included; the first
 * lies at the beginning, unless data lie below it (negative displacements or extents): then the lowest byte of data is
 * the beginning. What is written to gaps is lost. Segments hold the last element with the gap at its end.
 *
 * <p>A call combines a part of the elements of a reduction, possibly all; the parts of all calls together are the
 * whole. Calls come from any thread that makes progress, several at a time; never twice at the same time for the same
 * reduction of the same rank.
 *
 * <p>Inside, no communication is allowed: such calls fail with ERR_OTHER. What the type is may be asked, and
 * {@code abort} may be called. What the function throws is the error of the reduction.
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
   * @param type the very object that the program has given to the reduction, so that one function can serve several
   */
  void apply(MemorySegment in, MemorySegment inout, long len, Datatype<?> type);
}
