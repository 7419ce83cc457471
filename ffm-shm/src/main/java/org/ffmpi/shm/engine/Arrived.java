// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

/** An unexpected message as the {@link Matcher} sees it: an envelope, and links that belong to the matcher alone. */
abstract class Arrived {
  long context;
  int peer;
  int tag;

  Arrived previousInBin;
  Arrived nextInBin;
  Arrived previousInOrder;
  Arrived nextInOrder;

  final void envelope(long context, int peer, int tag) {
    this.context = context;
    this.peer = peer;
    this.tag = tag;
  }
}
