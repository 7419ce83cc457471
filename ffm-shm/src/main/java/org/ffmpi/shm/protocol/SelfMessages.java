// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.plan.ObjectSignature;
import org.ffmpi.datatype.plan.StreamSignature;
import org.ffmpi.shm.match.Matcher;
import org.ffmpi.shm.progress.RankLock;
import org.ffmpi.spi.Engine;

/** The messages of a rank to itself, which are matched like all others, and copied at most twice. Any thread. */
final class SelfMessages {
  private final Endpoint endpoint;
  private final Matcher matcher;
  private final Delivery delivery;
  private final RankLock lock;

  /** Messages so far, and their bytes; guarded by the lock. */
  private long messages;

  private long bytes;

  /**
   * Creates the self messages of one rank.
   *
   * @param endpoint the rank's end of the segment
   * @param matcher its queues
   * @param delivery its deliveries
   * @param lock its lock
   */
  public SelfMessages(Endpoint endpoint, Matcher matcher, Delivery delivery, RankLock lock) {
    this.endpoint = endpoint;
    this.matcher = matcher;
    this.delivery = delivery;
    this.lock = lock;
  }

  /** Returns the number of messages so far. Racy. */
  long messages() {
    return messages;
  }

  /** Returns their bytes. Racy. */
  long bytes() {
    return bytes;
  }

  /** Sends a message; returns true when the sender's buffer is no longer needed. */
  boolean send(SendOp send, boolean copy) {
    lock.acquire();
    try {
      return sendLocked(send, copy);
    } finally {
      lock.unlock();
    }
  }

  private boolean sendLocked(SendOp send, boolean copy) {
    int info = sign(send);
    messages++;
    bytes += send.total;
    RecvOp op = (RecvOp) matcher.matchPosted(send.context, send.peer, send.tag);
    if (op != null && op.isWritableHere()) {
      delivery.deliverSelf(send, info, op);
      return true;
    }
    if (op == null && send.mode == Engine.READY && endpoint.options().checking()) {
      throw new MpiException(
          ErrorClass.ERR_OTHER,
          "message with tag " + send.tag + " in ready mode to oneself: its receive is not posted");
    }
    UnexpectedMessage m = delivery.acquireSelf(send, info, copy || op != null);
    boolean released = m.selfSend == null && (op != null || !send.isSynchronous());
    if (!released) {
      m.selfSend = send;
    }
    delivery.bindOrQueue(m, op);
    return released;
  }

  /** Where types are checked, and for objects, sets the signature as an envelope would; returns the flag for it. */
  private int sign(SendOp send) {
    StreamSignature signature = send.plan.signature();
    if (!endpoint.options().checking() && signature != ObjectSignature.OBJECT || signature == null
        || signature.matchesAnything()) {
      return 0;
    }
    delivery.setSignature(signature.hash(send.total), endpoint.types().of(signature, send.plan.size()));
    return EnvelopeLayout.SIGNED;
  }

  /** Withdraws a message that no receive has matched; returns whether it did. */
  boolean withdraw(SendOp send) {
    if (!lock.lock()) {
      return false;
    }
    try {
      UnexpectedMessage m = (UnexpectedMessage) matcher.findUnexpected(send.context, send.peer, send.tag);
      while (m != null && m.selfSend != send) {
        m = (UnexpectedMessage) m.nextAlike();
      }
      if (m == null) {
        return false;
      }
      matcher.remove(m);
      m.received = m.total;
      delivery.discard(m);
      return true;
    } finally {
      lock.unlock();
    }
  }
}
