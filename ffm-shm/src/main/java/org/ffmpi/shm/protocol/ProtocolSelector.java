// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

/**
 * The only place that chooses a message's protocol, by pure functions of the message's length, the place of its buffer,
 * and the peer's state. The thresholds are settings; the measurements behind their defaults are in
 * {@code docs/decisions/0003-protocols.md}.
 *
 * <table>
 *   <caption>Choice of the sender; the first row that fits</caption>
 *   <tr><th>bytes</th><th>buffer</th><th>peer</th><th>protocol</th></tr>
 *   <tr><td>any</td><td>any</td><td>the rank itself</td><td>SELF</td></tr>
 *   <tr><td>up to inlineLimit</td><td>any</td><td>any</td><td>INLINE</td></tr>
 *   <tr><td>from directLimit</td><td>SHARED</td><td>any</td><td>DIRECT</td></tr>
 *   <tr><td>crossLimit to crossMost</td><td>READABLE</td><td>any</td><td>CROSS</td></tr>
 *   <tr><td>up to eagerLimit</td><td>any</td><td>does not press</td><td>EAGER</td></tr>
 *   <tr><td>any</td><td>any</td><td>any</td><td>PIPED</td></tr>
 * </table>
 *
 * <p>The receiver of a CROSS message chooses between the sender's memory and the pipe, by {@link #readsSender}.
 *
 * @param inlineLimit most bytes that travel in a slot
 * @param eagerLimit most bytes that are sent before they are matched
 * @param directLimit fewest bytes that are worth a direct copy from the shared heap
 * @param crossLimit fewest bytes that a receiver may read in the sender's own memory
 * @param crossMost most bytes that it may read there
 * @param wireLimit most bytes that are sent to another node before they are matched
 * @param oneRecordLimit longest message that travels as one record of the ring, unless it is direct; -1: none
 */
public record ProtocolSelector(
    int inlineLimit, long eagerLimit, long directLimit, long crossLimit, long crossMost, long wireLimit,
    int oneRecordLimit) {
  /** Places of a buffer's data, as far as its receiver can use them. */
  enum Place {
    /** Memory that only this rank can read, as are Java arrays, closeable memory, elements that are not one run. */
    PRIVATE,
    /** One run of native memory that cannot be closed, which a peer may try to read through the kernel. */
    READABLE,
    /** The shared heap, for all of the data, which is one run or described by a record of its plan. */
    SHARED
  }

  /** Most bytes that a peer touches to read strided data in place, about a second-level cache. */
  private static final long REACH = 1 << 20;

  private static final long LINE = 64;

  /** Factor by which the pipe has to be faster than reading, since it costs time of the sender too. */
  private static final float READ_BONUS = 1.1f;

  private static final int FIRST_TRIAL = 4;
  private static final int TRIALS_APART = 64;

  /** Factor between the two ways above which the slower one is tried less often. */
  private static final float FAR_SLOWER = 2;

  private static final int RARE_TRIALS_APART = 192;

  /**
   * Chooses the protocol of a message to another rank.
   *
   * @param bytes packed length
   * @param place place of the buffer
   * @param pressed whether the peer asks senders to keep their payload
   * @return the protocol, by the table above
   */
  Protocol choose(long bytes, Place place, boolean pressed) {
    if (bytes <= inlineLimit) {
      return Protocol.INLINE;
    }
    if (place == Place.SHARED && bytes >= directLimit) {
      return Protocol.DIRECT;
    }
    if (place == Place.READABLE && isCross(bytes)) {
      return Protocol.CROSS;
    }
    return bytes <= eagerLimit && !pressed ? Protocol.EAGER : Protocol.PIPED;
  }

  /**
   * Chooses the protocol of a message to a rank on another node.
   *
   * @param bytes packed length
   * @param pressed whether the peer asks senders to keep their payload
   * @return INLINE, EAGER or PIPED
   */
  Protocol chooseRemote(long bytes, boolean pressed) {
    if (bytes <= inlineLimit) {
      return Protocol.INLINE;
    }
    return bytes <= wireLimit && !pressed ? Protocol.EAGER : Protocol.PIPED;
  }

  /** Returns whether a message travels as one record of the ring, if its buffer is not {@link #isDirect direct}. */
  boolean isOneRecord(long bytes) {
    return bytes <= oneRecordLimit;
  }

  /** Returns the longest message that travels in a slot from any buffer; -1: none. */
  int shortest() {
    return (int) Math.min(Math.min(inlineLimit, oneRecordLimit), directLimit - 1);
  }

  /** Returns whether a message out of the shared heap is copied from there. */
  boolean isDirect(long bytes) {
    return bytes >= directLimit;
  }

  /**
   * Returns whether a message is of a length that the receiver may read in the sender's own memory.
   *
   * @param bytes packed length
   * @return true between the two limits
   */
  public boolean isCross(long bytes) {
    return bytes >= crossLimit && bytes <= crossMost;
  }

  /** Returns whether a message of a rank to itself is copied at once; a longer one waits for its receive. */
  boolean buffersSelf(long bytes) {
    return bytes <= eagerLimit;
  }

  /**
   * Returns whether strided data in the shared heap is read in place. Data strewn over more than a second-level cache
   * is packed instead: one core that waits for line after line of another's memory is slower than two that pack and
   * unpack at once.
   *
   * @param bytes packed length
   * @param runs number of runs of bytes
   * @param span bytes from the first to the last byte of data
   */
  static boolean readsStrided(long bytes, long runs, long span) {
    long touched = Math.min(span, bytes + LINE * Math.min(runs, REACH));
    return touched <= REACH || touched - bytes < bytes / 4;
  }

  /**
   * Returns whether a receiver reads a CROSS message in the sender's memory, rather than through the pipe. It uses
   * the way that has lately been faster for messages of about that length from that peer, and tries the other one now
   * and then.
   *
   * <p>No fixed limit would do. Data in both cores' caches is read at once at their full speed, while two copies cost
   * two; freshly written data is slow to read for one core alone, while two copies that overlap are twice as fast;
   * beyond the caches it depends on the machine. And a sender that computes leaves its pipe waiting.
   *
   * @param read nanoseconds per byte of reading; 0 when not known
   * @param piped nanoseconds per byte of the pipe; 0 when not known
   * @param turn number of this message among those of its length, from 1
   * @param promising whether the last trial of the other way was better than the usual way
   */
  static boolean readsSender(float read, float piped, int turn, boolean promising) {
    float ratio = piped == 0 ? 1 : read / piped;
    int apart = ratio > FAR_SLOWER || ratio < 1 / FAR_SLOWER ? RARE_TRIALS_APART : TRIALS_APART;
    boolean isTrial = turn == FIRST_TRIAL || turn % apart == 0 || promising;
    return prefersReading(read, piped) != isTrial;
  }

  /** Returns whether reading is the better way, given the times of both. */
  static boolean prefersReading(float read, float piped) {
    return piped == 0 || read <= piped * READ_BONUS;
  }
}
