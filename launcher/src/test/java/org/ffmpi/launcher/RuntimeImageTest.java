// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.module.ModuleFinder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The launcher as a module: in a run-time image that jlink has made, and on a module path. */
@Timeout(300)
class RuntimeImageTest {
  private static final String MPIRUN = "org.ffmpi.launcher/org.ffmpi.launcher.MpirunMain";
  private static final String PROGRAM = "org.example.app/org.example.app.Main";

  private static final String DESCRIPTOR =
      """
      module org.example.app {
        requires org.ffmpi.api;
      }
      """;

  private static final String SOURCE =
      """
      package org.example.app;

      import org.ffmpi.Buf;
      import org.ffmpi.Mpi;
      import org.ffmpi.Op;

      public class Main {
        public static void main(String[] arguments) {
          Mpi.run(arguments, mpi -> {
            int[] sum = {mpi.world().rank() + 1};
            mpi.world().allreduce(Buf.of(sum), Op.SUM);
            if (mpi.world().rank() == 0) {
              System.out.println(mpi.world().size() + " ranks, sum " + sum[0] + ", " + arguments.length + " arguments");
            }
          });
        }
      }
      """;

  @TempDir private static Path folder;

  private static String modules;
  private static Path program;
  private static Path image;

  private record Answer(int exitCode, String output) {}

  @BeforeAll
  static void makeImage() throws IOException {
    List<String> libraries = Libraries.located();
    assumeTrue(
        ModuleFinder.of(libraries.stream().map(Path::of).toArray(Path[]::new)).find("org.ffmpi.shm").isPresent(),
        "the library is tested as classes without descriptors");
    modules = String.join(File.pathSeparator, libraries);
    Path sources = Files.createDirectories(folder.resolve("sources"));
    Path descriptor = Files.writeString(sources.resolve("module-info.java"), DESCRIPTOR);
    Path main = Files.writeString(sources.resolve("Main.java"), SOURCE);
    program = folder.resolve("program");
    tool("javac", "-p", modules, "-d", program.toString(), descriptor.toString(), main.toString());
    image = folder.resolve("image");
    tool(
        "jlink", "--module-path", modules + File.pathSeparator + program,
        "--add-modules", "org.ffmpi.launcher,org.example.app,java.instrument", "--launcher", "mpirun=" + MPIRUN,
        "--add-options=--enable-native-access=org.ffmpi.base,org.ffmpi.shm", "--output", image.toString());
  }

  private static void tool(String name, String... arguments) {
    StringWriter said = new StringWriter();
    PrintWriter writer = new PrintWriter(said);
    int code = ToolProvider.findFirst(name).orElseThrow().run(writer, writer, arguments);
    assertEquals(0, code, () -> name + ": " + said);
  }

  private static Answer run(String... command) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("FFMPI_AOT_FOLDER", folder.resolve("caches").toString());
    Process process = builder.start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Answer(process.waitFor(), output);
  }

  /** Runs the launcher of the image. */
  private static Answer mpirun(String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(image.resolve("bin/java").toString(), "-m", MPIRUN));
    command.addAll(List.of(words));
    return run(command.toArray(String[]::new));
  }

  @Test
  void ranksRunOnTheImage() throws Exception {
    Answer expected = new Answer(0, "3 ranks, sum 6, 1 arguments\n");
    assertEquals(expected, mpirun("-n", "3", "-m", PROGRAM, "x"));
    assertEquals(expected, run(image.resolve("bin/mpirun").toString(), "-n", "3", "-m", PROGRAM, "x"));
  }

  @Test
  void aProgramOnTheClassPathFindsTheLibraryInTheImage() throws Exception {
    Path source = Files.createDirectories(folder.resolve("plain")).resolve("Main.java");
    Files.writeString(source, SOURCE.replace("org.example.app", "org.example.plain"));
    Path classes = folder.resolve("classes");
    tool("javac", "-cp", modules, "-d", classes.toString(), source.toString());
    Answer answer = mpirun("-n", "2", "-cp", classes.toString(), "org.example.plain.Main");
    assertEquals(new Answer(0, "2 ranks, sum 3, 0 arguments\n"), answer);
  }

  @Test
  void callsAreShownInAnImage() throws Exception {
    Answer answer = mpirun("-n", "2", "--profile", "-m", PROGRAM);
    assertEquals(0, answer.exitCode(), answer.output());
    assertTrue(answer.output().lines().anyMatch("2 ranks, sum 3, 0 arguments"::equals), answer.output());
    long tables = answer.output().lines().filter(l -> l.startsWith("ffmpi: MPI_Allreduce ")).count();
    assertEquals(2, tables, answer.output());
  }

  @Test
  void theLauncherOnAModulePathHandsItOn() throws Exception {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Answer answer =
        run(
            java.toString(), "--enable-native-access=org.ffmpi.base,org.ffmpi.shm", "-p", modules, "-m", MPIRUN, "-n",
            "2", "-p", program.toString(), "-m", PROGRAM);
    assertEquals(new Answer(0, "2 ranks, sum 3, 0 arguments\n"), answer);
  }

  @Test
  void whatTheImageLacksIsNamed() throws Exception {
    Answer vector = mpirun("-n", "2", "--vector", "on", "-m", PROGRAM);
    assertEquals(1, vector.exitCode(), vector.output());
    assertTrue(vector.output().startsWith("mpirun: --vector needs the module jdk.incubator.vector"), vector.output());
    Path source = Files.writeString(folder.resolve("Single.java"), "void main() { }");
    Answer compiler = mpirun("-n", "2", source.toString());
    assertEquals(1, compiler.exitCode(), compiler.output());
    assertTrue(
        compiler.output().startsWith("mpirun: a program given as a source file needs the module jdk.compiler, which"),
        compiler.output());
    Answer module = mpirun("-n", "2", "-m", "org.example.other");
    assertEquals(1, module.exitCode(), module.output());
    assertTrue(
        module.output().startsWith("mpirun: module org.example.other is not on the module path (none given), nor in "),
        module.output());
    Answer engine =
        run(image.resolve("bin/java").toString(), "--limit-modules", "org.example.app", "-m", PROGRAM);
    assertEquals(1, engine.exitCode(), engine.output());
    assertTrue(
        engine.output().contains("no engine found: make the run-time image with jlink --add-modules org.ffmpi.shm"),
        engine.output());
  }
}
