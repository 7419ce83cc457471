// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.ffmpi.base.Attributes;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.Keyval;
import org.ffmpi.base.MpiException;

/**
 * The keys of attributes of one kind of object. Programs have numbers for them. A freed key still gets and deletes what
 * is attached; duplicates of the object take over the same value.
 *
 * @param <O> what the attributes are attached to
 */
final class Keyvals<O> {
  private static final AtomicInteger NEXT = new AtomicInteger(1000);

  private final Map<Integer, Keyval<O, ?>> predefined;
  private final Map<Integer, Keyval<O, Object>> keys = new ConcurrentHashMap<>();
  private final Set<Integer> freed = ConcurrentHashMap.newKeySet();

  Keyvals(Map<Integer, Keyval<O, ?>> predefined) {
    this.predefined = predefined;
  }

  /** Makes a key. */
  int create() {
    int key = NEXT.getAndIncrement();
    keys.put(key, Keyval.shared());
    return key;
  }

  /** Frees a key; throws ERR_KEYVAL if it is unknown, predefined or freed. */
  void free(int key) {
    if (!keys.containsKey(key) || !freed.add(key)) {
      throw wrong(key);
    }
  }

  /** Returns the value of an attribute, or null without one. */
  Object get(Attributes<O> attributes, int key) {
    Keyval<O, ?> known = predefined.get(key);
    return known != null ? value(attributes, known) : value(attributes, own(key));
  }

  private static <O, V> Object value(Attributes<O> attributes, Keyval<O, V> key) {
    return attributes.get(key).orElse(null);
  }

  /** Attaches a value. */
  void set(Attributes<O> attributes, int key, Object value) {
    if (freed.contains(key)) {
      throw wrong(key);
    }
    attributes.set(own(key), value);
  }

  /** Removes an attribute. */
  void delete(Attributes<O> attributes, int key) {
    attributes.delete(own(key));
  }

  private Keyval<O, Object> own(int key) {
    Keyval<O, Object> known = keys.get(key);
    if (known == null) {
      throw wrong(key);
    }
    return known;
  }

  private static MpiException wrong(int key) {
    return MpiException.argument(
        ErrorClass.ERR_KEYVAL, "key", key, "keys that createKeyval has made for this kind of object, not freed");
  }
}
