// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype;

import org.ffmpi.datatype.plan.Shape;

/**
 * What predefined operations combine: elements of one predefined type, named or not. Types made of copies of one unit
 * are reduced unit by unit; see {@link Datatype#reductionUnit}.
 */
public sealed interface ReductionUnit permits Basic, ReductionUnit.Pair {
  /**
   * Returns the numbers that follow from the unit's typemap.
   *
   * @return size and bounds
   */
  Bounds bounds();

  /**
   * Returns the bytes of a unit.
   *
   * @return the typemap without its types
   */
  Shape shape();

  /**
   * A pair of value and index that has no name of its own ({@code MPI_Type_get_value_index}, MPI-4.1 §6.9.4).
   *
   * @param value type of the value
   * @param index type of the index, an integer
   */
  record Pair(Basic value, Basic index) implements ReductionUnit {
    /**
     * Returns where the index lies.
     *
     * @return bytes from the value
     */
    public long indexDisplacement() {
      return constructor().indexDisplacement();
    }

    @Override
    public Bounds bounds() {
      return constructor().bounds();
    }

    @Override
    public Shape shape() {
      return constructor().shape();
    }

    private ValueIndex constructor() {
      return new ValueIndex(new TypeTree.Named(value), new TypeTree.Named(index));
    }
  }
}
