// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.trace.model;

import java.util.List;

/**
 * The recordings of all ranks of a job.
 *
 * @param command the command line, as a person would write it
 * @param ranks the recordings in the order of their ranks; a rank that left none is missing
 * @param notes sentences for the reader about how it was recorded: the clocks of several nodes, what is missing
 * @param end when the job ended, by the clock of the first rank, where a call did not; {@link #UNKNOWN} elsewhere
 */
public record JobRecording(String command, List<RankRecording> ranks, List<String> notes, long end) {
  /** The end of a job that ended with the last of its calls. */
  public static final long UNKNOWN = Long.MIN_VALUE;

  /**
   * Makes the recording of a job that ended with the last of its calls.
   *
   * @param command the command line, as a person would write it
   * @param ranks the recordings in the order of their ranks; a rank that left none is missing
   * @param notes sentences for the reader
   */
  public JobRecording(String command, List<RankRecording> ranks, List<String> notes) {
    this(command, ranks, notes, UNKNOWN);
  }
}
