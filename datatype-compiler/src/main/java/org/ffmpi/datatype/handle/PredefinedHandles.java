// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.handle;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.basic.Basic;
import org.ffmpi.datatype.tree.DerivedTree;
import org.ffmpi.datatype.tree.FortranKindType;
import org.ffmpi.datatype.tree.TypeConstructor;
import org.ffmpi.datatype.tree.TypeTree;
import org.ffmpi.datatype.tree.ValueIndexType;

/** The one object of each predefined type, with and without a name. Any thread may call. */
public final class PredefinedHandles {
  /** In the order of {@link Basic}. */
  private static final TypeHandle<?>[] NAMED = new TypeHandle<?>[Basic.values().length];

  static {
    // A loop, not a stream: every program runs this when it starts, and the first stream of a JVM is slow.
    for (Basic basic : Basic.values()) {
      NAMED[basic.ordinal()] = new TypeHandle<>(basic);
    }
  }

  private static final List<Datatype<?>> ALL = List.of(NAMED);

  private static final Map<TypeConstructor, Datatype<?>> UNNAMED = new ConcurrentHashMap<>();

  private PredefinedHandles() {}

  /** Returns all types with a name, each once, in the order of the standard's tables. */
  public static List<Datatype<?>> all() {
    return ALL;
  }

  /** Returns the object of a type with a name. */
  @SuppressWarnings("unchecked") // the constant that holds the object fixes T
  public static <T> Datatype<T> named(Basic basic) {
    return (Datatype<T>) NAMED[basic.ordinal()];
  }

  /** Returns the one object of a type that MPI calls predefined although it has no name. */
  static Datatype<?> unnamed(TypeConstructor constructor) {
    return UNNAMED.computeIfAbsent(constructor, c -> new TypeHandle<>(new DerivedTree(c), "", true));
  }

  /** Returns an object for a component of a type: the predefined one, or a new one. */
  public static Datatype<?> of(TypeTree tree) {
    return switch (tree) {
      case TypeTree.Named(Basic basic) -> NAMED[basic.ordinal()];
      case DerivedTree derived -> switch (derived.constructor()) {
        case FortranKindType kind -> unnamed(kind);
        case ValueIndexType pair -> unnamed(pair);
        default -> new TypeHandle<>(tree, "", false);
      };
    };
  }
}
