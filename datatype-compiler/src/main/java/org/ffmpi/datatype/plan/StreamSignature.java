// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

/**
 * The sequence of basic types that a stream of elements is made of, as far as a plan's users compare it: by hash. Made
 * by the type algebra, carried along by {@link Plan#withSignature}, read by engines that check messages.
 */
public interface StreamSignature {
  /**
   * Hashes the basic types in the first bytes of an endless row of elements.
   *
   * @param bytes how many; not negative
   * @return the hash; of a number of bytes that ends within a basic type one that no sequence of whole ones has
   */
  long hash(long bytes);

  /**
   * Returns whether messages of any signature match this one ({@code MPI_PACKED}).
   *
   * @return true when hashes are not to be compared
   */
  boolean matchesAnything();

  /**
   * Writes out the basic types in the first bytes of an endless row of elements.
   *
   * @param bytes how many; not negative
   * @return a text for an error message
   */
  String text(long bytes);
}
