// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.shm.progress.OpenChannels;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.ReceiveException;

/**
 * The collective calls that are known to have failed at some rank. A rank may begin such a call long after another has
 * failed in it, and messages of it may come long after this rank has ended it. So a call is remembered until this rank
 * has begun it and some time has passed, or until many others have failed since. Guarded by the rank's lock.
 */
final class FailedCalls {
  private static final int MOST = 1024;

  /** Messages of a call that this rank has begun come within this time: less than tags take to come round again. */
  private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** What cannot be known to have begun, a start of a persistent collective, is kept that long. */
  private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(10);

  /** Names a call: what all contexts of it have in common, and its tag. */
  record Call(long context, int tag) {
    static Call of(long context, int tag) {
      return new Call(Channel.callOf(context), tag);
    }
  }

  /** Who has failed, in which context, and since when the entry ages. */
  private static final class Failure {
    final int peer;
    final long context;
    final ErrorClass errorClass;
    final long noted = System.nanoTime();
    long begun;
    boolean isBegun;

    Failure(int peer, long context, ErrorClass errorClass) {
      this.peer = peer;
      this.context = context;
      this.errorClass = errorClass;
    }
  }

  private final Map<Call, Failure> calls = new LinkedHashMap<>();
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
    Failure failure = calls.isEmpty() ? null : calls.get(Call.of(context, tag));
    return failure == null ? null : ReceiveException.ofFailedCall(failure.peer, failure.context, failure.errorClass);
  }

  /** Asks the collectives whether another rank calls something else; returns the error of receives, or null. */
  ReceiveException findOtherCall(long context, int tag) {
    Channel channel = channels.of(context);
    return channel == null ? null : channel.findOtherCall(context, tag);
  }

  /** Adds a call; returns false when it was known. */
  boolean add(int peer, long context, int tag, ErrorClass errorClass) {
    forgetOld();
    if (calls.putIfAbsent(Call.of(context, tag), new Failure(peer, context, errorClass)) != null) {
      return false;
    }
    if (calls.size() > MOST) {
      Iterator<Call> oldest = calls.keySet().iterator();
      oldest.next();
      oldest.remove();
    }
    return true;
  }

  /** Forgets the calls of which nothing can come any more. */
  void forgetOld() {
    if (!calls.isEmpty()) {
      long now = System.nanoTime();
      calls.entrySet().removeIf(entry -> isOld(entry.getKey(), entry.getValue(), now));
    }
  }

  private boolean isOld(Call call, Failure failure, long now) {
    if (!failure.isBegun) {
      Channel channel = channels.of(call.context());
      failure.isBegun = channel == null || failure.context < 0 && channel.hasBegun(call.tag());
      failure.begun = now;
    }
    return failure.isBegun && now - failure.begun > KEPT_NANOS || now - failure.noted > LONGEST_NANOS
        && failure.context >= 0;
  }
}
