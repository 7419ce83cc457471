// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.basic;

/**
 * The numbers that follow from a typemap (MPI-4.1 §5.1.6 to §5.1.8), computed once per tree node. All in bytes,
 * relative to the address a buffer argument names.
 *
 * @param size bytes of data in one element, gaps not counted
 * @param lowerBound lower bound, from which elements are laid side by side
 * @param upperBound where the next element begins
 * @param trueLowerBound lowest displacement of any data; 0 when there are none
 * @param trueUpperBound end of the data with the highest displacement; 0 when there are none
 * @param alignment the largest alignment of any basic type in the map; 1 when there is none
 * @param marked whether a constructor set the bounds; types built from this one then derive theirs from these and not
 *     from the data
 * @param dataEnd end of the data with the padding that structs in the type count as data; not used when marked
 * @param paddedEnd end of the data with the trailing padding of the elements too, which a struct around counts as data;
 *     not used when marked
 */
public record Bounds(
    long size,
    long lowerBound,
    long upperBound,
    long trueLowerBound,
    long trueUpperBound,
    int alignment,
    boolean marked,
    long dataEnd,
    long paddedEnd) {
  /** Creates the bounds of a predefined type, whose only padding is its own, or bounds that a constructor sets. */
  public Bounds(
      long size,
      long lowerBound,
      long upperBound,
      long trueLowerBound,
      long trueUpperBound,
      int alignment,
      boolean marked) {
    this(
        size, lowerBound, upperBound, trueLowerBound, trueUpperBound, alignment, marked, trueUpperBound, upperBound);
  }

  /**
   * Returns the distance between consecutive elements ({@code upperBound - lowerBound}).
   *
   * @return the extent, which a resized type may make negative
   */
  public long extent() {
    return upperBound - lowerBound;
  }

  /**
   * Returns the bytes from the first to the last byte of data ({@code trueUpperBound - trueLowerBound}).
   *
   * @return the true extent, not negative
   */
  public long trueExtent() {
    return trueUpperBound - trueLowerBound;
  }
}
