// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.docs;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.ffmpi.datatype.Datatype;
import org.junit.jupiter.api.Test;

/** The plans and signatures shown in the user guide are what the library prints. */
class PlansInGuideTest {
  private static final Path GUIDE = Path.of("..", "docs", "guide", "buffers-and-datatypes.md");

  @Test
  void dumpsAreReal() throws IOException {
    Datatype<Object> particle = Datatype.struct(
        new long[] {1, 6, 7}, new long[] {0, 8, 56}, Datatype.INT, Datatype.DOUBLE, Datatype.CHAR).commit();
    Datatype<Double> row = Datatype.vector(100, 1, 100, Datatype.DOUBLE);
    String guide = Files.readString(GUIDE);
    assertShown(guide, "System.out.println(particle.describePlan());       // " + particle.describePlan());
    assertShown(guide, "System.out.println(particle.describeSignature());  // " + particle.describeSignature());
    assertShown(guide, "    " + Datatype.vector(500, 1, 2, particle).commit().describePlan());
    assertShown(guide, "    " + Datatype.hvector(100, 1, 8, row).commit().describePlan());
  }

  private static void assertShown(String guide, String line) {
    assertTrue(guide.contains(line + "\n"), () -> "not in the guide: " + line);
  }
}
