// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.external32;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Raw;

/**
 * The conversion of a scalar to its "external32" form and back (MPI-4.1 §14.5.2): big-endian, two's complement, IEEE,
 * in the standard's widths. Runs of scalars are converted at once; neither side needs to be aligned, and the two do not
 * overlap.
 */
enum Conversion {
  /** Single bytes, which are copied. */
  BYTES(1, 1) {
    @Override
    void toExternal(long src, long dst, long n) {
      Raw.copy(src, dst, n);
    }

    @Override
    void toNative(long src, long dst, long n) {
      Raw.copy(src, dst, n);
    }
  },
  /** Two bytes change places. */
  SWAP2(2, 2) {
    @Override
    void toExternal(long src, long dst, long n) {
      if (n >= BULK) {
        swap(ValueLayout.JAVA_SHORT_UNALIGNED, src, dst, n);
        return;
      }
      for (long end = src + 2 * n; src < end; src += 2, dst += 2) {
        Raw.putShort(dst, Short.reverseBytes(Raw.getShort(src)));
      }
    }

    @Override
    void toNative(long src, long dst, long n) {
      toExternal(src, dst, n);
    }
  },
  /** Four bytes are reversed. */
  SWAP4(4, 4) {
    @Override
    void toExternal(long src, long dst, long n) {
      if (n >= BULK) {
        swap(ValueLayout.JAVA_INT_UNALIGNED, src, dst, n);
        return;
      }
      for (long end = src + 4 * n; src < end; src += 4, dst += 4) {
        Raw.putInt(dst, Integer.reverseBytes(Raw.getInt(src)));
      }
    }

    @Override
    void toNative(long src, long dst, long n) {
      toExternal(src, dst, n);
    }
  },
  /** Eight bytes are reversed. */
  SWAP8(8, 8) {
    @Override
    void toExternal(long src, long dst, long n) {
      if (n >= BULK) {
        swap(ValueLayout.JAVA_LONG_UNALIGNED, src, dst, n);
        return;
      }
      for (long end = src + 8 * n; src < end; src += 8, dst += 8) {
        Raw.putLong(dst, Long.reverseBytes(Raw.getLong(src)));
      }
    }

    @Override
    void toNative(long src, long dst, long n) {
      toExternal(src, dst, n);
    }
  },
  /** Sixteen bytes are reversed: 128-bit integers and quadruple precision. */
  SWAP16(16, 16) {
    @Override
    void toExternal(long src, long dst, long n) {
      for (long end = src + 16 * n; src < end; src += 16, dst += 16) {
        long low = Raw.getLong(src);
        Raw.putLong(dst, Long.reverseBytes(Raw.getLong(src + 8)));
        Raw.putLong(dst + 8, Long.reverseBytes(low));
      }
    }

    @Override
    void toNative(long src, long dst, long n) {
      toExternal(src, dst, n);
    }
  },
  /** C's signed {@code long}: 8 bytes here, 4 there. */
  LONG(8, 4) {
    @Override
    void toExternal(long src, long dst, long n) {
      for (long end = src + 8 * n; src < end; src += 8, dst += 4) {
        long value = Raw.getLong(src);
        if (value != (int) value) {
          throw doesNotFit("MPI_LONG", Long.toString(value), Integer.MIN_VALUE + ".." + Integer.MAX_VALUE);
        }
        Raw.putInt(dst, Integer.reverseBytes((int) value));
      }
    }

    @Override
    void toNative(long src, long dst, long n) {
      for (long end = src + 4 * n; src < end; src += 4, dst += 8) {
        Raw.putLong(dst, Integer.reverseBytes(Raw.getInt(src)));
      }
    }
  },
  /** C's {@code unsigned long}: 8 bytes here, 4 there. */
  UNSIGNED_LONG(8, 4) {
    @Override
    void toExternal(long src, long dst, long n) {
      for (long end = src + 8 * n; src < end; src += 8, dst += 4) {
        long value = Raw.getLong(src);
        if (value >>> 32 != 0) {
          throw doesNotFit("MPI_UNSIGNED_LONG", Long.toUnsignedString(value), "0..4294967295");
        }
        Raw.putInt(dst, Integer.reverseBytes((int) value));
      }
    }

    @Override
    void toNative(long src, long dst, long n) {
      for (long end = src + 4 * n; src < end; src += 4, dst += 8) {
        Raw.putLong(dst, Integer.toUnsignedLong(Integer.reverseBytes(Raw.getInt(src))));
      }
    }
  },
  /** C's {@code wchar_t}: 4 bytes here, 2 there. */
  WCHAR(4, 2) {
    @Override
    void toExternal(long src, long dst, long n) {
      for (long end = src + 4 * n; src < end; src += 4, dst += 2) {
        int value = Raw.getInt(src);
        if (value >>> 16 != 0) {
          throw doesNotFit("MPI_WCHAR", Integer.toUnsignedString(value), "0..65535");
        }
        Raw.putShort(dst, Short.reverseBytes((short) value));
      }
    }

    @Override
    void toNative(long src, long dst, long n) {
      for (long end = src + 2 * n; src < end; src += 2, dst += 4) {
        Raw.putInt(dst, Short.toUnsignedInt(Short.reverseBytes(Raw.getShort(src))));
      }
    }
  },
  /** C's {@code long double} of x86-64, quadruple precision there. */
  LONG_DOUBLE(16, 16) {
    @Override
    void toExternal(long src, long dst, long n) {
      for (long end = src + 16 * n; src < end; src += 16, dst += 16) {
        LongDoubles.toExternal(src, dst);
      }
    }

    @Override
    void toNative(long src, long dst, long n) {
      for (long end = src + 16 * n; src < end; src += 16, dst += 16) {
        LongDoubles.toNative(src, dst);
      }
    }
  };

  /** Scalars from which the JDK's swapping copy is faster than a loop. */
  private static final long BULK = 128;

  private final int width;
  private final int externalWidth;

  Conversion(int width, int externalWidth) {
    this.width = width;
    this.externalWidth = externalWidth;
  }

  /** Returns the bytes of one scalar in a packed stream. */
  int width() {
    return width;
  }

  /** Returns the bytes of one scalar in "external32". */
  int externalWidth() {
    return externalWidth;
  }

  /** Converts {@code n} scalars of a packed stream. Throws ERR_CONVERSION at the first that does not fit. */
  abstract void toExternal(long src, long dst, long n);

  /** Converts {@code n} scalars into a packed stream. */
  abstract void toNative(long src, long dst, long n);

  private static void swap(ValueLayout scalar, long src, long dst, long n) {
    MemorySegment.copy(Raw.EVERYTHING, scalar, src, Raw.EVERYTHING, scalar.withOrder(ByteOrder.BIG_ENDIAN), dst, n);
  }

  private static MpiException doesNotFit(String type, String value, String allowed) {
    return MpiException.argument(ErrorClass.ERR_CONVERSION, type + " in external32", value, allowed);
  }
}
