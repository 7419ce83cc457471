// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.Arrays;
import java.util.List;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/**
 * The typemap of a datatype in elements of the array, and ffmpi's type for the same. All elements
 * are of one base type. The bounds follow the rules of MPI-1, where {@code LB} and {@code UB} are members that set
 * them: a bound that is set once stays set in all types made of the type. Immutable.
 */
final class TypeShape {
  /** Some elements of one type, side by side, from some place on. */
  record Block(long count, long at, TypeShape type) {}

  /** Description of the type, for messages. */
  final String name;

  /** Number of the base type; where no block has elements, that of the first block's type, and NULL without blocks. */
  final int base;

  /** ffmpi's type; null for objects, and for the types without elements that are not made of others. */
  final org.ffmpi.datatype.Datatype<?> raw;

  final int size;
  final int lb;
  final int ub;
  final boolean lbSet;
  final boolean ubSet;

  /** True if the elements are contiguous and in order. */
  final boolean dense;

  /** Displacements of the elements of one item, in order; null unless they are objects. */
  final int[] places;

  private TypeShape(
      String name, int base, org.ffmpi.datatype.Datatype<?> raw, long size, long lb, long ub, boolean lbSet,
      boolean ubSet, boolean dense, int[] places) {
    this.name = name;
    this.base = base;
    this.size = fit("elements", size);
    this.lb = fit("lower bound", lb);
    this.ub = fit("upper bound", ub);
    fit("extent", ub - lb);
    this.lbSet = lbSet;
    this.ubSet = ubSet;
    this.dense = dense;
    this.places = places;
    this.raw = raw;
  }

  private static int fit(String what, long number) {
    if (number != (int) number) {
      throw MpiException.argument(ErrorClass.ERR_ARG, what + " of the type", number, "numbers that fit in an int");
    }
    return (int) number;
  }

  /** Makes the shape of a base type; ffmpi's type is null for objects, and for a type without elements. */
  static TypeShape basic(String name, int base, org.ffmpi.datatype.Datatype<?> raw) {
    boolean objects = base == TypeCodes.OBJECT;
    int size = raw != null || objects ? 1 : 0;
    return new TypeShape(name, base, raw, size, 0, size, base == TypeCodes.LB, base == TypeCodes.UB, true,
        objects ? new int[] {0} : null);
  }

  int extent() {
    return ub - lb;
  }

  /** Returns the bytes of one element of the array; 0 for objects. */
  int width() {
    return TypeCodes.width(base);
  }

  boolean isOfObjects() {
    return base == TypeCodes.OBJECT;
  }

  // ---- constructors

  static TypeShape contiguous(int count, TypeShape old) {
    check("count", count);
    return made("Contiguous", List.of(new Block(count, 0, old)),
        old.raw == null ? null : org.ffmpi.datatype.Datatype.contiguous(count, old.raw));
  }

  /** Makes blocks at equal distances, which count in elements of the array. */
  static TypeShape vector(String name, int count, int blocklength, long stride, TypeShape old) {
    check("count", count);
    check("blocklength", blocklength);
    Block[] blocks = new Block[count];
    for (int i = 0; i < count; i++) {
      blocks[i] = new Block(blocklength, i * stride, old);
    }
    return made(name, List.of(blocks), old.raw == null ? null
        : org.ffmpi.datatype.Datatype.hvector(count, blocklength, stride * old.width(), old.raw));
  }

  /** Makes blocks of different length; displacements count in units of so many elements of the array. */
  static TypeShape indexed(String name, int[] blocklengths, int[] displacements, long unit, TypeShape old) {
    checkArrays(blocklengths, displacements);
    Block[] blocks = new Block[blocklengths.length];
    long[] lengths = new long[blocks.length];
    long[] bytes = new long[blocks.length];
    for (int i = 0; i < blocks.length; i++) {
      check("blocklengths[" + i + "]", blocklengths[i]);
      blocks[i] = new Block(blocklengths[i], displacements[i] * unit, old);
      lengths[i] = blocklengths[i];
      bytes[i] = blocks[i].at() * old.width();
    }
    return made(name, List.of(blocks),
        old.raw == null ? null : org.ffmpi.datatype.Datatype.hindexed(lengths, bytes, old.raw));
  }

  /** Makes blocks of different types of one base type; displacements count in elements of the array. */
  static TypeShape struct(int[] blocklengths, int[] displacements, Datatype[] types) {
    checkArrays(blocklengths, displacements);
    if (types == null || types.length < blocklengths.length) {
      throw MpiException.argument(ErrorClass.ERR_ARG, types == null ? "types" : "types.length",
          types == null ? null : types.length,
          "arrays with one type for each of the " + blocklengths.length + " blocks");
    }
    Block[] blocks = new Block[blocklengths.length];
    for (int i = 0; i < blocks.length; i++) {
      check("blocklengths[" + i + "]", blocklengths[i]);
      blocks[i] = new Block(blocklengths[i], displacements[i], Datatype.shapeOf("types[" + i + "]", types[i]));
    }
    List<Block> data = Arrays.stream(blocks).filter(b -> b.type().raw != null).toList();
    long[] lengths = data.stream().mapToLong(Block::count).toArray();
    long[] bytes = data.stream().mapToLong(b -> b.at() * b.type().width()).toArray();
    Block first = checkBase(List.of(blocks));
    boolean objects = first != null && first.type().isOfObjects();
    return made("Struct", List.of(blocks), objects ? null : org.ffmpi.datatype.Datatype.struct(lengths, bytes,
        data.stream().map(b -> b.type().raw).toArray(org.ffmpi.datatype.Datatype<?>[]::new)));
  }

  private static void check(String name, int count) {
    if (count < 0) {
      throw MpiException.argument(ErrorClass.ERR_ARG, name, count, "0 or more");
    }
  }

  private static void checkArrays(int[] blocklengths, int[] displacements) {
    if (blocklengths == null) {
      throw MpiException.argument(ErrorClass.ERR_ARG, "blocklengths", null, "an array");
    }
    if (displacements == null || displacements.length < blocklengths.length) {
      throw MpiException.argument(ErrorClass.ERR_ARG, displacements == null ? "displacements" : "displacements.length",
          displacements == null ? null : displacements.length,
          "arrays with one entry for each of the " + blocklengths.length + " blocks");
    }
  }

  /** Returns the block whose type determines the base type, or null if none of them has elements. */
  private static Block checkBase(List<Block> blocks) {
    Block first = null;
    for (int i = 0; i < blocks.size(); i++) {
      Block block = blocks.get(i);
      int base = block.type().base;
      if (base == TypeCodes.LB || base == TypeCodes.UB || base == TypeCodes.NULL) {
        continue;
      }
      if (first == null) {
        first = block;
      } else if (block.type().base != first.type().base) {
        throw MpiException.argument(ErrorClass.ERR_TYPE, "types[" + i + "]", block.type().name,
            "types of elements of " + TypeCodes.name(first.type().base) + ", as the others, and MPI.LB and MPI.UB");
      }
    }
    return first;
  }

  private static TypeShape made(String name, List<Block> blocks, org.ffmpi.datatype.Datatype<?> raw) {
    Block first = checkBase(blocks);
    int base = first == null ? blocks.isEmpty() ? TypeCodes.NULL : blocks.getFirst().type().base : first.type().base;
    Bound low = new Bound(true);
    Bound high = new Bound(false);
    long size = 0;
    boolean dense = true;
    for (Block block : blocks) {
      low.add(block);
      high.add(block);
      dense &= block.type().dense && (block.count() == 0 || block.at() == size);
      size += block.count() * block.type().size;
    }
    dense &= low.value() == 0 && high.value() == size;
    TypeShape shape = new TypeShape(
        name + " of " + (first == null ? "nothing" : first.type().name), base, null, size, low.value(), high.value(),
        low.isSet, high.isSet, dense, base == TypeCodes.OBJECT ? places(blocks, size) : null);
    return raw == null ? shape : shape.with(raw);
  }

  /** Returns this shape with ffmpi's type, whose bounds become those of this one. */
  private TypeShape with(org.ffmpi.datatype.Datatype<?> type) {
    long bytes = width();
    boolean alike = type.lowerBound() == lb * bytes && type.extent() == extent() * bytes;
    return new TypeShape(name, base, alike ? type : type.resized(lb * bytes, extent() * bytes), size, lb, ub, lbSet,
        ubSet, dense, places);
  }

  private static int[] places(List<Block> blocks, long size) {
    int[] places = new int[fit("elements", size)];
    int n = 0;
    for (Block block : blocks) {
      for (long k = 0; k < block.count() && block.type().isOfObjects(); k++) {
        for (int place : block.type().places) {
          places[n++] = fit("place", block.at() + k * block.type().extent() + place);
        }
      }
    }
    return places;
  }

  /** A bound of a type, from those of its blocks: once one of them is set, only such count. */
  private static final class Bound {
    private final boolean lower;
    private boolean isSet;
    private boolean isKnown;
    private long value;

    Bound(boolean lower) {
      this.lower = lower;
    }

    void add(Block block) {
      TypeShape type = block.type();
      boolean sets = lower ? type.lbSet : type.ubSet;
      if (block.count() == 0 || !sets && (isSet || type.size == 0)) {
        return;
      }
      long first = block.at() + (lower ? type.lb : type.ub);
      long last = first + (block.count() - 1) * type.extent();
      long bound = lower ? Math.min(first, last) : Math.max(first, last);
      value = !isKnown || sets && !isSet ? bound : lower ? Math.min(value, bound) : Math.max(value, bound);
      isKnown = true;
      isSet |= sets;
    }

    long value() {
      return value;
    }
  }
}
