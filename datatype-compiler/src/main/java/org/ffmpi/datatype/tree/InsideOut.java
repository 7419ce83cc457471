// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.tree;

import java.util.ArrayDeque;

/**
 * Visits the calls that made a type, each after those that made its components, and shared ones once. A loop instead of
 * a recursion, since types may be nested a thousand calls deep, and threads may have small stacks.
 */
public abstract class InsideOut {
  /** Returns whether a node need not be visited; called often, also for nodes that were visited. */
  protected abstract boolean isDone(DerivedTree tree);

  /** Visits a node whose components are all done; must leave it done. */
  protected abstract void visit(DerivedTree tree);

  /** Visits a type and all inside that are not done. */
  public final void walk(DerivedTree root) {
    ArrayDeque<DerivedTree> open = new ArrayDeque<>();
    open.push(root);
    while (!open.isEmpty()) {
      DerivedTree next = open.peek();
      if (isDone(next)) {
        open.pop();
        continue;
      }
      boolean ready = true;
      for (TypeTree component : next.constructor().components()) {
        if (component instanceof DerivedTree inner && !isDone(inner)) {
          ready = false;
          if (inner != open.peek()) { // a struct may have many equal members
            open.push(inner);
          }
        }
      }
      if (ready) {
        open.pop();
        visit(next);
      }
    }
  }
}
