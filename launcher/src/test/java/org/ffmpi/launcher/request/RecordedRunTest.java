// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import org.ffmpi.base.Settings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordedRunTest {
  @TempDir
  Path folder;

  @Test
  void theCommandReplacesTheOption() {
    assertEquals("mpirun --replay dir -n 3 -cp app.jar Main 'two words'",
        RecordedRun.command(
            List.of("-n", "3", "--record", "dir", "-cp", "app.jar", "Main", "two words"), "dir", false));
    assertEquals("mpirun --replay 'it'\\''s' -n 3 Main.java",
        RecordedRun.command(List.of("--record=it's", "-n", "3", "Main.java"), "it's", false));
    assertEquals("env -u FFMPI_RECORD mpirun --replay dir -n 3 Main",
        RecordedRun.command(List.of("-n", "3", "-Dffmpi.record=dir", "Main"), "dir", true));
    assertEquals("mpirun --replay dir Main --record mine",
        RecordedRun.command(List.of("--record", "dir", "Main", "--record", "mine"), "dir", false));
  }

  @Test
  void onlyARecordingIsNamed() throws IOException {
    Settings settings = Settings.of(Map.of("ffmpi.record", folder.toString()));
    assertNull(RecordedRun.hint(Settings.of(Map.of())));
    assertNull(RecordedRun.hint(settings));
    Files.createFile(folder.resolve("rank-0.0"));
    assertTrue(RecordedRun.hint(settings).contains("recorded in " + folder + "; "));
    Files.setLastModifiedTime(folder.resolve("rank-0.0"), FileTime.fromMillis(System.currentTimeMillis() - 10_000));
    RecordedRun.begin();
    assertNull(RecordedRun.hint(settings));
  }
}
