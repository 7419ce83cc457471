// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.replay;

import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.ffmpi.spi.Channel;

/**
 * Numbers the communicators and windows of a rank in the order in which it makes them. Contexts are claimed by all
 * ranks from one counter, so that they differ between runs. Any thread; never waits.
 */
final class ChannelNumbers {
  /** Number of the communicator of all ranks. */
  static final int WORLD = -1;

  /** Number of the communicators of one rank. */
  static final int SELF = -2;

  /** Number of channels that are not announced. */
  private static final int OTHER = -3;

  /** A channel that is not kept from being collected. */
  private record Known(long number, int ordinal, WeakReference<Channel> channel) {}

  private final Map<Long, Known> known = new ConcurrentHashMap<>();
  private final AtomicInteger last = new AtomicInteger();

  /** The channel of the last question whether it is a window: nearly always that of the next one. */
  private volatile Answer answer = new Answer(-1, false);

  private record Answer(long context, boolean window) {}

  /** Numbers a new channel. */
  void add(Channel channel) {
    long number = channel.pointToPoint();
    if (number >= Channel.FIRST_FREE_CONTEXT) {
      known.computeIfAbsent(number, n -> new Known(n, last.incrementAndGet(), new WeakReference<>(channel)));
    }
  }

  /** Returns the number of the channel of a context. */
  int of(long context) {
    long number = Channel.numberOf(context);
    if (number == Channel.WORLD_CONTEXT) {
      return WORLD;
    }
    if (number == Channel.SELF_CONTEXT) {
      return SELF;
    }
    Known channel = known.get(number);
    return channel == null ? OTHER : channel.ordinal;
  }

  /** Returns the context among those of its channel. */
  static int within(long context) {
    return (int) (context - Channel.numberOf(context));
  }

  /** Returns whether a context is that of a window, whose messages the library receives. */
  boolean isWindow(long context) {
    Answer present = answer;
    if (present.context == context) {
      return present.window;
    }
    Known found = known.get(Channel.numberOf(context));
    Channel channel = found == null ? null : found.channel.get();
    boolean window = channel != null && channel.epochs() != null;
    answer = new Answer(context, window);
    return window;
  }
}
