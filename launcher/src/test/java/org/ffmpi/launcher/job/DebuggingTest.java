// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;
import org.ffmpi.launcher.request.CommandLine;
import org.ffmpi.launcher.request.UsageException;
import org.junit.jupiter.api.Test;

/** The ports of debuggers. */
class DebuggingTest {
  private static Map<String, String> settings(String... words) throws UsageException {
    return CommandLine.parse(words).settings();
  }

  @Test
  void optionsTellPortsAndWhoWaits() throws Exception {
    Map<String, String> plain = settings("-n", "4", "--debug", "Main");
    Debugging debugging = Debugging.of(Settings.of(plain), 4);
    assertEquals(
        "-agentlib:jdwp=transport=dt_socket,server=y,quiet=y,suspend=n,address=127.0.0.1:5008", debugging.option(3));
    Map<String, String> waiting = settings("-n", "4", "--debug=6000", "--debug-suspend", "0,2-3", "Main");
    debugging = Debugging.of(Settings.of(waiting), 4);
    assertTrue(debugging.option(2).contains("suspend=y,address=127.0.0.1:6002"), debugging.option(2));
    assertTrue(debugging.option(1).contains("suspend=n"), debugging.option(1));
    assertEquals(
        "debuggers attach to port 6000 + rank, 6000 to 6003; ranks 0,2-3 wait for one; time limits and the watchdog are"
            + " off", debugging.description());
    Settings implied = Settings.of(settings("-n", "1", "--debug-suspend=all", "Main"));
    assertEquals(
        "debuggers attach to port 5005; the rank waits for one; time limits and the watchdog are off",
        Debugging.of(implied, 1).description());
    assertNull(Debugging.of(Settings.of(Map.of()), 4));
    for (String wrong : List.of("1-", "x", "3-1", "4", "0,")) {
      Settings settings = Settings.of(Map.of("ffmpi.debug.suspend", wrong));
      assertThrows(MpiException.class, () -> Debugging.of(settings, 4), wrong);
    }
    assertThrows(MpiException.class, () -> Debugging.of(Settings.of(Map.of("ffmpi.debug", "65533")), 4));
  }
}
