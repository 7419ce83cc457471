// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import static java.lang.foreign.MemoryLayout.paddingLayout;
import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.StructLayout;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.shm.ring.RingLayout;

/**
 * The content of a ring's slot, which is the envelope of a message, a further chunk of the last message, or the failure
 * of a collective call.
 *
 * <pre>
 *   0                   8                   16                  24        32   36   40   44   48    56
 *  +-------------------+-------------------+---------------------------------------------------------+
 *  | head              | context           | inline payload, up to 112 bytes                         |  INLINE
 *  +-------------------+-------------------+---------------------------------------------------------+
 *                                          | total             | bulkEnd |chunk|bulkAt|gen.|  | word |   others
 *
 *   56        64        72        80        88        96
 *  +---------+---------+---------+---------+---------+
 *  | at      | layout  | count   | hash    | types   |  of derived types out of the shared heap; of signed messages
 *  +---------+---------+---------+---------+---------+
 * </pre>
 *
 * <p>The info in the head is the kind in its low 4 bits, then 12 bits for flags, or for the length if the payload is
 * inline, and the tag above: a short message is written by three stores and a copy. {@code total} is the message's
 * packed length, {@code chunk} how much of it lies in the ring's bulk bytes at {@code bulkAt}, {@code bulkEnd} the bulk
 * position after it, {@code word} the segment offset of the completion word (0: none) and {@code gen} its generation,
 * {@code at} the segment offset of the data (DIRECT) or of the pipe (PIPED).
 *
 * <p>A FAILED record has the class of the error instead of {@code bulkAt}, and the context and sender of the messages
 * that are its cause instead of {@code at} and {@code gen}.
 *
 * <p>A direct message whose data is not one run has {@link #STRIDED}: {@code at} is then the place of its {@code count}
 * elements, and {@code layout} the segment offset of the {@link org.ffmpi.shm.memory.TypeRecords record} of their
 * plan. A piped message with {@link #READABLE} lies at the absolute address {@code layout} of the sender's process. A
 * message has {@link #SIGNED} where types are checked: {@code hash} is the hash of its basic types, {@code types} the
 * segment offset of the record with their names.
 */
final class EnvelopeLayout {
  /** The whole payload lies in the slot. */
  static final int INLINE = 1;

  /** The payload, or its first chunk, lies in the bulk bytes. */
  static final int EAGER = 2;

  /** A further chunk of the message whose envelope was the last one in this ring. */
  static final int MORE = 3;

  /** The payload comes through the pair's pipe after the message is matched. */
  static final int PIPED = 4;

  /** The payload lies in the shared heap; the receiver copies it from there. */
  static final int DIRECT = 5;

  /** The sender has failed in the collective call that the envelope names; the record is no message. */
  static final int FAILED = 6;

  /** Flag: the receiver sets the completion word when the message is matched (synchronous mode). */
  static final int SYNCHRONOUS = 1 << 4;

  /** Flag: the sender may cancel, so that matching has to claim the completion word. */
  static final int CANCELLABLE = 1 << 5;

  /** Flag of a direct message: its data is not one run, and the envelope has its layout. */
  static final int STRIDED = 1 << 6;

  /** Flag of a piped message: its data is one run, which the receiver may try to read in the sender's memory. */
  static final int READABLE = 1 << 7;

  /** Flag: the envelope has the signature of the message. */
  static final int SIGNED = 1 << 8;

  /** Flag where everything is checked: the message is in ready mode. */
  static final int READY = 1 << 9;

  /** Flag of a message's last chunk: the sender's buffer became unusable, and not all of the payload is its content. */
  static final int SPOILED = 1 << 10;

  private static final int KIND_MASK = 0xf;
  private static final int LENGTH_SHIFT = 4;
  private static final int LENGTH_MASK = 0xfff;
  private static final int TAG_SHIFT = 16;

  static final long CONTEXT_OFFSET = RingLayout.BODY_OFFSET;
  static final long PAYLOAD_OFFSET = CONTEXT_OFFSET + 8;
  static final long TOTAL_OFFSET = PAYLOAD_OFFSET;
  static final long BULK_END_OFFSET = TOTAL_OFFSET + 8;
  static final long CHUNK_OFFSET = BULK_END_OFFSET + 8;
  static final long BULK_AT_OFFSET = CHUNK_OFFSET + 4;
  static final long GENERATION_OFFSET = BULK_AT_OFFSET + 4;
  static final long WORD_OFFSET = GENERATION_OFFSET + 8;
  static final long AT_OFFSET = WORD_OFFSET + 8;
  static final long LAYOUT_OFFSET = AT_OFFSET + 8;
  static final long COUNT_OFFSET = LAYOUT_OFFSET + 8;
  static final long HASH_OFFSET = COUNT_OFFSET + 8;
  static final long TYPES_OFFSET = HASH_OFFSET + 8;

  /** Most payload that fits beside an envelope in a slot. */
  static final int INLINE_BYTES = (int) (RingLayout.SLOT_BYTES - PAYLOAD_OFFSET);

  /** The same layout as data, for tests and tools: the form without inline payload. */
  static final class Shape {
    static final StructLayout LAYOUT =
        structLayout(
            JAVA_LONG.withName("head"),
            JAVA_LONG.withName("context"),
            JAVA_LONG.withName("total"),
            JAVA_LONG.withName("bulkEnd"),
            JAVA_INT.withName("chunk"),
            JAVA_INT.withName("bulkAt"),
            JAVA_INT.withName("generation"),
            paddingLayout(4),
            JAVA_LONG.withName("word"),
            JAVA_LONG.withName("at"),
            JAVA_LONG.withName("layout"),
            JAVA_LONG.withName("count"),
            JAVA_LONG.withName("hash"),
            JAVA_LONG.withName("types"));

    private Shape() {}
  }

  private EnvelopeLayout() {}

  /** Returns the kind of a record, with its flags or its length. */
  static int form(long info) {
    return (int) info & 0xffff;
  }

  static int kind(int form) {
    return form & KIND_MASK;
  }

  /** Returns the length of a message whose payload lies in the slot; -1 for any other record. */
  static int inlineLength(long info) {
    return (info & KIND_MASK) == INLINE ? (int) info >>> LENGTH_SHIFT & LENGTH_MASK : -1;
  }

  static int tag(long info) {
    return (int) (info >>> TAG_SHIFT);
  }

  /** Returns the info of a message of {@code length} bytes in the slot. */
  static long inlineInfo(int length, int tag) {
    return (long) tag << TAG_SHIFT | length << LENGTH_SHIFT | INLINE;
  }

  /** Returns the info of any other record. */
  static long info(int form, int tag) {
    return (long) tag << TAG_SHIFT | form;
  }

  static void setPlainContext(long slot, long context) {
    Raw.putLong(slot + CONTEXT_OFFSET, context);
  }

  static void setPlainChunk(long slot, int bulkAt, long total, long bulkEnd, int chunk) {
    Raw.putInt(slot + BULK_AT_OFFSET, bulkAt);
    Raw.putLong(slot + TOTAL_OFFSET, total);
    Raw.putLong(slot + BULK_END_OFFSET, bulkEnd);
    Raw.putInt(slot + CHUNK_OFFSET, chunk);
  }

  static void setPlainWord(long slot, long word, int generation, long at) {
    Raw.putInt(slot + GENERATION_OFFSET, generation);
    Raw.putLong(slot + WORD_OFFSET, word);
    Raw.putLong(slot + AT_OFFSET, at);
  }

  static void setPlainLayout(long slot, long layout, long count) {
    Raw.putLong(slot + LAYOUT_OFFSET, layout);
    Raw.putLong(slot + COUNT_OFFSET, count);
  }

  static void setPlainSignature(long slot, long hash, long types) {
    Raw.putLong(slot + HASH_OFFSET, hash);
    Raw.putLong(slot + TYPES_OFFSET, types);
  }

  static void setPlainFailure(long slot, int errorClass, long cause, int causePeer) {
    Raw.putInt(slot + BULK_AT_OFFSET, errorClass);
    Raw.putInt(slot + GENERATION_OFFSET, causePeer);
    Raw.putLong(slot + AT_OFFSET, cause);
  }

  static int getPlainErrorClass(long slot) {
    return Raw.getInt(slot + BULK_AT_OFFSET);
  }

  static long getPlainContext(long slot) {
    return Raw.getLong(slot + CONTEXT_OFFSET);
  }

  static int getPlainBulkAt(long slot) {
    return Raw.getInt(slot + BULK_AT_OFFSET);
  }

  static long getPlainTotal(long slot) {
    return Raw.getLong(slot + TOTAL_OFFSET);
  }

  static long getPlainBulkEnd(long slot) {
    return Raw.getLong(slot + BULK_END_OFFSET);
  }

  static int getPlainChunk(long slot) {
    return Raw.getInt(slot + CHUNK_OFFSET);
  }

  static int getPlainGeneration(long slot) {
    return Raw.getInt(slot + GENERATION_OFFSET);
  }

  static long getPlainWord(long slot) {
    return Raw.getLong(slot + WORD_OFFSET);
  }

  static long getPlainAt(long slot) {
    return Raw.getLong(slot + AT_OFFSET);
  }

  static long getPlainLayout(long slot) {
    return Raw.getLong(slot + LAYOUT_OFFSET);
  }

  static long getPlainCount(long slot) {
    return Raw.getLong(slot + COUNT_OFFSET);
  }

  static long getPlainHash(long slot) {
    return Raw.getLong(slot + HASH_OFFSET);
  }

  static long getPlainTypes(long slot) {
    return Raw.getLong(slot + TYPES_OFFSET);
  }
}
