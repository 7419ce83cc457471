// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.shm.account.AccountBuilder;
import org.ffmpi.shm.progress.Departures;
import org.ffmpi.shm.ring.RecordReader;
import org.ffmpi.shm.ring.RingConsumer;
import org.ffmpi.shm.ring.RingLayout;
import org.ffmpi.shm.segment.JobSegment;
import org.ffmpi.shm.segment.RankLayout;

/**
 * The ways from all peers. Opens the reading end of rings that peers have opened, and drains them in turn. Called with
 * the rank's lock held. The mirror of {@link OutboundRings}.
 */
final class InboundRings {
  private final Endpoint endpoint;
  private final Delivery delivery;
  private final long ownBlock;
  private final Inbound[] inbound;
  private final Inbound[] active;
  private int activeCount;

  /** The peers on other nodes, which {@link #drain} leaves to the wire. */
  private final List<Inbound> remote = new ArrayList<>();

  private int knownRings;
  private int turn;

  InboundRings(Endpoint endpoint, Delivery delivery) {
    this.endpoint = endpoint;
    this.delivery = delivery;
    this.ownBlock = endpoint.segment().rankBlock(endpoint.self());
    this.inbound = new Inbound[endpoint.segment().ranks()];
    this.active = new Inbound[endpoint.segment().localRanks()];
  }

  /** Returns the way from a peer; null before its first message. */
  Inbound from(int peer) {
    return inbound[peer];
  }

  /** Adds a peer on another node, whose records come in packets; the caller drains them. */
  void add(int peer, RecordReader reader) {
    inbound[peer] = new Inbound(endpoint, peer, reader, delivery);
    remote.add(inbound[peer]);
  }

  /** Drains all rings, within bounds; returns the number of records. */
  int drain() {
    if (RankLayout.getAcquireRings(ownBlock) != knownRings) {
      open();
    }
    int records = 0;
    int n = activeCount;
    for (int i = 0, p = turn; i < n; i++) {
      p = p >= n - 1 ? 0 : p + 1;
      records += active[p].drain();
    }
    turn = turn >= n - 1 ? 0 : turn + 1;
    return records;
  }

  /** Opens the rings that peers have opened since the last call. Words of a peer are checked before they are used. */
  private void open() {
    JobSegment segment = endpoint.segment();
    int rings = RankLayout.getAcquireRings(ownBlock);
    for (int i = 0; i < active.length; i++) {
      int p = segment.localRank(i);
      long offset = inbound[p] == null ? segment.getAcquireRing(p, endpoint.self()) : 0;
      if (offset != 0) {
        long ring = segment.line(offset, RingLayout.bytes(RingLayout.MIN_SLOTS, RingLayout.MIN_BULK));
        int slots = RingLayout.getPlainSlots(ring);
        int bulk = RingLayout.getPlainBulkBytes(ring);
        if (!RingLayout.isShape(slots, bulk)) {
          throw new MpiException(
              ErrorClass.ERR_INTERN,
              "rank " + p + " opened an impossible ring: " + slots + " slots, " + bulk + " bytes");
        }
        segment.address(offset, RingLayout.bytes(slots, bulk));
        inbound[p] = new Inbound(endpoint, p, new RingConsumer(ring, slots, bulk), delivery);
        active[activeCount++] = inbound[p];
      }
    }
    knownRings = rings;
  }

  /** Checks all rings, and opens those that the number of rings does not announce. */
  void verify() {
    for (int i = 0; i < activeCount; i++) {
      active[i].verify();
    }
    JobSegment segment = endpoint.segment();
    for (int i = 0; activeCount < active.length && i < active.length; i++) {
      int p = segment.localRank(i);
      if (inbound[p] == null && segment.getAcquireRing(p, endpoint.self()) != 0) {
        open();
        return;
      }
    }
  }

  /** Returns whether a message of several records is coming in. */
  boolean isReceiving() {
    for (int i = 0; i < activeCount; i++) {
      if (active[i].isReceiving()) {
        return true;
      }
    }
    for (Inbound in : remote) {
      if (in.isReceiving()) {
        return true;
      }
    }
    return false;
  }

  /** Sums a number of all ways. Racy. */
  long sum(ToLongFunction<Inbound> number) {
    long sum = 0;
    for (Inbound in : inbound) {
      sum += in == null ? 0 : number.applyAsLong(in);
    }
    return sum;
  }

  /** Lists the amounts received so far. */
  void list(AccountBuilder into) {
    for (int i = 0; i < activeCount; i++) {
      active[i].list(into);
    }
    remote.forEach(in -> in.list(into));
  }

  /** Ends the receives of which dead peers have sent only a part. */
  void failAfter(Departures departures) {
    for (int i = 0; i < activeCount; i++) {
      if (departures.isDead(active[i].peer)) {
        active[i].fail(departures.receiveError(active[i].peer));
      }
    }
    for (Inbound in : remote) {
      if (departures.isDead(in.peer)) {
        in.fail(departures.receiveError(in.peer));
      }
    }
  }
}
