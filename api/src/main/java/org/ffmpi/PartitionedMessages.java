// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import org.ffmpi.spi.Channel;

/** The calls of {@link Comm} whose messages are made of partitions. */
abstract sealed class PartitionedMessages extends PersistentMessages permits Comm {
  PartitionedMessages(World world, Channel channel) {
    super(world, channel);
  }
}
