// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.pattern;

/** A faster loop than the shared ones for copies of one pattern at one distance, once it exists. */
public interface LoopCopier {
  /**
   * Moves whole copies, or none.
   *
   * @param copier kind of memory and direction
   * @param array the user's array
   * @param at origin of the first copy
   * @param count number of copies
   * @param other absolute address of the stream, or of the first copy's origin on the other side
   * @param otherStride from copy to copy there
   * @return false when nothing was moved: the shared loops have to do it
   */
  public boolean move(Copier copier, Object array, long at, long count, long other, long otherStride);
}
