// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import org.ffmpi.shm.ring.RecordWriter;
import org.ffmpi.shm.ring.RingLayout;
import org.ffmpi.shm.wire.Wire;

/**
 * The writing end of the way to a rank on another node. Records go into a packet, which {@link #flush} sends. Used with
 * the producer lock of its {@link Outbound} held.
 */
final class WireWriter extends RecordWriter {
  private static final int LINE = 64;

  /** Packets under way to the peer from which on messages in quick sequence share a packet. */
  private static final int BUSY = 8;

  /** Longest time between two messages of a quick sequence. */
  private static final long CLOSE_NANOS = 20_000;

  private final WirePackets packets;
  private final int peer;

  /** The packet that is being filled, or 0. */
  private long packet;

  private int used;
  private int claimed;

  /** End of the packet, without the unused rest of its last record. */
  private int end;

  private int sent;

  /** Time of the last call of {@link #isBurst} with many packets under way. */
  private long askedAt;

  private long records;
  private long bulkTail;
  private long claimedBulkEnd;

  WireWriter(WirePackets packets, int peer) {
    this.packets = packets;
    this.peer = peer;
  }

  @Override
  public long claim() {
    return claim(0);
  }

  @Override
  public long claim(int bytes) {
    int wanted = RingLayout.SLOT_BYTES + (bytes + LINE - 1 & -LINE);
    if (packet != 0 && used + wanted > Wire.PACKET_BYTES) {
      flush();
    }
    if (PacketLayout.BYTES + wanted > Wire.PACKET_BYTES) {
      return 0;
    }
    if (packet == 0) {
      packet = packets.acquire(peer, sent);
      if (packet == 0) {
        return 0;
      }
      used = PacketLayout.BYTES;
    }
    claimed = wanted;
    claimedBulkEnd = bulkTail + wanted - RingLayout.SLOT_BYTES;
    return packet + used;
  }

  @Override
  public int bulkCapacity() {
    return Wire.PACKET_BYTES - PacketLayout.BYTES - RingLayout.SLOT_BYTES & -LINE;
  }

  @Override
  public long bulk() {
    return packet + used + RingLayout.SLOT_BYTES;
  }

  @Override
  public int bulkOffset() {
    return RingLayout.SLOT_BYTES;
  }

  @Override
  public long bulkEnd() {
    return claimedBulkEnd;
  }

  @Override
  public void publish(long slot, long info) {
    RingLayout.setPlainInfo(slot, info);
    int inline = EnvelopeLayout.inlineLength(info);
    end = used + (inline >= 0 ? (int) EnvelopeLayout.PAYLOAD_OFFSET + inline : claimed);
    used += claimed;
    bulkTail = claimedBulkEnd;
    records++;
  }

  /** Sends the records published since the last packet. */
  void flush() {
    if (packet != 0 && used > PacketLayout.BYTES) {
      long full = packet;
      packet = 0;
      sent++;
      packets.send(peer, full, end);
    }
  }

  /**
   * Returns whether a message that is sent now belongs to a burst: many packets are under way, and the last message was
   * sent just before.
   */
  boolean isBurst() {
    if (packets.underWay(peer, sent) < BUSY) {
      return false;
    }
    long now = System.nanoTime();
    boolean isClose = now - askedAt < CLOSE_NANOS;
    askedAt = now;
    return isClose;
  }

  @Override
  public long published() {
    return records;
  }

  @Override
  public long publishedBulk() {
    return bulkTail;
  }

  @Override
  public String fault() {
    return null;
  }
}
