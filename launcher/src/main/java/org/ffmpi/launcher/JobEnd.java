// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher;

/**
 * How a job ended.
 *
 * @param exitCode 0 when every rank ended well, otherwise that of the first rank that failed
 * @param sentence the failed rank and the reason; null when none failed
 * @param culprit the rank that failed; {@link #NOBODY} when the reason lies elsewhere
 * @param timedOut whether the time limit ended the job
 */
record JobEnd(int exitCode, String sentence, int culprit, boolean timedOut) {
  static final int NOBODY = -1;

  static final JobEnd SUCCESS = new JobEnd(0, null, NOBODY, false);

  /** Describes an end that no rank is to blame for. */
  static JobEnd ofJob(int exitCode, String sentence) {
    return new JobEnd(exitCode, sentence, NOBODY, false);
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
    if (culprit == NOBODY) {
      more = ranks == 1 ? "; 1 rank was ended" : "; " + ranks + " ranks were ended";
    } else {
      more = ranks == 1 ? "; the other rank was ended" : "; the other " + ranks + " ranks were ended";
    }
    return new JobEnd(exitCode, sentence + more, culprit, timedOut);
  }
}
