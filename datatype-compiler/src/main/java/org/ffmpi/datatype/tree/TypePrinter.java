// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.tree;

import org.ffmpi.datatype.basic.Basic;
import org.ffmpi.datatype.basic.Longs;

/** Writes types in one line, for messages. */
public final class TypePrinter {
  /** Nested calls in the short form. */
  private static final int SHORT_DEPTH = 4;

  private TypePrinter() {}

  /** Returns the calls that made a type in one line, cut where they become long: {@code vector(3, 5, 4, MPI_REAL)}. */
  public static String shortForm(TypeTree tree) {
    return shortForm(tree, SHORT_DEPTH);
  }

  private static String shortForm(TypeTree tree, int depth) {
    return switch (tree) {
      case TypeTree.Named(Basic basic) -> basic.mpiName();
      case DerivedTree derived when depth == 0 -> "…";
      case DerivedTree derived -> call(derived.constructor(), depth - 1);
    };
  }

  private static String call(TypeConstructor constructor, int depth) {
    return switch (constructor) {
      case DupType(TypeTree old) -> "dup(" + shortForm(old, depth) + ")";
      case ContiguousType(long count, TypeTree old) -> "contiguous(" + count + ", " + shortForm(old, depth) + ")";
      case VectorType(long count, long blocklength, long stride, TypeTree old) ->
          "vector(" + count + ", " + blocklength + ", " + stride + ", " + shortForm(old, depth) + ")";
      case HvectorType(long count, long blocklength, long stride, TypeTree old) ->
          "hvector(" + count + ", " + blocklength + ", " + stride + ", " + shortForm(old, depth) + ")";
      case IndexedType(Longs lengths, _, TypeTree old) ->
          "indexed(" + lengths.length() + " blocks, " + shortForm(old, depth) + ")";
      case HindexedType(Longs lengths, _, TypeTree old) ->
          "hindexed(" + lengths.length() + " blocks, " + shortForm(old, depth) + ")";
      case IndexedBlockType(long length, Longs displacements, TypeTree old) ->
          "indexedBlock(" + displacements.length() + " blocks of " + length + ", " + shortForm(old, depth) + ")";
      case HindexedBlockType(long length, Longs displacements, TypeTree old) ->
          "hindexedBlock(" + displacements.length() + " blocks of " + length + ", " + shortForm(old, depth) + ")";
      case StructType struct -> "struct(" + struct.types().size() + " blocks)";
      case SubarrayType subarray ->
          "subarray(" + subarray.subsizes() + " of " + subarray.sizes() + ", " + shortForm(subarray.old(), depth) + ")";
      case DarrayType darray ->
          "darray(" + darray.rank() + " of " + darray.size() + ", " + darray.gsizes() + ", "
              + shortForm(darray.old(), depth) + ")";
      case ResizedType(long lowerBound, long extent, TypeTree old) ->
          "resized(" + lowerBound + ", " + extent + ", " + shortForm(old, depth) + ")";
      case FortranKindType f90 -> f90.basic().mpiName();
      case ValueIndexType(TypeTree value, TypeTree index) ->
          "valueIndex(" + shortForm(value, depth) + ", " + shortForm(index, depth) + ")";
    };
  }
}
