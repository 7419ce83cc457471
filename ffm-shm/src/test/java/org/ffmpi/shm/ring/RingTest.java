// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.util.ArrayDeque;
import java.util.Random;
import org.ffmpi.base.raw.Raw;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Claims, records and credit at both ends of one ring. The last test uses two threads. */
class RingTest {
  private static final int NUMBER = RingLayout.BODY_OFFSET;
  private static final int BULK_AT = NUMBER + 8;
  private static final int BYTES = BULK_AT + 4;
  private static final int BULK_END = BYTES + 4;

  private final Arena arena = Arena.ofShared();
  private long ring;
  private RingProducer producer;
  private RingConsumer consumer;

  @AfterEach
  void unmap() {
    arena.close();
  }

  private void open(int slots, int bulkBytes) {
    ring = Raw.address(arena.allocate(RingLayout.bytes(slots, bulkBytes), 128));
    RingLayout.format(ring, slots, bulkBytes);
    assertEquals(slots, RingLayout.getPlainSlots(ring));
    assertEquals(bulkBytes, RingLayout.getPlainBulkBytes(ring));
    producer = new RingProducer(ring, slots, bulkBytes);
    consumer = new RingConsumer(ring, slots, bulkBytes);
  }

  private boolean put(long number) {
    long slot = producer.claim();
    if (slot == 0) {
      return false;
    }
    Raw.putLong(slot + NUMBER, number);
    producer.publish(slot, (int) number);
    return true;
  }

  private void take(long number) {
    long slot = consumer.peek();
    assertNotEquals(0, slot, "record " + number);
    assertEquals(number, Raw.getLong(slot + NUMBER));
    assertEquals((int) number, RingLayout.getPlainInfo(slot));
    consumer.pop();
  }

  private boolean putBulk(long number, int bytes) {
    long slot = producer.claim(bytes);
    if (slot == 0) {
      return false;
    }
    Raw.putLong(slot + NUMBER, number);
    Raw.putInt(slot + BULK_AT, producer.bulkOffset());
    Raw.putInt(slot + BYTES, bytes);
    Raw.putLong(slot + BULK_END, producer.bulkEnd());
    Raw.fill(producer.bulk(), bytes, (byte) number);
    producer.publish(slot, (int) number);
    return true;
  }

  /** Returns null when the next record is this one, whole; otherwise a description of the fault. */
  private String takeBulk(long slot, long number, int bytes) {
    long bulk = consumer.bulk(Raw.getInt(slot + BULK_AT), Raw.getInt(slot + BYTES));
    if (Raw.getLong(slot + NUMBER) != number || RingLayout.getPlainInfo(slot) != (int) number
        || Raw.getInt(slot + BYTES) != bytes) {
      return "record " + Raw.getLong(slot + NUMBER) + " in place of " + number;
    }
    if (bulk == 0) {
      return "record " + number + " names bulk bytes outside the ring: " + Raw.getInt(slot + BULK_AT);
    }
    for (int i = 0; i < bytes; i++) {
      if (Raw.getByte(bulk + i) != (byte) number) {
        return "record " + number + ", byte " + i + " of " + bytes + ": " + Raw.getByte(bulk + i);
      }
    }
    return consumer.pop(Raw.getLong(slot + BULK_END)) ? null : "record " + number + " has an impossible end";
  }

  private void takeBulk(long number, int bytes) {
    long slot = consumer.peek();
    assertNotEquals(0, slot, "record " + number);
    assertEquals(null, takeBulk(slot, number, bytes));
  }

  @Test
  void anEmptyRingHasNothing() {
    open(2, 64);
    assertEquals(0, consumer.peek());
    assertFalse(consumer.isReady());
    assertFalse(consumer.credit());
    assertTrue(producer.isDrained());
    assertFalse(producer.isFull());
  }

  @Test
  void aClaimIsSeenOnlyWhenPublished() {
    open(2, 64);
    long slot = producer.claim();
    assertEquals(0, consumer.peek());
    assertEquals(slot, producer.claim(), "an unpublished claim is claimed again");
    producer.publish(slot, 5);
    assertTrue(consumer.isReady());
    assertEquals(slot, consumer.peek());
    assertEquals(slot, consumer.peek(), "looking does not take");
    assertFalse(producer.isDrained());
    consumer.pop();
    assertFalse(consumer.isReady());
    assertEquals(0, consumer.peek());
  }

  @Test
  void fullSlotsRefuseUntilCreditComesBack() {
    open(4, 64);
    for (int i = 0; i < 4; i++) {
      assertFalse(producer.isFull());
      assertTrue(put(i));
    }
    assertTrue(producer.isFull());
    assertFalse(put(4));
    assertEquals(0, producer.claim(16));
    take(0);
    assertFalse(consumer.credit(), "a quarter may be owed");
    assertFalse(put(4), "popped but not given back");
    take(1);
    assertEquals(2, consumer.owedSlots());
    assertTrue(consumer.credit());
    assertEquals(0, consumer.owedSlots());
    assertFalse(consumer.credit(), "nothing more to give");
    assertTrue(put(4));
    assertTrue(put(5));
    assertFalse(put(6));
    for (int i = 2; i < 6; i++) {
      take(i);
    }
    assertFalse(producer.isDrained());
    assertTrue(consumer.credit());
    assertTrue(producer.isDrained());
  }

  @Test
  void noMoreThanAQuarterIsOwed() {
    for (int slots : new int[] {2, 4, 8, 128}) {
      open(slots, 64);
      for (int i = 0; i < 3 * slots; i++) {
        assertTrue(put(i));
        take(i);
        assertEquals(consumer.owedSlots() > slots / 4, consumer.credit());
        assertTrue(consumer.owedSlots() <= slots / 4);
      }
      open(slots, 256);
      for (int i = 0; i < 3 * slots; i++) {
        assertTrue(putBulk(i, 64));
        takeBulk(i, 64);
        assertTrue(consumer.credit(), "bulk bytes are given back at once");
        assertEquals(0, consumer.owedSlots());
      }
    }
  }

  @Test
  void lapsFollowOneAnother() {
    for (int slots : new int[] {2, 4, 16}) {
      open(slots, 64);
      Random random = new Random(slots);
      long in = 0;
      long out = 0;
      while (out < 40L * slots) {
        for (int n = random.nextInt(slots + 1); n > 0 && put(in); n--) {
          in++;
        }
        for (long n = random.nextInt(slots + 1); n > 0 && out < in; n--) {
          take(out++);
        }
        assertEquals(out < in, consumer.isReady());
        if (random.nextBoolean()) {
          consumer.credit();
        }
      }
    }
  }

  @Test
  void aRunOfBulkBytesNeverWraps() {
    open(16, 256);
    assertEquals(128, producer.bulkCapacity());
    assertTrue(putBulk(1, 128));
    assertTrue(putBulk(2, 64));
    takeBulk(1, 128);
    consumer.credit();
    long slot = producer.claim(100); // 64 bytes are left before the end: they are skipped
    assertNotEquals(0, slot);
    assertEquals(0, producer.bulkOffset());
    assertEquals(256 + 128, producer.bulkEnd());
    assertTrue(putBulk(3, 100));
    assertEquals(0, producer.claim(1), "skipped bytes are taken until the record behind them is read");
    assertNotEquals(0, producer.claim(), "slots run out apart from bulk bytes");
    takeBulk(2, 64);
    takeBulk(3, 100);
    assertEquals(64 + 64 + 128, consumer.owedBulk());
    consumer.credit();
    assertEquals(0, consumer.owedBulk());
    assertTrue(putBulk(4, 1));
    assertEquals(128, producer.bulkOffset());
  }

  @Test
  void theLargestRunAlwaysFitsAnEmptyRing() {
    open(4, 256);
    long number = 0;
    for (int small = 0; small <= 128; small += 16) {
      for (int i = 0; i < 5; i++) {
        assertTrue(putBulk(number, small), "small run of " + small);
        takeBulk(number++, small);
        consumer.credit();
        assertTrue(putBulk(number, producer.bulkCapacity()), "after a run of " + small);
        takeBulk(number++, producer.bulkCapacity());
        consumer.credit();
      }
    }
  }

  @Test
  void fullBulkRefusesAndKeepsRecordsOrdered() {
    open(16, 128);
    assertTrue(putBulk(0, 64));
    assertTrue(putBulk(1, 1));
    assertEquals(0, producer.claim(1));
    assertTrue(put(2));
    assertNotEquals(0, producer.claim(0), "no bytes always fit");
    takeBulk(0, 64);
    takeBulk(1, 1);
    assertEquals(0, producer.claim(1), "popped but not given back");
    take(2);
    consumer.credit();
    assertTrue(putBulk(3, 64));
    takeBulk(3, 64);
  }

  @Test
  void rangesOutsideTheRingAreRefused() {
    open(2, 128);
    assertNotEquals(0, consumer.bulk(0, 128));
    assertNotEquals(0, consumer.bulk(128, 0));
    assertEquals(consumer.bulk(0, 1) + 64, consumer.bulk(64, 64));
    assertEquals(0, consumer.bulk(0, 129));
    assertEquals(0, consumer.bulk(64, 65));
    assertEquals(0, consumer.bulk(-1, 1));
    assertEquals(0, consumer.bulk(0, -1));
    assertEquals(0, consumer.bulk(129, 0));
    assertEquals(0, consumer.bulk(Integer.MIN_VALUE, 64));
    assertEquals(0, consumer.bulk(Integer.MAX_VALUE, Long.MAX_VALUE));
    assertEquals(0, consumer.bulk(1, Long.MAX_VALUE));
  }

  @Test
  void impossibleBulkPositionsAreRefused() {
    open(4, 128);
    assertTrue(putBulk(0, 64));
    assertTrue(putBulk(1, 64));
    takeBulk(0, 64);
    for (long bad : new long[] {0, 63, -1, 129, 1 << 20, Long.MAX_VALUE, Long.MIN_VALUE}) {
      assertFalse(consumer.pop(bad), "position " + bad);
      assertEquals(1, consumer.owedSlots(), "nothing was done");
      assertEquals(64, consumer.owedBulk(), "nothing was done");
    }
    takeBulk(1, 64);
    consumer.credit();
    assertTrue(producer.isDrained());
  }

  /** A sequence number is 16 bits of one that has 63: forged by storing what an old ring would hold. */
  @Test
  void onlyTheExpectedSequenceNumberCounts() {
    open(2, 64);
    long slot = producer.claim();
    for (long stale : new long[] {0, -1, 2, 1 << 16, Short.MIN_VALUE, Short.MAX_VALUE, Long.MIN_VALUE}) {
      RingLayout.setReleaseHead(slot, stale);
      assertEquals(0, consumer.peek(), "sequence " + stale);
    }
    producer.publish(slot, 0);
    assertEquals(1, RingLayout.getAcquireHead(slot));
    assertEquals(slot, consumer.peek());
  }

  @Test
  void twoThreadsPassAMillionRecords() throws InterruptedException {
    open(16, 1024);
    int records = 1_000_000;
    String[] fault = new String[1];
    Thread reader =
        Thread.ofPlatform().daemon().start(() -> fault[0] = readAll(records));
    Random sizes = new Random(1);
    ArrayDeque<String> refused = new ArrayDeque<>();
    for (int i = 0; i < records && refused.isEmpty(); i++) {
      int bytes = sizes.nextInt(8) == 0 ? 1 + sizes.nextInt(300) : -1;
      for (int looks = 0; !(bytes < 0 ? put(i) : putBulk(i, bytes)); looks++) {
        pause(looks);
        if (!reader.isAlive()) {
          refused.add("the reader ended early");
          break;
        }
      }
    }
    reader.join(120_000);
    assertFalse(reader.isAlive(), "the reader is stuck");
    assertEquals(null, fault[0]);
    assertTrue(refused.isEmpty());
    assertEquals(0, consumer.peek());
  }

  private String readAll(int records) {
    Random sizes = new Random(1);
    for (int i = 0; i < records; i++) {
      int bytes = sizes.nextInt(8) == 0 ? 1 + sizes.nextInt(300) : -1;
      long slot = consumer.peek();
      for (int looks = 0; slot == 0; slot = consumer.peek()) {
        consumer.credit();
        pause(looks++);
      }
      if (bytes < 0) {
        if (Raw.getLong(slot + NUMBER) != i || RingLayout.getPlainInfo(slot) != i) {
          return "record " + Raw.getLong(slot + NUMBER) + " in place of " + i;
        }
        consumer.pop();
      } else {
        String wrong = takeBulk(slot, i, bytes);
        if (wrong != null) {
          return wrong;
        }
      }
      if (i % 5 == 0) {
        consumer.credit();
      }
    }
    consumer.credit();
    return null;
  }

  private static void pause(int looks) {
    if (looks > 100) {
      Thread.yield();
    } else {
      Thread.onSpinWait();
    }
  }
}
