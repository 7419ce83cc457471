// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import java.io.DataOutput;
import java.io.IOException;
import org.ffmpi.port.CodecOutputBase;

/** The target to which a {@link Codec} writes a value. One thread at a time uses it, during the call of the codec. */
public sealed interface CodecOutput extends DataOutput permits CodecOutputBase {
  /**
   * Writes an array of primitives, to be read by {@link CodecInput#readArray}. A long one (of 2 KiB or more) is not
   * copied: it follows the message as one of its own, straight from this array into that of the receiver. It is not to
   * be changed until the call that sends it has returned, or its request is complete. {@link Codec#encode} copies all.
   *
   * @param array an array of primitives, or null
   * @throws IOException when it is no array of primitives
   */
  void writeArray(Object array) throws IOException;
}
