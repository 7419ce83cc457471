// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.ffmpi.datatype.basic.Basic;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.tree.TypeTree;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every predefined type against the table of the standard's types on a 64-bit Linux. */
class PredefinedTypesTest {
  static List<Map<String, String>> rows() {
    return Table.read("predefined.tsv");
  }

  @ParameterizedTest
  @MethodSource("rows")
  @DisplayName("S1-3.2.2-c S1-3.2.2-d S1-3.2.2-g S1-3.2.2-h S1-2.6.4-g "
      + "S1-A-5 S1-A-6 S1-A-7: every predefined type has its name, size and bounds")
  void typeHasTheNumbersOfTheTable(Map<String, String> row) {
    Datatype<?> type = Table.constant(row.get("java_name"));
    assertEquals(row.get("default_name"), type.name());
    assertEquals(Long.parseLong(row.get("size")), type.size(), "size");
    assertEquals(Long.parseLong(row.get("extent")), type.extent(), "extent");
    assertEquals(0, type.lowerBound());
    assertEquals(type.extent(), type.upperBound());
    assertEquals(0, type.trueLowerBound());
    assertEquals(Long.parseLong(row.get("true_extent")), type.trueExtent(), "true extent");
    assertEquals(Long.parseLong(row.get("alignment")), TypeHandle.of(type).tree().bounds().alignment(), "alignment");
    assertTrue(type.isPredefined());
    assertTrue(type.isCommitted());
    assertSame(type, type.commit());
    assertEquals(row.get("default_name"), type.toString());
    assertEquals(row.get("array"), type.arrayClass().map(Class::getTypeName).orElse("-"));
    assertTrue(type.acceptsArray(byte[].class), "bytes hold everything");
    type.arrayClass().ifPresent(array -> assertTrue(type.acceptsArray(array)));
    assertTrue(TypeHandle.planOf(type).size() == type.size() && TypeHandle.planOf(type).extent() == type.extent());
    assertEquals(type.size() == type.extent(), TypeHandle.planOf(type).isContiguous());
  }

  @ParameterizedTest
  @MethodSource("rows")
  void basicTypeHasGroupAndCodesOfTheTable(Map<String, String> row) {
    TypeTree.Named named = (TypeTree.Named) TypeHandle.of(Table.constant(row.get("java_name"))).tree();
    assertEquals(row.get("default_name"), named.basic().mpiName());
    assertEquals(row.get("group"), named.basic().reductionGroup().name());
    assertEquals(Integer.parseInt(row.get("external32")), named.basic().external32Size());
    assertEquals(Integer.decode(row.get("abi_handle")), named.basic().abiHandle());
  }

  @Test
  void tableAndConstantsAgree() {
    Set<String> inTable = rows().stream().map(r -> r.get("java_name")).collect(Collectors.toSet());
    Set<String> constants = Arrays.stream(Datatype.class.getFields())
        .filter(f -> Modifier.isStatic(f.getModifiers()) && f.getType() == Datatype.class)
        .map(f -> f.getName()).collect(Collectors.toSet());
    assertEquals(inTable, constants);
  }

  @Test
  void carrierOfEachConstantIsTheBoxOfItsElement() {
    Arrays.stream(Datatype.class.getFields()).filter(f -> f.getType() == Datatype.class).forEach(field -> {
      Class<?> carrier = (Class<?>) ((ParameterizedType) field.getGenericType()).getActualTypeArguments()[0];
      TypeTree.Named named = (TypeTree.Named) TypeHandle.of(Table.constant(field.getName())).tree();
      assertSame(named.basic().element().box(), carrier, field.getName());
    });
  }

  @Test
  @DisplayName("S1-3.2.2-e: synonyms are the same handle and answer with the name of the primary type")
  void synonymsAreTheSameObject() {
    assertSame(Datatype.LONG_LONG_INT, Datatype.LONG_LONG);
    assertEquals("MPI_LONG_LONG_INT", Datatype.LONG_LONG.name());
    assertSame(Datatype.C_COMPLEX, Datatype.C_FLOAT_COMPLEX);
    assertEquals("MPI_C_COMPLEX", Datatype.C_FLOAT_COMPLEX.name());
  }

  @Test
  @DisplayName("S1-3.2.2-f: BYTE differs from CHAR and from PACKED")
  void byteIsATypeOfItsOwn() {
    assertNotSame(Datatype.BYTE, Datatype.CHAR);
    assertNotSame(Datatype.BYTE, Datatype.PACKED);
    assertFalse(TypeHandle.of(Datatype.BYTE).tree().equals(TypeHandle.of(Datatype.CHAR).tree()));
  }

  @Test
  void eachTypeIsListedOnce() {
    List<Datatype<?>> all = Datatype.predefined();
    assertEquals(Basic.values().length, all.size());
    assertEquals(all.size(), new HashSet<>(all).size());
    assertEquals(rows().size() - 2, all.size(), "all rows but two synonyms");
    Set<Integer> handles = all.stream().map(t -> ((TypeTree.Named) TypeHandle.of(t).tree()).basic().abiHandle())
        .collect(Collectors.toSet());
    assertEquals(all.size(), handles.size());
  }

  @Test
  void treesAreComparedByContent() {
    assertEquals(TypeHandle.of(Datatype.INT).tree(), new TypeTree.Named(Basic.INT));
    assertFalse(TypeHandle.of(Datatype.INT).tree().equals(TypeHandle.of(Datatype.INTEGER).tree()));
  }
}
