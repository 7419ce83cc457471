// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.io.DataInput;
import java.io.IOException;
import org.ffmpi.port.CodecInputBase;

/**
 * The source from which a {@link Codec} reads a value. One thread at a time uses it, during the call of the codec.
 * Reads beyond the end throw {@link java.io.EOFException}. {@code readLine} is not supported.
 */
public sealed interface CodecInput extends DataInput permits CodecInputBase {
  /**
   * Reads what {@link CodecOutput#writeArray} has written.
   *
   * @param <A> type of the array
   * @param type its class, such as {@code double[].class}
   * @return a new array, or null
   * @throws IOException when the next thing is no such array
   */
  <A> A readArray(Class<A> type) throws IOException;

  /**
   * Returns how many bytes are left, long arrays not counted: a length that is read cannot stand for more.
   *
   * @return not negative
   */
  int remaining();
}
