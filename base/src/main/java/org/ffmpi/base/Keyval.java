// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.base;

import java.util.Optional;
import java.util.function.Function;
import org.ffmpi.base.hook.Lifetimes;

/**
 * A key under which a program, usually a library within it, attaches something of its own to communicators, datatypes
 * or windows ({@code MPI_Comm_create_keyval}, {@code MPI_Type_create_keyval}, {@code MPI_Win_create_keyval}).
 *
 * {@snippet :
 * Keyval<Comm, Cache> key = Keyval.of((comm, cache) -> Optional.of(cache.copy()), (comm, cache) -> cache.close());
 * }
 *
 * <p>Keyvals are local and may be used by any thread. The standard's extra state is what the functions capture.
 *
 * @param <O> kind of objects it attaches to
 * @param <V> type of the attribute's value
 */
public final class Keyval<O, V> implements AutoCloseable {
  /**
   * Called when an object that has the attribute is duplicated.
   *
   * @param <O> kind of objects
   * @param <V> type of the attribute's value
   */
  @FunctionalInterface
  @Standard({
      "MPI_Comm_copy_attr_function", "MPI_Type_copy_attr_function", "MPI_Win_copy_attr_function", "MPI_Copy_function"})
  public interface Copy<O, V> {
    /**
     * Returns the value for the duplicate.
     *
     * @param from the object that is duplicated
     * @param value the attribute's value, which may be null
     * @return what to attach to the duplicate, or empty for nothing; only {@link #shared} keys attach null
     */
    Optional<V> copy(O from, V value);
  }

  /**
   * Called when an attribute is removed or replaced, or its object is freed.
   *
   * @param <O> kind of objects
   * @param <V> type of the attribute's value
   */
  @FunctionalInterface
  @Standard({
      "MPI_Comm_delete_attr_function", "MPI_Type_delete_attr_function", "MPI_Win_delete_attr_function",
      "MPI_Delete_function"})
  public interface Delete<O, V> {
    /**
     * Disposes of an attribute's value. When it throws, the attribute stays and the deleting call fails.
     *
     * @param from the object that loses it
     * @param value the attribute's value, which may be null
     */
    void delete(O from, V value);
  }

  private final Copy<O, V> copy;
  private final Delete<O, V> delete;
  /** Supplies the value of a key that programs can only read; null for keys of programs. */
  private final Function<? super O, Optional<V>> suppliedValue;
  private final String name;
  private final boolean shared;
  private volatile boolean closed;

  private Keyval(Copy<O, V> copy, Delete<O, V> delete, boolean shared) {
    this.copy = present("copy", copy);
    this.delete = present("delete", delete);
    this.suppliedValue = null;
    this.name = null;
    this.shared = shared;
    if (Lifetimes.kept) {
      Lifetimes.made(this, "key");
    }
  }

  private Keyval(String name, Function<? super O, Optional<V>> suppliedValue) {
    this.copy = null;
    this.delete = null;
    this.suppliedValue = suppliedValue;
    this.name = name;
    this.shared = false;
  }

  private static <F> F present(String name, F function) {
    if (function == null) {
      throw MpiException.argument(ErrorClass.ERR_ARG, name, null, "functions; notCopied() and shared() need none");
    }
    return function;
  }

  /**
   * Creates a key.
   *
   * @param <O> kind of objects it attaches to
   * @param <V> type of the attribute's value
   * @param copy called on duplication
   * @param delete called on removal
   * @return the key
   * @throws MpiException ERR_ARG when a function is null
   */
  @Standard({"MPI_Comm_create_keyval", "MPI_Type_create_keyval", "MPI_Win_create_keyval", "MPI_Keyval_create"})
  public static <O, V> Keyval<O, V> of(Copy<O, V> copy, Delete<O, V> delete) {
    return new Keyval<>(copy, delete, false);
  }

  /**
   * Creates a key whose attributes stay behind when their object is duplicated ({@code MPI_COMM_NULL_COPY_FN}).
   *
   * @param <O> kind of objects it attaches to
   * @param <V> type of the attribute's value
   * @return the key
   */
  @Standard({
      "MPI_Comm_create_keyval", "MPI_Type_create_keyval", "MPI_Win_create_keyval",
      "MPI_COMM_NULL_COPY_FN", "MPI_COMM_NULL_DELETE_FN", "MPI_TYPE_NULL_COPY_FN", "MPI_TYPE_NULL_DELETE_FN",
      "MPI_WIN_NULL_COPY_FN", "MPI_WIN_NULL_DELETE_FN",
      "MPI_NULL_COPY_FN", "MPI_NULL_DELETE_FN"})
  public static <O, V> Keyval<O, V> notCopied() {
    return new Keyval<>((from, value) -> Optional.empty(), (from, value) -> {}, false);
  }

  /**
   * Creates a key whose attributes are shared by duplicates ({@code MPI_COMM_DUP_FN}), those included whose value is
   * null.
   *
   * @param <O> kind of objects it attaches to
   * @param <V> type of the attribute's value
   * @return the key
   */
  @Standard({
      "MPI_Comm_create_keyval", "MPI_Type_create_keyval", "MPI_Win_create_keyval", "MPI_COMM_DUP_FN", "MPI_TYPE_DUP_FN",
      "MPI_WIN_DUP_FN", "MPI_DUP_FN"})
  public static <O, V> Keyval<O, V> shared() {
    return new Keyval<>((from, value) -> Optional.ofNullable(value), (from, value) -> {}, true);
  }

  /**
   * Creates a key whose value the library supplies, such as {@code MPI_TAG_UB}. Programs can read it; a call that would
   * set or delete it, or free the key, is ERR_KEYVAL.
   *
   * @param <O> kind of objects that have the attribute
   * @param <V> type of the value
   * @param name the key's name in the standard
   * @param value returns the value at an object, or empty where there is none
   * @return the key
   */
  public static <O, V> Keyval<O, V> readOnly(String name, Function<? super O, Optional<V>> value) {
    return new Keyval<>(name, present("value", value));
  }

  /**
   * Ends the use of the key in calls ({@code MPI_Comm_free_keyval}, {@code MPI_Type_free_keyval}). Its attributes stay
   * until their object is freed or duplicated, with both functions called as before. Closing again does nothing.
   *
   * @throws MpiException ERR_KEYVAL when it is a predefined key
   */
  @Override
  @Standard({"MPI_Comm_free_keyval", "MPI_Type_free_keyval", "MPI_Win_free_keyval", "MPI_Keyval_free"})
  public void close() {
    checkWritable();
    closed = true;
    if (Lifetimes.kept) {
      Lifetimes.freed(this);
    }
  }

  /**
   * Returns whether the key can no longer be used.
   *
   * @return true after {@link #close}
   */
  public boolean isClosed() {
    return closed;
  }

  /**
   * Describes the key for messages.
   *
   * @return the name of a predefined key
   */
  @Override
  public String toString() {
    return name != null ? name : "Keyval@" + Integer.toHexString(System.identityHashCode(this));
  }

  /** Returns whether the library supplies the value. */
  boolean isReadOnly() {
    return suppliedValue != null;
  }

  /** Returns whether duplicates get the value as it is, null included. */
  boolean isShared() {
    return shared;
  }

  void checkWritable() {
    if (suppliedValue != null) {
      throw MpiException.argument(
          ErrorClass.ERR_KEYVAL, "key", this, "keys of the program's own; this one can only be read");
    }
  }

  Optional<V> suppliedValue(O object) {
    return suppliedValue.apply(object);
  }

  Optional<V> copy(O from, V value) {
    return copy.copy(from, value);
  }

  void delete(O from, V value) {
    delete.delete(from, value);
  }
}
