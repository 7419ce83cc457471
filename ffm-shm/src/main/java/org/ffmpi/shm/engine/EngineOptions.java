// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Setting;
import org.ffmpi.base.Settings;
import org.ffmpi.shm.ring.RingLayout;
import org.ffmpi.spi.RunSettings;

/**
 * The engine's settings, read once. Sizes are rounded up to powers of two where the structure needs it.
 *
 * @param ringSlots slots of each ring
 * @param ringBulk bulk bytes of each ring
 * @param pipeBytes capacity of each pipe
 * @param chunk bytes packed at once
 * @param largeMessage from here on, pipes use large chunks
 * @param largeChunk bytes packed at once for large messages
 * @param selector protocol thresholds
 * @param crossLimit fewest bytes that a receiver may read in the sender's own memory
 * @param crossMost most bytes that it may read so
 * @param unexpectedLimit unexpected payload above which senders are asked to keep theirs
 * @param oneChunk longest message that travels inline or as a single eager chunk, unless it is direct; -1: none
 * @param spins how often a waiting thread looks before it yields its core
 * @param storeSpins the same of one that waits for a word in shared memory, not for a message
 * @param yields how often it yields before it sleeps
 * @param checking whether messages carry their signatures and receives compare them
 */
record EngineOptions(
    int ringSlots,
    int ringBulk,
    int pipeBytes,
    int chunk,
    long largeMessage,
    int largeChunk,
    ProtocolSelector selector,
    long crossLimit,
    long crossMost,
    long unexpectedLimit,
    int oneChunk,
    int spins,
    int storeSpins,
    int yields,
    boolean checking) {
  /** No message that is sent before it is matched is longer, however the limit was set. */
  static final long MOST_EAGER = 1L << 24;

  static final Setting<Integer> RANK =
      Setting.ofInt(
          "ffmpi.rank", -1, -1, Integer.MAX_VALUE, Setting.Scope.RANK,
          "own rank, set by the launcher; -1: no launcher");

  static final Setting<Integer> SIZE =
      Setting.ofInt("ffmpi.size", 1, 1, Integer.MAX_VALUE, Setting.Scope.JOB, "number of ranks, set by the launcher");

  static final Setting<String> SEGMENT =
      Setting.ofString("ffmpi.segment", "", Setting.Scope.JOB, "path of the job's shared memory, set by the launcher");

  static final Setting<String> CORES =
      Setting.ofString(
          "ffmpi.cores", "", Setting.Scope.JOB,
          "cores that the job may use, as numbers separated by commas, set by the launcher; empty: what the JVM sees");

  static final Setting<String> BIND =
      Setting.ofChoice(
          "ffmpi.bind", "thread", java.util.List.of("none", "thread", "process"), Setting.Scope.JOB,
          "what is bound to a core when ranks are no more than cores: nothing, init's thread, or the process");

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
          "ffmpi.cross.limit", 9L << 10, 0L, Long.MAX_VALUE, Setting.Scope.JOB,
          "shortest message that the receiver may read in the sender's own off-heap memory, where the kernel allows"
              + " it");

  static final Setting<Long> CROSS_MOST =
      Setting.ofBytes(
          "ffmpi.cross.most", 16L << 20, 0L, Long.MAX_VALUE, Setting.Scope.JOB,
          "longest message that the receiver may read so; longer ones are streamed");

  static final Setting<Long> UNEXPECTED_LIMIT =
      Setting.ofBytes(
          "ffmpi.unexpected.limit", 64L << 20, 0L, Long.MAX_VALUE, Setting.Scope.JOB,
          "unexpected payload that a rank keeps before senders are asked to keep theirs");

  static final Setting<Integer> SPIN =
      Setting.ofInt(
          "ffmpi.spin", -1, -1, 1 << 24, Setting.Scope.JOB,
          "looks before a waiting thread yields its core; -1: 1000 when ranks are no more than cores, else 20 or less");

  static final Setting<Integer> YIELD =
      Setting.ofInt(
          "ffmpi.yield", -1, -1, 1 << 24, Setting.Scope.JOB,
          "yields before a waiting thread sleeps; -1: 1000 when ranks are no more than cores, else 100");

  private static final int MIN_PIPE = 256;
  private static final int SPINS_WITH_OWN_CORE = 1000;
  private static final int SPINS_WHEN_CROWDED = 20;
  private static final int LEAST_STORE_SPINS = 4;

  /** Long enough for a megabyte to be copied: a sender that fell asleep meanwhile would be woken too late. */
  private static final int YIELDS_WITH_OWN_CORE = 1000;

  private static final int YIELDS_WHEN_CROWDED = 100;

  static EngineOptions of(Settings s, int ranks) {
    int spin = SPIN.get(s);
    int yields = YIELD.get(s);
    int cores = cores(s).length;
    int available = cores == 0 ? Runtime.getRuntime().availableProcessors() : cores;
    boolean crowded = ranks > available;
    int bulk = ringBulk(Math.toIntExact(RING_BULK.get(s)), ranks);
    int chunk = Math.toIntExact(CHUNK.get(s)) & -64;
    boolean checking = RunSettings.CHECK.get(s) == RunSettings.Check.FULL;
    // A slot full of payload has no room for a signature.
    ProtocolSelector selector =
        new ProtocolSelector(checking ? 0 : EnvelopeLayout.INLINE_BYTES, EAGER_LIMIT.get(s), DIRECT_LIMIT.get(s));
    long oneChunk = Math.min(Math.min(chunk, bulk / 2), selector.eagerLimit());
    int spins = spin >= 0 ? spin : crowded ? SPINS_WHEN_CROWDED : SPINS_WITH_OWN_CORE;
    // The more ranks share a core, the less likely is it that the one which stores has one at this moment.
    int storeSpins =
        spin >= 0 || !crowded ? spins : Math.max(LEAST_STORE_SPINS, SPINS_WHEN_CROWDED * available / ranks);
    return new EngineOptions(
        powerOfTwo(RING_SLOTS.get(s)),
        bulk,
        pipeBytes(Math.toIntExact(PIPE_BYTES.get(s)), ranks),
        chunk,
        LARGE_MESSAGE.get(s),
        Math.toIntExact(LARGE_CHUNK.get(s)) & -64,
        selector,
        CROSS_LIMIT.get(s),
        CROSS_MOST.get(s),
        UNEXPECTED_LIMIT.get(s),
        checking ? -1 : (int) Math.max(EnvelopeLayout.INLINE_BYTES, oneChunk),
        spins,
        storeSpins,
        yields >= 0 ? yields : crowded ? YIELDS_WHEN_CROWDED : YIELDS_WITH_OWN_CORE,
        checking);
  }

  /** Whether a message is of a length that the receiver had better read in the sender's own memory. */
  boolean isCross(long bytes) {
    return bytes >= crossLimit && bytes <= crossMost;
  }

  /** The launcher's list of cores; empty without a launcher. */
  static int[] cores(Settings s) {
    String list = CORES.get(s);
    if (list.isEmpty()) {
      return new int[0];
    }
    try {
      return java.util.Arrays.stream(list.split(",")).mapToInt(c -> Integer.parseInt(c.strip())).toArray();
    } catch (NumberFormatException e) {
      throw MpiException.argument(ErrorClass.ERR_ARG, "ffmpi.cores", list, "numbers separated by commas");
    }
  }

  /** Rings grow in number with the square of the ranks, and so must shrink with it. */
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
