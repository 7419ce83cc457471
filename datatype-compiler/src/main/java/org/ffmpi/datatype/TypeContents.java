// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * The arguments of the constructor that made a datatype ({@code MPI_Type_get_contents}, MPI-4.1 §5.1.13), in the order
 * the standard lists for each {@link Combiner}; arrays are preceded by their length. The arrays belong to the caller.
 *
 * @param integers counts, block lengths, displacements in elements, and the numbers of orders and distributions
 * @param addresses displacements, strides and bounds in bytes
 * @param datatypes predefined types are the constants themselves; others are new objects, not committed, without name
 *     and attributes; the caller frees them
 */
public record TypeContents(long[] integers, long[] addresses, List<Datatype<?>> datatypes) {
  @Override
  public boolean equals(Object other) {
    return other instanceof TypeContents contents
        && Arrays.equals(integers, contents.integers)
        && Arrays.equals(addresses, contents.addresses)
        && Objects.equals(datatypes, contents.datatypes);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(integers) + Arrays.hashCode(addresses);
  }

  @Override
  public String toString() {
    return "TypeContents[integers=" + Arrays.toString(integers) + ", addresses=" + Arrays.toString(addresses)
        + ", datatypes=" + datatypes + "]";
  }
}
