// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.file.pointer;

import org.ffmpi.base.raw.Raw;

/**
 * The words of a file in memory that its ranks share. Each has a cache line of its own:
 *
 * <pre>
 *   0        owner      0, or the peer that has the lock for itself, plus 1
 *   64       pointer    the shared file pointer, in etypes
 *   128 + 64 r  shares  how many threads of rank r share the lock
 * </pre>
 */
final class SharedWordLayout {
  private static final long LINE = 64;
  private static final long POINTER = LINE;
  private static final long SHARES = 2 * LINE;

  private SharedWordLayout() {}

  static long bytes(int ranks) {
    return SHARES + LINE * ranks;
  }

  static long getOwner(long block) {
    return Raw.getVolatileLong(block);
  }

  static boolean casOwner(long block, long expected, long owner) {
    return Raw.compareAndSetLong(block, expected, owner);
  }

  static void releaseOwner(long block) {
    Raw.putVolatileLong(block, 0);
  }

  static long getPointer(long block) {
    return Raw.getVolatileLong(block + POINTER);
  }

  static long addPointer(long block, long etypes) {
    return Raw.getAndAddLong(block + POINTER, etypes);
  }

  static void putPointer(long block, long etypes) {
    Raw.putVolatileLong(block + POINTER, etypes);
  }

  static long getShares(long block, int rank) {
    return Raw.getVolatileLong(block + SHARES + LINE * rank);
  }

  static void addShares(long block, int rank, long more) {
    Raw.getAndAddLong(block + SHARES + LINE * rank, more);
  }
}
