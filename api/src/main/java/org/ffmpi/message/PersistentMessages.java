// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.message;

import java.util.function.Supplier;
import org.ffmpi.Buf;
import org.ffmpi.Persistent;
import org.ffmpi.base.Constants;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.buffer.BufUses;
import org.ffmpi.datatype.plan.Plan;
import org.ffmpi.process.CommState;
import org.ffmpi.process.World;
import org.ffmpi.request.HeldOperation;
import org.ffmpi.request.PersistentImpl;
import org.ffmpi.request.ReceivedFromNobody;
import org.ffmpi.request.RequestKind;
import org.ffmpi.request.SurvivingReceive;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Operation;

/**
 * Makes persistent requests. A request keeps the plan of the buffer's type, so that the type may be freed. Properties
 * of the memory that may change are checked at each start.
 */
public final class PersistentMessages {
  private final CommState state;
  private final EnvelopeChecks checks;
  private final BufferedMessages buffered;
  private final World world;
  private final Channel channel;
  private final Engine engine;
  private final long context;

  public PersistentMessages(CommState state, EnvelopeChecks checks, BufferedMessages buffered) {
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
      return new PersistentImpl(state, RequestKind.SEND, engine::completed);
    }
    Plan plan = BufImpl.of(buf).plan();
    return new PersistentImpl(state, RequestKind.SEND, () -> {
      checkTouchable(buf);
      return buffered.startBuffered(buf, plan, dest, tag);
    });
  }

  private Persistent sendInit(int mode, Buf<?> buf, int dest, int tag) {
    if (checks.isSendToNobody(buf, dest, tag)) {
      return new PersistentImpl(state, RequestKind.SEND, engine::completed);
    }
    Plan plan = BufImpl.of(buf).plan();
    int peer = channel.peer(dest);
    return persistent(RequestKind.SEND, BufUses.reading(buf), () -> {
      checkTouchable(buf);
      return engine.isend(
          mode, BufImpl.of(buf).memoryKind(), BufImpl.of(buf).memoryOwner(), BufImpl.of(buf).memoryOffset(),
          buf.count(), plan, peer, context, tag);
    });
  }

  public Persistent recvInit(Buf<?> buf, int source, int tag) {
    if (checks.isReceiveFromNobody(buf, source, tag)) {
      return new PersistentImpl(state, RequestKind.RECEIVE, () -> ReceivedFromNobody.INSTANCE);
    }
    Plan plan = BufImpl.of(buf).plan();
    int peer = channel.peer(source);
    return persistent(RequestKind.RECEIVE, BufUses.receiving(buf), () -> {
      checkTouchable(buf);
      Operation started = engine.irecv(
          BufImpl.of(buf).memoryKind(), BufImpl.of(buf).memoryOwner(), BufImpl.of(buf).memoryOffset(), buf.count(),
          plan, peer, context, tag);
      return state.health != null && peer == Constants.ANY_SOURCE
          ? SurvivingReceive.of(started, state.health, false)
          : started;
    });
  }

  private Persistent persistent(RequestKind kind, BufUses uses, Supplier<Operation> start) {
    if (state.health != null) {
      return new PersistentImpl(state, kind, HeldOperation.starter(world, () -> {
        state.checkCommunication();
        return start.get();
      }, uses));
    }
    return new PersistentImpl(state, kind, HeldOperation.starter(world, start, uses));
  }

  private static void checkTouchable(Buf<?> buf) {
    if (!BufImpl.of(buf).isTouchable()) {
      throw BufImpl.of(buf).untouchable("buffer");
    }
  }
}
