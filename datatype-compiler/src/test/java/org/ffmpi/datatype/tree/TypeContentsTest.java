// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.tree;

import static org.ffmpi.datatype.Datatype.CHAR;
import static org.ffmpi.datatype.Datatype.DOUBLE;
import static org.ffmpi.datatype.Datatype.INT;
import static org.ffmpi.datatype.tree.BoundsTest.longs;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Combiner;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.Datatype.Distribution;
import org.ffmpi.datatype.Datatype.Order;
import org.ffmpi.datatype.TypeContents;
import org.ffmpi.datatype.TypeEnvelope;
import org.ffmpi.datatype.basic.Basic;
import org.ffmpi.datatype.handle.PredefinedHandles;
import org.ffmpi.datatype.handle.TypeHandle;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The contents of every constructor, in the standard's layout. */
class TypeContentsTest {
  private record Call(Datatype<?> type, Combiner combiner, long[] integers, long[] addresses, Datatype<?>... types) {
    @Override
    public String toString() {
      return combiner.name();
    }
  }

  private static final Datatype<?> F90_REAL =
      unnamed(new FortranKindType(Combiner.F90_REAL, 15, Constants.UNDEFINED, Basic.DOUBLE_PRECISION));
  private static final Datatype<?> F90_COMPLEX =
      unnamed(new FortranKindType(Combiner.F90_COMPLEX, 6, 30, Basic.COMPLEX));
  private static final Datatype<?> F90_INTEGER =
      unnamed(new FortranKindType(Combiner.F90_INTEGER, Constants.UNDEFINED, 9, Basic.INTEGER));
  private static final Datatype<?> PAIR = pair(DOUBLE, Datatype.LONG);

  private static Datatype<?> unnamed(TypeConstructor constructor) {
    return PredefinedHandles.of(new DerivedTree(constructor));
  }

  private static Datatype<?> pair(Datatype<?> value, Datatype<?> index) {
    return unnamed(new ValueIndexType(TypeHandle.of(value).tree(), TypeHandle.of(index).tree()));
  }

  static Stream<Call> calls() {
    return Stream.of(
        new Call(INT.dup(), Combiner.DUP, longs(), longs(), INT),
        new Call(Datatype.contiguous(7, INT), Combiner.CONTIGUOUS, longs(7), longs(), INT),
        new Call(Datatype.vector(3, 5, -4, INT), Combiner.VECTOR, longs(3, 5, -4), longs(), INT),
        new Call(Datatype.hvector(3, 5, 17, INT), Combiner.HVECTOR, longs(3, 5), longs(17), INT),
        new Call(
            Datatype.indexed(longs(1, 2), longs(5, 0), INT), Combiner.INDEXED, longs(2, 1, 2, 5, 0), longs(), INT),
        new Call(
            Datatype.hindexed(longs(1, 2), longs(50, 0), INT), Combiner.HINDEXED, longs(2, 1, 2), longs(50, 0), INT),
        new Call(
            Datatype.indexedBlock(2, longs(5, 0, 9), INT), Combiner.INDEXED_BLOCK, longs(3, 2, 5, 0, 9), longs(), INT),
        new Call(
            Datatype.hindexedBlock(2, longs(5, 0, 9), INT), Combiner.HINDEXED_BLOCK, longs(3, 2), longs(5, 0, 9), INT),
        new Call(
            Datatype.struct(longs(1, 2), longs(0, 8), INT, DOUBLE), Combiner.STRUCT, longs(2, 1, 2), longs(0, 8), INT,
            DOUBLE),
        new Call(
            Datatype.subarray(longs(4, 5), longs(2, 3), longs(1, 2), Order.FORTRAN, INT), Combiner.SUBARRAY,
            longs(2, 4, 5, 2, 3, 1, 2, Constants.ORDER_FORTRAN), longs(), INT),
        new Call(
            Datatype.darray(6, 4, longs(10, 11, 12),
                new Distribution[] {Distribution.BLOCK, Distribution.CYCLIC, Distribution.NONE},
                new int[] {Constants.DISTRIBUTE_DFLT_DARG, 2, Constants.DISTRIBUTE_DFLT_DARG}, new int[] {2, 3, 1},
                Order.C, INT),
            Combiner.DARRAY,
            longs(6, 4, 3, 10, 11, 12, Constants.DISTRIBUTE_BLOCK, Constants.DISTRIBUTE_CYCLIC,
                Constants.DISTRIBUTE_NONE, Constants.DISTRIBUTE_DFLT_DARG, 2, Constants.DISTRIBUTE_DFLT_DARG, 2, 3, 1,
                Constants.ORDER_C),
            longs(), INT),
        new Call(F90_REAL, Combiner.F90_REAL, longs(15, Constants.UNDEFINED), longs()),
        new Call(F90_COMPLEX, Combiner.F90_COMPLEX, longs(6, 30), longs()),
        new Call(F90_INTEGER, Combiner.F90_INTEGER, longs(9), longs()),
        new Call(INT.resized(-3, 9), Combiner.RESIZED, longs(), longs(-3, 9), INT),
        new Call(PAIR, Combiner.VALUE_INDEX, longs(), longs(), DOUBLE, Datatype.LONG));
  }

  @ParameterizedTest
  @MethodSource("calls")
  @DisplayName("S1-4.1.13-a S1-4.1.13-b S1-4.1.13-d S1-4.1.13-g S1-4.1.13-h: the arguments come back as listed")
  void everyCombiner(Call call) {
    TypeEnvelope envelope = call.type.envelope();
    assertEquals(
        new TypeEnvelope(call.combiner, call.integers.length, call.addresses.length, call.types.length), envelope);
    TypeContents contents = call.type.contents();
    assertArrayEquals(call.integers, contents.integers());
    assertArrayEquals(call.addresses, contents.addresses());
    assertEquals(List.of(call.types), contents.datatypes(), "the predefined objects themselves");
    assertEquals(contents, call.type.contents());
    assertEquals(contents.hashCode(), call.type.contents().hashCode());
    assertTrue(contents.toString().contains("integers="), contents.toString());
  }

  @Test
  @DisplayName("S1-4.1.13-d: arrays of a thousand and more arguments come back whole, none is cut off")
  void manyArguments() {
    int n = 3_000;
    long[] lengths = LongStream.range(0, n).map(i -> i % 5).toArray();
    long[] displacements = LongStream.range(0, n).map(i -> 40 * i).toArray();
    Datatype<?>[] types = new Datatype<?>[n];
    Arrays.setAll(types, i -> i % 2 == 0 ? INT : DOUBLE);
    Datatype<?> struct = Datatype.struct(lengths, displacements, types);
    assertEquals(new TypeEnvelope(Combiner.STRUCT, n + 1, n, n), struct.envelope());
    TypeContents contents = struct.contents();
    assertEquals(n + 1, contents.integers().length);
    assertEquals(n, contents.integers()[0]);
    assertArrayEquals(lengths, Arrays.copyOfRange(contents.integers(), 1, n + 1));
    assertArrayEquals(displacements, contents.addresses());
    assertEquals(List.of(types), contents.datatypes());
  }

  @Test
  void everyCombinerButNamedIsTried() {
    Set<Combiner> tried = new HashSet<>(calls().map(Call::combiner).toList());
    tried.add(Combiner.NAMED);
    assertEquals(Set.of(Combiner.values()), tried);
  }

  @Test
  void combinersHaveTheNumbersOfTheBinaryInterface() {
    assertArrayEquals(
        LongStream.rangeClosed(101, 117).toArray(),
        Stream.of(Combiner.values()).mapToLong(Combiner::code).toArray());
  }

  @Test
  void contentsBelongToTheCaller() {
    long[] lengths = longs(1, 2);
    long[] displacements = longs(5, 0);
    Datatype<Integer> type = Datatype.indexed(lengths, displacements, INT);
    lengths[0] = 99;
    displacements[0] = 99;
    type.contents().integers()[0] = 99;
    assertArrayEquals(longs(2, 1, 2, 5, 0), type.contents().integers());
  }

  @Test
  @DisplayName("S1-4.1.13-c: named types have an envelope but no contents")
  void namedTypesHaveNoContents() {
    for (Datatype<?> type : Datatype.predefined()) {
      assertEquals(new TypeEnvelope(Combiner.NAMED, 0, 0, 0), type.envelope());
      MpiException refused = assertThrows(MpiException.class, type::contents);
      assertEquals(ErrorClass.ERR_TYPE, refused.errorClass());
      assertTrue(refused.getMessage().contains(type.name()), refused.getMessage());
    }
  }

  @Test
  @DisplayName("S1-4.1.13-e: derived components are new equivalent objects, predefined ones the very objects")
  void components() {
    Datatype<Integer> inner = Datatype.vector(3, 5, 4, INT).commit();
    inner.setName("inner");
    Datatype<Integer> outer = Datatype.contiguous(2, inner);
    inner.close();
    Datatype<?> component = outer.contents().datatypes().getFirst();
    assertNotSame(inner, component);
    assertEquals(TypeHandle.of(inner).tree(), TypeHandle.of(component).tree());
    assertEquals("", component.name());
    assertEquals(60, component.commit().size());
    component.close();
    assertNotSame(component, outer.contents().datatypes().getFirst());
    assertSame(INT, Datatype.contiguous(1, INT).contents().datatypes().getFirst());
    for (Datatype<?> named : Datatype.predefined()) {
      assertSame(named, Datatype.contiguous(1, named).contents().datatypes().getFirst());
    }
    assertSame(F90_REAL, Datatype.contiguous(1, F90_REAL).contents().datatypes().getFirst());
    assertSame(PAIR, Datatype.contiguous(1, PAIR).contents().datatypes().getFirst());
  }

  @Test
  @DisplayName("S1-4.1.13-f: unnamed predefined types are one object each, committed, and cannot be freed")
  void unnamedPredefined() {
    assertSame(
        F90_REAL, unnamed(new FortranKindType(Combiner.F90_REAL, 15, Constants.UNDEFINED, Basic.DOUBLE_PRECISION)));
    assertTrue(F90_REAL.isPredefined());
    assertTrue(F90_REAL.isCommitted());
    assertEquals(8, TypeHandle.planOf(F90_REAL).size());
    assertEquals(ErrorClass.ERR_TYPE, assertThrows(MpiException.class, F90_REAL::close).errorClass());
  }

  @Test
  void aPairThatMpiHasNoNameForIsLaidOutAsInC() {
    BoundsTest.check(PAIR, 16, 0, 16, 0, 16);
    BoundsTest.check(pair(Datatype.SHORT, DOUBLE), 10, 0, 16, 0, 16);
    BoundsTest.check(pair(DOUBLE, Datatype.SHORT), 10, 0, 16, 0, 10);
    assertEquals("DOUBLE, LONG", TypeHandle.of(PAIR).signature().toString());
  }

  @Test
  @DisplayName("S1-4.20: a struct taken apart and printed")
  void printed() {
    Datatype<?> type = Datatype.struct(longs(1, 2), longs(0, 8), INT, DOUBLE);
    assertEquals(
        """
        Datatype is struct containing 2 datatypes:
          blocklength 1, displacement 0, type:
          Datatype is named:MPI_INT
          blocklength 2, displacement 8, type:
          Datatype is named:MPI_DOUBLE
        """,
        type.describe());
    assertEquals("Datatype is named:MPI_INT\n", INT.describe());
  }

  @ParameterizedTest
  @MethodSource("calls")
  void everyTypeIsPrintedWithItsArguments(Call call) {
    String text = call.type.describe();
    for (long value : LongStream.concat(LongStream.of(call.addresses), LongStream.of(call.integers)).toArray()) {
      boolean code = call.combiner == Combiner.SUBARRAY || call.combiner == Combiner.DARRAY;
      assertTrue(code || text.contains(Long.toString(value)), value + " in " + text);
    }
    for (Datatype<?> component : call.types) {
      assertTrue(text.contains("Datatype is named:" + component.name() + "\n"), text);
    }
    assertFalse(call.type.toString().isBlank());
  }

  @Test
  void longListsAreCut() {
    long[] ones = new long[100];
    Arrays.fill(ones, 1);
    String text = Datatype.indexed(ones, LongStream.range(0, 100).map(i -> 2 * i).toArray(), CHAR).describe();
    assertTrue(text.contains("and 84 more blocks"), text);
    assertTrue(text.lines().count() < 25, text);
  }

  @Test
  void equalCallsMakeEqualTrees() {
    List<Call> first = calls().toList();
    List<Call> second = calls().toList();
    for (int i = 0; i < first.size(); i++) {
      for (int j = 0; j < second.size(); j++) {
        TypeTree a = TypeHandle.of(first.get(i).type).tree();
        TypeTree b = TypeHandle.of(second.get(j).type).tree();
        assertEquals(i == j, a.equals(b), a + " and " + b);
        assertTrue(i != j || a.hashCode() == b.hashCode());
      }
    }
    assertFalse(
        TypeHandle.of(Datatype.indexed(longs(1, 2), longs(5, 0), INT)).tree()
            .equals(TypeHandle.of(Datatype.indexed(longs(1, 2), longs(5, 1), INT)).tree()));
    TypeTree ints = TypeHandle.of(Datatype.contiguous(2, INT)).tree();
    assertFalse(ints.equals(TypeHandle.of(Datatype.contiguous(2, Datatype.INTEGER)).tree()));
    assertFalse(Datatype.contiguous(2, INT).equals(Datatype.contiguous(2, INT)), "types are the same by identity only");
  }
}
