// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

/**
 * The sequence of basic types in a stream of elements, which users of a plan compare by hash. Type trees make it,
 * {@link Plan#withSignature} attaches it, and engines that check messages read it.
 */
public interface StreamSignature {
  /**
   * Hashes the basic types in the first bytes of an endless row of elements.
   *
   * @param bytes how many; not negative
   * @return the hash; one that no sequence of whole basic types has, when the bytes end within one
   */
  long hash(long bytes);

  /**
   * Returns whether messages of any signature match this one ({@code MPI_PACKED}).
   *
   * @return true when hashes are not to be compared
   */
  boolean matchesAnything();

  /**
   * Returns as text the basic types in the first bytes of an endless row of elements.
   *
   * @param bytes how many; not negative
   * @return a text for an error message
   */
  String text(long bytes);
}
