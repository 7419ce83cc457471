// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples.heat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.ffmpi.samples.heat.HeatOptions.Buffers;
import org.ffmpi.samples.heat.HeatOptions.Exchange;
import org.ffmpi.samples.show.Arguments;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HeatOptionsTest {
  private static HeatOptions parse(String... args) {
    Arguments arguments = new Arguments(args);
    HeatOptions options = HeatOptions.parse(arguments, 4);
    arguments.end();
    return options;
  }

  private static void assertRefused(String part, String... args) {
    String message = assertThrows(IllegalArgumentException.class, () -> parse(args)).getMessage();
    assertTrue(message.contains(part), message);
  }

  @Test
  void defaultsAreThoseOfTheUsage() {
    assertEquals(new HeatOptions(1024, 1000, Path.of("heat.png"), Buffers.HEAP, false, Exchange.MESSAGE), parse());
  }

  @Test
  void bothSpellings(@TempDir Path folder) {
    Path file = folder.resolve("x.png");
    HeatOptions expected = new HeatOptions(64, 0, file, Buffers.SHARED, false, Exchange.MESSAGE);
    assertEquals(expected, parse("--size", "64", "--steps", "0", "--output", file.toString(), "--buffers", "shared"));
    assertEquals(expected, parse("--size=64", "--steps=0", "--output=" + file, "--buffers=shared"));
    assertNull(parse("--output", "none").output());
    assertTrue(parse("--grid").grid());
  }

  @Test
  void badArgumentsAreRefusedWithTheirValue(@TempDir Path folder) {
    assertRefused("--size 0: whole numbers from 1 to 100000", "--size", "0");
    assertRefused("--size ten", "--size", "ten");
    assertRefused("--size 3: at least 4", "--size=3");
    assertRefused("--steps -1", "--steps=-1");
    assertRefused("--buffers disk: heap, native and shared", "--buffers", "disk");
    assertRefused("--exchange never: message, first and window are allowed", "--exchange", "never");
    assertRefused("--buffers heap is needed", "--grid", "--buffers=native");
    assertRefused("--colour", "--colour", "red");
    assertRefused("--steps needs a value", "--steps");
    assertRefused("--output " + folder, "--output", folder.toString());
    assertRefused("missing/x.png", "--output", folder.resolve("missing/x.png").toString());
  }
}
