// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.job;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Processors and memory of the machine, read from /proc and the cgroup file system. */
final class MachineResources {
  /** The memory of a rank with an empty program: measured 40 MB, part of it shared between ranks. */
  static final long BYTES_PER_RANK = 24L << 20;

  private MachineResources() {}

  /**
   * Returns the processors this process may run on.
   *
   * @return their numbers in order; never empty
   */
  static List<Integer> allowedProcessors() {
    for (String line : lines("/proc/self/status")) {
      if (line.startsWith("Cpus_allowed_list:")) {
        List<Integer> list = parseList(line.substring(line.indexOf(':') + 1).trim());
        if (!list.isEmpty()) {
          return list;
        }
      }
    }
    List<Integer> all = new ArrayList<>();
    for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
      all.add(i);
    }
    return all;
  }

  /** Reads a list such as {@code 0-3,8}. */
  static List<Integer> parseList(String text) {
    List<Integer> result = new ArrayList<>();
    for (String part : text.split(",")) {
      if (!part.isEmpty()) {
        int dash = part.indexOf('-');
        int first = Integer.parseInt(dash < 0 ? part : part.substring(0, dash));
        int last = dash < 0 ? first : Integer.parseInt(part.substring(dash + 1));
        for (int i = first; i <= last; i++) {
          result.add(i);
        }
      }
    }
    return result;
  }

  /**
   * Returns how much memory new processes can have.
   *
   * @return bytes, as the kernel and the innermost limited control group see it; {@link Long#MAX_VALUE} when unknown
   */
  static long availableMemory() {
    long available = Long.MAX_VALUE;
    for (String line : lines("/proc/meminfo")) {
      if (line.startsWith("MemAvailable:")) {
        available = Long.parseLong(line.replaceAll("\\D+", "")) << 10;
      }
    }
    for (String line : lines("/proc/self/cgroup")) {
      if (line.startsWith("0::")) {
        for (Path p = Path.of("/sys/fs/cgroup", line.substring(3)); p.startsWith("/sys/fs/cgroup"); p = p.getParent()) {
          List<String> max = lines(p.resolve("memory.max").toString());
          List<String> used = lines(p.resolve("memory.current").toString());
          if (!max.isEmpty() && !used.isEmpty() && !max.getFirst().equals("max")) {
            available = Math.min(available, Long.parseLong(max.getFirst()) - Long.parseLong(used.getFirst()));
          }
        }
      }
    }
    return available;
  }

  private static List<String> lines(String file) {
    try {
      return Files.readAllLines(Path.of(file), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return List.of();
    }
  }
}
