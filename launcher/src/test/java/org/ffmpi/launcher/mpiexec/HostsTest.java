// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.mpiexec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.ffmpi.launcher.request.UsageException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks on the hosts of {@code --host}. */
class HostsTest {
  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "a | 3 | a:3",
    "a,b | 8 | a:4,b:4",
    "a,b | 5 | a:3,b:2",
    "a,b,c | 2 | a:1,b:1",
    "a:1,b | 4 | a:1,b:3",
    "a:3,b,c | 4 | a:3,b:1",
    "a:4,b:4 | 6 | a:4,b:2",
    "n-1.x.org:2, n2 | 3 | n-1.x.org:2,n2:1"})
  void ranksAreSpreadInOrder(String text, int ranks, String shares) throws UsageException {
    assertEquals(shares, Hosts.joined(Hosts.spread(text, ranks), ":", ","));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a,", ",", "a:0", "a:x", "a b", "-a", "a:-1", "[::1]"})
  void whatIsNoHostIsRefused(String text) {
    UsageException e = assertThrows(UsageException.class, () -> Hosts.spread(text, 2));
    assertTrue(e.getMessage().startsWith("--host " + text + ": allowed are names of hosts"), e.getMessage());
  }

  @Test
  void tooLittleRoomIsSaid() {
    UsageException e = assertThrows(UsageException.class, () -> Hosts.spread("a:2,b:1", 4));
    assertEquals("--host a:2,b:1: the hosts have room for 3 ranks, not for 4", e.getMessage());
  }

  @Test
  void programsTakeTheirPart() throws UsageException {
    var shares = Hosts.spread("a:2,b:2,c:2", 6);
    assertEquals("a:2,b:1", Hosts.joined(Hosts.slice(shares, 0, 3), ":", ","));
    assertEquals("b:1,c:2", Hosts.joined(Hosts.slice(shares, 3, 6), ":", ","));
  }
}
