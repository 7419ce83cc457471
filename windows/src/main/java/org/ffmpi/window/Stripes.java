// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.raw.Raw;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.SharedMemory;

/**
 * The locks that make accumulating calls atomic: each guards the elements that begin in some pieces of a part. A single
 * element and a long vector take the same locks, so that both agree; a processor's own atomic addition would not be
 * seen by the plain loop that combines a vector. They are held for as long as one piece takes, and by no waiting
 * thread.
 */
final class Stripes {
  static final int COUNT = 64;

  /** Bytes of a piece: long enough that a lock costs little beside it. */
  private static final int PIECE_BITS = 14;

  private static final int SPINS = 200;
  private static final int LOOKS = 256;

  private final SharedMemory shared;
  private final Channel channel;
  private final long own;

  Stripes(SharedMemory shared, Channel channel) {
    this(shared, channel, channel.rank());
  }

  /** Creates the locks of a rank; the first two are asked only when somebody holds one for long. */
  Stripes(SharedMemory shared, Channel channel, int rank) {
    this.shared = shared;
    this.channel = channel;
    this.own = rank + 1;
  }

  /** Returns which stripe guards the element that begins at a position of a part. */
  static int of(long position) {
    return (int) (position >>> PIECE_BITS) & COUNT - 1;
  }

  /** Returns where the piece that a position lies in ends. */
  static long end(long position) {
    return (position >>> PIECE_BITS) + 1 << PIECE_BITS;
  }

  /** Takes a lock. Spins, then yields: nobody holds one for long, unless its core has been taken away. */
  void lock(long word) {
    if (!Raw.compareAndSetLong(word, 0, own)) {
      await(word);
    }
  }

  static void unlock(long word) {
    Raw.putReleaseLong(word, 0);
  }

  private void await(long word) {
    int rounds = 0;
    while (true) {
      for (int i = 0; i < SPINS; i++) {
        if (Raw.getOpaqueLong(word) == 0 && Raw.compareAndSetLong(word, 0, own)) {
          return;
        }
        Thread.onSpinWait();
      }
      Thread.yield();
      if (++rounds % LOOKS == 0) {
        checkHolder(word);
      }
    }
  }

  private void checkHolder(long word) {
    long holder = Raw.getOpaqueLong(word) - 1;
    if (holder >= 0 && holder < channel.size() && shared.isGone(channel.peer((int) holder))) {
      throw shared.goneError(channel.peer((int) holder));
    }
    String ended = channel.engine().endedBecause().orElse(null);
    if (ended != null) {
      throw new MpiException(ErrorClass.ERR_PROC_ABORTED, "the job has ended: " + ended);
    }
  }

  /** Takes the locks of all elements between two positions, in the order of their numbers; returns which. */
  long lockAll(long block, long from, long to) {
    long set = set(from, to);
    for (long rest = set; rest != 0; rest &= rest - 1) {
      lock(SyncLayout.stripe(block, Long.numberOfTrailingZeros(rest)));
    }
    return set;
  }

  static void unlockAll(long block, long set) {
    for (long rest = set; rest != 0; rest &= rest - 1) {
      unlock(SyncLayout.stripe(block, Long.numberOfTrailingZeros(rest)));
    }
  }

  private static long set(long from, long to) {
    long first = from >>> PIECE_BITS;
    long last = Math.max(from, to - 1) >>> PIECE_BITS;
    if (last - first >= COUNT - 1) {
      return -1;
    }
    long set = 0;
    for (long piece = first; piece <= last; piece++) {
      set |= 1L << (piece & COUNT - 1);
    }
    return set;
  }
}
