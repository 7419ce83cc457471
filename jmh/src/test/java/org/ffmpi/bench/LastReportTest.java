// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every sample is kept, however a campaign ends. */
@Tag("process")
@Timeout(120)
class LastReportTest {
  /** Number of SIGINT. */
  private static final int INT = 2;

  @TempDir private Path folder;
  private Process campaign;

  private Path csv() {
    return folder.resolve("new/rows.csv");
  }

  private void start(String second) throws IOException {
    campaign = new ProcessBuilder(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"), EndedCampaign.class.getName(), second,
        csv().toString()).start();
  }

  @AfterEach
  void endWhatIsLeft() {
    if (campaign != null) {
      campaign.descendants().forEach(ProcessHandle::destroyForcibly);
      campaign.destroyForcibly();
    }
  }

  /** Reads the campaign's output until its last job has begun; returns the rows kept by then. */
  private List<String> rowsAtLastJob(BufferedReader errors) throws IOException {
    for (String line; (line = errors.readLine()) != null;) {
      if (line.equals(EndedCampaign.UNDER_WAY)) {
        return Files.readAllLines(csv());
      }
    }
    throw new AssertionError("the campaign has ended before its last job");
  }

  private void assertRowsAndTable() throws IOException {
    String tables = new String(campaign.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(List.of(
        "bench,case,impl,ranks,bytes,unit,min,median,max,worst_job,foreign_cpu_pct",
        "latency,short,openmpi,2,8,us,1.25,1.25,1.25,1.25,0.0",
        "latency,short,mpich,2,8,us,1.25,1.25,1.25,1.25,0.0"), Files.readAllLines(csv()));
    assertEquals(1, tables.lines().filter(l -> l.startsWith("latency, short, us")).count(), tables);
    assertTrue(tables.lines().anyMatch(l -> l.strip().matches("2 +8 +1.25 +1.25")), tables);
  }

  @ParameterizedTest
  @ValueSource(strings = {"TERM", "INT"})
  void aSignalLeavesTheRowsAndTheTable(String signal) throws Exception {
    assumeFalse(signal.equals("INT") && isIgnored(INT), "this JVM's children ignore SIGINT, as those of nohup do");
    start("waits");
    try (BufferedReader errors = campaign.errorReader()) {
      assertEquals(3, rowsAtLastJob(errors).size(), "header and rows of the jobs that have ended");
      assertEquals(0, new ProcessBuilder("kill", "-" + signal, Long.toString(campaign.pid())).start().waitFor());
      assertRowsAndTable();
      assertEquals(signal.equals("INT") ? 130 : 143, campaign.waitFor());
    }
  }

  /** Whether this process ignores a signal, which its children inherit. */
  private static boolean isIgnored(int signal) throws IOException {
    String line = Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(l -> l.startsWith("SigIgn:")).findFirst().orElseThrow();
    return (Long.parseUnsignedLong(line.substring("SigIgn:".length()).strip(), 16) >> (signal - 1) & 1) != 0;
  }

  @Test
  void aPeerThatFailsLeavesTheRowsAndTheTable() throws Exception {
    start("fails");
    try (BufferedReader errors = campaign.errorReader()) {
      rowsAtLastJob(errors);
      assertTrue(errors.lines().anyMatch(l -> l.contains("the second peer has failed")));
      assertRowsAndTable();
      assertNotEquals(0, campaign.waitFor());
    }
  }

  @Test
  void aFileThatCannotBeWrittenIsRefusedFirst() throws Exception {
    Path file = Files.createFile(folder.resolve("file"));
    IOException e = assertThrows(IOException.class, () -> Report.checkWritable(file.resolve("rows.csv")));
    assertTrue(e.getMessage().startsWith("--csv " + file + "/rows.csv cannot be written: "), e.getMessage());
    Files.writeString(file, "kept");
    Report.checkWritable(file);
    assertEquals("kept", Files.readString(file));
  }
}
