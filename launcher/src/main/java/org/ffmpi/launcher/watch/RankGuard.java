// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.watch;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A shell that ends the ranks of a launcher that is killed. It waits for the end of its input, which the launcher holds
 * open. Ranks that use MPI notice the launcher's death themselves; others, and those that have not joined yet, would
 * stay. Used by the thread that supervises the job.
 *
 * <p>The shell knows each rank by its number and the time of its start, so that it never ends another process that has
 * got the same number since. It ignores the signals of a terminal, which end the launcher in good order.
 */
public final class RankGuard {
  private static final String SCRIPT =
      """
      trap '' HUP INT QUIT TERM PIPE
      grace=$1
      shift
      find_start() { line=; read -r line < "/proc/$1/stat"; set -- ${line##*) }; start=${20}; }
      ranks=
      for pid in "$@"; do
        find_start "$pid"
        ranks="$ranks $pid:$start"
      done
      while read -r line; do :; done
      signal() {
        for rank in $ranks; do
          find_start "${rank%:*}"
          [ -n "$start" ] && [ "$start" = "${rank#*:}" ] && kill "-$1" "${rank%:*}"
        done
      }
      signal TERM
      sleep "$grace" || sleep 1
      signal KILL
      """;

  /** Seconds from SIGTERM to SIGKILL for ranks of ours. */
  private static final String GRACE_OF_RANKS = "0.5";

  private final Process shell;

  private RankGuard(Process shell) {
    this.shell = shell;
  }

  /**
   * Starts to guard some processes.
   *
   * @param ranks the ranks, which run
   * @return the guard; null where there is no shell
   */
  static RankGuard start(RankProcess[] ranks) {
    return start(Arrays.stream(ranks).map(rank -> rank.process.pid()).toList(), GRACE_OF_RANKS);
  }

  /**
   * Starts to guard some processes that need their time to end.
   *
   * @param pids their numbers
   * @param graceSeconds how long they have
   * @return the guard; null where there is no shell
   */
  public static RankGuard start(List<Long> pids, long graceSeconds) {
    return start(pids, Long.toString(graceSeconds));
  }

  private static RankGuard start(List<Long> pids, String grace) {
    List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", SCRIPT, "ffmpi-guard", grace));
    pids.forEach(pid -> command.add(Long.toString(pid))); // known to the shell from its first moment on
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.directory(new File("/"));
    builder.redirectOutput(ProcessBuilder.Redirect.DISCARD).redirectError(ProcessBuilder.Redirect.DISCARD);
    try {
      return new RankGuard(builder.start()); // its input stays open: the end of it is the launcher's
    } catch (IOException e) {
      return null; // a machine without a shell, or without room for one more process
    }
  }

  /** Ends the guard, once the ranks are gone. */
  public void end() {
    shell.destroyForcibly();
  }
}
