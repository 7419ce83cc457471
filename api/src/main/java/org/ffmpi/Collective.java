// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.base.MpiException;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Collectives;
import org.ffmpi.spi.Operation;

/**
 * One collective call: its arguments, what one rank can check about them, and how to begin it. Blocking, nonblocking
 * and persistent forms share it. {@code check} comes first, once, and returns what is wrong, or null; arguments that
 * are not significant at this rank are not looked at.
 */
interface Collective {
  MpiException check(Channel channel);

  Operation begin(Collectives collectives, Channel channel);

  /** The name of the method in its blocking form. */
  String name();

  /** Tells what the ranks are to compare, where everything is checked; after the check has found nothing wrong. */
  void describe(Channel channel, CollectiveFacts facts);

  /** The buffer that the call sends, or null; as {@link #recv} and {@link #buf} for calls that have them. */
  default Buf<?> send() {
    return null;
  }

  default Buf<?> recv() {
    return null;
  }

  default Buf<?> buf() {
    return null;
  }

  default boolean isSendUsed(Channel channel) {
    return true;
  }

  default boolean isRecvUsed(Channel channel) {
    return true;
  }

  /** Tells whether memory may have to be held while the operation is under way. */
  default boolean isCounted() {
    return isCounted(send()) || isCounted(recv()) || isCounted(buf());
  }

  /** Returns the buffers that this rank uses, with null for those it does not. */
  default Buf<?>[] used(Channel channel) {
    return new Buf<?>[] {
        isSendUsed(channel) ? send() : null, isRecvUsed(channel) ? recv() : null, buf()};
  }

  private static boolean isCounted(Buf<?> buf) {
    return buf != null && buf.isCounted();
  }

  /** Checks a reduction's operands, under the names that the call gives them. */
  static MpiException checkReduction(String sendName, Buf<?> send, String recvName, Buf<?> recv, Op<?> op) {
    return CollectiveChecks.reduction(sendName, send, recvName, recv, op);
  }
}
