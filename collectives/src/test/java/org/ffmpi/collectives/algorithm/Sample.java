// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.ffmpi.Buf;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.datatype.basic.Element;
import org.ffmpi.datatype.basic.LongDoubleForm;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.tree.TypeTree;

/**
 * A buffer of some elements in memory of a random kind, with random data around it that nothing may touch, and the way
 * to write and read its packed stream.
 */
public final class Sample {
  /** Bytes of a {@code long double} and of a number of quadruple precision. */
  private static final int WIDE = 16;

  private static final int KINDS = 6;

  private final Buf<?> buf;
  private final MemorySegment all;
  private final long start;
  private final long span;
  private final byte[] around;

  /** Makes a buffer in the calling thread, which alone may use it if it turns out to be confined. */
  public Sample(Datatype<?> type, long count, Random random) {
    this(type, count, random, random.nextInt(KINDS));
  }

  public Sample(Datatype<?> type, long count, Random random, int kind) {
    span = count == 0 ? 0 : (count - 1) * type.extent() + type.trueExtent();
    long margin = 16;
    long bytes = span + 2 * margin;
    start = margin + (kind == 5 ? random.nextInt(8) - 4 : 0); // byte arrays may be unaligned
    all = switch (kind) {
      case 0 -> Arena.ofAuto().allocate(bytes, 16);
      case 1 -> Arena.ofConfined().allocate(bytes, 16);
      case 2 -> Arena.ofShared().allocate(bytes, 16);
      case 3 -> ownArray(element(type), bytes);
      case 4 -> MemorySegment.ofArray(new double[(int) (bytes + 7) / 8]);
      default -> MemorySegment.ofArray(new byte[(int) bytes]);
    };
    for (long i = 0; i < all.byteSize(); i++) {
      all.set(ValueLayout.JAVA_BYTE, i, (byte) random.nextInt());
    }
    around = all.toArray(ValueLayout.JAVA_BYTE);
    buf = Buf.of(all.asSlice(start), count, type);
  }

  private static MemorySegment ownArray(Element element, long bytes) {
    String name = element.name();
    int n = (int) (bytes + 7) / 8;
    if (name.contains("FLOAT64")) {
      return MemorySegment.ofArray(new double[n]);
    } else if (name.contains("FLOAT32")) {
      return MemorySegment.ofArray(new float[2 * n]);
    } else if (name.contains("64")) {
      return MemorySegment.ofArray(new long[n]);
    } else if (name.contains("32")) {
      return MemorySegment.ofArray(new int[2 * n]);
    } else if (name.equals("UINT16")) {
      return MemorySegment.ofArray(new char[4 * n]);
    } else if (name.contains("16")) {
      return MemorySegment.ofArray(new short[4 * n]);
    }
    return MemorySegment.ofArray(new byte[8 * n]);
  }

  static Element element(Datatype<?> type) {
    return ((TypeTree.Named) TypeHandle.of(type).tree()).basic().element();
  }

  public Buf<?> buf() {
    return buf;
  }

  boolean isConfined() {
    return BufImpl.of(buf).memoryKind() == Memory.CONFINED;
  }

  /** Writes the packed stream. */
  public void write(byte[] stream) {
    MemorySegment copy = Arena.ofAuto().allocate(Math.max(1, stream.length));
    MemorySegment.copy(stream, 0, copy, ValueLayout.JAVA_BYTE, 0, stream.length);
    BufImpl.of(buf).plan().unpack(Raw.address(copy), BufImpl.of(buf).memoryKind(), BufImpl.of(buf).memoryOwner(),
        BufImpl.of(buf).memoryOffset(), buf.count(), 0,
        stream.length);
  }

  /** Reads the packed stream. */
  public byte[] read() {
    int bytes = (int) BufImpl.of(buf).plan().packedBytes(buf.count());
    MemorySegment copy = Arena.ofAuto().allocate(Math.max(1, bytes));
    BufImpl.of(buf).plan().pack(BufImpl.of(buf).memoryKind(), BufImpl.of(buf).memoryOwner(),
        BufImpl.of(buf).memoryOffset(), buf.count(), 0, bytes, Raw.address(copy));
    return copy.asSlice(0, bytes).toArray(ValueLayout.JAVA_BYTE);
  }

  /** Throws when something beside the buffer has changed. */
  public void checkMargins() {
    for (long i = 0; i < all.byteSize(); i++) {
      boolean inside = i >= start && i < start + span;
      if (!inside && all.get(ValueLayout.JAVA_BYTE, i) != around[(int) i]) {
        throw new AssertionError("byte " + i + " changed, outside " + start + "+" + span + " of " + buf);
      }
    }
  }

  /**
   * Makes the packed stream of elements whose sums are exact in any order: random bits for integers, small whole
   * numbers for floating point.
   */
  public static byte[] stream(Datatype<?> type, long count, Random random) {
    int size = (int) type.size();
    byte[] stream = new byte[(int) (count * size)];
    random.nextBytes(stream);
    MemorySegment at = MemorySegment.ofArray(stream);
    String name = element(type).name();
    for (long i = 0; i < count * size; i += size) {
      if (name.contains("FLOAT16")) {
        for (long j = i; j < i + size; j += 2) {
          at.set(ValueLayout.JAVA_SHORT_UNALIGNED, j, Float.floatToFloat16(small(random)));
        }
      } else if (name.contains("FLOAT32")) {
        for (long j = i; j < i + (name.endsWith("INT32") ? 4 : size); j += 4) {
          at.set(ValueLayout.JAVA_FLOAT_UNALIGNED, j, small(random));
        }
      } else if (name.contains("FLOAT64")) {
        for (long j = i; j < i + (name.endsWith("INT32") ? 8 : size); j += 8) {
          at.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, j, small(random));
        }
      } else if (name.contains("LONG_DOUBLE") || name.contains("FLOAT128")) {
        boolean quadruple = LongDoubleForm.IS_QUADRUPLE || name.contains("FLOAT128");
        for (long j = i; j + WIDE <= i + size; j += WIDE) {
          setWide(at, j, small(random), quadruple);
        }
      } else if (name.equals("INT16_INT32")) {
        at.set(ValueLayout.JAVA_SHORT_UNALIGNED, i, (short) random.nextInt(4)); // ties
      }
    }
    return stream;
  }

  /** Stores a small whole number in one of the formats that take 16 bytes, its padding 0. */
  private static void setWide(MemorySegment at, long offset, double value, boolean quadruple) {
    long bits = Double.doubleToRawLongBits(value);
    long fraction = bits & (1L << 52) - 1;
    long exponent = value == 0 ? 0 : Math.getExponent(value) + 16_383;
    long sign = bits >>> 63;
    long low = quadruple ? 0 : value == 0 ? 0 : 1L << 63 | fraction << 11;
    long high = quadruple ? sign << 63 | exponent << 48 | fraction >>> 4 : sign << 15 | exponent;
    at.set(ValueLayout.JAVA_LONG_UNALIGNED, offset, low);
    at.set(ValueLayout.JAVA_LONG_UNALIGNED, offset + 8, high);
  }

  private static float small(Random random) {
    return random.nextInt(17) - 8;
  }
}
