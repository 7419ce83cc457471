// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.ffmpi.shm.progress.BrokenChannels;
import org.ffmpi.shm.progress.Departures;

/** The ways to all peers, and the backlogs among them. The mirror of {@link InboundRings}. */
final class OutboundRings {
  private final AtomicInteger backlogs = new AtomicInteger();
  private final Outbound[] outbound;

  /**
   * Creates the ways of one rank.
   *
   * @param endpoint the rank's end of the segment
   * @param words the rank's completion words
   * @param remote what serves peers on other nodes, or null
   */
  public OutboundRings(Endpoint endpoint, CompletionWords words, Remote remote) {
    this.outbound = new Outbound[endpoint.segment().ranks()];
    for (int p = 0; p < outbound.length; p++) {
      outbound[p] = new Outbound(endpoint, words, p, backlogs, remote);
    }
  }

  Outbound to(int peer) {
    return outbound[peer];
  }

  /** Returns the number of peers. */
  int size() {
    return outbound.length;
  }

  /** Returns whether sends wait for room. Racy. */
  boolean hasBacklogs() {
    return backlogs.getOpaque() != 0;
  }

  /** Sends from all backlogs as much as the rings take; called with the rank's lock held. */
  int flush() {
    int moved = 0;
    for (Outbound o : outbound) {
      if (!o.backlog.isEmpty() && o.lock.tryLock()) {
        try {
          moved += o.flush();
        } finally {
          o.lock.unlock();
        }
      }
    }
    return moved;
  }

  /** Checks all rings and pipes that are not in use just now; called with the rank's lock held. */
  void verify() {
    for (Outbound o : outbound) {
      if (o.isOpen() && o.lock.tryLock()) {
        try {
          o.verify();
        } finally {
          o.lock.unlock();
        }
      }
    }
  }

  /** Returns whether a send of some contexts waits for room. */
  boolean any(LongPredicate contexts) {
    for (Outbound o : outbound) {
      if (!o.backlog.isEmpty() && o.lock.lock()) {
        try {
          if (o.backlog.any(contexts)) {
            return true;
          }
        } finally {
          o.lock.unlock();
        }
      }
    }
    return false;
  }

  /** Hands on every send that waits for room. */
  void forEach(Consumer<SendOp> to) {
    for (Outbound o : outbound) {
      if (!o.backlog.isEmpty() && o.lock.lock()) {
        try {
          o.backlog.forEach(to);
        } finally {
          o.lock.unlock();
        }
      }
    }
  }

  /** Ends the sends in the backlog of a departed peer. */
  void failAllTo(int peer, Departures departures) {
    Outbound o = outbound[peer];
    if (!o.lock.lock()) {
      return;
    }
    SendOp chain;
    try {
      chain = o.backlog.removeAll();
    } finally {
      o.lock.unlock();
    }
    while (chain != null) {
      SendOp following = chain.next;
      chain.finish(departures.sendError(peer));
      chain = following;
    }
  }

  /** Ends the sends in all backlogs that can go on no more. */
  void failBroken(BrokenChannels broken) {
    for (Outbound o : outbound) {
      if (!o.backlog.isEmpty() && o.lock.lock()) {
        List<SendOp> removed;
        try {
          removed = o.removeBroken(broken);
        } finally {
          o.lock.unlock();
        }
        for (SendOp op : removed) {
          op.finish(broken.error(op.context));
        }
      }
    }
  }

  /** Closes all ways: nothing is sent afterwards. */
  public void close() {
    for (Outbound o : outbound) {
      o.lock.close();
    }
  }
}
