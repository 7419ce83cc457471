// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.object;

import java.nio.charset.StandardCharsets;
import org.ffmpi.Codec;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/**
 * A value that is being received: its head, and the parts as they arrive. The sender is not trusted: memory for a part
 * is allocated when its message has been matched and has the length that the head announced.
 *
 * <p>Used by one thread at a time.
 */
final class IncomingObject {
  private final int tag;
  private final int valueBytes;
  private final int arrays;
  private final boolean failed;
  private final long bodyBytes;

  /** Value and table. */
  private byte[] body;

  private int bodyAt;

  /** The arrays; null until the table has arrived. */
  private Object[] beside;

  /** Number of arrays for which memory has been made. */
  private int arrived;

  /**
   * Reads a head.
   *
   * @param at index of its first byte
   * @param length its length
   * @param most the longest that it may be; a value that does not fit follows as a part
   * @param exact whether {@code length} is that of its message, not one that all heads of a collective call have
   * @throws MpiException ERR_TYPE when it is no head
   */
  IncomingObject(byte[] head, int at, long length, int most, boolean exact) {
    boolean sound = length >= OutgoingObject.HEADER && read(head, at, 0) == OutgoingObject.MAGIC;
    this.tag = sound ? read(head, at, OutgoingObject.TAG_AT) : 0;
    this.valueBytes = sound ? read(head, at, OutgoingObject.LENGTH_AT) : 0;
    int count = sound ? read(head, at, OutgoingObject.ARRAYS_AT) : 0;
    this.failed = count == OutgoingObject.FAILED;
    this.arrays = failed ? 0 : count;
    this.bodyBytes = valueBytes + (long) OutgoingObject.ENTRY * arrays;
    boolean inside = OutgoingObject.HEADER + bodyBytes <= most;
    sound &= tag >= 0 && valueBytes >= 0 && arrays >= 0
        && OutgoingObject.HEADER + bodyBytes <= Integer.MAX_VALUE
        && (inside ? length >= OutgoingObject.HEADER + bodyBytes : length >= OutgoingObject.HEADER)
        && (!exact || length == OutgoingObject.HEADER + (inside ? bodyBytes : 0));
    if (!sound) {
      throw new MpiException(
          ErrorClass.ERR_TYPE, "message: of " + length + " bytes is no object; it was sent by another call");
    }
    if (inside) {
      body = head;
      bodyAt = at + OutgoingObject.HEADER;
    }
    this.beside = inside ? new Object[arrays] : null;
  }

  /** Returns the error of a receive of a head; explains that a message too long for a head is no object. */
  static MpiException explained(MpiException error) {
    return error.errorClass() != ErrorClass.ERR_TRUNCATE
        ? error
        : new MpiException(
            ErrorClass.ERR_TYPE,
            "message: is no object; it was sent by another call (" + error.getMessage() + ")", error);
  }

  private static int read(byte[] head, int at, int field) {
    return (int) ValueWriter.INT.get(head, at + field);
  }

  int tag() {
    return tag;
  }

  /** Returns whether a part is still to come. */
  boolean isPartial() {
    return body == null || arrived < arrays;
  }

  /**
   * Makes memory for the next part.
   *
   * @param length bytes of its message; -1 if not known
   * @throws MpiException ERR_OTHER when the head announced another length
   */
  ObjectPart accept(long length) {
    if (body == null) {
      check(length, bodyBytes);
      body = new byte[(int) bodyBytes];
      bodyAt = 0;
      beside = new Object[arrays];
      return ObjectPart.of(body, 0, body.length);
    }
    int entry = bodyAt + valueBytes + OutgoingObject.ENTRY * arrived;
    PrimitiveArray a = new PrimitiveArray(body[entry], (int) ValueWriter.INT.get(body, entry + 1));
    if (!PrimitiveArray.isKind(a.kind()) || a.length() < 0) {
      throw new MpiException(
          ErrorClass.ERR_OTHER, "message: no object has an array of kind " + a.kind() + " and length " + a.length());
    }
    check(length, a.bytes());
    Object array = a.make();
    beside[arrived++] = array;
    return ObjectPart.of(array);
  }

  private static void check(long length, long announced) {
    if (length >= 0 && length != announced) {
      throw new MpiException(
          ErrorClass.ERR_OTHER, "message: a part of an object has " + length + " bytes instead of " + announced);
    }
  }

  /** Returns the number of bytes that have arrived. */
  long bytes() {
    long sum = OutgoingObject.HEADER + bodyBytes;
    for (int i = 0; i < arrived; i++) {
      sum += PrimitiveArray.of(beside[i]).bytes();
    }
    return sum;
  }

  /**
   * Makes the value.
   *
   * @throws MpiException ERR_CONVERSION when the bytes are no value that may be read; the sender's error if it sent one
   *     instead of a value
   */
  <T> T value(Codec<T> codec, ClassPolicy policy) {
    if (failed) {
      throw senderError();
    }
    return EncodedValue.read(new ValueReader(body, bodyAt, bodyAt + valueBytes, beside, policy), codec);
  }

  /** Returns the error that the sender has sent instead of a value. */
  MpiException senderError() {
    if (valueBytes < Integer.BYTES) {
      return new MpiException(ErrorClass.ERR_OTHER, "value: the sender could not write it");
    }
    int code = (int) ValueWriter.INT.get(body, bodyAt);
    String text = new String(body, bodyAt + Integer.BYTES, valueBytes - Integer.BYTES, StandardCharsets.UTF_8);
    return new MpiException(ErrorClass.ofCode(code).orElse(ErrorClass.ERR_OTHER), text);
  }
}
