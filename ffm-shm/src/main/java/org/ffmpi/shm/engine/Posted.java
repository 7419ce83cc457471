// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

import org.ffmpi.spi.Operation;

/** A receive as the {@link Matcher} sees it: a pattern, and links that belong to the matcher alone. */
abstract class Posted extends Operation {
  long context;

  /** A peer, or ANY_SOURCE. */
  int peer;

  /** A tag, or ANY_TAG. */
  int tag;

  /** Order of posting; receives with and without wildcards compete by it. */
  long sequence;

  /** The one posted before with the same pattern; of the oldest, the youngest. */
  Posted previous;

  /** The one posted after this with the same pattern; of the youngest, null. */
  Posted next;

  boolean linked;

  final void pattern(long context, int peer, int tag) {
    this.context = context;
    this.peer = peer;
    this.tag = tag;
  }

  final boolean isWild() {
    return peer < 0 || tag < 0;
  }

  final boolean isAlike(Posted other) {
    return tag == other.tag && peer == other.peer && context == other.context;
  }
}
