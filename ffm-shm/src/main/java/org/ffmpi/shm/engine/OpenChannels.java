// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.ConcurrentHashMap;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Members;

/**
 * Who may send in which context, as far as somebody could still wait for it: a channel is known here as long as it is
 * reachable, which communicators and the requests made with them see to. Any thread.
 */
final class OpenChannels {
  private static final class Entry extends WeakReference<Channel> {
    final long number;

    Entry(Channel channel, ReferenceQueue<Channel> collected) {
      super(channel, collected);
      this.number = channel.pointToPoint();
    }
  }

  private final ConcurrentHashMap<Long, Entry> entries = new ConcurrentHashMap<>();
  private final ReferenceQueue<Channel> collected = new ReferenceQueue<>();

  void add(Channel channel) {
    for (Reference<?> r = collected.poll(); r != null; r = collected.poll()) {
      Entry gone = (Entry) r;
      entries.remove(gone.number, gone);
    }
    Entry entry = new Entry(channel, collected);
    entries.put(entry.number, entry);
  }

  /** Returns who may send in a context, or null when that is not known. */
  Members sendersOf(long context) {
    Entry entry = entries.get(context - Math.floorMod(context, (long) Channel.CONTEXTS));
    Channel channel = entry == null ? null : entry.get();
    return channel == null ? null : channel.remote();
  }

  /** Tells whether messages of a context have been promised to be as long as the buffers that receive them. */
  boolean isExactLength(long context) {
    Entry entry = entries.get(context);
    Channel channel = entry == null ? null : entry.get();
    return channel != null && channel.isExactLength();
  }

  /** Returns how many are known, those included that have just become unreachable. */
  int size() {
    return entries.size();
  }
}
