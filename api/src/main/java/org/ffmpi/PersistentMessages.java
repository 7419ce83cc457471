// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.spi.Channel;

/** The calls of {@link Comm} that make persistent requests. */
abstract sealed class PersistentMessages extends BufferedMessages permits PartitionedMessages {
  PersistentMessages(World world, Channel channel) {
    super(world, channel);
  }
}
