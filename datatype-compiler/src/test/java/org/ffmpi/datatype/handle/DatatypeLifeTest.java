// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.handle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.Keyval;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Combiner;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.ExampleTypesTest;
import org.ffmpi.datatype.TypeEnvelope;
import org.ffmpi.datatype.basic.Basic;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.datatype.tree.BoundsTest;
import org.ffmpi.datatype.tree.TypeTree;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The life of a type: commitment, names, attributes, duplicates, freeing. */
class DatatypeLifeTest {
  private final List<String> log = new ArrayList<>();

  private static MpiException refused(ErrorClass expected, Runnable call) {
    MpiException refused = assertThrows(MpiException.class, call::run);
    assertEquals(expected, refused.errorClass(), refused.getMessage());
    return refused;
  }

  private Keyval<Datatype<?>, Integer> logging(String name) {
    return Keyval.of(
        (from, value) -> {
          log.add("copy " + name + "=" + value);
          return value == 0 ? Optional.empty() : Optional.of(value + 1);
        },
        (from, value) -> log.add("delete " + name + "=" + value + (from.isClosed() ? " of a closed type" : "")));
  }

  @Test
  @DisplayName("S1-4.1.9-a S1-4.1.9-d: a type is built uncommitted; committing twice does nothing")
  void commit() {
    Datatype<Integer> type = Datatype.vector(3, 1, 2, Datatype.INT);
    assertFalse(type.isCommitted());
    MpiException refused = refused(ErrorClass.ERR_TYPE, () -> TypeHandle.planOf(type));
    assertTrue(refused.getMessage().contains("vector(3, 1, 2, MPI_INT)"));
    assertEquals(24, Datatype.contiguous(2, type).commit().size(), "components need not be committed");
    assertSame(type, type.commit());
    Plan plan = TypeHandle.planOf(type);
    assertSame(plan, TypeHandle.planOf(type.commit()));
    assertTrue(type.isCommitted());
    assertFalse(type.isPredefined());
  }

  @Test
  @DisplayName("S1-4.1.9-e S1-2.5.1-a S1-4.1.9-f: types built from a freed type stay valid")
  void freedComponents() {
    Datatype<Integer> inner = Datatype.vector(3, 1, 2, Datatype.INT).commit();
    Plan plan = TypeHandle.planOf(inner);
    Datatype<Integer> outer = Datatype.contiguous(2, inner);
    inner.close();
    assertTrue(inner.isClosed());
    assertEquals(24, TypeHandle.planOf(outer.commit()).size());
    assertEquals(12, plan.size(), "pending operations hold the plan");
    for (Runnable use : List.<Runnable>of(
        () -> TypeHandle.planOf(inner), inner::commit, inner::dup, inner::size, inner::extent, inner::lowerBound,
        inner::trueExtent,
        inner::envelope, inner::contents, inner::attributes, () -> inner.setName("x"))) {
      assertTrue(refused(ErrorClass.ERR_TYPE, use).getMessage().contains("was freed"));
    }
    inner.close();
    assertFalse(inner.toString().isEmpty());
  }

  @Test
  @DisplayName("S1-4.1.9-e: predefined types cannot be freed")
  void predefinedTypesStay() {
    for (Datatype<?> type : Datatype.predefined()) {
      assertTrue(refused(ErrorClass.ERR_TYPE, type::close).getMessage().contains(type.name()));
      assertFalse(type.isClosed());
    }
  }

  @Test
  @DisplayName("S1-4.10: a reference stays usable after the variable is assigned another type")
  void references() {
    Datatype<Float> first = Datatype.contiguous(5, Datatype.REAL);
    Datatype<Float> second = first;
    first = Datatype.vector(3, 5, 4, Datatype.REAL).commit();
    assertEquals(20, second.commit().size());
    assertEquals(60, first.size());
  }

  @Test
  void names() {
    Datatype<Integer> type = Datatype.contiguous(2, Datatype.INT);
    assertEquals("", type.name());
    assertEquals("contiguous(2, MPI_INT)", type.toString());
    type.setName("two ints");
    assertEquals("two ints", type.name());
    assertEquals("two ints", type.toString());
    assertEquals("", type.dup().name());
    type.setName("x".repeat(200));
    assertEquals("x".repeat(Constants.MAX_OBJECT_NAME - 1), type.name(), "cut, since a name is no reason to fail");
    refused(ErrorClass.ERR_ARG, () -> type.setName(null));
    type.setName("");
    assertEquals("contiguous(2, MPI_INT)", type.toString());
    refused(ErrorClass.ERR_TYPE, () -> Datatype.INT.setName("mine"));
  }

  @Test
  @DisplayName("S1-4.1.10-a: a duplicate has the same bounds and the same state")
  void duplicates() {
    Datatype<Integer> type = Datatype.INT.resized(-3, 9);
    assertFalse(type.dup().isCommitted());
    type.commit();
    Datatype<Integer> duplicate = type.dup();
    assertNotSame(type, duplicate);
    assertTrue(duplicate.isCommitted());
    assertSame(TypeHandle.planOf(type), TypeHandle.planOf(duplicate));
    assertEquals(new TypeEnvelope(Combiner.DUP, 0, 0, 1), duplicate.envelope());
    type.close();
    assertEquals(9, TypeHandle.planOf(duplicate).extent());
    duplicate.close();
    Datatype<Integer> ints = Datatype.INT.dup();
    assertTrue(ints.isCommitted());
    assertFalse(ints.isPredefined());
    assertSame(Datatype.INT, ints.contents().datatypes().getFirst());
    ints.close();
  }

  @Test
  @DisplayName("S1-4.1.10-b: copy functions decide which attributes are duplicated")
  void attributesOfDuplicates() {
    Datatype<Integer> type = Datatype.contiguous(2, Datatype.INT);
    Keyval<Datatype<?>, Integer> kept = logging("kept");
    Keyval<Datatype<?>, Integer> dropped = logging("dropped");
    type.attributes().set(kept, 7);
    type.attributes().set(dropped, 0);
    Datatype<Integer> duplicate = type.dup();
    assertEquals(Optional.of(8), duplicate.attributes().get(kept));
    assertEquals(Optional.empty(), duplicate.attributes().get(dropped));
    duplicate.close();
    type.close();
    assertEquals(List.of("copy kept=7", "copy dropped=0", "delete kept=8", "delete dropped=0", "delete kept=7"), log);
  }

  @Test
  void aCopyFunctionThatThrowsFailsTheDuplication() {
    Datatype<Integer> type = Datatype.contiguous(2, Datatype.INT);
    type.attributes().set(
        Keyval.<Datatype<?>, Integer>of(
            (from, value) -> {
              throw new IllegalStateException("no copy");
            },
            (from, value) -> {}),
        1);
    assertThrows(IllegalStateException.class, type::dup);
  }

  @Test
  void aDeleteFunctionThatThrowsStopsTheFree() {
    Datatype<Integer> type = Datatype.contiguous(2, Datatype.INT).commit();
    boolean[] refuse = {true};
    Keyval<Datatype<?>, Integer> key = Keyval.of(
        (from, value) -> Optional.empty(),
        (from, value) -> {
          if (refuse[0]) {
            throw new IllegalStateException("still needed");
          }
        });
    type.attributes().set(key, 1);
    assertThrows(IllegalStateException.class, type::close);
    assertFalse(type.isClosed());
    assertEquals(Optional.of(1), type.attributes().get(key));
    assertEquals(8, TypeHandle.planOf(type).size());
    refuse[0] = false;
    type.close();
    assertTrue(type.isClosed());
  }

  @Test
  void attributesOfPredefinedTypesAreNotKeptHere() {
    refused(ErrorClass.ERR_TYPE, Datatype.INT::attributes);
  }

  @Test
  void predefinedTypesAreInTheOrderOfTheirBasicTypes() {
    for (Basic basic : Basic.values()) {
      assertEquals(basic.mpiName(), PredefinedHandles.of(new TypeTree.Named(basic)).name());
    }
  }

  @Test
  void arraysThatHoldEveryPart() {
    Datatype<?> ints = Datatype.vector(3, 1, 2, Datatype.INT);
    assertTrue(ints.acceptsArray(int[].class));
    assertTrue(ints.acceptsArray(byte[].class));
    assertFalse(ints.acceptsArray(long[].class));
    assertFalse(ints.acceptsArray(Integer[].class));
    assertFalse(ExampleTypesTest.particle().acceptsArray(double[].class));
    assertTrue(ExampleTypesTest.particle().acceptsArray(byte[].class));
    Datatype<?> mixed = Datatype.struct(
        BoundsTest.longs(1, 0, 4), BoundsTest.longs(0, 8, 16), Datatype.DOUBLE, Datatype.INT, Datatype.BYTE);
    assertTrue(mixed.acceptsArray(double[].class), "bytes lie anywhere, and empty blocks do not count");
    assertFalse(mixed.acceptsArray(float[].class));
  }

  @Test
  @DisplayName("S1-4.1.9-c: commit finds the same flat form for equal types from different constructors")
  void commitCompiles() {
    Plan flat = TypeHandle.planOf(Datatype.contiguous(6, Datatype.DOUBLE).commit());
    for (Datatype<?> type : List.of(
        Datatype.vector(2, 3, 3, Datatype.DOUBLE),
        Datatype.indexed(BoundsTest.longs(2, 4), BoundsTest.longs(0, 2), Datatype.DOUBLE),
        Datatype.struct(BoundsTest.longs(1, 5), BoundsTest.longs(0, 8), Datatype.DOUBLE, Datatype.DOUBLE))) {
      Plan plan = TypeHandle.planOf(type.commit());
      assertTrue(plan.isContiguous());
      assertEquals(flat.toString(), plan.toString());
    }
  }

  @Test
  void freedTypesAnswerNoQueries() {
    Datatype<Integer> type = Datatype.vector(3, 1, 2, Datatype.INT);
    type.close();
    for (Runnable query : List.<Runnable>of(
        type::size, type::extent, () -> TypeHandle.of(type).signature(), type::describe, type::layout, type::contents,
        () -> type.count(4),
        () -> type.elements(4), () -> type.bytesOf(1))) {
      refused(ErrorClass.ERR_TYPE, query);
    }
    assertEquals("vector(3, 1, 2, MPI_INT)", type.toString(), "messages about it still say what it was");
  }
}
