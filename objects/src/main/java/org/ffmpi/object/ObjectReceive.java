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
 * An object on its way in: a posted receive of its head, then one receive after the other for the parts. Registered
 * with the engine, so that the sender need not wait for this rank to wait for this very request: any thread that makes
 * progress advances it, one at a time.
 */
final class ObjectReceive extends GatedOperation {
  private final ObjectTransfer transfer;
  private final Engine engine;
  private final long context;
  private final byte[] head;
  private final Operation headReceive;
  private final Envelope envelope = new Envelope();

  /** Null until the head is there. */
  private volatile IncomingObject object;

  /** The receive of a part, or null. */
  private Operation part;

  /**
   * Creates it for a receive of the head that has been started.
   *
   * @param context of the parts
   */
  ObjectReceive(ObjectTransfer transfer, Engine engine, long context, byte[] head, Operation headReceive) {
    this.transfer = transfer;
    this.engine = engine;
    this.context = context;
    this.head = head;
    this.headReceive = headReceive;
  }

  /** Begins to make progress. */
  void begin() {
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
      boolean over;
      try {
        over = isOver(headReceive) && takeHead() && takeParts();
      } catch (RuntimeException e) {
        failure = Failures.translate(e);
        over = true;
      }
      if (over) {
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

  private static boolean isOver(Operation message) {
    return message.isDone() || message.advance() && message.isDone();
  }

  /** Reads the head, once; always true. */
  private boolean takeHead() {
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

  /** Receives what has come of the parts; returns whether that is all. */
  private boolean takeParts() {
    while (object != null) {
      if (part != null) {
        if (!isOver(part)) {
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
      part = transfer.tryPart(object, envelope.peer());
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

  /** Only the head can be cancelled: what has matched is received. */
  @Override
  public boolean cancel() {
    boolean cancelled = headReceive.cancel();
    advance();
    return cancelled;
  }
}
