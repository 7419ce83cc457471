// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.ffmpi.shm.segment.JobSegment;
import org.ffmpi.shm.segment.RankLayout;
import org.ffmpi.shm.wire.Wire;

/**
 * The packets that a rank sends to other nodes, and their credit, which bounds the packets with records that a peer has
 * sent and this rank has not consumed. A rank consumes them in every poll, independent of its program's wait, so that
 * no circle of ranks waits for credit. Notes need no credit. Any thread.
 */
final class WirePackets {
  /** Most packets under way to one rank, from all others. */
  private static final int UNDER_WAY = 4096;

  private static final int MOST_CREDIT = 32;
  private static final int LEAST_CREDIT = 4;

  /** A note that has found no memory for its packet. */
  private record Note(int peer, int what, long word, int generation, int state, long transfer) {}

  private final Wire wire;
  private final JobSegment segment;
  private final long ownBlock;
  private final int credit;

  /** By peer, the packets with records that it has consumed, by its last packet. */
  private final AtomicIntegerArray acknowledged;

  /** By peer, the packets with records consumed from it. Written with the rank's lock held. */
  private final AtomicIntegerArray consumed;

  /** By peer, the last count of these that was sent to it. A race between two packets costs a note. */
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
   * @param sent number of packets sent to the peer
   * @return its address; 0 without credit or without memory
   */
  long acquire(int peer, int sent) {
    return underWay(peer, sent) < credit ? wire.acquire(false) : 0;
  }

  /** Returns the number of packets sent to a peer and not consumed, as far as this rank knows. */
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

  /** Sends a note, now or once its packet has memory. */
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

  /** Sends the notes that wait; called with the rank's lock held, so that they keep their order. */
  void sendDelayed() {
    for (Note n = delayed.peek(); n != null; n = delayed.peek()) {
      if (!trySendNote(n.peer, n.what, n.word, n.generation, n.state, n.transfer)) {
        return;
      }
      delayed.poll();
    }
  }

  /** Handles the head of a packet: credit and pressure. */
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

  /** Counts a consumed packet of records, and sends credit when much of it is owed. */
  void onConsumed(int peer) {
    int count = consumed.getOpaque(peer) + 1;
    consumed.setOpaque(peer, count);
    if (count - reported.getOpaque(peer) > credit / 2) {
      sendNote(peer, PacketLayout.CREDIT, 0, 0, 0, 0);
    }
  }
}
