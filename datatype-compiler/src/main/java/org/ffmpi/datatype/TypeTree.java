// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype;

/**
 * What a datatype is made of: the tree of constructor calls, kept as written, so that a type can be decoded and printed
 * in the terms its author used. Immutable; equal trees describe equal typemaps and may share a compiled plan. One
 * record per constructor; {@link PlanCompiler} lowers a tree and is the only place that has to know them all.
 */
public sealed interface TypeTree {

  /**
   * Returns the numbers that follow from the typemap.
   *
   * @return size, bounds and alignment of one element
   */
  Bounds bounds();

  /**
   * Tells whether elements of every basic type in the tree may lie in a Java array.
   *
   * @param arrayClass an array class of a primitive type
   * @return true when a buffer of that class may be used
   */
  boolean acceptsArray(Class<?> arrayClass);

  /**
   * A leaf: a predefined type.
   *
   * @param basic which one
   */
  record Named(Basic basic) implements TypeTree {
    @Override
    public Bounds bounds() {
      return basic.element().bounds();
    }

    @Override
    public boolean acceptsArray(Class<?> arrayClass) {
      return basic.element().acceptsArray(arrayClass);
    }
  }
}
