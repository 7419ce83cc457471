// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import static org.ffmpi.Worlds.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.Keyval;
import org.ffmpi.datatype.Datatype;
import org.junit.jupiter.api.Test;

/** Names and attributes of predefined types belong to a world; those of derived types to the type. */
class PredefinedTypesOfAWorldTest {
  private final Worlds one = Worlds.returning(0, 2);
  private final Worlds other = Worlds.returning(1, 2);
  private final List<String> log = new ArrayList<>();

  private Keyval<Datatype<?>, String> logging() {
    return Keyval.of((type, value) -> Optional.of(value), (type, value) -> log.add(value + " of " + type.name()));
  }

  @Test
  void namesOfPredefinedTypes() {
    assertEquals("MPI_INT", one.mpi.typeName(Datatype.INT));
    one.mpi.setTypeName(Datatype.INT, "number");
    assertEquals("number", one.mpi.typeName(Datatype.INT));
    assertEquals("MPI_INT", other.mpi.typeName(Datatype.INT));
    assertEquals("MPI_INT", Datatype.INT.name());
    one.mpi.setTypeName(Datatype.LONG_LONG, "synonym");
    assertEquals("synonym", one.mpi.typeName(Datatype.LONG_LONG_INT));
  }

  @Test
  void namesOfDerivedTypes() {
    Datatype<Integer> pair = Datatype.contiguous(2, Datatype.INT);
    assertEquals("", one.mpi.typeName(pair));
    one.mpi.setTypeName(pair, "pair");
    assertEquals("pair", other.mpi.typeName(pair));
    assertEquals("pair", pair.name());
  }

  @Test
  void attributesOfPredefinedTypes() {
    Keyval<Datatype<?>, String> key = logging();
    assertSame(one.mpi.typeAttributes(Datatype.INT), one.mpi.typeAttributes(Datatype.INT));
    one.mpi.typeAttributes(Datatype.INT).set(key, "a");
    one.mpi.typeAttributes(Datatype.DOUBLE).set(key, "b");
    assertEquals(Optional.of("a"), one.mpi.typeAttributes(Datatype.INT).get(key));
    assertEquals(Optional.empty(), other.mpi.typeAttributes(Datatype.INT).get(key));
    other.mpi.close();
    assertEquals(List.of(), log);
    one.mpi.close();
    assertEquals(List.of("b of MPI_DOUBLE", "a of MPI_INT"), log);
    assertError(ErrorClass.ERR_OTHER, () -> one.mpi.typeAttributes(Datatype.INT), "finalized");
    one.mpi.close();
    assertEquals(2, log.size());
  }

  @Test
  void attributesOfDerivedTypes() {
    Datatype<Integer> pair = Datatype.contiguous(2, Datatype.INT);
    assertSame(pair.attributes(), one.mpi.typeAttributes(pair));
  }

  @Test
  void duplicatesGetWhatTheCopyFunctionsSay() {
    Keyval<Datatype<?>, String> key = logging();
    one.mpi.typeAttributes(Datatype.INT).set(key, "a");
    try (Datatype<Integer> duplicate = one.mpi.typeDup(Datatype.INT);
        Datatype<Integer> elsewhere = other.mpi.typeDup(Datatype.INT)) {
      duplicate.setName("duplicate");
      assertEquals(Optional.of("a"), one.mpi.typeAttributes(duplicate).get(key));
      assertEquals(Optional.empty(), elsewhere.attributes().get(key));
      one.mpi.typeDup(duplicate).close();
    }
    assertEquals(List.of("a of ", "a of duplicate"), log);
  }

  @Test
  void deleteFunctionsMayStillUseMpi() {
    Keyval<Datatype<?>, String> key = Keyval.of(
        (type, value) -> Optional.empty(), (type, value) -> log.add(value + one.mpi.typeName(type) + one.world.rank()));
    one.mpi.typeAttributes(Datatype.INT).set(key, "x");
    one.mpi.close();
    assertEquals(List.of("xMPI_INT0"), log);
  }

  @Test
  void aDeleteFunctionThatThrowsIsToldAtTheEnd() {
    Keyval<Datatype<?>, String> bad = Keyval.of((type, value) -> Optional.empty(), (type, value) -> {
      throw new IllegalStateException(value);
    });
    one.mpi.typeAttributes(Datatype.INT).set(logging(), "good");
    one.mpi.typeAttributes(Datatype.DOUBLE).set(bad, "bad");
    assertEquals("bad", assertThrows(IllegalStateException.class, one.mpi::close).getMessage());
    assertEquals(List.of("good of MPI_INT"), log);
    assertTrue(!one.mpi.toString().isEmpty());
    one.mpi.close();
  }

  @Test
  void wrongArguments() {
    Datatype<Integer> freed = Datatype.contiguous(2, Datatype.INT);
    freed.close();
    assertError(ErrorClass.ERR_TYPE, () -> one.mpi.typeName(null), "type = null");
    assertError(ErrorClass.ERR_TYPE, () -> one.mpi.typeName(freed), "freed");
    assertError(ErrorClass.ERR_TYPE, () -> one.mpi.typeAttributes(freed), "freed");
    assertError(ErrorClass.ERR_ARG, () -> one.mpi.setTypeName(Datatype.INT, null), "name = null");
    one.mpi.setTypeName(Datatype.INT, "x".repeat(128));
    assertEquals("x".repeat(127), one.mpi.typeName(Datatype.INT));
  }
}
