// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.request;

import java.time.Duration;
import java.util.List;
import org.ffmpi.base.Settings;
import org.ffmpi.launcher.command.Program;

/**
 * The options of a job.
 *
 * @param programs what to run, in the order of the ranks
 * @param settings settings of the job over those of this process
 * @param libraries where ffmpi lies
 * @param io where input comes from and output goes
 * @param limit after which the job is ended, or null
 * @param columns width of the terminal that standard output is; 0 for other outputs
 * @param rankOptions options of the JVMs of some ranks
 * @param recording the record that rank 0 makes for a start-up cache, or null
 */
public record JobRequest(
    List<Program> programs,
    Settings settings,
    List<String> libraries,
    JobIo io,
    Duration limit,
    int columns,
    List<RankOptions> rankOptions,
    Recording recording) {

  /** Returns the number of ranks of all programs together. */
  public int ranks() {
    int n = 0;
    for (Program p : programs) {
      n = Math.addExact(n, p.ranks());
    }
    return n;
  }

  /** Returns the same job with other settings. */
  public JobRequest with(Settings others) {
    return new JobRequest(programs, others, libraries, io, limit, columns, rankOptions, recording);
  }

  /** Returns the same job with its first rank recorded. */
  public JobRequest recorded(Recording record) {
    return new JobRequest(programs, settings, libraries, io, limit, columns, rankOptions, record);
  }
}
