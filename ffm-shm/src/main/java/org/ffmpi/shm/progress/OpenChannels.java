// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.progress;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Comparator;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.ffmpi.shm.account.AccountBuilder;
import org.ffmpi.shm.account.RankAccount;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.EpochSource;
import org.ffmpi.spi.Members;

/**
 * The channels of a rank by context, which name the possible senders. A channel stays here as long as it is reachable
 * from communicators and requests. Any thread.
 */
public final class OpenChannels {
  private static final class Entry extends WeakReference<Channel> {
    final long number;

    Entry(Channel channel, ReferenceQueue<Channel> collected) {
      super(channel, collected);
      this.number = channel.pointToPoint();
    }
  }

  private final ConcurrentHashMap<Long, Entry> entries = new ConcurrentHashMap<>();
  private final ReferenceQueue<Channel> collected = new ReferenceQueue<>();

  /** Creates an empty set. */
  public OpenChannels() {}

  /**
   * Adds a channel.
   *
   * @param channel a new channel
   */
  public void add(Channel channel) {
    for (Reference<?> r = collected.poll(); r != null; r = collected.poll()) {
      Entry old = (Entry) r;
      entries.remove(old.number, old);
    }
    Entry entry = new Entry(channel, collected);
    entries.put(entry.number, entry);
  }

  /** Returns the possible senders of a context, or null when they are not known. */
  Members sendersOf(long context) {
    Channel channel = of(context);
    return channel == null ? null : channel.remote();
  }

  /**
   * Returns the channel that a context belongs to.
   *
   * @param context any context
   * @return the channel, or null when it is not known
   */
  public Channel of(long context) {
    Entry entry = entries.get(Channel.numberOf(context));
    return entry == null ? null : entry.get();
  }

  /** Adds the channels to a rank's account, with the epochs of windows, the oldest first. */
  void list(AccountBuilder into) {
    entries.values().stream().map(Entry::get).filter(Objects::nonNull)
        .sorted(Comparator.comparingLong(Channel::pointToPoint))
        .forEach(c -> {
          String name = c.nameOrMaker();
          boolean fits = !c.name().isEmpty() || name.length() <= RankAccount.NAME_BYTES; // the end has the line
          into.addCommunicator(
              c.pointToPoint(), c.begunCollectives(), c.ownCollectives(), c.size(), fits ? name : "");
          EpochSource epochs = c.epochs();
          if (epochs != null) {
            epochs.list((kind, peer) -> into.addEpoch(c.pointToPoint(), peer, kind));
          }
        });
  }

  /**
   * Returns whether the program promises that messages of a context are as long as their receive buffers.
   *
   * @param context matching context
   * @return true with the hint mpi_assert_exact_length
   */
  public boolean isExactLength(long context) {
    Entry entry = entries.get(context);
    Channel channel = entry == null ? null : entry.get();
    return channel != null && channel.isExactLength();
  }

  /** Returns the number of known channels; channels that have just become unreachable count. */
  int size() {
    return entries.size();
  }
}
