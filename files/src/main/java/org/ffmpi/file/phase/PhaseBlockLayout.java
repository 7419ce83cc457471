// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.file.phase;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.ffmpi.base.raw.Raw;

/**
 * The memory through which ranks exchange windows of a file. Each rank that accesses the file has a block, which all
 * ranks reach:
 *
 * <pre>
 *   0                      there    two words: how many bytes of each window have been read
 *   64                     counts   for each window a word of each rank: the bytes that are its own
 *   64 + 16 ranks, rounded up to 4096   the two windows, of {@code window} bytes each
 * </pre>
 *
 * <p>Two windows, since the ranks fill one while its owner writes the other.
 */
final class PhaseBlockLayout {
  private static final long COUNTS = 64;
  private static final long PAGE = 4096;

  private final MemorySegment[] blocks;
  private final int ranks;
  private final long window;

  /**
   * Creates the view of one rank.
   *
   * @param blocks the blocks of all ranks
   * @param window largest size of a window
   */
  PhaseBlockLayout(MemorySegment[] blocks, long window) {
    this.blocks = blocks;
    this.ranks = blocks.length;
    this.window = window;
  }

  static long bytes(int ranks, long window) {
    return header(ranks) + 2 * window;
  }

  private static long header(int ranks) {
    return Math.ceilDiv(COUNTS + 2L * Long.BYTES * ranks, PAGE) * PAGE;
  }

  /** Returns the largest size of a window. */
  long window() {
    return window;
  }

  /** Returns the address of a window of an aggregator. */
  long address(int aggregator, long round) {
    return Raw.address(blocks[aggregator]) + offset(round);
  }

  private long offset(long round) {
    return header(ranks) + (round & 1) * window;
  }

  /** Returns the beginning of a window as a buffer of the JDK. */
  ByteBuffer buffer(int aggregator, long round, long bytes) {
    return blocks[aggregator].asSlice(offset(round), bytes).asByteBuffer();
  }

  private long count(int aggregator, long round, int rank) {
    return Raw.address(blocks[aggregator]) + COUNTS + Long.BYTES * ((round & 1) * ranks + rank);
  }

  void putCount(int aggregator, long round, int rank, long bytes) {
    Raw.putLong(count(aggregator, round, rank), bytes);
  }

  /** Returns the bytes that all ranks have in a window. */
  long sum(int aggregator, long round) {
    long sum = 0;
    for (int r = 0; r < ranks; r++) {
      sum += Raw.getLong(count(aggregator, round, r));
    }
    return sum;
  }

  void putThere(int aggregator, long round, long bytes) {
    Raw.putLong(Raw.address(blocks[aggregator]) + Long.BYTES * (round & 1), bytes);
  }

  long getThere(int aggregator, long round) {
    return Raw.getLong(Raw.address(blocks[aggregator]) + Long.BYTES * (round & 1));
  }
}
