// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.ffmpi.shm.protocol.ProtocolSelector.Place;
import org.junit.jupiter.api.Test;

/** The table of protocols, row by row and at the limits. */
class ProtocolSelectorTest {
  private static final int INLINE = 104;
  private static final long EAGER = 16 << 10;
  private static final long DIRECT = 4 << 10;
  private static final long CROSS = 9 << 10;
  private static final long CROSS_MOST = 16 << 20;
  private static final long WIRE = 32 << 10;
  private static final int ONE_RECORD = 8 << 10;

  private final ProtocolSelector selector =
      new ProtocolSelector(INLINE, EAGER, DIRECT, CROSS, CROSS_MOST, WIRE, ONE_RECORD);

  private void chooses(Protocol expected, long bytes, Place place, boolean pressed) {
    assertEquals(
        expected, selector.choose(bytes, place, pressed), bytes + " bytes, " + place + ", pressed = " + pressed);
  }

  @Test
  void shortMessagesTravelInTheSlot() {
    for (Place place : Place.values()) {
      for (boolean pressed : new boolean[] {false, true}) {
        chooses(Protocol.INLINE, 0, place, pressed);
        chooses(Protocol.INLINE, INLINE, place, pressed);
      }
    }
  }

  @Test
  void privateMemoryIsEagerUpToTheLimitUnlessThePeerPresses() {
    chooses(Protocol.EAGER, INLINE + 1, Place.PRIVATE, false);
    chooses(Protocol.PIPED, INLINE + 1, Place.PRIVATE, true);
    chooses(Protocol.EAGER, EAGER, Place.PRIVATE, false);
    chooses(Protocol.PIPED, EAGER, Place.PRIVATE, true);
    chooses(Protocol.PIPED, EAGER + 1, Place.PRIVATE, false);
    chooses(Protocol.PIPED, Long.MAX_VALUE, Place.PRIVATE, true);
  }

  @Test
  void theSharedHeapIsDirectFromItsLimit() {
    chooses(Protocol.EAGER, DIRECT - 1, Place.SHARED, false);
    chooses(Protocol.PIPED, DIRECT - 1, Place.SHARED, true);
    for (boolean pressed : new boolean[] {false, true}) {
      chooses(Protocol.DIRECT, DIRECT, Place.SHARED, pressed);
      chooses(Protocol.DIRECT, Long.MAX_VALUE, Place.SHARED, pressed);
    }
  }

  @Test
  void readableMemoryIsCrossBetweenItsLimits() {
    chooses(Protocol.EAGER, CROSS - 1, Place.READABLE, false);
    chooses(Protocol.PIPED, CROSS - 1, Place.READABLE, true);
    for (boolean pressed : new boolean[] {false, true}) {
      chooses(Protocol.CROSS, CROSS, Place.READABLE, pressed);
      chooses(Protocol.CROSS, CROSS_MOST, Place.READABLE, pressed);
      chooses(Protocol.PIPED, CROSS_MOST + 1, Place.READABLE, pressed);
    }
  }

  @Test
  void toOtherNodesOnlyTheLengthCounts() {
    for (boolean pressed : new boolean[] {false, true}) {
      assertEquals(Protocol.INLINE, selector.chooseRemote(0, pressed));
      assertEquals(Protocol.INLINE, selector.chooseRemote(INLINE, pressed));
      assertEquals(pressed ? Protocol.PIPED : Protocol.EAGER, selector.chooseRemote(INLINE + 1, pressed));
      assertEquals(pressed ? Protocol.PIPED : Protocol.EAGER, selector.chooseRemote(WIRE, pressed));
      assertEquals(Protocol.PIPED, selector.chooseRemote(WIRE + 1, pressed));
      assertEquals(Protocol.PIPED, selector.chooseRemote(Long.MAX_VALUE, pressed));
    }
  }

  @Test
  void oneRecordHasItsOwnLimit() {
    assertTrue(selector.isOneRecord(ONE_RECORD));
    assertFalse(selector.isOneRecord(ONE_RECORD + 1));
    ProtocolSelector checking = new ProtocolSelector(0, EAGER, DIRECT, CROSS, CROSS_MOST, WIRE, -1);
    assertFalse(checking.isOneRecord(0), "with signatures");
    assertTrue(selector.isDirect(DIRECT));
    assertFalse(selector.isDirect(DIRECT - 1));
    assertTrue(selector.buffersSelf(EAGER));
    assertFalse(selector.buffersSelf(EAGER + 1));
  }

  @Test
  void stridedDataIsReadInPlaceWhereAPeerTouchesLittleOrMostOfIt() {
    assertTrue(ProtocolSelector.readsStrided(64 << 10, 8 << 10, 128 << 10), "less than a second-level cache");
    assertFalse(ProtocolSelector.readsStrided(1 << 20, 128 << 10, 2 << 20), "every second double of 2 MiB");
    assertTrue(ProtocolSelector.readsStrided(10 << 20, 1_000, 12 << 20), "a sixth of gaps");
    assertFalse(ProtocolSelector.readsStrided(10 << 20, 1L << 40, 20 << 20), "no overflow");
  }

  @Test
  void trialsOfTheOtherWayAreRareWhereItIsFarSlower() {
    assertTrue(ProtocolSelector.readsSender(0, 0, 1, false), "the first is read");
    assertFalse(ProtocolSelector.readsSender(1, 0, 4, false), "the fourth is a trial of the pipe");
    assertTrue(ProtocolSelector.readsSender(1, 1.5f, 65, false));
    assertFalse(ProtocolSelector.readsSender(1, 1.5f, 64, false), "a trial");
    assertTrue(ProtocolSelector.readsSender(1, 3, 64, false), "no trial yet");
    assertFalse(ProtocolSelector.readsSender(1, 3, 192, false));
    assertFalse(ProtocolSelector.readsSender(2, 1.5f, 65, false), "the pipe is faster");
    assertTrue(ProtocolSelector.readsSender(2, 1.5f, 65, true), "the last trial promised more");
  }
}
