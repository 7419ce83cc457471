// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype;

/** Writes types for people. */
final class TypePrinter {
  /** Calls within calls in the short form. */
  private static final int SHORT_DEPTH = 4;

  private TypePrinter() {}

  /** Returns the calls that made a type in one line, cut where they become long: {@code vector(3, 5, 4, MPI_REAL)}. */
  static String shortForm(TypeTree tree) {
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
      case Dup(TypeTree old) -> "dup(" + shortForm(old, depth) + ")";
      case Contiguous(long count, TypeTree old) -> "contiguous(" + count + ", " + shortForm(old, depth) + ")";
      case Vector(long count, long blocklength, long stride, TypeTree old) ->
          "vector(" + count + ", " + blocklength + ", " + stride + ", " + shortForm(old, depth) + ")";
      case Hvector(long count, long blocklength, long stride, TypeTree old) ->
          "hvector(" + count + ", " + blocklength + ", " + stride + ", " + shortForm(old, depth) + ")";
      case Indexed(Longs lengths, _, TypeTree old) ->
          "indexed(" + lengths.length() + " blocks, " + shortForm(old, depth) + ")";
      case Hindexed(Longs lengths, _, TypeTree old) ->
          "hindexed(" + lengths.length() + " blocks, " + shortForm(old, depth) + ")";
      case IndexedBlock(long length, Longs displacements, TypeTree old) ->
          "indexedBlock(" + displacements.length() + " blocks of " + length + ", " + shortForm(old, depth) + ")";
      case HindexedBlock(long length, Longs displacements, TypeTree old) ->
          "hindexedBlock(" + displacements.length() + " blocks of " + length + ", " + shortForm(old, depth) + ")";
      case Struct struct -> "struct(" + struct.types().size() + " blocks)";
      case Subarray subarray ->
          "subarray(" + subarray.subsizes() + " of " + subarray.sizes() + ", " + shortForm(subarray.old(), depth) + ")";
      case Darray darray ->
          "darray(" + darray.rank() + " of " + darray.size() + ", " + darray.gsizes() + ", "
              + shortForm(darray.old(), depth) + ")";
      case Resized(long lowerBound, long extent, TypeTree old) ->
          "resized(" + lowerBound + ", " + extent + ", " + shortForm(old, depth) + ")";
      case F90 f90 -> f90.basic().mpiName();
      case ValueIndex(TypeTree value, TypeTree index) ->
          "valueIndex(" + shortForm(value, depth) + ", " + shortForm(index, depth) + ")";
    };
  }
}
