// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives;

import java.lang.ref.WeakReference;

/**
 * A table from objects, by identity, to values that live as long as their keys: look-ups take no lock and allocate
 * nothing. Values must not refer to their keys.
 *
 * <p>Open addressing with linear probing over an array that is replaced, never changed, so that readers see complete
 * entries or, at worst, an array that lacks the newest ones and ask again under the lock.
 *
 * @param <K> the keys
 * @param <V> what belongs to them
 */
abstract class WeakTable<K, V> {
  private static final class Entry<K, V> extends WeakReference<K> {
    final int hash;
    final V value;

    Entry(K key, int hash, V value) {
      super(key);
      this.hash = hash;
      this.value = value;
    }
  }

  private volatile Entry<K, V>[] entries = newArray(8);

  WeakTable() {}

  /** Makes what belongs to a key that has nothing yet. */
  abstract V make(K key);

  @SuppressWarnings({"unchecked", "rawtypes"}) // arrays of a generic type cannot be created otherwise
  private static <K, V> Entry<K, V>[] newArray(int length) {
    return new Entry[length];
  }

  /** Returns what belongs to {@code key}, made at its first look-up. */
  final V of(K key) {
    V value = find(entries, key);
    return value != null ? value : add(key);
  }

  private static <K, V> V find(Entry<K, V>[] table, K key) {
    int mask = table.length - 1;
    for (int i = System.identityHashCode(key) & mask; table[i] != null; i = (i + 1) & mask) {
      if (table[i].refersTo(key)) {
        return table[i].value;
      }
    }
    return null;
  }

  private synchronized V add(K key) {
    V value = find(entries, key);
    if (value != null) {
      return value;
    }
    value = make(key);
    Entry<K, V>[] old = entries;
    int live = 1;
    for (Entry<K, V> entry : old) {
      live += entry == null || entry.refersTo(null) ? 0 : 1;
    }
    Entry<K, V>[] table = newArray(Math.max(8, Integer.highestOneBit(live) << 2)); // at most half full
    for (Entry<K, V> entry : old) {
      if (entry != null && !entry.refersTo(null)) {
        put(table, entry);
      }
    }
    put(table, new Entry<>(key, System.identityHashCode(key), value));
    entries = table;
    return value;
  }

  private static <K, V> void put(Entry<K, V>[] table, Entry<K, V> entry) {
    int mask = table.length - 1;
    int i = entry.hash & mask;
    while (table[i] != null) {
      i = (i + 1) & mask;
    }
    table[i] = entry;
  }
}
