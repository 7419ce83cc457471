// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.concurrent.atomic.AtomicReference;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.Settings;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.fake.FakeEngine;
import org.ffmpi.spi.Channel;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a status tells. */
class StatusTest {
  private static Status ofBytes(long bytes) {
    return new Status().set(0, 0, bytes, false, ErrorClass.SUCCESS);
  }

  @Test
  void emptyStatus() {
    Status s = new Status();
    assertEquals(Constants.ANY_SOURCE, s.source());
    assertEquals(Constants.ANY_TAG, s.tag());
    assertEquals(0, s.getCount(Datatype.DOUBLE));
    assertEquals(0, s.getElements(Datatype.DOUBLE));
    assertEquals(ErrorClass.SUCCESS, s.error());
    assertFalse(s.isCancelled());
    assertEquals("Status[source=-1, tag=-2, bytes=0]", s.toString());
  }

  @Test
  @DisplayName("S1-2.5.8-b: counts beyond 32 bits are told; what is no whole number of elements is UNDEFINED")
  void countsAreLong() {
    assertEquals(0x7fffffffL * 4, ofBytes(0x7fffffffL * 16).getCount(Datatype.INT));
    assertEquals(3, ofBytes(24).getCount(Datatype.DOUBLE));
    assertEquals(Constants.UNDEFINED, ofBytes(25).getCount(Datatype.DOUBLE));
    assertEquals(-32766, ofBytes(25).getElements(Datatype.DOUBLE));
    assertEquals(2, ofBytes(24).getCount(Datatype.DOUBLE_INT));
    assertEquals(4, ofBytes(24).getElements(Datatype.DOUBLE_INT));
    assertEquals(3, ofBytes(20).getElements(Datatype.DOUBLE_INT));
    assertEquals(Constants.UNDEFINED, ofBytes(20).getCount(Datatype.DOUBLE_INT));
  }

  @Test
  void sourcesAreRanksOfTheCommunicator() {
    FakeEngine engine = new FakeEngine(5, 8, Settings.of(java.util.Map.of()), new AtomicReference<>());
    Channel channel = new Channel(engine, 8, new int[] {7, 5, 2});
    Status s = new Status();
    s.envelope().set(2, 3, 8, false);
    assertEquals(2, s.received(channel, ErrorClass.SUCCESS).source());
    s.envelope().set(7, 3, 8, false);
    assertEquals(0, s.received(channel, ErrorClass.ERR_TRUNCATE).source());
    assertEquals("Status[source=0, tag=3, bytes=8, ERR_TRUNCATE]", s.toString());
    assertEquals(1, channel.rank());
    assertEquals(Constants.ANY_SOURCE, channel.peer(Constants.ANY_SOURCE));
    assertEquals(7, channel.peer(0));
  }
}
