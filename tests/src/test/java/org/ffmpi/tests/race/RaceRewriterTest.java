// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.race;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.ffmpi.Mpi;
import org.ffmpi.race.RaceFindings;
import org.ffmpi.race.RaceRewriter;
import org.junit.jupiter.api.Test;

/** The forms of loads and stores that rewritten classes tell of. */
class RaceRewriterTest {
  @Test
  void seesAllForms() {
    RaceFindings.take();
    TouchingProgram program = new TouchingProgram();
    Mpi.runThreads(1, Map.of("ffmpi.check", "races", "ffmpi.errors", "return"), program);
    assertEquals(List.of(), program.wrong());
  }

  @Test
  void rewritesProgramsOnly() {
    assertTrue(RaceRewriter.isOfLibrary("org/ffmpi/window/WinImpl"));
    assertTrue(RaceRewriter.isOfLibrary("mpi/Comm"));
    assertFalse(RaceRewriter.isOfLibrary("org/ffmpi/samples/Pi"));
    assertFalse(RaceRewriter.isOfLibrary("org/example/Halo"));
  }
}
