// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.tree;

import java.util.ArrayDeque;
import java.util.Locale;
import java.util.function.IntFunction;
import org.ffmpi.datatype.Combiner;
import org.ffmpi.datatype.basic.Basic;
import org.ffmpi.datatype.basic.Longs;

/**
 * Writes a type with all arguments of its constructors, line by line, like the standard's example of decoding (MPI-4.1
 * §5.1.13). Long lists are cut, and so is the whole text: a few nested structs may describe millions of blocks.
 */
public final class TypeDescription {
  private static final int LINES = 1000;
  private static final int BLOCKS = 16;

  private final StringBuilder text = new StringBuilder();
  private int lines;

  /** A stack of the parts not yet described: types may be nested too deep for a recursion. */
  private final ArrayDeque<Runnable> rest = new ArrayDeque<>();

  private TypeDescription() {}

  /** Returns lines that end with a line feed each. */
  public static String of(TypeTree tree) {
    TypeDescription description = new TypeDescription();
    description.later(tree, "");
    while (!description.rest.isEmpty() && !description.isFull()) {
      description.rest.pop().run();
    }
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

  private void later(TypeTree tree, String indent) {
    rest.push(() -> type(tree, indent));
  }

  private void type(TypeTree tree, String indent) {
    switch (tree) {
      case TypeTree.Named(Basic basic) -> line(indent, "Datatype is named:" + basic.mpiName());
      case DerivedTree derived -> constructor(derived.constructor(), indent);
    }
  }

  private void constructor(TypeConstructor constructor, String indent) {
    String inner = indent + "  ";
    switch (constructor) {
      case DupType(TypeTree old) -> one("dup", "", old, indent);
      case ContiguousType(long count, TypeTree old) -> one("contiguous", "count " + count, old, indent);
      case VectorType(long count, long length, long stride, TypeTree old) ->
          one("vector", "count " + count + ", blocklength " + length + ", stride " + stride, old, indent);
      case HvectorType(long count, long length, long stride, TypeTree old) ->
          one("hvector", "count " + count + ", blocklength " + length + ", stride " + stride + " bytes", old, indent);
      case IndexedType(Longs lengths, Longs displacements, TypeTree old) ->
          blocks("indexed", lengths.length(), i -> block(lengths.get(i), displacements.get(i), ""), old, indent);
      case HindexedType(Longs lengths, Longs displacements, TypeTree old) ->
          blocks("hindexed", lengths.length(), i -> block(lengths.get(i), displacements.get(i), " bytes"), old, indent);
      case IndexedBlockType(long length, Longs displacements, TypeTree old) ->
          blocks("indexed_block", displacements.length(), i -> block(length, displacements.get(i), ""), old, indent);
      case HindexedBlockType(long length, Longs displacements, TypeTree old) ->
          blocks(
              "hindexed_block", displacements.length(), i -> block(length, displacements.get(i), " bytes"), old,
              indent);
      case StructType struct -> struct(struct, indent);
      case SubarrayType subarray ->
          one(
              "subarray",
              "sizes " + subarray.sizes() + ", subsizes " + subarray.subsizes() + ", starts " + subarray.starts()
                  + ", order " + subarray.order(),
              subarray.old(),
              indent);
      case DarrayType darray ->
          one(
              "darray",
              "rank " + darray.rank() + " of " + darray.size() + ", gsizes " + darray.gsizes() + ", distribs "
                  + darray.distribs() + ", dargs " + darray.dargs() + ", psizes " + darray.psizes() + ", order "
                  + darray.order(),
              darray.old(),
              indent);
      case ResizedType(long lowerBound, long extent, TypeTree old) ->
          one("resized", "lower bound " + lowerBound + ", extent " + extent, old, indent);
      case FortranKindType(Combiner combiner, int precision, int range, Basic basic) ->
          line(
              indent,
              "Datatype is " + combiner.name().toLowerCase(Locale.ROOT) + ", precision " + precision
                  + ", range " + range + ", the same as " + basic.mpiName());
      case ValueIndexType(TypeTree value, TypeTree index) -> {
        line(indent, "Datatype is value_index containing 2 datatypes:");
        later(index, inner);
        later(value, inner);
      }
    }
  }

  private void one(String name, String arguments, TypeTree old, String indent) {
    line(indent, "Datatype is " + name + " containing 1 datatype:");
    line(indent + "  ", arguments.isEmpty() ? "type:" : arguments + ", type:");
    later(old, indent + "  ");
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
    later(old, indent + "  ");
  }

  private void struct(StructType struct, String indent) {
    int count = struct.types().size();
    line(indent, "Datatype is struct containing " + count + " datatypes:");
    members(struct, 0, indent + "  ");
  }

  private void members(StructType struct, int from, String indent) {
    if (from < struct.types().size()) {
      line(indent, block(struct.blocklengths().get(from), struct.displacements().get(from), "") + ", type:");
      rest.push(() -> members(struct, from + 1, indent));
      later(struct.types().get(from), indent);
    }
  }
}
