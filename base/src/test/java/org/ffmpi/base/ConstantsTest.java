// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ConstantsTest {
  @Test
  void haveTheValuesOfTheInterfaceDefinition() throws IllegalAccessException {
    Map<String, Integer> here = new TreeMap<>();
    for (Field field : Constants.class.getFields()) {
      assertTrue(Modifier.isStatic(field.getModifiers()) && Modifier.isFinal(field.getModifiers()));
      here.put("MPI_" + field.getName(), field.getInt(null));
    }
    assertEquals(Integer.MAX_VALUE, here.remove("MPI_LARGEST_TAG"));
    assertEquals(Table.read("constants.tsv"), here);
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
