// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.spi.ReceiveException;

/**
 * The failure of a peer in a collective call.
 *
 * @param peer the peer
 * @param context context of its messages
 * @param errorClass class of its error
 * @param cause context of the messages that differ from those of the peer and are why it has failed, or 0
 * @param causePeer sender of these messages
 */
public record CallFailure(int peer, long context, ErrorClass errorClass, long cause, int causePeer) {
  /** Returns the error of receives in the call. */
  ReceiveException error() {
    return ReceiveException.ofFailedCall(peer, context, errorClass, cause, causePeer);
  }
}
