// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;

/** A piece of memory of some kind, as a user's buffer descriptor and, for the test itself, as bytes. */
public final class UserMemory {
  public final int kind;
  public final Object owner;
  public final long offset;
  /** Where the piece begins in a {@code boolean[]}, which has no view. */
  private final int at;
  private final int bytes;
  private final MemorySegment view;

  private UserMemory(int kind, Object owner, long offset, int bytes, MemorySegment view) {
    this(kind, owner, offset, 0, bytes, view);
  }

  private UserMemory(int kind, Object owner, long offset, int at, int bytes, MemorySegment view) {
    this.kind = kind;
    this.owner = owner;
    this.offset = offset;
    this.at = at;
    this.bytes = bytes;
    this.view = view;
  }

  /** Makes memory in every kind of segment and in every array that holds elements of the type. */
  public static List<UserMemory> everyKind(int bytes, Datatype<?> type, Arena confined, Arena shared) {
    List<UserMemory> all = new ArrayList<>();
    MemorySegment automatic = Arena.ofAuto().allocate(bytes + 1, 8);
    all.add(new UserMemory(Memory.NATIVE, automatic, Raw.address(automatic), bytes, automatic));
    all.add(new UserMemory(Memory.NATIVE, automatic, Raw.address(automatic) + 1, bytes, automatic.asSlice(1)));
    MemorySegment mine = confined.allocate(bytes, 8);
    all.add(new UserMemory(Memory.CONFINED, mine, 0, bytes, mine));
    MemorySegment session = shared.allocate(bytes, 8);
    all.add(new UserMemory(Memory.SESSION, session, 0, bytes, session));
    int words = bytes / 8 + 1;
    for (Object array : List.of(new byte[8 * words], new char[4 * words], new short[4 * words], new int[2 * words],
        new long[words], new float[2 * words], new double[words], new boolean[8 * words])) {
      if (type.acceptsArray(array.getClass())) {
        all.add(new UserMemory(Memory.kindOfArray(array), array, 0, bytes, viewOf(array)));
      }
    }
    byte[] unaligned = new byte[bytes + 3];
    all.add(new UserMemory(Memory.BYTES, unaligned, 3, bytes, MemorySegment.ofArray(unaligned).asSlice(3)));
    return all;
  }

  private static MemorySegment viewOf(Object array) {
    return switch (array) {
      case byte[] a -> MemorySegment.ofArray(a);
      case char[] a -> MemorySegment.ofArray(a);
      case short[] a -> MemorySegment.ofArray(a);
      case int[] a -> MemorySegment.ofArray(a);
      case long[] a -> MemorySegment.ofArray(a);
      case float[] a -> MemorySegment.ofArray(a);
      case double[] a -> MemorySegment.ofArray(a);
      default -> null;
    };
  }

  /** Returns a part of this memory. */
  public UserMemory part(int from, int length) {
    return new UserMemory(
        kind, owner, offset + from, at + from, length, view == null ? null : view.asSlice(from, length));
  }

  /** Returns whether bytes other than 0 and 1 survive here. */
  public boolean holdsAnyByte() {
    return kind != Memory.BOOLEANS;
  }

  /** Sets all bytes. */
  public void set(byte[] content) {
    if (owner instanceof boolean[] truths) {
      for (int i = 0; i < bytes; i++) {
        truths[at + i] = content[i] != 0;
      }
    } else {
      MemorySegment.copy(content, 0, view, ValueLayout.JAVA_BYTE, 0, bytes);
    }
  }

  /** Returns all bytes. */
  public byte[] get() {
    byte[] content = new byte[bytes];
    if (owner instanceof boolean[] truths) {
      for (int i = 0; i < bytes; i++) {
        content[i] = (byte) (truths[at + i] ? 1 : 0);
      }
    } else {
      MemorySegment.copy(view, ValueLayout.JAVA_BYTE, 0, content, 0, bytes);
    }
    return content;
  }

  @Override
  public String toString() {
    String where = kind == Memory.NATIVE ? "address" : Long.toString(offset);
    return "kind " + kind + " " + owner.getClass().getSimpleName() + " at " + where;
  }

  /** Returns the bytes that remain of others after a write to this kind of memory. */
  public byte[] keeps(byte[] content) {
    byte[] kept = Arrays.copyOf(content, bytes);
    for (int i = 0; i < bytes && !holdsAnyByte(); i++) {
      kept[i] = (byte) (content[i] != 0 ? 1 : 0);
    }
    return kept;
  }
}
