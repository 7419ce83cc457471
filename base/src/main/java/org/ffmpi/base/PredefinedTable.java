// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.base;

import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The names and attributes that one world has given to the predefined datatypes, which all worlds of a JVM share. The
 * datatypes themselves have no mutable state.
 *
 * <p>Any thread may call.
 *
 * @param <O> kind of objects; compared by identity
 */
public final class PredefinedTable<O> {
  private final Map<O, String> names = new IdentityHashMap<>();
  private final LinkedHashMap<Identity<O>, Attributes<O>> attributes = new LinkedHashMap<>();

  /** An object as a key that is equal to no other, in a map that remembers the order. */
  private record Identity<O>(O object) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Identity<?>(Object o) && o == object;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(object);
    }
  }

  /** Creates the table of a world in which nothing has been changed. */
  public PredefinedTable() {}

  /**
   * Returns an object's name in this world.
   *
   * @param object the object
   * @param original its default name
   * @return the name
   */
  public synchronized String name(O object, String original) {
    return names.getOrDefault(object, original);
  }

  /**
   * Changes an object's name in this world.
   *
   * @param object the object
   * @param name the new name
   */
  public synchronized void setName(O object, String name) {
    names.put(object, name);
  }

  /**
   * Returns the attributes of an object in this world.
   *
   * @param object the object
   * @return the same table at each call
   */
  public synchronized Attributes<O> attributes(O object) {
    return attributes.computeIfAbsent(new Identity<>(object), key -> new Attributes<>(object));
  }

  /**
   * Removes all attributes of all objects, in reverse order of the objects' first use, when the world ends. A delete
   * function that throws does not prevent the calls for other objects.
   *
   * @throws RuntimeException the exception of the first failed function; those of others are suppressed in it
   */
  public void deleteAttributes() {
    RuntimeException thrown = null;
    for (Attributes<O> table = removeLast(); table != null; table = removeLast()) {
      try {
        table.deleteAll();
      } catch (RuntimeException e) {
        if (thrown == null) {
          thrown = e;
        } else if (thrown != e) {
          thrown.addSuppressed(e);
        }
      }
    }
    if (thrown != null) {
      throw thrown;
    }
  }

  /** Delete functions are called outside the lock, and may attach a value to another object again. */
  private synchronized Attributes<O> removeLast() {
    Map.Entry<Identity<O>, Attributes<O>> last = attributes.pollLastEntry();
    return last == null ? null : last.getValue();
  }
}
