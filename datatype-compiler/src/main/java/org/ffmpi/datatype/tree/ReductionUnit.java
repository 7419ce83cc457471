// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.tree;

import org.ffmpi.datatype.basic.Basic;
import org.ffmpi.datatype.basic.Bounds;
import org.ffmpi.datatype.plan.pattern.ByteShape;

/**
 * The elements that predefined operations combine, of one predefined type with or without a name. Types made of copies
 * of one unit are reduced unit by unit.
 */
public sealed interface ReductionUnit {
  /** Returns the size and bounds of a unit. */
  Bounds bounds();

  /** Returns the shape of a unit. */
  ByteShape shape();

  /**
   * A predefined type with a name.
   *
   * @param basic the type
   */
  record Single(Basic basic) implements ReductionUnit {
    @Override
    public Bounds bounds() {
      return basic.bounds();
    }

    @Override
    public ByteShape shape() {
      return new TypeTree.Named(basic).shape();
    }
  }

  /**
   * A pair of value and index that has no name of its own ({@code MPI_Type_get_value_index}, MPI-4.1 §6.9.4).
   *
   * @param value type of the value
   * @param index type of the index, an integer
   */
  record Pair(Basic value, Basic index) implements ReductionUnit {
    /** Returns where the index lies, in bytes from the value. */
    public long indexDisplacement() {
      return constructor().indexDisplacement();
    }

    @Override
    public Bounds bounds() {
      return constructor().bounds();
    }

    @Override
    public ByteShape shape() {
      return constructor().shape();
    }

    private ValueIndexType constructor() {
      return new ValueIndexType(new TypeTree.Named(value), new TypeTree.Named(index));
    }
  }
}
