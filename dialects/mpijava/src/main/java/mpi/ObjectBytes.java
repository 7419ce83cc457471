// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.nio.ByteBuffer;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/**
 * Objects as bytes: their number, and what Java's serialization makes of them. What is read may be of the classes that
 * {@link ObjectFilter} allows.
 */
final class ObjectBytes {
  private ObjectBytes() {}

  /**
   * Writes objects.
   *
   * @throws MpiException ERR_CONVERSION when one cannot be written
   */
  static byte[] of(Object[] values) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream head = new DataOutputStream(bytes)) {
      head.writeInt(values.length);
      head.flush();
      try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
        for (Object value : values) {
          out.writeObject(value);
        }
      }
    } catch (IOException | RuntimeException e) {
      throw new MpiException(ErrorClass.ERR_CONVERSION, "an object cannot be written: " + e, e);
    }
    return bytes.toByteArray();
  }

  /** Returns how many objects bytes hold. */
  static int count(byte[] bytes) {
    int count = bytes.length < Integer.BYTES ? -1 : ByteBuffer.wrap(bytes).getInt();
    // Each object takes a byte or more.
    if (count < 0 || count > bytes.length) {
      throw new MpiException(
          ErrorClass.ERR_TYPE,
          "a message of " + bytes.length + " bytes holds no objects; it was sent with another type");
    }
    return count;
  }

  /**
   * Reads objects, all of them or none.
   *
   * @throws MpiException ERR_TYPE when the bytes are none, ERR_CONVERSION when one cannot be read or is not allowed
   */
  static Object[] read(byte[] bytes) {
    Object[] values = new Object[count(bytes)];
    ObjectFilter filter = new ObjectFilter(bytes.length);
    try (DataInputStream head = new DataInputStream(new ByteArrayInputStream(bytes))) {
      head.readInt();
      try (Reader in = new Reader(head, filter)) {
        for (int i = 0; i < values.length; i++) {
          values[i] = in.readObject();
        }
      }
    } catch (IOException | ClassNotFoundException | RuntimeException e) {
      throw new MpiException(
          ErrorClass.ERR_CONVERSION, "an object cannot be read: " + (filter.refused().isEmpty() ? e : filter.refused()),
          e);
    }
    return values;
  }

  /** Finds classes by the thread's context class loader, which knows those of the program. */
  private static final class Reader extends ObjectInputStream {
    private final ClassLoader loader = Thread.currentThread().getContextClassLoader();

    Reader(DataInputStream in, ObjectFilter filter) throws IOException {
      super(in);
      setObjectInputFilter(filter);
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass type) throws IOException, ClassNotFoundException {
      try {
        return Class.forName(type.getName(), false, loader);
      } catch (ClassNotFoundException e) {
        return super.resolveClass(type); // primitive types
      }
    }

    @Override
    protected Class<?> resolveProxyClass(String[] interfaces) throws ClassNotFoundException {
      throw new ClassNotFoundException("a proxy: they are not read");
    }
  }
}
