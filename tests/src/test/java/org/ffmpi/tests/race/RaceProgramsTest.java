// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.race;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.ffmpi.Mpi;
import org.ffmpi.ThreadWorld;
import org.ffmpi.base.MpiException;
import org.ffmpi.race.RaceFindings;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each program of {@code programs.txt} has its race found, and no other. */
class RaceProgramsTest {
  private static final Map<String, String> SETTINGS = Map.of("ffmpi.check", "races", "ffmpi.errors", "return");
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int RANKS = 3;

  /** A line of the file. */
  record Line(String name, boolean races, String[] ranks) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Line> lines() throws IOException {
    try (InputStream in = RaceProgramsTest.class.getResourceAsStream("programs.txt")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#")).map(RaceProgramsTest::line).toList().stream();
    }
  }

  private static Line line(String text) {
    String[] parts = text.split("\\|", -1);
    String[] ranks = Arrays.stream(parts).skip(2).map(String::strip).toArray(String[]::new);
    assertEquals(RANKS, ranks.length, text);
    return new Line(parts[0].strip(), parts[1].strip().equals("race"), ranks);
  }

  @ParameterizedTest
  @MethodSource("lines")
  void findsTheRacesAndNoOthers(Line line) {
    RaceFindings.take();
    List<MpiException> errors = new ArrayList<>();
    Mpi.Body program = new RaceProgram(line.ranks, errors);
    try (ThreadWorld world = ThreadWorld.start(RANKS, SETTINGS, program)) {
      assertTrue(world.await(LIMIT), () -> line + " hangs: " + world.diagnosis());
    } catch (MpiException e) {
      errors.add(e); // a receive that is a finding is not made, and its message is left at the end
    }
    List<String> found = RaceFindings.take();
    if (line.races) {
      assertTrue(!found.isEmpty(), "nothing is found; errors: " + errors);
      assertTrue(found.stream().allMatch(sentence -> sentence.contains("RaceProgram.java:")), () -> "" + found);
    } else {
      assertEquals(List.of(), found);
      assertEquals(List.of(), errors);
    }
  }
}
