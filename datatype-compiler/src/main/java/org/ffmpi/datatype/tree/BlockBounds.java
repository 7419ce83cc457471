// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.tree;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.basic.Bounds;
import org.ffmpi.datatype.basic.Longs;
import org.ffmpi.datatype.basic.TypeArguments;

/** Bounds of types that hold blocks of one old type. */
final class BlockBounds {
  private BlockBounds() {}

  /** Blocks at equal distances; {@code unit} is the unit of {@code stride}, in bytes. */
  static Bounds strided(long count, long blocklength, long stride, long unit, Bounds part) {
    BoundsSum sum = new BoundsSum();
    String larger = blocklength > count ? "blocklength" : "count";
    long copies = product(larger, Math.max(count, blocklength), Math.min(count, blocklength));
    size(sum, part, larger, Math.max(count, blocklength), copies);
    if (copies == 0) {
      return sum.toBounds();
    }
    long acrossBlock;
    try {
      acrossBlock = Math.multiplyExact(blocklength - 1, part.extent());
    } catch (ArithmeticException e) {
      throw TypeArguments.tooMany("blocklength", blocklength);
    }
    try {
      long acrossBlocks = count == 1 ? 0 : Math.multiplyExact(count - 1, Math.multiplyExact(stride, unit));
      sum.addSpan(
          part,
          Math.addExact(Math.min(0, acrossBlock), Math.min(0, acrossBlocks)),
          Math.addExact(Math.max(0, acrossBlock), Math.max(0, acrossBlocks)));
      return sum.toBounds();
    } catch (ArithmeticException e) {
      throw TypeArguments.tooFar("stride", stride);
    }
  }

  /** Blocks of different length; {@code unit} is the unit of {@code displacements}, in bytes. */
  static Bounds scattered(Longs blocklengths, Longs displacements, long unit, Bounds part) {
    BoundsSum sum = new BoundsSum();
    int i = 0;
    try {
      for (; i < blocklengths.length(); i++) {
        sum.addSize(part, blocklengths.get(i));
      }
    } catch (ArithmeticException e) {
      throw TypeArguments.tooMany("blocklengths[" + i + "]", blocklengths.get(i));
    }
    i = 0;
    try {
      for (; i < blocklengths.length(); i++) {
        if (blocklengths.get(i) > 0) {
          sum.addBlock(part, Math.multiplyExact(displacements.get(i), unit), blocklengths.get(i));
        }
      }
    } catch (ArithmeticException e) {
      throw TypeArguments.tooFar("displacements[" + i + "]", displacements.get(i));
    }
    return finish(sum);
  }

  /** Blocks of one length; {@code unit} is the unit of {@code displacements}, in bytes. */
  static Bounds scattered(long blocklength, Longs displacements, long unit, Bounds part) {
    BoundsSum sum = new BoundsSum();
    long copies = product("blocklength", blocklength, displacements.length());
    size(sum, part, "blocklength", blocklength, copies);
    if (copies == 0) {
      return sum.toBounds();
    }
    int i = 0;
    try {
      for (; i < displacements.length(); i++) {
        sum.addBlock(part, Math.multiplyExact(displacements.get(i), unit), blocklength);
      }
    } catch (ArithmeticException e) {
      throw TypeArguments.tooFar("displacements[" + i + "]", displacements.get(i));
    }
    return finish(sum);
  }

  private static Bounds finish(BoundsSum sum) {
    try {
      return sum.toBounds();
    } catch (ArithmeticException e) {
      throw spread(e);
    }
  }

  /** Returns the exception for displacements of which the lowest and the highest lie too far apart. */
  static MpiException spread(ArithmeticException cause) {
    return new MpiException(
        ErrorClass.ERR_ARG,
        "displacements lie too far apart: allowed are distances so that every bound and the extent of the type fit in"
            + " 63 bits",
        cause);
  }

  private static void size(BoundsSum sum, Bounds part, String name, long value, long copies) {
    try {
      sum.addSize(part, copies);
    } catch (ArithmeticException e) {
      throw TypeArguments.tooMany(name, value);
    }
  }

  private static long product(String name, long value, long factor) {
    try {
      return Math.multiplyExact(value, factor);
    } catch (ArithmeticException e) {
      throw TypeArguments.tooMany(name, value);
    }
  }
}
