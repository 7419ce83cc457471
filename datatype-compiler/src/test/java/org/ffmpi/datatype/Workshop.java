// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.oracle.Typemap;
import org.ffmpi.datatype.plan.Plan;

/**
 * Memory of all kinds for many random types, and checks of the work of plans in it against the typemap. Belongs to one
 * thread.
 */
public final class Workshop implements AutoCloseable {
  /** Bytes on both sides of all data, which must not change. */
  private static final int MARGIN = 70;

  private static final int MOST = 1 << 20;

  private final Arena confined = Arena.ofConfined();
  private final Arena shared = Arena.ofShared();
  private final List<UserMemory> kinds = UserMemory.everyKind(MOST, Datatype.BYTE, confined, shared);
  private final MemorySegment streams = confined.allocate(MOST);
  private final MemorySegment sources = confined.allocate(MOST);

  @Override
  public void close() {
    confined.close();
    shared.close();
  }

  /** Some elements of a type in a user's memory, with margins. */
  public final class Place {
    public final UserMemory memory;
    final Typemap map;
    final int count;
    /** Where the first element lies in {@link #content}. */
    final int origin;
    public byte[] content;

    private Place(RandomGenerator random, UserMemory whole, Typemap map, int count) {
      this.map = map;
      this.count = count;
      this.origin = MARGIN + (int) -map.first(count);
      int bytes = origin + (int) map.end(count) + MARGIN;
      // Generated classes serve elements that are aligned as their array is.
      int shift = random.nextBoolean() ? Math.floorMod(-origin, 8) : random.nextInt(9);
      this.memory = whole.part(shift, bytes);
      this.content = memory.keeps(randomBytes(random, bytes));
      memory.set(content);
    }

    public long offset() {
      return memory.offset + origin;
    }

    /** The packed stream according to the typemap. */
    public byte[] stream() {
      byte[] stream = new byte[map.size() * count];
      for (int i = 0; i < stream.length; i++) {
        stream[i] = content[origin + (int) map.displacement(i)];
      }
      return stream;
    }

    /** Records the expected memory after a part of a stream. */
    public void expect(byte[] stream, int from, int to) {
      byte[] kept = memory.keeps(content);
      for (int i = from; i < to; i++) {
        boolean any = memory.holdsAnyByte();
        kept[origin + (int) map.displacement(i)] = any ? stream[i] : (byte) (stream[i] != 0 ? 1 : 0);
      }
      content = kept;
    }

    /** Compares every byte with its expected value, those in gaps and margins included. */
    public void check(String what) {
      assertArrayEquals(content, memory.get(), () -> what + " in " + memory);
    }
  }

  /** Puts elements into memory of some kind, filled with random bytes. */
  public Place place(RandomGenerator random, Typemap map, int count) {
    return new Place(random, kinds.get(random.nextInt(kinds.size())), map, count);
  }

  static byte[] randomBytes(RandomGenerator random, int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }

  /** Packs a part of a stream to some address and checks it and the bytes around it. */
  void checkPack(RandomGenerator random, Plan plan, Place place, byte[] expected, int from, int to) {
    int at = MARGIN + random.nextInt(64);
    byte[] around = randomBytes(random, at + to - from + MARGIN);
    MemorySegment.copy(around, 0, streams, ValueLayout.JAVA_BYTE, 0, around.length);
    plan.pack(place.memory.kind, place.memory.owner, place.offset(), place.count, from, to - from,
        Raw.address(streams) + at);
    System.arraycopy(expected, from, around, at, to - from);
    byte[] got = streams.asSlice(0, around.length).toArray(ValueLayout.JAVA_BYTE);
    assertArrayEquals(around, got, () -> "packed bytes " + from + " to " + to + " at " + at + " out of "
        + place.memory + ", " + place.count + " elements");
    place.check("packing wrote into the source, bytes " + from + " to " + to);
  }

  /** Unpacks a part of a stream from some address and checks the whole memory. */
  void checkUnpack(RandomGenerator random, Plan plan, Place place, byte[] stream, int from, int to) {
    int at = random.nextInt(64);
    MemorySegment.copy(stream, from, streams, ValueLayout.JAVA_BYTE, at, to - from);
    plan.unpack(Raw.address(streams) + at, place.memory.kind, place.memory.owner, place.offset(), place.count, from,
        to - from);
    place.expect(stream, from, to);
    place.check("unpacked bytes " + from + " to " + to + " of " + place.count + " elements");
  }

  /** Transfers a part of a stream out of native memory under another plan. */
  void checkTransfer(
      RandomGenerator random, Plan source, Typemap sourceMap, int sourceCount, Plan target, Place place,
      int from, int to) {
    int at = random.nextInt(9);
    int origin = at + (int) -sourceMap.first(sourceCount);
    byte[] content = randomBytes(random, origin + (int) sourceMap.end(sourceCount));
    MemorySegment.copy(content, 0, sources, ValueLayout.JAVA_BYTE, 0, content.length);
    byte[] stream = new byte[to];
    for (int i = from; i < to; i++) {
      stream[i] = content[origin + (int) sourceMap.displacement(i)];
    }
    target.transfer(Raw.address(sources) + origin, source, sourceCount,
        place.memory.kind, place.memory.owner, place.offset(), place.count, from, to - from);
    place.expect(stream, from, to);
    place.check("transferred bytes " + from + " to " + to);
    assertArrayEquals(
        content, sources.asSlice(0, content.length).toArray(ValueLayout.JAVA_BYTE), "the source was written");
  }

  /** Checks that a plan has come back whole from its flat form. */
  Plan reread(Plan plan) {
    int bytes = Math.toIntExact(plan.flattenedBytes());
    streams.asSlice(0, bytes + 1).fill((byte) 0x5a);
    plan.flatten(Raw.address(streams));
    assertEquals(0x5a, streams.get(ValueLayout.JAVA_BYTE, bytes), "flatten wrote too much");
    byte[] flat = streams.asSlice(0, bytes).toArray(ValueLayout.JAVA_BYTE);
    // position-independent: it is read at another address than it was written to
    MemorySegment.copy(flat, 0, sources, ValueLayout.JAVA_BYTE, 8, bytes);
    Plan again = Plan.unflatten(Raw.address(sources) + 8, bytes);
    sources.fill((byte) 0);
    assertEquals(plan.size(), again.size(), "size");
    assertEquals(plan.extent(), again.extent(), "extent");
    assertEquals(plan.trueLowerBound(), again.trueLowerBound(), "true lower bound");
    assertEquals(plan.trueExtent(), again.trueExtent(), "true extent");
    assertEquals(plan.isContiguous(), again.isContiguous(), "contiguous");
    byte[] second = new byte[bytes];
    again.flatten(Raw.address(streams));
    MemorySegment.copy(streams, ValueLayout.JAVA_BYTE, 0, second, 0, bytes);
    assertEquals(bytes, again.flattenedBytes(), "flattened again");
    assertArrayEquals(flat, Arrays.copyOf(second, bytes), "flattened again");
    return again;
  }
}
