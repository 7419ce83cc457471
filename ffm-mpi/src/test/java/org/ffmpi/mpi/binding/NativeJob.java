// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.mpi.binding;

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

/** The launchers and compilers of the installed C libraries. */
final class NativeJob {
  /** Longest time of a job, on a machine that builds other things too. */
  private static final int SECONDS = 100;

  private NativeJob() {}

  /**
   * What a job has said.
   *
   * @param exitCode how it has ended
   * @param output both streams
   */
  record Answer(int exitCode, String output) {}

  /** One of the C libraries, and the options that make it use TCP alone. */
  enum Installed {
    OPEN_MPI(MpiAbi.OPEN_MPI, "mpirun.openmpi", "mpicc.openmpi",
        List.of("--allow-run-as-root", "--oversubscribe"),
        List.of("--mca", "pml", "ob1", "--mca", "btl", "tcp,self", "--mca", "btl_tcp_if_include", "lo"), Map.of()),
    MPICH(MpiAbi.MPICH, "mpiexec.mpich", "mpicc.mpich", List.of(), List.of(),
        Map.of("UCX_TLS", "tcp,self", "MPIR_CVAR_NOLOCAL", "1"));

    final MpiAbi abi;
    final String launcher;
    final String compiler;
    private final List<String> options;
    private final List<String> tcpOptions;
    private final Map<String, String> tcpVariables;

    Installed(MpiAbi abi, String launcher, String compiler, List<String> options, List<String> tcpOptions,
        Map<String, String> tcpVariables) {
      this.abi = abi;
      this.launcher = launcher;
      this.compiler = compiler;
      this.options = options;
      this.tcpOptions = tcpOptions;
      this.tcpVariables = tcpVariables;
    }

    /** Runs a class in several JVMs. */
    Answer run(int ranks, boolean tcp, List<String> jvmOptions, Class<?> program, String... args)
        throws IOException, InterruptedException {
      assumeThere(launcher);
      List<String> command = new ArrayList<>(List.of(launcher));
      command.addAll(options);
      command.addAll(tcp ? tcpOptions : List.of());
      String java = Path.of(System.getProperty("java.home"), "bin/java").toString();
      command.addAll(List.of("-n", String.valueOf(ranks), java,
          "--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-Xmx256m", "-cp",
          System.getProperty("java.class.path")));
      command.addAll(jvmOptions);
      command.add(program.getName());
      command.addAll(List.of(args));
      return NativeJob.run(command, tcp ? tcpVariables : Map.of());
    }
  }

  /** Skips the test where a program is not installed, with a line of output. */
  static void assumeThere(String program) {
    boolean there = System.getenv("FFMPI_TEST_NO_MPI") == null
        && Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .anyMatch(entry -> !entry.isEmpty() && Files.isExecutable(Path.of(entry, program)));
    if (!there) {
      System.out.println("ffm-mpi: no " + program + " on the PATH; tests with it are skipped");
    }
    assumeTrue(there, "no " + program + " on the PATH");
  }

  static Answer run(List<String> command, Map<String, String> variables) throws IOException, InterruptedException {
    Path output = Files.createTempFile("native-job", ".txt");
    try {
      ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
      builder.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
      builder.environment().putAll(variables);
      Process process = builder.start();
      if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
        process.destroy();
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
          process.descendants().forEach(ProcessHandle::destroyForcibly);
          process.destroyForcibly().waitFor();
        }
        return new Answer(-1, Files.readString(output) + "\nended after " + SECONDS + " s: " + command);
      }
      return new Answer(process.exitValue(), Files.readString(output));
    } finally {
      Files.deleteIfExists(output);
    }
  }
}
