// SPDX-License-Identifier: Apache-2.0
package mpi;

/** A datatype made by the dialect. */
final class ElementType extends Datatype {
  ElementType(TypeShape shape) {
    super(shape);
  }

  /** Makes a base type. */
  static Datatype basic(int base, org.ffmpi.datatype.Datatype<?> type) {
    return new ElementType(TypeShape.basic(TypeCodes.name(base), base, type));
  }
}
