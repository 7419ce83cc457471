// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.object;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.process.Failures;
import org.ffmpi.spi.Engine;
import org.ffmpi.spi.Envelope;
import org.ffmpi.spi.GatedOperation;
import org.ffmpi.spi.Operation;
import org.ffmpi.spi.WaitNote;

/**
 * The receive of an object: a posted receive of its head, then one receive after the other for the parts. Any thread
 * that makes progress advances it, one at a time: it is registered with the engine, so that the sender need not wait
 * until this rank waits for this request.
 */
final class ObjectReceive extends GatedOperation {
  private final ObjectTransfer transfer;
  private final Engine engine;
  private final long context;
  private final byte[] head;
  private final Operation headReceive;
  private final Envelope envelope = new Envelope();

  /** Null until the head has arrived. */
  private volatile IncomingObject object;

  /** The receive of a part, or null. */
  private Operation part;

  /**
   * Creates the receive of an object.
   *
   * @param context context of the parts
   * @param headReceive the receive of the head, which has been started
   */
  ObjectReceive(ObjectTransfer transfer, Engine engine, long context, byte[] head, Operation headReceive) {
    this.transfer = transfer;
    this.engine = engine;
    this.context = context;
    this.head = head;
    this.headReceive = headReceive;
    mark(headReceive.mark());
  }

  /** Starts to make progress. */
  void start() {
    headReceive.parent(this);
    open();
    advance();
    if (!isDone()) {
      engine.register(this);
    }
  }

  /** Returns the object; null when the receive has been cancelled. Call only when complete. */
  IncomingObject object() {
    return object;
  }

  @Override
  public boolean advance() {
    if (!enter()) {
      return false;
    }
    boolean moved = false;
    do {
      MpiException failure = null;
      boolean done;
      try {
        done = isComplete(headReceive) && readHead() && receiveParts();
      } catch (RuntimeException e) {
        failure = Failures.translate(e);
        done = true;
      }
      if (done) {
        close();
        if (failure == null) {
          complete();
        } else {
          fail(failure);
        }
        return true;
      }
      moved |= part != null && part.isDone();
    } while (!leave());
    return moved;
  }

  private static boolean isComplete(Operation message) {
    return message.isDone() || message.advance() && message.isDone();
  }

  /** Reads the head, once; always true. */
  private boolean readHead() {
    if (object == null) {
      headReceive.envelope(envelope);
      if (headReceive.error() != null) {
        throw IncomingObject.explained(headReceive.error());
      }
      if (!envelope.cancelled()) {
        object = new IncomingObject(head, 0, envelope.bytes(), OutgoingObject.HEAD, true);
      }
    }
    return true;
  }

  /** Receives the parts that have arrived; returns whether these are all. */
  private boolean receiveParts() {
    while (object != null) {
      if (part != null) {
        if (!isComplete(part)) {
          return false;
        }
        if (part.error() != null) {
          throw part.error();
        }
        part = null;
      }
      if (!object.isPartial()) {
        envelope.set(envelope.peer(), envelope.tag(), object.bytes(), false);
        return true;
      }
      part = transfer.tryStartPart(object, envelope.peer());
      if (part == null) {
        return false;
      }
      part.parent(this);
    }
    return true;
  }

  @Override
  public void envelope(Envelope into) {
    into.set(envelope.peer(), envelope.tag(), envelope.bytes(), envelope.cancelled());
  }

  @Override
  public long matchingContext() {
    return context;
  }

  @Override
  public void describe(WaitNote note) {
    IncomingObject known = object;
    if (known == null) {
      headReceive.describe(note);
    } else {
      note.message(WaitNote.Kind.RECEIVE, envelope.peer(), context, known.tag(), -1);
    }
  }

  /** Cancels the receive of the head; once that has matched, the object is received. */
  @Override
  public boolean cancel() {
    boolean cancelled = headReceive.cancel();
    advance();
    return cancelled;
  }
}
