// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.survive;

import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.StructLayout;
import org.ffmpi.base.raw.Raw;

/**
 * The memory of one agreement, and the chunks in which agreements lie.
 *
 * <pre>
 *  a chunk
 *   0        64
 *  +--------+-------------+-------------+
 *  | next   | agreement 0 | agreement 1 | …      next: offset of another chunk, 0: none
 *  +--------+-------------+-------------+
 *
 *  an agreement
 *   0          8        12        16         24        32
 *  +----------+--------+---------+----------+---------+-----------------------+
 *  | key      | number | shrinks | decision | context | a word for each peer  |
 *  +----------+--------+---------+----------+---------+-----------------------+
 *  key       identity of the channel + 1; 0: free
 *  decision  0: no decision yet; else DECIDED | UNACKNOWLEDGED | failures, 30 bits | flag, 32 bits
 *  context   number for the channel of the survivors; 0: not set yet
 *  a peer's  0: not a member; else state | acknowledged failures, 30 bits | flag, 32 bits
 * </pre>
 *
 * <p>Key, number and the peers' first states are written by the holder of the table's lock, the key last. Each member
 * then writes its own word: CONTRIBUTED once, then LEFT. Any rank that sees that each member has
 * contributed or failed makes the decision by one compare-and-set. So it is the same for all, even if ranks die
 * meanwhile.
 */
final class AgreementLayout {
  static final long NEXT_OFFSET = 0;
  static final long FIRST_OFFSET = 64;

  static final long KEY_OFFSET = 0;
  static final long NUMBER_OFFSET = KEY_OFFSET + 8;
  static final long SHRINKS_OFFSET = NUMBER_OFFSET + 4;
  static final long DECISION_OFFSET = SHRINKS_OFFSET + 4;
  static final long CONTEXT_OFFSET = DECISION_OFFSET + 8;
  static final long PEERS_OFFSET = CONTEXT_OFFSET + 8;

  /** Agreements of one chunk. */
  static final int PER_CHUNK = 8;

  static final int NO_MEMBER = 0;
  static final int EXPECTED = 1;
  static final int CONTRIBUTED = 2;
  static final int LEFT = 3;

  private static final long DECIDED = 1L << 63;
  private static final long UNACKNOWLEDGED = 1L << 62;
  private static final int STATE_SHIFT = 62;
  private static final int COUNT_SHIFT = 32;
  private static final long COUNT_MASK = (1L << 30) - 1;
  private static final long FLAG_MASK = (1L << 32) - 1;
  private static final long LINE = 64;

  /** The same layout as data, for tests and tools; without the words of the peers. */
  static final class Shape {
    static final StructLayout LAYOUT =
        structLayout(
            JAVA_LONG.withName("key"),
            JAVA_INT.withName("number"),
            JAVA_INT.withName("shrinks"),
            JAVA_LONG.withName("decision"),
            JAVA_LONG.withName("context"),
            JAVA_LONG.withName("peers"));

    private Shape() {}
  }

  private AgreementLayout() {}

  static long bytes(int peers) {
    return (PEERS_OFFSET + (long) Long.BYTES * peers + LINE - 1) & -LINE;
  }

  static long chunkBytes(int peers) {
    return FIRST_OFFSET + PER_CHUNK * bytes(peers);
  }

  static long nextAddress(long chunk) {
    return chunk + NEXT_OFFSET;
  }

  static long getAcquireKey(long agreement) {
    return Raw.getAcquireLong(agreement + KEY_OFFSET);
  }

  static void setReleaseKey(long agreement, long key) {
    Raw.putReleaseLong(agreement + KEY_OFFSET, key);
  }

  static int getPlainNumber(long agreement) {
    return Raw.getInt(agreement + NUMBER_OFFSET);
  }

  static boolean getPlainShrinks(long agreement) {
    return Raw.getInt(agreement + SHRINKS_OFFSET) != 0;
  }

  /** Writes everything but the key and the peers' words. */
  static void setPlainSubject(long agreement, int number, boolean shrinks) {
    Raw.putInt(agreement + NUMBER_OFFSET, number);
    Raw.putInt(agreement + SHRINKS_OFFSET, shrinks ? 1 : 0);
    Raw.putLong(agreement + DECISION_OFFSET, 0);
    Raw.putLong(agreement + CONTEXT_OFFSET, 0);
  }

  // ---- decision

  static long getAcquireDecision(long agreement) {
    return Raw.getAcquireLong(agreement + DECISION_OFFSET);
  }

  static boolean casDecision(long agreement, long decision) {
    return Raw.compareAndSetLong(agreement + DECISION_OFFSET, 0, decision);
  }

  static long decision(int flag, int failures, boolean unacknowledged) {
    return DECIDED | (unacknowledged ? UNACKNOWLEDGED : 0) | (long) failures << COUNT_SHIFT | flag & FLAG_MASK;
  }

  static boolean isUnacknowledged(long decision) {
    return (decision & UNACKNOWLEDGED) != 0;
  }

  static long getAcquireContext(long agreement) {
    return Raw.getAcquireLong(agreement + CONTEXT_OFFSET);
  }

  static boolean casContext(long agreement, long context) {
    return Raw.compareAndSetLong(agreement + CONTEXT_OFFSET, 0, context);
  }

  // ---- words of peers

  private static long peerAddress(long agreement, int peer) {
    return agreement + PEERS_OFFSET + (long) Long.BYTES * peer;
  }

  static long getAcquirePeer(long agreement, int peer) {
    return Raw.getAcquireLong(peerAddress(agreement, peer));
  }

  static void setReleasePeer(long agreement, int peer, long word) {
    Raw.putReleaseLong(peerAddress(agreement, peer), word);
  }

  static long word(int state, int acknowledged, int flag) {
    return (long) state << STATE_SHIFT | (long) acknowledged << COUNT_SHIFT | flag & FLAG_MASK;
  }

  static int state(long word) {
    return (int) (word >>> STATE_SHIFT);
  }

  /** Returns the number of failures in a decision, or of acknowledged ones in a peer's word. */
  static int count(long word) {
    return (int) (word >>> COUNT_SHIFT & COUNT_MASK);
  }

  static int flag(long word) {
    return (int) word;
  }
}
