// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.util.function.Supplier;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Operation;

/**
 * Makes persistent requests. A request keeps the plan of the buffer's type, so that the type may be freed. What can
 * change about the memory is checked at each start.
 */
final class PersistentMessages {
  private final CommState state;
  private final EnvelopeChecks checks;
  private final BufferedMessages buffered;
  private final World world;
  private final Channel channel;
  private final Engine engine;
  private final long context;

  PersistentMessages(CommState state, EnvelopeChecks checks, BufferedMessages buffered) {
    this.state = state;
    this.checks = checks;
    this.buffered = buffered;
    this.world = state.world;
    this.channel = state.channel;
    this.engine = state.engine;
    this.context = state.channel.pointToPoint();
  }

  public Persistent sendInit(Buf<?> buf, int dest, int tag) {
    return sendInit(Engine.STANDARD, buf, dest, tag);
  }

  public Persistent ssendInit(Buf<?> buf, int dest, int tag) {
    return sendInit(Engine.SYNCHRONOUS, buf, dest, tag);
  }

  public Persistent rsendInit(Buf<?> buf, int dest, int tag) {
    return sendInit(Engine.READY, buf, dest, tag);
  }

  public Persistent bsendInit(Buf<?> buf, int dest, int tag) {
    if (checks.isSendToNobody(buf, dest, tag)) {
      return new Persistent(state, Request.Kind.SEND, engine::completed);
    }
    Plan plan = buf.plan();
    return new Persistent(state, Request.Kind.SEND, () -> {
      checkTouchable(buf);
      return buffered.startBuffered(buf, plan, dest, tag);
    });
  }

  private Persistent sendInit(int mode, Buf<?> buf, int dest, int tag) {
    if (checks.isSendToNobody(buf, dest, tag)) {
      return new Persistent(state, Request.Kind.SEND, engine::completed);
    }
    Plan plan = buf.plan();
    int peer = channel.peer(dest);
    return persistent(Request.Kind.SEND, buf, () -> {
      checkTouchable(buf);
      return engine.isend(
          mode, buf.memoryKind(), buf.memoryOwner(), buf.memoryOffset(), buf.count(), plan, peer, context, tag);
    });
  }

  public Persistent recvInit(Buf<?> buf, int source, int tag) {
    if (checks.isReceiveFromNobody(buf, source, tag)) {
      return new Persistent(state, Request.Kind.RECEIVE, () -> ReceivedFromNobody.INSTANCE);
    }
    Plan plan = buf.plan();
    int peer = channel.peer(source);
    return persistent(Request.Kind.RECEIVE, buf, () -> {
      checkTouchable(buf);
      return engine.irecv(
          buf.memoryKind(), buf.memoryOwner(), buf.memoryOffset(), buf.count(), plan, peer, context, tag);
    });
  }

  private Persistent persistent(Request.Kind kind, Buf<?> buf, Supplier<Operation> start) {
    return new Persistent(state, kind, HeldOperation.starter(world, start, buf));
  }

  private static void checkTouchable(Buf<?> buf) {
    if (!buf.isTouchable()) {
      throw buf.untouchable("buffer");
    }
  }
}
