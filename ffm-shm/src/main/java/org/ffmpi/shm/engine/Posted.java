// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

import org.ffmpi.spi.Operation;

/** A receive as the {@link Matcher} sees it: a pattern, and links that belong to the matcher alone. */
abstract class Posted extends Operation {
  long context;
  int peer;
  int tag;

  /** Order of posting; an exact receive and a wildcard compete by it. */
  long sequence;

  Posted previous;
  Posted next;
  boolean linked;

  /** Where the matcher has it; negative for the places that are no bins. */
  int bin;

  final void pattern(long context, int peer, int tag) {
    this.context = context;
    this.peer = peer;
    this.tag = tag;
  }

  final boolean isWild() {
    return peer < 0 || tag < 0;
  }
}
