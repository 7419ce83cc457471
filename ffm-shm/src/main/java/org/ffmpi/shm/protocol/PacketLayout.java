// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import static java.lang.foreign.MemoryLayout.paddingLayout;
import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.StructLayout;
import org.ffmpi.base.raw.Raw;

/**
 * A packet to a rank on another node. It holds records as they stand in a ring, each with its bulk bytes behind it, or
 * a note from engine to engine.
 *
 * <pre>
 *   0         4         8         12        16        20        24        32        40                  64
 *  +---------+---------+---------+---------+---------+---------+---------+---------+-------------------+
 *  | kind    |consumed | presses | what    | gen     | state   | word    | transfer|                   | records …
 *  +---------+---------+---------+---------+---------+---------+---------+---------+-------------------+
 * </pre>
 *
 * <p>{@code consumed} is the credit, the number of packets with records from the receiver that the sender of this
 * packet has consumed, wrapping round. The last record of a packet may lack the unused rest of its slot.
 */
final class PacketLayout {
  /** Kind: the packet holds records. */
  static final int RECORDS = 0x6666_0001;

  /** Kind: the packet holds a note. */
  static final int NOTE = 0x6666_0002;

  /** Note: only the credit that every packet carries. */
  static final int CREDIT = 1;

  /** Note: the completion word of a message has a new state. */
  static final int WORD = 2;

  /** Note: the sender of a message requests its cancellation. */
  static final int CANCEL = 3;

  /** Note: the rank has left; its state is FINALIZED or DEAD. */
  static final int LEFT = 4;

  static final long KIND_OFFSET = 0;
  static final long CONSUMED_OFFSET = KIND_OFFSET + 4;
  static final long PRESSES_OFFSET = CONSUMED_OFFSET + 4;
  static final long WHAT_OFFSET = PRESSES_OFFSET + 4;
  static final long GENERATION_OFFSET = WHAT_OFFSET + 4;
  static final long STATE_OFFSET = GENERATION_OFFSET + 4;
  static final long WORD_OFFSET = STATE_OFFSET + 4;
  static final long TRANSFER_OFFSET = WORD_OFFSET + 8;

  /** Bytes of the head, behind which records begin. */
  static final int BYTES = 64;

  /** The same layout as data, for tests and tools. */
  static final class Shape {
    static final StructLayout LAYOUT =
        structLayout(
            JAVA_INT.withName("kind"),
            JAVA_INT.withName("consumed"),
            JAVA_INT.withName("presses"),
            JAVA_INT.withName("what"),
            JAVA_INT.withName("generation"),
            JAVA_INT.withName("state"),
            JAVA_LONG.withName("word"),
            JAVA_LONG.withName("transfer"),
            paddingLayout(BYTES - TRANSFER_OFFSET - 8));

    private Shape() {}
  }

  private PacketLayout() {}

  static void setPlainHead(long packet, int kind, int consumed, int presses) {
    Raw.putInt(packet + KIND_OFFSET, kind);
    Raw.putInt(packet + CONSUMED_OFFSET, consumed);
    Raw.putInt(packet + PRESSES_OFFSET, presses);
  }

  static void setPlainNote(long packet, int what, long word, int generation, int state, long transfer) {
    Raw.putInt(packet + WHAT_OFFSET, what);
    Raw.putInt(packet + GENERATION_OFFSET, generation);
    Raw.putInt(packet + STATE_OFFSET, state);
    Raw.putLong(packet + WORD_OFFSET, word);
    Raw.putLong(packet + TRANSFER_OFFSET, transfer);
  }

  static int getPlainKind(long packet) {
    return Raw.getInt(packet + KIND_OFFSET);
  }

  static int getPlainConsumed(long packet) {
    return Raw.getInt(packet + CONSUMED_OFFSET);
  }

  static int getPlainPresses(long packet) {
    return Raw.getInt(packet + PRESSES_OFFSET);
  }

  static int getPlainWhat(long packet) {
    return Raw.getInt(packet + WHAT_OFFSET);
  }

  static int getPlainGeneration(long packet) {
    return Raw.getInt(packet + GENERATION_OFFSET);
  }

  static int getPlainState(long packet) {
    return Raw.getInt(packet + STATE_OFFSET);
  }

  static long getPlainWord(long packet) {
    return Raw.getLong(packet + WORD_OFFSET);
  }

  static long getPlainTransfer(long packet) {
    return Raw.getLong(packet + TRANSFER_OFFSET);
  }
}
