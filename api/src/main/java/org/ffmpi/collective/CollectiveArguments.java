// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collective;

import org.ffmpi.Buf;
import org.ffmpi.base.MpiException;
import org.ffmpi.buffer.BufImpl;
import org.ffmpi.buffer.BufUses;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.CollectiveCall;

/**
 * The arguments of one collective call as a program passes them. {@link #fill} comes first, once; the other methods are
 * used after it has found nothing wrong. Arguments that are not significant at this rank are not looked at.
 */
public interface CollectiveArguments {
  /**
   * Checks what one rank can check, and describes the call to the executor.
   *
   * @param channel the communicator's channel
   * @param call filled, unless something is wrong
   * @return what is wrong, or null
   */
  MpiException fill(Channel channel, CollectiveCall call);

  /** Returns the name of the method in its blocking form. */
  String name();

  /** Describes what the ranks compare where everything is checked. */
  void describe(Channel channel, CollectiveFacts facts);

  /** Returns the buffer that the call sends, or null; as {@link #recv} and {@link #buf} for calls that have them. */
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

  /** Returns whether memory may have to be held while the operation is under way. */
  default boolean isCounted() {
    return isCounted(send()) || isCounted(recv()) || isCounted(buf());
  }

  /** Returns the buffers that this rank uses, with null for those it does not. */
  default Buf<?>[] used(Channel channel) {
    return new Buf<?>[] {
        isSendUsed(channel) ? send() : null, isRecvUsed(channel) ? recv() : null, buf()};
  }

  /** Returns what is done with the buffers that may have to be held. */
  default BufUses uses(Channel channel) {
    BufUses uses = new BufUses();
    if (isSendUsed(channel)) {
      uses.reads(send());
    }
    if (!isRecvUsed(channel)) {
      return uses;
    }
    boolean inPlace = isSendUsed(channel) && send() != null && send().isInPlace();
    return inPlace ? uses.updates(recv()) : uses.writes(recv());
  }

  /** Adds blocks that are received, of which this rank has contributed its own in place. */
  static BufUses collected(BufUses uses, Channel channel, Buf<?>[] blocks) {
    for (int r = 0; r < blocks.length; r++) {
      if (r == channel.rank()) {
        uses.updates(blocks[r]);
      } else {
        uses.writes(blocks[r]);
      }
    }
    return uses;
  }

  private static boolean isCounted(Buf<?> buf) {
    return buf != null && BufImpl.of(buf).isCounted();
  }
}
