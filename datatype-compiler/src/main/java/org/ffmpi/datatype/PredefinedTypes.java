// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype;

import org.ffmpi.datatype.basic.Basic;
import org.ffmpi.datatype.handle.PredefinedHandles;

/**
 * The predefined datatypes (MPI-4.1 §3.2.2 and §6.9.4), as programs name them: {@code Datatype.DOUBLE}. Each constant
 * is one object for the whole JVM, shared by all worlds, always committed and without mutable state. A synonym names
 * the object of the type that it stands for. Names are the standard's without {@code MPI_}. Names that begin with a
 * digit begin with {@code TWO_} here.
 */
public sealed interface PredefinedTypes permits Datatype {
  /** {@code MPI_CHAR}: C {@code char}, a printable character; Java {@code byte[]}. */
  Datatype<Byte> CHAR = PredefinedHandles.named(Basic.CHAR);
  /** {@code MPI_SIGNED_CHAR}: C {@code signed char}, an integer; Java {@code byte[]}. */
  Datatype<Byte> SIGNED_CHAR = PredefinedHandles.named(Basic.SIGNED_CHAR);
  /** {@code MPI_UNSIGNED_CHAR}: C {@code unsigned char}, an integer; Java {@code byte[]}. */
  Datatype<Byte> UNSIGNED_CHAR = PredefinedHandles.named(Basic.UNSIGNED_CHAR);
  /** {@code MPI_SHORT}: C {@code short}; Java {@code short[]}. */
  Datatype<Short> SHORT = PredefinedHandles.named(Basic.SHORT);
  /** {@code MPI_UNSIGNED_SHORT}: C {@code unsigned short}; Java {@code char[]}. */
  Datatype<Character> UNSIGNED_SHORT = PredefinedHandles.named(Basic.UNSIGNED_SHORT);
  /** {@code MPI_INT}: C {@code int}; Java {@code int[]}. */
  Datatype<Integer> INT = PredefinedHandles.named(Basic.INT);
  /** {@code MPI_UNSIGNED}: C {@code unsigned int}; Java {@code int[]}. */
  Datatype<Integer> UNSIGNED = PredefinedHandles.named(Basic.UNSIGNED);
  /** {@code MPI_LONG}: C {@code long}, 64 bits; Java {@code long[]}. */
  Datatype<Long> LONG = PredefinedHandles.named(Basic.LONG);
  /** {@code MPI_UNSIGNED_LONG}: C {@code unsigned long}, 64 bits; Java {@code long[]}. */
  Datatype<Long> UNSIGNED_LONG = PredefinedHandles.named(Basic.UNSIGNED_LONG);
  /** {@code MPI_LONG_LONG_INT}: C {@code long long}; Java {@code long[]}. */
  Datatype<Long> LONG_LONG_INT = PredefinedHandles.named(Basic.LONG_LONG_INT);
  /** {@code MPI_LONG_LONG}: synonym of {@link #LONG_LONG_INT}, the same object. */
  Datatype<Long> LONG_LONG = LONG_LONG_INT;
  /** {@code MPI_UNSIGNED_LONG_LONG}: C {@code unsigned long long}; Java {@code long[]}. */
  Datatype<Long> UNSIGNED_LONG_LONG = PredefinedHandles.named(Basic.UNSIGNED_LONG_LONG);
  /** {@code MPI_FLOAT}: C {@code float}; Java {@code float[]}. */
  Datatype<Float> FLOAT = PredefinedHandles.named(Basic.FLOAT);
  /** {@code MPI_DOUBLE}: C {@code double}; Java {@code double[]}. */
  Datatype<Double> DOUBLE = PredefinedHandles.named(Basic.DOUBLE);
  /** {@code MPI_LONG_DOUBLE}: C {@code long double}, 16 bytes; Java {@code byte[]}. */
  Datatype<Object> LONG_DOUBLE = PredefinedHandles.named(Basic.LONG_DOUBLE);
  /** {@code MPI_WCHAR}: C {@code wchar_t}, a code point of 4 bytes; Java {@code int[]}. */
  Datatype<Integer> WCHAR = PredefinedHandles.named(Basic.WCHAR);
  /** {@code MPI_C_BOOL}: C {@code _Bool}; Java {@code boolean[]}. */
  Datatype<Boolean> C_BOOL = PredefinedHandles.named(Basic.C_BOOL);
  /** {@code MPI_INT8_T}: C {@code int8_t}; Java {@code byte[]}. */
  Datatype<Byte> INT8_T = PredefinedHandles.named(Basic.INT8_T);
  /** {@code MPI_UINT8_T}: C {@code uint8_t}; Java {@code byte[]}. */
  Datatype<Byte> UINT8_T = PredefinedHandles.named(Basic.UINT8_T);
  /** {@code MPI_INT16_T}: C {@code int16_t}; Java {@code short[]}. */
  Datatype<Short> INT16_T = PredefinedHandles.named(Basic.INT16_T);
  /** {@code MPI_UINT16_T}: C {@code uint16_t}; Java {@code char[]}. */
  Datatype<Character> UINT16_T = PredefinedHandles.named(Basic.UINT16_T);
  /** {@code MPI_INT32_T}: C {@code int32_t}; Java {@code int[]}. */
  Datatype<Integer> INT32_T = PredefinedHandles.named(Basic.INT32_T);
  /** {@code MPI_UINT32_T}: C {@code uint32_t}; Java {@code int[]}. */
  Datatype<Integer> UINT32_T = PredefinedHandles.named(Basic.UINT32_T);
  /** {@code MPI_INT64_T}: C {@code int64_t}; Java {@code long[]}. */
  Datatype<Long> INT64_T = PredefinedHandles.named(Basic.INT64_T);
  /** {@code MPI_UINT64_T}: C {@code uint64_t}; Java {@code long[]}. */
  Datatype<Long> UINT64_T = PredefinedHandles.named(Basic.UINT64_T);
  /** {@code MPI_C_COMPLEX}: C {@code float _Complex}; Java {@code float[]}. */
  Datatype<Object> C_COMPLEX = PredefinedHandles.named(Basic.C_COMPLEX);
  /** {@code MPI_C_FLOAT_COMPLEX}: synonym of {@link #C_COMPLEX}, the same object. */
  Datatype<Object> C_FLOAT_COMPLEX = C_COMPLEX;
  /** {@code MPI_C_DOUBLE_COMPLEX}: C {@code double _Complex}; Java {@code double[]}. */
  Datatype<Object> C_DOUBLE_COMPLEX = PredefinedHandles.named(Basic.C_DOUBLE_COMPLEX);
  /** {@code MPI_C_LONG_DOUBLE_COMPLEX}: C {@code long double _Complex}; Java {@code byte[]}. */
  Datatype<Object> C_LONG_DOUBLE_COMPLEX = PredefinedHandles.named(Basic.C_LONG_DOUBLE_COMPLEX);
  /** {@code MPI_BYTE}: eight uninterpreted bits; Java {@code byte[]}. */
  Datatype<Byte> BYTE = PredefinedHandles.named(Basic.BYTE);
  /** {@code MPI_PACKED}: a byte of packed data; matches any type at the other side; Java {@code byte[]}. */
  Datatype<Byte> PACKED = PredefinedHandles.named(Basic.PACKED);
  /** {@code MPI_AINT}: an address or a difference of addresses; Java {@code long[]}. */
  Datatype<Long> AINT = PredefinedHandles.named(Basic.AINT);
  /** {@code MPI_COUNT}: a count of elements; Java {@code long[]}. */
  Datatype<Long> COUNT = PredefinedHandles.named(Basic.COUNT);
  /** {@code MPI_OFFSET}: an offset in a file; Java {@code long[]}. */
  Datatype<Long> OFFSET = PredefinedHandles.named(Basic.OFFSET);
  /** {@code MPI_INTEGER}: Fortran {@code INTEGER}; Java {@code int[]}. */
  Datatype<Integer> INTEGER = PredefinedHandles.named(Basic.INTEGER);
  /** {@code MPI_REAL}: Fortran {@code REAL}; Java {@code float[]}. */
  Datatype<Float> REAL = PredefinedHandles.named(Basic.REAL);
  /** {@code MPI_DOUBLE_PRECISION}: Fortran {@code DOUBLE PRECISION}; Java {@code double[]}. */
  Datatype<Double> DOUBLE_PRECISION = PredefinedHandles.named(Basic.DOUBLE_PRECISION);
  /** {@code MPI_COMPLEX}: Fortran {@code COMPLEX}; Java {@code float[]}. */
  Datatype<Object> COMPLEX = PredefinedHandles.named(Basic.COMPLEX);
  /** {@code MPI_LOGICAL}: Fortran {@code LOGICAL}, an integer of 0 or 1; Java {@code int[]}. */
  Datatype<Integer> LOGICAL = PredefinedHandles.named(Basic.LOGICAL);
  /** {@code MPI_CHARACTER}: Fortran {@code CHARACTER(1)}; Java {@code byte[]}. */
  Datatype<Byte> CHARACTER = PredefinedHandles.named(Basic.CHARACTER);
  /** {@code MPI_CXX_BOOL}: C++ {@code bool}; Java {@code boolean[]}. */
  Datatype<Boolean> CXX_BOOL = PredefinedHandles.named(Basic.CXX_BOOL);
  /** {@code MPI_CXX_FLOAT_COMPLEX}: C++ {@code std::complex<float>}; Java {@code float[]}. */
  Datatype<Object> CXX_FLOAT_COMPLEX = PredefinedHandles.named(Basic.CXX_FLOAT_COMPLEX);
  /** {@code MPI_CXX_DOUBLE_COMPLEX}: C++ {@code std::complex<double>}; Java {@code double[]}. */
  Datatype<Object> CXX_DOUBLE_COMPLEX = PredefinedHandles.named(Basic.CXX_DOUBLE_COMPLEX);
  /** {@code MPI_CXX_LONG_DOUBLE_COMPLEX}: C++ {@code std::complex<long double>}; Java {@code byte[]}. */
  Datatype<Object> CXX_LONG_DOUBLE_COMPLEX = PredefinedHandles.named(Basic.CXX_LONG_DOUBLE_COMPLEX);
  /** {@code MPI_DOUBLE_COMPLEX}: Fortran {@code DOUBLE COMPLEX}; Java {@code double[]}. */
  Datatype<Object> DOUBLE_COMPLEX = PredefinedHandles.named(Basic.DOUBLE_COMPLEX);
  /** {@code MPI_INTEGER1}: Fortran {@code INTEGER*1}; Java {@code byte[]}. */
  Datatype<Byte> INTEGER1 = PredefinedHandles.named(Basic.INTEGER1);
  /** {@code MPI_INTEGER2}: Fortran {@code INTEGER*2}; Java {@code short[]}. */
  Datatype<Short> INTEGER2 = PredefinedHandles.named(Basic.INTEGER2);
  /** {@code MPI_INTEGER4}: Fortran {@code INTEGER*4}; Java {@code int[]}. */
  Datatype<Integer> INTEGER4 = PredefinedHandles.named(Basic.INTEGER4);
  /** {@code MPI_INTEGER8}: Fortran {@code INTEGER*8}; Java {@code long[]}. */
  Datatype<Long> INTEGER8 = PredefinedHandles.named(Basic.INTEGER8);
  /** {@code MPI_INTEGER16}: Fortran {@code INTEGER*16}; Java {@code long[]}. */
  Datatype<Object> INTEGER16 = PredefinedHandles.named(Basic.INTEGER16);
  /** {@code MPI_REAL2}: Fortran {@code REAL*2}, IEEE half precision; Java {@code short[]}. */
  Datatype<Short> REAL2 = PredefinedHandles.named(Basic.REAL2);
  /** {@code MPI_REAL4}: Fortran {@code REAL*4}; Java {@code float[]}. */
  Datatype<Float> REAL4 = PredefinedHandles.named(Basic.REAL4);
  /** {@code MPI_REAL8}: Fortran {@code REAL*8}; Java {@code double[]}. */
  Datatype<Double> REAL8 = PredefinedHandles.named(Basic.REAL8);
  /** {@code MPI_REAL16}: Fortran {@code REAL*16}, IEEE quadruple precision; Java {@code byte[]}. */
  Datatype<Object> REAL16 = PredefinedHandles.named(Basic.REAL16);
  /** {@code MPI_COMPLEX4}: Fortran {@code COMPLEX*4}, two halves; Java {@code short[]}. */
  Datatype<Object> COMPLEX4 = PredefinedHandles.named(Basic.COMPLEX4);
  /** {@code MPI_COMPLEX8}: Fortran {@code COMPLEX*8}; Java {@code float[]}. */
  Datatype<Object> COMPLEX8 = PredefinedHandles.named(Basic.COMPLEX8);
  /** {@code MPI_COMPLEX16}: Fortran {@code COMPLEX*16}; Java {@code double[]}. */
  Datatype<Object> COMPLEX16 = PredefinedHandles.named(Basic.COMPLEX16);
  /** {@code MPI_COMPLEX32}: Fortran {@code COMPLEX*32}; Java {@code byte[]}. */
  Datatype<Object> COMPLEX32 = PredefinedHandles.named(Basic.COMPLEX32);
  /** {@code MPI_FLOAT_INT}: C {@code float} and {@code int}; Java {@code byte[]}. */
  Datatype<Object> FLOAT_INT = PredefinedHandles.named(Basic.FLOAT_INT);
  /** {@code MPI_DOUBLE_INT}: C {@code double} and {@code int}, size 12, extent 16; Java {@code byte[]}. */
  Datatype<Object> DOUBLE_INT = PredefinedHandles.named(Basic.DOUBLE_INT);
  /** {@code MPI_LONG_INT}: C {@code long} and {@code int}, size 12, extent 16; Java {@code byte[]}. */
  Datatype<Object> LONG_INT = PredefinedHandles.named(Basic.LONG_INT);
  /** {@code MPI_2INT}: two C {@code int}, value and index; Java {@code int[]}. */
  Datatype<Object> TWO_INT = PredefinedHandles.named(Basic.TWO_INT);
  /** {@code MPI_SHORT_INT}: C {@code short} and {@code int}, size 6, extent 8, a gap in the middle; {@code byte[]}. */
  Datatype<Object> SHORT_INT = PredefinedHandles.named(Basic.SHORT_INT);
  /** {@code MPI_LONG_DOUBLE_INT}: C {@code long double} and {@code int}, size 20, extent 32; Java {@code byte[]}. */
  Datatype<Object> LONG_DOUBLE_INT = PredefinedHandles.named(Basic.LONG_DOUBLE_INT);
  /** {@code MPI_2REAL}: two Fortran {@code REAL}, value and index; Java {@code float[]}. */
  Datatype<Object> TWO_REAL = PredefinedHandles.named(Basic.TWO_REAL);
  /** {@code MPI_2DOUBLE_PRECISION}: two Fortran {@code DOUBLE PRECISION}, value and index; Java {@code double[]}. */
  Datatype<Object> TWO_DOUBLE_PRECISION = PredefinedHandles.named(Basic.TWO_DOUBLE_PRECISION);
  /** {@code MPI_2INTEGER}: two Fortran {@code INTEGER}, value and index; Java {@code int[]}. */
  Datatype<Object> TWO_INTEGER = PredefinedHandles.named(Basic.TWO_INTEGER);
}
