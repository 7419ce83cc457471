// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.datatypes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ffmpi.datatype.Datatype;

/** The standard's array of {@code struct Partstruct {int class; double d[6]; char b[7];}}. */
final class Particles {
  static final int COUNT = 1_000;
  static final long SIZEOF = 64;
  static final long BYTES = COUNT * SIZEOF;

  /** What bytes in gaps are before anything is received. */
  private static final byte GAP = 0x7e;

  private Particles() {}

  static Datatype<?> type() {
    return Datatype.struct(
        new long[] {1, 6, 7}, new long[] {0, 8, 56},
        new Datatype<?>[] {Datatype.INT, Datatype.DOUBLE, Datatype.CHAR});
  }

  static int classOf(long i) {
    return (int) (i % 3);
  }

  static double d(long i, int k) {
    return 10 * i + k;
  }

  static byte b(long i, int k) {
    return (byte) (i + 3 * k);
  }

  /** Fills all particles; what is in the gaps of a source must not matter. */
  static void fill(MemorySegment particles) {
    particles.fill((byte) 0x33);
    for (long i = 0; i < COUNT; i++) {
      particles.set(ValueLayout.JAVA_INT_UNALIGNED, i * SIZEOF, classOf(i));
      for (int k = 0; k < 6; k++) {
        particles.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, i * SIZEOF + 8 + 8 * k, d(i, k));
      }
      for (int k = 0; k < 7; k++) {
        particles.set(ValueLayout.JAVA_BYTE, i * SIZEOF + 56 + k, b(i, k));
      }
    }
  }

  /** Makes memory recognisable that nothing has been received into. */
  static void clear(MemorySegment memory) {
    memory.fill(GAP);
  }

  /** Checks one particle, and that its gaps are as {@link #clear} has left them. */
  static void check(MemorySegment particles, long place, long i) {
    long at = place * SIZEOF;
    assertEquals(classOf(i), particles.get(ValueLayout.JAVA_INT_UNALIGNED, at), "class of particle " + i);
    for (int k = 0; k < 6; k++) {
      assertEquals(d(i, k), particles.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, at + 8 + 8 * k), "d of particle " + i);
    }
    for (int k = 0; k < 7; k++) {
      assertEquals(b(i, k), particles.get(ValueLayout.JAVA_BYTE, at + 56 + k), "b of particle " + i);
    }
    for (long gap : new long[] {4, 5, 6, 7, 63}) {
      assertUntouched(particles, at + gap);
    }
  }

  static void assertUntouched(MemorySegment memory, long at) {
    assertEquals(GAP, memory.get(ValueLayout.JAVA_BYTE, at), "byte " + at);
  }
}
