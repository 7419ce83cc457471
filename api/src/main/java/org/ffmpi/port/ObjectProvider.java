// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.port;

import org.ffmpi.Codec;
import org.ffmpi.process.CommState;
import org.ffmpi.process.Providers;

/** The port to module {@code objects}. Any thread may call. */
public interface ObjectProvider {
  /** Returns the calls of a communicator. */
  ObjectOperations of(CommState comm);

  /** See {@link Codec#objects}. */
  <T> Codec<T> defaultCodec();

  /** See {@link Codec#encode}. */
  <T> byte[] encode(T value, Codec<T> codec);

  /** See {@link Codec#decode}. */
  <T> T decode(byte[] bytes, Codec<T> codec);

  /**
   * Returns the bytes of a task of an executor, or of its result. As {@link #encode} with the default codec.
   *
   * @throws org.ffmpi.base.MpiException ERR_CONVERSION when it cannot be written
   */
  byte[] encodeTask(Object value);

  /**
   * Returns what {@link #encodeTask} has written, which may contain lambdas of the program.
   *
   * @param comm communicator of the executor, whose settings say which classes may be read
   * @throws org.ffmpi.base.MpiException ERR_CONVERSION when the bytes are no value that may be read
   */
  Object decodeTask(byte[] bytes, CommState comm);

  /** Returns the provider, which is found once. */
  static ObjectProvider get() {
    return Found.PROVIDER;
  }

  /** Holds the provider from the first call on. */
  final class Found {
    private static final ObjectProvider PROVIDER = Providers.family(ObjectProvider.class, "org.ffmpi.objects");

    private Found() {}
  }
}
