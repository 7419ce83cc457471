// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import java.util.Locale;

/** The ways of a message's payload; its envelope always travels in the pair's ring. */
enum Protocol {
  /** In the envelope's own slot. */
  INLINE,
  /** Copied into the ring's bulk bytes at once, in chunks. */
  EAGER,
  /** Copied through the pair's pipe after it has been matched. */
  PIPED,
  /** Read by the receiver in the sender's private memory, or copied through the pipe, as the receiver chooses. */
  CROSS,
  /** Copied by the receiver out of the sender's buffer in the shared heap. */
  DIRECT,
  /** Within the rank. */
  SELF;

  /** Returns whether the payload travels in the ring, before the message is matched. */
  boolean isEager() {
    return compareTo(EAGER) <= 0;
  }

  /** Returns the name as people read it. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns whether the payload may travel through the pair's pipe. */
  boolean mayUsePipe() {
    return this == PIPED || this == CROSS;
  }
}
