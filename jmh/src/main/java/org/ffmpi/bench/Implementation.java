// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Something that can start the suite's programs: ours, or a C MPI with the settings its experts would give it. */
sealed interface Implementation permits Implementation.Ffmpi, Implementation.CPeer {
  /** Returns the name in tables and CSV. */
  String id();

  /**
   * Returns the command that starts a program.
   *
   * @param program which one
   * @param ranks on how many ranks
   * @param launcherOptions further options of scripts/mpirun; C peers take none
   * @param arguments the program's own
   */
  List<String> command(Program program, int ranks, List<String> launcherOptions, List<String> arguments);

  /** Returns environment variables to add. */
  default Map<String, String> environment() {
    return Map.of();
  }

  /**
   * A program in both languages.
   *
   * @param c name of the C source without its ending
   * @param java binary name of the Java class
   */
  record Program(String c, String java) {}

  /**
   * Our own, started as a user would start it.
   *
   * @param root where the project lies
   * @param classPath class path of the rank programs
   */
  record Ffmpi(Path root, String classPath) implements Implementation {
    /** Lets scripts/mpirun build and prepare whatever it wants to, so that it does not do so within a run. */
    void makeReady() throws IOException, InterruptedException {
      List<String> command = List.of(root.resolve("scripts/mpirun").toString(), "--version");
      Process p = new ProcessBuilder(command)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .redirectError(ProcessBuilder.Redirect.INHERIT)
          .start();
      if (p.waitFor() != 0) {
        throw new IOException(String.join(" ", command) + " ended with exit code " + p.exitValue());
      }
    }

    @Override
    public String id() {
      return "ffmpi";
    }

    @Override
    public List<String> command(Program program, int ranks, List<String> launcherOptions, List<String> arguments) {
      List<String> c = new ArrayList<>();
      c.add(root.resolve("scripts/mpirun").toString());
      c.add("-n");
      c.add(Integer.toString(ranks));
      c.addAll(launcherOptions);
      c.add("-cp");
      c.add(classPath);
      c.add(program.java());
      c.addAll(arguments);
      return c;
    }
  }

  /** One of the C libraries as Debian packages them, side by side under names of their own. */
  record CPeer(Kind kind, Path binaries) implements Implementation {
    /** The libraries that are known, what their tools are called and where those come from. */
    enum Kind {
      OPENMPI("openmpi", "mpicc.openmpi", "mpirun.openmpi", "openmpi-bin libopenmpi-dev"),
      MPICH("mpich", "mpicc.mpich", "mpiexec.mpich", "mpich libmpich-dev");

      final String id;
      final String compiler;
      final String starter;
      final String packages;

      Kind(String id, String compiler, String starter, String packages) {
        this.id = id;
        this.compiler = compiler;
        this.starter = starter;
        this.packages = packages;
      }

      static Kind of(String id) {
        for (Kind k : values()) {
          if (k.id.equals(id)) {
            return k;
          }
        }
        throw new BenchOptions.UsageException("--vs " + id + ": known are openmpi, mpich and none");
      }

      /** Returns what is missing on this machine, or null. */
      String missing() {
        for (String tool : List.of(compiler, starter)) {
          if (!onPath(tool)) {
            return "--vs " + id + " needs " + tool + ", which is not on the PATH: apt-get install " + packages;
          }
        }
        return null;
      }

      private static boolean onPath(String tool) {
        for (String folder : System.getenv().getOrDefault("PATH", "").split(":")) {
          if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, tool))) {
            return true;
          }
        }
        return false;
      }
    }

    @Override
    public String id() {
      return kind.id;
    }

    @Override
    public Map<String, String> environment() {
      // Shared memory and cross-memory attach only: without this UCX also brings up whatever network it finds.
      return kind == Kind.MPICH ? Map.of("UCX_TLS", "posix,cma,self") : Map.of();
    }

    @Override
    public List<String> command(Program program, int ranks, List<String> launcherOptions, List<String> arguments) {
      boolean crowded = ranks > Runtime.getRuntime().availableProcessors();
      List<String> c = new ArrayList<>();
      c.add(kind.starter);
      if (kind == Kind.OPENMPI) {
        if (System.getProperty("user.name").equals("root")) {
          c.add("--allow-run-as-root");
        }
        c.addAll(crowded
            ? List.of("--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1")
            : List.of("--bind-to", "core", "--map-by", "core"));
        c.addAll(List.of("--mca", "pml", "ob1", "--mca", "btl", "vader,self",
            "--mca", "btl_vader_fbox_size", "16384", "--mca", "btl_vader_eager_limit", "8192"));
      } else if (!crowded) {
        c.addAll(List.of("-bind-to", "core"));
      }
      c.addAll(List.of("-np", Integer.toString(ranks), binaries.resolve(program.c()).toString()));
      c.addAll(arguments);
      return c;
    }

    /** Compiles the programs whose binaries are older than their sources. */
    void compile(Path sources, List<String> programs) throws IOException, InterruptedException {
      Files.createDirectories(binaries);
      Path header = sources.resolve("bench.h");
      for (String program : programs) {
        Path source = sources.resolve(program + ".c");
        Path binary = binaries.resolve(program);
        if (Files.exists(binary) && newer(binary, source) && newer(binary, header)) {
          continue;
        }
        // mpich declares MPI_STATUSES_IGNORE in a way that gcc takes for an array that is too short.
        List<String> command = List.of(kind.compiler, "-O3", "-march=native", "-Wall", "-Wextra",
            "-Wno-unused-function", "-Wno-stringop-overflow", "-o", binary.toString(), source.toString());
        Process p = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(p.getInputStream().readAllBytes());
        if (p.waitFor() != 0) {
          throw new IOException(String.join(" ", command) + " failed:\n" + said);
        }
        System.err.print(said);
      }
    }

    private static boolean newer(Path a, Path b) throws IOException {
      return Files.getLastModifiedTime(a).compareTo(Files.getLastModifiedTime(b)) > 0;
    }
  }
}
