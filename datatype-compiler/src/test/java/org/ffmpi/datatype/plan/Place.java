// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;

/** Memory of one kind that a test sees as bytes; the first of them may lie at any alignment. */
public final class Place {
  public final int kind;
  public final Object owner;
  public final long offset;
  private final MemorySegment view;
  private final int bytes;

  private Place(int kind, Object owner, long offset, MemorySegment view, int bytes) {
    this.kind = kind;
    this.owner = owner;
    this.offset = offset;
    this.view = view;
    this.bytes = bytes;
  }

  public static List<Place> everyKind(int bytes, int shift, Arena confined, Arena shared) {
    List<Place> all = new ArrayList<>();
    MemorySegment automatic = Arena.ofAuto().allocate(bytes + 8, 8).asSlice(shift, bytes);
    all.add(new Place(Memory.NATIVE, automatic, Raw.address(automatic), automatic, bytes));
    MemorySegment mine = confined.allocate(bytes + 8, 8);
    all.add(new Place(Memory.CONFINED, mine, shift, mine.asSlice(shift), bytes));
    MemorySegment session = shared.allocate(bytes + 8, 8);
    all.add(new Place(Memory.SESSION, session, shift, session.asSlice(shift), bytes));
    int words = bytes / 8 + 2;
    for (Object array : List.of(new byte[8 * words], new char[4 * words], new short[4 * words], new int[2 * words],
        new long[words], new float[2 * words], new double[words], new boolean[8 * words])) {
      MemorySegment view = view(array);
      all.add(new Place(
          Memory.kindOfArray(array), array, shift, view == null ? null : view.asSlice(shift), bytes));
    }
    return all;
  }

  private static MemorySegment view(Object array) {
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

  public void set(byte[] content) {
    if (owner instanceof boolean[] truths) {
      for (int i = 0; i < bytes; i++) {
        truths[(int) offset + i] = content[i] != 0;
      }
    } else {
      MemorySegment.copy(content, 0, view, ValueLayout.JAVA_BYTE, 0, bytes);
    }
  }

  public byte[] get() {
    byte[] content = new byte[bytes];
    if (owner instanceof boolean[] truths) {
      for (int i = 0; i < bytes; i++) {
        content[i] = (byte) (truths[(int) offset + i] ? 1 : 0);
      }
    } else {
      MemorySegment.copy(view, ValueLayout.JAVA_BYTE, 0, content, 0, bytes);
    }
    return content;
  }

  /** Returns what this memory keeps of some bytes. */
  public byte[] kept(byte[] content) {
    byte[] kept = content.clone();
    for (int i = 0; i < kept.length && kind == Memory.BOOLEANS; i++) {
      kept[i] = (byte) (content[i] != 0 ? 1 : 0);
    }
    return kept;
  }

  @Override
  public String toString() {
    return "kind " + kind + " at " + (kind == Memory.NATIVE ? Raw.address((MemorySegment) owner) % 8 : offset);
  }
}
