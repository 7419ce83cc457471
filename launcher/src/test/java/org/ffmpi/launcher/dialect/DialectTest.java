// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.dialect;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;
import org.ffmpi.launcher.command.Program;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which jars and arguments a program gets that imports package mpi. */
class DialectTest {
  @TempDir
  private Path modules;

  private String before;

  @BeforeEach
  void makeJars() throws IOException {
    for (String module : List.of("shared", "openmpi", "mpijava")) {
      Path target = Files.createDirectories(modules.resolve(module).resolve("target"));
      for (String suffix : List.of("", "-sources", "-javadoc", "-tests")) {
        Files.createFile(target.resolve("ffmpi-mpi-" + module + "-1.0" + suffix + ".jar"));
      }
    }
    before = System.setProperty(Dialect.PROPERTY, modules.toString());
  }

  @AfterEach
  void forget() {
    if (before == null) {
      System.clearProperty(Dialect.PROPERTY);
    } else {
      System.setProperty(Dialect.PROPERTY, before);
    }
  }

  private static Dialect dialect(String name) {
    return Dialect.of(Settings.of(Map.of("ffmpi.dialect", name)));
  }

  private static Program program(Program.Kind kind, String classPath) {
    return new Program(2, List.of(), classPath, kind, "Main", List.of("a"), Map.of(), Map.of());
  }

  private String jar(String module) {
    return modules.resolve(module).resolve("target").resolve("ffmpi-mpi-" + module + "-1.0.jar").toString();
  }

  @Test
  void itsJarsComeBeforeTheProgramsOwn() {
    String path = dialect("openmpi").onClassPath(program(Program.Kind.CLASS, "app.jar")).classPath();
    assertEquals(String.join(File.pathSeparator, jar("openmpi"), jar("shared"), "app.jar"), path);
    path = dialect("mpj").onClassPath(program(Program.Kind.SOURCE, null)).classPath();
    assertEquals(String.join(File.pathSeparator, jar("mpijava"), jar("shared")), path);
  }

  @Test
  void aCacheOfTheDialectServesBothKindsOfMpiJava() {
    assertEquals(
        List.of("ffmpi.jar", jar("mpijava"), jar("shared")), dialect("mpj").classPathAfter(List.of("ffmpi.jar")));
    assertEquals(dialect("mpijava").trainingProgram(), dialect("mpj").trainingProgram());
    assertEquals(List.of("ffmpi.jar"), dialect("none").classPathAfter(List.of("ffmpi.jar")));
  }

  @Test
  void withoutADialectAProgramStaysAsItIs() {
    Program program = program(Program.Kind.CLASS, "app.jar");
    Dialect none = Dialect.of(Settings.of(Map.of()));
    assertSame(program, none.asRun(none.onClassPath(program)));
    assertSame(program, dialect("mpijava").asRun(program));
  }

  @Test
  void programsOfMpjExpressAreStartedByAClassThatKnowsTheRank() {
    Program started = dialect("mpj").asRun(program(Program.Kind.CLASS, "app.jar"));
    assertEquals(MpjMain.class.getName(), started.target());
    assertEquals(List.of("Main", "a"), started.arguments());
  }

  @Test
  void programsOfMpjExpressGetRankSizeAndDeviceFirst() {
    String[] arguments = {"Main", "a"};
    assertArrayEquals(
        new String[] {"3", "8", "ffmpi", "a"},
        MpjMain.argumentsOf(arguments, Map.of("FFMPI_RANK", "3", "FFMPI_SIZE", "8")));
    assertArrayEquals(
        new String[] {"1", "2", "ffmpi", "a"},
        MpjMain.argumentsOf(arguments, Map.of("OMPI_COMM_WORLD_RANK", "1", "OMPI_COMM_WORLD_SIZE", "2")));
    assertArrayEquals(new String[] {"0", "1", "ffmpi", "a"}, MpjMain.argumentsOf(arguments, Map.of()));
  }

  @Test
  void whatIsMissingIsNamed() throws IOException {
    Files.delete(Path.of(jar("mpijava")));
    String message = assertThrows(
        MpiException.class, () -> dialect("mpijava").onClassPath(program(Program.Kind.CLASS, "."))).getMessage();
    assertTrue(message.contains("--dialect needs the jar ffmpi-mpi-mpijava.jar in " + modules), message);
    message = assertThrows(
        MpiException.class, () -> dialect("openmpi").onClassPath(program(Program.Kind.MODULE, null))).getMessage();
    assertTrue(message.contains("name a class or a source file instead of Main"), message);
  }
}
