// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.watch;

/**
 * The end of a job.
 *
 * @param exitCode 0 when every rank ended well, otherwise that of the first rank that failed
 * @param sentence the failed rank and the reason; null when none failed
 * @param culprit the rank that failed; {@link #NO_RANK} when no rank did
 * @param timedOut whether the time limit ended the job
 */
public record JobEnd(int exitCode, String sentence, int culprit, boolean timedOut) {
  /** Exit code of a job that its time limit ended, as timeout(1) has it. */
  public static final int TIMED_OUT = 124;

  static final int NO_RANK = -1;

  static final JobEnd SUCCESS = new JobEnd(0, null, NO_RANK, false);

  /** Describes an end that no rank has caused. */
  static JobEnd ofJob(int exitCode, String sentence) {
    return new JobEnd(exitCode, sentence, NO_RANK, false);
  }

  /**
   * Adds how many ranks the failure took with it.
   *
   * @param ranks those that still ran, without the culprit
   */
  JobEnd with(int ranks) {
    if (sentence == null || ranks == 0) {
      return this;
    }
    String more;
    if (culprit == NO_RANK) {
      more = ranks == 1 ? "; 1 rank was ended" : "; " + ranks + " ranks were ended";
    } else {
      more = ranks == 1 ? "; the other rank was ended" : "; the other " + ranks + " ranks were ended";
    }
    return new JobEnd(exitCode, sentence + more, culprit, timedOut);
  }
}
