// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.plan.pattern.ByteShape;

/** A shape, its compiled plan, and its naive reading. */
public final class Sample {
  public static final byte GUARD = 0x5a;

  public final ByteShape shape;
  public final long extent;
  public final Plan plan;
  public final ShapeOracle oracle;
  public final int count;
  /** Where in a block of memory the first element's address is, so that all data lie inside. */
  public final long origin;
  public final int memoryBytes;
  public final int streamBytes;

  public Sample(ByteShape shape, long extent, int count) {
    this(shape, extent, PlanCompiler.compile(shape, extent), count);
  }

  public Sample(ByteShape shape, long extent, Plan plan, int count) {
    this.shape = shape;
    this.extent = extent;
    this.plan = plan;
    this.oracle = new ShapeOracle(shape, extent);
    this.count = count;
    this.origin = -oracle.low(count);
    this.memoryBytes = (int) (oracle.high(count) + origin);
    this.streamBytes = count * oracle.size();
  }

  public static Sample random(RandomGenerator random, int mostBytes) {
    RandomShapes shapes = new RandomShapes(random, mostBytes);
    ByteShape shape = shapes.next();
    int count = random.nextInt(4) == 0 ? random.nextInt(1, 40) : random.nextInt(1, 5);
    return new Sample(shape, shapes.extent(shape), count);
  }

  public boolean canBeReceived() {
    return !oracle.overlaps(count);
  }

  public byte[] randomMemory(RandomGenerator random) {
    byte[] memory = new byte[memoryBytes];
    random.nextBytes(memory);
    return memory;
  }

  /** Packs bytes {@code from} to {@code to} and compares them and the bytes around them. */
  public void checkPack(Place place, byte[] expected, int from, int to) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment stream = arena.allocate(to - from + 16).fill(GUARD);
      plan.pack(
          place.kind, place.owner, place.offset + origin, count, from, to - from, Raw.address(stream) + 8);
      byte[] all = stream.toArray(ValueLayout.JAVA_BYTE);
      for (int i = 0; i < 8; i++) {
        assertEquals(GUARD, all[i], "before the stream");
        assertEquals(GUARD, all[all.length - 1 - i], "after the stream");
      }
      assertArrayEquals(
          Arrays.copyOfRange(expected, from, to), Arrays.copyOfRange(all, 8, 8 + to - from), from + " to " + to);
    }
  }

  /** Unpacks bytes {@code from} to {@code to} of a stream and compares all memory, gaps included. */
  public void checkUnpack(Place place, byte[] before, byte[] message, int from, int to) {
    place.set(before);
    byte[] expected = place.kept(before);
    byte[] kept = place.kept(message);
    for (int i = from; i < to; i++) {
      expected[(int) (origin + oracle.at(i))] = kept[i];
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment stream = arena.allocate(to - from + 1);
      MemorySegment.copy(message, from, stream, ValueLayout.JAVA_BYTE, 0, to - from);
      plan.unpack(Raw.address(stream), place.kind, place.owner, place.offset + origin, count, from, to - from);
    }
    assertArrayEquals(expected, place.get(), from + " to " + to);
  }

  @Override
  public String toString() {
    return count + " times, extent " + extent + ", " + RandomShapes.text(shape) + "\nas " + plan;
  }
}
