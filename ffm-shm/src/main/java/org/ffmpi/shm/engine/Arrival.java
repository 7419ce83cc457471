// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

import org.ffmpi.spi.Matched;

/** An unexpected message: its envelope, and its payload or where that is to be had. Guarded by the engine's lock. */
final class Arrival extends Arrived implements Matched {
  /** What the envelope's info word said; 0 for a message of the rank to itself. */
  int info;

  /** Packed length. */
  long total;

  /** How much of an eager payload is in {@link #payload}. */
  long received;

  /** How much of it went into the receive before another thread had to go on. */
  long skip;

  /** Address of the kept eager payload, 0 when there is none. */
  long payload;

  long word;
  int generation;
  long at;

  /** Offset of the record of the plan of the sender's elements at {@link #at}, 0 when they are one run. */
  long layout;

  long count;

  /** Signature, when {@link #info} has SIGNED: its hash and the offset of the record with its words. */
  long hash;

  long types;

  /** The sender, when the rank sends to itself and its buffer has not been copied. */
  SendOp selfSend;

  /** A receive that took this message before all of it had come, or that only its owner's thread may fill. */
  RecvOp taker;

  /** Cancelled or given up while chunks were still coming: thrown away after the last one. */
  boolean dropped;

  Arrival nextFree;

  boolean isComplete() {
    return received == total || EnvelopeLayout.kind(info) >= EnvelopeLayout.PIPED;
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
    taker = null;
    dropped = false;
  }
}
