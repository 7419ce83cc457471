// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.topology;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Reads a {@link Machine} from the files of Linux in {@code /sys}. Files that are missing, as in some containers and
 * virtual machines, leave out their resources; without any, each processor is a resource of its own and none is shared.
 * Of each instance one processor's files are read.
 */
public final class MachineReader {
  private static final int MOST_CACHES = 16;

  /** More than the kernel can be built for. */
  private static final int MOST_PROCESSORS = 1 << 16;

  private final Path root;

  /**
   * Creates a reader.
   *
   * @param root folder in which {@code sys} and {@code proc} are, {@code /} for this machine
   */
  public MachineReader(Path root) {
    this.root = root;
  }

  /**
   * Reads the machine.
   *
   * @return the known part of it
   */
  public Machine read() {
    Path cpus = root.resolve("sys/devices/system/cpu");
    List<Integer> online = list(cpus.resolve("online"));
    if (online.isEmpty()) {
      online = IntStream.range(0, Runtime.getRuntime().availableProcessors()).boxed().toList();
    }
    Machine.Builder machine = new Machine.Builder(online);
    for (int processor : online) {
      Path cpu = cpus.resolve("cpu" + processor);
      addSharing(machine, Resource.PACKAGE, processor, cpu, "package_cpus_list", "core_siblings_list");
      addSharing(machine, Resource.CORE, processor, cpu, "core_cpus_list", "thread_siblings_list");
      addCaches(machine, processor, cpu.resolve("cache"));
    }
    addNodes(machine);
    return machine.build();
  }

  /** The second name is that of older kernels. */
  private static void addSharing(
      Machine.Builder machine, Resource resource, int processor, Path cpu, String name, String olderName) {
    if (!machine.isKnown(resource, processor)) {
      List<Integer> sharing = list(cpu.resolve("topology").resolve(name));
      if (sharing.isEmpty()) {
        sharing = list(cpu.resolve("topology").resolve(olderName));
      }
      if (sharing.contains(processor)) {
        machine.add(resource, sharing);
      }
    }
  }

  private static void addCaches(Machine.Builder machine, int processor, Path folder) {
    for (int i = 0; i < MOST_CACHES; i++) {
      Path cache = folder.resolve("index" + i);
      Optional<String> level = line(cache.resolve("level"));
      if (level.isEmpty()) {
        return;
      }
      Resource resource = switch (level.get()) {
        case "1" -> Resource.L1_CACHE;
        case "2" -> Resource.L2_CACHE;
        case "3" -> Resource.L3_CACHE;
        default -> null;
      };
      if (resource != null && !machine.isKnown(resource, processor)
          && !line(cache.resolve("type")).orElse("").equals("Instruction")) {
        List<Integer> sharing = list(cache.resolve("shared_cpu_list"));
        if (sharing.contains(processor)) {
          machine.add(resource, sharing);
        }
      }
    }
  }

  /** Nodes of memory without processors are skipped, since no rank can be on them. */
  private void addNodes(Machine.Builder machine) {
    try (DirectoryStream<Path> nodes =
        Files.newDirectoryStream(root.resolve("sys/devices/system/node"), "node[0-9]*")) {
      for (Path node : nodes) {
        List<Integer> processors = list(node.resolve("cpulist"));
        if (!processors.isEmpty()) {
          machine.add(Resource.NUMA_NODE, processors);
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      // Kernels without NUMA have no such folder.
    }
  }

  /**
   * Returns the processors that this process may run on.
   *
   * @return their numbers in order; empty when that is not known
   */
  public int[] allowed() {
    try {
      for (String line : Files.readAllLines(root.resolve("proc/self/status"), StandardCharsets.ISO_8859_1)) {
        if (line.startsWith("Cpus_allowed_list:")) {
          return parse(line.substring(line.indexOf(':') + 1)).stream().mapToInt(p -> p).toArray();
        }
      }
    } catch (IOException e) {
      // Not known.
    }
    return new int[0];
  }

  private static List<Integer> list(Path file) {
    return line(file).map(MachineReader::parse).orElse(List.of());
  }

  private static Optional<String> line(Path file) {
    try {
      return Optional.of(Files.readString(file, StandardCharsets.ISO_8859_1).strip());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * Reads a list such as {@code 0-3,8}.
   *
   * @param text as the kernel writes it
   * @return the numbers; none when it is anything else
   */
  static List<Integer> parse(String text) {
    List<Integer> numbers = new ArrayList<>();
    try {
      for (String part : text.strip().split(",")) {
        if (!part.isEmpty()) {
          int dash = part.indexOf('-');
          int first = Integer.parseInt(dash < 0 ? part : part.substring(0, dash));
          int last = dash < 0 ? first : Integer.parseInt(part.substring(dash + 1));
          if (first < 0 || last < first || last > MOST_PROCESSORS) {
            return List.of();
          }
          IntStream.rangeClosed(first, last).forEach(numbers::add);
        }
      }
    } catch (NumberFormatException e) {
      return List.of();
    }
    return numbers;
  }
}
