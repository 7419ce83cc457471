// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntPredicate;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.shm.progress.Source;
import org.ffmpi.shm.segment.JobSegment;
import org.ffmpi.shm.segment.Nodes;
import org.ffmpi.shm.segment.RankLayout;
import org.ffmpi.shm.wire.Wire;
import org.ffmpi.spi.Operation;

/**
 * The traffic from ranks on other nodes, as packets of records, which their {@link Inbound}s read as they read rings,
 * and as notes. Polled with the rank's lock held.
 */
final class WireTraffic implements Source, Wire.Receiver {
  /** Polls of the wire in a row without a find, after which the wire is polled seldom. */
  private static final int FRUITLESS = 2_000;

  /** Polls of the rank between two polls of the wire then; each costs a call of a C library. */
  private static final int POLLS_PER_WIRE_POLL = 32;

  /** Most ranks of a job in which each rank sends each other one a note when it leaves. */
  private static final int MOST_ANNOUNCING_TO_ALL = 1024;

  /** Time for a rank's last packets to come, after another rank of this node has its note. */
  private static final long UNANNOUNCED_NANOS = 5_000_000_000L;

  private final JobSegment segment;
  private final Wire wire;
  private final WirePackets packets;
  private final MirrorWords mirrors;
  private final CompletionWords words;
  private final InboundRings inbound;
  private final WireSends sends;
  private final WireReceives receives;

  /** By peer; null before its first packet. */
  private final WireReader[] readers;

  /** The peers whose last note has come; it follows all their messages to this rank. */
  private final BitSet left;

  /** By peer, the time at which this rank has learnt from another one that the peer has left. */
  private final Map<Integer, Long> heardOf = new HashMap<>();

  private int fruitless;

  WireTraffic(
      JobSegment segment, Wire wire, WirePackets packets, MirrorWords mirrors, CompletionWords words,
      InboundRings inbound, WireSends sends, WireReceives receives) {
    this.segment = segment;
    this.wire = wire;
    this.packets = packets;
    this.mirrors = mirrors;
    this.words = words;
    this.inbound = inbound;
    this.sends = sends;
    this.receives = receives;
    this.readers = new WireReader[segment.ranks()];
    this.left = new BitSet(segment.ranks());
  }

  /** Progresses the wire, a bounded amount of work; returns the number of things moved. */
  int poll() {
    if (fruitless > FRUITLESS && ++fruitless % POLLS_PER_WIRE_POLL != 0 && sends.isEmpty() && receives.isEmpty()) {
      return 0;
    }
    return drain();
  }

  @Override
  public int drain() {
    int moved = wire.receive(this) ? 1 : 0; // no second receive: a thread may wait for the first packet
    if (!receives.isEmpty()) {
      moved += receives.poll();
    }
    if (!sends.isEmpty()) {
      moved += sends.poll();
    }
    if (packets.hasDelayed()) {
      packets.sendDelayed();
    }
    fruitless = moved > 0 ? 0 : fruitless == Integer.MAX_VALUE ? FRUITLESS + 1 : fruitless + 1;
    return moved;
  }

  /** Polls the wire once: a look is dear. */
  @Override
  public int drain(int looks, Operation op) {
    return drain();
  }

  @Override
  public void onPacket(int peer, long packet, int bytes) {
    if (peer < 0 || peer >= readers.length || bytes < PacketLayout.BYTES || bytes > Wire.PACKET_BYTES) {
      throw new MpiException(
          ErrorClass.ERR_INTERN, "a packet of " + bytes + " bytes from rank " + peer + " cannot be");
    }
    packets.onHead(peer, packet);
    switch (PacketLayout.getPlainKind(packet)) {
      case PacketLayout.RECORDS -> onRecords(peer, packet, bytes);
      case PacketLayout.NOTE -> onNote(peer, packet);
      default -> throw new MpiException(
          ErrorClass.ERR_INTERN, "a packet from rank " + peer + " is neither records nor a note");
    }
  }

  private void onRecords(int peer, long packet, int bytes) {
    WireReader reader = readers[peer];
    if (reader == null) {
      reader = new WireReader(mirrors, peer);
      readers[peer] = reader;
      inbound.add(peer, reader);
    }
    reader.accept(packet, bytes);
    Inbound in = inbound.from(peer);
    while (in.drain() > 0) {
      // a bounded number at a time
    }
    packets.onConsumed(peer);
  }

  private void onNote(int peer, long packet) {
    long word = PacketLayout.getPlainWord(packet);
    int generation = PacketLayout.getPlainGeneration(packet);
    switch (PacketLayout.getPlainWhat(packet)) {
      case PacketLayout.CREDIT -> { }
      case PacketLayout.WORD -> onWord(
          segment.line(word, CompletionWordLayout.BYTES), generation, PacketLayout.getPlainState(packet),
          PacketLayout.getPlainTransfer(packet));
      case PacketLayout.CANCEL -> mirrors.cancel(peer, word, generation);
      case PacketLayout.LEFT -> {
        left.set(peer);
        boolean died = PacketLayout.getPlainState(packet) == RankLayout.DEAD;
        segment.ends().markLeft(peer);
        segment.publishState(peer, died ? RankLayout.DEAD : RankLayout.FINALIZED);
      }
      default -> throw new MpiException(ErrorClass.ERR_INTERN, "rank " + peer + " sends an impossible note");
    }
  }

  private void onWord(long word, int generation, int state, long transfer) {
    if (state == CompletionWordLayout.CANCELLED) {
      SendOp op = words.cancelled(word, generation);
      if (op != null) {
        op.cancelled = true;
        op.finish();
      }
      return;
    }
    CompletionWordLayout.setPlainTransfer(word, transfer);
    CompletionWordLayout.cas(word, generation, CompletionWordLayout.PENDING, state);
  }

  /**
   * Returns whether a rank of another node has left and all its messages have come. Its own note shows that, or in a
   * large job the time since another rank of this node had its note.
   */
  boolean hasLeft(int peer) {
    if (left.get(peer) || segment.ranks() <= MOST_ANNOUNCING_TO_ALL) {
      return left.get(peer);
    }
    long now = System.nanoTime();
    return now - heardOf.computeIfAbsent(peer, _ -> now) > UNANNOUNCED_NANOS;
  }

  /**
   * Sends other nodes the note that this rank leaves, with its state. Each of their ranks gets it, since it may be
   * waiting for this one; in a large job only those to which this rank has sent a message, and one rank of each node,
   * which publishes it there. Different ranks choose different ones of a node.
   */
  void sendLeft(int self, int state, IntPredicate hasSentTo) {
    Nodes nodes = segment.nodes();
    int[] passed = segment.ranks() > MOST_ANNOUNCING_TO_ALL ? new int[nodes.count()] : null;
    int[] sizes = passed == null ? null : nodes.sizes();
    for (int peer = 0; peer < segment.ranks(); peer++) {
      int node = nodes.node(peer);
      boolean isAddressed = passed == null || passed[node]++ == self % sizes[node] || hasSentTo.test(peer);
      if (isAddressed && !nodes.isLocal(peer)) {
        packets.sendNote(peer, PacketLayout.LEFT, 0, 0, state, 0);
      }
    }
  }

  /** Returns whether notes of this rank have not left yet. */
  boolean hasNotes() {
    return packets.hasDelayed();
  }
}
