// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.ffmpi.Mpi;
import org.ffmpi.tests.support.RankJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The page and the table of jobs of processes. */
@Tag("process")
@Timeout(240)
class TracedJobTest {
  @TempDir
  private Path folder;

  /** A rank that is killed while another one waits for it. */
  static final class Killed {
    private Killed() {}

    public static void main(String[] arguments) {
      try (Mpi mpi = Mpi.init(arguments)) {
        mpi.world().barrier();
        if (mpi.world().rank() == 1) {
          mpi.world().send(new int[25], 0, 1);
          Runtime.getRuntime().halt(9);
        }
        mpi.world().recv(new int[25], 1, 1);
        mpi.world().recv(new int[25], 1, 2);
      }
    }
  }

  @Test
  void aKilledRankLeavesWhatItHadRecorded() throws Exception {
    ByteArrayOutputStream errors = new ByteArrayOutputStream();
    Path page = folder.resolve("killed.html");
    int code = RankJvm.launcher(2)
        .main(Killed.class.getName())
        .setting("ffmpi.trace", page.toString())
        .setting("ffmpi.profile", "summary")
        .errors(errors)
        .timeout(Duration.ofSeconds(120))
        .run();
    String said = errors.toString(StandardCharsets.UTF_8);
    assertEquals(9, code, said);
    List<String> json = Files.readAllLines(folder.resolve("killed.json"));
    List<String> killed = json.stream().filter(line -> line.contains("\"pid\":1,")).toList();
    assertTrue(killed.getFirst().contains("rank 1 (did not end)"), killed::toString);
    assertTrue(killed.stream().anyMatch(line -> line.contains("\"name\":\"barrier\"")), killed::toString);
    assertTrue(killed.stream().anyMatch(line -> line.contains("\"name\":\"send\"")), killed::toString);
    List<String> receives = json.stream()
        .filter(line -> line.contains("\"pid\":0,") && line.contains("\"name\":\"recv\"")).toList();
    assertTrue(receives.getFirst().contains("\"tag\":1"), json::toString);
    assertTrue(Files.exists(page));
    assertTrue(said.contains("recv at TracedJobTest.java:"), said); // the table
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(2, files.count(), "the page and the file for Perfetto alone");
    }
  }
}
