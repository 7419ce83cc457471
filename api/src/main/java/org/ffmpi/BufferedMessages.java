// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.spi.Channel;

/** The calls of {@link Comm} in buffered mode. */
abstract sealed class BufferedMessages extends CombinedMessages permits PersistentMessages {
  BufferedMessages(World world, Channel channel) {
    super(world, channel);
  }
}
