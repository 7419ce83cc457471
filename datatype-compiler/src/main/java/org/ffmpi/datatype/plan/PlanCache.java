// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.ffmpi.datatype.plan.pattern.Pattern;
import org.ffmpi.datatype.plan.pattern.Placed;

/**
 * The plans compiled lately, so that programs that make equal types again and again get the same plan, its generated
 * classes and its standing with peers each time. Bounded by memory: of many or long lists the oldest are forgotten.
 */
final class PlanCache {
  /** About 16 MiB of lists. */
  private static final long MAX_WORDS = 1 << 21;

  /** What a plan without any list costs, counted in words as well. */
  private static final long WORDS_OF_A_PLAN = 64;

  private final Map<Key, Plan> plans = new LinkedHashMap<>(16, 0.75f, true);
  private long words;

  /** Written out, since the first type is compiled while a program starts and a record's methods are linked late. */
  private static final class Key {
    private final Pattern pattern;
    private final long displacement;
    private final long extent;

    Key(Placed element, long extent) {
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

  synchronized Plan plan(Placed element, long extent) {
    Key key = new Key(element, extent);
    Plan plan = plans.get(key);
    if (plan == null) {
      Compiled core = new Compiled(element, extent);
      plan = Plan.of(core, null);
      plans.put(key, plan);
      words += weight(key);
      forgetOldest();
    }
    return plan;
  }

  /** The plan just made stays, however long. */
  private void forgetOldest() {
    Iterator<Key> oldest = plans.keySet().iterator();
    while (words > MAX_WORDS && plans.size() > 1) {
      words -= weight(oldest.next());
      oldest.remove();
    }
  }

  private static long weight(Key key) {
    return WORDS_OF_A_PLAN + (key.pattern == null ? 0 : key.pattern.words());
  }
}
