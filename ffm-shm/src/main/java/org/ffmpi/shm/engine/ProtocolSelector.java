// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

/**
 * Chooses a message's {@link Protocol}: a pure function of what is known when the send starts. The thresholds are
 * settings; their defaults and the measurements behind them are in {@code docs/decisions/0003-protocols.md}.
 *
 * @param inlineLimit most bytes that travel in a slot
 * @param eagerLimit most bytes that are sent before they are matched
 * @param directLimit fewest bytes that are worth a direct copy from the shared heap
 */
record ProtocolSelector(int inlineLimit, long eagerLimit, long directLimit) {
  /**
   * Chooses.
   *
   * @param bytes packed length
   * @param inSharedHeap whether the receiver can read the buffer where it is
   * @param keep whether payload that does not fit into a slot is to stay with the sender until it is matched
   * @return the protocol for another rank
   */
  Protocol choose(long bytes, boolean inSharedHeap, boolean keep) {
    if (bytes <= inlineLimit) {
      return Protocol.INLINE;
    }
    if (inSharedHeap && bytes >= directLimit) {
      return Protocol.DIRECT;
    }
    return bytes <= eagerLimit && !keep ? Protocol.EAGER : Protocol.PIPED;
  }
}
