// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.libraries;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.ffmpi.launcher.Launcher;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The main classes as a user runs them, each rank a process. */
@Tag("process")
class LibrariesProcessTest {
  private static List<String> run(int expected, Class<?> program, String... arguments) throws InterruptedException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code =
        Launcher.of(2)
            .javaOptions("--sun-misc-unsafe-memory-access=allow", "-Dslf4j.internal.verbosity=ERROR")
            .main(program.getName(), arguments)
            .output(out)
            .errors(err)
            .timeout(Duration.ofSeconds(120))
            .run();
    String errors = err.toString(StandardCharsets.UTF_8);
    assertEquals(expected, code, () -> out + errors);
    if (expected == 0) {
      assertEquals("", errors);
    }
    return expected == 0 ? out.toString(StandardCharsets.UTF_8).lines().toList() : errors.lines().toList();
  }

  private static void assertBegins(String beginning, String line) {
    assertTrue(line.startsWith(beginning), line);
  }

  @Test
  void ejmlMultiplies() throws InterruptedException {
    List<String> lines = run(0, MatrixProduct.class, "101");
    assertEquals(1, lines.size(), lines::toString);
    assertBegins("101 x 101 by 2 ranks: ", lines.getFirst());
    assertTrue(lines.getFirst().endsWith("the products agree"), lines::toString);
  }

  @Test
  void ejmlIterates() throws InterruptedException {
    assertBegins("largest eigenvalue of 60 x 60 by 2 ranks: ", run(0, PowerIteration.class, "60").getFirst());
  }

  @Test
  void hipparchusSolves() throws InterruptedException {
    assertBegins("900 unknowns by 2 ranks: ", run(0, PoissonSolver.class, "30").getFirst());
  }

  @Test
  void arrowAddsUp() throws InterruptedException {
    List<String> lines = run(0, ColumnSum.class, "70000");
    assertBegins("own memory: 70000 entries added up over 2 ranks, 20000 null, 0 wrong", lines.getFirst());
    assertBegins("shared memory: 70000 entries added up over 2 ranks, 20000 null, 0 wrong", lines.getLast());
  }

  @Test
  void sizesThatAreNoneAreRefused() throws InterruptedException {
    assertBegins("size = many: allowed are 2..20000", run(2, MatrixProduct.class, "many").getFirst());
  }
}
