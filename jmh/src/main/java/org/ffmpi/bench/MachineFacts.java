// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/** Reads the facts of machine, libraries and revision that figures depend on. */
final class MachineFacts {
  private static final int TOOL_SECONDS = 20;
  private static final int KIB_PER_MIB = 1 << 10;
  private static final long KIB_PER_GIB = 1 << 20;

  /** Short name of a commit. */
  private static final int SHORT = 12;

  private static final Pattern VERSION = Pattern.compile("\\d+\\.\\d+(\\.\\d+)?");

  private MachineFacts() {}

  /** Returns the facts that must stay the same while a campaign is continued. */
  static Map<String, String> read(Path root, List<String> peers) throws IOException, InterruptedException {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("processor", processor());
    facts.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
    facts.put("caches", caches(Path.of("/sys/devices/system/cpu/cpu0/cache")));
    facts.put("memory", memory());
    facts.put("virtual machine", text(Path.of("/proc/cpuinfo")).contains(" hypervisor") ? "yes" : "no");
    facts.put("kernel", text(Path.of("/proc/sys/kernel/ostype")).strip() + " "
        + text(Path.of("/proc/sys/kernel/osrelease")).strip());
    facts.put("system", find(Path.of("/etc/os-release"), "(?m)^PRETTY_NAME=\"?([^\"\n]*)"));
    facts.put("JDK", System.getProperty("java.vendor.version", System.getProperty("java.vendor")) + ", "
        + System.getProperty("java.runtime.version"));
    for (String peer : peers) {
      facts.put(peer, version(peer.equals("openmpi") ? "mpirun.openmpi" : "mpiexec." + peer));
    }
    facts.put("gcc", version("gcc"));
    facts.put("revision", revision(root));
    return facts;
  }

  private static String processor() {
    Path file = Path.of("/proc/cpuinfo");
    String model = find(file, "(?m)^model name\\s*: (.*)");
    String family = find(file, "(?m)^cpu family\\s*: (.*)");
    String number = find(file, "(?m)^model\\s*: (.*)");
    return (model.isEmpty() ? System.getProperty("os.arch") : model)
        + (family.isEmpty() ? "" : " (family " + family + ", model " + number + ")");
  }

  private static String caches(Path folder) throws IOException {
    TreeSet<String> caches = new TreeSet<>();
    if (Files.isDirectory(folder)) {
      try (DirectoryStream<Path> indexes = Files.newDirectoryStream(folder, "index*")) {
        for (Path index : indexes) {
          String type = text(index.resolve("type")).strip();
          String shared = text(index.resolve("shared_cpu_list")).strip();
          caches.add("L" + text(index.resolve("level")).strip()
              + (type.equals("Unified") ? "" : type.substring(0, Math.min(1, type.length())).toLowerCase())
              + " " + size(text(index.resolve("size")).strip())
              + (shared.matches("\\d+") ? " each" : " for cores " + shared));
        }
      }
    }
    return caches.isEmpty() ? "unknown" : String.join(", ", caches);
  }

  /** Writes a size such as 2048K. */
  private static String size(String kib) {
    if (!kib.matches("\\d+K")) {
      return kib;
    }
    int n = Integer.parseInt(kib.substring(0, kib.length() - 1));
    return n % KIB_PER_MIB == 0 ? n / KIB_PER_MIB + " MiB" : n + " KiB";
  }

  private static String memory() {
    String kib = find(Path.of("/proc/meminfo"), "(?m)^MemTotal:\\s*(\\d+)");
    return kib.isEmpty() ? "unknown" : Math.round((double) Long.parseLong(kib) / KIB_PER_GIB) + " GiB";
  }

  private static String version(String tool) throws InterruptedException {
    if (!CCompiler.onPath(tool)) {
      return "missing";
    }
    try {
      Matcher m = VERSION.matcher(output(List.of(tool, "--version")));
      return m.find() ? m.group() : "unknown";
    } catch (IOException e) {
      return "unknown";
    }
  }

  /** Returns the commit, and a checksum of the changes since, without documents. */
  private static String revision(Path root) throws InterruptedException {
    try {
      String git = root.toString();
      String commit = output(List.of("git", "-C", git, "rev-parse", "HEAD")).strip();
      String changes = output(List.of("git", "-C", git, "diff", "HEAD", "--", ".", ":!docs", ":!*.md"));
      CRC32 number = new CRC32();
      number.update(changes.getBytes(StandardCharsets.UTF_8));
      return commit.substring(0, Math.min(SHORT, commit.length()))
          + (changes.isBlank() ? "" : " with changes " + Long.toHexString(number.getValue()));
    } catch (IOException e) {
      return "unknown";
    }
  }

  private static String output(List<String> command) throws IOException, InterruptedException {
    StringBuilder out = new StringBuilder();
    Run.start(new ProcessBuilder(command), TOOL_SECONDS, line -> out.append(line).append('\n'));
    return out.toString();
  }

  private static String find(Path file, String regex) {
    Matcher m = Pattern.compile(regex).matcher(text(file));
    return m.find() ? m.group(1).strip() : "";
  }

  /** Returns a file's text; nothing where there is no such file. */
  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return "";
    }
  }
}
