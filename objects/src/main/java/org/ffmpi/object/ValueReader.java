// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.object;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.StreamCorruptedException;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import org.ffmpi.port.CodecInputBase;

/**
 * The bytes of a value that is being read, and the long arrays that have travelled beside them. The bytes are not
 * trusted: a length that they cannot contain is an error. Used by the thread that decodes.
 */
public final class ValueReader extends InputStream implements CodecInputBase {
  private final byte[] bytes;
  private final int end;
  private final Object[] beside;
  private final ClassPolicy policy;
  private int at;

  /**
   * Creates a reader.
   *
   * @param beside the arrays beside the bytes, by their numbers
   * @param policy classes that Java's serialization may read
   */
  ValueReader(byte[] bytes, int from, int end, Object[] beside, ClassPolicy policy) {
    this.bytes = bytes;
    this.at = from;
    this.end = end;
    this.beside = beside;
    this.policy = policy;
  }

  ClassPolicy policy() {
    return policy;
  }

  /** Consumes the next bytes and returns a reader of them. */
  ValueReader part(int length) throws IOException {
    if (length < 0) {
      throw new StreamCorruptedException("a length of " + length);
    }
    int from = claim(length);
    return new ValueReader(bytes, from, from + length, beside, policy);
  }

  /** Throws when bytes have been left unread. */
  void checkEnd() throws StreamCorruptedException {
    if (at < end) {
      throw new StreamCorruptedException(remaining() + " bytes are left");
    }
  }

  private int claim(int length) throws EOFException {
    if (length > end - at) {
      throw new EOFException("the bytes end " + (length - (end - at)) + " too early");
    }
    int from = at;
    at += length;
    return from;
  }

  // ---- arrays

  /** Returns an array that has travelled beside the bytes. */
  Object beside(int number) throws StreamCorruptedException {
    if (number < 0 || number >= beside.length) {
      throw new StreamCorruptedException("array " + number + " of " + beside.length + " beside the bytes");
    }
    return beside[number];
  }

  @Override
  public <A> A readArray(Class<A> type) throws IOException {
    int what = readUnsignedByte();
    if (what == 0) {
      return null;
    }
    int kind = what & ~ValueWriter.BESIDE;
    if (!PrimitiveArray.isKind(kind)) {
      throw new StreamCorruptedException("no array, but " + what);
    }
    Object array;
    if (kind != what) {
      array = beside(readInt());
    } else {
      PrimitiveArray a = new PrimitiveArray(kind, readInt());
      if (a.length() < 0 || a.bytes() > remaining()) {
        throw new StreamCorruptedException(
            "an array of " + a.length() + " elements in " + remaining() + " bytes");
      }
      array = a.make();
      int length = (int) a.bytes();
      PrimitiveArray.get(array, bytes, claim(length), length);
    }
    if (!type.isInstance(array)) {
      throw new StreamCorruptedException(
          "a " + array.getClass().getTypeName() + " was written, and a " + type.getTypeName() + " is read");
    }
    return type.cast(array);
  }

  // ---- counts and strings

  /** Returns the next byte without consuming it; -1 at the end. */
  int peek() {
    return at == end ? -1 : bytes[at] & 0xff;
  }

  /** Reads what {@link ValueWriter#writeCount} has written. */
  int readCount() throws IOException {
    int count = 0;
    for (int shift = 0; shift < Integer.SIZE; shift += 7) {
      int b = readUnsignedByte();
      count |= (b & 0x7f) << shift;
      if (b < 1 << 7 && count >= 0) {
        return count;
      }
    }
    throw new StreamCorruptedException("no count");
  }

  /** Reads a string of as many bytes. */
  String readText(int length, Charset charset) throws IOException {
    int from = claim(length);
    return new String(bytes, from, length, charset);
  }

  /** Reads a string of as many chars, two bytes each. */
  String readUtf16(int length) throws IOException {
    int twice = (int) Math.min(2L * length, Integer.MAX_VALUE); // claim() refuses such a length
    int from = claim(twice);
    return ByteBuffer.wrap(bytes, from, twice).asCharBuffer().toString();
  }

  // ---- bytes

  @Override
  public int remaining() {
    return end - at;
  }

  @Override
  public int available() {
    return remaining();
  }

  @Override
  public int read() {
    return at == end ? -1 : bytes[at++] & 0xff;
  }

  @Override
  public int read(byte[] b, int from, int length) {
    int n = Math.min(length, remaining());
    if (n == 0) {
      return length == 0 ? 0 : -1;
    }
    System.arraycopy(bytes, at, b, from, n);
    at += n;
    return n;
  }

  @Override
  public void readFully(byte[] b) throws IOException {
    readFully(b, 0, b.length);
  }

  @Override
  public void readFully(byte[] b, int from, int length) throws IOException {
    System.arraycopy(bytes, claim(length), b, from, length);
  }

  @Override
  public int skipBytes(int n) {
    int skipped = Math.clamp(n, 0, remaining());
    at += skipped;
    return skipped;
  }

  @Override
  public long skip(long n) {
    return skipBytes(Math.clamp(n, 0, Integer.MAX_VALUE));
  }

  @Override
  public boolean readBoolean() throws IOException {
    return readByte() != 0;
  }

  @Override
  public byte readByte() throws IOException {
    return bytes[claim(1)];
  }

  @Override
  public int readUnsignedByte() throws IOException {
    return readByte() & 0xff;
  }

  @Override
  public short readShort() throws IOException {
    return (short) ValueWriter.SHORT.get(bytes, claim(Short.BYTES));
  }

  @Override
  public int readUnsignedShort() throws IOException {
    return readShort() & 0xffff;
  }

  @Override
  public char readChar() throws IOException {
    return (char) readShort();
  }

  @Override
  public int readInt() throws IOException {
    return (int) ValueWriter.INT.get(bytes, claim(Integer.BYTES));
  }

  @Override
  public long readLong() throws IOException {
    return (long) ValueWriter.LONG.get(bytes, claim(Long.BYTES));
  }

  @Override
  public float readFloat() throws IOException {
    return Float.intBitsToFloat(readInt());
  }

  @Override
  public double readDouble() throws IOException {
    return Double.longBitsToDouble(readLong());
  }

  @Override
  public String readLine() {
    throw new UnsupportedOperationException("readLine: write a length and characters, or UTF");
  }

  @Override
  public String readUTF() throws IOException {
    return DataInputStream.readUTF(this);
  }
}
