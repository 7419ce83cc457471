// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

/** How a message's payload travels; its envelope always takes the pair's ring. */
enum Protocol {
  /** In the envelope's own slot. */
  INLINE,
  /** Copied into the ring's bulk bytes at once, in chunks. */
  EAGER,
  /** Copied through the pair's pipe after it has been matched. */
  PIPED,
  /** Copied by the receiver out of the sender's buffer in the shared heap. */
  DIRECT,
  /** Within the rank. */
  SELF
}
