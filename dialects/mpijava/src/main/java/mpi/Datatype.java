// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.function.Supplier;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/**
 * The kind of the elements of a buffer, and their places in an array ({@code MPI_Datatype}). Sizes, bounds and
 * displacements count elements of the array, as in mpiJava, also where C counts bytes. All data of a type are of one
 * base type.
 */
public abstract class Datatype implements Freeable {
  /** Number of the base type. */
  public int baseType;

  /** ffmpi's type, committed; null for objects, before the first use, and after {@link #free}. */
  org.ffmpi.datatype.Datatype<?> handle;

  /** Bytes of one element of the array. */
  int width;

  /** Number of the base type for the type itself, 0 for all types made of it: whole arrays need no buffer then. */
  final int plain;

  private final TypeShape shape;
  private boolean freed;

  /** Makes a type without elements, which has no use. */
  public Datatype() {
    this(TypeShape.basic(TypeCodes.name(TypeCodes.NULL), TypeCodes.NULL, null));
  }

  Datatype(TypeShape shape) {
    this.shape = shape;
    this.baseType = shape.base;
    this.width = shape.width();
    if (shape.raw != null && shape.raw.isPredefined()) {
      handle = shape.raw;
    }
    this.plain = handle != null ? baseType : 0;
  }

  /**
   * Returns the shape of a type that is an argument.
   *
   * @throws MpiException ERR_TYPE when the type is null or has been freed
   */
  static TypeShape shapeOf(String name, Datatype type) {
    if (type == null || type.freed) {
      throw MpiException.argument(ErrorClass.ERR_TYPE, name, type, "types that have not been freed");
    }
    return type.shape;
  }

  /**
   * Returns whether elements are objects. A type whose elements are not gets its {@link #handle}.
   *
   * @throws MpiException ERR_TYPE when the type is null, has been freed or has no elements
   */
  static boolean isOfObjects(Datatype type) {
    TypeShape shape = shapeOf("type", type);
    if (shape.isOfObjects()) {
      return true;
    }
    if (shape.raw == null) {
      throw MpiException.argument(ErrorClass.ERR_TYPE, "type", type, "types that have elements");
    }
    type.handle = shape.raw.commit();
    return false;
  }

  TypeShape shape() {
    return shape;
  }

  // ---- what it is

  /**
   * Returns the number of the base type.
   *
   * @return the number that is in {@link #baseType}
   */
  public int getType() {
    return baseType;
  }

  /**
   * Returns how long one element of the base type is.
   *
   * @return bytes; 0 for {@code MPI.OBJECT}
   */
  public int getByteSize() {
    return width;
  }

  /**
   * Returns the distance between consecutive items of the type ({@code MPI_Type_extent}).
   *
   * @return elements of the array
   * @throws MPIException when the type has been freed
   */
  public int Extent() throws MPIException {
    return known().extent();
  }

  /**
   * Returns how much data an item has ({@code MPI_Type_size}).
   *
   * @return elements of the base type
   * @throws MPIException when the type has been freed
   */
  public int Size() throws MPIException {
    return known().size;
  }

  /**
   * Returns the lower bound ({@code MPI_Type_lb}).
   *
   * @return elements of the array
   * @throws MPIException when the type has been freed
   */
  public int Lb() throws MPIException {
    return known().lb;
  }

  /**
   * Returns the upper bound ({@code MPI_Type_ub}).
   *
   * @return elements of the array
   * @throws MPIException when the type has been freed
   */
  public int Ub() throws MPIException {
    return known().ub;
  }

  private TypeShape known() {
    try {
      return shapeOf("type", this);
    } catch (MpiException e) {
      throw Errors.raised(e);
    }
  }

  // ---- its life

  /**
   * Makes the type ready for use ({@code MPI_Type_commit}); a type that is not is made so by its first use.
   *
   * @throws MPIException when the type has been freed
   */
  public void Commit() throws MPIException {
    TypeShape known = known();
    if (known.raw != null) {
      handle = known.raw.commit();
    }
  }

  /**
   * Does nothing: a type that the program has forgotten needs no end.
   *
   * @throws MPIException never
   */
  @Override
  @SuppressWarnings({"removal", "deprecation"}) // programs may call it
  public void finalize() throws MPIException {}

  /** Frees the type ({@code MPI_Type_free}); types made of it stay; of a predefined one, does nothing. */
  @Override
  public void free() {
    if (!freed && shape.raw != null && !shape.raw.isPredefined()) {
      freed = true;
      handle = null;
      shape.raw.close();
    }
  }

  // ---- making others

  private static Datatype made(Supplier<TypeShape> shape) {
    try {
      return new ElementType(shape.get());
    } catch (MpiException e) {
      throw Errors.raised(e);
    }
  }

  /**
   * Makes a type of items side by side ({@code MPI_Type_contiguous}).
   *
   * @param count number of items
   * @param oldtype their type
   * @return the new type
   * @throws MPIException when an argument is wrong
   */
  public static Datatype Contiguous(int count, Datatype oldtype) throws MPIException {
    return made(() -> TypeShape.contiguous(count, shapeOf("oldtype", oldtype)));
  }

  /**
   * Makes a type of blocks at equal distances ({@code MPI_Type_vector}).
   *
   * @param count number of blocks
   * @param blocklength items in each block
   * @param stride from the start of a block to that of the next, in extents of the old type
   * @param oldtype type of the items
   * @return the new type
   * @throws MPIException when an argument is wrong
   */
  public static Datatype Vector(int count, int blocklength, int stride, Datatype oldtype) throws MPIException {
    return made(() -> {
      TypeShape old = shapeOf("oldtype", oldtype);
      return TypeShape.vector("Vector", count, blocklength, (long) stride * old.extent(), old);
    });
  }

  /**
   * Makes a type of blocks at equal distances ({@code MPI_Type_hvector}).
   *
   * @param count number of blocks
   * @param blocklength items in each block
   * @param stride from the start of a block to that of the next, in elements of the array
   * @param oldtype type of the items
   * @return the new type
   * @throws MPIException when an argument is wrong
   */
  public static Datatype Hvector(int count, int blocklength, int stride, Datatype oldtype) throws MPIException {
    return made(() -> TypeShape.vector("Hvector", count, blocklength, stride, shapeOf("oldtype", oldtype)));
  }

  /**
   * Makes a type of blocks of different length ({@code MPI_Type_indexed}).
   *
   * @param blocklengths items in each block
   * @param displacements where the blocks begin, in extents of the old type
   * @param oldtype type of the items
   * @return the new type
   * @throws MPIException when an argument is wrong
   */
  public static Datatype Indexed(int[] blocklengths, int[] displacements, Datatype oldtype) throws MPIException {
    return made(() -> {
      TypeShape old = shapeOf("oldtype", oldtype);
      return TypeShape.indexed("Indexed", blocklengths, displacements, old.extent(), old);
    });
  }

  /**
   * Makes a type of blocks of different length ({@code MPI_Type_hindexed}).
   *
   * @param blocklengths items in each block
   * @param displacements where the blocks begin, in elements of the array
   * @param oldtype type of the items
   * @return the new type
   * @throws MPIException when an argument is wrong
   */
  public static Datatype Hindexed(int[] blocklengths, int[] displacements, Datatype oldtype) throws MPIException {
    return made(() -> TypeShape.indexed("Hindexed", blocklengths, displacements, 1, shapeOf("oldtype", oldtype)));
  }

  /**
   * Makes a type of blocks of different types ({@code MPI_Type_struct}). {@code MPI.LB} and {@code MPI.UB} among them
   * set the bounds. A type of no blocks has no elements, and any array is a buffer of it.
   *
   * @param blocklengths items in each block
   * @param displacements where the blocks begin, in elements of the array
   * @param types type of each block, all of one base type
   * @return the new type
   * @throws MPIException when an argument is wrong
   */
  public static Datatype Struct(int[] blocklengths, int[] displacements, Datatype[] types) throws MPIException {
    return made(() -> TypeShape.struct(blocklengths, displacements, types));
  }

  /**
   * Describes the type for messages.
   *
   * @return how it was made
   */
  @Override
  public String toString() {
    return shape.name + (freed ? " (freed)" : "");
  }
}
