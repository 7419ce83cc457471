// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ConstantsTest {
  @Test
  @DisplayName("S1-A-1 S1-A-4 S1-2.5.4-a S1-2.5.4-d: the constants are those of the binary interface")
  void haveTheValuesOfTheInterfaceDefinition() throws IllegalAccessException {
    Map<String, Integer> here = new TreeMap<>();
    for (Field field : Constants.class.getFields()) {
      assertTrue(Modifier.isStatic(field.getModifiers()) && Modifier.isFinal(field.getModifiers()));
      here.put("MPI_" + field.getName(), field.getInt(null));
    }
    assertEquals(Integer.MAX_VALUE, here.remove("MPI_LARGEST_TAG"));
    Map<String, Integer> there = new TreeMap<>(Table.read("constants.tsv"));
    there.remove("MPI_DISTRIBUTE_DFLT_DARG"); // 19 there, a length that a block can have
    assertTrue(here.remove("MPI_DISTRIBUTE_DFLT_DARG") < 0);
    assertEquals(there, here);
  }

  @Test
  void canBeCaseLabels() {
    int source = Constants.PROC_NULL;
    String label = switch (source) {
      case Constants.ANY_SOURCE -> "any";
      case Constants.PROC_NULL -> "none";
      default -> "rank";
    };
    assertEquals("none", label);
  }
}
