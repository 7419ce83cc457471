// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import org.ffmpi.spi.Channel;

/**
 * The matching contexts of a window's messages, two of its own channel. In a job that outlives its dead they are those
 * in which the engine ends all messages once a member has failed: a rank that waits for one that lives may wait in vain
 * then, since that one may have given up.
 */
final class WindowContexts {
  private WindowContexts() {}

  /** Returns the context of requests, plans and data, and of posts and completions. */
  static long requests(Channel channel) {
    return channel.health() == null ? channel.pointToPoint() : channel.creation();
  }

  /** Returns the context of answers, results and grants of locks: two ranks may send requests to each other. */
  static long answers(Channel channel) {
    return channel.health() == null ? channel.partitioned() : channel.persistent();
  }
}
