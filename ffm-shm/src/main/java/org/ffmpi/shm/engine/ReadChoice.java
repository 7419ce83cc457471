// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

/**
 * Chooses how a message comes that this rank could read in its sender's memory: so, or through the pipe. Whichever has
 * lately moved messages of about that length faster from that peer is taken, and the other one tried now and then.
 *
 * <p>No fixed limit would do. Data that lies in both cores' caches is read at once at their full speed, while two
 * copies cost two; freshly written data is slow to read for one core alone, while two that overlap are twice as fast;
 * beyond the caches it depends on the machine. And a sender that computes leaves its pipe waiting. Used with the
 * engine's lock held.
 */
final class ReadChoice {
  /** The pipe has to be this much faster: it takes the sender's time too. */
  private static final float READ_BONUS = 1.1f;

  private static final int FIRST_TRIAL = 4;
  private static final int TRIALS_APART = 64;

  /** Where one way is this much slower, it is tried less often. */
  private static final float FAR_SLOWER = 2;

  private static final int RARE_TRIALS_APART = 192;

  /** Part of a new measurement in the average. */
  private static final float WEIGHT = 0.25f;

  /** A measurement counts for no more than so many times the average: a rank may have lost its core. */
  private static final float OUTLIER = 4;

  /** Transfers through a pipe end in bursts, one of which stands for the time of all. */
  private static final float PIPE_OUTLIER = 32;

  private static final int CLASSES = Long.SIZE;

  /** Nanoseconds per byte by the message's number of bits; 0 when not known. */
  private final float[] read = new float[CLASSES];

  private final float[] piped = new float[CLASSES];
  private final int[] turns = new int[CLASSES];

  /** The last trial was better than what is usual: try again at once. */
  private final boolean[] promising = new boolean[CLASSES];

  /** Whether the next message of this length is to be read in its sender's memory. */
  boolean reads(long bytes) {
    int c = sizeClass(bytes);
    int turn = ++turns[c];
    float ratio = piped[c] == 0 ? 1 : read[c] / piped[c];
    int apart = ratio > FAR_SLOWER || ratio < 1 / FAR_SLOWER ? RARE_TRIALS_APART : TRIALS_APART;
    boolean isTrial = turn == FIRST_TRIAL || turn % apart == 0 || promising[c];
    return prefersReading(c) != isTrial;
  }

  private boolean prefersReading(int c) {
    return piped[c] == 0 || read[c] <= piped[c] * READ_BONUS;
  }

  void wasRead(long bytes, long nanos) {
    int c = sizeClass(bytes);
    promising[c] = note(read, c, bytes, nanos, OUTLIER) <= piped[c] * READ_BONUS && !prefersReading(c);
  }

  void wasPiped(long bytes, long nanos) {
    int c = sizeClass(bytes);
    promising[c] = note(piped, c, bytes, nanos, PIPE_OUTLIER) * READ_BONUS < read[c] && prefersReading(c);
  }

  /** Takes a measurement into the average, and returns it per byte. */
  private static float note(float[] averages, int c, long bytes, long nanos, float outlier) {
    float now = Math.max(nanos, 1) / (float) bytes;
    float average = averages[c];
    averages[c] = average == 0 ? now : average + WEIGHT * (Math.min(now, outlier * average) - average);
    return now;
  }

  private static int sizeClass(long bytes) {
    return Long.SIZE - 1 - Long.numberOfLeadingZeros(bytes | 1);
  }
}
