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
          "--mca", "btl_tcp_if_include", "lo"), Map.of(), true),
  MPICH("mpiexec.mpich", List.of(), Map.of("UCX_TLS", "tcp,self", "MPIR_CVAR_NOLOCAL", "1"), false);

  /** The code of a job that was ended once all of its ranks were done. */
  static final int DONE = 0;

  private static final int SECONDS = 120;
  private static final int LOOK_MILLIS = 50;

  private final String launcher;
  private final List<String> options;
  private final Map<String, String> variables;
  private final boolean endsWell;

  InstalledMpi(String launcher, List<String> options, Map<String, String> variables, boolean endsWell) {
    this.launcher = launcher;
    this.options = options;
    this.variables = variables;
    this.endsWell = endsWell;
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
    return run(ranks, nodes, errors, shm, null, program, args);
  }

  /**
   * Runs a class as so many ranks until each of them has said {@code done}. What follows is the C library's end: of a
   * library whose end can be relied upon, the exit code of the launcher is waited for. Debian's MPICH over UCX and TCP
   * may hang in {@code MPI_Finalize}, in C programs as well, so that a job of MPICH is ended here instead: its code is
   * then {@link #DONE}, and it may not have ended as a failure before.
   */
  Answer runUntil(String done, int ranks, String nodes, Path shm, Class<?> program, String... args)
      throws IOException, InterruptedException {
    return run(ranks, nodes, "return", shm, endsWell ? null : done, program, args);
  }

  private Answer run(
      int ranks, String nodes, String errors, Path shm, String done, Class<?> program, String... args)
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
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
      while (!process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS) && System.nanoTime() - deadline < 0) {
        if (done != null && Files.readString(output).lines().filter(done::equals).count() == ranks
            && !process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
          end(process);
          return new Answer(DONE, Files.readString(output));
        }
      }
      if (!process.isAlive()) {
        return new Answer(process.exitValue(), Files.readString(output));
      }
      List<ProcessHandle> descendants = process.descendants().toList();
      for (ProcessHandle descendant : descendants) { // a JVM prints its stacks
        new ProcessBuilder("kill", "-QUIT", String.valueOf(descendant.pid())).start().waitFor();
      }
      process.waitFor(1, TimeUnit.SECONDS);
      end(process);
      return new Answer(-1, Files.readString(output) + "\nnot over after " + SECONDS + " s: " + command);
    } finally {
      Files.deleteIfExists(output);
    }
  }

  /** Ranks of Hydra end with its proxy; those that are left are ended one by one. */
  private static void end(Process process) throws InterruptedException {
    List<ProcessHandle> descendants = process.descendants().toList();
    descendants.forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly().waitFor();
    for (ProcessHandle descendant : descendants) {
      while (descendant.isAlive()) {
        Thread.sleep(1);
      }
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
