// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.PaddingLayout;
import java.lang.foreign.StructLayout;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Holds offset constants and {@link StructLayout}s together: each member has its constant, each constant its member.
 */
public final class LayoutChecks {
  private static final String SUFFIX = "_OFFSET";

  private LayoutChecks() {}

  /**
   * Compares the {@code X_OFFSET} constants of a class with the members of its layouts, name by name.
   *
   * @param constants the class with the constants
   * @param withoutMember constants that stand for no member
   * @param layouts its layouts
   */
  public static void assertAgree(Class<?> constants, Set<String> withoutMember, StructLayout... layouts) {
    Map<String, Long> offsets = offsetsOf(constants);
    Set<String> seen = new HashSet<>(withoutMember);
    for (StructLayout layout : layouts) {
      long at = 0;
      for (MemoryLayout member : layout.memberLayouts()) {
        if (!(member instanceof PaddingLayout)) {
          String name = constantOf(member.name().orElseThrow());
          assertEquals(Long.valueOf(at), offsets.get(name), constants.getSimpleName() + "." + name);
          assertEquals(0, at % member.byteAlignment(), name + " is aligned");
          assertTrue(seen.add(name), name + " is named once");
        }
        at += member.byteSize();
      }
    }
    assertEquals(offsets.keySet(), seen, constants.getSimpleName() + ": every constant stands for a member");
  }

  /**
   * Demands that members of different writers lie at least 128 bytes apart: the prefetcher fetches lines in pairs.
   *
   * @param layout the layout
   * @param writers groups of member names; members of one group have one writer
   */
  public static void assertApart(StructLayout layout, List<List<String>> writers) {
    for (List<String> one : writers) {
      for (List<String> other : writers) {
        if (one != other) {
          for (String a : one) {
            for (String b : other) {
              long from = offset(layout, a);
              long to = offset(layout, b);
              assertTrue(from / 128 != to / 128, a + " and " + b + " lie in one pair of lines: " + from + ", " + to);
            }
          }
        }
      }
    }
  }

  private static long offset(StructLayout layout, String name) {
    return layout.byteOffset(MemoryLayout.PathElement.groupElement(name));
  }

  private static String constantOf(String member) {
    return member.replaceAll("([A-Z])", "_$1").toUpperCase(java.util.Locale.ROOT) + SUFFIX;
  }

  private static Map<String, Long> offsetsOf(Class<?> constants) {
    Map<String, Long> offsets = new HashMap<>();
    for (Field f : constants.getDeclaredFields()) {
      if (Modifier.isStatic(f.getModifiers()) && f.getName().endsWith(SUFFIX)) {
        f.setAccessible(true);
        try {
          offsets.put(f.getName(), ((Number) f.get(null)).longValue());
        } catch (IllegalAccessException e) {
          throw new AssertionError(e);
        }
      }
    }
    return offsets;
  }
}
