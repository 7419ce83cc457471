// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.message;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.ffmpi.base.Constants;
import org.ffmpi.base.MpiException;
import org.ffmpi.spi.Envelope;
import org.ffmpi.spi.Operation;
import org.ffmpi.spi.WaitNote;

/**
 * A send and a receive as one operation, complete when both are, with the result of the receive. Mostly the thread that
 * completes the second of the two also completes this operation; a thread that waits or tests checks again, since a
 * part may have been completed before its parent was set.
 */
public final class SendReceive extends Operation {
  private final Operation send;
  private final Operation receive;
  private final AtomicBoolean ended = new AtomicBoolean();
  private boolean sendCancelled;

  private SendReceive(Operation send, Operation receive) {
    this.send = send;
    this.receive = receive;
    mark(receive.mark());
  }

  /** Joins two started operations that no other thread waits for. */
  static Operation of(Operation send, Operation receive) {
    SendReceive both = new SendReceive(send, receive);
    both.adopt(send);
    both.adopt(receive);
    both.endIfBothHave();
    return both;
  }

  private void adopt(Operation part) {
    if (!part.isDone()) { // complete ones may be shared
      part.parent(this);
    }
  }

  @Override
  protected void childCompleted() {
    if (!endIfBothHave()) {
      super.childCompleted();
    }
  }

  @Override
  public boolean advance() {
    if (isDone()) {
      return false;
    }
    boolean moved = false;
    if (!send.isDone()) {
      moved = send.advance();
    }
    if (!receive.isDone()) {
      moved |= receive.advance();
      if (send.isDone() && send.error() != null) {
        receive.cancel(); // a peer may never answer a message that it has not received
      }
    }
    return endIfBothHave() || moved;
  }

  private boolean endIfBothHave() {
    if (!send.isDone() || !receive.isDone() || !ended.compareAndSet(false, true)) {
      return false;
    }
    Envelope envelope = new Envelope();
    send.envelope(envelope);
    sendCancelled = envelope.cancelled();
    if (receive.error() != null) {
      fail(receive.error());
    } else if (send.error() != null) {
      fail(send.error());
    } else {
      complete();
    }
    return true;
  }

  @Override
  public void describe(WaitNote note) {
    (receive.isDone() ? send : receive).describe(note);
  }

  @Override
  public void envelope(Envelope into) {
    receive.envelope(into);
    if (error() != null) {
      into.set(into.peer(), into.tag(), into.bytes(), false);
    } else if (sendCancelled) {
      into.set(Constants.ANY_SOURCE, Constants.ANY_TAG, 0, true);
    }
  }

  @Override
  public void release() {
    send.release();
    receive.release();
  }

  /** Each part reports its own error. A receive without a possible sender is not an error: its result is not wanted. */
  @Override
  public void abandon(Consumer<MpiException> onError) {
    AtomicBoolean reported = new AtomicBoolean();
    send.abandon(error -> report(onError, reported, error));
    receive.abandon(error -> {
      if (!error.errorClass().isOfEnd()) {
        report(onError, reported, error);
      }
    });
  }

  private static void report(Consumer<MpiException> onError, AtomicBoolean reported, MpiException error) {
    if (reported.compareAndSet(false, true)) {
      onError.accept(error);
    }
  }

  /** Cancels each part that has not been matched: an abandoned operation does not wait for its other half. */
  @Override
  public boolean cancel() {
    boolean taken = !receive.isDone() && receive.cancel();
    if (!send.isDone()) {
      taken |= send.cancel();
    }
    endIfBothHave();
    return taken;
  }
}
