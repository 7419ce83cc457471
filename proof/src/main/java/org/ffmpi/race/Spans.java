// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.race;

import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * Things that have a first byte and an end, to be found by bytes. Those of one length cost as many steps as there are
 * things that meet the bytes. Not safe for several threads.
 */
final class Spans<T> {
  /** Places are never used again. */
  private static final AtomicLong SERIALS = new AtomicLong();

  /** The place of a thing, in the order of first bytes, and of arrival for those of one first byte. */
  record Place(long first, long serial) {}

  private final TreeMap<Place, T> things =
      new TreeMap<>(Comparator.comparingLong(Place::first).thenComparingLong(Place::serial));
  /** Length of the longest thing since the last time without things. */
  private long longest;

  /** Adds a thing and returns its place. */
  Place add(long first, long end, T thing) {
    Place place = new Place(first, SERIALS.incrementAndGet());
    longest = Math.max(things.isEmpty() ? 0 : longest, end - first);
    things.put(place, thing);
    return place;
  }

  /** Removes what is kept at a place; returns whether there was something. */
  boolean remove(Place place) {
    return things.remove(place) != null;
  }

  boolean isEmpty() {
    return things.isEmpty();
  }

  int size() {
    return things.size();
  }

  /** Removes things; returns how many. */
  int removeIf(Predicate<T> condition) {
    int before = things.size();
    things.values().removeIf(condition);
    return before - things.size();
  }

  /** Removes the oldest things that fulfil a condition, so that a number is left if there are enough of them. */
  void removeOldest(int left, Predicate<T> condition) {
    if (things.size() <= left) {
      return;
    }
    long[] serials = things.entrySet().stream().filter(each -> condition.test(each.getValue()))
        .mapToLong(each -> each.getKey().serial).sorted().toArray();
    int removed = Math.min(serials.length, things.size() - left);
    if (removed > 0) {
      long last = serials[removed - 1];
      things.entrySet().removeIf(each -> each.getKey().serial <= last && condition.test(each.getValue()));
    }
  }

  /** Returns the first thing that may meet some bytes and fulfils a condition, or null. */
  T find(long first, long end, Predicate<T> condition) {
    long from = first - longest < first ? first - longest : Long.MIN_VALUE;
    for (Map.Entry<Place, T> each : things.subMap(new Place(from, 0), new Place(end, 0)).entrySet()) {
      if (condition.test(each.getValue())) {
        return each.getValue();
      }
    }
    return null;
  }
}
