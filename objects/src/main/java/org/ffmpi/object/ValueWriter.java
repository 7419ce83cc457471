// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.object;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ffmpi.port.CodecOutputBase;

/**
 * The bytes of a value that is being written; in a message, they follow room for a head, and long arrays travel beside
 * them. Used by the thread that encodes.
 */
public final class ValueWriter extends OutputStream implements CodecOutputBase {
  /** Flag in the kind of an array that travels beside the bytes; its number follows. */
  static final int BESIDE = 1 << 6;

  /**
   * Arrays of fewer bytes are copied. Measured: both ways take as long between 512 bytes and 2 KiB; at 4 KiB a copy
   * takes 1.6 times as long as a message of its own, at 64 KiB four times.
   */
  static final int SHORTEST_BESIDE = 2 << 10;

  private static final int FIRST_ROOM = 512;

  /** The longest Java array that all VMs allocate. */
  private static final int LONGEST = Integer.MAX_VALUE - 8;

  static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
  static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final long shortestBeside;
  private byte[] bytes = new byte[FIRST_ROOM];
  private int size;
  private List<Object> beside = List.of();

  /** Creates the writer of a message, with room for a head, and long arrays beside the bytes. */
  ValueWriter() {
    this(OutgoingObject.HEADER, SHORTEST_BESIDE);
  }

  private ValueWriter(int size, long shortestBeside) {
    this.size = size;
    this.shortestBeside = shortestBeside;
  }

  /** Creates a writer that copies all arrays into the bytes. */
  static ValueWriter ofBytesAlone() {
    return new ValueWriter(0, Long.MAX_VALUE);
  }

  /** Returns whether an array travels beside the bytes. */
  boolean isBeside(PrimitiveArray array) {
    return array.bytes() >= shortestBeside;
  }

  byte[] bytes() {
    return bytes;
  }

  /** Returns the index in {@link #bytes} behind the last byte written. */
  int end() {
    return size;
  }

  List<Object> beside() {
    return beside;
  }

  /** Adds an array that travels beside the bytes, and returns its number. */
  int addBeside(Object array) {
    if (beside.isEmpty()) {
      beside = new ArrayList<>();
    }
    beside.add(array);
    return beside.size() - 1;
  }

  /** Forgets all that has been written after a place, and all arrays after the first. */
  void truncate(int end, int arrays) {
    size = end;
    if (!beside.isEmpty()) {
      beside.subList(arrays, beside.size()).clear();
    }
  }

  /** Makes room and returns the index of its first byte. */
  private int claim(int length) throws IOException {
    int at = size;
    if (length > bytes.length - at) {
      if (length > LONGEST - at) {
        throw new IOException("more than " + LONGEST + " bytes");
      }
      long twice = Math.min(2L * bytes.length, LONGEST);
      bytes = Arrays.copyOf(bytes, (int) Math.max(twice, at + length));
    }
    size = at + length;
    return at;
  }

  // ---- arrays

  @Override
  public void writeArray(Object array) throws IOException {
    if (array == null) {
      writeByte(0);
      return;
    }
    PrimitiveArray a = PrimitiveArray.of(array);
    if (a == null) {
      throw new NotSerializableException(array.getClass().getTypeName() + " is no array of primitives");
    }
    if (isBeside(a)) {
      writeByte(a.kind() | BESIDE);
      writeInt(addBeside(array));
    } else {
      writeByte(a.kind());
      writeInt(a.length());
      int length = (int) Math.min(a.bytes(), Integer.MAX_VALUE); // claim() refuses such a length
      int at = claim(length);
      PrimitiveArray.put(array, bytes, at, length);
    }
  }

  // ---- counts and strings

  /** Writes a number that is not negative, in as many groups of seven bits as it needs. */
  void writeCount(int count) throws IOException {
    int rest = count;
    for (; rest >= 1 << 7; rest >>>= 7) {
      write(rest | 1 << 7);
    }
    write(rest);
  }

  /** Writes the chars of a string, two bytes each. */
  void writeUtf16(String s) throws IOException {
    int length = (int) Math.min(2L * s.length(), Integer.MAX_VALUE); // claim() refuses such a length
    int at = claim(length);
    ByteBuffer.wrap(bytes, at, length).asCharBuffer().put(s);
  }

  // ---- bytes

  @Override
  public void write(int b) throws IOException {
    int at = claim(1);
    bytes[at] = (byte) b;
  }

  @Override
  public void write(byte[] b) throws IOException {
    write(b, 0, b.length);
  }

  @Override
  public void write(byte[] b, int from, int length) throws IOException {
    int at = claim(length);
    System.arraycopy(b, from, bytes, at, length);
  }

  @Override
  public void writeBoolean(boolean v) throws IOException {
    write(v ? 1 : 0);
  }

  @Override
  public void writeByte(int v) throws IOException {
    write(v);
  }

  @Override
  public void writeShort(int v) throws IOException {
    int at = claim(Short.BYTES);
    SHORT.set(bytes, at, (short) v);
  }

  @Override
  public void writeChar(int v) throws IOException {
    writeShort(v);
  }

  @Override
  public void writeInt(int v) throws IOException {
    int at = claim(Integer.BYTES);
    INT.set(bytes, at, v);
  }

  @Override
  public void writeLong(long v) throws IOException {
    int at = claim(Long.BYTES);
    LONG.set(bytes, at, v);
  }

  @Override
  public void writeFloat(float v) throws IOException {
    writeInt(Float.floatToRawIntBits(v));
  }

  @Override
  public void writeDouble(double v) throws IOException {
    writeLong(Double.doubleToRawLongBits(v));
  }

  @Override
  public void writeBytes(String s) throws IOException {
    new DataOutputStream(this).writeBytes(s);
  }

  @Override
  public void writeChars(String s) throws IOException {
    new DataOutputStream(this).writeChars(s);
  }

  @Override
  public void writeUTF(String s) throws IOException {
    new DataOutputStream(this).writeUTF(s);
  }
}
