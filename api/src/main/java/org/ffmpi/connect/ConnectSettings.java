// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.connect;

import org.ffmpi.base.Setting;

/** The settings of processes that come and meet. */
public final class ConnectSettings {
  /** Where the sockets and names of a user are. */
  public static final Setting<String> FOLDER =
      Setting.ofPath("ffmpi.port.folder", "", Setting.Scope.JOB,
          "folder of the user's ports and published names, for this user alone; empty: ffmpi in XDG_RUNTIME_DIR, or"
              + " else ffmpi-USER in the temporary directory");

  /** How many processes there may be. */
  public static final Setting<Integer> UNIVERSE =
      Setting.ofInt("ffmpi.universe", 0, 0, 1 << 20, Setting.Scope.JOB,
          "most processes that the job and all that it spawns may have together, and value of UNIVERSE_SIZE; 0: no"
              + " limit, and the number of processors where that is more than the ranks");

  private ConnectSettings() {}
}
