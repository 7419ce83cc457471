// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.bench;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * An MPI that can start a suite's programs, ours, also in a dialect of Java MPI, or a C MPI with the settings its
 * experts would give it; where one process is enough, a JVM without launcher, or plain C.
 */
sealed interface Implementation
    permits Implementation.Ffmpi, Implementation.InDialect, Implementation.OverMpi, Implementation.CPeer,
        Implementation.PlainJava, Implementation.PlainC {
  /** Name of this revision in tables and CSV. */
  String OURS = "ffmpi";

  /** Returns the name in tables and CSV. */
  String id();

  /**
   * Returns the command that starts a program.
   *
   * @param program which one
   * @param ranks on how many ranks
   * @param launcherOptions further options of scripts/mpirun or the JVM; C programs take none
   * @param arguments the program's own
   */
  List<String> command(Program program, int ranks, List<String> launcherOptions, List<String> arguments);

  /** Returns whether this is ffmpi, this revision or another, and no peer that it is compared with. */
  default boolean isOurs() {
    return false;
  }

  /**
   * Builds ffmpi or compiles C programs, once and before any run.
   *
   * @param sources folder of the C sources
   * @param programs which of them are needed
   */
  void makeReady(Path sources, List<String> programs) throws IOException, InterruptedException;

  /** Returns environment variables to add. */
  default Map<String, String> environment() {
    return Map.of();
  }

  /** Returns that command with its environment, ready to be started. */
  default ProcessBuilder process(
      Program program, int ranks, List<String> launcherOptions, List<String> arguments) {
    ProcessBuilder builder = new ProcessBuilder(command(program, ranks, launcherOptions, arguments));
    builder.environment().putAll(environment());
    return builder;
  }

  /**
   * A program in both languages.
   *
   * @param c name of the C source without its ending; null where there is no program in C
   * @param java binary name of the Java class
   */
  record Program(String c, String java) {
    /** Returns a program of package {@code org.ffmpi.bench.rank}. */
    static Program ofRanks(String c, String simpleName) {
      return new Program(c, "org.ffmpi.bench.rank." + simpleName);
    }

    /**
     * Returns the class's name in a jar: another revision may have the program in another package.
     *
     * @param classPath the jar, or any other class path, in which the name is as here
     */
    String in(String classPath) {
      Path jar = Path.of(classPath);
      if (!classPath.endsWith(".jar") || !Files.isRegularFile(jar)) {
        return java;
      }
      String simple = java.substring(java.lastIndexOf('.') + 1) + ".class";
      try (JarFile file = new JarFile(jar.toFile())) {
        if (file.getEntry(java.replace('.', '/') + ".class") != null) {
          return java;
        }
        return file.stream().map(JarEntry::getName).filter(n -> n.endsWith("/" + simple)).findFirst()
            .map(n -> n.substring(0, n.length() - ".class".length()).replace('/', '.')).orElse(java);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /**
   * Our own, started as a user would start it.
   *
   * @param id name in tables and CSV
   * @param root where the project lies
   * @param classPath class path of the rank programs
   */
  record Ffmpi(String id, Path root, String classPath) implements Implementation {
    @Override
    public void makeReady(Path sources, List<String> programs) throws IOException, InterruptedException {
      build(root);
    }

    /** Starts a launcher of ours, which then builds the project and its caches. */
    private static void build(Path root) throws IOException, InterruptedException {
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
    public boolean isOurs() {
      return true;
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
      c.add(program.in(classPath));
      c.addAll(arguments);
      return c;
    }
  }

  /**
   * Our own, called by programs that import package {@code mpi}. They are compiled when they are started: the two
   * dialects have classes of the same names.
   *
   * @param id the dialect's name, for scripts/mpirun and in tables and CSV
   * @param root where the project lies
   * @param classPath class path of the classes that the programs share
   */
  record InDialect(String id, Path root, String classPath) implements Implementation {
    @Override
    public void makeReady(Path sources, List<String> programs) throws IOException, InterruptedException {
      Ffmpi.build(root);
    }

    /** Starts the program that has the dialect's name behind its own. */
    @Override
    public List<String> command(Program program, int ranks, List<String> launcherOptions, List<String> arguments) {
      List<String> c = new ArrayList<>();
      c.add(root.resolve("scripts/mpirun").toString());
      c.addAll(List.of("--dialect", id, "-n", Integer.toString(ranks)));
      c.addAll(launcherOptions);
      c.addAll(List.of("-cp", classPath, source(program).toString()));
      c.addAll(arguments);
      return c;
    }

    /** Returns the source file of a program. */
    Path source(Program program) {
      String suffix = id.substring(0, 1).toUpperCase(Locale.ROOT) + id.substring(1);
      return root.resolve("jmh/src/compat").resolve(id).resolve(program.java().replace('.', '/') + suffix + ".java");
    }
  }

  /**
   * Our own between nodes: started by a C library's launcher, over that library's TCP.
   *
   * @param id name in tables and CSV
   * @param kind the library
   * @param nodes over how many nodes the ranks are spread
   * @param classPath class path of the rank programs
   */
  record OverMpi(String id, CPeer.Kind kind, int nodes, String classPath) implements Implementation {
    @Override
    public boolean isOurs() {
      return true;
    }

    @Override
    public Map<String, String> environment() {
      return kind.tcpEnvironment();
    }

    @Override
    public void makeReady(Path sources, List<String> programs) {
      // scripts/bench has built it
    }

    @Override
    public List<String> command(Program program, int ranks, List<String> launcherOptions, List<String> arguments) {
      List<String> c = kind.start(ranks, false);
      c.addAll(kind.tcpOptions());
      String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
      c.addAll(List.of("-np", Integer.toString(ranks), java,
          "--enable-native-access=ALL-UNNAMED", "-Dffmpi.node=" + Math.max(1, ranks / nodes)));
      c.addAll(javaOptions(launcherOptions));
      c.addAll(List.of("-cp", classPath, program.java()));
      c.addAll(arguments);
      return c;
    }

    /** Translates options of scripts/mpirun for a JVM that has another launcher; all others are the JVM's own. */
    private static List<String> javaOptions(List<String> launcherOptions) {
      List<String> options = new ArrayList<>();
      for (int i = 0; i < launcherOptions.size(); i++) {
        if (!launcherOptions.get(i).equals("--vector")) {
          options.add(launcherOptions.get(i));
        } else if (launcherOptions.get(++i).equals("on")) {
          options.add("--add-modules=jdk.incubator.vector");
        }
      }
      return options;
    }
  }

  /** One of the C libraries as Debian packages them, side by side under names of their own. */
  record CPeer(Kind kind, Path binaries, boolean byTcp) implements Implementation {
    /** One that uses all it has on a node. */
    CPeer(Kind kind, Path binaries) {
      this(kind, binaries, false);
    }

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

      /** Returns the library of that name, of which a usage exception reports when it is not on this machine. */
      static Kind installed(String id) {
        Kind kind = of(id);
        String missing = kind.missing();
        if (missing != null) {
          throw new BenchOptions.UsageException(missing);
        }
        return kind;
      }

      /** Returns the launcher and where it puts the ranks; a JVM's compilers need another core than its program. */
      List<String> start(int ranks, boolean binds) {
        boolean crowded = !binds || ranks > Runtime.getRuntime().availableProcessors();
        List<String> c = new ArrayList<>(List.of(starter));
        if (this == OPENMPI) {
          if (System.getProperty("user.name").equals("root")) {
            c.add("--allow-run-as-root");
          }
          c.addAll(crowded
              ? List.of("--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1")
              : List.of("--bind-to", "core", "--map-by", "core"));
        } else if (!crowded) {
          c.addAll(List.of("-bind-to", "core"));
        }
        return c;
      }

      /** Returns options that leave only TCP between the ranks. */
      List<String> tcpOptions() {
        return this == OPENMPI ? List.of("--mca", "pml", "ob1", "--mca", "btl", "tcp,self") : List.of();
      }

      /** Returns variables that leave only TCP between the ranks. */
      Map<String, String> tcpEnvironment() {
        return this == MPICH ? Map.of("UCX_TLS", "tcp,self") : Map.of();
      }

      /** Returns a sentence on the tool that this machine lacks, or null. */
      String missing() {
        for (String tool : List.of(compiler, starter)) {
          if (!CCompiler.onPath(tool)) {
            return "--vs " + id + " needs " + tool + ", which is not on the PATH: apt-get install " + packages;
          }
        }
        return null;
      }
    }

    @Override
    public String id() {
      return kind.id;
    }

    @Override
    public Map<String, String> environment() {
      if (byTcp) {
        return kind.tcpEnvironment();
      }
      // Shared memory and cross-memory attach only: without this UCX also brings up whatever network it finds.
      return kind == Kind.MPICH ? Map.of("UCX_TLS", "posix,cma,self") : Map.of();
    }

    @Override
    public List<String> command(Program program, int ranks, List<String> launcherOptions, List<String> arguments) {
      List<String> c = kind.start(ranks, true);
      if (kind == Kind.OPENMPI) {
        boolean spawns = program.c().equals("spawn"); // its shared memory does not reach processes that are spawned
        c.addAll(byTcp || spawns ? kind.tcpOptions() : List.of("--mca", "pml", "ob1", "--mca", "btl", "vader,self",
            "--mca", "btl_vader_fbox_size", "16384", "--mca", "btl_vader_eager_limit", "8192"));
        if (spawns) {
          c.add("--oversubscribe");
        }
        if (program.c().equals("rma")) {
          c.addAll(List.of("--mca", "osc", "sm")); // the default ends with a segmentation fault at a compare-and-swap
        }
      }
      c.addAll(List.of("-np", Integer.toString(ranks), binaries.resolve(program.c()).toString()));
      c.addAll(arguments);
      return c;
    }

    @Override
    public void makeReady(Path sources, List<String> programs) throws IOException, InterruptedException {
      CCompiler.compile(kind.compiler, sources, binaries, programs);
    }
  }

  /**
   * A JVM of this JDK, without MPI.
   *
   * @param id name in tables and CSV
   * @param jar the programs
   * @param libraries the rest of the class path
   */
  record PlainJava(String id, String jar, String libraries) implements Implementation {
    @Override
    public boolean isOurs() {
      return true;
    }

    @Override
    public void makeReady(Path sources, List<String> programs) {
      // scripts/bench has built it
    }

    @Override
    public List<String> command(Program program, int ranks, List<String> launcherOptions, List<String> arguments) {
      List<String> c = new ArrayList<>();
      c.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      c.addAll(launcherOptions);
      c.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp", jar + File.pathSeparator + libraries,
          program.in(jar)));
      c.addAll(arguments);
      return c;
    }
  }

  /**
   * C without MPI, compiled by gcc.
   *
   * @param binaries where the programs are put
   */
  record PlainC(Path binaries) implements Implementation {
    static final String ID = "gcc";

    /** Returns it, or throws with a sentence that begins so when gcc is not on this machine. */
    static PlainC installed(Path root, String neededBy) {
      if (!CCompiler.onPath(ID)) {
        throw new BenchOptions.UsageException(neededBy + ", which is not on the PATH: apt-get install gcc");
      }
      return new PlainC(root.resolve("jmh/target/c/" + ID));
    }

    @Override
    public String id() {
      return ID;
    }

    @Override
    public void makeReady(Path sources, List<String> programs) throws IOException, InterruptedException {
      CCompiler.compile(ID, sources, binaries, programs);
    }

    @Override
    public List<String> command(Program program, int ranks, List<String> launcherOptions, List<String> arguments) {
      List<String> c = new ArrayList<>();
      c.add(binaries.resolve(program.c()).toString());
      c.addAll(arguments);
      return c;
    }
  }
}
