// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.ffmpi.base.Settings;

/**
 * Everything that is asked for about a job.
 *
 * @param programs what to run, in the order of the ranks
 * @param settings settings of the job over those of this process
 * @param libraries where ffmpi lies
 * @param io where input comes from and output goes
 * @param limit after which the job is ended, or null
 * @param columns width of the terminal that standard output is; 0 when it is none
 * @param rankOptions options of the JVMs of some ranks
 * @param recording file for rank 0's recording for a start-up cache, or null
 */
record JobRequest(
    List<Program> programs,
    Settings settings,
    List<String> libraries,
    JobIo io,
    Duration limit,
    int columns,
    List<RankOptions> rankOptions,
    Path recording) {

  /** Returns the number of ranks of all programs together. */
  int ranks() {
    int n = 0;
    for (Program p : programs) {
      n = Math.addExact(n, p.ranks());
    }
    return n;
  }

  /** Returns the same request with its first rank recorded. */
  JobRequest recordedIn(Path file) {
    return new JobRequest(programs, settings, libraries, io, limit, columns, rankOptions, file);
  }
}
