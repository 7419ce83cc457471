// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import java.util.function.ToLongFunction;
import org.ffmpi.shm.progress.BrokenChannels;
import org.ffmpi.shm.progress.Departures;

/**
 * The ways to all peers. A way is made on first use, since a rank of a large job sends to few others. The mirror of
 * {@link InboundRings}.
 */
final class OutboundRings {
  private static final int FEW = 8;

  private final AtomicInteger backlogs = new AtomicInteger();
  private final Endpoint endpoint;
  private final CompletionWords words;

  /** Null where all peers are on this node. */
  private final Remote remote;

  /** By peer; null before its first use. Read by any thread, written with this object's monitor held. */
  private final Outbound[] outbound;

  /** The existing ways, in the order in which they were made, for walks over all. */
  private Outbound[] made = new Outbound[FEW];

  /** Their number; written after the array. */
  private volatile int madeCount;

  /** Guarded by the monitor. */
  private boolean isClosed;

  /**
   * Creates the ways of one rank.
   *
   * @param endpoint the rank's end of the segment
   * @param words the rank's completion words
   * @param remote the parts for peers on other nodes, or null
   */
  public OutboundRings(Endpoint endpoint, CompletionWords words, Remote remote) {
    this.endpoint = endpoint;
    this.words = words;
    this.remote = remote;
    this.outbound = new Outbound[endpoint.segment().ranks()];
  }

  /** Returns the way to a peer. The fields that its constructor sets are final, so that reading them needs no lock. */
  Outbound to(int peer) {
    Outbound o = outbound[peer];
    return o != null ? o : make(peer);
  }

  /** Returns whether a message was sent to a peer. Racy. */
  boolean isOpen(int peer) {
    Outbound o = outbound[peer];
    return o != null && o.isOpen();
  }

  /** Returns whether {@link #to} was called for a peer. */
  boolean isMade(int peer) {
    return outbound[peer] != null;
  }

  private synchronized Outbound make(int peer) {
    Outbound o = outbound[peer];
    if (o == null) {
      o = Remote.isRemote(remote, peer)
          ? remote.outbound(endpoint, words, peer, backlogs)
          : new LocalOutbound(endpoint, words, peer, backlogs);
      if (isClosed) {
        o.lock.close();
      }
      outbound[peer] = o;
      int count = madeCount;
      if (count == made.length) {
        made = Arrays.copyOf(made, 2 * count);
      }
      made[count] = o;
      madeCount = count + 1;
    }
    return o;
  }

  /** Returns the number of peers. */
  int size() {
    return outbound.length;
  }

  /** Passes every existing way to a consumer. */
  void forEachMade(Consumer<Outbound> to) {
    for (int i = 0, n = madeCount; i < n; i++) {
      to.accept(made[i]);
    }
  }

  /** Sums a number of all ways. Racy. */
  long sum(ToLongFunction<Outbound> number) {
    long sum = 0;
    for (int i = 0, n = madeCount; i < n; i++) {
      sum += number.applyAsLong(made[i]);
    }
    return sum;
  }

  /** Returns a number of the way to a peer; 0 before its first use. Racy. */
  long number(int peer, ToLongFunction<Outbound> number) {
    Outbound o = outbound[peer];
    return o == null ? 0 : number.applyAsLong(o);
  }

  /** Returns the pipe to a peer of this node by the peer's number there, or null. */
  PipeSender localPipe(int index) {
    Outbound o = outbound[endpoint.segment().localRank(index)];
    return o == null ? null : o.pipe;
  }

  /** Returns the number of peers on this node. */
  int localSize() {
    return endpoint.segment().localRanks();
  }

  /** Returns whether sends wait for room. Racy. */
  boolean hasBacklogs() {
    return backlogs.getOpaque() != 0;
  }

  /** Sends from all backlogs as far as there is room; called with the rank's lock held. */
  int flushBacklogs() {
    int moved = 0;
    for (int i = 0, n = madeCount; i < n; i++) {
      Outbound o = made[i];
      if (!o.backlog.isEmpty() && o.lock.tryLock()) {
        try {
          moved += o.flushBacklog();
        } finally {
          o.lock.unlock();
        }
      }
    }
    return moved;
  }

  /** Checks all rings and pipes whose lock is free; called with the rank's lock held. */
  void verify() {
    for (int i = 0, n = madeCount; i < n; i++) {
      Outbound o = made[i];
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
    for (int i = 0, n = madeCount; i < n; i++) {
      Outbound o = made[i];
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

  /** Passes every send that waits for room to a consumer. */
  void forEach(Consumer<SendOp> to) {
    for (int i = 0, n = madeCount; i < n; i++) {
      Outbound o = made[i];
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
    if (o == null || !o.lock.lock()) {
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

  /** Ends the sends of broken channels in all backlogs. */
  void failBroken(BrokenChannels broken) {
    for (int i = 0, n = madeCount; i < n; i++) {
      Outbound o = made[i];
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

  /** Closes all ways; no message is sent afterwards. */
  public void close() {
    synchronized (this) {
      isClosed = true;
    }
    for (int i = 0, n = madeCount; i < n; i++) {
      made[i].lock.close();
    }
  }
}
