// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.ffmpi.base.Attributes;
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
 * <p>All other types are built from them. A built type describes a layout at once, can be used in communication after
 * {@link #commit}, and is freed by {@link #close}; what was started with it, and types built from it, go on. Counts,
 * displacements and strides are {@code long}. Types are immutable but for name, attributes and this state, and any
 * thread may use them.
 *
 * {@snippet :
 * try (Datatype<Double> column = Datatype.vector(100, 1, 100, Datatype.DOUBLE).commit()) {
 *   comm.send(Buf.of(matrix, 1, column), 1, 0);       // matrix is a double[10000]
 * }
 * }
 *
 * <p>Java arrays map to types by width and sign: {@code double[]} is {@link #DOUBLE}, {@code char[]} is {@link
 * #UINT16_T} (not {@link #CHAR}, which has one byte), {@code boolean[]} is {@link #C_BOOL}. Where no primitive type has
 * a representation ({@code long double}, 128 bits, pairs with gaps) elements are moved as bytes.
 *
 * @param <T> what one element is in Java: the box of a primitive type, a record, or {@code Object} where there is none;
 *     a type of several elements keeps that of its old type
 */
public final class Datatype<T> implements AutoCloseable {
  /** In the order of {@link Basic}. */
  private static final List<Datatype<?>> PREDEFINED = new ArrayList<>();

  private static final Map<TypeConstructor, Datatype<?>> UNNAMED = new ConcurrentHashMap<>();

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
  private final boolean predefined;

  private volatile String name;
  private volatile Plan plan;
  private volatile boolean closed;
  private Attributes<Datatype<?>> attributes; // created when first asked for; guarded by this

  /** Set at once for types of records and layouts, when first used for predefined ones; the same for all threads. */
  private Carrier<T> carrier;

  private Datatype(TypeTree tree, Carrier<T> carrier) {
    this(tree, "", false);
    this.carrier = carrier;
  }

  private Datatype(TypeTree tree, String name, boolean predefined) {
    this.tree = tree;
    this.bounds = tree.bounds();
    this.name = name;
    this.predefined = predefined;
  }

  /** Creates the one object of a predefined type; the caller's field fixes what {@code T} is. */
  private static <T> Datatype<T> predefined(Basic basic) {
    Datatype<T> type = new Datatype<>(new TypeTree.Named(basic), basic.mpiName(), true);
    PREDEFINED.add(type);
    return type;
  }

  /**
   * Returns the one object of a type that MPI calls predefined although it has no name: committed, and never to be
   * freed.
   */
  static Datatype<?> unnamed(TypeConstructor constructor) {
    return UNNAMED.computeIfAbsent(constructor, c -> new Datatype<>(new DerivedTree(c), "", true));
  }

  /** Returns an object for a component of a type: the predefined one, or a new one. */
  static Datatype<?> handle(TypeTree tree) {
    return switch (tree) {
      case TypeTree.Named(Basic basic) -> PREDEFINED.get(basic.ordinal());
      case DerivedTree derived -> switch (derived.constructor()) {
        case F90 f90 -> unnamed(f90);
        case ValueIndex pair -> unnamed(pair);
        default -> new Datatype<>(tree, "", false);
      };
    };
  }

  /** Creates a type that a program has built. */
  private static <T> Datatype<T> derived(TypeConstructor constructor) {
    return new Datatype<>(new DerivedTree(constructor), "", false);
  }

  /**
   * Compiles with no lock held: a virtual thread that waited for the compiler's own while others wait for this type in
   * a class initializer, which keeps their carriers, might never find a carrier again. Compiling twice does no harm.
   */
  private Plan compile() {
    if (plan == null) {
      Plan compiled = PlanCompiler.compile(tree.shape(), bounds.extent()).withSignature(new TreeSignature(tree));
      synchronized (this) {
        if (plan == null) {
          plan = compiled;
        }
      }
    }
    return plan;
  }

  /** Refuses a freed type. */
  void requireOpen(String argument) {
    if (closed) {
      throw new MpiException(ErrorClass.ERR_TYPE, argument + ": datatype " + this + " was freed");
    }
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

  /** Which dimension of an array varies fastest. */
  public enum Order {
    /** {@code MPI_ORDER_C}: the last one, as in C and Java. */
    C(Constants.ORDER_C),
    /** {@code MPI_ORDER_FORTRAN}: the first one. */
    FORTRAN(Constants.ORDER_FORTRAN);

    private final int code;

    Order(int code) {
      this.code = code;
    }

    /**
     * Returns the number of {@code MPI_ORDER_…} in the MPI-5 binary interface, as {@link TypeContents} has it.
     *
     * @return one of the constants {@code ORDER_…}
     */
    public int code() {
      return code;
    }
  }

  /** How one dimension of an array is dealt out to processes. */
  public enum Distribution {
    /** {@code MPI_DISTRIBUTE_BLOCK}: one block for each process. */
    BLOCK(Constants.DISTRIBUTE_BLOCK),
    /** {@code MPI_DISTRIBUTE_CYCLIC}: blocks in turn. */
    CYCLIC(Constants.DISTRIBUTE_CYCLIC),
    /** {@code MPI_DISTRIBUTE_NONE}: not at all; every process has the whole dimension. */
    NONE(Constants.DISTRIBUTE_NONE);

    private final int code;

    Distribution(int code) {
      this.code = code;
    }

    /**
     * Returns the number of {@code MPI_DISTRIBUTE_…} in the MPI-5 binary interface, as {@link TypeContents} has it.
     *
     * @return one of the constants {@code DISTRIBUTE_…}
     */
    public int code() {
      return code;
    }
  }

  /**
   * Creates a type of elements side by side ({@code MPI_Type_contiguous}, MPI-4.1 §5.1.2). Local, as all constructors
   * are; the new type has to be committed before it is used in communication, the old one need not be.
   *
   * @param <T> what one element of the old type is in Java
   * @param count number of elements
   * @param old type of the elements
   * @return the new type
   * @throws MpiException ERR_COUNT when {@code count} is negative or makes the type larger than 63 bits can say;
   *     ERR_TYPE when {@code old} is null or was freed
   */
  @Standard({"MPI_Type_contiguous", "MPI_Type_contiguous_c"})
  public static <T> Datatype<T> contiguous(long count, Datatype<T> old) {
    return derived(new Contiguous(count, Arguments.old("old", old)));
  }

  /**
   * Creates a type of blocks at equal distances ({@code MPI_Type_vector}, MPI-4.1 §5.1.2).
   *
   * {@snippet :
   * Datatype<Double> column = Datatype.vector(100, 1, 100, Datatype.DOUBLE).commit();   // of a 100 x 100 matrix
   * }
   *
   * @param <T> what one element of the old type is in Java
   * @param count number of blocks
   * @param blocklength elements in each block
   * @param stride from the start of one block to that of the next, in extents of {@code old}; of any sign
   * @param old type of the elements
   * @return the new type
   * @throws MpiException ERR_COUNT when {@code count} is negative or there are more elements than 63 bits can say;
   *     ERR_ARG when {@code blocklength} is negative or {@code stride} leads too far; ERR_TYPE when {@code old} is null
   *     or was freed
   */
  @Standard({"MPI_Type_vector", "MPI_Type_vector_c"})
  public static <T> Datatype<T> vector(long count, long blocklength, long stride, Datatype<T> old) {
    return derived(new Vector(count, blocklength, stride, Arguments.old("old", old)));
  }

  /**
   * Creates a type of blocks at equal distances ({@code MPI_Type_create_hvector}, MPI-4.1 §5.1.2).
   *
   * @param <T> what one element of the old type is in Java
   * @param count number of blocks
   * @param blocklength elements in each block
   * @param stride from the start of one block to that of the next, in bytes; of any sign
   * @param old type of the elements
   * @return the new type
   * @throws MpiException as {@link #vector}
   */
  @Standard({"MPI_Type_create_hvector", "MPI_Type_create_hvector_c"})
  public static <T> Datatype<T> hvector(long count, long blocklength, long stride, Datatype<T> old) {
    return derived(new Hvector(count, blocklength, stride, Arguments.old("old", old)));
  }

  /**
   * Creates a type of blocks of different length ({@code MPI_Type_indexed}, MPI-4.1 §5.1.2). A message holds the blocks
   * in the order given here, not in that of their displacements.
   *
   * @param <T> what one element of the old type is in Java
   * @param blocklengths elements in each block; copied
   * @param displacements where the blocks begin, in extents of {@code old}; copied
   * @param old type of the elements
   * @return the new type
   * @throws MpiException ERR_ARG when a length is negative, a displacement leads too far or the arrays differ in
   *     length; ERR_COUNT when there are more elements than 63 bits can say; ERR_TYPE when {@code old} is null or was
   *     freed
   */
  @Standard({"MPI_Type_indexed", "MPI_Type_indexed_c"})
  public static <T> Datatype<T> indexed(long[] blocklengths, long[] displacements, Datatype<T> old) {
    return derived(
        new Indexed(
            Arguments.copy("blocklengths", blocklengths),
            Arguments.copy("displacements", displacements),
            Arguments.old("old", old)));
  }

  /**
   * Creates a type of blocks of different length ({@code MPI_Type_create_hindexed}, MPI-4.1 §5.1.2).
   *
   * @param <T> what one element of the old type is in Java
   * @param blocklengths elements in each block; copied
   * @param displacements where the blocks begin, in bytes; copied
   * @param old type of the elements
   * @return the new type
   * @throws MpiException as {@link #indexed}
   */
  @Standard({"MPI_Type_create_hindexed", "MPI_Type_create_hindexed_c"})
  public static <T> Datatype<T> hindexed(long[] blocklengths, long[] displacements, Datatype<T> old) {
    return derived(
        new Hindexed(
            Arguments.copy("blocklengths", blocklengths),
            Arguments.copy("displacements", displacements),
            Arguments.old("old", old)));
  }

  /**
   * Creates a type of blocks of one length ({@code MPI_Type_create_indexed_block}, MPI-4.1 §5.1.2).
   *
   * @param <T> what one element of the old type is in Java
   * @param blocklength elements in each block
   * @param displacements where the blocks begin, in extents of {@code old}; copied
   * @param old type of the elements
   * @return the new type
   * @throws MpiException as {@link #indexed}
   */
  @Standard({"MPI_Type_create_indexed_block", "MPI_Type_create_indexed_block_c"})
  public static <T> Datatype<T> indexedBlock(long blocklength, long[] displacements, Datatype<T> old) {
    return derived(
        new IndexedBlock(
            blocklength, Arguments.copy("displacements", displacements), Arguments.old("old", old)));
  }

  /**
   * Creates a type of blocks of one length ({@code MPI_Type_create_hindexed_block}, MPI-4.1 §5.1.2).
   *
   * @param <T> what one element of the old type is in Java
   * @param blocklength elements in each block
   * @param displacements where the blocks begin, in bytes; copied
   * @param old type of the elements
   * @return the new type
   * @throws MpiException as {@link #indexed}
   */
  @Standard({"MPI_Type_create_hindexed_block", "MPI_Type_create_hindexed_block_c"})
  public static <T> Datatype<T> hindexedBlock(long blocklength, long[] displacements, Datatype<T> old) {
    return derived(
        new HindexedBlock(
            blocklength, Arguments.copy("displacements", displacements), Arguments.old("old", old)));
  }

  /**
   * Creates a type of blocks of different types ({@code MPI_Type_create_struct}, MPI-4.1 §5.1.2).
   *
   * {@snippet :
   * Datatype<Object> particle = Datatype.struct(                       // struct {int kind; double d[6]; char b[7];}
   *     new long[] {1, 6, 7}, new long[] {0, 8, 56}, Datatype.INT, Datatype.DOUBLE, Datatype.CHAR).commit();
   * }
   *
   * @param blocklengths elements in each block; copied
   * @param displacements where the blocks begin, in bytes; copied
   * @param types type of each block's elements; copied
   * @return the new type
   * @throws MpiException ERR_ARG when a length is negative, a displacement leads too far or the arrays differ in
   *     length; ERR_COUNT when there are more elements than 63 bits can say; ERR_TYPE when a type is null or was freed
   */
  @Standard({"MPI_Type_create_struct", "MPI_Type_create_struct_c"})
  public static Datatype<Object> struct(long[] blocklengths, long[] displacements, Datatype<?>... types) {
    return derived(
        new Struct(
            Arguments.copy("blocklengths", blocklengths),
            Arguments.copy("displacements", displacements),
            Arguments.old("types", types)));
  }

  /**
   * Creates a type for a part of an array of several dimensions ({@code MPI_Type_create_subarray}, MPI-4.1 §5.1.3). Its
   * bounds are those of the whole array.
   *
   * @param <T> what one element of the array is in Java
   * @param sizes elements of the whole array along each dimension; copied
   * @param subsizes elements of the part along each dimension, at least one; copied
   * @param starts index of the part's first element along each dimension, counted from 0 in both orders; copied
   * @param order which dimension varies fastest
   * @param old type of the array's elements
   * @return the new type
   * @throws MpiException ERR_ARG when the part does not lie in the array, there is no dimension, the arrays differ in
   *     length or the whole array is larger than 63 bits can say; ERR_TYPE when {@code old} is null or was freed
   */
  @Standard({"MPI_Type_create_subarray", "MPI_Type_create_subarray_c"})
  public static <T> Datatype<T> subarray(
      long[] sizes, long[] subsizes, long[] starts, Order order, Datatype<T> old) {
    return derived(
        new Subarray(
            Arguments.copy("sizes", sizes),
            Arguments.copy("subsizes", subsizes),
            Arguments.copy("starts", starts),
            Arguments.present("order", order),
            Arguments.old("old", old)));
  }

  /**
   * Creates a type for what one process owns of an array that is distributed over a grid of processes, as in High
   * Performance Fortran ({@code MPI_Type_create_darray}, MPI-4.1 §5.1.4). Its bounds are those of the whole array.
   * Processes are numbered with the last dimension of the grid fastest, whatever {@code order} says.
   *
   * <p>Block lengths of {@link Constants#DISTRIBUTE_DFLT_DARG} mean the usual one: as even as possible for BLOCK, 1 for
   * CYCLIC. The number that the MPI-5 binary interface gives this constant is 19, so that blocks of 19 elements cannot
   * be asked for.
   *
   * @param <T> what one element of the array is in Java
   * @param size number of processes
   * @param rank the process whose part is described
   * @param gsizes elements of the whole array along each dimension; copied
   * @param distribs how each dimension is distributed; copied
   * @param dargs length of blocks along each dimension, ignored for NONE; copied
   * @param psizes processes along each dimension, 1 for NONE; copied
   * @param order which dimension of the array varies fastest
   * @param old type of the array's elements
   * @return the new type
   * @throws MpiException ERR_ARG when the arguments do not fit each other, there is no dimension or the whole array is
   *     larger than 63 bits can say; ERR_TYPE when {@code old} is null or was freed
   */
  @Standard({"MPI_Type_create_darray", "MPI_Type_create_darray_c"})
  public static <T> Datatype<T> darray(
      int size,
      int rank,
      long[] gsizes,
      Distribution[] distribs,
      int[] dargs,
      int[] psizes,
      Order order,
      Datatype<T> old) {
    return derived(
        new Darray(
            size,
            rank,
            Arguments.copy("gsizes", gsizes),
            Arguments.list("distribs", distribs),
            Longs.copyOf(Arguments.present("dargs", dargs)),
            Longs.copyOf(Arguments.present("psizes", psizes)),
            Arguments.present("order", order),
            Arguments.old("old", old)));
  }

  /**
   * Creates a type from a memory layout. Its extent is the layout's size; padding is a gap, sent by nobody. Values are
   * sent as bare arrays of them are, so {@code JAVA_INT} is {@link #INT32_T}; an address is an {@link #AINT}. No layout
   * says which member of a union is meant: a union is sent as its bytes, and a type for one of its members is {@link
   * #resized} to the union's size.
   *
   * {@snippet :
   * Datatype<MemorySegment> particle = Datatype.of(MemoryLayout.structLayout(
   *     ValueLayout.JAVA_INT.withName("kind"), MemoryLayout.paddingLayout(4),
   *     MemoryLayout.sequenceLayout(6, ValueLayout.JAVA_DOUBLE).withName("d"))).commit();
   * }
   *
   * @param layout any layout
   * @return the new type, made by {@code struct}, {@code contiguous}, {@code resized} or {@code dup}, not committed;
   *     {@link #get} returns slices
   * @throws MpiException ERR_TYPE when a value in the layout has not the machine's byte order, when the size is no
   *     multiple of the alignment, so that elements could not lie side by side, and when the layout is null
   */
  public static Datatype<MemorySegment> of(MemoryLayout layout) {
    TypeTree tree = LayoutTypes.tree(layout);
    return new Datatype<>(tree, new SegmentCarrier(layout.byteSize()));
  }

  /**
   * Creates a type for records that lie in memory as C structs: components in the order they are declared, each at the
   * next multiple of its alignment, and padding at the end. Components are primitive types ({@code boolean} is {@link
   * #C_BOOL}, {@code char} is {@link #UINT16_T}), records, and arrays of them whose {@link Length} is given.
   *
   * {@snippet :
   * record Particle(int kind, @Length(6) double[] d) {}
   * Datatype<Particle> type = Datatype.ofRecord(Particle.class).commit();
   * type.set(buffer, 3, new Particle(1, new double[6]));
   * }
   *
   * <p>Records of a named module must be public in an exported package, or their package open to {@code
   * org.ffmpi.datatype}.
   *
   * @param <R> the record
   * @param type its class
   * @return the new type, not committed; each call returns a type of its own
   * @throws MpiException ERR_TYPE when the class is no record or cannot be accessed, or a component has another type,
   *     no length or lengths that do not fit it
   */
  @SuppressWarnings("unchecked") // what is known about a record class reads and writes that class
  public static <R extends Record> Datatype<R> ofRecord(Class<R> type) {
    RecordTypes record = RecordTypes.of(type);
    return new Datatype<>(record.tree(), (Carrier<R>) record.carrier());
  }

  /**
   * Returns the type of a Fortran real of at least some precision and range ({@code MPI_Type_create_f90_real}, MPI-4.1
   * §19.1.5): {@link #REAL4} up to 6 digits and an exponent of 37, {@link #REAL8} up to 15 and 307, {@link #REAL16} up
   * to 33 and 4931. It is predefined: committed, the same object for equal arguments, and never freed.
   *
   * @param p decimal digits, or {@link Constants#UNDEFINED}
   * @param r decimal exponent range, or {@link Constants#UNDEFINED}, but not both
   * @return a type without name
   * @throws MpiException ERR_ARG when there is no such kind
   */
  @Standard({"MPI_Type_create_f90_real"})
  public static Datatype<?> f90Real(int p, int r) {
    return FortranTypes.real(p, r);
  }

  /**
   * Returns the type of a Fortran complex number whose parts have at least some precision and range
   * ({@code MPI_Type_create_f90_complex}, MPI-4.1 §19.1.5), as {@link #f90Real} does for reals.
   *
   * @param p decimal digits, or {@link Constants#UNDEFINED}
   * @param r decimal exponent range, or {@link Constants#UNDEFINED}, but not both
   * @return a type without name
   * @throws MpiException ERR_ARG when there is no such kind
   */
  @Standard({"MPI_Type_create_f90_complex"})
  public static Datatype<?> f90Complex(int p, int r) {
    return FortranTypes.complex(p, r);
  }

  /**
   * Returns the type of a Fortran integer of at least some range ({@code MPI_Type_create_f90_integer}, MPI-4.1
   * §19.1.5): {@link #INTEGER1} up to 2 decimal digits, {@link #INTEGER2} up to 4, {@link #INTEGER4} up to 9, {@link
   * #INTEGER8} up to 18, {@link #INTEGER16} up to 38. It is predefined: committed, the same object for equal arguments,
   * and never freed.
   *
   * @param r decimal digits
   * @return a type without name
   * @throws MpiException ERR_ARG when there is no such kind
   */
  @Standard({"MPI_Type_create_f90_integer"})
  public static Datatype<?> f90Integer(int r) {
    return FortranTypes.integer(r);
  }

  /**
   * Returns the Fortran type of a class and size ({@code MPI_Type_match_size}, MPI-4.1 §19.1.5).
   *
   * @param typeClass integer, real or complex
   * @param size bytes
   * @return a predefined type such as {@link #REAL8}
   * @throws MpiException ERR_ARG when there is none
   */
  @Standard({"MPI_Type_match_size"})
  public static Datatype<?> matchSize(TypeClass typeClass, int size) {
    return FortranTypes.matching(typeClass, size);
  }

  /**
   * Returns the type of pairs of value and index for MAXLOC and MINLOC ({@code MPI_Type_get_value_index}, MPI-4.1
   * §6.9.4): a C struct of both. (FLOAT, INT), (DOUBLE, INT), (LONG, INT), (INT, INT), (SHORT, INT) and (LONG_DOUBLE,
   * INT) give the pairs that MPI names, as do (REAL, REAL), (DOUBLE_PRECISION, DOUBLE_PRECISION) and (INTEGER,
   * INTEGER). For other predefined integer and floating-point types and any integer index the pair has no name, but is
   * predefined likewise: committed, the same object for equal arguments, and never freed.
   *
   * @param value type of the value
   * @param index type of the index
   * @return the type of the pair
   * @throws MpiException ERR_TYPE where there is no such pair and C's procedure returns {@code MPI_DATATYPE_NULL}: for
   *     an index that is no integer, a value without order, and values that Java cannot compare
   */
  @Standard({"MPI_Type_get_value_index"})
  public static Datatype<?> valueIndex(Datatype<?> value, Datatype<?> index) {
    return PairTypes.of(value, index);
  }

  /**
   * Creates a type with the data of this one and other bounds, which replace all that were set before
   * ({@code MPI_Type_create_resized}, MPI-4.1 §5.1.7).
   *
   * @param lowerBound the new lower bound in bytes
   * @param extent the new extent in bytes; of any sign
   * @return the new type, not committed
   * @throws MpiException ERR_ARG when their sum does not fit in 63 bits; ERR_TYPE when this type was freed
   */
  @Standard({"MPI_Type_create_resized", "MPI_Type_create_resized_c"})
  public Datatype<T> resized(long lowerBound, long extent) {
    Datatype<T> resized = derived(new Resized(lowerBound, extent, Arguments.old("type", this)));
    resized.carrier = carrierOrNull();
    return resized;
  }

  /**
   * Creates a duplicate ({@code MPI_Type_dup}, MPI-4.1 §5.1.10): same data, bounds and state of commitment; of the
   * attributes, what their keys' copy functions say. It has no name.
   *
   * @return the duplicate, to be freed on its own
   * @throws MpiException ERR_TYPE when this type was freed
   * @throws RuntimeException what a copy function throws; there is no duplicate then
   */
  @Standard({"MPI_Type_dup"})
  public Datatype<T> dup() {
    Datatype<T> duplicate = bare();
    Attributes<Datatype<?>> mine;
    synchronized (this) {
      mine = attributes;
    }
    if (mine != null) {
      mine.copyTo(duplicate.attributes());
    }
    return duplicate;
  }

  /**
   * Creates a duplicate without attributes or a name, for a library that needs the type to stay when its user frees it.
   *
   * @return a duplicate, committed if this type is; it need not be freed
   * @throws MpiException ERR_TYPE when this type was freed
   */
  public Datatype<T> bare() {
    Datatype<T> duplicate = derived(new Dup(Arguments.old("type", this)));
    duplicate.plan = isCommitted() ? plan() : null;
    duplicate.carrier = carrierOrNull();
    return duplicate;
  }

  /**
   * Returns the type's name ({@code MPI_Type_get_name}, MPI-4.1 §7.8): for a predefined type its MPI name; a synonym
   * answers with the name of the type it stands for. Other types have none until {@link #setName}.
   *
   * @return the name, for example {@code MPI_DOUBLE}; empty when there is none
   */
  @Standard({"MPI_Type_get_name"})
  public String name() {
    return name;
  }

  /**
   * Gives the type a name, for messages and debuggers ({@code MPI_Type_set_name}, MPI-4.1 §7.8). Local. Names that a
   * world gives to predefined types, which all worlds share, are kept by that world.
   *
   * @param name less than {@link Constants#MAX_OBJECT_NAME} characters
   * @throws MpiException ERR_ARG when the name is null or too long; ERR_TYPE when the type is predefined or was freed
   */
  @Standard({"MPI_Type_set_name"})
  public void setName(String name) {
    requireOpen("type");
    if (predefined) {
      throw MpiException.argument(ErrorClass.ERR_TYPE, "type", this, "types that are not predefined");
    }
    if (name == null || name.length() >= Constants.MAX_OBJECT_NAME) {
      throw MpiException.argument(
          ErrorClass.ERR_ARG, "name", name, "names of less than " + Constants.MAX_OBJECT_NAME + " characters");
    }
    this.name = name;
  }

  /**
   * Returns what is attached to the type ({@code MPI_Type_set_attr}, {@code MPI_Type_get_attr}, {@code
   * MPI_Type_delete_attr}, MPI-4.1 §7.7.4). What a world attaches to predefined types, which all worlds share, is kept
   * by that world.
   *
   * @return the table of attributes
   * @throws MpiException ERR_TYPE when the type is predefined or was freed
   */
  public synchronized Attributes<Datatype<?>> attributes() {
    requireOpen("type");
    if (predefined) {
      throw MpiException.argument(ErrorClass.ERR_TYPE, "type", this, "types that are not predefined");
    }
    if (attributes == null) {
      attributes = new Attributes<>(this);
    }
    return attributes;
  }

  /**
   * Returns the bytes of data in one element, gaps not counted ({@code MPI_Type_size}, MPI-4.1 §5.1.5).
   *
   * @return bytes in a packed element
   */
  @Standard({"MPI_Type_size", "MPI_Type_size_c", "MPI_Type_size_x"})
  public long size() {
    requireOpen("type");
    return bounds.size();
  }

  /**
   * Returns the size in bytes as the calls of C without {@code _c} do.
   *
   * @return the size in bytes, or {@link Constants#UNDEFINED} when it does not fit in an {@code int}
   */
  @Standard({"MPI_Type_size"})
  public int sizeInt() {
    return asInt(size());
  }

  /**
   * Returns the distance in bytes between consecutive elements of a buffer ({@code MPI_Type_get_extent}, MPI-4.1
   * §5.1.7).
   *
   * @return the extent in bytes
   */
  @Standard({"MPI_Type_get_extent", "MPI_Type_get_extent_c", "MPI_Type_get_extent_x"})
  public long extent() {
    requireOpen("type");
    return bounds.extent();
  }

  /**
   * Returns the extent in bytes as the calls of C without {@code _c} do.
   *
   * @return the extent in bytes, or {@link Constants#UNDEFINED} when it does not fit in an {@code int}
   */
  @Standard({"MPI_Type_get_extent"})
  public int extentInt() {
    return asInt(extent());
  }

  /**
   * Returns the lower bound in bytes ({@code MPI_Type_get_extent}, MPI-4.1 §5.1.7).
   *
   * @return displacement of the lower bound from the buffer's address
   */
  @Standard({"MPI_Type_get_extent", "MPI_Type_get_extent_c", "MPI_Type_get_extent_x"})
  public long lowerBound() {
    requireOpen("type");
    return bounds.lowerBound();
  }

  /**
   * Returns the lower bound in bytes as the calls of C without {@code _c} do.
   *
   * @return the lower bound in bytes, or {@link Constants#UNDEFINED} when it does not fit in an {@code int}
   */
  @Standard({"MPI_Type_get_extent"})
  public int lowerBoundInt() {
    return asInt(lowerBound());
  }

  /**
   * Returns the upper bound in bytes: lower bound plus extent (MPI-4.1 §5.1.6).
   *
   * @return displacement of the upper bound from the buffer's address
   */
  public long upperBound() {
    requireOpen("type");
    return bounds.upperBound();
  }

  /**
   * Returns the displacement of the lowest byte of data ({@code MPI_Type_get_true_extent}, MPI-4.1 §5.1.8).
   *
   * @return displacement in bytes from the buffer's address
   */
  @Standard({"MPI_Type_get_true_extent", "MPI_Type_get_true_extent_c", "MPI_Type_get_true_extent_x"})
  public long trueLowerBound() {
    requireOpen("type");
    return bounds.trueLowerBound();
  }

  /**
   * Returns the true lower bound in bytes as the calls of C without {@code _c} do.
   *
   * @return the true lower bound in bytes, or {@link Constants#UNDEFINED} when it does not fit in an {@code int}
   */
  @Standard({"MPI_Type_get_true_extent"})
  public int trueLowerBoundInt() {
    return asInt(trueLowerBound());
  }

  /**
   * Returns the bytes from the first to the last byte of data of one element ({@code MPI_Type_get_true_extent}, MPI-4.1
   * §5.1.8). {@code count} elements need {@code trueExtent() + (count - 1) * extent()} bytes of memory.
   *
   * @return the true extent in bytes
   */
  @Standard({"MPI_Type_get_true_extent", "MPI_Type_get_true_extent_c", "MPI_Type_get_true_extent_x"})
  public long trueExtent() {
    requireOpen("type");
    return bounds.trueExtent();
  }

  /**
   * Returns the true extent in bytes as the calls of C without {@code _c} do.
   *
   * @return the true extent in bytes, or {@link Constants#UNDEFINED} when it does not fit in an {@code int}
   */
  @Standard({"MPI_Type_get_true_extent"})
  public int trueExtentInt() {
    return asInt(trueExtent());
  }

  private static int asInt(long value) {
    return value == (int) value ? (int) value : Constants.UNDEFINED;
  }

  /**
   * Tells whether the type may be used in communication (MPI-4.1 §5.1.9).
   *
   * @return true for predefined types and after {@link #commit}
   */
  public boolean isCommitted() {
    return predefined || plan != null;
  }

  /**
   * Makes the type usable in communication by compiling it ({@code MPI_Type_commit}, MPI-4.1 §5.1.9). Local; committing
   * a committed type, as every predefined one is, does nothing.
   *
   * @return this type
   * @throws MpiException ERR_TYPE when the type was freed
   */
  @Standard({"MPI_Type_commit"})
  public Datatype<T> commit() {
    requireOpen("type");
    compile();
    return this;
  }

  /**
   * Frees the type ({@code MPI_Type_free}, MPI-4.1 §5.1.9). Local. What was started with it completes, and types built
   * from it are not affected. Attributes are deleted first, what was set last going first. Closing again does nothing.
   *
   * @throws MpiException ERR_TYPE when the type is predefined
   * @throws RuntimeException what a delete function throws; the type is not freed then
   */
  @Override
  @Standard({"MPI_Type_free"})
  public void close() {
    if (predefined) {
      throw MpiException.argument(ErrorClass.ERR_TYPE, "type", this, "types that are not predefined");
    }
    Attributes<Datatype<?>> mine;
    synchronized (this) {
      mine = attributes;
    }
    if (mine != null) {
      mine.deleteAll();
    }
    closed = true;
  }

  /**
   * Tells whether the type was freed.
   *
   * @return true after {@link #close}
   */
  public boolean isClosed() {
    return closed;
  }

  /**
   * Tells whether MPI calls the type predefined: the constants of this class, their synonyms, and unnamed types that
   * MPI hands out ready made. They are committed and cannot be freed.
   *
   * @return true for a predefined type
   */
  public boolean isPredefined() {
    return predefined;
  }

  /**
   * Returns what the type was compiled to.
   *
   * @return the plan by which its elements are packed and unpacked
   * @throws MpiException ERR_TYPE when the type is not committed or was freed
   */
  public Plan plan() {
    requireOpen("type");
    Plan compiled = plan;
    if (compiled != null) {
      return compiled;
    }
    if (!predefined) {
      throw new MpiException(ErrorClass.ERR_TYPE, "datatype " + this + " is not committed: call commit() first");
    }
    return compile(); // most programs use few predefined types: none is compiled before it is used
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
   * @return an array class of a primitive type; empty where only {@code byte[]} can hold elements, or the basic types
   *     are of several kinds
   */
  public Optional<Class<?>> arrayClass() {
    return tree instanceof TypeTree.Named(Basic named)
        ? named.element().arrayClass()
        : tree.signature().basic().flatMap(basic -> basic.element().arrayClass());
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
   * Reads an element. Types have a form in Java if they are predefined and have a primitive one, or come from {@link
   * #ofRecord} or {@link #of(MemoryLayout)}; so have their duplicates and resized forms.
   *
   * @param segment the buffer
   * @param index number of the element; its origin lies {@code index * extent()} bytes from the segment's start
   * @return a new object; a slice of the segment for a type that comes from a layout
   * @throws MpiException ERR_TYPE when elements have no form in Java or the type was freed; ERR_ARG when the index is
   *     negative; ERR_BUFFER when the segment is null or ends before the element does, its arena is closed or another
   *     thread's
   */
  public T get(MemorySegment segment, long index) {
    Carrier<T> form = carrier();
    long at = place(segment, index);
    try {
      return form.read(segment, at);
    } catch (IllegalStateException | WrongThreadException e) {
      throw inaccessible(segment, e);
    }
  }

  /**
   * Writes an element; see {@link #get}. Gaps are not written, except by a type that comes from a layout, which copies
   * whole elements.
   *
   * @param segment the buffer
   * @param index number of the element
   * @param value what to write; nothing has been written when this throws
   * @throws MpiException ERR_TYPE when elements have no form in Java or the type was freed; ERR_ARG when the index is
   *     negative, or the value or a part of it is null or an array of another length; ERR_BUFFER when the segment is
   *     null, read-only or ends before the element does, its arena is closed or another thread's
   */
  public void set(MemorySegment segment, long index, T value) {
    Carrier<T> form = carrier();
    long at = place(segment, index);
    if (segment.isReadOnly()) {
      throw MpiException.argument(ErrorClass.ERR_BUFFER, "segment", "read-only", "segments that can be written");
    }
    if (value == null) {
      throw MpiException.argument(ErrorClass.ERR_ARG, "value", "null", "objects");
    }
    try {
      form.write(segment, at, value);
    } catch (IllegalStateException | WrongThreadException e) {
      throw inaccessible(value instanceof MemorySegment from && isAccessible(segment) ? from : segment, e);
    }
  }

  /** What to throw for memory that cannot be touched; a record's own exceptions go on as they are. */
  private static RuntimeException inaccessible(MemorySegment segment, RuntimeException cause) {
    return isAccessible(segment)
        ? cause
        : new MpiException(
            ErrorClass.ERR_BUFFER, "segment = " + segment + ": its arena is closed or is another thread's", cause);
  }

  private static boolean isAccessible(MemorySegment segment) {
    return segment.scope().isAlive() && segment.isAccessibleBy(Thread.currentThread());
  }

  /**
   * Tells whether elements have a form in Java, in which {@link #get} and {@link #set} move them.
   *
   * @return true for types of one primitive value, of records and of layouts
   */
  public boolean hasJavaForm() {
    return carrierOrNull() != null;
  }

  /** Returns how elements are read and written, or null when they have no form in Java. */
  @SuppressWarnings("unchecked") // a predefined type's element and the constant's T agree
  private Carrier<T> carrierOrNull() {
    Carrier<T> known = carrier;
    if (known == null && predefined && UnitSearch.only(tree) instanceof Basic basic) {
      known = (Carrier<T>) BasicCarriers.of(basic.element());
      carrier = known;
    }
    return known;
  }

  private Carrier<T> carrier() {
    requireOpen("type");
    Carrier<T> known = carrierOrNull();
    if (known == null) {
      throw new MpiException(ErrorClass.ERR_TYPE, "datatype " + this + ": an element has no form in Java; types of one"
          + " primitive value, of records and of layouts have one");
    }
    return known;
  }

  /** Returns where an element lies in a segment that holds all of it. */
  private long place(MemorySegment segment, long index) {
    if (index < 0) {
      throw MpiException.argument(ErrorClass.ERR_ARG, "index", index, "indices that are not negative");
    }
    if (segment == null) {
      throw MpiException.argument(ErrorClass.ERR_BUFFER, "segment", "null", "memory segments");
    }
    long at = index * bounds.extent();
    boolean fits = Math.multiplyHigh(index, bounds.extent()) == at >> 63
        && at + bounds.trueLowerBound() >= 0
        && at <= segment.byteSize() - bounds.trueUpperBound();
    if (!fits) {
      throw new MpiException(ErrorClass.ERR_BUFFER, "segment has " + segment.byteSize() + " bytes: too small for"
          + " element " + index + " of extent " + bounds.extent() + " and true extent " + bounds.trueExtent());
    }
    return at;
  }

  /**
   * Returns the layout of an element in memory, the way back of {@link #of(MemoryLayout)}: for a type that comes from a
   * layout or record that layout with all its names, for a predefined type the layout of its value (complex numbers are
   * structs of two, pairs structs of value and index, numbers that Java has no type for sequences of words or bytes).
   *
   * @return a layout of {@code extent()} bytes; empty when data overlap, do not lie in increasing order, or do not lie
   *     between 0 and the extent
   * @throws MpiException ERR_TYPE when the type was freed
   */
  public Optional<MemoryLayout> layout() {
    requireOpen("type");
    return TypeLayouts.of(tree);
  }

  /**
   * Returns the one predefined type that all of this type's data are of: what predefined operations work on.
   *
   * @return empty for types that mix several, and for those without data
   * @throws MpiException ERR_TYPE when the type was freed
   */
  public Optional<ReductionUnit> reductionUnit() {
    requireOpen("type");
    return Optional.ofNullable(UnitSearch.only(tree));
  }

  /**
   * Returns how many whole elements a message holds (the rule of {@code MPI_Get_count}, MPI-4.1 §3.2.5).
   *
   * @param bytes length of the packed message
   * @return the number of elements, or {@link Constants#UNDEFINED} when the last one is not complete
   * @throws MpiException ERR_ARG when {@code bytes} is negative, ERR_TYPE when the type was freed
   */
  public long count(long bytes) {
    Arguments.notNegative("bytes", bytes);
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
   * @throws MpiException ERR_ARG when {@code bytes} is negative, ERR_TYPE when the type was freed
   */
  public long elements(long bytes) {
    Arguments.notNegative("bytes", bytes);
    return signature().elementsIn(bytes);
  }

  /**
   * Returns how many bytes so many basic elements take in a message: the inverse of {@link #elements}, for {@code
   * MPI_Status_set_elements} (MPI-4.1 §13.3).
   *
   * @param elements number of basic elements, the last element of the type possibly not complete
   * @return bytes of the packed message
   * @throws MpiException ERR_COUNT when {@code elements} is negative or too large, or positive for an empty type;
   *     ERR_TYPE when the type was freed
   */
  public long bytesOf(long elements) {
    return signature().bytesIn(elements);
  }

  /**
   * Returns which basic types an element is made of, wherever they lie (MPI-4.1 §5.1).
   *
   * @return the type signature
   * @throws MpiException ERR_TYPE when the type was freed
   */
  public Signature signature() {
    requireOpen("type");
    return tree.signature();
  }

  /**
   * Returns which constructor made the type and how many arguments it had ({@code MPI_Type_get_envelope}, MPI-4.1
   * §5.1.13).
   *
   * @return the constructor as it was called, whatever the type was compiled to
   * @throws MpiException ERR_TYPE when the type was freed
   */
  @Standard({"MPI_Type_get_envelope", "MPI_Type_get_envelope_c"})
  public TypeEnvelope envelope() {
    requireOpen("type");
    return TypeDecoder.envelope(tree);
  }

  /**
   * Returns the arguments of the constructor that made the type ({@code MPI_Type_get_contents}, MPI-4.1 §5.1.13).
   *
   * @return the arguments, those that are datatypes as constants or as new objects
   * @throws MpiException ERR_TYPE when the type has a name in MPI, and with it no contents, or was freed
   */
  @Standard({"MPI_Type_get_contents", "MPI_Type_get_contents_c"})
  public TypeContents contents() {
    requireOpen("type");
    return TypeDecoder.contents(tree);
  }

  /**
   * Returns the constructors that made the type and all their arguments, for people.
   *
   * @return several lines, cut where they become very many
   * @throws MpiException ERR_TYPE when the type was freed
   */
  public String describe() {
    requireOpen("type");
    return TypeDescription.of(tree);
  }

  /**
   * Returns the name or, where there is none, the constructors that made the type, for messages.
   *
   * @return one line
   */
  @Override
  public String toString() {
    return name.isEmpty() ? TypePrinter.shortForm(tree) : name;
  }
}
