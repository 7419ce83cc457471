// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.communicator;

import org.ffmpi.Buf;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.collective.CollectiveChecks;
import org.ffmpi.process.Failures;
import org.ffmpi.process.World;
import org.ffmpi.spi.Channel;
import org.ffmpi.spi.Collective;
import org.ffmpi.spi.CollectiveCall;
import org.ffmpi.spi.CollectiveForm;

/**
 * The exchange between the ranks of a communicator while they make new ones, by collectives over a channel, in the
 * order of the user's own. They block; errors are thrown for the caller to pass to its handler.
 */
public final class Exchange {
  /** Lengths are below this bit, the kind of the numbers above. */
  private static final int KIND_SHIFT = 40;

  private Exchange() {}

  /**
   * Returns the numbers of all ranks, one after the other.
   *
   * @param mine as many numbers as at every other rank
   */
  public static long[] allgather(Channel channel, World world, long... mine) {
    if (channel.size() == 1) {
      return mine.clone();
    }
    long[] all = new long[Math.multiplyExact(mine.length, channel.size())];
    CollectiveCall call = new CollectiveCall().begin(Collective.ALLGATHER);
    CollectiveChecks.put(call.send(), Buf.of(mine));
    CollectiveChecks.put(call.recv(), Buf.of(all));
    run(channel, world, call);
    return all;
  }

  /**
   * Compares a text of all ranks.
   *
   * @throws MpiException ERR_OTHER when a rank has another one
   */
  static void agree(Channel channel, World world, String text) {
    long own = text.hashCode();
    long[] all = allgather(channel, world, own);
    for (int rank = 0; rank < all.length; rank++) {
      if (all[rank] != own) {
        throw new MpiException(
            ErrorClass.ERR_OTHER, text + ": rank " + rank + " makes another call than rank " + channel.rank());
      }
    }
  }

  /**
   * Returns the numbers of all ranks, by rank; their lengths may differ.
   *
   * @param kind the kind of the numbers, from 1, which detects calls of different kinds
   * @throws MpiException ERR_OTHER when a rank sends anything but a length of this kind
   */
  static long[][] allgatherv(Channel channel, World world, int kind, long... mine) {
    long[] lengths = allgather(channel, world, (long) kind << KIND_SHIFT | mine.length);
    int longest = 0;
    for (int rank = 0; rank < lengths.length; rank++) {
      long length = lengths[rank] ^ (long) kind << KIND_SHIFT;
      if (length < 0 || length > Integer.MAX_VALUE / lengths.length) {
        throw new MpiException(ErrorClass.ERR_OTHER, "rank " + rank + " makes another call than this one");
      }
      lengths[rank] = length;
      longest = Math.max(longest, (int) length);
    }
    long[] padded = new long[longest];
    System.arraycopy(mine, 0, padded, 0, mine.length);
    long[] all = longest == 0 ? padded : allgather(channel, world, padded);
    long[][] byRank = new long[lengths.length][];
    for (int r = 0; r < lengths.length; r++) {
      byRank[r] = new long[(int) lengths[r]];
      System.arraycopy(all, r * longest, byRank[r], 0, byRank[r].length);
    }
    return byRank;
  }

  /** Broadcasts the root's numbers. */
  public static void bcast(Channel channel, World world, long[] data, int root) {
    if (channel.size() > 1) {
      CollectiveCall call = new CollectiveCall().begin(Collective.BCAST);
      call.setRoot(root);
      CollectiveChecks.put(channel.rank() == root ? call.send() : call.recv(), Buf.of(data));
      run(channel, world, call);
    }
  }

  /** Waits for all ranks, those of the other group if there is one. */
  static void barrier(Channel channel, World world) {
    run(channel, world, new CollectiveCall().begin(Collective.BARRIER));
  }

  private static void run(Channel channel, World world, CollectiveCall call) {
    try {
      if (channel.order() != null) {
        channel.order().await();
      }
      world.collectives().call(channel, call, CollectiveForm.BLOCKING);
    } catch (RuntimeException e) {
      throw Failures.translate(e);
    }
  }
}
