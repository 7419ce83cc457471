// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.port;

import org.ffmpi.Codec;
import org.ffmpi.Message;
import org.ffmpi.ObjectCalls;

/** The calls of one communicator that send objects, as module {@code objects} implements them. */
public non-sealed interface ObjectOperations extends ObjectCalls {
  /** Receives an object that a matched probe has found, see {@link Message#mrecvObject(Codec)}. */
  <T> T mrecvObject(Message message, Codec<T> codec);
}
