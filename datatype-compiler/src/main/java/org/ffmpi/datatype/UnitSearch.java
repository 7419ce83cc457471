// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/** Looks for the one predefined type that a tree is made of. Nodes that are shared are looked into once. */
final class UnitSearch {
  private final Set<TypeTree> seen = Collections.newSetFromMap(new IdentityHashMap<>());
  private ReductionUnit found;

  private UnitSearch() {}

  /**
   * Finds the only unit in a type.
   *
   * @return null when there are several or none
   */
  static ReductionUnit only(TypeTree tree) {
    UnitSearch search = new UnitSearch();
    return search.visit(tree) ? search.found : null;
  }

  /** Returns false when there are different units. */
  private boolean visit(TypeTree tree) {
    // What has no bytes does not take part.
    if (tree.bounds().size() == 0 || !seen.add(tree)) {
      return true;
    }
    return switch (tree) {
      case TypeTree.Named(Basic basic) -> meet(basic);
      case DerivedTree derived -> switch (derived.constructor()) {
        case F90 f90 -> meet(f90.basic());
        case ValueIndex pair -> meet(new ReductionUnit.Pair(basic(pair.value()), basic(pair.index())));
        case TypeConstructor.OfOne one -> visit(one.old());
        case Struct struct -> {
          boolean same = true;
          for (int i = 0; i < struct.types().size() && same; i++) {
            same = struct.blocklengths().get(i) == 0 || visit(struct.types().get(i));
          }
          yield same;
        }
      };
    };
  }

  private boolean meet(ReductionUnit unit) {
    if (found == null) {
      found = unit;
    }
    return found.equals(unit);
  }

  /** Value and index are predefined types themselves. */
  private static Basic basic(TypeTree tree) {
    return (Basic) only(tree);
  }
}
