// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.ffmpi.launcher.command.Libraries;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A program's own start-up cache. */
@Tag("process")
@Timeout(240)
class TrainTest {
  private static final String SOURCE =
      """
      package org.example.sends;

      import org.ffmpi.Buf;
      import org.ffmpi.Mpi;
      import org.ffmpi.Op;

      class Main {
        void main(String[] arguments) {
          if (Mpi.isInitialized() || Mpi.isFinalized()) {
            throw new AssertionError("this is a new process");
          }
          for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith("ffmpi")) {
              throw new AssertionError("somebody else's thread: " + thread);
            }
          }
          Mpi.run(arguments, mpi -> {
            int[] token = {mpi.world().rank()};
            if (token[0] == 0) {
              mpi.world().send(Buf.of(token), 1, 5);
              System.out.println("sent " + String.join(" ", arguments));
            } else {
              mpi.world().recv(Buf.of(token), 0, 5);
            }
          });
        }
      }

      class Reduces {
        static void main() {
          Mpi.run(null, mpi -> {
            double[] sum = {1};
            mpi.world().allreduce(Buf.of(sum), Op.SUM);
            if (mpi.world().rank() == 0) {
              System.out.println("sum " + sum[0]);
            }
          });
        }
      }
      """;

  @TempDir private Path folder;

  private record Answer(int exitCode, String output) {}

  /** Returns the library as jars, since a cache can be made of nothing else. */
  private String library() throws IOException {
    List<String> jars = new ArrayList<>();
    for (String entry : Libraries.located()) {
      Path jar = Path.of(entry);
      if (Files.isDirectory(jar)) {
        jar = folder.resolve("library-" + jars.size() + ".jar");
        tool("jar", "--create", "--no-compress", "--file", jar.toString(), "-C", entry, ".");
      }
      jars.add(jar.toString());
    }
    return String.join(File.pathSeparator, jars);
  }

  private Path program() throws IOException {
    Path source = Files.writeString(Files.createDirectories(folder.resolve("source")).resolve("Main.java"), SOURCE);
    Path classes = folder.resolve("classes");
    tool("javac", "-cp", System.getProperty("java.class.path"), "-d", classes.toString(), source.toString());
    Path jar = folder.resolve("program.jar");
    tool("jar", "--create", "--file", jar.toString(), "--main-class", "org.example.sends.Main", "-C",
        classes.toString(), ".");
    return jar;
  }

  private static void tool(String name, String... arguments) {
    StringWriter said = new StringWriter();
    PrintWriter writer = new PrintWriter(said);
    int code = ToolProvider.findFirst(name).orElseThrow().run(writer, writer, arguments);
    assertEquals(0, code, () -> name + ": " + said);
  }

  private Answer mpirun(String library, String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-cp", library, MpirunMain.class.getName()));
    command.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("FFMPI_AOT_FOLDER", folder.resolve("caches").toString());
    Process process = builder.start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Answer(process.waitFor(), output);
  }

  @Test
  void theCacheOfAProgramThatOnlySendsHoldsCollectives() throws Exception {
    String library = library();
    String program = program().toString();
    Answer trained = mpirun(library, "-n", "2", "--train", "-jar", program, "a", "b");
    assertEquals(0, trained.exitCode(), trained.output());
    List<String> said = trained.output().lines().toList();
    assertEquals("sent a b", said.getFirst());
    assertTrue(said.getLast().startsWith("mpirun: start-up cache: "), trained.output());
    assertEquals(2, said.size(), trained.output());
    List<Path> caches;
    try (Stream<Path> entries = Files.list(folder.resolve("caches"))) {
      caches = entries.toList();
    }
    assertEquals(1, caches.size(), caches.toString());

    // The cache of a main class is not looked for when another one runs.
    String cache = "-XX:AOTCache=" + caches.getFirst();
    Answer other = mpirun(library, "-n", "2", cache, logged("other"), "-cp", program, "org.example.sends.Reduces");
    assertEquals(new Answer(0, "sum 2.0\n"), other);
    for (List<String> loaded : logs("other")) {
      List<String> collectives = loaded.stream().filter(TrainTest::isOfCollectives).toList();
      assertFalse(collectives.isEmpty());
      assertEquals(List.of(), collectives.stream().filter(l -> !isShared(l)).toList());
    }

    // An ordinary start takes its classes from the cache, although another main class was recorded.
    assertEquals(new Answer(0, "sent c\n"), mpirun(library, "-n", "2", logged("same"), "-jar", program, "c"));
    for (List<String> loaded : logs("same")) {
      assertTrue(loaded.stream().anyMatch(l -> l.contains(" org.example.sends.Main ") && isShared(l)));
    }
  }

  private String logged(String name) {
    return "-Xlog:class+load:file=" + folder.resolve(name) + ".%p";
  }

  /** Returns what the JVMs of two ranks have loaded. */
  private List<List<String>> logs(String name) throws IOException {
    List<List<String>> result = new ArrayList<>();
    try (Stream<Path> entries = Files.list(folder)) {
      for (Path log : entries.filter(e -> e.getFileName().toString().startsWith(name + ".")).toList()) {
        result.add(Files.readAllLines(log));
      }
    }
    assertEquals(2, result.size());
    return result;
  }

  /** Returns whether a class of the collectives' jar is loaded; no cache keeps those that the JVM makes beside them. */
  private static boolean isOfCollectives(String line) {
    return line.contains(" org.ffmpi.collectives.") && !line.contains("$$");
  }

  private static boolean isShared(String line) {
    return line.contains("shared objects file");
  }
}
