// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import org.ffmpi.base.Attributes;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Standard;
import org.ffmpi.datatype.basic.Longs;
import org.ffmpi.datatype.basic.TypeArguments;
import org.ffmpi.datatype.handle.FortranTypes;
import org.ffmpi.datatype.handle.PairTypes;
import org.ffmpi.datatype.handle.PredefinedHandles;
import org.ffmpi.datatype.handle.TypeDecoder;
import org.ffmpi.datatype.handle.TypeHandle;
import org.ffmpi.datatype.tree.ContiguousType;
import org.ffmpi.datatype.tree.DarrayType;
import org.ffmpi.datatype.tree.HindexedBlockType;
import org.ffmpi.datatype.tree.HindexedType;
import org.ffmpi.datatype.tree.HvectorType;
import org.ffmpi.datatype.tree.IndexedBlockType;
import org.ffmpi.datatype.tree.IndexedType;
import org.ffmpi.datatype.tree.StructType;
import org.ffmpi.datatype.tree.SubarrayType;
import org.ffmpi.datatype.tree.VectorType;

/**
 * An MPI datatype: the kind of the elements of a buffer, and the places of their bytes ({@code MPI_Datatype}, MPI-4.1
 * chapter 5 and §3.2.2). A type describes a layout only; it holds no data and no address.
 *
 * {@snippet :
 * long bytes = Datatype.DOUBLE_INT.size();            // 12: a double and an int are sent
 * long apart = Datatype.DOUBLE_INT.extent();          // 16: elements lie 16 bytes apart in memory
 * Datatype<?> type = Datatype.ofArray(long[].class);  // INT64_T, the default for long[]
 * }
 *
 * <p>Two types are the same only if they are the same object, as handles in C. {@link #envelope} and {@link #contents}
 * show the constructor that made a type and its arguments. The predefined types are constants of this interface, which
 * it inherits from {@link PredefinedTypes}.
 *
 * <p>All other types are built from them. A built type describes a layout at once, can be used in communication after
 * {@link #commit}, and is freed by {@link #close}; operations started with it complete, and types built from it
 * stay valid. Counts, displacements and strides are {@code long}. Types are immutable except for name, attributes and
 * this state, and any thread may use them.
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
 * <p>This file is long because every constructor of the standard has its Javadoc here, where programs call it. The
 * object behind a type is internal; each method forwards to it.
 *
 * @param <T> what one element is in Java: the box of a primitive type, a record, or {@code Object} where there is none;
 *     a type of several elements keeps that of its old type
 */
public sealed interface Datatype<T> extends PredefinedTypes, TypeExtent, TypeElements<T>, AutoCloseable
    permits TypeHandle {
  /**
   * Returns all predefined types, each once, in the order of the standard's tables.
   *
   * @return an unmodifiable list
   */
  static List<Datatype<?>> predefined() {
    return PredefinedHandles.all();
  }

  /**
   * Returns the default type of a Java array, for calls that name no type: {@code byte[]} INT8_T, {@code short[]}
   * INT16_T, {@code char[]} UINT16_T, {@code int[]} INT32_T, {@code long[]} INT64_T, {@code float[]} FLOAT, {@code
   * double[]} DOUBLE, {@code boolean[]} C_BOOL.
   *
   * @param arrayClass an array class of a primitive type
   * @return the type
   * @throws MpiException ERR_TYPE for any other class
   */
  static Datatype<?> ofArray(Class<?> arrayClass) {
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
        ErrorClass.ERR_TYPE, "arrayClass", arrayClass == null ? null : arrayClass.getTypeName(),
        "an array of a primitive type");
  }

  /** Which dimension of an array varies fastest. */
  enum Order {
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
  enum Distribution {
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
   * @throws MpiException ERR_COUNT when {@code count} is negative or makes the type larger than 63 bits can hold;
   *     ERR_TYPE when {@code old} is null or was freed
   */
  @Standard({"MPI_Type_contiguous", "MPI_Type_contiguous_c"})
  static <T> Datatype<T> contiguous(long count, Datatype<T> old) {
    return TypeHandle.derived(new ContiguousType(count, TypeHandle.tree("old", old)));
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
   * @throws MpiException ERR_COUNT when {@code count} is negative or there are more elements than 63 bits can hold;
   *     ERR_ARG when {@code blocklength} is negative or {@code stride} leads too far; ERR_TYPE when {@code old} is null
   *     or was freed
   */
  @Standard({"MPI_Type_vector", "MPI_Type_vector_c"})
  static <T> Datatype<T> vector(long count, long blocklength, long stride, Datatype<T> old) {
    return TypeHandle.derived(new VectorType(count, blocklength, stride, TypeHandle.tree("old", old)));
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
  static <T> Datatype<T> hvector(long count, long blocklength, long stride, Datatype<T> old) {
    return TypeHandle.derived(new HvectorType(count, blocklength, stride, TypeHandle.tree("old", old)));
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
   *     length; ERR_COUNT when there are more elements than 63 bits can hold; ERR_TYPE when {@code old} is null or was
   *     freed
   */
  @Standard({"MPI_Type_indexed", "MPI_Type_indexed_c"})
  static <T> Datatype<T> indexed(long[] blocklengths, long[] displacements, Datatype<T> old) {
    return TypeHandle.derived(
        new IndexedType(
            TypeArguments.copy("blocklengths", blocklengths),
            TypeArguments.copy("displacements", displacements),
            TypeHandle.tree("old", old)));
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
  static <T> Datatype<T> hindexed(long[] blocklengths, long[] displacements, Datatype<T> old) {
    return TypeHandle.derived(
        new HindexedType(
            TypeArguments.copy("blocklengths", blocklengths),
            TypeArguments.copy("displacements", displacements),
            TypeHandle.tree("old", old)));
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
  static <T> Datatype<T> indexedBlock(long blocklength, long[] displacements, Datatype<T> old) {
    return TypeHandle.derived(
        new IndexedBlockType(
            blocklength, TypeArguments.copy("displacements", displacements), TypeHandle.tree("old", old)));
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
  static <T> Datatype<T> hindexedBlock(long blocklength, long[] displacements, Datatype<T> old) {
    return TypeHandle.derived(
        new HindexedBlockType(
            blocklength, TypeArguments.copy("displacements", displacements), TypeHandle.tree("old", old)));
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
   *     length; ERR_COUNT when there are more elements than 63 bits can hold; ERR_TYPE when a type is null or was freed
   */
  @Standard({"MPI_Type_create_struct", "MPI_Type_create_struct_c"})
  static Datatype<Object> struct(long[] blocklengths, long[] displacements, Datatype<?>... types) {
    return TypeHandle.derived(
        new StructType(
            TypeArguments.copy("blocklengths", blocklengths),
            TypeArguments.copy("displacements", displacements),
            TypeHandle.trees("types", types)));
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
   *     length or the whole array is larger than 63 bits can hold; ERR_TYPE when {@code old} is null or was freed
   */
  @Standard({"MPI_Type_create_subarray", "MPI_Type_create_subarray_c"})
  static <T> Datatype<T> subarray(
      long[] sizes, long[] subsizes, long[] starts, Order order, Datatype<T> old) {
    return TypeHandle.derived(
        new SubarrayType(
            TypeArguments.copy("sizes", sizes),
            TypeArguments.copy("subsizes", subsizes),
            TypeArguments.copy("starts", starts),
            TypeArguments.present("order", order),
            TypeHandle.tree("old", old)));
  }

  /**
   * Creates a type for what one process owns of an array that is distributed over a grid of processes, as in High
   * Performance Fortran ({@code MPI_Type_create_darray}, MPI-4.1 §5.1.4). Its bounds are those of the whole array.
   * Processes are numbered with the last dimension of the grid fastest, for both values of {@code order}.
   *
   * <p>Block lengths of {@link Constants#DISTRIBUTE_DFLT_DARG} mean the usual one: as even as possible for BLOCK, 1 for
   * CYCLIC.
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
   *     larger than 63 bits can hold; ERR_TYPE when {@code old} is null or was freed
   */
  @Standard({"MPI_Type_create_darray", "MPI_Type_create_darray_c"})
  static <T> Datatype<T> darray(
      int size,
      int rank,
      long[] gsizes,
      Distribution[] distribs,
      int[] dargs,
      int[] psizes,
      Order order,
      Datatype<T> old) {
    return TypeHandle.derived(
        new DarrayType(
            size,
            rank,
            TypeArguments.copy("gsizes", gsizes),
            TypeArguments.list("distribs", distribs),
            Longs.copyOf(TypeArguments.present("dargs", dargs)),
            Longs.copyOf(TypeArguments.present("psizes", psizes)),
            TypeArguments.present("order", order),
            TypeHandle.tree("old", old)));
  }

  /**
   * Creates a type from a memory layout. Its extent is the layout's size; padding is a gap and is not sent. A value has
   * the type of an array of such values, so {@code JAVA_INT} is {@link #INT32_T}; an address is an {@link #AINT}. A
   * union is sent as its bytes, because its layout does not have the member in use. A type for one of its members is
   * {@link #resized} to the union's size.
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
  static Datatype<MemorySegment> of(MemoryLayout layout) {
    return TypeHandle.ofLayout(layout);
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
  static <R extends Record> Datatype<R> ofRecord(Class<R> type) {
    return TypeHandle.ofRecord(type);
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
  static Datatype<?> f90Real(int p, int r) {
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
  static Datatype<?> f90Complex(int p, int r) {
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
  static Datatype<?> f90Integer(int r) {
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
  static Datatype<?> matchSize(TypeClass typeClass, int size) {
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
   *     an index that is no integer and a value without order
   */
  @Standard({"MPI_Type_get_value_index"})
  static Datatype<?> valueIndex(Datatype<?> value, Datatype<?> index) {
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
  default Datatype<T> resized(long lowerBound, long extent) {
    return TypeHandle.of(this).withBounds(lowerBound, extent);
  }

  /**
   * Creates a duplicate ({@code MPI_Type_dup}, MPI-4.1 §5.1.10): same data, bounds and state of commitment, and
   * the attributes that their keys' copy functions return. It has no name.
   *
   * @return the duplicate, to be freed on its own
   * @throws MpiException ERR_TYPE when this type was freed
   * @throws RuntimeException of a copy function; there is no duplicate then
   */
  @Standard({"MPI_Type_dup"})
  default Datatype<T> dup() {
    return TypeHandle.of(this).duplicate();
  }

  /**
   * Returns the type's name ({@code MPI_Type_get_name}, MPI-4.1 §7.8): for a predefined type its MPI name; a synonym
   * answers with the name of the type it stands for. Other types have none until {@link #setName}.
   *
   * @return the name, for example {@code MPI_DOUBLE}; empty when there is none
   */
  @Standard({"MPI_Type_get_name"})
  default String name() {
    return TypeHandle.of(this).currentName();
  }

  /**
   * Gives the type a name, for messages and debuggers ({@code MPI_Type_set_name}, MPI-4.1 §7.8). Local. Names that a
   * world gives to predefined types, which all worlds share, are kept by that world.
   *
   * @param name the name, of which the first {@code MAX_OBJECT_NAME} - 1 characters are kept
   * @throws MpiException ERR_ARG when the name is null; ERR_TYPE when the type is predefined or was freed
   */
  @Standard({"MPI_Type_set_name"})
  default void setName(String name) {
    TypeHandle.of(this).rename(name);
  }

  /**
   * Returns the attributes of the type ({@code MPI_Type_set_attr}, {@code MPI_Type_get_attr}, {@code
   * MPI_Type_delete_attr}, MPI-4.1 §7.7.4). The attributes that a world sets on predefined types, which all worlds
   * share, are kept by that world.
   *
   * @return the table of attributes
   * @throws MpiException ERR_TYPE when the type is predefined or was freed
   */
  Attributes<Datatype<?>> attributes();

  /**
   * Returns whether the type may be used in communication (MPI-4.1 §5.1.9).
   *
   * @return true for predefined types and after {@link #commit}
   */
  boolean isCommitted();

  /**
   * Makes the type usable in communication by compiling it ({@code MPI_Type_commit}, MPI-4.1 §5.1.9). Local; committing
   * a committed type, as every predefined one is, does nothing.
   *
   * @return this type
   * @throws MpiException ERR_TYPE when the type was freed
   */
  @Standard({"MPI_Type_commit"})
  default Datatype<T> commit() {
    return TypeHandle.of(this).committed();
  }

  /**
   * Frees the type ({@code MPI_Type_free}, MPI-4.1 §5.1.9). Local. Operations started with it complete, and types built
   * from it are not affected. Attributes are deleted first, in reverse order of their setting. Closing again does
   * nothing.
   *
   * @throws MpiException ERR_TYPE when the type is predefined
   * @throws RuntimeException of a delete function; the type is not freed then
   */
  @Override
  @Standard({"MPI_Type_free"})
  default void close() {
    TypeHandle.of(this).free();
  }

  /**
   * Returns whether the type was freed.
   *
   * @return true after {@link #close}
   */
  boolean isClosed();

  /**
   * Returns whether the type is predefined: a constant of this interface, a synonym, or one of the unnamed types that
   * MPI provides. Predefined types are committed and cannot be freed.
   *
   * @return true for a predefined type
   */
  boolean isPredefined();

  /**
   * Returns which constructor made the type and how many arguments it had ({@code MPI_Type_get_envelope}, MPI-4.1
   * §5.1.13).
   *
   * @return the constructor and the numbers of its arguments, as the program called it
   * @throws MpiException ERR_TYPE when the type was freed
   */
  @Standard({"MPI_Type_get_envelope", "MPI_Type_get_envelope_c"})
  default TypeEnvelope envelope() {
    return TypeDecoder.envelope(TypeHandle.tree("type", this));
  }

  /**
   * Returns the arguments of the constructor that made the type ({@code MPI_Type_get_contents}, MPI-4.1 §5.1.13).
   *
   * @return the arguments, those that are datatypes as constants or as new objects
   * @throws MpiException ERR_TYPE when the type has a name in MPI, and with it no contents, or was freed
   */
  @Standard({"MPI_Type_get_contents", "MPI_Type_get_contents_c"})
  default TypeContents contents() {
    return TypeDecoder.contents(TypeHandle.tree("type", this));
  }

  /**
   * Returns a description of the constructors that made the type and of all their arguments, for people.
   *
   * @return several lines, cut where they become very many
   * @throws MpiException ERR_TYPE when the type was freed
   */
  String describe();

  /**
   * Returns how elements are packed, unpacked and copied: the runs of bytes that the type was compiled to. For people
   * who want to know which layouts are fast.
   *
   * @return one line, for example {@code every 64: 4 at 0, 55 at 8}
   * @throws MpiException ERR_TYPE when the type is not committed or was freed
   */
  String describePlan();

  /**
   * Returns which basic types an element is made of, in order, wherever they lie (the type signature, MPI-4.1 §5.1).
   * For people.
   *
   * @return one line, for example {@code INT, 6 x DOUBLE, 7 x CHAR}; cut where it becomes very long
   * @throws MpiException ERR_TYPE when the type was freed
   */
  String describeSignature();

  /**
   * Returns the name or, where there is none, the constructors that made the type, for messages.
   *
   * @return one line
   */
  @Override
  String toString();
}
