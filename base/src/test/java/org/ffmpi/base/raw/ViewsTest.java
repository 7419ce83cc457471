// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.base.raw;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class ViewsTest {
  private static final int BYTES = 4096;

  @Test
  void bufferAndIndexReachTheNumberAtAnyAddress() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(BYTES, 64);
      for (int i = 0; i < BYTES; i++) {
        Raw.putByte(memory.address() + i, (byte) (i * 31 + (i >> 8)));
      }
      for (int skip = 0; skip < 64; skip++) {
        long a = memory.address() + skip;
        for (int i = 0; i < 200; i++) {
          assertEquals(Raw.getByte(a + i), Views.bytes(a).get(Views.index(a, 1) + i));
          assertEquals(Raw.getShort(a + 2 * i), Views.shorts(a).get(Views.index(a, 2) + i));
          assertEquals(Raw.getInt(a + 4 * i), Views.ints(a).get(Views.index(a, 4) + i));
          assertEquals(Raw.getLong(a + 8 * i), Views.longs(a).get(Views.index(a, 8) + i));
          assertEquals(Raw.getFloat(a + 4 * i), Views.floats(a).get(Views.index(a, 4) + i));
          assertEquals(Raw.getDouble(a + 8 * i), Views.doubles(a).get(Views.index(a, 8) + i));
        }
      }
    }
  }

  @Test
  void aBufferReachesBeyondTheLastAddressThatIsItsOwn() {
    long last = (1L << 30) - 1;
    assertEquals(last + Views.REACH, Views.index(last, 1) + (long) Views.REACH);
    assertEquals(Views.bytes(last).limit(), last + 1 + Views.REACH);
    assertEquals(Views.doubles(last - 7).limit(), (last + 1 + Views.REACH) / 8);
    assertEquals((last - 7) / 8, Views.index(last - 7, 8));
    assertEquals(0, Views.index(last + 1, 8));
  }

  @Test
  void aPlaceKeepsItsBufferUntilAnotherOneNeedsTheSlot() {
    long place = 5L << 30;
    assertSame(Views.doubles(place), Views.doubles(place + 4096));
    Object first = Views.doubles(place);
    Views.doubles(place + (256L << 30));
    assertEquals(0, Views.index(place, 8));
    assertSame(Views.doubles(place), Views.doubles(place + 8));
    assertEquals(first.getClass(), Views.doubles(place).getClass());
  }
}
