// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.datatypes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.random.RandomGenerator;
import org.ffmpi.Buf;
import org.ffmpi.datatype.oracle.Sample;

/** Elements in memory, as one rank has them; the same numbers give the same bytes in every rank. */
final class Side {
  private static final int MARGIN = 40;

  final Sample sample;
  final int count;
  final int origin;
  final byte[] content;

  Side(RandomGenerator random, Sample sample, int count) {
    this.sample = sample;
    this.count = count;
    this.origin = MARGIN + (int) Math.max(0, -sample.map().first(count));
    this.content = new byte[origin + (int) sample.map().end(count) + MARGIN];
    random.nextBytes(content);
  }

  /** Returns the elements in real memory. */
  Buf<?> in(MemorySegment memory) {
    MemorySegment.copy(content, 0, memory, ValueLayout.JAVA_BYTE, 0, content.length);
    return Buf.of(memory, origin, count, sample.type());
  }

  byte[] stream() {
    byte[] stream = new byte[count * sample.map().size()];
    for (int i = 0; i < stream.length; i++) {
      stream[i] = content[origin + (int) sample.map().displacement(i)];
    }
    return stream;
  }

  /** Checks that the elements hold a stream and nothing else has changed. */
  void check(MemorySegment memory, byte[] stream) {
    byte[] expected = content.clone();
    for (int i = 0; i < stream.length; i++) {
      expected[origin + (int) sample.map().displacement(i)] = stream[i];
    }
    assertArrayEquals(expected, memory.asSlice(0, content.length).toArray(ValueLayout.JAVA_BYTE));
  }
}
