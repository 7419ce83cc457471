// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.handle.TypeHandle;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Types of the largest depth work in threads with small stacks, with any nested constructors. */
@Tag("long")
class DeepTypesTest {
  private static final int STACK = 512 << 10;

  private enum Nest {
    DUP, CONTIGUOUS, VECTOR, HVECTOR, INDEXED, HINDEXED, INDEXED_BLOCK, HINDEXED_BLOCK, STRUCT, STRUCT_LAST, RESIZED,
    SUBARRAY, GAPS, PAIRS, LAYOUTS, MIXED, GROWING;

    Datatype<?> around(Datatype<?> old, int level) {
      return switch (this) {
        case DUP -> old.dup();
        case CONTIGUOUS -> Datatype.contiguous(level % 40 == 0 ? 2 : 1, old);
        case VECTOR -> Datatype.vector(level % 40 == 0 ? 2 : 1, 1, 2, old);
        case HVECTOR -> Datatype.hvector(1, 1, old.extent() + 4, old);
        case INDEXED -> Datatype.indexed(longs(1, 0), longs(0, 1), old);
        case HINDEXED -> Datatype.hindexed(longs(1), longs(4), old);
        case INDEXED_BLOCK -> Datatype.indexedBlock(1, longs(0), old);
        case HINDEXED_BLOCK -> Datatype.hindexedBlock(1, longs(level), old);
        case STRUCT -> Datatype.struct(longs(1, 1), longs(0, old.extent() + 4), old, Datatype.INT);
        case STRUCT_LAST -> Datatype.struct(longs(1, 1), longs(0, 4), Datatype.INT, old);
        case RESIZED -> old.resized(0, old.extent() + 4);
        case SUBARRAY -> Datatype.subarray(longs(level % 40 == 0 ? 2 : 1), longs(1), longs(0), Datatype.Order.C, old);
        case GAPS -> Datatype.struct(longs(1, 1), longs(8, 0), old, Datatype.CHAR);
        case PAIRS -> level % 40 == 0 ? Datatype.struct(longs(1, 1), longs(0, old.extent()), old, old) : old.dup();
        case LAYOUTS -> level % 3 == 0 ? Datatype.hvector(2, 1, old.extent() + 4, old) : old.dup();
        case MIXED -> switch (level % 5) {
          case 0 -> Datatype.struct(longs(1, 0), longs(0, 8), old, Datatype.DOUBLE);
          case 1 -> Datatype.vector(1, 1, 1, old);
          case 2 -> Datatype.hindexed(longs(1), longs(0), old);
          case 3 -> Datatype.struct(longs(1, 1), longs(0, old.extent()), old, Datatype.CHAR);
          default -> old.resized(0, old.extent() + 4);
        };
        case GROWING -> level % 30 == 0
            ? Datatype.vector(2, 1, 3, old)
            : Datatype.struct(longs(1, 1), longs(0, old.extent() + 8), old, Datatype.DOUBLE);
      };
    }
  }

  private static long[] longs(long... values) {
    return values;
  }

  private static Datatype<?> nested(Nest nest) {
    Datatype<?> type = Datatype.INT;
    for (int i = 0; i < DerivedTree.MAX_DEPTH; i++) {
      try {
        type = nest.around(type, i);
      } catch (MpiException tooLarge) {
        return type;
      }
    }
    return type;
  }

  private static void check(List<String> failures, Nest nest, String what, Consumer<Datatype<?>> use) {
    Thread small = new Thread(null, () -> {
      try {
        use.accept(nested(nest));
      } catch (MpiException e) {
        // a type for which that is not possible
      } catch (Throwable e) {
        failures.add(nest + " " + what + ": " + e.getClass().getSimpleName() + " " + top(e));
      }
    }, "small stack", STACK);
    small.start();
    try {
      small.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static String top(Throwable e) {
    return e.getStackTrace().length < 60 ? "" : e.getStackTrace()[40] + " < " + e.getStackTrace()[44];
  }

  @ParameterizedTest
  @EnumSource(Nest.class)
  void everyMethod(Nest nest) {
    List<String> failures = new ArrayList<>();
    check(failures, nest, "commit", Datatype::commit);
    check(failures, nest, "layout", Datatype::layout);
    check(failures, nest, "describe", Datatype::describe);
    check(failures, nest, "describePlan", type -> type.commit().describePlan());
    check(failures, nest, "describeSignature", Datatype::describeSignature);
    check(failures, nest, "toString", Object::toString);
    check(failures, nest, "hashCode", type -> TypeHandle.of(type).tree().hashCode());
    check(failures, nest, "equals", type -> TypeHandle.of(type).tree().equals(TypeHandle.of(nested(nest)).tree()));
    check(failures, nest, "contents", type -> type.contents());
    check(failures, nest, "elements", type -> type.elements(type.size()));
    check(failures, nest, "plan", type -> TypeHandle.planOf(type.commit()).flattenedBytes());
    check(failures, nest, "get", type -> {
      if (type.trueLowerBound() >= 0 && type.trueLowerBound() + type.trueExtent() < 1 << 20) {
        type.get(Arena.ofAuto().allocate(1 << 20, 8), 0);
      }
    });
    assertEquals(List.of(), failures);
  }
}
