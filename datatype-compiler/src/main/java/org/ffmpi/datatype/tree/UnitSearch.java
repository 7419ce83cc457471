// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.tree;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.ffmpi.datatype.basic.Basic;

/** Searches a tree for the one predefined type that it is made of. Shared nodes are visited once. */
public final class UnitSearch {
  private final Set<TypeTree> seen = Collections.newSetFromMap(new IdentityHashMap<>());
  private ReductionUnit found;

  private UnitSearch() {}

  /**
   * Finds the only unit in a type.
   *
   * @return null when there are several or none
   */
  public static ReductionUnit only(TypeTree tree) {
    UnitSearch search = new UnitSearch();
    return search.visit(tree) ? search.found : null;
  }

  /** Returns false when there are different units. */
  private boolean visit(TypeTree tree) {
    // A type without bytes does not count.
    if (tree.bounds().size() == 0 || !seen.add(tree)) {
      return true;
    }
    return switch (tree) {
      case TypeTree.Named(Basic basic) -> meet(new ReductionUnit.Single(basic));
      case DerivedTree derived -> switch (derived.constructor()) {
        case FortranKindType kind -> meet(new ReductionUnit.Single(kind.basic()));
        case ValueIndexType pair -> meet(new ReductionUnit.Pair(basic(pair.value()), basic(pair.index())));
        case TypeConstructor.OfOne one -> visit(one.old());
        case StructType struct -> {
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

  /** Value and index are predefined types. */
  private static Basic basic(TypeTree tree) {
    return ((ReductionUnit.Single) only(tree)).basic();
  }
}
