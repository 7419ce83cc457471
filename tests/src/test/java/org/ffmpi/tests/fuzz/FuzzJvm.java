// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.fuzz;

import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.ffmpi.tests.Seeds;

/** Runs a fuzzer in a JVM of its own and turns its crash, its hang and its findings into the failure of a test. */
final class FuzzJvm {
  private FuzzJvm() {}

  /**
   * Runs a fuzzer to its end.
   *
   * @param fuzzer class with {@code main(seed, cases, …)}
   * @param test method of {@code FuzzTest}, for the line that says how to repeat a failure
   * @param cases how many cases are asked for
   * @param minutes after which the JVM hangs
   * @return what it printed
   */
  static String run(Class<?> fuzzer, String test, long cases, long minutes, String... more)
      throws IOException, InterruptedException {
    Path directory = Files.createTempDirectory("ffmpi-fuzz-");
    try {
      Path out = directory.resolve("out");
      Path last = directory.resolve("last");
      long seed = Seeds.next();
      List<String> command = new ArrayList<>(List.of(
          Path.of(System.getProperty("java.home"), "bin", "java").toString(),
          "-Xmx512m", "-Xss1m", "-XX:+UseSerialGC", "-XX:ErrorFile=" + directory.resolve("hs_err"),
          "-XX:-CreateCoredumpOnCrash", "--enable-native-access=ALL-UNNAMED", "-Djava.io.tmpdir=" + directory,
          LastCase.option(last), "-cp", System.getProperty("java.class.path"), fuzzer.getName(),
          String.valueOf(seed), String.valueOf(cases)));
      command.addAll(List.of(more));
      Process process = new ProcessBuilder(command).directory(directory.toFile())
          .redirectErrorStream(true).redirectOutput(out.toFile()).start();
      boolean ended = process.waitFor(minutes, TimeUnit.MINUTES);
      if (!ended) {
        new ProcessBuilder("kill", "-QUIT", String.valueOf(process.pid())).start().waitFor();
        process.waitFor(2, TimeUnit.SECONDS);
        process.destroyForcibly().waitFor();
      }
      String text = Files.readString(out, StandardCharsets.ISO_8859_1);
      if (!ended || process.exitValue() != 0) {
        fail((ended ? "exit code " + process.exitValue() : "not over after " + minutes + " minutes")
            + "\nrepeat with -Dtest=FuzzTest#" + test + " -Dffmpi.test.seed=" + seed + " -Dffmpi.fuzz.cases=" + cases
            + "\nlast cases:\n" + LastCase.read(last) + text + crash(directory));
      }
      return text;
    } finally {
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
          Files.deleteIfExists(file);
        }
      }
    }
  }

  private static String crash(Path directory) throws IOException {
    Path file = directory.resolve("hs_err");
    if (!Files.exists(file)) {
      return "";
    }
    List<String> lines = Files.readAllLines(file, StandardCharsets.ISO_8859_1);
    return "\n" + String.join("\n", lines.subList(0, Math.min(120, lines.size())));
  }
}
