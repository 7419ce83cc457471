// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.collectives;

import static org.junit.jupiter.api.Assertions.fail;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.ffmpi.Buf;
import org.ffmpi.Mpi;
import org.ffmpi.datatype.Datatype;

/**
 * What a rank sends or receives in one call: memory of some kind with a number of blocks in it, and other bytes around
 * and between them, which nobody may touch. Keeps an image of what the memory has to hold.
 */
final class Side implements AutoCloseable {
  private final Memory memory;
  /** What the memory has to hold when the call is over. */
  final byte[] image;
  private final Layout[] layouts;
  private final int[] starts;
  /** Elements of each block. */
  final long[] counts;
  /** Where each block begins, in extents or in bytes, as the call's form counts. */
  final long[] displs;
  private final Buf<Object> buf;
  /** Bytes whose value is left open: from, to. */
  private int open;
  private int openEnd;

  private Side(
      Mpi mpi, Memory.Kind kind, int bytes, Layout[] layouts, int[] starts, long[] counts, long[] displs, int offset,
      long elements, Datatype<Object> type) {
    this.memory = new Memory(mpi, kind, bytes);
    this.image = new byte[bytes];
    this.layouts = layouts;
    this.starts = starts;
    this.counts = counts;
    this.displs = displs;
    this.buf = memory.buf(offset, elements, type);
  }

  static Memory.Kind anyKind(RandomGenerator random) {
    Memory.Kind[] kinds = Memory.Kind.values();
    return kinds[random.nextInt(kinds.length)];
  }

  /** Blocks of one length, one after the other. */
  static Side uniform(Mpi mpi, RandomGenerator own, List<Layout> signature, int blocks, int each) {
    return uniform(mpi, own, Layout.any(signature, own), blocks, each);
  }

  static Side uniform(Mpi mpi, RandomGenerator own, Layout layout, int blocks, int each) {
    int offset = offset(own);
    int[] starts = new int[blocks];
    long[] counts = new long[blocks];
    for (int i = 0; i < blocks; i++) {
      starts[i] = offset + layout.span(each) * i;
      counts[i] = each;
    }
    int bytes = offset + layout.span(blocks * each) + offset(own);
    return new Side(mpi, anyKind(own), bytes, all(layout, blocks), starts, counts, null, offset,
        (long) blocks * each, layout.type);
  }

  /** Blocks of one type in any order, with elements between them that belong to none. */
  static Side scattered(Mpi mpi, RandomGenerator own, List<Layout> signature, int[] lengths) {
    Layout layout = Layout.any(signature, own);
    int offset = offset(own);
    int blocks = lengths.length;
    int[] starts = new int[blocks];
    long[] displs = new long[blocks];
    int elements = 0;
    for (int block : shuffled(blocks, own)) {
      elements += own.nextInt(3);
      displs[block] = elements;
      starts[block] = offset + layout.span(elements);
      elements += lengths[block];
    }
    elements += own.nextInt(3);
    int bytes = offset + layout.span(elements) + offset(own);
    return new Side(mpi, anyKind(own), bytes, all(layout, blocks), starts, longs(lengths), displs, offset, elements,
        layout.type);
  }

  /** Blocks of types of their own, in any order, counted in bytes. */
  static Side typed(Mpi mpi, RandomGenerator own, List<Layout> signature, int[] lengths) {
    int offset = offset(own);
    int blocks = lengths.length;
    Layout[] layouts = new Layout[blocks];
    int[] starts = new int[blocks];
    long[] displs = new long[blocks];
    int bytes = 0;
    for (int block : shuffled(blocks, own)) {
      layouts[block] = Layout.any(signature, own);
      bytes += 8 * own.nextInt(3);
      displs[block] = bytes;
      starts[block] = offset + bytes;
      bytes = (bytes + layouts[block].span(lengths[block]) + 7) / 8 * 8;
    }
    return new Side(mpi, anyKind(own), offset + bytes + offset(own), layouts, starts, longs(lengths), displs, offset,
        bytes, bytesType());
  }

  @SuppressWarnings("unchecked") // elements are looked at as bytes only
  static Datatype<Object> bytesType() {
    return (Datatype<Object>) (Datatype<?>) Datatype.BYTE;
  }

  private static int offset(RandomGenerator own) {
    return 8 * own.nextInt(3);
  }

  private static Layout[] all(Layout layout, int blocks) {
    Layout[] layouts = new Layout[blocks];
    Arrays.fill(layouts, layout);
    return layouts;
  }

  private static long[] longs(int[] ints) {
    return Arrays.stream(ints).asLongStream().toArray();
  }

  private static int[] shuffled(int n, RandomGenerator own) {
    int[] order = new int[n];
    for (int i = 0; i < n; i++) {
      int j = own.nextInt(i + 1);
      order[i] = order[j];
      order[j] = i;
    }
    return order;
  }

  Buf<Object> buf() {
    return buf;
  }

  /** The blocks as buffers of their own. */
  Buf<?>[] blocks() {
    Buf<?>[] blocks = new Buf<?>[layouts.length];
    for (int i = 0; i < blocks.length; i++) {
      blocks[i] = memory.buf(starts[i], counts[i], layouts[i].type);
    }
    return blocks;
  }

  Datatype<?>[] types() {
    Datatype<?>[] types = new Datatype<?>[layouts.length];
    for (int i = 0; i < types.length; i++) {
      types[i] = layouts[i].type;
    }
    return types;
  }

  Layout layout(int block) {
    return layouts[block];
  }

  /** Fills the memory with other bytes than before. */
  void fill(RandomGenerator own) {
    own.nextBytes(image);
    memory.write(image);
  }

  /** Changes a block before the call. */
  void fill(int block, byte[] packed) {
    expect(block, packed);
    memory.write(image);
  }

  byte[] block(int block) {
    return layouts[block].pack(image, starts[block], (int) counts[block]);
  }

  /** Says what a block has to hold after the call. */
  void expect(int block, byte[] packed) {
    layouts[block].unpack(packed, image, starts[block]);
  }

  /** Says that elements of a block may hold anything after the call. */
  void leaveOpen(int block, int from, int to) {
    open = starts[block] + layouts[block].span(from);
    openEnd = starts[block] + layouts[block].span(to);
  }

  void check(String what) {
    byte[] actual = memory.read();
    for (int i = 0; i < actual.length; i++) {
      if (actual[i] != image[i] && (i < open || i >= openEnd)) {
        fail(what + ": byte " + i + " of " + actual.length + " is " + actual[i] + " instead of " + image[i] + " in "
            + this);
      }
    }
  }

  @Override
  public void close() {
    memory.close();
  }

  @Override
  public String toString() {
    return memory.kind + " memory, blocks from " + Arrays.toString(starts) + " of "
        + Arrays.toString(counts) + " " + Arrays.toString(layouts);
  }
}
