// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.nodes;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The C libraries that may be installed, told to use TCP alone: then one machine is as good as several. */
enum InstalledMpi {
  OPEN_MPI("mpirun.openmpi",
      List.of("--allow-run-as-root", "--oversubscribe", "--mca", "pml", "ob1", "--mca", "btl", "tcp,self",
          "--mca", "btl_tcp_if_include", "lo"), Map.of()),
  MPICH("mpiexec.mpich", List.of(), Map.of("UCX_TLS", "tcp,self", "MPIR_CVAR_NOLOCAL", "1"));

  private static final int SECONDS = 120;

  private final String launcher;
  private final List<String> options;
  private final Map<String, String> variables;

  InstalledMpi(String launcher, List<String> options, Map<String, String> variables) {
    this.launcher = launcher;
    this.options = options;
    this.variables = variables;
  }

  /**
   * What a job has said.
   *
   * @param code exit code of the launcher; -1: it was not over in time
   * @param output both streams
   */
  record Answer(int code, String output) {}

  /** Runs a class as so many ranks, divided into nodes; {@code errors} is what errors of calls do. */
  Answer run(int ranks, String nodes, String errors, Path shm, Class<?> program, String... args)
      throws IOException, InterruptedException {
    assumeThere();
    List<String> command = new ArrayList<>(List.of(launcher));
    command.addAll(options);
    command.addAll(List.of(
        "-n", String.valueOf(ranks), Path.of(System.getProperty("java.home"), "bin/java").toString(),
        "--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m",
        "-XX:-CreateCoredumpOnCrash", "-XX:ErrorFile=" + shm.resolve("hs_err"), "-Dffmpi.node=" + nodes,
        "-Dffmpi.errors=" + errors, "-Dffmpi.shm.directory=" + shm, "-cp",
        System.getProperty("java.class.path"), program.getName()));
    command.addAll(List.of(args));
    Path output = Files.createTempFile("ffmpi-nodes-", ".txt");
    try {
      ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
      builder.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
      builder.environment().putAll(variables);
      Process process = builder.start();
      if (process.waitFor(SECONDS, TimeUnit.SECONDS)) {
        return new Answer(process.exitValue(), Files.readString(output));
      }
      List<ProcessHandle> descendants = process.descendants().toList();
      for (ProcessHandle descendant : descendants) { // a JVM prints its stacks
        new ProcessBuilder("kill", "-QUIT", String.valueOf(descendant.pid())).start().waitFor();
      }
      process.waitFor(1, TimeUnit.SECONDS);
      descendants.forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
      return new Answer(-1, Files.readString(output) + "\nnot over after " + SECONDS + " s: " + command);
    } finally {
      Files.deleteIfExists(output);
    }
  }

  private void assumeThere() {
    boolean there = System.getenv("FFMPI_TEST_NO_MPI") == null
        && Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .anyMatch(entry -> !entry.isEmpty() && Files.isExecutable(Path.of(entry, launcher)));
    if (!there) {
      System.out.println("no " + launcher + " on the PATH: tests over this MPI are skipped");
    }
    assumeTrue(there, "no " + launcher + " on the PATH");
  }
}
