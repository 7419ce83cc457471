// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.external32;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.RandomTypesTest;
import org.ffmpi.datatype.Seed;
import org.ffmpi.datatype.Workshop;
import org.ffmpi.datatype.oracle.Item;
import org.ffmpi.datatype.oracle.RandomTypes;
import org.ffmpi.datatype.oracle.Sample;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Random types in "external32" and back, with every basic type reversed by itself. */
class RandomExternal32Test {
  /** Bytes before and after the data, which must not change. */
  private static final int MARGIN = 5;

  private static final byte GUARD = 0x6b;

  private static Workshop workshop;

  @BeforeAll
  static void open() {
    workshop = new Workshop();
  }

  @AfterAll
  static void close() {
    workshop.close();
  }

  /** The parts of a basic type that are reversed; two for complex numbers. */
  private static int width(Item item) {
    boolean complex = item.basic() == Datatype.C_COMPLEX || item.basic() == Datatype.C_DOUBLE_COMPLEX;
    return complex ? item.size() / 2 : item.size();
  }

  /** Bytes of such a part in "external32": only {@code long} is shorter there. */
  private static int externalWidth(Item item) {
    return item.basic() == Datatype.LONG ? 4 : width(item);
  }

  /** Makes the values of a stream such that they have an external form. */
  private static void makeValid(byte[] stream, List<Item> items) {
    int at = 0;
    while (at < stream.length) {
      for (Item item : items) {
        if (item.basic() == Datatype.LONG) {
          Arrays.fill(stream, at + 4, at + 8, (byte) (stream[at + 3] >> 7));
        } else if (item.basic() == Datatype.C_BOOL) {
          stream[at] &= 1;
        }
        at += item.size();
      }
    }
  }

  private static byte[] external(byte[] stream, List<Item> items) {
    byte[] external = new byte[stream.length];
    int length = 0;
    int at = 0;
    while (at < stream.length) {
      for (Item item : items) {
        for (int part = 0; part < item.size(); part += width(item)) {
          for (int i = externalWidth(item) - 1; i >= 0; i--) {
            external[length++] = stream[at + part + i];
          }
        }
        at += item.size();
      }
    }
    return Arrays.copyOf(external, length);
  }

  private static byte[] guarded(byte[] content) {
    byte[] guarded = new byte[content.length + 2 * MARGIN];
    Arrays.fill(guarded, GUARD);
    System.arraycopy(content, 0, guarded, MARGIN, content.length);
    return guarded;
  }

  @Test
  @DisplayName("S1-4.2-c: random types go to external32 and back, gaps stay as they are")
  void thereAndBack() {
    External32 converter = new External32();
    Seed.repeat(RandomTypesTest.TYPES / 4, random -> {
      int count = random.nextInt(5);
      Sample sample = new RandomTypes(random).nextWithoutOverlap(count).commit();
      List<Item> items = sample.map().items();
      if (items.stream().anyMatch(item -> item.basic() == Datatype.LONG_DOUBLE)) {
        return; // whose conversion has a test of its own
      }
      Workshop.Place source = workshop.place(random, sample.map(), count);
      if (!source.memory.holdsAnyByte()) {
        return;
      }
      RandomTypesTest.with(sample, () -> {
        byte[] stream = source.stream();
        makeValid(stream, items);
        source.expect(stream, 0, stream.length);
        source.memory.set(source.content);
        byte[] external = external(stream, items);
        assertEquals(external.length, External32.size(count, sample.type()));
        byte[] out = guarded(new byte[external.length]);
        converter.pack(sample.type(), source.memory.kind, source.memory.owner, source.offset(), count,
            Memory.BYTES, out, MARGIN);
        assertArrayEquals(guarded(external), out, "external form");
        source.check("packing wrote into the source");
        Workshop.Place target = workshop.place(random, sample.map(), count);
        converter.unpack(sample.type(), Memory.BYTES, out, MARGIN,
            target.memory.kind, target.memory.owner, target.offset(), count);
        target.expect(stream, 0, stream.length);
        target.check("read back");
      });
    });
  }
}
