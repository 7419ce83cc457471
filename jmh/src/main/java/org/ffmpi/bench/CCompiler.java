// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Compiles the C programs, as fast as gcc can make them. */
final class CCompiler {
  /** Functions of a header that one program does not use; mpich's too short array that MPI_STATUSES_IGNORE seems. */
  private static final List<String> OPTIONS = List.of(
      "-O3", "-march=native", "-Wall", "-Wextra", "-Wno-unused-function", "-Wno-stringop-overflow");

  private CCompiler() {}

  /**
   * Compiles the programs whose binaries are older than their sources or any header.
   *
   * @param compiler gcc, or a wrapper of it
   * @param sources folder of the sources
   * @param binaries folder of the results
   * @param programs names without ending
   */
  static void compile(String compiler, Path sources, Path binaries, List<String> programs)
      throws IOException, InterruptedException {
    Files.createDirectories(binaries);
    FileTime headers = newestHeader(sources);
    for (String program : programs) {
      Path source = sources.resolve(program + ".c");
      Path binary = binaries.resolve(program);
      if (Files.exists(binary) && newer(binary, Files.getLastModifiedTime(source)) && newer(binary, headers)) {
        continue;
      }
      List<String> command = new ArrayList<>(List.of(compiler));
      command.addAll(OPTIONS);
      command.addAll(List.of("-o", binary.toString(), source.toString(), "-lm"));
      Process p = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said = new String(p.getInputStream().readAllBytes());
      if (p.waitFor() != 0) {
        throw new IOException(String.join(" ", command) + " failed:\n" + said);
      }
      System.err.print(said);
    }
  }

  /** Returns whether the PATH has a program of this name. */
  static boolean onPath(String tool) {
    for (String folder : System.getenv().getOrDefault("PATH", "").split(":")) {
      if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, tool))) {
        return true;
      }
    }
    return false;
  }

  private static FileTime newestHeader(Path sources) throws IOException {
    FileTime newest = FileTime.fromMillis(0);
    try (Stream<Path> files = Files.list(sources)) {
      for (Path header : files.filter(f -> f.toString().endsWith(".h")).toList()) {
        FileTime time = Files.getLastModifiedTime(header);
        newest = time.compareTo(newest) > 0 ? time : newest;
      }
    }
    return newest;
  }

  private static boolean newer(Path file, FileTime than) throws IOException {
    return Files.getLastModifiedTime(file).compareTo(than) > 0;
  }
}
