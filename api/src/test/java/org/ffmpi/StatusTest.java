// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import static org.ffmpi.Worlds.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicReference;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.Settings;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.fake.FakeEngine;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Members;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The fields of a status. */
class StatusTest {
  private static Status ofBytes(long bytes) {
    return new Status().set(0, 0, bytes, false);
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
  @DisplayName("S1-4.12, S1-4.1.11-g: partial elements, and numbers that no int holds")
  void partialElements() {
    Datatype<Float> pair = Datatype.contiguous(2, Datatype.FLOAT);
    assertEquals(1, ofBytes(8).getCount(pair));
    assertEquals(2, ofBytes(8).getElements(pair));
    assertEquals(Constants.UNDEFINED, ofBytes(12).getCount(pair));
    assertEquals(3, ofBytes(12).getElements(pair));
    assertEquals(Constants.UNDEFINED, ofBytes(6).getElements(pair));
    assertEquals(Constants.UNDEFINED, ofBytes(8L << 31).getCountInt(pair));
    assertEquals(0x7fffffff, ofBytes(8L * 0x7fffffff).getCountInt(pair));
    assertEquals(Constants.UNDEFINED, ofBytes(8L * 0x7fffffff).getElementsInt(pair));
    assertEquals(3, ofBytes(12).getElementsInt(pair));
    assertError(ErrorClass.ERR_TYPE, () -> ofBytes(8).getCount(null), "type = null");
    pair.close();
    assertError(ErrorClass.ERR_TYPE, () -> ofBytes(8).getElements(pair), "freed");
  }

  @Test
  @DisplayName("S1-12.3-d: elements that were set are told, with a count that fits")
  void setElements() {
    Datatype<Float> pair = Datatype.contiguous(2, Datatype.FLOAT);
    Status s = new Status();
    s.setElements(pair, 3);
    assertEquals(3, s.getElements(pair));
    assertEquals(Constants.UNDEFINED, s.getCount(pair));
    s.setElements(pair, 4);
    assertEquals(4, s.getElements(pair));
    assertEquals(2, s.getCount(pair));
    s.setElements(pair, 1L << 40);
    assertEquals(1L << 39, s.getCount(pair));
    assertError(ErrorClass.ERR_COUNT, () -> s.setElements(pair, -1), "-1");
    assertError(ErrorClass.ERR_COUNT, () -> s.setElements(pair, Long.MAX_VALUE));
    assertError(ErrorClass.ERR_TYPE, () -> s.setElements(null, 1), "type = null");
  }

  @Test
  @DisplayName("S1-12.3-c, S1-12.3-f: the other parts of a status can be set as well")
  void setTheRest() {
    Status s = new Status();
    s.setElements(Datatype.INT, 5);
    s.setSource(3);
    s.setTag(4);
    s.setError(ErrorClass.ERR_OTHER);
    s.setCancelled(true);
    assertTrue(s.isCancelled());
    s.setCancelled(false);
    assertFalse(s.isCancelled());
    assertEquals("Status[source=3, tag=4, bytes=20, ERR_OTHER]", s.toString());
    assertError(ErrorClass.ERR_ARG, () -> s.setError(null), "result = null");
  }

  @Test
  void sourcesAreRanksOfTheCommunicator() {
    FakeEngine engine = new FakeEngine(5, 8, Settings.of(java.util.Map.of()), new AtomicReference<>());
    Channel channel = new Channel(engine, 8, Members.of(7, 5, 2));
    Status s = new Status();
    s.envelope().set(2, 3, 8, false);
    assertEquals(2, s.received(channel).source());
    s.envelope().set(7, 3, 8, false);
    s.setError(ErrorClass.ERR_TRUNCATE);
    assertEquals(0, s.received(channel).source());
    assertEquals("Status[source=0, tag=3, bytes=8, ERR_TRUNCATE]", s.toString());
    assertEquals(1, channel.rank());
    assertEquals(Constants.ANY_SOURCE, channel.peer(Constants.ANY_SOURCE));
    assertEquals(7, channel.peer(0));
  }
}
