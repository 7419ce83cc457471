// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.StructLayout;
import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Compares the offset constants of a layout class with the members of its {@link StructLayout}s. */
final class Offsets {
  private Offsets() {}

  /** Demands that the {@code X_OFFSET} constants of a class, and the given others, are the members of its layouts. */
  static void assertAgree(Class<?> constants, Map<String, Long> withoutMember, StructLayout... layouts)
      throws IllegalAccessException {
    Map<String, Long> declared = new HashMap<>();
    for (Field field : constants.getDeclaredFields()) {
      if (field.getName().endsWith("_OFFSET")) {
        declared.put(field.getName(), ((Number) field.get(null)).longValue());
      }
    }
    Map<String, Long> expected = new HashMap<>(withoutMember);
    for (StructLayout layout : layouts) {
      layout.memberLayouts().stream().flatMap(member -> member.name().stream()).forEach(name -> {
        long offset = layout.byteOffset(PathElement.groupElement(name));
        expected.put(name.replaceAll("([A-Z])", "_$1").toUpperCase(Locale.ROOT) + "_OFFSET", offset);
      });
    }
    assertEquals(expected, declared, constants.getSimpleName());
  }
}
