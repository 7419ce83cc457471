// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.explore;

import org.ffmpi.spi.Matched;

/**
 * A message, from its send to the end of the run, since the search for other orders asks later who could have taken it.
 * Used by the rank that has the turn.
 */
final class ExploredMessage implements Matched {
  /** The place in the order of receives of a message that none has taken. */
  static final int UNTAKEN = Integer.MAX_VALUE;

  final int from;
  final int to;
  final long context;
  final int tag;
  final long bytes;
  /** Address of the packed bytes. */
  final long data;
  /** Hash of the basic types, and their text; 0 where types are not compared. */
  final long signature;

  final String types;
  final Past past;
  /** The send, while its sender waits for the match; null when it does not. */
  final ExploredSend send;

  /** The place of the receive that has taken it in the order of its rank's receives. */
  int taker = UNTAKEN;
  /** What depends on the match depends on this; null before. */
  Past matched;
  /** The choice of the place of a request to a window among those of other ranks; null for other messages. */
  ChoicePoint place;
  /** Whether a probe has been told once that it is not here yet. */
  boolean denied;
  /** Number of its standard send at its rank; 0 for other sends. */
  int sendNumber;
  /** Place of the completion of its standard send among those of its rank; 0 before it. */
  int completedAt;
  /** Number in the picture of a recorded run. */
  int number;

  ExploredMessage(int from, int to, long context, int tag, long bytes, long data, long signature, String types,
      Past past, ExploredSend send) {
    this.from = from;
    this.to = to;
    this.context = context;
    this.tag = tag;
    this.bytes = bytes;
    this.data = data;
    this.signature = signature;
    this.types = types;
    this.past = past;
    this.send = send;
  }

  /** Returns the standard send of this message, or null. */
  SendPlace sendPlace() {
    return sendNumber == 0 ? null : new SendPlace(from, sendNumber);
  }
}
