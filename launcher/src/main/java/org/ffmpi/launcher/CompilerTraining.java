// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/** Makes the start-up cache of the compiler for programs that are given as source files. */
final class CompilerTraining {
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

  private CompilerTraining() {}

  /**
   * Compiles an example and makes a start-up cache of it. Then this JVM has the example compiled as a job would, and
   * looks for what was kept of it: its own cache, should it be making one, is to hold that too.
   *
   * @param users the user's folder for caches
   */
  static void run(Path users) {
    List<String> options = CompilerProcess.jvmOptions(List.of());
    StartupCache cache = CompilerProcess.cache(users, options);
    if (cache == null) {
      return;
    }
    Path folder = cache.file().getParent();
    try {
      Trust.makeFolder(folder);
      Path own = Files.createTempDirectory(folder, "compiler-");
      try {
        Path source = Files.writeString(own.resolve("Example.java"), EXAMPLE);
        Path made = own.resolve("compiler.aot");
        String libraries = String.join(File.pathSeparator, Libraries.ofMpirun());
        record(CompilerProcess.command(
            options, List.of("-XX:AOTCacheOutput=" + made), source.toString(), List.of("-classpath", libraries)));
        Files.move(made, cache.file(), StandardCopyOption.ATOMIC_MOVE);
        cache.deletePredecessors();
        Program program =
            new Program(
                1, List.of(), libraries, Program.Kind.SOURCE, source.toString(), List.of(), Map.of(), Map.of());
        RankCommand command = new RankCommand(program, Libraries.ofMpirun(), true, false);
        for (int i = 0; i < 2; i++) {
          new CompiledPrograms(own, true, OutputStream.nullOutputStream()).compiled(program, command, false);
        }
      } finally {
        delete(own);
      }
    } catch (IOException e) {
      throw new MpiException(
          ErrorClass.ERR_IO, "the compiler's start-up cache cannot be written to " + folder + ": " + e, e);
    }
  }

  private static void record(List<String> command) throws IOException {
    try {
      Process process =
          new ProcessBuilder(command).redirectErrorStream(true).redirectInput(new File("/dev/null")).start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int code = process.waitFor();
      if (code != 0) {
        throw new IOException("java ended with exit code " + code + ": " + said.strip());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MpiException(ErrorClass.ERR_OTHER, "interrupted while java made the compiler's start-up cache", e);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
