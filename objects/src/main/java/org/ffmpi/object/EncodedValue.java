// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.object;

import java.io.EOFException;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.NotSerializableException;
import java.util.Arrays;
import org.ffmpi.Codec;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;

/** Values that a codec writes and reads, in a message or in bytes of the program's, and what goes wrong then. */
public final class EncodedValue {
  private static final Object[] NOTHING_BESIDE = {};

  private static final String TOO_DEEP =
      "it is nested too deeply for the stack of this thread; java's option -Xss makes stacks larger";

  /** What the process's settings allow; null before the first value is read. */
  private static volatile ClassPolicy ofProcess;

  private EncodedValue() {}

  /**
   * Returns the bytes of a value, those of its arrays among them.
   *
   * @throws MpiException ERR_CONVERSION when it cannot be written
   */
  public static <T> byte[] encode(T value, Codec<? super T> codec) {
    ValueWriter out = ValueWriter.ofBytesAlone();
    write(value, codec, out, "encoded");
    return Arrays.copyOf(out.bytes(), out.end());
  }

  /**
   * Returns the value of all of some bytes.
   *
   * @throws MpiException ERR_ARG without bytes, ERR_CONVERSION when they are not those of a value that may be read
   */
  public static <T> T decode(byte[] bytes, Codec<T> codec) {
    if (bytes == null) {
      throw MpiException.argument(ErrorClass.ERR_ARG, "bytes", null, "what encode has returned");
    }
    return read(new ValueReader(bytes, 0, bytes.length, NOTHING_BESIDE, policyOfProcess()), codec);
  }

  private static ClassPolicy policyOfProcess() {
    ClassPolicy policy = ofProcess;
    if (policy == null) {
      policy = ClassPolicy.of(ObjectSettings.ALLOW.get(Settings.ofProcess()));
      ofProcess = policy;
    }
    return policy;
  }

  /**
   * Writes a value.
   *
   * @param done what cannot be done with it, for messages
   * @throws MpiException ERR_CONVERSION when it cannot be written
   */
  static <T> void write(T value, Codec<? super T> codec, ValueWriter out, String done) {
    try {
      codec.write(value, out);
    } catch (MpiException e) {
      throw e;
    } catch (NotSerializableException e) {
      throw unwritable(done + ", since " + notSerializable(e.getMessage()), e);
    } catch (StackOverflowError e) {
      throw unwritable(done + ", " + TOO_DEEP, e);
    } catch (Exception e) {
      throw unwritable(done + ", writing it has failed: " + e, e);
    }
  }

  private static MpiException unwritable(String why, Throwable cause) {
    return new MpiException(ErrorClass.ERR_CONVERSION, "value: cannot be " + why, cause);
  }

  private static String notSerializable(String text) {
    return text != null && text.indexOf(' ') < 0 ? text + " is not Serializable" : text;
  }

  /**
   * Reads a value, to the end of its bytes.
   *
   * @throws MpiException ERR_CONVERSION when the bytes are not those of a value that may be read
   */
  static <T> T read(ValueReader in, Codec<T> codec) {
    try {
      T value = codec.read(in);
      in.checkEnd();
      return value;
    } catch (MpiException e) {
      throw e;
    } catch (ClassNotFoundException e) {
      throw unreadable("class " + e.getMessage() + " is not on the class path of this rank", e);
    } catch (InvalidClassException e) {
      throw unreadable(e.getMessage(), e);
    } catch (EOFException e) {
      throw unreadable(e.getMessage() == null ? "the bytes end too early" : e.getMessage(), e);
    } catch (IOException e) {
      throw unreadable(e.getMessage() == null ? e.toString() : e.getMessage(), e);
    } catch (StackOverflowError e) {
      throw unreadable(TOO_DEEP, e);
    } catch (RuntimeException | LinkageError | InternalError | AssertionError e) {
      throw unreadable(e.toString(), e); // what constructors of the program throw, and Java's for impossible bytes
    } catch (Exception e) {
      throw unreadable(e.toString(), e); // which codecs can throw without saying so
    }
  }

  private static MpiException unreadable(String why, Throwable cause) {
    return new MpiException(ErrorClass.ERR_CONVERSION, "value: cannot be read: " + why, cause);
  }
}
