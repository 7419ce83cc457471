// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.datatype.plan.transfer;

import org.ffmpi.datatype.plan.pattern.EndlessPattern;

/**
 * The transfers from other plans to one plan, each chosen at its first use. Only a few are cached: a program has few
 * pairs of types, and most types meet only their own.
 */
public final class Transfers {
  private static final int REMEMBERED = 4;

  private final EndlessPattern target;

  /** Entries are immutable and replaced whole: a race only loses one, and it is made again. */
  private final Transfer[] ways = new Transfer[REMEMBERED];

  private int next;

  public Transfers(EndlessPattern target) {
    this.target = target;
  }

  /** Returns the transfer from memory that another plan describes. */
  public Transfer from(EndlessPattern source) {
    for (Transfer way : ways) {
      if (way != null && way.source == source) {
        return way;
      }
    }
    Transfer way = find(source);
    ways[next++ & (REMEMBERED - 1)] = way;
    return way;
  }

  private Transfer find(EndlessPattern source) {
    if (source.unit.equals(target.unit)) {
      return new SamePatternTransfer(source, target);
    }
    NestTransfer nest = NestTransfer.between(source, target);
    if (nest != null) {
      return nest;
    }
    TableTransfer table = TableTransfer.between(source, target);
    return table != null ? table : new RunTransfer(source, target);
  }
}
