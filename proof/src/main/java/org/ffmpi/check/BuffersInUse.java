// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.check;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.spi.CallPlace;

/**
 * The buffers that calls of one rank use now (MPI-4.1 §2.4.2, §3.7.2). Any thread; nothing waits. Two threads that lend
 * one buffer at the same moment may both find none.
 */
final class BuffersInUse {
  private final Set<LentBuffer> lent = ConcurrentHashMap.newKeySet();
  private final boolean compares;

  /**
   * Creates an empty set.
   *
   * @param compares whether it looks for buffers that two calls use and for those that change, or only for memory that
   *     is freed
   */
  BuffersInUse(boolean compares) {
    this.compares = compares;
  }

  /** Adds the buffers of a call. Throws when another call uses one of them, and one of both writes it. */
  void lend(List<LentBuffer> buffers) {
    if (!compares) {
      return;
    }
    for (LentBuffer buffer : buffers) {
      for (LentBuffer other : lent) {
        check(buffer, other);
      }
    }
    checkEachOther(buffers);
    for (LentBuffer buffer : buffers) {
      if (buffer.bytes != null) {
        lent.add(buffer);
      }
    }
  }

  /** Throws when two buffers of one call share bytes, and the call writes one of them. */
  private static void checkEachOther(List<LentBuffer> buffers) {
    for (int i = 0; i < buffers.size(); i++) {
      for (int j = 0; j < i; j++) {
        LentBuffer one = buffers.get(i);
        LentBuffer other = buffers.get(j);
        if ((one.isWritten || other.isWritten) && one.bytes != null && other.bytes != null
            && one.bytes.overlaps(other.bytes)) {
          throw new MpiException(
              ErrorClass.ERR_BUFFER,
              one.place + " uses " + one.bytes.describe() + " and " + other.bytes.describe()
                  + ": what it writes has to be apart from its other blocks");
        }
      }
    }
  }

  /** Notes what is in the buffers of a call that has begun. */
  void remember(List<LentBuffer> buffers) {
    if (compares) {
      buffers.forEach(LentBuffer::remember);
    }
  }

  /** Removes the buffers of a call. */
  void giveBack(List<LentBuffer> buffers) {
    for (LentBuffer buffer : buffers) {
      lent.remove(buffer);
    }
  }

  private static void check(LentBuffer now, LentBuffer before) {
    if (now.bytes == null || !now.isWritten && !before.isWritten || !now.bytes.overlaps(before.bytes)) {
      return;
    }
    throw new MpiException(
        ErrorClass.ERR_BUFFER,
        now.place + (now.isWritten ? " writes " : " reads ") + now.bytes.describe() + ", which " + before.place
            + (before.isWritten ? " writes" : " reads") + " until it has been completed: complete that call first, or"
            + " use another buffer");
  }

  /** Returns the error of a buffer that was not left alone while a call used it, or null. */
  MpiException findMisuse(List<LentBuffer> buffers) {
    for (LentBuffer buffer : buffers) {
      String until = CallPlace.ofThisThread().toString();
      if (!buffer.isAlive()) {
        return new MpiException(
            ErrorClass.ERR_BUFFER,
            buffer.place + " uses memory until " + until + "; its arena was closed before that: close it after the"
                + " call has been completed");
      }
      if (compares && buffer.hasChanged()) {
        return new MpiException(
            ErrorClass.ERR_BUFFER,
            buffer.place + " reads " + buffer.bytes.describe() + " until " + until
                + "; they were changed before that: wait first, or send a copy");
      }
    }
    return null;
  }
}
