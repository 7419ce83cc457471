// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench.type;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Locale;
import org.ffmpi.datatype.Datatype;

/** A type of the benchmarks at one size, committed, and the effect that its elements should have on memory. */
public final class TypeCase {
  private static final byte WIPED = (byte) 0xEE;

  private final TypeKind kind;
  private final long payload;
  private final Datatype<?> type;

  private TypeCase(TypeKind kind, long payload) {
    this.kind = kind;
    this.payload = payload;
    this.type = kind.build(payload);
    type.commit();
    if (type.size() * kind.count(payload) != payload) {
      throw new IllegalArgumentException(kind + ": there is no such type of " + payload + " bytes");
    }
  }

  /**
   * Makes a type and commits it.
   *
   * @param name name of a {@link TypeKind}
   * @param payload bytes of data
   * @return the case
   */
  public static TypeCase of(String name, long payload) {
    for (TypeKind k : TypeKind.values()) {
      if (k.toString().equals(name)) {
        return new TypeCase(k, payload);
      }
    }
    throw new IllegalArgumentException("unknown type: " + name.toLowerCase(Locale.ROOT) + ", known are "
        + Arrays.toString(TypeKind.values()));
  }

  /**
   * Returns the type.
   *
   * @return committed
   */
  public Datatype<?> type() {
    return type;
  }

  /**
   * Returns how many elements have the payload.
   *
   * @return elements of {@link #type}
   */
  public long count() {
    return kind.count(payload);
  }

  /**
   * Returns the payload.
   *
   * @return bytes of data
   */
  public long payload() {
    return payload;
  }

  /**
   * Returns the memory that the elements need.
   *
   * @return bytes from the beginning of the buffer
   */
  public long span() {
    return kind.span(payload);
  }

  /**
   * Returns the kind of array that holds the elements.
   *
   * @return true for {@code double[]}, false for {@code byte[]}
   */
  public boolean ofDoubles() {
    return kind.ofDoubles();
  }

  /**
   * Fills memory so that a byte in the wrong place is noticed.
   *
   * @param memory at least {@link #span} bytes
   */
  public void fill(MemorySegment memory) {
    byte[] pattern = new byte[(int) Math.min(span(), 1 << 16)];
    for (long from = 0; from < span(); from += pattern.length) {
      int n = (int) Math.min(pattern.length, span() - from);
      for (int i = 0; i < n; i++) {
        byte value = (byte) ((int) (from + i) * 0x9E3779B1 >>> 24);
        pattern[i] = value == WIPED ? 0 : value;
      }
      MemorySegment.copy(MemorySegment.ofArray(pattern), 0, memory, from, n);
    }
  }

  /**
   * Overwrites memory with a byte that no pattern contains.
   *
   * @param memory at least {@link #span} bytes
   */
  public void wipe(MemorySegment memory) {
    memory.asSlice(0, span()).fill(WIPED);
  }

  /**
   * Returns whether wiped memory has got the data of these elements, each at its place, and nothing in the gaps.
   *
   * @param sent memory with the pattern
   * @param received memory that was wiped before
   * @return false if any byte is wrong
   */
  public boolean arrived(MemorySegment sent, MemorySegment received) {
    MemorySegment expected = MemorySegment.ofArray(new byte[Math.toIntExact(span())]);
    expected.fill(WIPED);
    kind.forEachRun(payload, (at, bytes) -> MemorySegment.copy(sent, at, expected, at, bytes));
    return expected.mismatch(received.asSlice(0, span())) < 0;
  }

  /**
   * Puts the elements into a stream, run by run.
   *
   * @param memory memory with the elements
   * @param stream receives them packed
   */
  public void pack(MemorySegment memory, MemorySegment stream) {
    long[] done = {0};
    kind.forEachRun(payload, (at, bytes) -> {
      MemorySegment.copy(memory, at, stream, done[0], bytes);
      done[0] += bytes;
    });
  }

  /**
   * Returns whether a stream has the data of these elements in the type's order.
   *
   * @param memory memory with the elements
   * @param stream the packed elements
   * @return false if any byte is wrong
   */
  public boolean packed(MemorySegment memory, MemorySegment stream) {
    MemorySegment expected = MemorySegment.ofArray(new byte[Math.toIntExact(payload)]);
    pack(memory, expected);
    return expected.mismatch(stream.asSlice(0, payload)) < 0;
  }

  /**
   * Names the case.
   *
   * @return the type's name and its payload
   */
  @Override
  public String toString() {
    return kind + "/" + payload;
  }
}
