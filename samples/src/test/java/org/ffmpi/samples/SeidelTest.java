// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.samples.show.Arguments;
import org.ffmpi.testkit.MpiTest;
import org.junit.jupiter.api.Test;

class SeidelTest {
  private static final int ROWS = 50;
  private static final int SWEEPS = 30;

  @MpiTest(ranks = {1, 2, 3, 4})
  void curesChangeNoTemperature(Mpi mpi) {
    double alone = error(mpi.self(), false, false);
    for (boolean early : new boolean[] {false, true}) {
      for (boolean cells : new boolean[] {false, true}) {
        assertEquals(alone, error(mpi.world(), early, cells), 1e-12);
      }
    }
  }

  private static double error(IntraComm comm, boolean early, boolean cells) {
    Seidel plate = new Seidel(comm, new Seidel.Options(ROWS, SWEEPS, early, cells));
    double before = plate.error();
    plate.run();
    double after = plate.error();
    assertTrue(after < 0.8 * before, before + " became " + after);
    return after;
  }

  /** The guide names lines of the program, as its trace does. */
  @Test
  void theGuideNamesItsCalls() throws IOException {
    List<String> lines = Files.readAllLines(Path.of("src/main/java/org/ffmpi/samples/Seidel.java"));
    Matcher place = Pattern.compile("(recv|send|allreduce)\\s+at\\s+Seidel\\.java:(\\d+)").matcher(
        Files.readString(Path.of("..", "docs", "guide", "where-does-the-time-go.md")));
    int found = 0;
    while (place.find()) {
      String line = lines.get(Integer.parseInt(place.group(2)) - 1);
      assertTrue(line.contains("comm." + place.group(1) + "("), place.group() + ": " + line);
      found++;
    }
    assertTrue(found >= 4, "only " + found + " places found");
  }

  @Test
  void badArgumentsAreRefusedWithTheirValue() {
    assertEquals(new Seidel.Options(1500, 200, false, false), parse());
    assertEquals(new Seidel.Options(64, 9, true, true),
        parse("--rows", "64", "--sweeps", "9", "--send", "early", "--parts", "cells"));
    assertRefused("--send never: late and early are allowed", "--send", "never");
    assertRefused("--parts all: rows and cells are allowed", "--parts", "all");
    assertRefused("--rows 17: at least 18 are needed by 3 ranks", "--rows", "17");
  }

  private static Seidel.Options parse(String... args) {
    return Seidel.Options.parse(new Arguments(args), 3);
  }

  private static void assertRefused(String part, String... args) {
    String message = assertThrows(IllegalArgumentException.class, () -> parse(args)).getMessage();
    assertTrue(message.contains(part), message);
  }
}
