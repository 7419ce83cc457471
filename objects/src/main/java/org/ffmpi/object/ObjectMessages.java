// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.object;

import java.util.List;
import org.ffmpi.Codec;
import org.ffmpi.Message;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.ValueRequest;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.message.EnvelopeChecks;
import org.ffmpi.process.CommState;
import org.ffmpi.process.Failures;
import org.ffmpi.request.RequestImpl;
import org.ffmpi.request.RequestKind;
import org.ffmpi.request.StatusAccess;
import org.ffmpi.request.SurvivingReceive;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Envelope;
import org.ffmpi.spi.Operation;

/** Sends and receives of objects. Any thread may call, and blocking calls make progress for the engine. */
final class ObjectMessages {
  /** Stands for the buffer in the checks of envelopes. */
  private static final byte[] NO_BUFFER = {};

  /** The policy used last: nearly always that of the same settings, and finding it is slower than this test. */
  private static volatile CachedPolicy lastPolicy;

  private final CommState state;
  private final EnvelopeChecks checks;
  private final Channel channel;
  private final Engine engine;
  private final ObjectTransfer transfer;

  ObjectMessages(CommState state) {
    this.state = state;
    this.checks = new EnvelopeChecks(state);
    this.channel = state.channel;
    this.engine = state.engine;
    this.transfer = new ObjectTransfer(state);
  }

  /** Throws when the codec is null. */
  static void check(CommState state, Codec<?> codec) {
    if (codec == null) {
      throw state.raise(MpiException.argument(ErrorClass.ERR_ARG, "codec", null, "a Codec"));
    }
  }

  static ClassPolicy policy(CommState state) {
    Settings settings = state.engine.settings();
    CachedPolicy last = lastPolicy;
    if (last != null && last.settings == settings) {
      return last.policy;
    }
    try {
      ClassPolicy policy = ClassPolicy.of(ObjectSettings.ALLOW.get(settings));
      lastPolicy = new CachedPolicy(settings, policy);
      return policy;
    } catch (MpiException e) {
      throw state.raise(e);
    }
  }

  /** The policy of some settings. */
  private record CachedPolicy(Settings settings, ClassPolicy policy) {}

  // ---- sending

  <T> void send(T value, int dest, int tag, Codec<? super T> codec) {
    send(Engine.STANDARD, value, dest, tag, codec);
  }

  <T> void ssend(T value, int dest, int tag, Codec<? super T> codec) {
    send(Engine.SYNCHRONOUS, value, dest, tag, codec);
  }

  private <T> void send(int mode, T value, int dest, int tag, Codec<? super T> codec) {
    check(state, codec);
    if (checks.isSendToNobody(NO_BUFFER, dest, tag)) {
      return;
    }
    try {
      OutgoingObject out = OutgoingObject.of(value, codec, channel, OutgoingObject.HEAD);
      transfer.send(mode, out, channel.peer(dest), channel.pointToPoint(), tag);
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  <T> Request isend(T value, int dest, int tag, Codec<? super T> codec) {
    check(state, codec);
    if (checks.isSendToNobody(NO_BUFFER, dest, tag)) {
      return RequestImpl.toNobody(state);
    }
    try {
      OutgoingObject out = OutgoingObject.of(value, codec, channel, OutgoingObject.HEAD);
      List<Operation> started =
          transfer.start(Engine.STANDARD, out, channel.peer(dest), channel.pointToPoint(), tag);
      return new RequestImpl(
          state, RequestKind.SEND, started.size() == 1 ? started.getFirst() : ObjectSend.of(started));
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  // ---- receiving

  <T> T recv(int source, int tag, Codec<T> codec) {
    return recv(source, tag, new Status(), codec);
  }

  <T> T recv(int source, int tag, Status into, Codec<T> codec) {
    check(state, codec);
    if (into == null) {
      throw state.noStatus();
    }
    if (checks.isReceiveFromNobody(NO_BUFFER, source, tag)) {
      StatusAccess.setNobody(into);
      return null;
    }
    ClassPolicy policy = policy(state);
    Envelope envelope = StatusAccess.envelope(into);
    envelope.clear();
    try {
      IncomingObject in = transfer.receive(channel.peer(source), channel.pointToPoint(), tag, envelope);
      StatusAccess.received(into, channel);
      return in.value(codec, policy);
    } catch (RuntimeException e) {
      StatusAccess.received(into, channel);
      throw state.failed(e);
    }
  }

  <T> ValueRequest<T> irecv(int source, int tag, Codec<T> codec) {
    check(state, codec);
    ClassPolicy policy = policy(state);
    if (checks.isReceiveFromNobody(NO_BUFFER, source, tag)) {
      return new ValueRequestImpl<>(state, null, codec, policy);
    }
    byte[] head = new byte[OutgoingObject.HEAD];
    try {
      Operation headReceive = engine.irecv(Memory.BYTES, head, 0, head.length, ObjectPart.HEAD, channel.peer(source),
          channel.pointToPoint(), tag);
      if (state.health != null && source == Constants.ANY_SOURCE) {
        headReceive = SurvivingReceive.of(headReceive, state.health, true);
      }
      ObjectReceive receive = new ObjectReceive(transfer, engine, channel.objects(), head, headReceive);
      receive.start();
      return new ValueRequestImpl<>(state, receive, codec, policy);
    } catch (RuntimeException e) {
      throw state.failed(e);
    }
  }

  /** Receives an object whose head a matched probe has found. */
  <T> T mrecv(Message message, Codec<T> codec) {
    check(state, codec);
    ClassPolicy policy = policy(state);
    byte[] head = new byte[OutgoingObject.HEAD];
    Status into = new Status();
    try {
      message.mrecv(BufImpl.ofWhole(Memory.BYTES, head, head.length, Datatype.BYTE, ObjectPart.HEAD), into);
    } catch (MpiException e) {
      throw IncomingObject.explained(e); // the error handler has been called for it
    }
    if (message.isNoProc()) {
      return null;
    }
    try {
      Envelope envelope = new Envelope();
      envelope.set(channel.peer(into.source()), into.tag(), into.bytes(), false);
      IncomingObject in = transfer.receiveParts(head, envelope);
      StatusAccess.set(into, into.source(), into.tag(), in.bytes(), false);
      return in.value(codec, policy);
    } catch (RuntimeException e) {
      throw state.raise(Failures.translate(e));
    }
  }
}
