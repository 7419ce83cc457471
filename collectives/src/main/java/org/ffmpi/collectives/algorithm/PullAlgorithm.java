// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.algorithm;

import org.ffmpi.collectives.region.LentBuffersLayout;
import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.ScheduleBuilder;
import org.ffmpi.spi.Collective;

/**
 * An algorithm in which ranks lend their buffers and read those of others in shared memory. A buffer that is not shared
 * is copied to shared scratch memory piece by piece, while other ranks read the pieces before.
 */
abstract class PullAlgorithm extends Algorithm {
  static final String NAME = "pull";

  /** Pieces stay in the second-level cache, and are long enough for the hand-over not to count. */
  private static final long LONGEST_PIECE = 64 << 10;

  private static final long SHORTEST_PIECE = 8 << 10;

  PullAlgorithm(Collective collective, String merit) {
    super(NAME, collective, merit);
  }

  /** Only the places of the data are published, not the data. */
  @Override
  final long publishedBytes(CallShape shape) {
    return LentBuffersLayout.BYTES;
  }

  /** Returns the bytes of a piece. */
  static long pieceBytes(long bytes, int pieces) {
    return Math.clamp(bytes / pieces, SHORTEST_PIECE, LONGEST_PIECE);
  }

  /** Waits until all other ranks have reached a milestone. */
  static void awaitAll(CallShape shape, ScheduleBuilder builder, int milestone) {
    for (int i = 1; i < shape.size(); i++) {
      builder.until((shape.rank() + i) % shape.size(), milestone);
    }
  }
}
