// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import org.ffmpi.spi.Engine;

/** A line about a rank at its start, with its place, the software, and its ways to the others. */
final class RankReport {
  private static final String CORES = "Cpus_allowed_list:";

  private RankReport() {}

  /**
   * Describes a rank.
   *
   * @param engine the rank's engine
   * @return a line without its end
   */
  static String of(Engine engine) {
    int self = engine.self();
    int peers = engine.peers();
    int node = engine.node(self);
    int most = 0;
    int local = 0;
    for (int peer = 0; peer < peers; peer++) {
      most = Math.max(most, engine.node(peer));
      local += engine.node(peer) == node ? 1 : 0;
    }
    StringBuilder line = new StringBuilder("ffmpi: rank " + self + " of " + peers);
    line.append(" on ").append(ProcessFacts.processorName()).append(", node ").append(node);
    line.append(", ").append(cores(engine.boundTo()));
    if (local > 1) {
      line.append("; shared memory with ranks ").append(ranges(peers, peer -> engine.node(peer) == node));
    }
    if (most > 0) {
      line.append("; wire to ").append(most == 1 ? "node " : "nodes ").append(ranges(most + 1, other -> other != node));
    }
    return line.append("; ").append(engine.describe()).toString();
  }

  /** Describes the cores on which the rank's first thread may run, or will shortly. */
  private static String cores(int[] bound) {
    String list = bound.length == 0 ? allowed() : Arrays.stream(bound).mapToObj(Integer::toString)
        .collect(Collectors.joining(","));
    return (list.matches("\\d+") ? "core " : "cores ") + list;
  }

  private static String allowed() {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/self/status"), StandardCharsets.ISO_8859_1)) {
        if (line.startsWith(CORES)) {
          return line.substring(CORES.length()).strip();
        }
      }
    } catch (IOException e) {
      // Unknown on a system without /proc.
    }
    return "unknown";
  }

  /** Writes the selected numbers below a limit, as in {@code 0-3,8}. */
  static String ranges(int limit, IntPredicate meant) {
    StringBuilder text = new StringBuilder();
    for (int first = 0; first < limit; first++) {
      if (meant.test(first)) {
        int last = first;
        while (last + 1 < limit && meant.test(last + 1)) {
          last++;
        }
        text.append(text.isEmpty() ? "" : ",").append(first).append(last == first ? "" : "-" + last);
        first = last;
      }
    }
    return text.toString();
  }
}
