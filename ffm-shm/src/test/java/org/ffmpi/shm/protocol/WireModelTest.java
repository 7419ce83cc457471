// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.ffmpi.base.Settings;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.shm.ring.RingLayout;
import org.ffmpi.shm.segment.JobOptions;
import org.ffmpi.shm.segment.JobSegment;
import org.ffmpi.shm.wire.Wire;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Thousands of ranks in one thread that write and read packets over a modelled network. Packets take any time, only
 * those between two ranks keep their order, and often there is no memory for a packet. No record is lost, doubled or
 * overtaken, no packet leaks, and the packets under way to one rank stay within the credit of its peers.
 */
@Timeout(120)
@Tag("long")
class WireModelTest {
  private static final int RANKS = 2_000;

  /** Packets that all ranks share: far fewer than they would like to have. */
  private static final int PACKETS = 1_200;

  private static final int KEPT_FOR_URGENT = 100;
  private static final int LEAST_CREDIT = 4;

  private final long seed = Long.getLong("ffmpi.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);
  private final JobSegment segment = JobSegment.create(new JobOptions(RANKS, false, Settings.of(Map.of())));
  private final Arena arena = Arena.ofConfined();
  private final ArrayDeque<Long> free = new ArrayDeque<>();
  private final List<Rank> ranks = new ArrayList<>();

  /** Ranks with something to send, and ranks to which something is on its way. */
  private final List<Rank> talkers = new ArrayList<>();

  private final List<Rank> listeners = new ArrayList<>();
  private long received;
  private int mostWaiting;

  WireModelTest() {
    long memory = Raw.address(arena.allocate((long) PACKETS * Wire.PACKET_BYTES, 64));
    for (int i = 0; i < PACKETS; i++) {
      free.add(memory + (long) i * Wire.PACKET_BYTES);
    }
    for (int i = 0; i < RANKS; i++) {
      ranks.add(new Rank(i));
    }
  }

  @AfterEach
  void close() {
    segment.release();
    arena.close();
  }

  private record Packet(int from, long address, int bytes) {}

  /** One rank: what it has still to send, and what it has received. */
  private final class Rank implements Wire, Wire.Receiver {
    final int self;
    final WirePackets packets;
    final ArrayDeque<Integer> toSend = new ArrayDeque<>();
    private final Map<Integer, WireWriter> writers = new HashMap<>();
    private final Map<Integer, WireReader> readers = new HashMap<>();
    private final Map<Integer, Integer> sent = new HashMap<>();
    private final Map<Integer, Integer> expected = new HashMap<>();

    /** The packets on their way to this rank, by sender. */
    private final Map<Integer, ArrayDeque<Packet>> arriving = new HashMap<>();

    private final List<Integer> senders = new ArrayList<>();
    private int waiting;

    Rank(int self) {
      this.self = self;
      this.packets = new WirePackets(this, segment, self);
    }

    // ---- the wire

    @Override
    public long acquire(boolean urgent) {
      return free.size() <= (urgent ? 0 : KEPT_FOR_URGENT) || random.nextInt(8) == 0 ? 0 : free.poll();
    }

    @Override
    public void send(int peer, long packet, int bytes) {
      assertTrue(bytes >= PacketLayout.BYTES && bytes <= PACKET_BYTES, "packet of " + bytes + " bytes");
      Rank to = ranks.get(peer);
      if (PacketLayout.getPlainKind(packet) == PacketLayout.RECORDS) {
        mostWaiting = Math.max(mostWaiting, ++to.waiting);
      }
      ArrayDeque<Packet> channel = to.arriving.computeIfAbsent(self, _ -> new ArrayDeque<>());
      if (channel.isEmpty()) {
        if (to.senders.isEmpty()) {
          listeners.add(to);
        }
        to.senders.add(self);
      }
      channel.add(new Packet(self, packet, bytes));
    }

    @Override
    public boolean receive(Wire.Receiver to) {
      if (senders.isEmpty()) {
        return false;
      }
      int i = random.nextInt(senders.size());
      ArrayDeque<Packet> channel = arriving.get(senders.get(i));
      Packet packet = channel.poll();
      if (channel.isEmpty()) {
        senders.set(i, senders.getLast());
        senders.removeLast();
      }
      to.onPacket(packet.from, packet.address, packet.bytes);
      free.add(packet.address);
      return true;
    }

    @Override
    public int startSend(int peer, int tag, long address, long bytes) {
      throw new AssertionError("no transfers in this model");
    }

    @Override
    public int startReceive(int peer, int tag, long address, long bytes) {
      throw new AssertionError("no transfers in this model");
    }

    @Override
    public boolean isDone(int request) {
      throw new AssertionError("no transfers in this model");
    }

    @Override
    public boolean withdraw(int request) {
      throw new AssertionError("no transfers in this model");
    }

    // ---- sending

    /** Sends some of what is to be sent, in one packet or more, as far as there is room. */
    void sendSome() {
      for (int n = random.nextInt(1, 6); n > 0 && !toSend.isEmpty(); n--) {
        int peer = toSend.peek();
        WireWriter writer = writers.computeIfAbsent(peer, p -> new WireWriter(packets, p));
        int number = sent.getOrDefault(peer, 0);
        if (!write(writer, number, length(self, peer, number))) {
          break;
        }
        sent.put(peer, number + 1);
        toSend.remove();
        if (toSend.isEmpty() || toSend.peek() != peer) {
          writer.flush(); // the engine flushes before it lets go of a peer
        }
      }
      writers.values().forEach(WireWriter::flush);
    }

    private boolean write(WireWriter writer, int number, int length) {
      boolean inline = length <= EnvelopeLayout.INLINE_BYTES;
      long slot = inline ? writer.claim() : writer.claim(length);
      if (slot == 0) {
        return false;
      }
      long at = inline ? slot + EnvelopeLayout.PAYLOAD_OFFSET : writer.bulk();
      for (int i = 0; i < length; i++) {
        Raw.putByte(at + i, (byte) (number + i));
      }
      EnvelopeLayout.setPlainContext(slot, self);
      if (!inline) {
        EnvelopeLayout.setPlainChunk(slot, writer.bulkOffset(), length, writer.bulkEnd(), length);
      }
      writer.publish(
          slot,
          inline ? EnvelopeLayout.inlineInfo(length, number) : EnvelopeLayout.info(EnvelopeLayout.EAGER, number));
      return true;
    }

    // ---- receiving

    /** Polls once, as {@link WireTraffic} does. */
    void poll() {
      receive(this);
      packets.sendDelayed();
    }

    @Override
    public void onPacket(int peer, long packet, int bytes) {
      packets.onHead(peer, packet);
      if (PacketLayout.getPlainKind(packet) == PacketLayout.NOTE) {
        assertEquals(PacketLayout.CREDIT, PacketLayout.getPlainWhat(packet));
        return;
      }
      waiting--;
      WireReader reader = readers.computeIfAbsent(peer, p -> new WireReader(null, p));
      reader.accept(packet, bytes);
      for (long slot = reader.peek(); slot != 0; slot = reader.peek()) {
        read(peer, reader, slot);
      }
      packets.onConsumed(peer);
    }

    private void read(int peer, WireReader reader, long slot) {
      int number = expected.merge(peer, 1, Integer::sum) - 1;
      assertEquals(peer, EnvelopeLayout.getPlainContext(slot), "seed " + seed);
      assertEquals(number, EnvelopeLayout.tag(reader.info()), "from " + peer + " to " + self + ", seed " + seed);
      int length = length(peer, self, number);
      boolean inline = EnvelopeLayout.inlineLength(reader.info()) >= 0;
      assertEquals(
          length, inline ? EnvelopeLayout.inlineLength(reader.info()) : EnvelopeLayout.getPlainChunk(slot));
      long at = inline
          ? slot + EnvelopeLayout.PAYLOAD_OFFSET : reader.bulk(EnvelopeLayout.getPlainBulkAt(slot), length);
      for (int i = 0; i < length; i++) {
        assertEquals((byte) (number + i), Raw.getByte(at + i), "byte " + i + " of " + length + ", seed " + seed);
      }
      if (inline) {
        reader.pop();
      } else {
        assertTrue(reader.pop(EnvelopeLayout.getPlainBulkEnd(slot)));
      }
      received++;
    }
  }

  /** Both sides know how long a message is. */
  private static int length(int from, int to, int number) {
    int hash = (from * 31 + to) * 31 + number;
    return switch (Math.floorMod(hash * 0x9E37_79B9 >>> 8, 8)) {
      case 0 -> 0;
      case 1, 2, 3 -> Math.floorMod(hash, 105);
      case 4, 5 -> Math.floorMod(hash, 2_000);
      case 6 -> 17 << 10;
      default -> Math.floorMod(hash, 17 << 10);
    };
  }

  private <T> T removeRandom(List<T> from) {
    int i = random.nextInt(from.size());
    T taken = from.set(i, from.getLast());
    from.removeLast();
    return taken;
  }

  /** Lets ranks send and poll in random turns until everything has come, and nothing is under way. */
  private void runToTheEnd(long messages) {
    for (Rank rank : ranks) {
      if (!rank.toSend.isEmpty()) {
        talkers.add(rank);
      }
    }
    long idle = 0;
    while (received < messages || !listeners.isEmpty()) {
      long before = received;
      if (!talkers.isEmpty() && (listeners.isEmpty() || random.nextInt(3) == 0)) {
        Rank rank = removeRandom(talkers);
        rank.sendSome();
        if (!rank.toSend.isEmpty()) {
          talkers.add(rank);
        }
      } else if (!listeners.isEmpty()) {
        Rank rank = removeRandom(listeners);
        for (int polls = random.nextInt(1, 5); polls > 0 && !rank.senders.isEmpty(); polls--) {
          rank.poll();
        }
        if (!rank.senders.isEmpty()) {
          listeners.add(rank);
        }
      }
      ranks.get(random.nextInt(RANKS)).packets.sendDelayed();
      idle = received == before ? idle + 1 : 0;
      assertTrue(idle < 500L * RANKS, () -> "stands still after " + received + " of " + messages + ", seed " + seed);
    }
    assertEquals(messages, received, "seed " + seed);
    assertEquals(PACKETS, free.size(), "packets have been lost, seed " + seed);
  }

  @Test
  void randomTraffic() {
    int messages = 30_000;
    for (int i = 0; i < messages; i++) {
      int from = random.nextInt(RANKS);
      // Neighbours mostly, so that many messages follow each other on one way.
      int to = random.nextInt(4) == 0 ? random.nextInt(RANKS) : from + random.nextInt(1, 4);
      ranks.get(from).toSend.add(to % RANKS == from ? (from + 1) % RANKS : to % RANKS);
    }
    runToTheEnd(messages);
  }

  @Test
  void allFloodOne() {
    int each = 12;
    for (int from = 1; from < RANKS; from++) {
      for (int i = 0; i < each; i++) {
        ranks.get(from).toSend.add(0);
      }
    }
    runToTheEnd((long) each * (RANKS - 1));
    assertTrue(mostWaiting <= LEAST_CREDIT * (RANKS - 1), mostWaiting + " packets under way to one rank");
  }
}
