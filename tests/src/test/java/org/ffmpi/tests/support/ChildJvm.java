// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.support;

import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs a program in a JVM of its own, so that its crash or hang is a failed test with all that is known about it. */
public final class ChildJvm {
  /** Names the file for what the program notes for the case of a crash: texts that end with zeros. */
  public static final String NOTES = "ffmpi.test.notes";

  private ChildJvm() {}

  /**
   * Runs a program to its end.
   *
   * @param main its class
   * @param repeat how to repeat it, for a failure
   * @param minutes after which it hangs: its stacks are printed and it ends
   * @param options of the JVM
   * @param arguments of the program
   * @return what it has printed
   */
  public static String run(Class<?> main, String repeat, long minutes, List<String> options, Object... arguments)
      throws IOException, InterruptedException {
    Path directory = Files.createTempDirectory("ffmpi-child-");
    try {
      Path out = directory.resolve("out");
      Path notes = directory.resolve("notes");
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(List.of(
          "-XX:ErrorFile=" + directory.resolve("hs_err"), "-XX:-CreateCoredumpOnCrash",
          "--enable-native-access=ALL-UNNAMED", "-Djava.io.tmpdir=" + directory, "-D" + NOTES + "=" + notes));
      command.addAll(RankJvm.options());
      command.addAll(options);
      command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
      Stream.of(arguments).map(String::valueOf).forEach(command::add);
      Process process = new ProcessBuilder(command).directory(directory.toFile())
          .redirectErrorStream(true).redirectOutput(out.toFile()).start();
      boolean ended = false;
      try {
        ended = process.waitFor(minutes, TimeUnit.MINUTES);
        if (!ended) {
          new ProcessBuilder("kill", "-QUIT", String.valueOf(process.pid())).start().waitFor();
          process.waitFor(2, TimeUnit.SECONDS);
        }
      } finally {
        process.destroyForcibly().waitFor();
      }
      String text = Files.readString(out, StandardCharsets.ISO_8859_1);
      if (!ended || process.exitValue() != 0) {
        fail((ended ? "exit code " + process.exitValue() : "not over after " + minutes + " minutes")
            + "\nrepeat with " + repeat + "\n" + notes(notes) + text + crash(directory));
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

  private static String notes(Path file) throws IOException {
    if (!Files.exists(file)) {
      return "";
    }
    StringBuilder text = new StringBuilder("notes:\n");
    for (String note : Files.readString(file, StandardCharsets.ISO_8859_1).split("\0+")) {
      text.append("  ").append(note).append('\n');
    }
    return text.toString();
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
