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

  /** Makes the job outlive its dead. */
  public static final Setting<Boolean> SURVIVE =
      Setting.ofBoolean(
          "ffmpi.survive", false, Setting.Scope.JOB,
          "whether the job goes on when a rank dies: calls that need that rank fail, and revoke, shrink and agree of"
              + " communicators help the others");

  /** Numbers below this one belong to the predefined communicators. */
  public static final long FIRST_FREE_NUMBER = 16;

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
    return Files.isWritable(shm) ? shm : Path.of(System.getProperty("java.io.tmpdir"));
  }

  /** Returns whether the user has set a limit. */
  boolean isLimited() {
    return LIMIT.get(settings) != 0;
  }

  long limit(long usable) {
    long wanted = LIMIT.get(settings);
    long limit = wanted == 0 ? usable : wanted;
    return Math.max(SMALLEST, limit) & -JobLayout.PAGE;
  }
}
