// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.carrier;

import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_CHAR_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import org.ffmpi.datatype.basic.Element;

/** The carriers of elements that are one primitive value, at any alignment. Each has its own class, so that
 * calls inline. */
public final class BasicCarriers {
  private static final Carrier<Byte> BYTE = new Carrier<>() {
    @Override
    public Byte read(MemorySegment segment, long offset) {
      return segment.get(JAVA_BYTE, offset);
    }

    @Override
    public void write(MemorySegment segment, long offset, Byte value) {
      segment.set(JAVA_BYTE, offset, value);
    }
  };

  private static final Carrier<Boolean> BOOLEAN = new Carrier<>() {
    @Override
    public Boolean read(MemorySegment segment, long offset) {
      return segment.get(JAVA_BOOLEAN, offset);
    }

    @Override
    public void write(MemorySegment segment, long offset, Boolean value) {
      segment.set(JAVA_BOOLEAN, offset, value);
    }
  };

  private static final Carrier<Character> CHARACTER = new Carrier<>() {
    @Override
    public Character read(MemorySegment segment, long offset) {
      return segment.get(JAVA_CHAR_UNALIGNED, offset);
    }

    @Override
    public void write(MemorySegment segment, long offset, Character value) {
      segment.set(JAVA_CHAR_UNALIGNED, offset, value);
    }
  };

  private static final Carrier<Short> SHORT = new Carrier<>() {
    @Override
    public Short read(MemorySegment segment, long offset) {
      return segment.get(JAVA_SHORT_UNALIGNED, offset);
    }

    @Override
    public void write(MemorySegment segment, long offset, Short value) {
      segment.set(JAVA_SHORT_UNALIGNED, offset, value);
    }
  };

  private static final Carrier<Integer> INTEGER = new Carrier<>() {
    @Override
    public Integer read(MemorySegment segment, long offset) {
      return segment.get(JAVA_INT_UNALIGNED, offset);
    }

    @Override
    public void write(MemorySegment segment, long offset, Integer value) {
      segment.set(JAVA_INT_UNALIGNED, offset, value);
    }
  };

  private static final Carrier<Long> LONG = new Carrier<>() {
    @Override
    public Long read(MemorySegment segment, long offset) {
      return segment.get(JAVA_LONG_UNALIGNED, offset);
    }

    @Override
    public void write(MemorySegment segment, long offset, Long value) {
      segment.set(JAVA_LONG_UNALIGNED, offset, value);
    }
  };

  private static final Carrier<Float> FLOAT = new Carrier<>() {
    @Override
    public Float read(MemorySegment segment, long offset) {
      return segment.get(JAVA_FLOAT_UNALIGNED, offset);
    }

    @Override
    public void write(MemorySegment segment, long offset, Float value) {
      segment.set(JAVA_FLOAT_UNALIGNED, offset, value);
    }
  };

  private static final Carrier<Double> DOUBLE = new Carrier<>() {
    @Override
    public Double read(MemorySegment segment, long offset) {
      return segment.get(JAVA_DOUBLE_UNALIGNED, offset);
    }

    @Override
    public void write(MemorySegment segment, long offset, Double value) {
      segment.set(JAVA_DOUBLE_UNALIGNED, offset, value);
    }
  };

  private BasicCarriers() {}

  /**
   * Returns the carrier of a representation.
   *
   * @return null where no primitive type has this form
   */
  public static Carrier<?> of(Element element) {
    Class<?> box = element.box();
    if (box == Double.class) {
      return DOUBLE;
    } else if (box == Float.class) {
      return FLOAT;
    } else if (box == Long.class) {
      return LONG;
    } else if (box == Integer.class) {
      return INTEGER;
    } else if (box == Short.class) {
      return SHORT;
    } else if (box == Character.class) {
      return CHARACTER;
    } else if (box == Byte.class) {
      return BYTE;
    } else if (box == Boolean.class) {
      return BOOLEAN;
    }
    return null;
  }
}
