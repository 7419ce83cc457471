// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.collectives;

import java.util.List;
import java.util.random.RandomGenerator;
import org.ffmpi.datatype.Datatype;

/**
 * One way for elements to lie in memory, told without the library: where each byte of a packed element is found. Types
 * of one list have the same signature, so that each rank can use another one of them.
 */
final class Layout {
  /** Three integers: side by side, strided, out of order, with gaps behind, and with a bound below. */
  static final List<Layout> INTS = List.of(
      of(Datatype.contiguous(3, Datatype.INT32_T), 12, 0, 12),
      of(Datatype.vector(3, 1, 2, Datatype.INT32_T), 20, 0, 4, 8, 4, 16, 4),
      of(Datatype.indexed(new long[] {2, 1}, new long[] {3, 0}, Datatype.INT32_T), 20, 12, 8, 0, 4),
      of(Datatype.contiguous(3, Datatype.INT32_T).resized(0, 24), 24, 0, 12),
      of(Datatype.contiguous(3, Datatype.INT32_T).resized(-8, 28), 28, 0, 12));

  /** Members of three types, in the order of memory, in another one, and without padding. */
  static final List<Layout> STRUCTS = List.of(
      of(struct(0, 8, 16).resized(0, 24), 24, 0, 4, 8, 8, 16, 2),
      of(struct(16, 0, 8).resized(0, 24), 24, 16, 4, 0, 8, 8, 2),
      of(struct(0, 4, 12).resized(0, 14), 14, 0, 14));

  /** Elements of nothing, with an extent and without. */
  static final List<Layout> NOTHING = List.of(
      of(Datatype.contiguous(0, Datatype.INT32_T), 0),
      of(Datatype.contiguous(0, Datatype.INT32_T).resized(0, 8), 8));

  /** Single bytes, close together and apart. */
  static final List<Layout> BYTES = List.of(
      of(Datatype.BYTE, 1, 0, 1),
      of(Datatype.contiguous(1, Datatype.BYTE).resized(0, 3), 3, 0, 1));

  static final List<List<Layout>> SIGNATURES = List.of(INTS, STRUCTS, BYTES, NOTHING);

  final Datatype<Object> type;
  final int extent;
  /** Of each byte of a packed element, where it lies in memory. */
  private final int[] places;

  private Layout(Datatype<Object> type, int extent, int[] places) {
    this.type = type;
    this.extent = extent;
    this.places = places;
  }

  @SuppressWarnings("unchecked") // elements are looked at as bytes only
  static Layout of(Datatype<?> type, int extent, int... runs) {
    int size = 0;
    for (int i = 1; i < runs.length; i += 2) {
      size += runs[i];
    }
    int[] places = new int[size];
    int next = 0;
    for (int i = 0; i < runs.length; i += 2) {
      for (int k = 0; k < runs[i + 1]; k++) {
        places[next++] = runs[i] + k;
      }
    }
    return new Layout((Datatype<Object>) (type.isPredefined() ? type : type.commit()), extent, places);
  }

  private static Datatype<Object> struct(long i, long d, long s) {
    return Datatype.struct(
        new long[] {1, 1, 1}, new long[] {i, d, s}, Datatype.INT32_T, Datatype.DOUBLE, Datatype.INT16_T);
  }

  static Layout any(List<Layout> signature, RandomGenerator random) {
    return signature.get(random.nextInt(signature.size()));
  }

  /** Packed bytes of an element. */
  int size() {
    return places.length;
  }

  /** Bytes of memory that elements one after the other take, with gaps behind the last. */
  int span(int count) {
    return count * extent;
  }

  /** Takes elements out of memory. */
  byte[] pack(byte[] memory, int offset, int count) {
    byte[] packed = new byte[count * size()];
    for (int i = 0; i < count; i++) {
      for (int k = 0; k < size(); k++) {
        packed[i * size() + k] = memory[offset + i * extent + places[k]];
      }
    }
    return packed;
  }

  /** Puts elements into memory. */
  void unpack(byte[] packed, byte[] memory, int offset) {
    for (int i = 0; size() > 0 && i < packed.length / size(); i++) {
      for (int k = 0; k < size(); k++) {
        memory[offset + i * extent + places[k]] = packed[i * size() + k];
      }
    }
  }

  @Override
  public String toString() {
    return type.toString();
  }
}
