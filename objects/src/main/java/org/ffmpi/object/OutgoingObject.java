// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.object;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.ffmpi.Codec;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.spi.Channel;

/**
 * A value to be sent: a head, and the parts that follow it. The head, big-endian:
 *
 * <pre>
 *   0            4            8              12             16
 *   +------------+------------+--------------+--------------+------------------------------------+
 *   | MAGIC      | tag of the | bytes of the | number of    | the value, then for each array     |
 *   |            | parts      | value        | arrays, or   | its kind (1) and its length (4);   |
 *   |            |            |              | FAILED       | a part where they do not fit       |
 *   +------------+------------+--------------+--------------+------------------------------------+
 * </pre>
 *
 * <p>In a collective call a rank that cannot write its value sends the error instead, so that no other waits for it.
 */
final class OutgoingObject {
  static final int MAGIC = 0x66664f31;
  static final int TAG_AT = 4;
  static final int LENGTH_AT = 8;
  static final int ARRAYS_AT = 12;
  static final int HEADER = 16;

  /** Number of arrays if there is no value, but class and text of an error. */
  static final int FAILED = -1;

  /** Bytes of an array in the table. */
  static final int ENTRY = 5;

  /** Beginning of the text of an error from another rank. */
  private static final String FROM = "rank ";

  /** Longest head of a message, in bytes. */
  static final int HEAD = 2 << 10;

  private final byte[] bytes;
  private final int headEnd;
  private final List<ObjectPart> parts;
  private final MpiException failure;

  private OutgoingObject(ValueWriter out, int headEnd, List<ObjectPart> parts, MpiException failure) {
    this.bytes = out.bytes();
    this.headEnd = headEnd;
    this.parts = parts;
    this.failure = failure;
  }

  /**
   * Writes a value.
   *
   * @param most longest head, in bytes
   * @throws MpiException ERR_CONVERSION when it cannot be written
   */
  static <T> OutgoingObject of(T value, Codec<? super T> codec, Channel channel, int most) {
    ValueWriter out = new ValueWriter();
    EncodedValue.write(value, codec, out, "sent");
    try {
      return finish(out, out.end() - HEADER, channel, most);
    } catch (IOException e) {
      throw new MpiException(ErrorClass.ERR_CONVERSION, "value: cannot be sent: " + e.getMessage(), e);
    }
  }

  /** Writes a value, or the error when that is not possible. */
  static <T> OutgoingObject ofOrFailed(T value, Codec<? super T> codec, Channel channel, int most) {
    try {
      return of(value, codec, channel, most);
    } catch (MpiException e) {
      return failed(e, channel, most);
    }
  }

  /** Writes an error instead of a value. */
  static OutgoingObject failed(MpiException failure, Channel channel, int most) {
    ValueWriter out = new ValueWriter();
    try {
      out.writeInt(failure.errorClass().code());
      String text = failure.getMessage();
      String name = failure.errorClass().mpiName() + ": ";
      text = text.startsWith(name) ? text.substring(name.length()) : text; // the receiver's exception adds it again
      String where = text.startsWith(FROM) ? "" : FROM + channel.rank() + ": "; // this rank may only pass it on
      out.write((where + text).getBytes(StandardCharsets.UTF_8));
      ValueWriter.INT.set(out.bytes(), ARRAYS_AT, FAILED);
      return finish(out, out.end() - HEADER, List.of(), channel, most, failure);
    } catch (IOException e) {
      throw new MpiException(ErrorClass.ERR_INTERN, "an error of gigabytes", e);
    }
  }

  private static OutgoingObject finish(ValueWriter out, int length, Channel channel, int most)
      throws IOException {
    List<ObjectPart> arrays = new ArrayList<>(out.beside().size());
    for (Object array : out.beside()) {
      PrimitiveArray a = PrimitiveArray.of(array);
      out.writeByte(a.kind());
      out.writeInt(a.length());
      arrays.add(ObjectPart.of(array));
    }
    ValueWriter.INT.set(out.bytes(), ARRAYS_AT, arrays.size());
    return finish(out, length, arrays, channel, most, null);
  }

  private static OutgoingObject finish(
      ValueWriter out, int length, List<ObjectPart> arrays, Channel channel, int most, MpiException failure) {
    boolean fits = out.end() <= most;
    List<ObjectPart> parts = arrays;
    if (!fits) {
      parts = new ArrayList<>(arrays.size() + 1);
      parts.add(ObjectPart.of(out.bytes(), HEADER, out.end()));
      parts.addAll(arrays);
    }
    ValueWriter.INT.set(out.bytes(), 0, MAGIC);
    ValueWriter.INT.set(out.bytes(), LENGTH_AT, length);
    ValueWriter.INT.set(out.bytes(), TAG_AT, parts.isEmpty() ? 0 : channel.nextObjectTag());
    return new OutgoingObject(out, fits ? out.end() : HEADER, parts, failure);
  }

  /** Returns an array that begins with the head. */
  byte[] bytes() {
    return bytes;
  }

  /** Returns the length of the head. */
  int headBytes() {
    return headEnd;
  }

  /** Copies the head to its place among the heads of all ranks. */
  void putHead(byte[] heads, int at) {
    System.arraycopy(bytes, 0, heads, at, headEnd);
  }

  List<ObjectPart> parts() {
    return parts;
  }

  int tag() {
    return (int) ValueWriter.INT.get(bytes, TAG_AT);
  }

  /** Returns the error that is sent instead of a value; null for a value. */
  MpiException failure() {
    return failure;
  }
}
