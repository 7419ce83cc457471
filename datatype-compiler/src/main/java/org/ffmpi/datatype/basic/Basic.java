// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.basic;

/**
 * The distinct predefined types of MPI-4.1 §3.2.2 and §6.9.4, without synonyms. Most have the name of the constant of
 * {@code Datatype}; the four pairs whose MPI names begin with a digit begin with {@code TWO_}.
 */
public enum Basic {
  /** C {@code char}, a printable character. */
  CHAR(Element.INT8, ReductionGroup.NONE, 1, 0x243),
  /** C {@code signed char}, an integer. */
  SIGNED_CHAR(Element.INT8, ReductionGroup.C_INTEGER, 1, 0x244),
  /** C {@code unsigned char}, an integer. */
  UNSIGNED_CHAR(Element.UINT8, ReductionGroup.C_INTEGER, 1, 0x245),
  /** C {@code short}. */
  SHORT(Element.INT16, ReductionGroup.C_INTEGER, 2, 0x208),
  /** C {@code unsigned short}. */
  UNSIGNED_SHORT(Element.UINT16, ReductionGroup.C_INTEGER, 2, 0x20c),
  /** C {@code int}. */
  INT(Element.INT32, ReductionGroup.C_INTEGER, 4, 0x209),
  /** C {@code unsigned int}. */
  UNSIGNED(Element.UINT32, ReductionGroup.C_INTEGER, 4, 0x20d),
  /** C {@code long}, 64 bits. */
  LONG(Element.INT64, ReductionGroup.C_INTEGER, 4, 0x20a),
  /** C {@code unsigned long}, 64 bits. */
  UNSIGNED_LONG(Element.UINT64, ReductionGroup.C_INTEGER, 4, 0x20e),
  /** C {@code long long}. */
  LONG_LONG_INT(Element.INT64, ReductionGroup.C_INTEGER, 8, 0x20b),
  /** C {@code unsigned long long}. */
  UNSIGNED_LONG_LONG(Element.UINT64, ReductionGroup.C_INTEGER, 8, 0x20f),
  /** C {@code float}. */
  FLOAT(Element.FLOAT32, ReductionGroup.FLOATING_POINT, 4, 0x210),
  /** C {@code double}. */
  DOUBLE(Element.FLOAT64, ReductionGroup.FLOATING_POINT, 8, 0x214),
  /** C {@code long double}, 16 bytes. */
  LONG_DOUBLE(Element.LONG_DOUBLE, ReductionGroup.FLOATING_POINT, 16, 0x220),
  /** C {@code wchar_t}, a code point of 4 bytes. */
  WCHAR(Element.INT32, ReductionGroup.NONE, 2, 0x23c),
  /** C {@code _Bool}. */
  C_BOOL(Element.BOOL, ReductionGroup.LOGICAL, 1, 0x238),
  /** C {@code int8_t}. */
  INT8_T(Element.INT8, ReductionGroup.C_INTEGER, 1, 0x240),
  /** C {@code uint8_t}. */
  UINT8_T(Element.UINT8, ReductionGroup.C_INTEGER, 1, 0x241),
  /** C {@code int16_t}. */
  INT16_T(Element.INT16, ReductionGroup.C_INTEGER, 2, 0x248),
  /** C {@code uint16_t}. */
  UINT16_T(Element.UINT16, ReductionGroup.C_INTEGER, 2, 0x249),
  /** C {@code int32_t}. */
  INT32_T(Element.INT32, ReductionGroup.C_INTEGER, 4, 0x250),
  /** C {@code uint32_t}. */
  UINT32_T(Element.UINT32, ReductionGroup.C_INTEGER, 4, 0x251),
  /** C {@code int64_t}. */
  INT64_T(Element.INT64, ReductionGroup.C_INTEGER, 8, 0x258),
  /** C {@code uint64_t}. */
  UINT64_T(Element.UINT64, ReductionGroup.C_INTEGER, 8, 0x259),
  /** C {@code float _Complex}. */
  C_COMPLEX(Element.COMPLEX_FLOAT32, ReductionGroup.COMPLEX, 8, 0x212),
  /** C {@code double _Complex}. */
  C_DOUBLE_COMPLEX(Element.COMPLEX_FLOAT64, ReductionGroup.COMPLEX, 16, 0x216),
  /** C {@code long double _Complex}. */
  C_LONG_DOUBLE_COMPLEX(Element.COMPLEX_LONG_DOUBLE, ReductionGroup.COMPLEX, 32, 0x224),
  /** Eight uninterpreted bits. */
  BYTE(Element.OCTET, ReductionGroup.BYTE, 1, 0x247),
  /** A byte of packed data; matches any type at the other side. */
  PACKED(Element.OCTET, ReductionGroup.NONE, 1, 0x207),
  /** An address or a difference of addresses. */
  AINT(Element.INT64, ReductionGroup.MULTI_LANGUAGE, 8, 0x201),
  /** A count of elements. */
  COUNT(Element.INT64, ReductionGroup.MULTI_LANGUAGE, 8, 0x202),
  /** An offset in a file. */
  OFFSET(Element.INT64, ReductionGroup.MULTI_LANGUAGE, 8, 0x203),
  /** Fortran {@code INTEGER}. */
  INTEGER(Element.INT32, ReductionGroup.FORTRAN_INTEGER, 4, 0x219),
  /** Fortran {@code REAL}. */
  REAL(Element.FLOAT32, ReductionGroup.FLOATING_POINT, 4, 0x21a),
  /** Fortran {@code DOUBLE PRECISION}. */
  DOUBLE_PRECISION(Element.FLOAT64, ReductionGroup.FLOATING_POINT, 8, 0x21c),
  /** Fortran {@code COMPLEX}. */
  COMPLEX(Element.COMPLEX_FLOAT32, ReductionGroup.COMPLEX, 8, 0x21b),
  /** Fortran {@code LOGICAL}, an integer of 0 or 1. */
  LOGICAL(Element.INT32, ReductionGroup.LOGICAL, 4, 0x218),
  /** Fortran {@code CHARACTER(1)}. */
  CHARACTER(Element.INT8, ReductionGroup.NONE, 1, 0x21e),
  /** C++ {@code bool}. */
  CXX_BOOL(Element.BOOL, ReductionGroup.LOGICAL, 1, 0x239),
  /** C++ {@code std::complex<float>}. */
  CXX_FLOAT_COMPLEX(Element.COMPLEX_FLOAT32, ReductionGroup.COMPLEX, 8, 0x213),
  /** C++ {@code std::complex<double>}. */
  CXX_DOUBLE_COMPLEX(Element.COMPLEX_FLOAT64, ReductionGroup.COMPLEX, 16, 0x217),
  /** C++ {@code std::complex<long double>}. */
  CXX_LONG_DOUBLE_COMPLEX(Element.COMPLEX_LONG_DOUBLE, ReductionGroup.COMPLEX, 32, 0x225),
  /** Fortran {@code DOUBLE COMPLEX}. */
  DOUBLE_COMPLEX(Element.COMPLEX_FLOAT64, ReductionGroup.COMPLEX, 16, 0x21d),
  /** Fortran {@code INTEGER*1}. */
  INTEGER1(Element.INT8, ReductionGroup.FORTRAN_INTEGER, 1, 0x2c1),
  /** Fortran {@code INTEGER*2}. */
  INTEGER2(Element.INT16, ReductionGroup.FORTRAN_INTEGER, 2, 0x2c9),
  /** Fortran {@code INTEGER*4}. */
  INTEGER4(Element.INT32, ReductionGroup.FORTRAN_INTEGER, 4, 0x2d1),
  /** Fortran {@code INTEGER*8}. */
  INTEGER8(Element.INT64, ReductionGroup.FORTRAN_INTEGER, 8, 0x2d9),
  /** Fortran {@code INTEGER*16}. */
  INTEGER16(Element.INT128, ReductionGroup.FORTRAN_INTEGER, 16, 0x2e1),
  /** Fortran {@code REAL*2}, IEEE half precision. */
  REAL2(Element.FLOAT16, ReductionGroup.FLOATING_POINT, 2, 0x2ca),
  /** Fortran {@code REAL*4}. */
  REAL4(Element.FLOAT32, ReductionGroup.FLOATING_POINT, 4, 0x2d2),
  /** Fortran {@code REAL*8}. */
  REAL8(Element.FLOAT64, ReductionGroup.FLOATING_POINT, 8, 0x2da),
  /** Fortran {@code REAL*16}, IEEE quadruple precision. */
  REAL16(Element.FLOAT128, ReductionGroup.FLOATING_POINT, 16, 0x2e2),
  /** Fortran {@code COMPLEX*4}, two halves. */
  COMPLEX4(Element.COMPLEX_FLOAT16, ReductionGroup.COMPLEX, 4, 0x2d3),
  /** Fortran {@code COMPLEX*8}. */
  COMPLEX8(Element.COMPLEX_FLOAT32, ReductionGroup.COMPLEX, 8, 0x2db),
  /** Fortran {@code COMPLEX*16}. */
  COMPLEX16(Element.COMPLEX_FLOAT64, ReductionGroup.COMPLEX, 16, 0x2e3),
  /** Fortran {@code COMPLEX*32}. */
  COMPLEX32(Element.COMPLEX_FLOAT128, ReductionGroup.COMPLEX, 32, 0x2eb),
  /** Pair of C {@code float} and {@code int}. */
  FLOAT_INT(Element.FLOAT32_INT32, ReductionGroup.PAIR, 0, 0x228),
  /** Pair of C {@code double} and {@code int}: size 12, extent 16. */
  DOUBLE_INT(Element.FLOAT64_INT32, ReductionGroup.PAIR, 0, 0x229),
  /** Pair of C {@code long} and {@code int}: size 12, extent 16. */
  LONG_INT(Element.INT64_INT32, ReductionGroup.PAIR, 0, 0x22a),
  /** Pair of C {@code int}. */
  TWO_INT(Element.INT32_INT32, ReductionGroup.PAIR, 0, 0x22b),
  /** Pair of C {@code short} and {@code int}: size 6, extent 8, a gap of 2 in the middle. */
  SHORT_INT(Element.INT16_INT32, ReductionGroup.PAIR, 0, 0x22c),
  /** Pair of C {@code long double} and {@code int}: size 20, extent 32. */
  LONG_DOUBLE_INT(Element.LONG_DOUBLE_INT32, ReductionGroup.PAIR, 0, 0x22d),
  /** Pair of Fortran {@code REAL}, the index as {@code REAL}. */
  TWO_REAL(Element.FLOAT32_FLOAT32, ReductionGroup.PAIR, 0, 0x230),
  /** Pair of Fortran {@code DOUBLE PRECISION}, the index likewise. */
  TWO_DOUBLE_PRECISION(Element.FLOAT64_FLOAT64, ReductionGroup.PAIR, 0, 0x231),
  /** Pair of Fortran {@code INTEGER}. */
  TWO_INTEGER(Element.INT32_INT32, ReductionGroup.PAIR, 0, 0x232);

  private final Element element;
  private final ReductionGroup group;
  private final int external32Size;
  private final int abiHandle;

  Basic(Element element, ReductionGroup group, int external32Size, int abiHandle) {
    this.element = element;
    this.group = group;
    this.external32Size = external32Size;
    this.abiHandle = abiHandle;
  }

  /**
   * Returns the name MPI gives the type, which is also its default object name.
   *
   * @return for example {@code MPI_DOUBLE}, {@code MPI_2INT}
   */
  public String mpiName() {
    // concat, not +: every program runs this when it starts, and the first + of a JVM costs several milliseconds.
    return "MPI_".concat(name().startsWith("TWO_") ? "2".concat(name().substring("TWO_".length())) : name());
  }

  /**
   * Returns the representation of an element in memory.
   *
   * @return the representation
   */
  public Element element() {
    return element;
  }

  /** Returns the bounds of one element. */
  public Bounds bounds() {
    return element.bounds();
  }

  /**
   * Returns the group that determines the valid predefined operations.
   *
   * @return the type's group
   */
  public ReductionGroup reductionGroup() {
    return group;
  }

  /**
   * Returns the bytes of one element in the "external32" form (MPI-4.1 §14.5.2).
   *
   * @return bytes, or 0 for a pair, which is written as its parts
   */
  public int external32Size() {
    return external32Size;
  }

  /**
   * Returns the number of the type's handle in the MPI-5 binary interface.
   *
   * @return a positive number, different for every type
   */
  public int abiHandle() {
    return abiHandle;
  }
}
