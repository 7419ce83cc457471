// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.io.EOFException;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.ffmpi.Codec;
import org.ffmpi.CodecInput;
import org.ffmpi.CodecOutput;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/**
 * Serializes objects: their number, then an array of them by ffmpi's codec of all objects. Padding behind it makes the
 * length of a message determine the number of its objects, since a probe sees the length alone.
 */
final class ObjectBytes {
  /** The number that marks an error of the sender in the place of objects. */
  private static final int FAILED = -1;

  /** The remainder of a message's length by this is its number of objects; the largest one stands for all above. */
  private static final int MODULUS = 256;

  /** The least length: the number of objects and the length of the rest. */
  private static final int FEWEST = 2 * Integer.BYTES;

  private static final Codec<Object[]> CODEC = new Codec<>() {
    @Override
    public void write(Object[] values, CodecOutput out) throws IOException {
      out.writeInt(values.length);
      Codec.objects().write(values, out);
    }

    @Override
    public Object[] read(CodecInput in) throws IOException, ClassNotFoundException {
      int count = in.readInt();
      Object read;
      try {
        read = Codec.objects().read(in);
      } catch (EOFException | StreamCorruptedException e) {
        throw new IOException("these bytes are not those of objects; have they been sent with another type?", e);
      }
      if (!(read instanceof Object[] values) || values.length != count) {
        throw new IOException("there are not " + count + " objects");
      }
      in.skipBytes(in.remaining());
      return values;
    }
  };

  private ObjectBytes() {}

  /**
   * Writes objects.
   *
   * @throws MpiException ERR_CONVERSION when one cannot be written
   */
  static byte[] of(Object[] values) {
    return CODEC.encode(values);
  }

  /** Writes objects for a message, with the padding. */
  static byte[] messageOf(Object[] values) {
    byte[] bytes = of(values);
    int more = Math.floorMod(Math.min(values.length, MODULUS - 1) - bytes.length, MODULUS);
    return Arrays.copyOf(bytes, bytes.length + more);
  }

  /** Writes an error in the place of objects, for {@link #read} to throw. */
  static byte[] failed(int rank, MpiException error) {
    byte[] text = ("rank " + rank + ": " + ArrayRange.withoutClass(error)).getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(FEWEST + text.length)
        .putInt(FAILED).putInt(error.errorClass().code()).put(text).array();
  }

  private static MpiException failure(byte[] bytes) {
    int errorClass = ByteBuffer.wrap(bytes).getInt(Integer.BYTES);
    String text = new String(bytes, FEWEST, bytes.length - FEWEST, StandardCharsets.UTF_8);
    return new MpiException(ErrorClass.ofCode(errorClass).orElse(ErrorClass.ERR_OTHER), text);
  }

  /** Returns the number of objects in bytes. */
  static int count(byte[] bytes) {
    int count = bytes.length < FEWEST ? FAILED : ByteBuffer.wrap(bytes).getInt();
    // Each object has a byte or more.
    if (count < 0 || count > bytes.length) {
      throw noObjects(bytes.length);
    }
    return count;
  }

  /** Returns the number of objects in a message of this length; -1 if the length does not determine it. */
  static int countIn(long bytes) {
    if (bytes < FEWEST) {
      throw noObjects(bytes);
    }
    int count = (int) (bytes % MODULUS);
    return count == MODULUS - 1 ? -1 : count;
  }

  private static MpiException noObjects(long bytes) {
    return new MpiException(
        ErrorClass.ERR_TYPE, "a message of " + bytes + " bytes holds no objects; it was sent with another type");
  }

  /**
   * Reads objects, all of them or none.
   *
   * @throws MpiException ERR_TYPE without objects in the bytes, ERR_CONVERSION when one cannot be read or is not
   *     allowed; the error of the rank that could not write them
   */
  static Object[] read(byte[] bytes) {
    if (bytes.length >= FEWEST && ByteBuffer.wrap(bytes).getInt() == FAILED) {
      throw failure(bytes);
    }
    count(bytes);
    return CODEC.decode(bytes);
  }
}
