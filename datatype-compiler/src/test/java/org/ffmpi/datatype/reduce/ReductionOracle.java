// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.reduce;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.random.RandomGenerator;
import org.ffmpi.datatype.basic.Element;

/** Reductions of one element at a time with big numbers and explicit rules, with which kernels are compared. */
final class ReductionOracle {
  private final PredefinedOp op;
  private final Element element;
  private final int stride;

  ReductionOracle(PredefinedOp op, Element element) {
    this.op = op;
    this.element = element;
    this.stride = (int) element.bounds().extent();
  }

  /** Returns {@code inout} after the reduction. */
  byte[] reduce(byte[] in, byte[] inout, int count) {
    ByteBuffer a = wrap(in);
    ByteBuffer b = wrap(inout);
    ByteBuffer r = wrap(inout.clone());
    for (int i = 0; i < count; i++) {
      combine(a, b, r, i * stride);
    }
    return r.array();
  }

  private static ByteBuffer wrap(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
  }

  private void combine(ByteBuffer a, ByteBuffer b, ByteBuffer r, int at) {
    switch (element) {
      case INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64, UINT64, INT128, BOOL, OCTET -> {
        boolean signed = element.name().startsWith("INT");
        BigInteger result = integer(read(a, at, stride, signed), read(b, at, stride, signed));
        for (int i = 0; i < stride; i++) {
          r.put(at + i, result.shiftRight(8 * i).byteValue());
        }
      }
      case FLOAT16 -> r.putShort(at, half(a.getShort(at), b.getShort(at)));
      case FLOAT32 -> r.putFloat(at, single(a.getFloat(at), b.getFloat(at)));
      case FLOAT64 -> r.putDouble(at, real(a.getDouble(at), b.getDouble(at)));
      case COMPLEX_FLOAT16 -> complexHalf(a, b, r, at);
      case COMPLEX_FLOAT32 -> {
        float ar = a.getFloat(at);
        float ai = a.getFloat(at + 4);
        float br = b.getFloat(at);
        float bi = b.getFloat(at + 4);
        r.putFloat(at, op == PredefinedOp.SUM ? ar + br : ar * br - ai * bi);
        r.putFloat(at + 4, op == PredefinedOp.SUM ? ai + bi : ar * bi + ai * br);
      }
      case COMPLEX_FLOAT64 -> {
        double ar = a.getDouble(at);
        double ai = a.getDouble(at + 8);
        double br = b.getDouble(at);
        double bi = b.getDouble(at + 8);
        r.putDouble(at, op == PredefinedOp.SUM ? ar + br : ar * br - ai * bi);
        r.putDouble(at + 8, op == PredefinedOp.SUM ? ai + bi : ar * bi + ai * br);
      }
      case FLOAT32_INT32 -> {
        int who = winner(a.getFloat(at), b.getFloat(at));
        r.putFloat(at, single(a.getFloat(at), b.getFloat(at)));
        r.putInt(at + 4, (int) index(who, a.getInt(at + 4), b.getInt(at + 4)));
      }
      case FLOAT64_INT32 -> {
        int who = winner(a.getDouble(at), b.getDouble(at));
        r.putDouble(at, real(a.getDouble(at), b.getDouble(at)));
        r.putInt(at + 8, (int) index(who, a.getInt(at + 8), b.getInt(at + 8)));
      }
      case INT64_INT32 -> {
        int who = Long.compare(a.getLong(at), b.getLong(at)) * (op == PredefinedOp.MAXLOC ? 1 : -1);
        r.putLong(at, who > 0 ? a.getLong(at) : b.getLong(at));
        r.putInt(at + 8, (int) index(who, a.getInt(at + 8), b.getInt(at + 8)));
      }
      case INT32_INT32 -> {
        int who = winner(a.getInt(at), b.getInt(at));
        r.putInt(at, who > 0 ? a.getInt(at) : b.getInt(at));
        r.putInt(at + 4, (int) index(who, a.getInt(at + 4), b.getInt(at + 4)));
      }
      case INT16_INT32 -> {
        int who = winner(a.getShort(at), b.getShort(at));
        r.putShort(at, who > 0 ? a.getShort(at) : b.getShort(at));
        r.putInt(at + 4, (int) index(who, a.getInt(at + 4), b.getInt(at + 4)));
      }
      case FLOAT32_FLOAT32 -> {
        int who = winner(a.getFloat(at), b.getFloat(at));
        r.putFloat(at, single(a.getFloat(at), b.getFloat(at)));
        r.putFloat(at + 4, (float) index(who, a.getFloat(at + 4), b.getFloat(at + 4)));
      }
      case FLOAT64_FLOAT64 -> {
        int who = winner(a.getDouble(at), b.getDouble(at));
        r.putDouble(at, real(a.getDouble(at), b.getDouble(at)));
        r.putDouble(at + 8, index(who, a.getDouble(at + 8), b.getDouble(at + 8)));
      }
      case LONG_DOUBLE, FLOAT128 -> wide(a, b, r, at);
      case COMPLEX_LONG_DOUBLE, COMPLEX_FLOAT128 -> complexWide(a, b, r, at);
      case LONG_DOUBLE_INT32 -> {
        WideOracle format = WideOracle.of(element);
        WideOracle.Value left = format.read(a, at);
        WideOracle.Value right = format.read(b, at);
        int direction = op == PredefinedOp.MAXLOC ? 1 : -1;
        int who = left.isNaN() || right.isNaN()
            ? Boolean.compare(left.isNaN(), right.isNaN())
            : direction * WideOracle.compare(left, right);
        format.writeResult(r, at, WideOracle.extreme(left, right, direction));
        r.putInt(at + 16, (int) index(who, a.getInt(at + 16), b.getInt(at + 16)));
      }
      default -> throw new AssertionError(element);
    }
  }

  private void wide(ByteBuffer a, ByteBuffer b, ByteBuffer r, int at) {
    WideOracle format = WideOracle.of(element);
    WideOracle.Value left = format.read(a, at);
    WideOracle.Value right = format.read(b, at);
    format.writeResult(r, at, switch (op) {
      case SUM -> format.sum(left, right);
      case PROD -> format.product(left, right);
      case MAX -> WideOracle.extreme(left, right, 1);
      case MIN -> WideOracle.extreme(left, right, -1);
      default -> throw new AssertionError(op);
    });
  }

  private void complexWide(ByteBuffer a, ByteBuffer b, ByteBuffer r, int at) {
    if (op == PredefinedOp.SUM) {
      wide(a, b, r, at);
      wide(a, b, r, at + 16);
      return;
    }
    WideOracle format = WideOracle.of(element);
    WideOracle.Value ar = format.read(a, at);
    WideOracle.Value ai = format.read(a, at + 16);
    WideOracle.Value br = format.read(b, at);
    WideOracle.Value bi = format.read(b, at + 16);
    format.writeResult(r, at, format.sum(format.product(ar, br), format.product(ai, bi).negate()));
    format.writeResult(r, at + 16, format.sum(format.product(ar, bi), format.product(ai, br)));
  }

  private static BigInteger read(ByteBuffer buffer, int at, int width, boolean signed) {
    byte[] bigEndian = new byte[width];
    for (int i = 0; i < width; i++) {
      bigEndian[width - 1 - i] = buffer.get(at + i);
    }
    return signed ? new BigInteger(bigEndian) : new BigInteger(1, bigEndian);
  }

  private BigInteger integer(BigInteger a, BigInteger b) {
    boolean left = a.signum() != 0;
    boolean right = b.signum() != 0;
    return switch (op) {
      case MAX -> a.max(b);
      case MIN -> a.min(b);
      case SUM -> a.add(b);
      case PROD -> a.multiply(b);
      case BAND -> a.and(b);
      case BOR -> a.or(b);
      case BXOR -> a.xor(b);
      case LAND -> left && right ? BigInteger.ONE : BigInteger.ZERO;
      case LOR -> left || right ? BigInteger.ONE : BigInteger.ZERO;
      case LXOR -> left != right ? BigInteger.ONE : BigInteger.ZERO;
      default -> throw new AssertionError(op);
    };
  }

  private double real(double a, double b) {
    return switch (op) {
      case SUM -> a + b;
      case PROD -> a * b;
      default -> {
        if (Double.isNaN(a) || Double.isNaN(b)) {
          yield Double.NaN;
        }
        // Double.compare orders the zeros by sign.
        boolean left = op.name().startsWith("MAX") ? Double.compare(a, b) > 0 : Double.compare(a, b) < 0;
        yield left ? a : b;
      }
    };
  }

  private float single(float a, float b) {
    return switch (op) {
      case SUM -> a + b;
      case PROD -> a * b;
      default -> (float) real(a, b);
    };
  }

  private short half(short left, short right) {
    double a = Float.float16ToFloat(left);
    double b = Float.float16ToFloat(right);
    // Exact in double: sums need at most 41 bits, products 22.
    double exact = real(a, b);
    short guess = Float.floatToFloat16((float) exact);
    if (Double.isNaN(exact) || Double.isInfinite(exact) || exact == 0) {
      return guess;
    }
    short best = guess;
    for (int step : new int[] {-1, 1}) {
      short neighbour = (short) (guess + step);
      if (Float.isFinite(Float.float16ToFloat(neighbour)) && Float.isFinite(Float.float16ToFloat(best))) {
        int closer = distance(neighbour, exact).compareTo(distance(best, exact));
        if (closer < 0 || closer == 0 && (neighbour & 1) == 0) {
          best = neighbour;
        }
      }
    }
    return best;
  }

  private static BigDecimal distance(short half, double exact) {
    return new BigDecimal(Float.float16ToFloat(half)).subtract(new BigDecimal(exact)).abs();
  }

  private void complexHalf(ByteBuffer a, ByteBuffer b, ByteBuffer r, int at) {
    if (op == PredefinedOp.SUM) {
      r.putShort(at, half(a.getShort(at), b.getShort(at)));
      r.putShort(at + 2, half(a.getShort(at + 2), b.getShort(at + 2)));
      return;
    }
    float ar = Float.float16ToFloat(a.getShort(at));
    float ai = Float.float16ToFloat(a.getShort(at + 2));
    float br = Float.float16ToFloat(b.getShort(at));
    float bi = Float.float16ToFloat(b.getShort(at + 2));
    r.putShort(at, Float.floatToFloat16(ar * br - ai * bi));
    r.putShort(at + 2, Float.floatToFloat16(ar * bi + ai * br));
  }

  /** Positive when the left value wins, negative when the right one does, 0 for a tie. */
  private int winner(double a, double b) {
    if (Double.isNaN(a) || Double.isNaN(b)) {
      return Boolean.compare(Double.isNaN(a), Double.isNaN(b));
    }
    int order = a > b ? 1 : a < b ? -1 : 0;
    return op == PredefinedOp.MAXLOC ? order : -order;
  }

  private static double index(int who, double a, double b) {
    return who > 0 ? a : who < 0 ? b : Math.min(a, b);
  }

  /** Returns elements with values that matter: extremes, zeros, NaNs, repeated small numbers, and any bits. */
  byte[] operands(RandomGenerator random, int count) {
    ByteBuffer buffer = wrap(new byte[count * stride]);
    random.nextBytes(buffer.array());
    for (int at = 0; at < count * stride; at += stride) {
      int pick = random.nextInt(12);
      switch (element) {
        case INT8, UINT8, OCTET -> buffer.put(at, (byte) pickLong(random, pick, Byte.MIN_VALUE));
        case BOOL -> buffer.put(at, (byte) random.nextInt(2));
        case INT16, UINT16 -> buffer.putShort(at, (short) pickLong(random, pick, Short.MIN_VALUE));
        case INT32, UINT32 -> buffer.putInt(at, (int) pickLong(random, pick, Integer.MIN_VALUE));
        case INT64, UINT64 -> buffer.putLong(at, pickLong(random, pick, Long.MIN_VALUE));
        case INT128 ->
            buffer.putLong(at, pickLong(random, pick, Long.MIN_VALUE))
                .putLong(at + 8, pickLong(random, random.nextInt(12), Long.MIN_VALUE));
        case FLOAT16 -> buffer.putShort(at, pickHalf(random));
        case COMPLEX_FLOAT16 -> buffer.putShort(at, pickHalf(random)).putShort(at + 2, pickHalf(random));
        case FLOAT32 -> buffer.putFloat(at, pickFloat(random));
        case COMPLEX_FLOAT32 -> buffer.putFloat(at, pickFloat(random)).putFloat(at + 4, pickFloat(random));
        case FLOAT64 -> buffer.putDouble(at, pickDouble(random));
        case COMPLEX_FLOAT64 -> buffer.putDouble(at, pickDouble(random)).putDouble(at + 8, pickDouble(random));
        case FLOAT32_INT32 -> buffer.putFloat(at, pickFloat(random)).putInt(at + 4, random.nextInt(-2, 3));
        case FLOAT64_INT32 -> buffer.putDouble(at, pickDouble(random)).putInt(at + 8, random.nextInt(-2, 3));
        case INT64_INT32 ->
            buffer.putLong(at, pickLong(random, pick, Long.MIN_VALUE)).putInt(at + 8, random.nextInt(3));
        case INT32_INT32 -> buffer.putInt(at, (int) pickLong(random, pick, Integer.MIN_VALUE));
        case INT16_INT32 -> buffer.putShort(at, (short) pickLong(random, pick, Short.MIN_VALUE));
        case FLOAT32_FLOAT32 -> buffer.putFloat(at, pickFloat(random)).putFloat(at + 4, random.nextInt(5));
        case FLOAT64_FLOAT64 -> buffer.putDouble(at, pickDouble(random)).putDouble(at + 8, random.nextInt(5));
        case LONG_DOUBLE, FLOAT128 -> WideOracle.of(element).pick(random, buffer, at);
        case COMPLEX_LONG_DOUBLE, COMPLEX_FLOAT128 -> {
          WideOracle.of(element).pick(random, buffer, at);
          WideOracle.of(element).pick(random, buffer, at + 16);
        }
        case LONG_DOUBLE_INT32 -> {
          WideOracle.of(element).pick(random, buffer, at);
          buffer.putInt(at + 16, random.nextInt(-2, 3));
        }
        default -> throw new AssertionError(element);
      }
    }
    return buffer.array();
  }

  private static long pickLong(RandomGenerator random, int pick, long smallest) {
    return switch (pick) {
      case 0 -> 0;
      case 1 -> -1;
      case 2 -> smallest;
      case 3 -> ~smallest;
      case 4, 5, 6 -> random.nextInt(-2, 3);
      default -> random.nextLong();
    };
  }

  private static double pickDouble(RandomGenerator random) {
    return switch (random.nextInt(14)) {
      case 0 -> 0.0;
      case 1 -> -0.0;
      case 2 -> Double.NaN;
      case 3 -> Double.POSITIVE_INFINITY;
      case 4 -> Double.NEGATIVE_INFINITY;
      case 5 -> Double.MIN_VALUE;
      case 6 -> -Double.MAX_VALUE;
      case 7, 8 -> random.nextInt(-2, 3);
      default -> random.nextDouble(-10, 10);
    };
  }

  private static float pickFloat(RandomGenerator random) {
    return random.nextInt(10) == 0 ? -Float.MAX_VALUE : (float) pickDouble(random);
  }

  private static short pickHalf(RandomGenerator random) {
    return random.nextBoolean() ? (short) random.nextInt() : Float.floatToFloat16(pickFloat(random));
  }

  /** Makes all NaNs equal, since the processor is free to choose which one an operation yields. */
  byte[] withOneNaN(byte[] elements, int count) {
    ByteBuffer buffer = wrap(elements.clone());
    for (int i = 0; i < count; i++) {
      int at = i * stride;
      switch (element) {
        case FLOAT16 -> oneHalfNaN(buffer, at);
        case COMPLEX_FLOAT16 -> {
          oneHalfNaN(buffer, at);
          oneHalfNaN(buffer, at + 2);
        }
        case FLOAT32, FLOAT32_INT32 -> oneFloatNaN(buffer, at);
        case COMPLEX_FLOAT32, FLOAT32_FLOAT32 -> {
          oneFloatNaN(buffer, at);
          oneFloatNaN(buffer, at + 4);
        }
        case FLOAT64, FLOAT64_INT32 -> oneDoubleNaN(buffer, at);
        case COMPLEX_FLOAT64, FLOAT64_FLOAT64 -> {
          oneDoubleNaN(buffer, at);
          oneDoubleNaN(buffer, at + 8);
        }
        case LONG_DOUBLE, FLOAT128, LONG_DOUBLE_INT32 -> WideOracle.of(element).canonical(buffer, at);
        case COMPLEX_LONG_DOUBLE, COMPLEX_FLOAT128 -> {
          WideOracle.of(element).canonical(buffer, at);
          WideOracle.of(element).canonical(buffer, at + 16);
        }
        default -> { }
      }
    }
    return buffer.array();
  }

  private static void oneHalfNaN(ByteBuffer buffer, int at) {
    if (Float.isNaN(Float.float16ToFloat(buffer.getShort(at)))) {
      buffer.putShort(at, Float.floatToFloat16(Float.NaN));
    }
  }

  private static void oneFloatNaN(ByteBuffer buffer, int at) {
    if (Float.isNaN(buffer.getFloat(at))) {
      buffer.putFloat(at, Float.NaN);
    }
  }

  private static void oneDoubleNaN(ByteBuffer buffer, int at) {
    if (Double.isNaN(buffer.getDouble(at))) {
      buffer.putDouble(at, Double.NaN);
    }
  }
}
