// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.protocol;

/**
 * The times of CROSS messages of one peer, by length and way, from which {@link ProtocolSelector#readsSender} decides.
 * Guarded by the rank's lock.
 */
final class TransferTimes {
  /** Weight of a new measurement in the average. */
  private static final float WEIGHT = 0.25f;

  /** Cap of a measurement, in multiples of the average: a rank may have lost its core. */
  private static final float OUTLIER = 4;

  /** The same cap for pipes, whose transfers end in bursts, so that one may have the time of all. */
  private static final float PIPE_OUTLIER = 32;

  private static final int CLASSES = Long.SIZE;

  /** Nanoseconds per byte by the message's number of bits; 0 when not known. */
  private final float[] read = new float[CLASSES];

  private final float[] piped = new float[CLASSES];
  private final int[] turns = new int[CLASSES];

  /** Set where the last trial was better than the usual way, which is then tried again at once. */
  private final boolean[] promising = new boolean[CLASSES];

  /** Counts a message, and returns whether the receiver reads it in its sender's memory. */
  boolean readsNext(long bytes) {
    int c = sizeClass(bytes);
    return ProtocolSelector.readsSender(read[c], piped[c], ++turns[c], promising[c]);
  }

  /** Adds the time of reading a message in its sender's memory. */
  void addRead(long bytes, long nanos) {
    int c = sizeClass(bytes);
    float now = add(read, c, bytes, nanos, OUTLIER);
    promising[c] = ProtocolSelector.prefersReading(now, piped[c])
        && !ProtocolSelector.prefersReading(read[c], piped[c]);
  }

  /** Adds the time of a message through the pipe. */
  void addPiped(long bytes, long nanos) {
    int c = sizeClass(bytes);
    float now = add(piped, c, bytes, nanos, PIPE_OUTLIER);
    promising[c] = !ProtocolSelector.prefersReading(read[c], now)
        && ProtocolSelector.prefersReading(read[c], piped[c]);
  }

  /** Adds a measurement to the average, and returns it per byte. */
  private static float add(float[] averages, int c, long bytes, long nanos, float outlier) {
    float now = Math.max(nanos, 1) / (float) bytes;
    float average = averages[c];
    averages[c] = average == 0 ? now : average + WEIGHT * (Math.min(now, outlier * average) - average);
    return now;
  }

  private static int sizeClass(long bytes) {
    return Long.SIZE - 1 - Long.numberOfLeadingZeros(bytes | 1);
  }
}
