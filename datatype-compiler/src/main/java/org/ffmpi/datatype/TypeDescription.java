// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype;

import java.util.Locale;
import java.util.function.IntFunction;

/**
 * Writes a type with all that went into it, line by line, in the manner of the standard's example of decoding (MPI-4.1
 * §5.1.13). Long lists are cut, and so is the whole: a few nested structs may describe millions of blocks.
 */
final class TypeDescription {
  private static final int LINES = 1000;
  private static final int BLOCKS = 16;

  private final StringBuilder text = new StringBuilder();
  private int lines;

  private TypeDescription() {}

  /** Returns lines that end with a line feed each. */
  static String of(TypeTree tree) {
    TypeDescription description = new TypeDescription();
    description.type(tree, "");
    if (description.isFull()) {
      description.text.append("and so on\n");
    }
    return description.text.toString();
  }

  private boolean isFull() {
    return lines >= LINES;
  }

  private void line(String indent, String content) {
    if (!isFull()) {
      text.append(indent).append(content).append('\n');
      lines++;
    }
  }

  private void type(TypeTree tree, String indent) {
    if (isFull()) {
      return;
    }
    switch (tree) {
      case TypeTree.Named(Basic basic) -> line(indent, "Datatype is named:" + basic.mpiName());
      case DerivedTree derived -> constructor(derived.constructor(), indent);
    }
  }

  private void constructor(TypeConstructor constructor, String indent) {
    String inner = indent + "  ";
    switch (constructor) {
      case Dup(TypeTree old) -> one("dup", "", old, indent);
      case Contiguous(long count, TypeTree old) -> one("contiguous", "count " + count, old, indent);
      case Vector(long count, long length, long stride, TypeTree old) ->
          one("vector", "count " + count + ", blocklength " + length + ", stride " + stride, old, indent);
      case Hvector(long count, long length, long stride, TypeTree old) ->
          one("hvector", "count " + count + ", blocklength " + length + ", stride " + stride + " bytes", old, indent);
      case Indexed(Longs lengths, Longs displacements, TypeTree old) ->
          blocks("indexed", lengths.length(), i -> block(lengths.get(i), displacements.get(i), ""), old, indent);
      case Hindexed(Longs lengths, Longs displacements, TypeTree old) ->
          blocks("hindexed", lengths.length(), i -> block(lengths.get(i), displacements.get(i), " bytes"), old, indent);
      case IndexedBlock(long length, Longs displacements, TypeTree old) ->
          blocks("indexed_block", displacements.length(), i -> block(length, displacements.get(i), ""), old, indent);
      case HindexedBlock(long length, Longs displacements, TypeTree old) ->
          blocks(
              "hindexed_block", displacements.length(), i -> block(length, displacements.get(i), " bytes"), old,
              indent);
      case Struct struct -> struct(struct, indent);
      case Subarray subarray ->
          one(
              "subarray",
              "sizes " + subarray.sizes() + ", subsizes " + subarray.subsizes() + ", starts " + subarray.starts()
                  + ", order " + subarray.order(),
              subarray.old(),
              indent);
      case Darray darray ->
          one(
              "darray",
              "rank " + darray.rank() + " of " + darray.size() + ", gsizes " + darray.gsizes() + ", distribs "
                  + darray.distribs() + ", dargs " + darray.dargs() + ", psizes " + darray.psizes() + ", order "
                  + darray.order(),
              darray.old(),
              indent);
      case Resized(long lowerBound, long extent, TypeTree old) ->
          one("resized", "lower bound " + lowerBound + ", extent " + extent, old, indent);
      case F90(Combiner combiner, int precision, int range, Basic basic) ->
          line(
              indent,
              "Datatype is " + combiner.name().toLowerCase(Locale.ROOT) + ", precision " + precision
                  + ", range " + range + ", the same as " + basic.mpiName());
      case ValueIndex(TypeTree value, TypeTree index) -> {
        line(indent, "Datatype is value_index containing 2 datatypes:");
        type(value, inner);
        type(index, inner);
      }
    }
  }

  private void one(String name, String arguments, TypeTree old, String indent) {
    line(indent, "Datatype is " + name + " containing 1 datatype:");
    line(indent + "  ", arguments.isEmpty() ? "type:" : arguments + ", type:");
    type(old, indent + "  ");
  }

  private static String block(long length, long displacement, String unit) {
    return "blocklength " + length + ", displacement " + displacement + unit;
  }

  private void blocks(String name, int count, IntFunction<String> block, TypeTree old, String indent) {
    line(indent, "Datatype is " + name + " containing 1 datatype in " + count + " blocks:");
    for (int i = 0; i < Math.min(count, BLOCKS); i++) {
      line(indent + "  ", block.apply(i));
    }
    if (count > BLOCKS) {
      line(indent + "  ", "and " + (count - BLOCKS) + " more blocks");
    }
    line(indent + "  ", "type:");
    type(old, indent + "  ");
  }

  private void struct(Struct struct, String indent) {
    int count = struct.types().size();
    line(indent, "Datatype is struct containing " + count + " datatypes:");
    for (int i = 0; i < count && !isFull(); i++) {
      line(indent + "  ", block(struct.blocklengths().get(i), struct.displacements().get(i), "") + ", type:");
      type(struct.types().get(i), indent + "  ");
    }
  }
}
