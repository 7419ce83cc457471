// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

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

  private record Key(Placed element, long extent) {}

  synchronized Plan plan(Placed element, long extent) {
    Key key = new Key(element, extent);
    Plan plan = plans.get(key);
    if (plan == null) {
      Compiled core = new Compiled(element, extent);
      plan = Plan.of(core, null);
      plans.put(key, plan);
      words += weight(plan);
      forgetOldest();
    }
    return plan;
  }

  /** The plan just made stays, however long. */
  private void forgetOldest() {
    Iterator<Plan> oldest = plans.values().iterator();
    while (words > MAX_WORDS && plans.size() > 1) {
      words -= weight(oldest.next());
      oldest.remove();
    }
  }

  private static long weight(Plan plan) {
    return WORDS_OF_A_PLAN + plan.flattenedBytes() / Long.BYTES;
  }
}
