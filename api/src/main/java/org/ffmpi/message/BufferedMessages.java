// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.message;

import org.ffmpi.Buf;
import org.ffmpi.Request;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.buffer.AttachedBuffer;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.buffer.BufUses;
import org.ffmpi.buffer.BufferPlace;
import org.ffmpi.buffer.HeldMemory;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.process.CommState;
import org.ffmpi.process.World;
import org.ffmpi.request.RequestImpl;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Operation;

/** Sends in buffered mode, and holds the communicator's own buffer. */
public final class BufferedMessages {
  private final CommState state;
  private final EnvelopeChecks checks;
  private final Messages messages;
  private final World world;
  private final Channel channel;
  private final Engine engine;
  private final long context;
  private final BufferPlace buffer;

  public BufferedMessages(CommState state, EnvelopeChecks checks, Messages messages) {
    this.state = state;
    this.checks = checks;
    this.messages = messages;
    this.world = state.world;
    this.channel = state.channel;
    this.engine = state.engine;
    this.context = state.channel.pointToPoint();
    this.buffer = new BufferPlace(world);
  }

  public void bsend(Buf<?> buf, int dest, int tag) {
    if (checks.isSendToNobody(buf, dest, tag)) {
      return;
    }
    try {
      startBuffered(buf, BufImpl.of(buf).plan(), dest, tag);
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  public Request ibsend(Buf<?> buf, int dest, int tag) {
    if (checks.isSendToNobody(buf, dest, tag)) {
      return RequestImpl.toNobody(state);
    }
    try {
      return messages.request(startBuffered(buf, BufImpl.of(buf).plan(), dest, tag));
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  /** Sends in buffered mode to a rank; the arguments have been checked. Errors are thrown without a handler. */
  Operation startBuffered(Buf<?> buf, Plan plan, int dest, int tag) {
    AttachedBuffer attached = buffer.buffer();
    if (attached == null) {
      attached = BufferPlace.sharedBuffer(world);
    }
    if (attached == null) {
      throw new MpiException(
          ErrorClass.ERR_BUFFER,
          "buffered send: no buffer is attached, neither to " + state.comm() + " (attachBuffer)"
              + (world.isOfSession() ? ", nor to its session (Session.attachBuffer)," : "")
              + " nor to the process (Mpi.bufferAttach)");
    }
    try (HeldMemory _ = BufUses.reading(buf).hold()) {
      attached.send(engine, buf, plan, channel.peer(dest), context, tag);
    }
    return engine.completed();
  }

  // ---- this communicator's buffer

  public boolean hasBuffer() {
    return buffer.buffer() != null;
  }

  public void attachBuffer(Buf<?> buf) {
    state.checkOpen();
    try {
      buffer.attach(buf);
    } catch (MpiException e) {
      throw state.raise(e);
    }
  }

  public Buf<?> detachBuffer() {
    state.checkCommunication();
    try {
      return buffer.detach();
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  public void flushBuffer() {
    state.checkCommunication();
    try {
      buffer.flush();
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  public Request iflushBuffer() {
    state.checkCommunication();
    try {
      return messages.request(buffer.iflush());
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }
}
