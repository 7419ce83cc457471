// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.basic;

import java.util.List;
import java.util.Optional;

/**
 * The representations of elements of predefined types in memory: width, alignment, parts, and the Java arrays that hold
 * such elements. Several predefined types share a representation ({@code MPI_INT}, {@code MPI_INTEGER} and {@code
 * MPI_INT32_T} are all {@link #INT32}); kernels are chosen by it.
 *
 * <p>All representations are those of the platform's C compiler: little-endian LP64, {@code long double} in 16 bytes.
 */
public enum Element {
  /** Eight uninterpreted bits, which lie in any Java array, counted in bytes. */
  OCTET(Byte.class, List.of(byte[].class), 1),
  /** Signed 8-bit integer. */
  INT8(Byte.class, List.of(byte[].class), 1),
  /** Unsigned 8-bit integer. */
  UINT8(Byte.class, List.of(byte[].class), 1),
  /** Signed 16-bit integer. */
  INT16(Short.class, List.of(short[].class, char[].class), 2),
  /** Unsigned 16-bit integer, Java's {@code char}. */
  UINT16(Character.class, List.of(char[].class, short[].class), 2),
  /** Signed 32-bit integer. */
  INT32(Integer.class, List.of(int[].class), 4),
  /** Unsigned 32-bit integer. */
  UINT32(Integer.class, List.of(int[].class), 4),
  /** Signed 64-bit integer. */
  INT64(Long.class, List.of(long[].class), 8),
  /** Unsigned 64-bit integer. */
  UINT64(Long.class, List.of(long[].class), 8),
  /** Signed 128-bit integer, its low 64 bits first. */
  INT128(Object.class, List.of(long[].class), 16),
  /** One byte, 0 or 1. */
  BOOL(Boolean.class, List.of(boolean[].class), 1),
  /** IEEE half precision, held in a {@code short} as {@link Float#float16ToFloat} reads it. */
  FLOAT16(Short.class, List.of(short[].class), 2),
  /** IEEE single precision. */
  FLOAT32(Float.class, List.of(float[].class), 4),
  /** IEEE double precision. */
  FLOAT64(Double.class, List.of(double[].class), 8),
  /** C's {@code long double}, see {@link LongDoubleForm}; Java has no type for it. */
  LONG_DOUBLE(Object.class, List.of(), 16),
  /** IEEE quadruple precision; Java has no type for it. */
  FLOAT128(Object.class, List.of(), 16),
  /** Complex number of two {@link #FLOAT16}. */
  COMPLEX_FLOAT16(short[].class, FLOAT16),
  /** Complex number of two {@link #FLOAT32}. */
  COMPLEX_FLOAT32(float[].class, FLOAT32),
  /** Complex number of two {@link #FLOAT64}. */
  COMPLEX_FLOAT64(double[].class, FLOAT64),
  /** Complex number of two {@link #LONG_DOUBLE}. */
  COMPLEX_LONG_DOUBLE(null, LONG_DOUBLE),
  /** Complex number of two {@link #FLOAT128}. */
  COMPLEX_FLOAT128(null, FLOAT128),
  /** A {@link #FLOAT32} value and its {@link #INT32} index. */
  FLOAT32_INT32(null, FLOAT32, INT32),
  /** A {@link #FLOAT64} value and its {@link #INT32} index, then 4 bytes of padding. */
  FLOAT64_INT32(null, FLOAT64, INT32),
  /** An {@link #INT64} value and its {@link #INT32} index, then 4 bytes of padding. */
  INT64_INT32(null, INT64, INT32),
  /** An {@link #INT32} value and its {@link #INT32} index. */
  INT32_INT32(int[].class, INT32, INT32),
  /** An {@link #INT16} value, 2 bytes of padding, then its {@link #INT32} index. */
  INT16_INT32(null, INT16, INT32),
  /** A {@link #LONG_DOUBLE} value and its {@link #INT32} index, then 12 bytes of padding. */
  LONG_DOUBLE_INT32(null, LONG_DOUBLE, INT32),
  /** A {@link #FLOAT32} value and its index as {@link #FLOAT32}. */
  FLOAT32_FLOAT32(float[].class, FLOAT32, FLOAT32),
  /** A {@link #FLOAT64} value and its index as {@link #FLOAT64}. */
  FLOAT64_FLOAT64(double[].class, FLOAT64, FLOAT64);

  private final Class<?> box;
  private final List<Class<?>> arrays;
  private final int alignment;
  private final List<Part> parts;
  private final Bounds bounds;

  /** One scalar, aligned to its width. */
  Element(Class<?> box, List<Class<?>> arrays, int width) {
    this.box = box;
    this.arrays = arrays;
    this.alignment = width;
    this.parts = List.of(new Part(0, width));
    this.bounds = new Bounds(width, 0, width, 0, width, width, false);
  }

  /** A complex number: two scalars which MPI counts as one element. */
  Element(Class<?> array, Element scalar) {
    int width = 2 * (int) scalar.bounds.size();
    this.box = Object.class;
    this.arrays = array == null ? List.of() : List.of(array);
    this.alignment = scalar.alignment;
    this.parts = List.of(new Part(0, width));
    this.bounds = new Bounds(width, 0, width, 0, width, alignment, false);
  }

  /** A C struct of value and index. */
  Element(Class<?> array, Element value, Element index) {
    this.box = Object.class;
    this.arrays = array == null ? List.of() : List.of(array);
    this.alignment = Math.max(value.alignment, index.alignment);
    long valueSize = value.bounds.size();
    long indexAt = roundUp(valueSize, index.alignment);
    long end = indexAt + index.bounds.size();
    this.parts = List.of(new Part(0, valueSize), new Part(indexAt, index.bounds.size()));
    this.bounds = new Bounds(valueSize + index.bounds.size(), 0, roundUp(end, alignment), 0, end, alignment, false);
  }

  private static long roundUp(long bytes, int alignment) {
    return (bytes + alignment - 1) / alignment * alignment;
  }

  /**
   * A run of bytes inside an element that MPI counts as one basic element: the whole of a scalar or complex number, the
   * value and the index of a pair.
   *
   * @param displacement bytes from the start of the element
   * @param size bytes
   */
  public record Part(long displacement, long size) {}

  /**
   * Returns the parts in typemap order.
   *
   * @return one part, or value and index of a pair
   */
  public List<Part> parts() {
    return parts;
  }

  /**
   * Returns size, extent and the other derived numbers.
   *
   * @return the bounds of one element
   */
  public Bounds bounds() {
    return bounds;
  }

  /**
   * Returns the alignment the platform's C compiler gives such an element.
   *
   * @return a power of two, in bytes
   */
  public int alignment() {
    return alignment;
  }

  /**
   * Returns the class whose instances stand for one element in Java.
   *
   * @return the box of a primitive type, or {@code Object} where no primitive type has this form
   */
  public Class<?> box() {
    return box;
  }

  /**
   * Returns the Java array such elements naturally lie in.
   *
   * @return an array class of a primitive type; empty when only {@code byte[]} can hold the representation
   */
  public Optional<Class<?>> arrayClass() {
    return arrays.isEmpty() ? Optional.empty() : Optional.of(arrays.getFirst());
  }

  /**
   * Returns whether elements may lie in arrays of a class: the natural one, one of the same width (a {@code short[]}
   * for an unsigned 16-bit type), and {@code byte[]} always. {@link #OCTET} accepts every primitive array.
   *
   * @param arrayClass an array class of a primitive type
   * @return true when a buffer of that class may be used with this representation
   */
  public boolean acceptsArray(Class<?> arrayClass) {
    return arrayClass == byte[].class
        || arrays.contains(arrayClass)
        || (this == OCTET && arrayClass.isArray() && arrayClass.getComponentType().isPrimitive());
  }
}
