// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.carrier;

import java.lang.foreign.MemoryLayout;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.ffmpi.datatype.basic.Bounds;
import org.ffmpi.datatype.basic.Longs;
import org.ffmpi.datatype.tree.ArrayGrid;
import org.ffmpi.datatype.tree.ContiguousType;
import org.ffmpi.datatype.tree.DarrayType;
import org.ffmpi.datatype.tree.DerivedTree;
import org.ffmpi.datatype.tree.DupType;
import org.ffmpi.datatype.tree.FortranKindType;
import org.ffmpi.datatype.tree.HindexedBlockType;
import org.ffmpi.datatype.tree.HindexedType;
import org.ffmpi.datatype.tree.HvectorType;
import org.ffmpi.datatype.tree.IndexedBlockType;
import org.ffmpi.datatype.tree.IndexedType;
import org.ffmpi.datatype.tree.InsideOut;
import org.ffmpi.datatype.tree.OwnedBlocks;
import org.ffmpi.datatype.tree.ResizedType;
import org.ffmpi.datatype.tree.StructType;
import org.ffmpi.datatype.tree.SubarrayType;
import org.ffmpi.datatype.tree.TreeShapes;
import org.ffmpi.datatype.tree.TypeConstructor;
import org.ffmpi.datatype.tree.TypeTree;
import org.ffmpi.datatype.tree.ValueIndexType;
import org.ffmpi.datatype.tree.VectorType;

/**
 * Writes types as memory layouts, the inverse of {@link LayoutTypes}. A typemap is a layout when its data lie in
 * increasing order without overlap between 0 and the extent. Types that were read from a layout keep it, names and all,
 * also inside others.
 */
public final class TypeLayouts {
  private final ElementLayouts elements;

  /** Pieces by type; empty where no layout describes the type. */
  private final Map<TypeTree, Optional<LayoutPiece>> known = new IdentityHashMap<>();

  private TypeLayouts(boolean aligned) {
    this.elements = new ElementLayouts(aligned);
  }

  /** Returns the layout of one element, or empty where no layout describes it. */
  public static Optional<MemoryLayout> of(TypeTree tree) {
    if (tree instanceof DerivedTree derived && derived.layout() != null) {
      return Optional.of(derived.layout());
    }
    Bounds bounds = tree.bounds();
    if (bounds.lowerBound() != 0 || bounds.extent() < 0) {
      return Optional.empty();
    }
    // Natural alignment first; data of a type may violate it.
    return new TypeLayouts(true).layout(tree).or(() -> new TypeLayouts(false).layout(tree));
  }

  private Optional<MemoryLayout> layout(TypeTree tree) {
    if (tree instanceof DerivedTree derived) {
      new Pieces().walk(derived);
    }
    try {
      MemoryLayout layout = piece(tree).fill(0, tree.bounds().extent());
      return layout.byteSize() % layout.byteAlignment() == 0 ? Optional.of(layout) : Optional.empty();
    } catch (LayoutPiece.Unsuitable | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Finds the pieces from the inside out, so that each finds those of its components. */
  private final class Pieces extends InsideOut {
    @Override
    protected boolean isDone(DerivedTree tree) {
      return tree.bounds().size() == 0 || known.containsKey(tree);
    }

    @Override
    protected void visit(DerivedTree tree) {
      try {
        known.put(tree, Optional.of(piece(tree)));
      } catch (LayoutPiece.Unsuitable | IllegalArgumentException e) {
        known.put(tree, Optional.empty()); // no matter, if all blocks of it are empty
      }
    }
  }

  private LayoutPiece piece(TypeTree tree) throws LayoutPiece.Unsuitable {
    if (tree.bounds().size() == 0) {
      return LayoutPiece.EMPTY; // without data, the constructor does not matter
    }
    Optional<LayoutPiece> piece = known.get(tree);
    if (piece == null) {
      piece = Optional.of(elements.piece(((TypeTree.Named) tree).basic().element()));
      known.put(tree, piece);
    }
    return piece.orElseThrow(LayoutPiece.Unsuitable::new);
  }

  private LayoutPiece piece(DerivedTree tree) throws LayoutPiece.Unsuitable {
    LayoutPiece data = piece(tree.constructor());
    return tree.layout() == null ? data : data.described(elements.withAlignment(tree.layout()));
  }

  private LayoutPiece piece(TypeConstructor constructor) throws LayoutPiece.Unsuitable {
    return switch (constructor) {
      case FortranKindType f90 -> elements.piece(f90.basic().element());
      case ValueIndexType pair -> LayoutPiece.sequence(List.of(
          piece(pair.value()).named("value"),
          piece(pair.index()).named("index").shifted(pair.indexDisplacement())));
      case StructType struct -> {
        List<LayoutPiece> parts = new ArrayList<>();
        for (int i = 0; i < struct.types().size(); i++) {
          parts.add(block(struct.blocklengths().get(i), struct.displacements().get(i), struct.types().get(i)));
        }
        yield LayoutPiece.sequence(parts);
      }
      case DupType dup -> piece(dup.old());
      case ResizedType resized -> piece(resized.old());
      case ContiguousType type -> block(type.count(), 0, type.old());
      case VectorType type ->
          block(type.blocklength(), 0, type.old()).copies(type.count(), type.stride() * type.old().bounds().extent());
      case HvectorType type -> block(type.blocklength(), 0, type.old()).copies(type.count(), type.stride());
      case IndexedType type ->
          blocks(type.blocklengths(), TreeShapes.inBytes(type.displacements(), type.blocklengths(), extent(type)),
              type);
      case HindexedType type -> blocks(type.blocklengths(), type.displacements().shared(), type);
      case IndexedBlockType type ->
          blocks(type.blocklength(), TreeShapes.inBytes(type.displacements(), type.blocklength(), extent(type)), type);
      case HindexedBlockType type -> blocks(type.blocklength(), type.displacements().shared(), type);
      case SubarrayType type -> {
        ArrayGrid grid = ArrayGrid.of("sizes", type.sizes(), type.order(), type.old().bounds());
        LayoutPiece piece = piece(type.old());
        for (int d : grid.fastestFirst()) {
          piece = piece.copies(type.subsizes().get(d), grid.stride(d)).shifted(type.starts().get(d) * grid.stride(d));
        }
        yield piece;
      }
      case DarrayType type -> {
        ArrayGrid grid = ArrayGrid.of("gsizes", type.gsizes(), type.order(), type.old().bounds());
        OwnedBlocks[] owned = type.ownedBlocks();
        LayoutPiece piece = piece(type.old());
        for (int d : grid.fastestFirst()) {
          piece = owned(owned[d], grid.stride(d), piece);
        }
        yield piece;
      }
    };
  }

  private static long extent(TypeConstructor.OfOne type) {
    return type.old().bounds().extent();
  }

  /** Copies side by side. */
  private LayoutPiece block(long length, long displacement, TypeTree type) throws LayoutPiece.Unsuitable {
    return length == 0
        ? LayoutPiece.EMPTY
        : piece(type).copies(length, type.bounds().extent()).shifted(displacement);
  }

  private LayoutPiece blocks(Longs lengths, long[] displacements, TypeConstructor.OfOne type)
      throws LayoutPiece.Unsuitable {
    List<LayoutPiece> parts = new ArrayList<>();
    for (int i = 0; i < displacements.length; i++) {
      parts.add(block(lengths.get(i), displacements[i], type.old()));
    }
    return LayoutPiece.sequence(parts);
  }

  private LayoutPiece blocks(long length, long[] displacements, TypeConstructor.OfOne type)
      throws LayoutPiece.Unsuitable {
    List<LayoutPiece> parts = new ArrayList<>();
    for (long displacement : displacements) {
      parts.add(block(length, displacement, type.old()));
    }
    return LayoutPiece.sequence(parts);
  }

  /** The indices that a process owns along one dimension of a distributed array. */
  private static LayoutPiece owned(OwnedBlocks owned, long stride, LayoutPiece piece) throws LayoutPiece.Unsuitable {
    LayoutPiece whole = owned.blocks() <= 1 // an empty block might have no layout
        ? LayoutPiece.EMPTY
        : piece.copies(owned.length(), stride).copies(owned.blocks() - 1, owned.cycle() * stride);
    LayoutPiece last = piece.copies(owned.blocks() == 0 ? 0 : owned.lastLength(), stride)
        .shifted((owned.blocks() - 1) * owned.cycle() * stride);
    return LayoutPiece.sequence(List.of(whole, last)).shifted(owned.firstIndex() * stride);
  }
}
