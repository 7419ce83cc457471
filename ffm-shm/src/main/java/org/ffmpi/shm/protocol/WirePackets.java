// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.ffmpi.shm.segment.JobSegment;
import org.ffmpi.shm.segment.RankLayout;
import org.ffmpi.shm.wire.Wire;

/**
 * The packets that a rank sends to other nodes, and their credit: a peer may have sent a number of packets with records
 * that this rank has not taken yet. A rank takes them whenever it polls, whatever its program waits for, so that no
 * circle of ranks waits for credit. Notes need none. Any thread.
 */
final class WirePackets {
  /** Packets under way to one rank, from all others. */
  private static final int UNDER_WAY = 4096;

  private static final int MOST_CREDIT = 32;
  private static final int LEAST_CREDIT = 4;

  /** A note that found no memory for its packet. */
  private record Note(int peer, int what, long word, int generation, int state, long transfer) {}

  private final Wire wire;
  private final JobSegment segment;
  private final long ownBlock;
  private final int credit;

  /** By peer: packets with records that it has taken, as its last packet said. */
  private final AtomicIntegerArray acknowledged;

  /** By peer: packets with records taken from it. Written with the rank's lock held. */
  private final AtomicIntegerArray consumed;

  /** By peer: what it was last told of that. A race between two packets costs a note. */
  private final AtomicIntegerArray reported;

  private final ConcurrentLinkedQueue<Note> delayed = new ConcurrentLinkedQueue<>();

  WirePackets(Wire wire, JobSegment segment, int self) {
    this.wire = wire;
    this.segment = segment;
    this.ownBlock = segment.rankBlock(self);
    this.credit = Math.clamp(UNDER_WAY / segment.ranks(), LEAST_CREDIT, MOST_CREDIT);
    this.acknowledged = new AtomicIntegerArray(segment.ranks());
    this.consumed = new AtomicIntegerArray(segment.ranks());
    this.reported = new AtomicIntegerArray(segment.ranks());
  }

  /**
   * Acquires memory for a packet of records.
   *
   * @param sent how many the peer has been sent
   * @return its address; 0 when there is no credit, or no memory just now
   */
  long acquire(int peer, int sent) {
    return underWay(peer, sent) < credit ? wire.acquire(false) : 0;
  }

  /** Returns how many of the packets that a peer was sent it has not taken, as far as is known here. */
  int underWay(int peer, int sent) {
    return sent - acknowledged.getOpaque(peer);
  }

  /** Sends a packet of records. */
  void send(int peer, long packet, int bytes) {
    head(peer, packet, PacketLayout.RECORDS);
    wire.send(peer, packet, bytes);
  }

  private void head(int peer, long packet, int kind) {
    int count = consumed.getOpaque(peer);
    reported.setOpaque(peer, count);
    PacketLayout.setPlainHead(packet, kind, count, RankLayout.getOpaquePressure(ownBlock));
  }

  /** Sends a note, now or when there is memory for its packet. */
  void sendNote(int peer, int what, long word, int generation, int state, long transfer) {
    if (!delayed.isEmpty() || !trySendNote(peer, what, word, generation, state, transfer)) {
      delayed.add(new Note(peer, what, word, generation, state, transfer));
    }
  }

  private boolean trySendNote(int peer, int what, long word, int generation, int state, long transfer) {
    long packet = wire.acquire(true);
    if (packet == 0) {
      return false;
    }
    head(peer, packet, PacketLayout.NOTE);
    PacketLayout.setPlainNote(packet, what, word, generation, state, transfer);
    wire.send(peer, packet, PacketLayout.BYTES);
    return true;
  }

  /** Returns whether notes wait for memory. */
  boolean hasDelayed() {
    return !delayed.isEmpty();
  }

  /** Sends the notes that waited; called with the rank's lock held, so that they leave in one order. */
  void sendDelayed() {
    for (Note n = delayed.peek(); n != null; n = delayed.peek()) {
      if (!trySendNote(n.peer, n.what, n.word, n.generation, n.state, n.transfer)) {
        return;
      }
      delayed.poll();
    }
  }

  /** Takes in what every packet says. */
  void onHead(int peer, long packet) {
    int count = PacketLayout.getPlainConsumed(packet);
    if (count - acknowledged.getOpaque(peer) > 0) {
      acknowledged.setOpaque(peer, count);
    }
    long block = segment.rankBlock(peer);
    int presses = PacketLayout.getPlainPresses(packet) == 0 ? 0 : 1;
    if (RankLayout.getOpaquePressure(block) != presses) {
      RankLayout.setOpaquePressure(block, presses);
    }
  }

  /** Notes that a packet of records has been consumed; gives credit back when much of it is owed. */
  void onConsumed(int peer) {
    int count = consumed.getOpaque(peer) + 1;
    consumed.setOpaque(peer, count);
    if (count - reported.getOpaque(peer) > credit / 2) {
      sendNote(peer, PacketLayout.CREDIT, 0, 0, 0, 0);
    }
  }
}
