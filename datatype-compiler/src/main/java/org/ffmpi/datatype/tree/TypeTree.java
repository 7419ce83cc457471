// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.tree;

import org.ffmpi.datatype.Combiner;
import org.ffmpi.datatype.basic.Basic;
import org.ffmpi.datatype.basic.Bounds;
import org.ffmpi.datatype.plan.PlanCompiler;
import org.ffmpi.datatype.plan.pattern.ByteShape;
import org.ffmpi.datatype.signature.Signature;

/**
 * The tree of constructor calls that made a datatype, unchanged, so that a type can be decoded and printed as its
 * author built it. Immutable; trees are compared by content, and equal ones describe equal typemaps. Programs see a
 * tree through envelope, contents and description of the datatype. A tree lowers itself to a shape; {@link
 * PlanCompiler} knows shapes only.
 */
public sealed interface TypeTree permits TypeTree.Named, DerivedTree {

  /**
   * Returns which constructor made the type.
   *
   * @return the outermost call
   */
  Combiner combiner();

  /**
   * Returns the numbers that follow from the typemap.
   *
   * @return size, bounds and alignment of one element
   */
  Bounds bounds();

  /**
   * Returns the bytes of an element.
   *
   * @return the typemap without its types
   */
  ByteShape shape();

  /**
   * Returns the basic types of an element.
   *
   * @return the typemap without its displacements
   */
  Signature signature();

  /**
   * Returns whether elements of every basic type in the tree may lie in a Java array.
   *
   * @param arrayClass an array class of a primitive type
   * @return true when a buffer of that class may be used
   */
  boolean acceptsArray(Class<?> arrayClass);

  /** Returns the Java arrays that elements of every basic type in the tree may lie in, a bit for each kind. */
  int arrays();

  /**
   * Returns the tree of the type that this one is a duplicate of, or of a duplicate.
   *
   * @return a tree that is not a duplicate's; this one, if it is not
   */
  default TypeTree original() {
    TypeTree tree = this;
    while (tree instanceof DerivedTree derived && derived.constructor() instanceof DupType duplicate) {
      tree = duplicate.old();
    }
    return tree;
  }

  /**
   * A leaf: a predefined type.
   *
   * @param basic which one
   */
  record Named(Basic basic) implements TypeTree {
    @Override
    public Combiner combiner() {
      return Combiner.NAMED;
    }

    @Override
    public Bounds bounds() {
      return basic.element().bounds();
    }

    @Override
    public ByteShape shape() {
      return TreeShapes.of(basic.element());
    }

    @Override
    public Signature signature() {
      return Signature.of(basic);
    }

    @Override
    public int arrays() {
      return ArrayKinds.of(basic.element());
    }

    @Override
    public boolean acceptsArray(Class<?> arrayClass) {
      return basic.element().acceptsArray(arrayClass);
    }

    @Override
    public String toString() {
      return basic.mpiName();
    }
  }
}
