// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.testkit;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The shape of the world in which an invocation runs.
 *
 * @param ranks number of ranks
 * @param processes whether they are processes
 * @param timeout how long it may take
 * @param settings texts by name of the setting
 * @param jvmOptions options of the ranks' JVMs
 * @param orders which orders of messages are run; empty for one
 */
record WorldShape(
    int ranks, boolean processes, Duration timeout, Map<String, String> settings, List<String> jvmOptions,
    String orders) {
  /** The number of ranks in words. */
  String ranksInWords() {
    String noun = processes ? ranks == 1 ? "process" : "processes" : ranks == 1 ? "rank" : "ranks";
    return ranks + " " + noun;
  }
}
