// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.ffmpi.shm.progress.OpenChannels;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.ReceiveException;

/**
 * The collective calls that have failed at some rank, as far as this rank knows. A rank may begin such a call long
 * after another has failed in it, and messages of it may come long after this rank has ended it. So an entry stays
 * until this rank has begun the call and some time has passed, or until many other calls have failed. Guarded by the
 * rank's lock.
 */
final class FailedCalls {
  private static final int MOST = 1024;

  /** Longest time for messages of a call that this rank has begun; tags take longer to wrap round. */
  private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** Life of an entry whose begin is never known, a start of a persistent collective. */
  private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(10);

  /** Key of a call: the common part of all its contexts, and its tag. */
  record Call(long context, int tag) {
    static Call of(long context, int tag) {
      return new Call(Channel.callOf(context), tag);
    }
  }

  /** The first known failure in a call, and the time from which the entry ages. */
  private static final class Entry {
    final CallFailure failure;
    final long addedAt = System.nanoTime();
    long begun;
    boolean isBegun;

    Entry(CallFailure failure) {
      this.failure = failure;
    }
  }

  private final Map<Call, Entry> calls = new LinkedHashMap<>();
  private final OpenChannels channels;

  FailedCalls(OpenChannels channels) {
    this.channels = channels;
  }

  boolean isEmpty() {
    return calls.isEmpty();
  }

  /** Returns whether a call is known to have failed. */
  boolean contains(long context, int tag) {
    return !calls.isEmpty() && calls.containsKey(Call.of(context, tag));
  }

  /** Returns the error of receives in a call, or null when it is not known to have failed. */
  ReceiveException error(long context, int tag) {
    Entry entry = calls.isEmpty() ? null : calls.get(Call.of(context, tag));
    return entry == null ? null : entry.failure.error();
  }

  /** Asks the collectives whether another rank makes another call; returns the error of receives, or null. */
  ReceiveException findOtherCall(long context, int tag) {
    Channel channel = channels.of(context);
    return channel == null ? null : channel.findOtherCall(context, tag);
  }

  /** Adds a call; returns false when it is already known. */
  boolean add(CallFailure failure, int tag) {
    removeOld();
    if (calls.putIfAbsent(Call.of(failure.context(), tag), new Entry(failure)) != null) {
      return false;
    }
    if (calls.size() > MOST) {
      Iterator<Call> oldest = calls.keySet().iterator();
      oldest.next();
      oldest.remove();
    }
    return true;
  }

  /** Removes the calls whose messages have all had time to come. */
  void removeOld() {
    if (!calls.isEmpty()) {
      long now = System.nanoTime();
      calls.entrySet().removeIf(entry -> isOld(entry.getKey(), entry.getValue(), now));
    }
  }

  private boolean isOld(Call call, Entry entry, long now) {
    if (!entry.isBegun) {
      Channel channel = channels.of(call.context());
      entry.isBegun = channel == null || entry.failure.context() < 0 && channel.hasBegun(call.tag());
      entry.begun = now;
    }
    return entry.isBegun && now - entry.begun > KEPT_NANOS || now - entry.addedAt > LONGEST_NANOS
        && entry.failure.context() >= 0;
  }
}
