// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.ffmpi.IntraComm;
import org.ffmpi.Status;
import org.ffmpi.base.Constants;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.junit.jupiter.api.DisplayName;

class GreetingsTest {
  @MpiTest(ranks = {2, 3, 4, 8})
  @DisplayName("S1-3.1-a: 13 characters with tag 99 from rank 0 to rank 1, received with room for 20")
  void s1_3_1_a_helloThere(IntraComm world) {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    Status status = Greetings.exchange(world, new PrintStream(printed, true, StandardCharsets.US_ASCII));
    if (world.rank() == 1) {
      assertEquals(13, status.getCount(Datatype.CHAR));
      assertEquals(0, status.source());
      assertEquals(99, status.tag());
      assertEquals("received :Hello, there:", printed.toString(StandardCharsets.US_ASCII).strip());
    } else {
      assertEquals(Constants.ANY_SOURCE, status.source());
      assertEquals(0, printed.size());
    }
  }
}
