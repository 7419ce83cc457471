// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace;

import java.util.Arrays;
import org.ffmpi.spi.Channel;

/**
 * Distinguishes the contexts of the program's messages from those of collective calls, windows and files. Any thread;
 * never waits but for another thread that adds a channel.
 */
final class ProgramContexts {
  /** Numbers of the channels of windows and files. Replaced when it grows; mostly empty. */
  private volatile long[] hidden = {};

  /** Adds the channel of a window or file. */
  synchronized void hide(Channel channel) {
    long[] more = Arrays.copyOf(hidden, hidden.length + 1);
    more[hidden.length] = channel.pointToPoint();
    hidden = more;
  }

  /** Returns whether messages of a context are the program's own. */
  boolean has(long context) {
    return !Channel.isOfCollectives(context) && (hidden.length == 0 || !isHidden(context));
  }

  /** Returns whether a context belongs to a window or file. */
  boolean isHidden(long context) {
    long number = Channel.numberOf(context);
    for (long one : hidden) {
      if (one == number) {
        return true;
      }
    }
    return false;
  }
}
