// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ffmpi.dist.Archive.Answer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A run-time image that jlink makes of ffmpi.jar and a program, as the guide has it; and the launcher as a module. */
@Timeout(300)
class RuntimeImageTest {
  private static final String MPIRUN = "org.ffmpi/org.ffmpi.launcher.MpirunMain";
  private static final String PROGRAM = "org.example.app/org.example.app.Main";

  private static final String DESCRIPTOR =
      """
      module org.example.app {
        requires org.ffmpi;
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

  private static Archive archive;
  private static Path program;
  private static Path image;

  @BeforeAll
  static void makeImage() throws Exception {
    archive = Archive.unpackedIn(folder.resolve("unpacked"));
    Path sources = Files.createDirectories(folder.resolve("sources"));
    Path descriptor = Files.writeString(sources.resolve("module-info.java"), DESCRIPTOR);
    Path main = Files.writeString(sources.resolve("Main.java"), SOURCE);
    program = folder.resolve("program");
    Archive.tool("javac", "-p", archive.jar(), "-d", program, descriptor, main);
    image = folder.resolve("image");
    Archive.tool(
        "jlink", "--module-path", archive.jar() + File.pathSeparator + program,
        "--add-modules", "org.example.app,java.instrument", "--launcher", "mpirun=" + MPIRUN,
        "--add-options=--enable-native-access=org.ffmpi", "--output", image);
  }

  /** Runs the launcher of the image. */
  private static Answer mpirun(Object... words) throws Exception {
    List<Object> command = new ArrayList<>(List.of(image.resolve("bin/java"), "-m", MPIRUN));
    command.addAll(List.of(words));
    return archive.run(command.toArray());
  }

  @Test
  void ranksRunOnTheImage() throws Exception {
    Answer expected = new Answer(0, "3 ranks, sum 6, 1 arguments\n", "");
    assertEquals(expected, mpirun("-n", "3", "-m", PROGRAM, "x"));
    assertEquals(expected, archive.run(image.resolve("bin/mpirun"), "-n", "3", "-m", PROGRAM, "x"));
  }

  /** The engine is part of the module that the program requires. */
  @Test
  void aRankStartedAloneHasItsEngine() throws Exception {
    Answer alone =
        archive.run(image.resolve("bin/java"), "--limit-modules", "org.example.app", "-m", PROGRAM);
    assertEquals(new Answer(0, "1 ranks, sum 1, 0 arguments\n", ""), alone);
  }

  @Test
  void aProgramOnTheClassPathFindsTheLibraryInTheImage() throws Exception {
    Path source = Files.createDirectories(folder.resolve("plain")).resolve("Main.java");
    Files.writeString(source, SOURCE.replace("org.example.app", "org.example.plain"));
    Path classes = folder.resolve("classes");
    Archive.tool("javac", "-cp", archive.jar(), "-d", classes, source);
    assertEquals(
        new Answer(0, "2 ranks, sum 3, 0 arguments\n", ""),
        mpirun("-n", "2", "-cp", classes, "org.example.plain.Main"));
  }

  @Test
  void callsAreShownInAnImage() throws Exception {
    Answer answer = mpirun("-n", "2", "--profile=summary,on", "-m", PROGRAM);
    assertEquals(0, answer.exitCode(), answer.toString());
    assertTrue(answer.output().lines().anyMatch("2 ranks, sum 3, 0 arguments"::equals), answer.toString());
    assertTrue(answer.errors().lines().anyMatch(l -> l.matches("mpirun: allreduce at \\S+ +2 .*")), answer.toString());
  }

  @Test
  void theLauncherOnAModulePathHandsItOn() throws Exception {
    assertEquals(
        new Answer(0, "2 ranks, sum 3, 0 arguments\n", ""),
        archive.run(
            Archive.java(), "--enable-native-access=org.ffmpi", "-p", archive.jar(), "-m", "org.ffmpi", "-n", "2", "-p",
            program, "-m", PROGRAM));
  }

  @Test
  void whatTheImageLacksIsNamed() throws Exception {
    Answer vector = mpirun("-n", "2", "--vector", "on", "-m", PROGRAM);
    assertEquals(2, vector.exitCode(), vector.toString());
    assertTrue(vector.errors().startsWith("mpirun: --vector needs the module jdk.incubator.vector"), vector.errors());
    Answer debug = mpirun("-n", "2", "--debug", "-m", PROGRAM);
    assertEquals(2, debug.exitCode(), debug.toString());
    assertTrue(debug.errors().startsWith("mpirun: --debug needs the module jdk.jdwp.agent"), debug.errors());
    Path source = Files.writeString(folder.resolve("Single.java"), "void main() { }");
    Answer compiler = mpirun("-n", "2", source);
    assertEquals(2, compiler.exitCode(), compiler.toString());
    assertTrue(
        compiler.errors().startsWith("mpirun: a program given as a source file needs the module jdk.compiler, which"),
        compiler.errors());
    Answer module = mpirun("-n", "2", "-m", "org.example.other");
    assertEquals(2, module.exitCode(), module.toString());
    assertTrue(
        module.errors().startsWith("mpirun: module org.example.other is not on the module path (none given), nor in "),
        module.errors());
    Answer sample = mpirun("-n", "2", "--sample", "hello");
    assertTrue(sample.errors().startsWith("mpirun: --sample needs the jar ffmpi-samples.jar, which"), sample.errors());
  }
}
