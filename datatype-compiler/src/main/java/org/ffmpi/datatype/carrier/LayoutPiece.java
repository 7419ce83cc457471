// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.carrier;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * Data of a type as a relocatable layout of the bytes from the first to the last one. Between copies it includes as
 * much of the following gap as exists, so that equal elements stay equal. An array of a struct with padding at its end
 * is thus a sequence of padded structs.
 *
 * @param at where the data begin
 * @param span bytes from the first to the last byte of data; 0 when there are none
 * @param exact layout of the span
 * @param padded layout of the span and its trailing padding; {@code exact} when there is none
 * @param open whether the piece is an artificial struct, whose members may go into another struct
 */
record LayoutPiece(long at, long span, MemoryLayout exact, MemoryLayout padded, boolean open) {
  private static final MemoryLayout NOTHING = MemoryLayout.structLayout();

  /** No data. */
  static final LayoutPiece EMPTY = of(NOTHING, NOTHING);

  /** Thrown where data overlap or lie in another order than in a message. */
  static final class Unsuitable extends Exception {
    private static final long serialVersionUID = 1L;

    Unsuitable() {
      super("no layout describes the type", null, false, false);
    }
  }

  /** Returns data at displacement 0. */
  static LayoutPiece of(MemoryLayout exact, MemoryLayout padded) {
    return new LayoutPiece(0, exact.byteSize(), exact, padded, false);
  }

  boolean isEmpty() {
    return span == 0;
  }

  LayoutPiece named(String name) {
    return new LayoutPiece(at, span, exact.withName(name), padded.withName(name), false);
  }

  LayoutPiece shifted(long bytes) {
    return isEmpty() ? EMPTY : new LayoutPiece(at + bytes, span, exact, padded, open);
  }

  /** Returns the piece with the program's own layout, which begins at 0, for use where all of it fits. */
  LayoutPiece described(MemoryLayout given) {
    return isEmpty() || at != 0 ? this : new LayoutPiece(0, span, exact, given, false);
  }

  /** Returns copies at equal distances. */
  LayoutPiece copies(long count, long stride) throws Unsuitable {
    if (count <= 0 || isEmpty()) {
      return EMPTY;
    } else if (count == 1) {
      return this;
    } else if (stride < span) {
      throw new Unsuitable();
    }
    MemoryLayout element = fill(at, at + stride);
    MemoryLayout all = MemoryLayout.sequenceLayout(count, element);
    long copied = (count - 1) * stride + span;
    if (stride == span) {
      return new LayoutPiece(at, copied, all, all, false);
    }
    MemoryLayout trimmed = MemoryLayout.structLayout(MemoryLayout.sequenceLayout(count - 1, element), exact);
    return new LayoutPiece(at, copied, trimmed, all, false);
  }

  /** Returns pieces one after the other; empty ones are left out. */
  static LayoutPiece sequence(List<LayoutPiece> parts) throws Unsuitable {
    List<LayoutPiece> data = parts.stream().filter(part -> !part.isEmpty()).toList();
    if (data.size() <= 1) {
      return data.isEmpty() ? EMPTY : data.getFirst();
    }
    List<MemoryLayout> members = new ArrayList<>();
    for (int i = 0; i < data.size() - 1; i++) {
      data.get(i).fill(data.get(i + 1).at, members);
    }
    LayoutPiece last = data.getLast();
    long at = data.getFirst().at;
    return new LayoutPiece(
        at, last.at + last.span - at, struct(members, last.exact), struct(members, last.padded), true);
  }

  private static MemoryLayout struct(List<MemoryLayout> members, MemoryLayout last) {
    List<MemoryLayout> all = new ArrayList<>(members);
    all.add(last);
    return MemoryLayout.structLayout(all.toArray(MemoryLayout[]::new));
  }

  /** Adds this piece and the gap up to {@code end}. */
  private void fill(long end, List<MemoryLayout> members) throws Unsuitable {
    long room = end - at;
    if (room < span) {
      throw new Unsuitable();
    }
    MemoryLayout layout = padded.byteSize() <= room ? padded : exact;
    members.add(layout);
    if (layout.byteSize() < room) {
      members.add(MemoryLayout.paddingLayout(room - layout.byteSize()));
    }
  }

  /** Replaces the first struct among the members by its own members, if this piece is open. */
  private void open(List<MemoryLayout> members) {
    for (int i = 0; open && i < members.size(); i++) {
      if (members.get(i) instanceof StructLayout struct) {
        members.remove(i);
        members.addAll(i, struct.memberLayouts());
        return;
      }
    }
  }

  /** Returns a layout of all bytes from {@code begin} to {@code end}, with this piece in it. */
  MemoryLayout fill(long begin, long end) throws Unsuitable {
    List<MemoryLayout> members = new ArrayList<>();
    if (isEmpty()) {
      return begin == end ? NOTHING : MemoryLayout.structLayout(MemoryLayout.paddingLayout(end - begin));
    } else if (at < begin) {
      throw new Unsuitable();
    } else if (at > begin) {
      members.add(MemoryLayout.paddingLayout(at - begin));
    }
    fill(end, members);
    open(members);
    return members.size() == 1 ? members.getFirst() : MemoryLayout.structLayout(members.toArray(MemoryLayout[]::new));
  }
}
