// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.shm.segment;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Setting;
import org.ffmpi.base.Settings;

/** The setting that divides ranks into nodes, independent of machines. */
public final class NodeSetting {
  /** Ranks on each node. */
  public static final Setting<String> NODE =
      Setting.ofString(
          "ffmpi.node", "", Setting.Scope.JOB,
          "ranks on each node, in the order of ranks: one number for all nodes, or one for each, as in 3,1; empty: as"
              + " the machines are");

  private NodeSetting() {}

  /**
   * Divides the ranks into nodes by the setting.
   *
   * @param settings the job's settings
   * @param ranks number of ranks
   * @return the node of each rank; null when the setting is empty
   * @throws MpiException ERR_ARG for malformed numbers, or a sum that is not the number of ranks
   */
  public static int[] nodes(Settings settings, int ranks) {
    String text = NODE.get(settings);
    if (text.isEmpty()) {
      return null;
    }
    String[] parts = text.split(",", -1);
    int[] nodeOf = new int[ranks];
    int placed = 0;
    for (int node = 0; placed < ranks && (node < parts.length || parts.length == 1); node++) {
      int here = size(parts[parts.length == 1 ? 0 : node].strip(), text);
      for (int i = 0; i < here && placed < ranks; i++) {
        nodeOf[placed++] = node;
      }
    }
    if (placed < ranks) {
      throw MpiException.argument(
          ErrorClass.ERR_ARG, NODE.name(), text, "numbers of ranks with a sum of " + ranks + ", or one number");
    }
    return nodeOf;
  }

  private static int size(String part, String text) {
    if (!part.matches("[1-9][0-9]{0,8}")) {
      throw MpiException.argument(
          ErrorClass.ERR_ARG, NODE.name(), text, "numbers of ranks separated by commas, as in 3,1");
    }
    return Integer.parseInt(part);
  }
}
