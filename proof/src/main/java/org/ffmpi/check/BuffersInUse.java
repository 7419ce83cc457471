// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.check;

import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.spi.CallPlace;

/**
 * The buffers that calls of one rank use now (MPI-4.1 §2.4.2, §3.7.2). Any thread; nothing waits for another rank.
 */
final class BuffersInUse {
  /** Buffers by where they begin. */
  private static final class Sorted {
    private final NavigableMap<Long, Set<LentBuffer>> byLow = new TreeMap<>();
    private long longest;

    void add(LentBuffer buffer) {
      byLow.computeIfAbsent(buffer.bytes.low(), low -> new LinkedHashSet<>(1)).add(buffer);
      longest = Math.max(longest, buffer.bytes.high() - buffer.bytes.low());
    }

    void remove(LentBuffer buffer) {
      Set<LentBuffer> same = byLow.get(buffer.bytes.low());
      if (same != null && same.remove(buffer) && same.isEmpty()) {
        byLow.remove(buffer.bytes.low());
      }
    }

    /** Throws when a buffer shares bytes with one of these. */
    void check(LentBuffer buffer) {
      long low = buffer.bytes.low() - longest;
      for (Set<LentBuffer> near : byLow.subMap(low, true, buffer.bytes.high(), false).values()) {
        near.forEach(other -> BuffersInUse.check(buffer, other));
      }
    }
  }

  /** The buffers in one array, or in native memory. */
  private static final class Space {
    final Sorted read = new Sorted();
    final Sorted written = new Sorted();

    boolean isEmpty() {
      return read.byLow.isEmpty() && written.byLow.isEmpty();
    }
  }

  private final Map<Object, Space> spaces = new IdentityHashMap<>();
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

  /** Returns whether buffers that two calls use, and those that change, are looked for. */
  boolean compares() {
    return compares;
  }

  /** Adds the buffers of a call. Throws when another call uses one of them, and one of both writes it. */
  void lend(List<LentBuffer> buffers) {
    if (!compares) {
      return;
    }
    synchronized (spaces) {
      for (LentBuffer buffer : buffers) {
        Space space = buffer.bytes == null ? null : spaces.get(buffer.bytes.space());
        if (space != null) {
          space.written.check(buffer);
        }
        if (space != null && buffer.isWritten) {
          space.read.check(buffer);
        }
      }
      checkEachOther(buffers);
      for (LentBuffer buffer : buffers) {
        if (buffer.bytes != null) {
          Space space = spaces.computeIfAbsent(buffer.bytes.space(), array -> new Space());
          (buffer.isWritten ? space.written : space.read).add(buffer);
        }
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

  /** Makes a call that is about to begin write other memory than the program's, which is copied at its end. */
  void holdBack(LentBuffer buffer) {
    if (compares) {
      buffer.holdBack();
      buffer.remember();
    }
  }

  /** Makes a send that is about to begin read a copy in place of the program's memory. */
  void copy(LentBuffer buffer) {
    if (compares) {
      buffer.readCopy();
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
    synchronized (spaces) {
      for (LentBuffer buffer : buffers) {
        Space space = buffer.bytes == null ? null : spaces.get(buffer.bytes.space());
        if (space != null) {
          (buffer.isWritten ? space.written : space.read).remove(buffer);
          if (space.isEmpty()) {
            spaces.remove(buffer.bytes.space());
          }
        }
        buffer.end();
      }
    }
  }

  private static void check(LentBuffer now, LentBuffer before) {
    if (!now.bytes.overlaps(before.bytes)) {
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
      if (buffer.isOver()) {
        continue;
      }
      if (!buffer.isAlive()) {
        return new MpiException(
            ErrorClass.ERR_BUFFER,
            buffer.place + " uses memory until " + CallPlace.ofThisThread() + "; its arena was closed before that:"
                + " close it after the call has been completed");
      }
      if (compares && buffer.hasChanged()) {
        return new MpiException(
            ErrorClass.ERR_BUFFER,
            buffer.place + (buffer.isWritten ? " writes " : " reads ") + buffer.bytes.describe() + " until "
                + CallPlace.ofThisThread() + "; they were changed before that: wait first, or "
                + (buffer.isWritten ? "use other memory" : "send a copy"));
      }
    }
    return null;
  }
}
