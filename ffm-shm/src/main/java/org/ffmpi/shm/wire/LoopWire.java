// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.wire;

import java.lang.foreign.Arena;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.ffmpi.base.raw.Raw;

/**
 * A wire between ranks that are threads of one process, which so has several nodes. Packets pass by reference; a
 * transfer is one copy, in the call that finds both sides started.
 */
public final class LoopWire implements Wire {
  private static final int PACKETS = 64;
  private static final int KEPT_FOR_URGENT = 16;
  private static final int MOST_REQUESTS = 64;

  /** A packet on its way. */
  private record Packet(LoopWire from, long address, int bytes) {
    void release() {
      synchronized (from.free) {
        from.free.add(address);
      }
    }
  }

  /** Key under which the two sides of a transfer meet. */
  private record Pair(int from, int to, int tag) {}

  /** One side of a transfer; guarded by its {@link Hub}. */
  private static final class Transfer {
    final boolean sends;
    final long address;
    final long bytes;
    boolean isDone;

    Transfer(boolean sends, long address, long bytes) {
      this.sends = sends;
      this.address = address;
      this.bytes = bytes;
    }
  }

  /** The state that all ranks share. */
  private static final class Hub {
    final List<LoopWire> wires = new ArrayList<>();
    final Map<Pair, ArrayDeque<Transfer>> sends = new HashMap<>();
    final Map<Pair, ArrayDeque<Transfer>> receives = new HashMap<>();
  }

  private final Hub hub;
  private final int self;
  private final Arena arena = Arena.ofAuto();
  private final Queue<Packet> arrived = new ConcurrentLinkedQueue<>();
  private final ArrayDeque<Long> free = new ArrayDeque<>();
  private final Map<Integer, Transfer> requests = new HashMap<>();
  private int lastRequest;
  private int sendCount;
  private volatile boolean isClosed;

  private LoopWire(Hub hub, int self) {
    this.hub = hub;
    this.self = self;
    long packets = Raw.address(arena.allocate((long) PACKETS * PACKET_BYTES, 64));
    for (int i = 0; i < PACKETS; i++) {
      free.add(packets + (long) i * PACKET_BYTES);
    }
  }

  /**
   * Creates the wires of all ranks of a job.
   *
   * @param ranks number of ranks
   * @return a wire for each
   */
  public static List<LoopWire> between(int ranks) {
    Hub hub = new Hub();
    for (int i = 0; i < ranks; i++) {
      hub.wires.add(new LoopWire(hub, i));
    }
    return List.copyOf(hub.wires);
  }

  @Override
  public long acquire(boolean urgent) {
    synchronized (free) {
      return free.size() > (urgent ? 0 : KEPT_FOR_URGENT) ? free.poll() : 0;
    }
  }

  @Override
  public void send(int peer, long packet, int bytes) {
    LoopWire to = hub.wires.get(peer);
    to.arrived.add(new Packet(this, packet, bytes));
    if (to.isClosed) {
      to.releaseArrived();
    }
  }

  @Override
  public boolean receive(Receiver to) {
    Packet packet = arrived.poll();
    if (packet == null) {
      return false;
    }
    try {
      to.onPacket(packet.from.self, packet.address, packet.bytes);
    } finally {
      packet.release();
    }
    return true;
  }

  /** Stops receiving: packets to this rank are released to their senders. */
  public void close() {
    isClosed = true;
    releaseArrived();
  }

  private void releaseArrived() {
    for (Packet packet = arrived.poll(); packet != null; packet = arrived.poll()) {
      packet.release();
    }
  }

  @Override
  public int startSend(int peer, int tag, long address, long bytes) {
    return start(new Pair(self, peer, tag), address, bytes, hub.sends, hub.receives, true);
  }

  @Override
  public int startReceive(int peer, int tag, long address, long bytes) {
    return start(new Pair(peer, self, tag), address, bytes, hub.receives, hub.sends, false);
  }

  private int start(
      Pair pair, long address, long bytes, Map<Pair, ArrayDeque<Transfer>> own, Map<Pair, ArrayDeque<Transfer>> others,
      boolean sends) {
    synchronized (hub) {
      if ((sends ? sendCount : requests.size() - sendCount) == MOST_REQUESTS) {
        return -1;
      }
      sendCount += sends ? 1 : 0;
      Transfer transfer = new Transfer(sends, address, bytes);
      ArrayDeque<Transfer> waiting = others.get(pair);
      if (waiting == null) {
        own.computeIfAbsent(pair, _ -> new ArrayDeque<>()).add(transfer);
      } else {
        Transfer other = waiting.poll();
        if (waiting.isEmpty()) {
          others.remove(pair);
        }
        if (other.bytes != bytes) {
          throw new IllegalStateException("a transfer of " + bytes + " bytes meets one of " + other.bytes);
        }
        Raw.copy(sends ? address : other.address, sends ? other.address : address, bytes);
        other.isDone = true;
        transfer.isDone = true;
      }
      lastRequest = lastRequest + 1 & Integer.MAX_VALUE;
      requests.put(lastRequest, transfer);
      return lastRequest;
    }
  }

  @Override
  public boolean isDone(int request) {
    synchronized (hub) {
      Transfer transfer = requests.get(request);
      if (transfer.isDone) {
        requests.remove(request);
        sendCount -= transfer.sends ? 1 : 0;
      }
      return transfer.isDone;
    }
  }

  @Override
  public boolean withdraw(int request) {
    synchronized (hub) {
      Transfer transfer = requests.remove(request);
      if (!transfer.isDone) {
        hub.receives.values().removeIf(waiting -> waiting.remove(transfer) && waiting.isEmpty());
      }
      return true;
    }
  }
}
