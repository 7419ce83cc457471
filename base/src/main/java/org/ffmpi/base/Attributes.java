// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.base;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The attributes of one communicator, datatype or window. They are deleted in the reverse of the order in which they
 * were set, as the standard requires for {@code MPI_COMM_SELF} at finalize, so that a later attribute may still use an
 * earlier one.
 *
 * <p>Any thread may call. A copy or delete function runs in the thread of the call that caused it, and may itself use
 * the attributes of the object.
 *
 * @param <O> kind of objects
 */
public final class Attributes<O> {
  /** The object that attributes belong to, as they see it: whether it is usable, and how it handles errors. */
  public interface Owner {
    /** Throws when the object can no longer be used. */
    void checkUsable();

    /**
     * Turns a failure of a call on the attributes, or an exception of a key's function, into the error of
     * that call.
     *
     * @param thrown the exception
     * @return what to throw
     */
    RuntimeException failed(Throwable thrown);
  }

  /** Owner of objects without an error handler: exceptions leave the call unchanged. */
  private static final Owner NO_HANDLER = new Owner() {
    @Override
    public void checkUsable() {}

    @Override
    public RuntimeException failed(Throwable thrown) {
      if (thrown instanceof Error error) {
        throw error;
      }
      return thrown instanceof RuntimeException unchecked
          ? unchecked
          : new MpiException(ErrorClass.ERR_OTHER, "attributes: a function of a key threw " + thrown, thrown);
    }
  };

  /** How often a key's delete function may attach a new value while its object is freed. */
  private static final int MOST_RETURNS = 100;

  /** One attachment: the same value attached again is another one. */
  private static final class Attached {
    final Object value;

    Attached(Object value) {
      this.value = value;
    }
  }

  private final O object;
  private final Owner owner;
  private final LinkedHashMap<Keyval<O, ?>, Attached> values = new LinkedHashMap<>();

  /** Keys whose delete function runs: a function that frees the object once more is not called again. */
  private final Set<Keyval<O, ?>> leaving = new HashSet<>();

  /**
   * Creates an empty table.
   *
   * @param object the owner; passed to the keys' functions
   */
  public Attributes(O object) {
    this(object, NO_HANDLER);
  }

  /**
   * Creates an empty table of an object with an error handler.
   *
   * @param object the owner; passed to the keys' functions
   * @param owner asked before each call, and when one fails
   */
  public Attributes(O object, Owner owner) {
    this.object = present("object", object);
    this.owner = present("owner", owner);
  }

  /**
   * Returns the owner of the table.
   *
   * @return the communicator, datatype or other object
   */
  public O object() {
    return object;
  }

  /**
   * Attaches a value ({@code MPI_Comm_set_attr}). An earlier value of the key is deleted first.
   *
   * @param <V> type of the value
   * @param key the key
   * @param value the value; may be null, which {@link #isSet} distinguishes from no attribute
   * @throws MpiException ERR_KEYVAL when the key is null, closed or predefined
   */
  @Standard({"MPI_Comm_set_attr", "MPI_Type_set_attr", "MPI_Win_set_attr", "MPI_Attr_put"})
  public <V> void set(Keyval<O, V> key, V value) {
    owner.checkUsable();
    try {
      requireOpen(key);
      key.checkWritable();
      Map<Keyval<O, ?>, Integer> calls = new HashMap<>();
      while (remove(key)) {
        countCall(key, calls);
      }
      put(key, value);
    } catch (RuntimeException | Error e) {
      throw owner.failed(e);
    }
  }

  /**
   * Returns the value of an attribute ({@code MPI_Comm_get_attr}).
   *
   * @param <V> type of the value
   * @param key the key
   * @return the value, or empty when there is none or it is null
   * @throws MpiException ERR_KEYVAL when the key is null or closed
   */
  @Standard({"MPI_Comm_get_attr", "MPI_Type_get_attr", "MPI_Win_get_attr", "MPI_Attr_get"})
  public <V> Optional<V> get(Keyval<O, V> key) {
    owner.checkUsable();
    try {
      requireOpen(key);
      return key.isReadOnly() ? key.suppliedValue(object) : Optional.ofNullable(value(key));
    } catch (RuntimeException | Error e) {
      throw owner.failed(e);
    }
  }

  /**
   * Returns whether an attribute is attached: the flag of {@code MPI_Comm_get_attr}.
   *
   * @param key the key
   * @return true when a value is attached, null included
   * @throws MpiException ERR_KEYVAL when the key is null or closed
   */
  @Standard({"MPI_Comm_get_attr", "MPI_Type_get_attr", "MPI_Win_get_attr", "MPI_Attr_get"})
  public boolean isSet(Keyval<O, ?> key) {
    owner.checkUsable();
    try {
      requireOpen(key);
      return key.isReadOnly() ? key.suppliedValue(object).isPresent() : attached(key) != null;
    } catch (RuntimeException | Error e) {
      throw owner.failed(e);
    }
  }

  /**
   * Removes an attribute ({@code MPI_Comm_delete_attr}).
   *
   * @param key the key
   * @return false when nothing was attached under it
   * @throws MpiException ERR_KEYVAL when the key is null, closed or predefined
   */
  @Standard({"MPI_Comm_delete_attr", "MPI_Type_delete_attr", "MPI_Win_delete_attr", "MPI_Attr_delete"})
  public boolean delete(Keyval<O, ?> key) {
    owner.checkUsable();
    try {
      requireOpen(key);
      key.checkWritable();
      return remove(key);
    } catch (RuntimeException | Error e) {
      throw owner.failed(e);
    }
  }

  /**
   * Sets on a duplicate of the object the values that the copy functions return, in the order in which the attributes
   * were set. When a function throws, the duplicate's attributes are deleted again and the duplication has failed.
   *
   * @param duplicate the duplicate's table
   */
  public void copyTo(Attributes<O> duplicate) {
    present("duplicate", duplicate);
    Map<Keyval<O, ?>, Attached> copies = new LinkedHashMap<>();
    copyInto(copies, duplicate);
    duplicate.attachAll(copies);
  }

  /**
   * Calls the copy functions now, for a duplicate that is made later. When a function throws, the copies made so far
   * are deleted again; there is no duplicate yet, so the delete functions get the original.
   *
   * @return gives it to the duplicate's table
   */
  public Consumer<Attributes<O>> copy() {
    Map<Keyval<O, ?>, Attached> copies = new LinkedHashMap<>();
    copyInto(copies, new Attributes<>(object));
    return duplicate -> present("duplicate", duplicate).attachAll(copies);
  }

  /** Fills in the copies; when a function throws, those made so far are moved to {@code bin} and deleted. */
  private void copyInto(Map<Keyval<O, ?>, Attached> copies, Attributes<O> bin) {
    Map<Keyval<O, ?>, Attached> snapshot;
    synchronized (this) {
      snapshot = new LinkedHashMap<>(values);
    }
    try {
      for (Keyval<O, ?> key : snapshot.keySet()) {
        copy(key, snapshot.get(key), copies);
      }
    } catch (RuntimeException | Error e) {
      bin.attachAll(copies);
      try {
        bin.deleteAll();
      } catch (RuntimeException | Error second) {
        e.addSuppressed(second);
      }
      throw e;
    }
  }

  private synchronized void attachAll(Map<Keyval<O, ?>, Attached> copies) {
    values.putAll(copies);
  }

  /**
   * Removes all attributes, the last one first, when the object is freed, including those that delete functions attach
   * meanwhile. Stops at a function that throws.
   *
   * @throws MpiException ERR_OTHER when a key's function attaches a value again each time it is called
   */
  public void deleteAll() {
    Map<Keyval<O, ?>, Integer> calls = new HashMap<>();
    for (Keyval<O, ?> key = last(); key != null; key = last()) {
      remove(key);
      countCall(key, calls);
    }
  }

  /** Counts a call of a delete function; throws when it has attached a value again too often. */
  private static <O> void countCall(Keyval<O, ?> key, Map<Keyval<O, ?>, Integer> calls) {
    if (calls.merge(key, 1, Integer::sum) == MOST_RETURNS) {
      throw new MpiException(
          ErrorClass.ERR_OTHER,
          "attributes: the delete function of " + key + " was called " + MOST_RETURNS
              + " times, and each time a value was attached again");
    }
  }

  private synchronized Keyval<O, ?> last() {
    for (Keyval<O, ?> key : values.sequencedKeySet().reversed()) {
      if (!leaving.contains(key)) {
        return key;
      }
    }
    return null;
  }

  private static <T> T present(String argument, T value) {
    if (value == null) {
      throw MpiException.argument(ErrorClass.ERR_ARG, argument, null, "objects");
    }
    return value;
  }

  private static void requireOpen(Keyval<?, ?> key) {
    if (key == null) {
      throw MpiException.argument(ErrorClass.ERR_KEYVAL, "key", null, "keys that are in use");
    }
    if (key.isClosed()) {
      throw new MpiException(ErrorClass.ERR_KEYVAL, "key is closed: allowed are keys that are in use");
    }
  }

  private synchronized Attached attached(Keyval<O, ?> key) {
    return values.get(key);
  }

  @SuppressWarnings("unchecked") // set() puts under a key only values of its type
  private <V> V value(Keyval<O, V> key) {
    Attached present = attached(key);
    return present == null ? null : (V) present.value;
  }

  private synchronized void put(Keyval<O, ?> key, Object value) {
    values.put(key, new Attached(value));
  }

  /** Calls the delete function outside the lock: it may wait for a thread that uses these attributes. */
  @SuppressWarnings("unchecked") // set() puts under a key only values of its type
  private <V> boolean remove(Keyval<O, V> key) {
    Attached present;
    synchronized (this) {
      present = values.get(key);
      if (present == null || !leaving.add(key)) {
        return false;
      }
    }
    boolean deleted = false;
    try {
      key.delete(object, (V) present.value);
      deleted = true;
    } finally {
      synchronized (this) {
        leaving.remove(key);
        if (deleted && values.get(key) == present) { // the function may have set a new value
          values.remove(key);
        }
      }
    }
    return true;
  }

  @SuppressWarnings("unchecked") // set() puts under a key only values of its type
  private <V> void copy(Keyval<O, V> key, Attached present, Map<Keyval<O, ?>, Attached> copies) {
    if (key.isShared()) {
      copies.put(key, new Attached(present.value));
      return;
    }
    Optional<V> copied = key.copy(object, (V) present.value);
    if (copied == null) {
      throw new MpiException(ErrorClass.ERR_OTHER, "a key's copy function returned null: allowed are Optionals");
    }
    copied.ifPresent(v -> copies.put(key, new Attached(v)));
  }
}
