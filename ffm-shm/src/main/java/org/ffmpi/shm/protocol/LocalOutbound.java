// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import java.util.concurrent.atomic.AtomicInteger;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.shm.progress.Departures;
import org.ffmpi.shm.ring.RecordWriter;
import org.ffmpi.shm.ring.RingLayout;
import org.ffmpi.shm.ring.RingProducer;
import org.ffmpi.shm.segment.RankLayout;

/** The way to a peer of this node, by a ring, and by a pipe for long messages. A peer that sleeps is woken. */
final class LocalOutbound extends Outbound {
  /** The ring's place in the segment. */
  private long ringOffset;

  LocalOutbound(Endpoint endpoint, CompletionWords words, int peer, AtomicInteger backlogs) {
    super(endpoint, words, peer, backlogs);
  }

  @Override
  boolean sendInline(int kind, Object owner, long offset, long count, Plan plan, int bytes, long context, int tag) {
    acquire();
    try {
      return pushInline(kind, owner, offset, count, plan, bytes, context, tag);
    } catch (IllegalStateException | WrongThreadException e) {
      throw unusable(e);
    } finally {
      if (RankLayout.getOpaqueWait(peerBlock) != 0) {
        endpoint.wake(peerBlock);
      }
      lock.unlock();
    }
  }

  @Override
  RecordWriter open() {
    int slots = endpoint.options().ringSlots();
    int bulk = endpoint.options().ringBulk();
    long address = endpoint.segment().claim(RingLayout.bytes(slots, bulk));
    RingLayout.format(address, slots, bulk);
    ringOffset = endpoint.offset(address);
    endpoint.segment().setReleaseRing(endpoint.self(), peer, ringOffset);
    RankLayout.incrementRings(peerBlock);
    return new RingProducer(address, slots, bulk);
  }

  @Override
  void recordPublished() {
    endpoint.wake(peerBlock);
  }

  @Override
  void allPublished() {
    endpoint.wake(peerBlock);
  }

  @Override
  long layout(SendBuffers buffers, long bytes, int kind, long offset, long count, Plan plan) {
    return buffers.layout(bytes, kind, offset, count, plan);
  }

  @Override
  Protocol choose(SendBuffers buffers, long bytes, int kind, long offset, long layout, boolean isRun) {
    return endpoint.options().selector()
        .choose(bytes, buffers.place(bytes, kind, offset, layout, isRun), isPressed());
  }

  @Override
  long place(SendOp op, long first) {
    return endpoint.offset(op.protocol == Protocol.DIRECT ? first : pipe().address());
  }

  private PipeSender pipe() {
    if (pipe == null) {
      int capacity = endpoint.options().pipeBytes();
      long address = endpoint.segment().claim(PipeLayout.bytes(capacity));
      PipeLayout.format(address, capacity);
      pipe = new PipeSender(endpoint, words, address, capacity, peerBlock);
    }
    return pipe;
  }

  @Override
  boolean isReadable(SendOp op) {
    return op.protocol == Protocol.CROSS;
  }

  @Override
  int startTransfer(SendOp op) {
    int started = pipe.isIdle() ? 1 : 0;
    pipe.start(op);
    return started;
  }

  @Override
  int failTransfers(Departures departures) {
    if (pipe == null || pipe.isIdle()) {
      return 0;
    }
    pipe.removeAll(op -> op.finish(departures.sendError(peer)));
    return 1;
  }

  @Override
  boolean cancel(SendOp op) {
    return words.cancel(op);
  }

  @Override
  String fault() {
    long offset = endpoint.segment().getAcquireRing(endpoint.self(), peer);
    return offset == ringOffset ? writer.fault() : "it is said to lie at " + offset;
  }
}
