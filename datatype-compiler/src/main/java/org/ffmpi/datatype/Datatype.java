// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.datatype.plan.PlanCompiler;

/**
 * An MPI datatype: what the elements of a buffer are and where their bytes lie ({@code MPI_Datatype}, MPI-4.1 chapter 5
 * and §3.2.2). A type describes a layout only; it holds no data and no address.
 *
 * {@snippet :
 * long bytes = Datatype.DOUBLE_INT.size();            // 12: a double and an int are sent
 * long apart = Datatype.DOUBLE_INT.extent();          // 16: elements lie 16 bytes apart in memory
 * Datatype<?> type = Datatype.ofArray(long[].class);  // INT64_T: what a bare array is sent as
 * }
 *
 * <p>Two types are the same only if they are the same object, as handles in C; {@link #tree} tells what a type is made
 * of, and trees are compared by content. The predefined types are constants of this class, shared by all worlds of a
 * JVM, always committed and without mutable state; synonyms name the same object. Names are the standard's without
 * {@code MPI_}; those that begin with a digit begin with {@code TWO_} here.
 *
 * <p>Java arrays map to types by width and sign: {@code double[]} is {@link #DOUBLE}, {@code char[]} is {@link
 * #UINT16_T} (not {@link #CHAR}, which has one byte), {@code boolean[]} is {@link #C_BOOL}. Where no primitive type has
 * a representation ({@code long double}, 128 bits, pairs with gaps) elements are moved as bytes.
 *
 * @param <T> what one element is in Java: the box of a primitive type, or {@code Object} where there is none
 */
public final class Datatype<T> {
  private static final List<Datatype<?>> PREDEFINED = new ArrayList<>();

  /** {@code MPI_CHAR}: C {@code char}, a printable character; Java {@code byte[]}. */
  public static final Datatype<Byte> CHAR = predefined(Basic.CHAR);
  /** {@code MPI_SIGNED_CHAR}: C {@code signed char}, an integer; Java {@code byte[]}. */
  public static final Datatype<Byte> SIGNED_CHAR = predefined(Basic.SIGNED_CHAR);
  /** {@code MPI_UNSIGNED_CHAR}: C {@code unsigned char}, an integer; Java {@code byte[]}. */
  public static final Datatype<Byte> UNSIGNED_CHAR = predefined(Basic.UNSIGNED_CHAR);
  /** {@code MPI_SHORT}: C {@code short}; Java {@code short[]}. */
  public static final Datatype<Short> SHORT = predefined(Basic.SHORT);
  /** {@code MPI_UNSIGNED_SHORT}: C {@code unsigned short}; Java {@code char[]}. */
  public static final Datatype<Character> UNSIGNED_SHORT = predefined(Basic.UNSIGNED_SHORT);
  /** {@code MPI_INT}: C {@code int}; Java {@code int[]}. */
  public static final Datatype<Integer> INT = predefined(Basic.INT);
  /** {@code MPI_UNSIGNED}: C {@code unsigned int}; Java {@code int[]}. */
  public static final Datatype<Integer> UNSIGNED = predefined(Basic.UNSIGNED);
  /** {@code MPI_LONG}: C {@code long}, 64 bits; Java {@code long[]}. */
  public static final Datatype<Long> LONG = predefined(Basic.LONG);
  /** {@code MPI_UNSIGNED_LONG}: C {@code unsigned long}, 64 bits; Java {@code long[]}. */
  public static final Datatype<Long> UNSIGNED_LONG = predefined(Basic.UNSIGNED_LONG);
  /** {@code MPI_LONG_LONG_INT}: C {@code long long}; Java {@code long[]}. */
  public static final Datatype<Long> LONG_LONG_INT = predefined(Basic.LONG_LONG_INT);
  /** {@code MPI_LONG_LONG}: synonym of {@link #LONG_LONG_INT}, the same object. */
  public static final Datatype<Long> LONG_LONG = LONG_LONG_INT;
  /** {@code MPI_UNSIGNED_LONG_LONG}: C {@code unsigned long long}; Java {@code long[]}. */
  public static final Datatype<Long> UNSIGNED_LONG_LONG = predefined(Basic.UNSIGNED_LONG_LONG);
  /** {@code MPI_FLOAT}: C {@code float}; Java {@code float[]}. */
  public static final Datatype<Float> FLOAT = predefined(Basic.FLOAT);
  /** {@code MPI_DOUBLE}: C {@code double}; Java {@code double[]}. */
  public static final Datatype<Double> DOUBLE = predefined(Basic.DOUBLE);
  /** {@code MPI_LONG_DOUBLE}: C {@code long double}, 16 bytes; Java {@code byte[]}. */
  public static final Datatype<Object> LONG_DOUBLE = predefined(Basic.LONG_DOUBLE);
  /** {@code MPI_WCHAR}: C {@code wchar_t}, a code point of 4 bytes; Java {@code int[]}. */
  public static final Datatype<Integer> WCHAR = predefined(Basic.WCHAR);
  /** {@code MPI_C_BOOL}: C {@code _Bool}; Java {@code boolean[]}. */
  public static final Datatype<Boolean> C_BOOL = predefined(Basic.C_BOOL);
  /** {@code MPI_INT8_T}: C {@code int8_t}; Java {@code byte[]}. */
  public static final Datatype<Byte> INT8_T = predefined(Basic.INT8_T);
  /** {@code MPI_UINT8_T}: C {@code uint8_t}; Java {@code byte[]}. */
  public static final Datatype<Byte> UINT8_T = predefined(Basic.UINT8_T);
  /** {@code MPI_INT16_T}: C {@code int16_t}; Java {@code short[]}. */
  public static final Datatype<Short> INT16_T = predefined(Basic.INT16_T);
  /** {@code MPI_UINT16_T}: C {@code uint16_t}; Java {@code char[]}. */
  public static final Datatype<Character> UINT16_T = predefined(Basic.UINT16_T);
  /** {@code MPI_INT32_T}: C {@code int32_t}; Java {@code int[]}. */
  public static final Datatype<Integer> INT32_T = predefined(Basic.INT32_T);
  /** {@code MPI_UINT32_T}: C {@code uint32_t}; Java {@code int[]}. */
  public static final Datatype<Integer> UINT32_T = predefined(Basic.UINT32_T);
  /** {@code MPI_INT64_T}: C {@code int64_t}; Java {@code long[]}. */
  public static final Datatype<Long> INT64_T = predefined(Basic.INT64_T);
  /** {@code MPI_UINT64_T}: C {@code uint64_t}; Java {@code long[]}. */
  public static final Datatype<Long> UINT64_T = predefined(Basic.UINT64_T);
  /** {@code MPI_C_COMPLEX}: C {@code float _Complex}; Java {@code float[]}. */
  public static final Datatype<Object> C_COMPLEX = predefined(Basic.C_COMPLEX);
  /** {@code MPI_C_FLOAT_COMPLEX}: synonym of {@link #C_COMPLEX}, the same object. */
  public static final Datatype<Object> C_FLOAT_COMPLEX = C_COMPLEX;
  /** {@code MPI_C_DOUBLE_COMPLEX}: C {@code double _Complex}; Java {@code double[]}. */
  public static final Datatype<Object> C_DOUBLE_COMPLEX = predefined(Basic.C_DOUBLE_COMPLEX);
  /** {@code MPI_C_LONG_DOUBLE_COMPLEX}: C {@code long double _Complex}; Java {@code byte[]}. */
  public static final Datatype<Object> C_LONG_DOUBLE_COMPLEX = predefined(Basic.C_LONG_DOUBLE_COMPLEX);
  /** {@code MPI_BYTE}: eight uninterpreted bits; Java {@code byte[]}. */
  public static final Datatype<Byte> BYTE = predefined(Basic.BYTE);
  /** {@code MPI_PACKED}: a byte of packed data; matches any type at the other side; Java {@code byte[]}. */
  public static final Datatype<Byte> PACKED = predefined(Basic.PACKED);
  /** {@code MPI_AINT}: an address or a difference of addresses; Java {@code long[]}. */
  public static final Datatype<Long> AINT = predefined(Basic.AINT);
  /** {@code MPI_COUNT}: a count of elements; Java {@code long[]}. */
  public static final Datatype<Long> COUNT = predefined(Basic.COUNT);
  /** {@code MPI_OFFSET}: an offset in a file; Java {@code long[]}. */
  public static final Datatype<Long> OFFSET = predefined(Basic.OFFSET);
  /** {@code MPI_INTEGER}: Fortran {@code INTEGER}; Java {@code int[]}. */
  public static final Datatype<Integer> INTEGER = predefined(Basic.INTEGER);
  /** {@code MPI_REAL}: Fortran {@code REAL}; Java {@code float[]}. */
  public static final Datatype<Float> REAL = predefined(Basic.REAL);
  /** {@code MPI_DOUBLE_PRECISION}: Fortran {@code DOUBLE PRECISION}; Java {@code double[]}. */
  public static final Datatype<Double> DOUBLE_PRECISION = predefined(Basic.DOUBLE_PRECISION);
  /** {@code MPI_COMPLEX}: Fortran {@code COMPLEX}; Java {@code float[]}. */
  public static final Datatype<Object> COMPLEX = predefined(Basic.COMPLEX);
  /** {@code MPI_LOGICAL}: Fortran {@code LOGICAL}, an integer of 0 or 1; Java {@code int[]}. */
  public static final Datatype<Integer> LOGICAL = predefined(Basic.LOGICAL);
  /** {@code MPI_CHARACTER}: Fortran {@code CHARACTER(1)}; Java {@code byte[]}. */
  public static final Datatype<Byte> CHARACTER = predefined(Basic.CHARACTER);
  /** {@code MPI_CXX_BOOL}: C++ {@code bool}; Java {@code boolean[]}. */
  public static final Datatype<Boolean> CXX_BOOL = predefined(Basic.CXX_BOOL);
  /** {@code MPI_CXX_FLOAT_COMPLEX}: C++ {@code std::complex<float>}; Java {@code float[]}. */
  public static final Datatype<Object> CXX_FLOAT_COMPLEX = predefined(Basic.CXX_FLOAT_COMPLEX);
  /** {@code MPI_CXX_DOUBLE_COMPLEX}: C++ {@code std::complex<double>}; Java {@code double[]}. */
  public static final Datatype<Object> CXX_DOUBLE_COMPLEX = predefined(Basic.CXX_DOUBLE_COMPLEX);
  /** {@code MPI_CXX_LONG_DOUBLE_COMPLEX}: C++ {@code std::complex<long double>}; Java {@code byte[]}. */
  public static final Datatype<Object> CXX_LONG_DOUBLE_COMPLEX = predefined(Basic.CXX_LONG_DOUBLE_COMPLEX);
  /** {@code MPI_DOUBLE_COMPLEX}: Fortran {@code DOUBLE COMPLEX}; Java {@code double[]}. */
  public static final Datatype<Object> DOUBLE_COMPLEX = predefined(Basic.DOUBLE_COMPLEX);
  /** {@code MPI_INTEGER1}: Fortran {@code INTEGER*1}; Java {@code byte[]}. */
  public static final Datatype<Byte> INTEGER1 = predefined(Basic.INTEGER1);
  /** {@code MPI_INTEGER2}: Fortran {@code INTEGER*2}; Java {@code short[]}. */
  public static final Datatype<Short> INTEGER2 = predefined(Basic.INTEGER2);
  /** {@code MPI_INTEGER4}: Fortran {@code INTEGER*4}; Java {@code int[]}. */
  public static final Datatype<Integer> INTEGER4 = predefined(Basic.INTEGER4);
  /** {@code MPI_INTEGER8}: Fortran {@code INTEGER*8}; Java {@code long[]}. */
  public static final Datatype<Long> INTEGER8 = predefined(Basic.INTEGER8);
  /** {@code MPI_INTEGER16}: Fortran {@code INTEGER*16}; Java {@code long[]}. */
  public static final Datatype<Object> INTEGER16 = predefined(Basic.INTEGER16);
  /** {@code MPI_REAL2}: Fortran {@code REAL*2}, IEEE half precision; Java {@code short[]}. */
  public static final Datatype<Short> REAL2 = predefined(Basic.REAL2);
  /** {@code MPI_REAL4}: Fortran {@code REAL*4}; Java {@code float[]}. */
  public static final Datatype<Float> REAL4 = predefined(Basic.REAL4);
  /** {@code MPI_REAL8}: Fortran {@code REAL*8}; Java {@code double[]}. */
  public static final Datatype<Double> REAL8 = predefined(Basic.REAL8);
  /** {@code MPI_REAL16}: Fortran {@code REAL*16}, IEEE quadruple precision; Java {@code byte[]}. */
  public static final Datatype<Object> REAL16 = predefined(Basic.REAL16);
  /** {@code MPI_COMPLEX4}: Fortran {@code COMPLEX*4}, two halves; Java {@code short[]}. */
  public static final Datatype<Object> COMPLEX4 = predefined(Basic.COMPLEX4);
  /** {@code MPI_COMPLEX8}: Fortran {@code COMPLEX*8}; Java {@code float[]}. */
  public static final Datatype<Object> COMPLEX8 = predefined(Basic.COMPLEX8);
  /** {@code MPI_COMPLEX16}: Fortran {@code COMPLEX*16}; Java {@code double[]}. */
  public static final Datatype<Object> COMPLEX16 = predefined(Basic.COMPLEX16);
  /** {@code MPI_COMPLEX32}: Fortran {@code COMPLEX*32}; Java {@code byte[]}. */
  public static final Datatype<Object> COMPLEX32 = predefined(Basic.COMPLEX32);
  /** {@code MPI_FLOAT_INT}: C {@code float} and {@code int}; Java {@code byte[]}. */
  public static final Datatype<Object> FLOAT_INT = predefined(Basic.FLOAT_INT);
  /** {@code MPI_DOUBLE_INT}: C {@code double} and {@code int}, size 12, extent 16; Java {@code byte[]}. */
  public static final Datatype<Object> DOUBLE_INT = predefined(Basic.DOUBLE_INT);
  /** {@code MPI_LONG_INT}: C {@code long} and {@code int}, size 12, extent 16; Java {@code byte[]}. */
  public static final Datatype<Object> LONG_INT = predefined(Basic.LONG_INT);
  /** {@code MPI_2INT}: two C {@code int}, value and index; Java {@code int[]}. */
  public static final Datatype<Object> TWO_INT = predefined(Basic.TWO_INT);
  /** {@code MPI_SHORT_INT}: C {@code short} and {@code int}, size 6, extent 8, a gap in the middle; {@code byte[]}. */
  public static final Datatype<Object> SHORT_INT = predefined(Basic.SHORT_INT);
  /** {@code MPI_LONG_DOUBLE_INT}: C {@code long double} and {@code int}, size 20, extent 32; Java {@code byte[]}. */
  public static final Datatype<Object> LONG_DOUBLE_INT = predefined(Basic.LONG_DOUBLE_INT);
  /** {@code MPI_2REAL}: two Fortran {@code REAL}, value and index; Java {@code float[]}. */
  public static final Datatype<Object> TWO_REAL = predefined(Basic.TWO_REAL);
  /** {@code MPI_2DOUBLE_PRECISION}: two Fortran {@code DOUBLE PRECISION}, value and index; Java {@code double[]}. */
  public static final Datatype<Object> TWO_DOUBLE_PRECISION = predefined(Basic.TWO_DOUBLE_PRECISION);
  /** {@code MPI_2INTEGER}: two Fortran {@code INTEGER}, value and index; Java {@code int[]}. */
  public static final Datatype<Object> TWO_INTEGER = predefined(Basic.TWO_INTEGER);

  private final TypeTree tree;
  private final Bounds bounds;
  private final String name;
  private final Plan plan;

  private Datatype(TypeTree tree, String name, Plan plan) {
    this.tree = tree;
    this.bounds = tree.bounds();
    this.name = name;
    this.plan = plan;
  }

  /** Creates the one object of a predefined type; the caller's field fixes what {@code T} is. */
  private static <T> Datatype<T> predefined(Basic basic) {
    TypeTree tree = new TypeTree.Named(basic);
    Datatype<T> type = new Datatype<>(tree, basic.mpiName(), PlanCompiler.compile(tree.shape(), tree.bounds().extent()));
    PREDEFINED.add(type);
    return type;
  }

  /**
   * Returns all predefined types, each once, in the order of the standard's tables.
   *
   * @return an unmodifiable list
   */
  public static List<Datatype<?>> predefined() {
    return Collections.unmodifiableList(PREDEFINED);
  }

  /**
   * Returns the type a Java array is sent as when no type is named: {@code byte[]} INT8_T, {@code short[]} INT16_T,
   * {@code char[]} UINT16_T, {@code int[]} INT32_T, {@code long[]} INT64_T, {@code float[]} FLOAT, {@code double[]}
   * DOUBLE, {@code boolean[]} C_BOOL.
   *
   * @param arrayClass an array class of a primitive type
   * @return the type
   * @throws MpiException ERR_TYPE for any other class
   */
  public static Datatype<?> ofArray(Class<?> arrayClass) {
    if (arrayClass == double[].class) {
      return DOUBLE;
    } else if (arrayClass == float[].class) {
      return FLOAT;
    } else if (arrayClass == int[].class) {
      return INT32_T;
    } else if (arrayClass == long[].class) {
      return INT64_T;
    } else if (arrayClass == byte[].class) {
      return INT8_T;
    } else if (arrayClass == short[].class) {
      return INT16_T;
    } else if (arrayClass == char[].class) {
      return UINT16_T;
    } else if (arrayClass == boolean[].class) {
      return C_BOOL;
    }
    throw MpiException.argument(
        ErrorClass.ERR_TYPE, "arrayClass", arrayClass.getTypeName(), "an array of a primitive type");
  }

  /**
   * Returns the type's name ({@code MPI_Type_get_name}, MPI-4.1 §7.8): for a predefined type its MPI name; a synonym
   * answers with the name of the type it stands for.
   *
   * @return the name, for example {@code MPI_DOUBLE}
   */
  @Standard({"MPI_Type_get_name"})
  public String name() {
    return name;
  }

  /**
   * Returns the bytes of data in one element, gaps not counted ({@code MPI_Type_size}, MPI-4.1 §5.1.5).
   *
   * @return bytes in a packed element
   */
  @Standard({"MPI_Type_size", "MPI_Type_size_c"})
  public long size() {
    return bounds.size();
  }

  /**
   * Returns the distance in bytes between consecutive elements of a buffer ({@code MPI_Type_get_extent}, MPI-4.1
   * §5.1.7).
   *
   * @return the extent in bytes
   */
  @Standard({"MPI_Type_get_extent", "MPI_Type_get_extent_c"})
  public long extent() {
    return bounds.extent();
  }

  /**
   * Returns the lower bound in bytes ({@code MPI_Type_get_extent}, MPI-4.1 §5.1.7).
   *
   * @return displacement of the lower bound from the buffer's address
   */
  @Standard({"MPI_Type_get_extent", "MPI_Type_get_extent_c"})
  public long lowerBound() {
    return bounds.lowerBound();
  }

  /**
   * Returns the upper bound in bytes: lower bound plus extent (MPI-4.1 §5.1.6).
   *
   * @return displacement of the upper bound from the buffer's address
   */
  public long upperBound() {
    return bounds.upperBound();
  }

  /**
   * Returns the displacement of the lowest byte of data ({@code MPI_Type_get_true_extent}, MPI-4.1 §5.1.8).
   *
   * @return displacement in bytes from the buffer's address
   */
  @Standard({"MPI_Type_get_true_extent", "MPI_Type_get_true_extent_c"})
  public long trueLowerBound() {
    return bounds.trueLowerBound();
  }

  /**
   * Returns the bytes from the first to the last byte of data of one element ({@code MPI_Type_get_true_extent}, MPI-4.1
   * §5.1.8). {@code count} elements need {@code trueExtent() + (count - 1) * extent()} bytes of memory.
   *
   * @return the true extent in bytes
   */
  @Standard({"MPI_Type_get_true_extent", "MPI_Type_get_true_extent_c"})
  public long trueExtent() {
    return bounds.trueExtent();
  }

  /**
   * Tells whether the type may be used in communication (MPI-4.1 §5.1.9).
   *
   * @return true for predefined types and after {@link #commit}
   */
  public boolean isCommitted() {
    return plan != null;
  }

  /**
   * Makes the type usable in communication by compiling it ({@code MPI_Type_commit}, MPI-4.1 §5.1.9). Local; committing
   * a committed type, as every predefined one is, does nothing.
   *
   * @return this type
   */
  @Standard({"MPI_Type_commit"})
  public Datatype<T> commit() {
    return this;
  }

  /**
   * Tells whether this is one of the constants of this class or a synonym of one.
   *
   * @return true for a predefined type
   */
  public boolean isPredefined() {
    return tree instanceof TypeTree.Named;
  }

  /**
   * Returns what the type was compiled to.
   *
   * @return the plan by which its elements are packed and unpacked
   * @throws MpiException ERR_TYPE when the type is not committed
   */
  public Plan plan() {
    if (plan == null) {
      throw new MpiException(ErrorClass.ERR_TYPE, "datatype " + this + " is not committed: call commit() first");
    }
    return plan;
  }

  /**
   * Returns what the type is made of.
   *
   * @return the immutable tree of constructors
   */
  public TypeTree tree() {
    return tree;
  }

  /**
   * Returns the Java array whose elements have this type's form.
   *
   * @return an array class of a primitive type; empty where only {@code byte[]} can hold elements
   */
  public Optional<Class<?>> arrayClass() {
    return switch (tree) {
      case TypeTree.Named(Basic basic) -> basic.element().arrayClass();
    };
  }

  /**
   * Tells whether elements may lie in arrays of a class: the natural one, one of the same width and kind, {@code
   * byte[]} for every type, and every primitive array for BYTE and PACKED.
   *
   * @param arrayClass an array class of a primitive type
   * @return true when a buffer of that class may be used
   */
  public boolean acceptsArray(Class<?> arrayClass) {
    return tree.acceptsArray(arrayClass);
  }

  /**
   * Returns how many whole elements a message holds (the rule of {@code MPI_Get_count}, MPI-4.1 §3.2.5).
   *
   * @param bytes length of the packed message
   * @return the number of elements, or {@link Constants#UNDEFINED} when the last one is not complete
   */
  public long count(long bytes) {
    if (size() == 0) {
      return bytes == 0 ? 0 : Constants.UNDEFINED;
    }
    return bytes % size() == 0 ? bytes / size() : Constants.UNDEFINED;
  }

  /**
   * Returns how many basic elements a message holds, counting the complete parts of an incomplete last element (the
   * rule of {@code MPI_Get_elements}, MPI-4.1 §5.1.11). A pair has two.
   *
   * @param bytes length of the packed message
   * @return the number of basic elements, or {@link Constants#UNDEFINED} when a basic element is not complete
   */
  public long elements(long bytes) {
    return switch (tree) {
      case TypeTree.Named(Basic basic) -> {
        List<Element.Part> parts = basic.element().parts();
        long whole = bytes / size() * parts.size();
        long rest = bytes % size();
        for (Element.Part part : parts) {
          if (rest == 0) {
            break;
          }
          rest -= part.size();
          whole++;
        }
        yield rest == 0 ? whole : Constants.UNDEFINED;
      }
    };
  }

  /**
   * Returns the name, for messages.
   *
   * @return the type's name
   */
  @Override
  public String toString() {
    return name;
  }
}
