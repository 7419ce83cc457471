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

/** Writes values by codecs and reads them, in messages or bytes of the program, and translates the errors. */
public final class EncodedValue {
  private static final Object[] NOTHING_BESIDE = {};

  private static final String TOO_DEEP =
      "it is nested too deeply for the stack of this thread; java's option -Xss makes stacks larger";

  /** The policy of the process's settings; null before the first value is read. */
  private static volatile ClassPolicy ofProcess;

  private EncodedValue() {}

  /**
   * Returns the bytes of a value, including those of its arrays.
   *
   * @throws MpiException ERR_CONVERSION when it cannot be written
   */
  public static <T> byte[] encode(T value, Codec<? super T> codec) {
    ValueWriter out = ValueWriter.ofBytesAlone();
    write(value, codec, out, "encoded");
    return Arrays.copyOf(out.bytes(), out.end());
  }

  /**
   * Returns the value that the bytes represent as a whole.
   *
   * @throws MpiException ERR_ARG without bytes, ERR_CONVERSION when they are no value that may be read
   */
  public static <T> T decode(byte[] bytes, Codec<T> codec) {
    if (bytes == null) {
      throw MpiException.argument(ErrorClass.ERR_ARG, "bytes", null, "what encode has returned");
    }
    return read(new ValueReader(bytes, 0, bytes.length, NOTHING_BESIDE, policyOfProcess()), codec);
  }

  /** Returns the value that the bytes represent, of classes that a policy allows. */
  static <T> T decode(byte[] bytes, Codec<T> codec, ClassPolicy policy) {
    return read(new ValueReader(bytes, 0, bytes.length, NOTHING_BESIDE, policy), codec);
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
   * @param done participle for the error text: the value cannot be "sent" or "encoded"
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
   * Reads a value, which must end where its bytes end.
   *
   * @throws MpiException ERR_CONVERSION when the bytes are no value that may be read
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
      throw unreadable(e.toString(), e); // from constructors of the program, and from Java's for impossible bytes
    } catch (Exception e) {
      throw unreadable(e.toString(), e); // codecs can throw checked exceptions that they do not declare
    }
  }

  private static MpiException unreadable(String why, Throwable cause) {
    return new MpiException(ErrorClass.ERR_CONVERSION, "value: cannot be read: " + why, cause);
  }
}
