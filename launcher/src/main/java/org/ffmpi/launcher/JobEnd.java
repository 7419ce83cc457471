// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher;

/**
 * How a job ended.
 *
 * @param exitCode 0 when every rank ended well, otherwise that of the first rank that failed
 * @param sentence who failed and why; null when nobody did
 * @param timedOut whether the time limit ended the job
 */
record JobEnd(int exitCode, String sentence, boolean timedOut) {
  static final JobEnd SUCCESS = new JobEnd(0, null, false);

  /** Adds how many other ranks the failure took with it. */
  JobEnd withOthers(int others) {
    if (sentence == null || others == 0) {
      return this;
    }
    String more = others == 1 ? "; the other rank was ended" : "; the other " + others + " ranks were ended";
    return new JobEnd(exitCode, sentence + more, timedOut);
  }
}
