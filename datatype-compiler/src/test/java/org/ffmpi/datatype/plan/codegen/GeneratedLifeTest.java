// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.codegen;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ClassLoadingMXBean;
import java.lang.management.ManagementFactory;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.plan.Plan;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The life of generated classes. Runs where each type gets its class at the first use. */
@EnabledIfSystemProperty(named = "ffmpi.datatype.generate", matches = "sync")
class GeneratedLifeTest {
  private static final int TYPES = 1_600;

  /** Above the number of plans with classes that the cache holds, and far below the number of types. */
  private static final int MOST = 1_100;

  /** Where the second member of the first type lies: farther out than in other tests, whose plans may be remembered. */
  private static final long FIRST = 10_000;

  private static void use(Arena arena, int i) {
    try (Datatype<Object> type = Datatype.struct(
        new long[] {1, 1}, new long[] {0, FIRST + 4L * i}, Datatype.INT, Datatype.DOUBLE).commit()) {
      MemorySegment memory = arena.allocate(FIRST + 16 + 4L * i, 8);
      MemorySegment stream = arena.allocate(12, 8);
      memory.set(ValueLayout.JAVA_INT, 0, i);
      memory.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, FIRST + 4L * i, i);
      Plan plan = TypeHandle.planOf(type);
      plan.pack(Memory.NATIVE, null, Raw.address(memory), 1, 0, 12, Raw.address(stream));
      assertEquals(i, stream.get(ValueLayout.JAVA_INT, 0));
      assertEquals(i, stream.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, 4));
      plan.unpack(Raw.address(stream), Memory.NATIVE, null, Raw.address(memory), 1, 0, 12);
    }
  }

  @Test
  void manyTypesOneAfterTheOtherKeepTheNumberOfClassesBounded() {
    ClassLoadingMXBean classes = ManagementFactory.getClassLoadingMXBean();
    try (Arena arena = Arena.ofConfined()) {
      use(arena, 0);
      long before = classes.getLoadedClassCount();
      long totalBefore = classes.getTotalLoadedClassCount();
      long most = 0;
      for (int i = 1; i <= TYPES; i++) {
        use(arena, i);
        if (i % (TYPES / 10) == 0) {
          System.gc();
          most = Math.max(most, classes.getLoadedClassCount() - before);
        }
      }
      long made = classes.getTotalLoadedClassCount() - totalBefore;
      // Packing and unpacking share a class; some more belong to the JVM.
      assertTrue(made >= TYPES && made < TYPES + TYPES / 2, made + " classes for " + TYPES + " types");
      assertTrue(most < MOST, most + " classes at a time");
    }
  }
}
