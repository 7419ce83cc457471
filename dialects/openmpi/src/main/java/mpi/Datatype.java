// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.Map;
import org.ffmpi.base.Attributes;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.dialect.Arguments;
import org.ffmpi.dialect.BaseKind;
import org.ffmpi.dialect.Job;

/**
 * A datatype ({@code MPI_Datatype}). Sizes, extents, strides and displacements count values of the Java type that it is
 * made of; the methods with an H in their names, {@link #createStruct} and {@link #createResized} take bytes.
 */
public final class Datatype implements Freeable, Cloneable {
  private static final Keyvals<org.ffmpi.datatype.Datatype<?>> KEYS = new Keyvals<>(Map.of());

  private org.ffmpi.datatype.Datatype<Object> type;
  private final BaseKind kind;

  /**
   * Wraps a type of ffmpi.
   *
   * @param type the type; null for {@code MPI_DATATYPE_NULL}
   * @param kind in what sizes and displacements count
   */
  @SuppressWarnings("unchecked") // the Java type of an element is not used here
  Datatype(org.ffmpi.datatype.Datatype<?> type, BaseKind kind) {
    this.type = (org.ffmpi.datatype.Datatype<Object>) type;
    this.kind = kind;
  }

  /** Returns ffmpi's type; null for {@code MPI_DATATYPE_NULL} and once freed. */
  org.ffmpi.datatype.Datatype<Object> type() {
    return type;
  }

  /** Returns ffmpi's type of what a program has passed, which may be null. */
  static org.ffmpi.datatype.Datatype<Object> typeOf(Datatype datatype) {
    return datatype == null ? null : datatype.type;
  }

  /** Returns in what sizes and displacements count. */
  BaseKind kind() {
    return kind;
  }

  /** Returns whether this is one of the constants of {@code MPI}. */
  boolean isPredefined() {
    return type != null && type.isPredefined();
  }

  /** Returns whether elements may lie in an array of any kind: those of bytes and characters, as in Open MPI. */
  boolean isOfBytes() {
    return type != null && !type.isClosed() && (kind == BaseKind.BYTE || kind == BaseKind.CHAR);
  }

  private org.ffmpi.datatype.Datatype<Object> open() {
    return Errors.present(ErrorClass.ERR_TYPE, "type", type);
  }

  /** Returns ffmpi's type of the type that another one is made of. */
  private static org.ffmpi.datatype.Datatype<Object> old(Datatype old) {
    return Errors.present(ErrorClass.ERR_TYPE, "oldType", typeOf(old));
  }

  // ---- bounds

  private int inValues(long bytes) {
    return (int) (bytes / kind.width());
  }

  /**
   * Returns the lower bound ({@code MPI_Type_get_extent}).
   *
   * @return in values of the base type
   */
  public int getLb() throws MPIException {
    return Errors.call(() -> inValues(open().lowerBound()));
  }

  /**
   * Returns the extent ({@code MPI_Type_get_extent}).
   *
   * @return in values of the base type
   */
  public int getExtent() throws MPIException {
    return Errors.call(() -> inValues(open().extent()));
  }

  /**
   * Returns the lower bound without what bounds were set ({@code MPI_Type_get_true_extent}).
   *
   * @return in values of the base type
   */
  public int getTrueLb() throws MPIException {
    return Errors.call(() -> inValues(open().trueLowerBound()));
  }

  /**
   * Returns the extent without what bounds were set ({@code MPI_Type_get_true_extent}).
   *
   * @return in values of the base type
   */
  public int getTrueExtent() throws MPIException {
    return Errors.call(() -> inValues(open().trueExtent()));
  }

  /**
   * Returns how much data an element has ({@code MPI_Type_size}).
   *
   * @return in values of the base type
   */
  public int getSize() throws MPIException {
    return Errors.call(() -> inValues(open().size()));
  }

  // ---- life

  /** Makes the type fit for communication ({@code MPI_Type_commit}). */
  public void commit() throws MPIException {
    Errors.run(() -> open().commit());
  }

  /** Frees the type ({@code MPI_Type_free}). A null type stays one. */
  @Override
  public void free() throws MPIException {
    Errors.run(() -> {
      if (type != null) {
        type.close();
        type = null;
      }
    });
  }

  /**
   * Returns whether the type is {@code MPI_DATATYPE_NULL}.
   *
   * @return true once freed
   */
  public boolean isNull() {
    return type == null;
  }

  /**
   * Duplicates the type ({@code MPI_Type_dup}).
   *
   * @return the duplicate
   */
  @Override
  public Datatype clone() {
    return dup();
  }

  /**
   * Duplicates the type ({@code MPI_Type_dup}).
   *
   * @return the duplicate
   */
  public Datatype dup() throws MPIException {
    return Errors.call(() -> new Datatype(Job.mpi().typeDup(open()), kind));
  }

  // ---- types made of others

  /**
   * Makes a type of elements one after the other ({@code MPI_Type_contiguous}).
   *
   * @param count number of elements
   * @param oldType their type
   * @return the type
   */
  public static Datatype createContiguous(int count, Datatype oldType) throws MPIException {
    return Errors.call(() -> derived(oldType,
        org.ffmpi.datatype.Datatype.contiguous(count, old(oldType))));
  }

  /**
   * Makes a type of blocks at equal distances ({@code MPI_Type_vector}).
   *
   * @param count number of blocks
   * @param blockLength elements of a block
   * @param stride distance of blocks in elements
   * @param oldType type of the elements
   * @return the type
   */
  public static Datatype createVector(int count, int blockLength, int stride, Datatype oldType) throws MPIException {
    return Errors.call(() -> derived(oldType,
        org.ffmpi.datatype.Datatype.vector(count, blockLength, stride, old(oldType))));
  }

  /**
   * Makes a type of blocks at equal distances ({@code MPI_Type_create_hvector}).
   *
   * @param count number of blocks
   * @param blockLength elements of a block
   * @param stride distance of blocks in bytes
   * @param oldType type of the elements
   * @return the type
   */
  public static Datatype createHVector(int count, int blockLength, int stride, Datatype oldType) throws MPIException {
    return Errors.call(() -> derived(oldType,
        org.ffmpi.datatype.Datatype.hvector(count, blockLength, stride, old(oldType))));
  }

  /**
   * Makes a type of blocks at any distances ({@code MPI_Type_indexed}).
   *
   * @param blockLengths elements of each block
   * @param displacements where each begins, in elements
   * @param oldType type of the elements
   * @return the type
   */
  public static Datatype createIndexed(int[] blockLengths, int[] displacements, Datatype oldType)
      throws MPIException {
    return Errors.call(() -> derived(oldType, org.ffmpi.datatype.Datatype.indexed(
        all("blockLengths", blockLengths), each("displacements", displacements, blockLengths), old(oldType))));
  }

  /**
   * Makes a type of blocks at any distances ({@code MPI_Type_create_hindexed}).
   *
   * @param blockLengths elements of each block
   * @param displacements where each begins, in bytes
   * @param oldType type of the elements
   * @return the type
   */
  public static Datatype createHIndexed(int[] blockLengths, int[] displacements, Datatype oldType)
      throws MPIException {
    return Errors.call(() -> derived(oldType, org.ffmpi.datatype.Datatype.hindexed(
        all("blockLengths", blockLengths), each("displacements", displacements, blockLengths), old(oldType))));
  }

  /**
   * Makes a type of blocks of different types ({@code MPI_Type_create_struct}).
   *
   * @param blockLengths elements of each block
   * @param displacements where each begins, in bytes
   * @param types type of each block's elements
   * @return the type, whose base type is the byte
   */
  public static Datatype createStruct(int[] blockLengths, int[] displacements, Datatype[] types)
      throws MPIException {
    return Errors.call(() -> new Datatype(org.ffmpi.datatype.Datatype.struct(
        all("blockLengths", blockLengths), each("displacements", displacements, blockLengths),
        typesOf(Arguments.first("types", types, blockLengths.length))), BaseKind.BYTE));
  }

  /**
   * Makes a type with other bounds ({@code MPI_Type_create_resized}).
   *
   * @param oldType a type
   * @param lb lower bound in bytes
   * @param extent extent in bytes
   * @return the type
   */
  public static Datatype createResized(Datatype oldType, int lb, int extent) throws MPIException {
    return Errors.call(() -> derived(oldType, old(oldType).resized(lb, extent)));
  }

  private static Datatype derived(Datatype old, org.ffmpi.datatype.Datatype<?> made) {
    return new Datatype(made, old.kind);
  }

  private static long[] all(String name, int[] numbers) {
    return Arguments.longs(name, numbers, numbers == null ? 0 : numbers.length);
  }

  private static long[] each(String name, int[] numbers, int[] blocks) {
    return Arguments.longs(name, numbers, blocks.length);
  }

  /** Returns the types of ffmpi, null for null. */
  static org.ffmpi.datatype.Datatype<?>[] typesOf(Datatype[] types) {
    org.ffmpi.datatype.Datatype<?>[] all = new org.ffmpi.datatype.Datatype<?>[types.length];
    for (int i = 0; i < types.length; i++) {
      all[i] = typeOf(types[i]);
    }
    return all;
  }

  // ---- name and attributes

  /**
   * Names the type ({@code MPI_Type_set_name}).
   *
   * @param name a text
   */
  public void setName(String name) throws MPIException {
    Errors.run(() -> Job.mpi().setTypeName(open(), name));
  }

  /**
   * Returns the name ({@code MPI_Type_get_name}).
   *
   * @return a text, empty when it was given none
   */
  public String getName() throws MPIException {
    return Errors.call(() -> Job.mpi().typeName(open()));
  }

  /**
   * Makes a key for attributes of types ({@code MPI_Type_create_keyval}).
   *
   * @return the key
   */
  public static int createKeyval() throws MPIException {
    return KEYS.create();
  }

  /**
   * Frees a key ({@code MPI_Type_free_keyval}).
   *
   * @param keyval the key
   */
  public static void freeKeyval(int keyval) throws MPIException {
    Errors.run(() -> KEYS.free(keyval));
  }

  private Attributes<org.ffmpi.datatype.Datatype<?>> attributes() {
    return Job.mpi().typeAttributes(open());
  }

  /**
   * Attaches a value ({@code MPI_Type_set_attr}).
   *
   * @param keyval a key
   * @param value the value
   */
  public void setAttr(int keyval, Object value) throws MPIException {
    Errors.run(() -> KEYS.set(attributes(), keyval, value));
  }

  /**
   * Returns what is attached ({@code MPI_Type_get_attr}).
   *
   * @param keyval a key
   * @return the value, or null without one
   */
  public Object getAttr(int keyval) throws MPIException {
    try {
      return KEYS.get(attributes(), keyval);
    } catch (MpiException e) {
      throw Errors.raise(e);
    }
  }

  /**
   * Removes what is attached ({@code MPI_Type_delete_attr}).
   *
   * @param keyval a key
   */
  public void deleteAttr(int keyval) throws MPIException {
    Errors.run(() -> KEYS.delete(attributes(), keyval));
  }
}
