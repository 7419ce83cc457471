// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.account;

import static java.lang.foreign.MemoryLayout.paddingLayout;
import static java.lang.foreign.MemoryLayout.sequenceLayout;
import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.StructLayout;
import org.ffmpi.base.raw.Raw;

/**
 * A rank's account of its long waits, in the segment. The rank writes it, under its lock; launchers and tools read it.
 *
 * <pre>
 *    0         4         8         12        16            20
 *   +---------+---------+---------+---------+-------------+-------------------+
 *   | version | waits   | sends   | receives| unexpected  | communicators     |  entries of the tables below
 *   +---------+---------+---------+---------+-------------+-------------------+
 *   24 | allSends | allReceives | allUnexpected | pad |                            lengths of the queues
 *   40 | unexpectedBytes | moves | sent | received | sentBytes | receivedBytes |
 *   88 | epochs | blocked | placeSince |
 *  128 | 4 waits, 160 bytes each       | kind peer tag collective root pad | context bytes since | call 36 | line 76
 *  768 | 16 sends, 24 bytes each       | context bytes | peer tag |
 * 1152 | 16 receives                   |
 * 1536 | 16 unexpected messages        |
 * 1920 | 16 communicators, 88 bytes each | context | begun own | size | name, 68 bytes
 * 3328 | 16 epochs, 16 bytes each       | epochContext | epochPeer epochKind |
 * 3584 | place of the program, 256 bytes
 * 3840
 * </pre>
 *
 * <p>{@code version} is odd while the block is being written and changes with each write: a reader that finds the same
 * even number before and after has read one whole account. Names are UTF-8, padded with zeros.
 */
final class AccountLayout {
  static final int WAITS = 4;
  static final int MESSAGES = 16;
  static final int COMMUNICATORS = 16;
  static final int EPOCHS = 16;

  static final long VERSION_OFFSET = 0;
  static final long WAITS_OFFSET = VERSION_OFFSET + 4;
  static final long SENDS_OFFSET = WAITS_OFFSET + 4;
  static final long RECEIVES_OFFSET = SENDS_OFFSET + 4;
  static final long UNEXPECTED_OFFSET = RECEIVES_OFFSET + 4;
  static final long COMMUNICATORS_OFFSET = UNEXPECTED_OFFSET + 4;
  static final long ALL_SENDS_OFFSET = COMMUNICATORS_OFFSET + 4;
  static final long ALL_RECEIVES_OFFSET = ALL_SENDS_OFFSET + 4;
  static final long ALL_UNEXPECTED_OFFSET = ALL_RECEIVES_OFFSET + 4;
  static final long UNEXPECTED_BYTES_OFFSET = ALL_UNEXPECTED_OFFSET + 8;
  static final long MOVES_OFFSET = UNEXPECTED_BYTES_OFFSET + 8;
  static final long SENT_OFFSET = MOVES_OFFSET + 8;
  static final long RECEIVED_OFFSET = SENT_OFFSET + 8;
  static final long SENT_BYTES_OFFSET = RECEIVED_OFFSET + 8;
  static final long RECEIVED_BYTES_OFFSET = SENT_BYTES_OFFSET + 8;

  static final long EPOCHS_OFFSET = RECEIVED_BYTES_OFFSET + 8;
  static final long BLOCKED_OFFSET = EPOCHS_OFFSET + 4;
  static final long PLACE_SINCE_OFFSET = BLOCKED_OFFSET + 4;

  static final long WAIT_TABLE = 128;
  static final long WAIT_BYTES = 160;
  static final long KIND_OFFSET = 0;
  static final long WAIT_PEER_OFFSET = KIND_OFFSET + 4;
  static final long WAIT_TAG_OFFSET = WAIT_PEER_OFFSET + 4;
  static final long COLLECTIVE_OFFSET = WAIT_TAG_OFFSET + 4;
  static final long ROOT_OFFSET = COLLECTIVE_OFFSET + 4;
  static final long WAIT_CONTEXT_OFFSET = ROOT_OFFSET + 8;
  static final long WAIT_LENGTH_OFFSET = WAIT_CONTEXT_OFFSET + 8;
  static final long SINCE_OFFSET = WAIT_LENGTH_OFFSET + 8;
  static final long CALL_OFFSET = SINCE_OFFSET + 8;
  static final int CALL_BYTES = 36;
  static final long LINE_OFFSET = CALL_OFFSET + CALL_BYTES;
  static final int LINE_BYTES = 76;

  static final long MESSAGE_BYTES = 24;
  static final long SEND_TABLE = WAIT_TABLE + WAITS * WAIT_BYTES;
  static final long RECEIVE_TABLE = SEND_TABLE + MESSAGES * MESSAGE_BYTES;
  static final long UNEXPECTED_TABLE = RECEIVE_TABLE + MESSAGES * MESSAGE_BYTES;
  static final long CONTEXT_OFFSET = 0;
  static final long LENGTH_OFFSET = CONTEXT_OFFSET + 8;
  static final long PEER_OFFSET = LENGTH_OFFSET + 8;
  static final long TAG_OFFSET = PEER_OFFSET + 4;

  static final long COMMUNICATOR_BYTES = 88;
  static final long COMMUNICATOR_TABLE = UNEXPECTED_TABLE + MESSAGES * MESSAGE_BYTES;
  static final long NUMBER_OFFSET = 0;
  static final long BEGUN_OFFSET = NUMBER_OFFSET + 8;
  static final long OWN_OFFSET = BEGUN_OFFSET + 4;
  static final long SIZE_OFFSET = OWN_OFFSET + 4;
  static final long NAME_OFFSET = SIZE_OFFSET + 4;
  static final int NAME_BYTES = 68;

  static final long EPOCH_BYTES = 16;
  static final long EPOCH_TABLE = COMMUNICATOR_TABLE + COMMUNICATORS * COMMUNICATOR_BYTES;
  static final long EPOCH_CONTEXT_OFFSET = 0;
  static final long EPOCH_PEER_OFFSET = EPOCH_CONTEXT_OFFSET + 8;
  static final long EPOCH_KIND_OFFSET = EPOCH_PEER_OFFSET + 4;

  static final long PLACE = EPOCH_TABLE + EPOCHS * EPOCH_BYTES;
  static final int PLACE_BYTES = 256;

  /** Bytes of the whole block. */
  static final long BYTES = PLACE + PLACE_BYTES;

  /** The same layout as data, for tests and tools. */
  static final class Shape {
    static final StructLayout HEAD = structLayout(
        JAVA_INT.withName("version"), JAVA_INT.withName("waits"), JAVA_INT.withName("sends"),
        JAVA_INT.withName("receives"), JAVA_INT.withName("unexpected"), JAVA_INT.withName("communicators"),
        JAVA_INT.withName("allSends"), JAVA_INT.withName("allReceives"), JAVA_INT.withName("allUnexpected"),
        paddingLayout(4), JAVA_LONG.withName("unexpectedBytes"), JAVA_LONG.withName("moves"),
        JAVA_LONG.withName("sent"), JAVA_LONG.withName("received"), JAVA_LONG.withName("sentBytes"),
        JAVA_LONG.withName("receivedBytes"), JAVA_INT.withName("epochs"), JAVA_INT.withName("blocked"),
        JAVA_LONG.withName("placeSince"), paddingLayout(WAIT_TABLE - 104));
    static final StructLayout WAIT = structLayout(
        JAVA_INT.withName("kind"), JAVA_INT.withName("waitPeer"), JAVA_INT.withName("waitTag"),
        JAVA_INT.withName("collective"), JAVA_INT.withName("root"), paddingLayout(4),
        JAVA_LONG.withName("waitContext"), JAVA_LONG.withName("waitLength"), JAVA_LONG.withName("since"),
        sequenceLayout(CALL_BYTES, JAVA_BYTE).withName("call"),
        sequenceLayout(LINE_BYTES, JAVA_BYTE).withName("line"));
    static final StructLayout MESSAGE = structLayout(
        JAVA_LONG.withName("context"), JAVA_LONG.withName("length"), JAVA_INT.withName("peer"),
        JAVA_INT.withName("tag"));
    static final StructLayout COMMUNICATOR = structLayout(
        JAVA_LONG.withName("number"), JAVA_INT.withName("begun"), JAVA_INT.withName("own"),
        JAVA_INT.withName("size"), sequenceLayout(NAME_BYTES, JAVA_BYTE).withName("name"));
    static final StructLayout EPOCH = structLayout(
        JAVA_LONG.withName("epochContext"), JAVA_INT.withName("epochPeer"), JAVA_INT.withName("epochKind"));

    private Shape() {}
  }

  private AccountLayout() {}

  static int getAcquireVersion(long block) {
    return Raw.getAcquireInt(block + VERSION_OFFSET);
  }

  static int getVolatileVersion(long block) {
    return Raw.getVolatileInt(block + VERSION_OFFSET);
  }

  /** Begins a write: later stores are not visible before this one. */
  static void setVolatileVersion(long block, int version) {
    Raw.putVolatileInt(block + VERSION_OFFSET, version);
  }

  static void setReleaseVersion(long block, int version) {
    Raw.putReleaseInt(block + VERSION_OFFSET, version);
  }

  static int getPlainInt(long address) {
    return Raw.getInt(address);
  }

  static void setPlainInt(long address, int value) {
    Raw.putInt(address, value);
  }

  static long getPlainLong(long address) {
    return Raw.getLong(address);
  }

  static void setPlainLong(long address, long value) {
    Raw.putLong(address, value);
  }

  static byte getPlainByte(long address) {
    return Raw.getByte(address);
  }

  static void setPlainByte(long address, byte value) {
    Raw.putByte(address, value);
  }
}
