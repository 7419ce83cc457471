// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.tree;

import java.lang.foreign.MemoryLayout;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Combiner;
import org.ffmpi.datatype.basic.Bounds;
import org.ffmpi.datatype.plan.pattern.ByteShape;
import org.ffmpi.datatype.signature.Signature;

/**
 * A node of a tree, which holds one call of a constructor and the results that follow from it. Trees share nodes. A
 * chain of structs of twice the same type has few nodes but a typemap of exponential length, so every node computes
 * each result once, from the results of its components.
 */
public final class DerivedTree implements TypeTree {
  /** The largest depth of nested calls. Recursion walks trees, also in threads with small stacks. */
  static final int MAX_DEPTH = 1000;

  /** Replaced by an equal one after a comparison, so that equal trees are not compared in depth again. */
  private TypeConstructor constructor;

  /** The memory layout that the type was made from, or null; it has names that the constructors do not keep. */
  private final MemoryLayout layout;

  private final Bounds bounds;
  private final int arrays;
  private final int depth;

  /** Computed at once, while those of the components exist: a deep tree would need a large stack to do it later. */
  private final ByteShape shape;

  // Computed on first use. Racing threads compute equal immutable objects.
  private int hash;
  private volatile Signature signature;

  /**
   * Creates a node.
   *
   * @throws MpiException when an argument makes the type too large for 63 bits, or it is nested too deep
   */
  public DerivedTree(TypeConstructor constructor) {
    this(constructor, null);
  }

  /** Creates a node that stands for a memory layout. */
  public DerivedTree(TypeConstructor constructor, MemoryLayout layout) {
    this.constructor = constructor;
    this.layout = layout;
    this.bounds = constructor.bounds();
    this.arrays = constructor.arrays();
    this.depth = depth(constructor);
    this.shape = constructor.shape();
  }

  private static int depth(TypeConstructor constructor) {
    int deepest = 0;
    for (TypeTree component : constructor.components()) {
      if (component instanceof DerivedTree derived) {
        deepest = Math.max(deepest, derived.depth);
      }
    }
    requireDepth(deepest);
    return deepest + 1;
  }

  /** Refuses a call beyond the largest depth. */
  public static void requireDepth(int depth) {
    if (depth >= MAX_DEPTH) {
      throw new MpiException(
          ErrorClass.ERR_TYPE, "type is nested too deep: allowed are " + MAX_DEPTH + " constructors within each other");
    }
  }

  public TypeConstructor constructor() {
    return constructor;
  }

  /** Returns the memory layout that the type was made from, or null. */
  public MemoryLayout layout() {
    return layout;
  }

  @Override
  public int arrays() {
    return arrays;
  }

  @Override
  public Combiner combiner() {
    return constructor.combiner();
  }

  @Override
  public Bounds bounds() {
    return bounds;
  }

  @Override
  public ByteShape shape() {
    return shape;
  }

  @Override
  public Signature signature() {
    if (signature == null) {
      new Signatures().walk(this);
    }
    return signature;
  }

  private static final class Signatures extends InsideOut {
    @Override
    protected boolean isDone(DerivedTree tree) {
      return tree.signature != null;
    }

    @Override
    protected void visit(DerivedTree tree) {
      tree.signature = tree.constructor.signature(tree.bounds);
    }
  }

  @Override
  public boolean acceptsArray(Class<?> arrayClass) {
    return (arrays & ArrayKinds.bit(arrayClass)) != 0;
  }

  @Override
  public boolean equals(Object other) {
    if (this == other) {
      return true;
    }
    if (!(other instanceof DerivedTree tree) || hashCode() != tree.hashCode() || !Objects.equals(layout, tree.layout)) {
      return false;
    }
    TypeConstructor theirs = tree.constructor;
    if (constructor == theirs) {
      return true;
    }
    if (!isEqualInside(this, tree) || !constructor.equals(theirs)) {
      return false;
    }
    constructor = theirs;
    return true;
  }

  /**
   * Compares the components of two trees from the inside out; in a loop, since trees may be too deep for a recursion.
   */
  private static boolean isEqualInside(DerivedTree one, DerivedTree other) {
    ArrayDeque<Pair> open = new ArrayDeque<>();
    open.push(new Pair(one, other));
    while (!open.isEmpty()) {
      Pair pair = open.peek();
      boolean ready = true;
      List<TypeTree> left = pair.left.constructor.arguments();
      List<TypeTree> right = pair.right.constructor.arguments();
      for (int i = 0; i < left.size() && left.size() == right.size(); i++) {
        if (left.get(i) instanceof DerivedTree l && right.get(i) instanceof DerivedTree r && l.mayTurnOutEqual(r)) {
          ready = false;
          if (open.peek().left != l || open.peek().right != r) { // a struct may have many equal members
            open.push(new Pair(l, r));
          }
        }
      }
      if (ready) {
        open.pop();
        if (open.isEmpty()) {
          return true; // the caller compares the outermost two
        }
        if (pair.left.mayTurnOutEqual(pair.right)) {
          if (!pair.left.constructor.equals(pair.right.constructor)) {
            return false;
          }
          pair.left.constructor = pair.right.constructor;
        }
      }
    }
    return true;
  }

  private record Pair(DerivedTree left, DerivedTree right) {}

  /** Returns whether two trees may be equal and have not been found to be. */
  private boolean mayTurnOutEqual(DerivedTree tree) {
    return this != tree && constructor != tree.constructor && hashCode() == tree.hashCode()
        && Objects.equals(layout, tree.layout);
  }

  @Override
  public int hashCode() {
    if (hash == 0) {
      new Hashes().walk(this);
    }
    return hash;
  }

  private static final class Hashes extends InsideOut {
    @Override
    protected boolean isDone(DerivedTree tree) {
      return tree.hash != 0;
    }

    @Override
    protected void visit(DerivedTree tree) {
      int computed = tree.constructor.hashCode();
      tree.hash = computed == 0 ? 1 : computed;
    }
  }

  @Override
  public String toString() {
    return TypePrinter.shortForm(this);
  }
}
