// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.object;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Memory;
import org.ffmpi.process.CommState;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Envelope;
import org.ffmpi.spi.Matched;
import org.ffmpi.spi.Operation;

/**
 * Sends and receives heads and parts between peers. Callers have to call the error handler for exceptions of these
 * methods. Any thread; the blocking methods make progress for the whole engine.
 */
final class ObjectTransfer {
  private final Channel channel;
  private final Engine engine;

  ObjectTransfer(CommState state) {
    this.channel = state.channel;
    this.engine = state.engine;
  }

  // ---- sending

  /** Sends an object and blocks until its memory may be reused. */
  void send(int mode, OutgoingObject out, int peer, long context, int tag) {
    if (out.parts().isEmpty()) {
      engine.send(
          mode | Engine.SIGNED, Memory.BYTES, out.bytes(), 0, out.headBytes(), ObjectPart.HEAD, peer, context, tag);
    } else {
      await(start(mode, out, peer, context, tag));
    }
  }

  /** Starts the sends of an object: of its head and all parts. */
  List<Operation> start(int mode, OutgoingObject out, int peer, long context, int tag) {
    List<Operation> started = new ArrayList<>(1 + out.parts().size());
    started.add(engine.isend(
        mode | Engine.SIGNED, Memory.BYTES, out.bytes(), 0, out.headBytes(), ObjectPart.HEAD, peer, context, tag));
    startParts(out, peer, started);
    return started;
  }

  /** Starts the sends of the parts of an object whose head travels otherwise. */
  void startParts(OutgoingObject out, int peer, List<Operation> started) {
    for (ObjectPart part : out.parts()) {
      started.add(engine.isend(
          Engine.STANDARD, part.kind(), part.array(), part.from(), part.count(), part.plan(), peer, channel.objects(),
          out.tag()));
    }
  }

  /** Blocks until all operations are complete; then throws the first error. */
  void await(List<Operation> started) {
    MpiException error = null;
    for (Operation operation : started) {
      if (operation != engine.completed()) {
        engine.await(operation);
        error = error == null ? operation.error() : error;
        engine.release(operation);
      }
    }
    if (error != null) {
      throw error;
    }
  }

  // ---- receiving

  /** Receives an object and blocks until it is complete. Sets the envelope to its sender and the sum of its bytes. */
  IncomingObject receive(int peer, long context, int tag, Envelope envelope) {
    byte[] head = new byte[OutgoingObject.HEAD];
    try {
      engine.recv(Memory.BYTES, head, 0, head.length, ObjectPart.HEAD, peer, context, tag, envelope);
    } catch (MpiException e) {
      throw IncomingObject.explained(e);
    }
    return receiveParts(head, envelope);
  }

  /** Receives the parts of an object whose head has arrived with this envelope, and adds their bytes to it. */
  IncomingObject receiveParts(byte[] head, Envelope envelope) {
    IncomingObject in = new IncomingObject(head, 0, envelope.bytes(), OutgoingObject.HEAD, true);
    receiveParts(in, envelope.peer());
    envelope.set(envelope.peer(), envelope.tag(), in.bytes(), false);
    return in;
  }

  /** Receives the parts of an object and blocks until they are complete. */
  void receiveParts(IncomingObject in, int peer) {
    if (!in.isPartial()) {
      return;
    }
    Envelope found = new Envelope();
    while (in.isPartial()) {
      Matched message = engine.mprobe(peer, channel.objects(), in.tag(), found);
      await(List.of(startPart(in, message, found)));
    }
  }

  /** Claims the next part, without progress; returns its receive, or null if it has not arrived. */
  Operation tryStartPart(IncomingObject in, int peer) {
    Envelope found = new Envelope();
    Matched message = engine.claim(peer, channel.objects(), in.tag(), found);
    return message == null ? null : startPart(in, message, found);
  }

  private Operation startPart(IncomingObject in, Matched message, Envelope found) {
    ObjectPart part = in.accept(found.bytes());
    return engine.imrecv(message, part.kind(), part.array(), part.from(), part.count(), part.plan());
  }
}
