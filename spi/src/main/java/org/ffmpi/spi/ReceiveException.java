// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.spi;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/** The error of a receive, with the facts that the collectives need for their own error text. */
public final class ReceiveException extends MpiException {
  private static final long serialVersionUID = 1;

  /** The sender. */
  private final int peer;
  /** The context of the message. */
  private final long context;
  /** The length of the message. */
  private final long bytes;
  /** The context of messages for which the sender has failed, or 0. */
  private final long cause;
  /** The sender of these messages. */
  private final int causePeer;

  private ReceiveException(
      ErrorClass errorClass, int peer, long context, long bytes, long cause, int causePeer, String message) {
    super(errorClass, message);
    this.peer = peer;
    this.context = context;
    this.bytes = bytes;
    this.cause = cause;
    this.causePeer = causePeer;
  }

  /**
   * Creates the error of a message that is too long.
   *
   * @param peer its sender
   * @param context its context
   * @param tag its tag
   * @param bytes its length
   * @param capacity how many bytes fit
   * @return an exception of class ERR_TRUNCATE
   */
  public static ReceiveException truncated(int peer, long context, int tag, long bytes, long capacity) {
    return new ReceiveException(ErrorClass.ERR_TRUNCATE, peer, context, bytes, 0, 0,
        "message of " + bytes + " bytes from rank " + peer + " with tag " + tag + " does not fit into a receive buffer"
            + " of " + capacity + " bytes");
  }

  /**
   * Creates the error of a receive in a collective call that has failed.
   *
   * @param peer a rank that has failed in the call, or whose messages show that it calls something else
   * @param context the context of that rank's messages
   * @param errorClass the class of that rank's error
   * @return an exception of the same class where that means unreachable ranks, otherwise of ERR_OTHER
   */
  public static ReceiveException ofFailedCall(int peer, long context, ErrorClass errorClass) {
    return ofFailedCall(peer, context, errorClass, 0, 0);
  }

  /**
   * Creates the error of a receive in a collective call that has failed because of another peer's messages.
   *
   * @param peer a rank that has failed in the call
   * @param context the context of that rank's messages
   * @param errorClass the class of that rank's error
   * @param cause the context of the messages that differ from that rank's, or 0
   * @param causePeer the sender of these messages
   * @return as {@link #ofFailedCall(int, long, ErrorClass)}
   */
  public static ReceiveException ofFailedCall(
      int peer, long context, ErrorClass errorClass, long cause, int causePeer) {
    ErrorClass seen = errorClass.isOfEnd() ? errorClass : ErrorClass.ERR_OTHER;
    return new ReceiveException(
        seen, peer, context, -1, cause, causePeer, "rank " + peer + " has failed in this collective call");
  }

  /**
   * Returns whether the call has failed, rather than the message been too long.
   *
   * @return true for {@link #ofFailedCall}
   */
  public boolean isOfFailedCall() {
    return bytes < 0;
  }

  /**
   * Returns the peer whose message, or whose failure, led to the error.
   *
   * @return a peer
   */
  public int peer() {
    return peer;
  }

  /**
   * Returns the context of that peer's messages.
   *
   * @return a context
   */
  public long context() {
    return context;
  }

  /**
   * Returns the context of the messages for which the peer has failed.
   *
   * @return a context, which differs from {@link #context}; 0 when that is not known
   */
  public long cause() {
    return cause;
  }

  /**
   * Returns who has sent the messages of {@link #cause}.
   *
   * @return a peer
   */
  public int causePeer() {
    return causePeer;
  }

  /**
   * Returns the length of a message that is too long.
   *
   * @return bytes
   */
  public long bytes() {
    return bytes;
  }

  /** Returns the text of the exception that programs know. */
  @Override
  public String toString() {
    return MpiException.class.getName() + ": " + getMessage();
  }
}
