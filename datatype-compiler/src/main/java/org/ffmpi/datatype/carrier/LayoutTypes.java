// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.carrier;

import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.PaddingLayout;
import java.lang.foreign.SequenceLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.UnionLayout;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.basic.Basic;
import org.ffmpi.datatype.basic.Bounds;
import org.ffmpi.datatype.basic.Longs;
import org.ffmpi.datatype.tree.ContiguousType;
import org.ffmpi.datatype.tree.DerivedTree;
import org.ffmpi.datatype.tree.DupType;
import org.ffmpi.datatype.tree.MemberTypes;
import org.ffmpi.datatype.tree.ResizedType;
import org.ffmpi.datatype.tree.StructType;
import org.ffmpi.datatype.tree.TypeTree;

/**
 * Reads memory layouts as types. A struct becomes {@code struct}, a sequence {@code contiguous}, padding a gap, a value
 * the type that bare arrays of it are sent as, an address AINT. A union is sent as its bytes, because its layout does
 * not have the member in use.
 */
public final class LayoutTypes {
  /** Layouts share parts as trees do: each is read once. */
  private final Map<MemoryLayout, TypeTree> known = new IdentityHashMap<>();

  private int depth;

  private LayoutTypes() {}

  /** Returns a tree whose extent is the layout's size, and which remembers the layout. */
  public static TypeTree tree(MemoryLayout layout) {
    if (layout == null) {
      throw MpiException.argument(ErrorClass.ERR_TYPE, "layout", "null", "memory layouts");
    }
    if (layout.byteSize() % layout.byteAlignment() != 0) {
      throw MpiException.argument(ErrorClass.ERR_TYPE, "layout", layout, "sizes that are a multiple of the alignment, "
          + layout.byteSize() + " of " + layout.byteAlignment() + " is not, so that elements of a buffer lie side by"
          + " side: add padding at the end, or members with byte alignment 1");
    }
    return new DerivedTree(
        switch (new LayoutTypes().plain(layout)) {
          case DerivedTree derived -> derived.constructor();
          case TypeTree.Named named -> new DupType(named);
        },
        layout);
  }

  private TypeTree plain(MemoryLayout layout) {
    TypeTree tree = known.get(layout);
    if (tree == null) {
      DerivedTree.requireDepth(depth++);
      tree = read(layout);
      depth--;
      known.put(layout, tree);
    }
    return tree;
  }

  private TypeTree read(MemoryLayout layout) {
    return switch (layout) {
      case ValueLayout value -> value(value);
      case SequenceLayout sequence ->
          new DerivedTree(new ContiguousType(sequence.elementCount(), plain(sequence.elementLayout())));
      case StructLayout struct -> struct(struct);
      case UnionLayout union -> new DerivedTree(new ContiguousType(union.byteSize(), new TypeTree.Named(Basic.BYTE)));
      case PaddingLayout padding -> sized(padding.byteSize(), new DerivedTree(structOf(List.of())));
    };
  }

  private static TypeTree value(ValueLayout value) {
    if (value.order() != ByteOrder.nativeOrder() && value.byteSize() > 1) {
      throw MpiException.argument(ErrorClass.ERR_TYPE, "layout", value, "values in the machine's byte order, "
          + ByteOrder.nativeOrder() + "; swap bytes on the way to and from memory, or send them as bytes");
    }
    return new TypeTree.Named(PrimitiveLayouts.basic(value));
  }

  private TypeTree struct(GroupLayout struct) {
    List<Block> blocks = new ArrayList<>();
    long at = 0;
    for (MemoryLayout member : struct.memberLayouts()) {
      switch (member) {
        case PaddingLayout _ -> { }
        // Several elements in one block, as a C programmer would write it.
        case SequenceLayout sequence ->
            blocks.add(new Block(sequence.elementCount(), at, plain(sequence.elementLayout())));
        default -> blocks.add(new Block(1, at, plain(member)));
      }
      at += member.byteSize();
    }
    return sized(struct.byteSize(), new DerivedTree(structOf(blocks)));
  }

  /** One block of a struct type. */
  private record Block(long length, long displacement, TypeTree type) {}

  private static StructType structOf(List<Block> blocks) {
    return new StructType(
        Longs.copyOf(blocks.stream().mapToLong(Block::length).toArray()),
        Longs.copyOf(blocks.stream().mapToLong(Block::displacement).toArray()),
        MemberTypes.of(blocks.stream().map(Block::type).toList()));
  }

  /** Sets the bounds where the standard's formula yields others, for gaps at either end and unusual alignment. */
  private static TypeTree sized(long bytes, TypeTree tree) {
    Bounds bounds = tree.bounds();
    return bounds.lowerBound() == 0 && bounds.extent() == bytes
        ? tree
        : new DerivedTree(new ResizedType(0, bytes, tree));
  }
}
