// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.window;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.SharedMemory;

/**
 * The locks that make accumulates atomic, see {@link StripeLayout}. Each guards the elements that begin in some pieces
 * of a part. Single elements and long vectors use the same locks: the plain loop that combines a vector would lose
 * an addition by an atomic instruction. A thread holds a lock only while it combines, and acquires several in
 * ascending order.
 */
final class Stripes {
  static final int COUNT = 64;

  /** Log2 of the bytes of a piece: combining so many takes much longer than a lock. */
  private static final int PIECE_BITS = 14;

  /** Attempts between two yields. */
  private static final int SPINS = 200;

  /** Yields between two checks whether the holder is alive. */
  private static final int YIELDS_PER_CHECK = 256;

  private final SharedMemory shared;
  private final Channel channel;
  private final long own;

  Stripes(SharedMemory shared, Channel channel) {
    this(shared, channel, channel.rank());
  }

  /** Creates the locks of a rank; {@code shared} and {@code channel} are used only while a lock is contended. */
  Stripes(SharedMemory shared, Channel channel, int rank) {
    this.shared = shared;
    this.channel = channel;
    this.own = rank + 1;
  }

  /** Returns the number of the stripe that guards the element at a position of a part. */
  static int of(long position) {
    return (int) (position >>> PIECE_BITS) & COUNT - 1;
  }

  /** Returns the end of the piece that contains a position. */
  static long end(long position) {
    return (position >>> PIECE_BITS) + 1 << PIECE_BITS;
  }

  /** Acquires a lock. Spins, then yields: a lock is held for long only by a thread that has lost its core. */
  void lock(long stripe) {
    if (!StripeLayout.casHolder(stripe, 0, own)) {
      await(stripe);
    }
  }

  static void unlock(long stripe) {
    StripeLayout.setReleaseFree(stripe);
  }

  private void await(long stripe) {
    int yields = 0;
    while (true) {
      for (int i = 0; i < SPINS; i++) {
        if (StripeLayout.getOpaqueHolder(stripe) == 0 && StripeLayout.casHolder(stripe, 0, own)) {
          return;
        }
        Thread.onSpinWait();
      }
      Thread.yield();
      if (++yields % YIELDS_PER_CHECK == 0) {
        checkHolder(stripe);
      }
    }
  }

  private void checkHolder(long stripe) {
    long holder = StripeLayout.getOpaqueHolder(stripe) - 1;
    if (holder >= 0 && holder < channel.size() && shared.isGone(channel.peer((int) holder))) {
      throw shared.departureError(channel.peer((int) holder));
    }
    String ended = channel.engine().endReason().orElse(null);
    if (ended != null) {
      throw new MpiException(ErrorClass.ERR_PROC_ABORTED, "the job has ended: " + ended);
    }
  }

  /** Acquires the locks of all elements between two positions, in ascending order; returns the set of stripes. */
  long lockAll(long block, long from, long to) {
    long set = set(from, to);
    lockAll(block, set);
    return set;
  }

  /** Acquires the locks of a set of stripes, in ascending order. */
  void lockAll(long block, long set) {
    for (long rest = set; rest != 0; rest &= rest - 1) {
      lock(SyncLayout.stripeAddress(block, Long.numberOfTrailingZeros(rest)));
    }
  }

  static void unlockAll(long block, long set) {
    for (long rest = set; rest != 0; rest &= rest - 1) {
      unlock(SyncLayout.stripeAddress(block, Long.numberOfTrailingZeros(rest)));
    }
  }

  /** Returns the set of stripes of the elements that begin between two positions. */
  static long set(long from, long to) {
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
