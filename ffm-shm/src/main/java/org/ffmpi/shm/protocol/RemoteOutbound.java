// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import java.util.concurrent.atomic.AtomicInteger;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.shm.progress.Departures;
import org.ffmpi.shm.ring.RecordWriter;

/** The way to a peer on another node, by packets that several small messages in quick sequence share. */
final class RemoteOutbound extends Outbound {
  /** Most bytes of small messages that wait for a common packet; each counts as {@link #LEAST_HELD} or more. */
  private static final int MOST_HELD = 32 << 10;

  private static final int LEAST_HELD = 1 << 10;

  /** Longest message that may wait for others. */
  private static final int HELD = 4 << 10;

  private final WirePackets packets;
  private final WireSends sends;
  private final WireWriter wire;

  /** Bytes in the backlog that wait for a common packet, as {@link #MOST_HELD} counts them. */
  private int held;

  RemoteOutbound(
      Endpoint endpoint, CompletionWords words, int peer, AtomicInteger backlogs, WirePackets packets,
      WireSends sends) {
    super(endpoint, words, peer, backlogs);
    this.packets = packets;
    this.sends = sends;
    this.wire = new WireWriter(packets, peer);
  }

  @Override
  boolean sendInline(int kind, Object owner, long offset, long count, Plan plan, int bytes, long context, int tag) {
    acquire();
    try {
      return pushInline(kind, owner, offset, count, plan, bytes, context, tag);
    } catch (IllegalStateException | WrongThreadException e) {
      throw unusable(e);
    } finally {
      wire.flush();
      lock.unlock();
    }
  }

  @Override
  RecordWriter open() {
    return wire;
  }

  @Override
  void recordPublished() {
    // a packet is filled, and leaves with the message's last chunk
  }

  @Override
  void allPublished() {
    wire.flush();
  }

  @Override
  boolean sendsAtOnce() {
    return false;
  }

  @Override
  boolean shouldHold(long bytes) {
    return bytes <= HELD && wire.isBurst();
  }

  /**
   * {@inheritDoc}
   *
   * <p>The next poll sends all that are held in one packet, unless they fill it before or another send follows.
   */
  @Override
  void enqueue(SendOp op, boolean isHeld) {
    backlog.add(op);
    if (isHeld) {
      held += (int) Math.max(op.total, LEAST_HELD);
    }
    if (!isHeld || held >= MOST_HELD) {
      flushBacklog();
    }
  }

  @Override
  boolean needsCopy(int kind, long bytes) {
    return bytes > 0 && kind == Memory.CONFINED;
  }

  @Override
  Protocol choose(SendBuffers buffers, long bytes, int kind, long offset, long layout, boolean isRun) {
    return endpoint.options().selector().chooseRemote(bytes, isPressed());
  }

  @Override
  boolean isReadable(SendOp op) {
    return op.run() != 0;
  }

  @Override
  int startTransfer(SendOp op) {
    sends.start(op);
    return 0;
  }

  @Override
  int failTransfers(Departures departures) {
    sends.failAllTo(peer, departures.sendError(peer));
    return 0;
  }

  /**
   * {@inheritDoc}
   *
   * <p>The peer is asked, and its answer completes the send.
   */
  @Override
  boolean cancel(SendOp op) {
    long word = op.word;
    if (words.ask(op)) {
      packets.sendNote(peer, PacketLayout.CANCEL, endpoint.offset(word), op.generation, 0, 0);
    }
    return false;
  }

  @Override
  int flushBacklog() {
    held = 0;
    int moved = super.flushBacklog();
    wire.flush(); // all in as few packets as they need
    return moved;
  }

  @Override
  String fault() {
    return wire.fault();
  }
}
