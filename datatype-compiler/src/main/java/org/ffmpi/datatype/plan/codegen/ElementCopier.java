// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.codegen;

import org.ffmpi.datatype.plan.pattern.Copier;

/**
 * Loops generated for one {@link ElementProgram} and one kind of memory, with all displacements as constants.
 * Implemented by generated classes only; one instance serves all threads.
 *
 * <p>Memory is given as in {@link Copier}: the array and the byte offset in it, or null and an absolute address. The
 * other side is native. Only the JVM's own checks of arrays are made. No byte of a gap and none behind the stream is
 * written.
 */
interface ElementCopier {

  /**
   * Packs whole elements.
   *
   * @param array the user's array
   * @param at origin of the first element
   * @param count number of elements, not negative
   * @param dst absolute address of the stream
   */
  void pack(Object array, long at, long count, long dst);

  /**
   * Unpacks whole elements.
   *
   * @param src absolute address of the stream
   * @param array the user's array
   * @param at origin of the first element
   * @param count number of elements, not negative
   */
  void unpack(long src, Object array, long at, long count);

  /**
   * Copies whole elements from memory laid out alike.
   *
   * @param src absolute address of the first element's origin there
   * @param array the user's array
   * @param at origin of the first element
   * @param count number of elements, not negative
   */
  void copy(long src, Object array, long at, long count);
}
