// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.ffmpi.spi.Channel;

/** Puts the sends of a rank that have not left into words. Used by one thread, with the rank's lock held. */
final class UnsentMessages {
  /** Number of sends that are described; the others are counted. */
  private static final int DESCRIBED = 3;

  /** A synchronous send may wait for room and for its peer at once. */
  private final Set<SendOp> seen = Collections.newSetFromMap(new IdentityHashMap<>());

  private final StringBuilder text = new StringBuilder();

  /** Adds a send. */
  void add(SendOp op) {
    if (op.mode == SendOp.FAILURE || op.isDone() || !seen.add(op) || seen.size() > DESCRIBED) {
      return;
    }
    text.append(text.isEmpty() ? "" : ", ");
    text.append("rank ").append(op.peer).append(" has received ").append(op.total).append(" bytes ");
    boolean ofCall = Channel.numberOf(op.context) != op.context;
    text.append(ofCall ? "of a collective call" : "with tag " + op.tag);
  }

  /** Returns the events for which the sends wait; empty when all have left. */
  String text() {
    int more = seen.size() - DESCRIBED;
    return more > 0 ? text + ", and " + more + " more" : text.toString();
  }
}
