// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("process")
@Timeout(120)
class ReportCampaignTest {
  @TempDir private Path folder;

  private Path file() {
    return folder.resolve("journal.tsv");
  }

  /** Runs a campaign, and returns what it measured, in order. */
  private List<String> run(int rounds, double seconds, StoppedReport.Taking taking)
      throws IOException, InterruptedException {
    List<String> measured = new ArrayList<>();
    try (Journal journal = Journal.open(file())) {
      new ReportCampaign(journal, List.of(StoppedReport.team((implementation, point) -> {
        double value = taking.value(implementation, point);
        measured.add(implementation + " " + point.bytes());
        return value;
      })), rounds, seconds).run(() -> {});
    }
    return measured;
  }

  @Test
  void aKilledCampaignGoesOnWhereItWas() throws Exception {
    Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"),
        StoppedReport.class.getName(), file().toString()).start();
    try (BufferedReader errors = process.errorReader()) {
      assertNotNull(errors.lines().filter(StoppedReport.UNDER_WAY::equals).findFirst().orElse(null));
    } finally {
      process.destroyForcibly().waitFor();
    }
    assertEquals(List.of("mpich 16"), run(1, 0, (i, p) -> 1));
    assertEquals(List.of(), run(1, 0, (i, p) -> 1), "all is done");
    try (Journal journal = Journal.open(file())) {
      assertEquals(4, journal.samples().size());
      assertEquals(4, new ReportCampaign(journal, List.of(StoppedReport.team((i, p) -> 1)), 1, 0).figures().size());
    }
  }

  @Test
  void withoutTimeThereIsOneRoundAndMoreTimeContinues() throws Exception {
    assertEquals(4, run(3, 0, (i, p) -> 1).size());
    assertEquals(8, run(3, 3600, (i, p) -> 1).size());
    assertEquals(0, run(3, 3600, (i, p) -> 1).size());
  }

  @Test
  void aRunThatFailsLeavesAGapAndIsTriedAgain() throws Exception {
    List<String> measured = run(1, 0, (i, p) -> {
      if (i.equals("openmpi") && p.bytes() == 16) {
        throw new IOException("no such luck\nand more");
      }
      return 1;
    });
    assertEquals(List.of("openmpi 8", "mpich 8", "mpich 16"), measured);
    try (Journal journal = Journal.open(file())) {
      assertEquals(List.of("two by openmpi, round 1: no such luck: and more"), journal.failures());
    }
    assertEquals(List.of("openmpi 16"), run(1, 0, (i, p) -> 1));
  }

  @Test
  void aFailureIsToldInALine() {
    assertEquals("p2p by ffmpi, round 1: did not end within 300 s: 2 ranks were ended",
        ReportCampaign.brief("p2p by ffmpi, round 1: /a/mpirun -n 2 P2p latency/native-clean/8 did not end within 300 s"
            + "\nbuilding\n2 ranks were ended\n\n"));
    assertEquals("it broke", ReportCampaign.brief("it broke"));
  }

  @Test
  void optionsThatMakeNoSenseAreRefused() {
    assertEquals("--parts p3p: known are " + String.join(", ", ReportPlan.NAMES), refused("--parts=p3p"));
    assertEquals("--minutes = soon: allowed are 0..100000", refused("--minutes", "soon"));
    assertEquals("--rounds: report has no such option", refused("--rounds", "3"));
    assertEquals("--out: a value is missing", refused("--out"));
    assertEquals("--resume and --fresh exclude each other", refused("--resume", "--fresh"));
  }

  @Test
  void littleTimeIsForTheQuickChoice() {
    assertTrue(ReportOptions.parse(List.of("--minutes", "20"), folder).quick);
    assertEquals(20, ReportOptions.parse(List.of("--quick"), folder).minutes);
    assertEquals(55, ReportOptions.parse(List.of(), folder).minutes);
    assertFalse(ReportOptions.parse(List.of(), folder).quick);
  }

  private static String refused(String... arguments) {
    return assertThrows(BenchOptions.UsageException.class,
        () -> ReportOptions.parse(List.of(arguments), Path.of("."))).getMessage();
  }

  @Test
  void everyPartHasPointsOfOursAndOfThePeersCases() {
    for (boolean quick : new boolean[] {true, false}) {
      for (String name : ReportPlan.NAMES) {
        ReportPlan.Part part = ReportPlan.part(name, quick, folder);
        List<String> known = part.suite().cases;
        for (String word : part.options().cases) {
          assertTrue(known.contains(word), name + " has no case " + word);
        }
        Campaign campaign = new Campaign(part.suite(), List.of(), part.options());
        Implementation ours = new Implementation.Ffmpi("ffmpi", folder, "");
        for (int n : part.ranks()) {
          assertTrue(campaign.points(ours, n).stream().anyMatch(part.points()), name);
        }
      }
    }
  }
}
