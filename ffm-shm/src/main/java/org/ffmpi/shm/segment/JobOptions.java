// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.segment;

import java.nio.file.Files;
import java.nio.file.Path;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Setting;
import org.ffmpi.base.Settings;

/**
 * The options of a new {@link JobSegment}.
 *
 * @param ranks number of ranks, at least 1
 * @param forProcesses true when ranks open it from other processes
 * @param settings the job's settings
 */
public record JobOptions(int ranks, boolean forProcesses, Settings settings) {
  /** Upper bound of the segment's size; it is sparse, so that a large bound costs nothing. */
  public static final Setting<Long> LIMIT =
      Setting.ofBytes(
          "ffmpi.shm.limit", 0L, 0L, 1L << 46, Setting.Scope.JOB,
          "most bytes of shared memory that the job may use; 0: as much as the file system has free");

  /** The directory of the segment's file. */
  public static final Setting<String> DIRECTORY =
      Setting.ofPath(
          "ffmpi.shm.directory", "", Setting.Scope.JOB,
          "directory for the job's shared memory; empty: /dev/shm, or else the temporary directory");

  /** Whether the engine may use what only Linux has. */
  public static final Setting<Boolean> POSIX =
      Setting.ofBoolean(
          "ffmpi.posix", System.getProperty("os.name").equals("Linux"), Setting.Scope.JOB,
          "whether system calls and /proc are used, which ranks in processes need; off by default on other systems than"
              + " Linux, where ranks can be threads");

  /** Makes the job outlive its dead. */
  public static final Setting<Boolean> SURVIVE =
      Setting.ofBoolean(
          "ffmpi.survive", false, Setting.Scope.JOB,
          "whether the job goes on when a rank dies: calls that need that rank fail, and revoke, shrink and agree of"
              + " communicators help the others");

  /** Numbers below this one belong to the predefined communicators. */
  public static final long FIRST_FREE_NUMBER = 16;

  /** The limit where a file may take all of its length on the disk. */
  private static final long UNPOSIX_LIMIT = 1L << 30;

  /** The least limit: a world that never sends a byte needs this much. */
  private static final long SMALLEST = 1 << 20;

  /**
   * Rejects {@link #SURVIVE} for jobs whose living ranks could not agree about the dead.
   *
   * @param settings the job's settings
   * @param why words that follow "because"
   * @throws MpiException ERR_ARG when the setting is on
   */
  public static void requireMortal(Settings settings, String why) {
    if (SURVIVE.get(settings)) {
      throw MpiException.argument(ErrorClass.ERR_ARG, SURVIVE.name(), true, "false here, because " + why);
    }
  }

  Path directory() {
    String chosen = DIRECTORY.get(settings);
    if (!chosen.isEmpty()) {
      return Path.of(chosen);
    }
    Path shm = Path.of("/dev/shm");
    return isPosix() && Files.isWritable(shm) ? shm : Path.of(System.getProperty("java.io.tmpdir"));
  }

  boolean isPosix() {
    return POSIX.get(settings);
  }

  /** Returns whether the user has set a limit. */
  boolean isLimited() {
    return LIMIT.get(settings) != 0;
  }

  long limit(long usable) {
    long wanted = LIMIT.get(settings);
    long limit = wanted != 0 ? wanted : isPosix() ? usable : Math.min(usable, UNPOSIX_LIMIT);
    return Math.max(SMALLEST, limit) & -JobLayout.PAGE;
  }
}
