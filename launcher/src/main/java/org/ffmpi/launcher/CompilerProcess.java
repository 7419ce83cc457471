// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/**
 * Runs the {@link SourceCompiler}. It has a JVM of its own, with a start-up cache of its own: in the launcher's cache
 * javac's classes would cost every start, and the launcher's JIT is set for a life that is over in a moment.
 */
final class CompilerProcess {
  private static final String MODULE = "jdk.compiler";

  /** Compiled to see what compiling takes. */
  private static final String EXAMPLE =
      """
      import java.util.List;
      import org.ffmpi.*;

      public class Example {
        record Pair(int rank, double value) {}

        public static void main(String[] args) {
          Mpi.run(args, mpi -> {
            IntraComm world = mpi.world();
            int[] sum = {world.rank()};
            world.allreduce(Buf.of(sum), Op.SUM);
            double[] row = new double[16];
            for (int i = 0; i < row.length; i++) {
              row[i] = Math.sqrt(i + world.rank());
            }
            try (Requests requests = world.requests()) {
              requests.isend(row, (world.rank() + 1) % world.size(), 0);
              requests.irecv(new double[16], (world.rank() + world.size() - 1) % world.size(), 0);
              requests.await();
            }
            Pair pair = new Pair(world.rank(), row[0]);
            String text = switch (pair.rank()) {
              case 0 -> "first";
              default -> "rank " + pair.rank();
            };
            System.out.printf("%s of %d: %d %s%n", text, world.size(), sum[0], List.of(1, 2));
          });
        }
      }
      """;

  private CompilerProcess() {}

  /**
   * What the compiler says.
   *
   * @param said its text: errors and warnings
   * @param about what there is to know of the program; null when it does not compile
   * @param jar its classes
   */
  record Answer(byte[] said, CompiledSource about, byte[] jar) {}

  /**
   * Compiles a program.
   *
   * @param users the user's folder for caches
   * @param source the source file
   * @param jvm options of the compiling JVM
   * @param options options of javac
   * @return what the compiler says
   * @throws MpiException ERR_SPAWN when it says nothing
   */
  static Answer compile(Path users, String source, List<String> jvm, List<String> options) {
    List<String> jvmOptions = jvmOptions(jvm);
    StartupCache cache = cache(users, jvmOptions);
    List<String> command =
        command(
            jvmOptions, cache != null && cache.exists() ? List.of("-XX:AOTCache=" + cache.file()) : List.of(), source,
            options);
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .redirectInput(new File("/dev/null"))
              .start();
      try (DataInputStream in = new DataInputStream(new BufferedInputStream(process.getInputStream()))) {
        byte[] said = in.readNBytes(in.readInt());
        return in.readBoolean()
            ? new Answer(said, CompiledSource.read(in), in.readNBytes(in.readInt()))
            : new Answer(said, null, null);
      } catch (IOException e) {
        process.destroyForcibly();
        throw e;
      }
    } catch (IOException e) {
      throw new MpiException(ErrorClass.ERR_SPAWN, "the compiler of source file " + source + " failed: " + e, e);
    }
  }

  /**
   * Makes the start-up cache of the compiler, where it can have one.
   *
   * @param users the user's folder for caches
   */
  static void train(Path users) {
    List<String> jvmOptions = jvmOptions(List.of());
    StartupCache cache = cache(users, jvmOptions);
    if (cache == null) {
      return;
    }
    Path folder = cache.file().getParent();
    Path made = folder.resolve("making-compiler-" + ProcessHandle.current().pid() + ".aot");
    try {
      Path source = Files.createTempDirectory(folder, "example-").resolve("Example.java");
      try {
        Files.writeString(source, EXAMPLE);
        List<String> options = List.of("-classpath", String.join(File.pathSeparator, Libraries.ofMpirun()));
        int code =
            new ProcessBuilder(
                command(jvmOptions, List.of("-XX:AOTCacheOutput=" + made), source.toString(), options))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .redirectInput(new File("/dev/null"))
                .start()
                .waitFor();
        if (code != 0 || !Files.exists(made)) {
          throw new MpiException(
              ErrorClass.ERR_OTHER, "java made no start-up cache of the compiler (exit code " + code + ")");
        }
        Files.move(made, cache.file(), StandardCopyOption.ATOMIC_MOVE);
        cache.deletePredecessors();
      } finally {
        Files.deleteIfExists(made);
        Files.deleteIfExists(source);
        Files.deleteIfExists(source.getParent());
      }
    } catch (IOException e) {
      throw new MpiException(ErrorClass.ERR_IO, "the compiler's start-up cache cannot be written to " + folder, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MpiException(ErrorClass.ERR_OTHER, "interrupted while java made the compiler's start-up cache", e);
    }
  }

  private static List<String> jvmOptions(List<String> more) {
    List<String> options =
        new ArrayList<>(
            List.of(
                "-XX:-UsePerfData", "-XX:+UnlockDiagnosticVMOptions", "-XX:ArchiveRelocationMode=0",
                "-XX:TieredStopAtLevel=1", "-Xlog:aot*=off"));
    if (!RankCommand.environmentChoosesCollector()) {
      options.add("-XX:+UseSerialGC");
    }
    options.addAll(more);
    return options;
  }

  /** Names the compiler's cache; null where the compiler is part of the run-time image, which has none. */
  private static StartupCache cache(Path users, List<String> jvmOptions) {
    Path jar = Libraries.launcher();
    return jar == null || Files.isDirectory(jar)
        ? null
        : StartupCache.named(
            StartupCache.libraryFolder(users), jvmOptions, jar.toString(), SourceCompiler.class.getName());
  }

  private static List<String> command(
      List<String> jvmOptions, List<String> cache, String source, List<String> options) {
    ProgramCheck.checkRuntime("a program given as a source file", MODULE);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(jvmOptions);
    command.addAll(cache);
    Path jar = Libraries.launcher();
    String main = SourceCompiler.class.getName();
    if (jar == null) {
      command.addAll(List.of("--add-modules", MODULE, "-m", CompilerProcess.class.getModule().getName() + "/" + main));
    } else {
      command.addAll(List.of("-cp", jar.toString(), main));
    }
    command.add(source);
    command.addAll(options);
    return command;
  }
}
