// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import org.ffmpi.shm.match.Unexpected;
import org.ffmpi.spi.Matched;

/** An unexpected message with its envelope, and its payload or the place of it. Guarded by the rank's lock. */
final class UnexpectedMessage extends Unexpected implements Matched {
  /** The envelope's info word; 0 for a message of the rank to itself. */
  int info;

  /** Packed length. */
  long total;

  /** Bytes of an eager payload that are in {@link #payload}. */
  long received;

  /** Bytes of it that already are in the receive's buffer. */
  long skip;

  /** Address of the stored eager payload, or 0. */
  long payload;

  /** Address of the completion word, or 0. */
  long word;

  int generation;
  long at;

  /** Offset of the record of the plan of the sender's elements at {@link #at}, 0 when they are one run. */
  long layout;

  long count;

  /** Signature, when {@link #info} has SIGNED: its hash and the offset of the record that names its types. */
  long hash;

  long types;

  /** The send of a message to oneself whose buffer is not copied yet, or null. */
  SendOp selfSend;

  /** The bound receive that has matched this message, or null. */
  RecvOp receiver;

  /** Set when the message was discarded while chunks were coming; it is released after the last one. */
  boolean dropped;

  /** Set when the sender could not read all of the message. */
  boolean spoiled;

  UnexpectedMessage nextFree;

  /** Sets the envelope of a message that is not queued. */
  void set(int info, long context, int peer, int tag, long total) {
    envelope(context, peer, tag);
    this.info = info;
    this.total = total;
  }

  boolean isComplete() {
    return received == total || EnvelopeLayout.kind(info) >= EnvelopeLayout.PIPED;
  }

  /** Marks the message as claimed, so that its sender cannot cancel it any more. */
  void setClaimed() {
    info &= ~EnvelopeLayout.CANCELLABLE;
  }

  void reset() {
    info = 0;
    total = 0;
    received = 0;
    skip = 0;
    payload = 0;
    word = 0;
    layout = 0;
    selfSend = null;
    receiver = null;
    dropped = false;
    spoiled = false;
  }
}
