// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongConsumer;
import org.ffmpi.datatype.plan.pattern.Pattern;
import org.ffmpi.datatype.plan.pattern.PlacedPattern;

/**
 * The recently compiled plans. Programs that make equal types again and again get the same plan each time, with its
 * generated classes and its records at peers. Bounded by memory: the oldest plans are evicted. An evicted plan and its
 * classes are collected once no type uses it.
 */
final class PlanCache {
  /** About 16 MiB of lists and classes. */
  private static final long MAX_WORDS = 1 << 21;

  /** Cost in words of a plan without any list. */
  private static final long WORDS_OF_A_PLAN = 64;

  private final Map<Key, Entry> plans = new LinkedHashMap<>(16, 0.75f, true);
  private long words;

  /** Plans asked for, and made; written with the monitor held, read without. */
  private volatile long asked;

  private volatile long made;

  /** Written out, since the first type is compiled while a program starts and a record's methods are linked late. */
  private static final class Key {
    private final Pattern pattern;
    private final long displacement;
    private final long extent;

    Key(PlacedPattern element, long extent) {
      this.pattern = element == null ? null : element.pattern();
      this.displacement = element == null ? 0 : element.displacement();
      this.extent = extent;
    }

    @Override
    public boolean equals(Object o) {
      return o instanceof Key key && displacement == key.displacement && extent == key.extent
          && (pattern == null ? key.pattern == null : pattern.equals(key.pattern));
    }

    @Override
    public int hashCode() {
      int hash = pattern == null ? 0 : pattern.hashCode();
      return (hash * 31 + Long.hashCode(displacement)) * 31 + Long.hashCode(extent);
    }
  }

  /** A plan and its cost, which grows when a class is made for it. */
  private final class Entry implements LongConsumer {
    private final Key key;
    private final Plan plan;
    private long words;

    Entry(Key key, PlacedPattern element, long extent) {
      this.key = key;
      this.words = WORDS_OF_A_PLAN + (element == null ? 0 : element.pattern().words());
      this.plan = Plan.of(new PlanCore(element, extent, this), null);
    }

    /** Called by the thread that makes classes. */
    @Override
    public void accept(long wordsOfAClass) {
      grow(this, wordsOfAClass);
    }
  }

  synchronized Plan plan(PlacedPattern element, long extent) {
    Key key = new Key(element, extent);
    Entry entry = plans.get(key);
    asked++;
    if (entry == null) {
      made++;
      entry = new Entry(key, element, extent);
      plans.put(key, entry);
      words += entry.words;
      forgetOldest();
    }
    return entry.plan;
  }

  /** Returns how often a plan was there. */
  long hits() {
    return asked - made;
  }

  /** Returns how often a plan was made. */
  long misses() {
    return made;
  }

  synchronized int size() {
    return plans.size();
  }

  private synchronized void grow(Entry entry, long more) {
    if (plans.get(entry.key) == entry) { // still present; now the newest
      entry.words += more;
      words += more;
      forgetOldest();
    }
  }

  /** The newest plan stays, however large. */
  private void forgetOldest() {
    Iterator<Entry> oldest = plans.values().iterator();
    while (words > MAX_WORDS && plans.size() > 1) {
      words -= oldest.next().words;
      oldest.remove();
    }
  }
}
