// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Setting;
import org.ffmpi.base.Settings;
import org.ffmpi.shm.ring.RingLayout;
import org.ffmpi.spi.RunSettings;

/**
 * The settings of rings, pipes and protocols, read once. Sizes are rounded up to powers of two where the structure
 * needs it.
 *
 * @param ringSlots slots of each ring
 * @param ringBulk bulk bytes of each ring
 * @param pipeBytes capacity of each pipe
 * @param chunk bytes packed at once
 * @param largeMessage length above which pipes use large chunks
 * @param largeChunk bytes packed at once for large messages
 * @param selector protocol thresholds
 * @param unexpectedLimit unexpected payload above which senders are asked to keep theirs
 * @param checking whether messages carry their signatures and receives compare them
 */
public record ProtocolOptions(
    int ringSlots,
    int ringBulk,
    int pipeBytes,
    int chunk,
    long largeMessage,
    int largeChunk,
    ProtocolSelector selector,
    long unexpectedLimit,
    boolean checking) {
  /** Upper bound of the limit for messages that are sent before they are matched. */
  static final long MOST_EAGER = 1L << 24;

  static final Setting<Integer> RING_SLOTS =
      Setting.ofInt(
          "ffmpi.ring.slots", 128, 2, 1 << 16, Setting.Scope.JOB, "messages that a ring between two ranks holds");

  static final Setting<Long> RING_BULK =
      Setting.ofBytes(
          "ffmpi.ring.bulk", 0L, 0L, 1L << 28, Setting.Scope.JOB,
          "payload bytes that a ring between two ranks holds; 0: 256K up to 4 ranks, 128K up to 16, then 32K");

  static final Setting<Long> PIPE_BYTES =
      Setting.ofBytes(
          "ffmpi.pipe.bytes", 0L, 0L, 1L << 28, Setting.Scope.JOB,
          "capacity of the pipe that carries a pair's large messages; 0: 512K up to 16 ranks, then 128K");

  static final Setting<Long> CHUNK =
      Setting.ofBytes(
          "ffmpi.chunk", 8L << 10, 64L, 1L << 24, Setting.Scope.JOB, "bytes that are packed at once");

  static final Setting<Long> LARGE_MESSAGE =
      Setting.ofBytes(
          "ffmpi.large.message", 256L << 10, 0L, Long.MAX_VALUE, Setting.Scope.JOB,
          "above this, large chunks are used");

  static final Setting<Long> LARGE_CHUNK =
      Setting.ofBytes(
          "ffmpi.large.chunk", 64L << 10, 64L, 1L << 26, Setting.Scope.JOB, "bytes of a large message packed at once");

  static final Setting<Long> EAGER_LIMIT =
      Setting.ofBytes(
          "ffmpi.eager.limit", 16L << 10, 0L, MOST_EAGER, Setting.Scope.JOB,
          "longest message that is sent before its receive is posted");

  static final Setting<Long> DIRECT_LIMIT =
      Setting.ofBytes(
          "ffmpi.direct.limit", 4L << 10, 0L, Long.MAX_VALUE, Setting.Scope.JOB,
          "shortest message that the receiver copies straight out of the shared heap");

  static final Setting<Long> CROSS_LIMIT =
      Setting.ofBytes(
          "ffmpi.cross.limit", 17L << 10, 0L, Long.MAX_VALUE, Setting.Scope.JOB,
          "shortest message that the receiver may read in the sender's own off-heap memory, where the kernel allows"
              + " it");

  static final Setting<Long> CROSS_MOST =
      Setting.ofBytes(
          "ffmpi.cross.most", 16L << 20, 0L, Long.MAX_VALUE, Setting.Scope.JOB,
          "longest message that the receiver may read so; longer ones are streamed");

  static final Setting<Long> WIRE_LIMIT =
      Setting.ofBytes(
          "ffmpi.wire.limit", 32L << 10, 0L, MOST_EAGER, Setting.Scope.JOB,
          "longest message to another node that is sent before its receive is posted");

  static final Setting<Long> UNEXPECTED_LIMIT =
      Setting.ofBytes(
          "ffmpi.unexpected.limit", 64L << 20, 0L, Long.MAX_VALUE, Setting.Scope.JOB,
          "unexpected payload that a rank keeps before senders are asked to keep theirs");

  private static final int MIN_PIPE = 256;

  /**
   * Reads the options of a rank.
   *
   * @param s the rank's settings
   * @param ranks number of ranks
   * @return the options
   */
  public static ProtocolOptions of(Settings s, int ranks) {
    int bulk = ringBulk(Math.toIntExact(RING_BULK.get(s)), ranks);
    int chunk = Math.toIntExact(CHUNK.get(s)) & -64;
    boolean checking = RunSettings.CHECK.get(s).isFull();
    long eagerLimit = EAGER_LIMIT.get(s);
    long oneChunk = Math.min(Math.min(chunk, bulk / 2), eagerLimit);
    ProtocolSelector selector =
        new ProtocolSelector(
            checking ? 0 : EnvelopeLayout.INLINE_BYTES, // a slot full of payload has no room for a signature
            eagerLimit,
            DIRECT_LIMIT.get(s),
            CROSS_LIMIT.get(s),
            CROSS_MOST.get(s),
            WIRE_LIMIT.get(s),
            checking ? -1 : (int) Math.max(EnvelopeLayout.INLINE_BYTES, oneChunk));
    return new ProtocolOptions(
        powerOfTwo(RING_SLOTS.get(s)),
        bulk,
        pipeBytes(Math.toIntExact(PIPE_BYTES.get(s)), ranks),
        chunk,
        LARGE_MESSAGE.get(s),
        Math.toIntExact(LARGE_CHUNK.get(s)) & -64,
        selector,
        UNEXPECTED_LIMIT.get(s),
        checking);
  }

  /**
   * Returns the bulk bytes of a ring: the number of rings grows with the square of the ranks, so their size shrinks.
   */
  private static int ringBulk(int wanted, int ranks) {
    if (wanted != 0) {
      return Math.max(RingLayout.MIN_BULK, powerOfTwo(wanted));
    }
    return ranks <= 4 ? 256 << 10 : ranks <= 16 ? 128 << 10 : 32 << 10;
  }

  private static int pipeBytes(int wanted, int ranks) {
    if (wanted != 0 && wanted < MIN_PIPE) {
      throw MpiException.argument(ErrorClass.ERR_ARG, PIPE_BYTES.name(), wanted, "0, or " + MIN_PIPE + " and more");
    }
    return wanted != 0 ? powerOfTwo(wanted) : ranks <= 16 ? 512 << 10 : 128 << 10;
  }

  private static int powerOfTwo(int n) {
    return n <= 1 ? 1 : Integer.highestOneBit(n - 1) << 1;
  }
}
