// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.reduce;

import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.datatype.basic.Element;

/**
 * An operation on single numbers of 4 or 8 bytes, held as the bits of a long. It saves the cost of choosing memory and
 * loop for one element. Gives the same results as {@link ReduceKernel}. Immutable.
 */
public final class WordKernel {
  private enum Representation { INT, UNSIGNED_INT, LONG, UNSIGNED_LONG, FLOAT, DOUBLE }

  private final PredefinedOp op;
  private final Representation representation;
  private final boolean isLong;
  private final int arrayKind;

  private WordKernel(PredefinedOp op, Representation representation, int arrayKind) {
    this.op = op;
    this.representation = representation;
    this.isLong = switch (representation) {
      case LONG, UNSIGNED_LONG, DOUBLE -> true;
      default -> false;
    };
    this.arrayKind = arrayKind;
  }

  /** Returns the kernel of an operation that is defined for an element, or null when there is none such. */
  static WordKernel of(PredefinedOp op, Element element) {
    boolean known = switch (op) {
      case SUM, PROD, MIN, MAX, BAND, BOR, BXOR, REPLACE, NO_OP -> true;
      default -> false;
    };
    return !known ? null : switch (element) {
      case INT32 -> new WordKernel(op, Representation.INT, Memory.INTS);
      case UINT32 -> new WordKernel(op, Representation.UNSIGNED_INT, Memory.INTS);
      case INT64 -> new WordKernel(op, Representation.LONG, Memory.LONGS);
      case UINT64 -> new WordKernel(op, Representation.UNSIGNED_LONG, Memory.LONGS);
      case FLOAT32 -> new WordKernel(op, Representation.FLOAT, Memory.FLOATS);
      case FLOAT64 -> new WordKernel(op, Representation.DOUBLE, Memory.DOUBLES);
      default -> null;
    };
  }

  /**
   * Returns the width of a number.
   *
   * @return 4 or 8
   */
  public int bytes() {
    return isLong ? Long.BYTES : Integer.BYTES;
  }

  /**
   * Returns whether {@link #get(int, Object, long)} and {@link #put(int, Object, long, long)} reach a number.
   *
   * @param kind kind of its memory, a constant of {@link Memory}
   * @param offset where it lies, by the rules of the kind
   * @return true for native memory, and in an array of such numbers
   */
  public boolean reaches(int kind, long offset) {
    return kind == Memory.NATIVE || kind == arrayKind && (offset & bytes() - 1) == 0;
  }

  /**
   * Reads a number that this kernel reaches.
   *
   * @param kind kind of its memory
   * @param owner owner of its memory, which the caller keeps reachable
   * @param offset where it lies
   * @return its bits
   */
  public long get(int kind, Object owner, long offset) {
    return switch (kind) {
      case Memory.NATIVE -> get(offset);
      case Memory.LONGS -> ((long[]) owner)[(int) (offset >> 3)];
      case Memory.DOUBLES -> Double.doubleToRawLongBits(((double[]) owner)[(int) (offset >> 3)]);
      case Memory.INTS -> ((int[]) owner)[(int) (offset >> 2)];
      default -> Float.floatToRawIntBits(((float[]) owner)[(int) (offset >> 2)]);
    };
  }

  /**
   * Writes a number that this kernel reaches.
   *
   * @param kind kind of its memory
   * @param owner owner of its memory, which the caller keeps reachable
   * @param offset where it lies
   * @param bits its bits
   */
  public void put(int kind, Object owner, long offset, long bits) {
    switch (kind) {
      case Memory.NATIVE -> put(offset, bits);
      case Memory.LONGS -> ((long[]) owner)[(int) (offset >> 3)] = bits;
      case Memory.DOUBLES -> ((double[]) owner)[(int) (offset >> 3)] = Double.longBitsToDouble(bits);
      case Memory.INTS -> ((int[]) owner)[(int) (offset >> 2)] = (int) bits;
      default -> ((float[]) owner)[(int) (offset >> 2)] = Float.intBitsToFloat((int) bits);
    }
  }

  /**
   * Reads a number.
   *
   * @param address absolute address
   * @return its bits
   */
  public long get(long address) {
    return isLong ? Raw.getLong(address) : Raw.getInt(address);
  }

  /**
   * Writes a number.
   *
   * @param address absolute address
   * @param bits its bits
   */
  public void put(long address, long bits) {
    if (isLong) {
      Raw.putLong(address, bits);
    } else {
      Raw.putInt(address, (int) bits);
    }
  }

  /**
   * Combines two numbers.
   *
   * @param left bits of the left operand
   * @param right bits of the right operand
   * @return bits of the result
   */
  public long apply(long left, long right) {
    return switch (op) {
      case REPLACE -> left;
      case NO_OP -> right;
      case BAND -> left & right;
      case BOR -> left | right;
      case BXOR -> left ^ right;
      default -> switch (representation) {
        case DOUBLE -> Double.doubleToRawLongBits(
            ofDoubles(Double.longBitsToDouble(left), Double.longBitsToDouble(right)));
        case FLOAT -> Float.floatToRawIntBits(
            ofFloats(Float.intBitsToFloat((int) left), Float.intBitsToFloat((int) right)));
        case UNSIGNED_INT -> (int) ofLongs(left & 0xffff_ffffL, right & 0xffff_ffffL);
        case UNSIGNED_LONG -> ofUnsigned(left, right);
        default -> ofLongs(left, right);
      };
    };
  }

  /** Used for ints, too: the bits above an int are dropped when a result is written. */
  private long ofLongs(long a, long b) {
    return switch (op) {
      case SUM -> a + b;
      case PROD -> a * b;
      case MIN -> Math.min(a, b);
      default -> Math.max(a, b);
    };
  }

  private long ofUnsigned(long a, long b) {
    return switch (op) {
      case MIN -> Long.compareUnsigned(a, b) < 0 ? a : b;
      case MAX -> Long.compareUnsigned(a, b) > 0 ? a : b;
      default -> ofLongs(a, b);
    };
  }

  private double ofDoubles(double a, double b) {
    return switch (op) {
      case SUM -> a + b;
      case PROD -> a * b;
      case MIN -> Math.min(a, b);
      default -> Math.max(a, b);
    };
  }

  private float ofFloats(float a, float b) {
    return switch (op) {
      case SUM -> a + b;
      case PROD -> a * b;
      case MIN -> Math.min(a, b);
      default -> Math.max(a, b);
    };
  }
}
