// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.engine;

import java.util.List;
import org.ffmpi.base.Setting;
import org.ffmpi.base.Settings;

/** The settings with which a launcher places a rank. */
public final class RankSettings {
  static final Setting<Integer> RANK =
      Setting.ofInt(
          "ffmpi.rank", -1, -1, Integer.MAX_VALUE, Setting.Scope.RANK,
          "own rank, set by the launcher; -1: no launcher");

  static final Setting<Integer> SIZE =
      Setting.ofInt("ffmpi.size", 1, 1, Integer.MAX_VALUE, Setting.Scope.JOB, "number of ranks, set by the launcher");

  static final Setting<String> SEGMENT =
      Setting.ofString("ffmpi.segment", "", Setting.Scope.JOB, "path of the job's shared memory, set by the launcher");

  static final Setting<String> BIND =
      Setting.ofChoice(
          "ffmpi.bind", "thread", List.of("none", "thread", "process"), Setting.Scope.JOB,
          "what is bound to a core when ranks are no more than cores: nothing, init's thread, or the process");

  private RankSettings() {}

  /**
   * Returns whether a launcher of ffmpi has started this process as a rank.
   *
   * @param settings the process's settings
   * @return true when its rank and its job's memory are set
   */
  public static boolean isPlaced(Settings settings) {
    return RANK.get(settings) >= 0 && !SEGMENT.get(settings).isEmpty();
  }
}
