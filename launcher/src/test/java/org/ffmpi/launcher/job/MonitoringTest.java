// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Map;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;
import org.ffmpi.launcher.request.CommandLine;
import org.ffmpi.launcher.request.LaunchSettings;
import org.ffmpi.launcher.request.UsageException;
import org.junit.jupiter.api.Test;

/** The ports of JMX clients. */
class MonitoringTest {
  private static Monitoring of(int ranks, String... words) throws UsageException {
    return Monitoring.of(Settings.of(CommandLine.parse(words).settings()), ranks);
  }

  @Test
  void eachRankHasAPortOfItsOwnOnThisMachine() throws Exception {
    Monitoring usual = of(4, "-n", "4", "--jmx", "Main");
    int last = LaunchSettings.USUAL_JMX_PORT + 3;
    assertTrue(usual.options(3).contains("-Dcom.sun.management.jmxremote.port=" + last), usual.options(3)::toString);
    assertTrue(usual.options(3).contains("-Dcom.sun.management.jmxremote.host=127.0.0.1"));
    assertTrue(usual.options(3).contains("-Dcom.sun.management.jmxremote.local.only=true"));
    assertEquals(
        "JMX clients connect to 127.0.0.1:" + LaunchSettings.USUAL_JMX_PORT + " (rank 0) to " + last + " (rank 3)",
        usual.description());
    assertEquals("JMX clients connect to 127.0.0.1:7000", of(1, "-n", "1", "--jmx=7000", "Main").description());
  }

  @Test
  void withoutTheOptionNothingIsMonitored() throws Exception {
    assertNull(of(4, "-n", "4", "Main"));
    assertNull(Monitoring.of(Settings.of(Map.of("ffmpi.jmx", "0")), 4));
  }

  @Test
  void portsThatDoNotExistAreRefused() {
    assertThrows(MpiException.class, () -> of(4, "-n", "4", "--jmx=65533", "Main"));
    assertThrows(MpiException.class, () -> Monitoring.of(Settings.of(Map.of("ffmpi.jmx", "x")), 4));
  }

  @Test
  void aPortThatIsTakenIsNamedWithItsRank() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      int port = taken.getLocalPort();
      Monitoring monitoring = of(1, "-n", "1", "--jmx=" + port, "Main");
      MpiException refused = assertThrows(MpiException.class, monitoring::checkPorts);
      assertEquals(ErrorClass.ERR_SPAWN, refused.errorClass());
      assertTrue(refused.getMessage().contains("port " + port + ", where a JMX client would connect to rank 0"),
          refused.getMessage());
    }
  }
}
