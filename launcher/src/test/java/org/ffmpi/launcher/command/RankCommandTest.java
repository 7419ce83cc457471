// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.ffmpi.base.MpiException;
import org.ffmpi.launcher.request.CommandLine;
import org.ffmpi.launcher.request.UsageException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that ranks' JVMs are started with. */
class RankCommandTest {
  private static final List<String> LIBRARIES = List.of("/lib/a.jar", "/lib/b.jar");

  @TempDir private Path folder;

  private static List<String> command(boolean fewCores, boolean vector, String... words) throws UsageException {
    return new RankCommand(CommandLine.program(2, List.of(words)), LIBRARIES, fewCores, false)
        .command(List.of(), vector);
  }

  @Test
  void theLibraryComesFirstOnTheClassPath() throws Exception {
    List<String> command = command(true, false, "-Xmx1g", "-cp", "app.jar:/lib/b.jar", "Main", "x");
    int cp = command.indexOf("-cp");
    assertEquals("/lib/a.jar:app.jar:/lib/b.jar", command.get(cp + 1));
    assertEquals(List.of("Main", "x"), command.subList(cp + 2, cp + 4));
    assertTrue(command.contains("--enable-native-access=ALL-UNNAMED"));
    assertTrue(command.indexOf("-Xmx1g") > command.indexOf("-XX:+UseSerialGC"), "the user's options come last");
  }

  @Test
  void theCollectorIsTheUsersToChoose() throws Exception {
    assertFalse(command(true, false, "-XX:+UseZGC", "-cp", "a.jar", "Main").contains("-XX:+UseSerialGC"));
    assertFalse(command(false, false, "-cp", "a.jar", "Main").contains("-XX:+UseSerialGC"));
  }

  @Test
  void whereCoresAreFewTheCompilersWait() throws Exception {
    List<String> command = command(true, false, "-XX:Tier4InvocationThreshold=5000", "-cp", "a.jar", "Main");
    int ours = command.indexOf("-XX:Tier4InvocationThreshold=40000");
    assertTrue(ours > 0 && ours < command.indexOf("-XX:Tier4InvocationThreshold=5000"), "the user's options come last");
    assertFalse(command(false, false, "-cp", "a.jar", "Main").contains("-XX:Tier4InvocationThreshold=40000"));
  }

  @Test
  void onTheModulePathModulesGetTheRights() throws Exception {
    List<String> command = command(false, false, "-p", "mods", "-m", "org.x/org.x.Main");
    assertTrue(command.contains("--enable-native-access=org.ffmpi.base,org.ffmpi.shm,org.ffmpi.mpi"));
    assertEquals("mods:/lib/a.jar:/lib/b.jar", command.get(command.indexOf("-p") + 1));
    assertFalse(command.contains("-cp"));
  }

  @Test
  void withTheLibraryInTheImageNothingIsAddedToAPath() throws Exception {
    Program module = CommandLine.program(2, List.of("-m", "org.x/org.x.Main"));
    List<String> command = new RankCommand(module, List.of(), false, false).command(List.of(), false);
    assertFalse(command.stream().anyMatch(word -> word.startsWith("--module-path") || word.equals("-cp")));
    Program onPath = CommandLine.program(2, List.of("-p", "mods", "-m", "org.x/org.x.Main"));
    command = new RankCommand(onPath, List.of(), false, false).command(List.of(), false);
    assertEquals("mods", command.get(command.indexOf("-p") + 1));
    Program classes = CommandLine.program(2, List.of("-cp", "a.jar", "Main"));
    command = new RankCommand(classes, List.of(), false, false).command(List.of(), false);
    assertEquals("a.jar", command.get(command.indexOf("-cp") + 1));
    assertTrue(command.contains("--enable-native-access=org.ffmpi.base,org.ffmpi.shm,org.ffmpi.mpi,ALL-UNNAMED"));
  }

  @Test
  void theVectorApiIsSwitchedOnOnce() throws Exception {
    assertTrue(command(false, true, "-cp", "a.jar", "Main").contains("--add-modules=jdk.incubator.vector"));
    List<String> own = command(false, true, "--add-modules", "jdk.incubator.vector", "-cp", "a.jar", "Main");
    assertEquals(1, own.stream().filter(w -> w.contains("jdk.incubator.vector")).count());
  }

  @Test
  void chronicleGetsWhatItNeedsWhereItIs() throws Exception {
    String exported = "--add-exports=java.base/sun.nio.ch=";
    List<String> words = List.of("--sun-misc-unsafe-memory-access=deny", "-cp", "a.jar", "Main");
    List<String> command =
        new RankCommand(CommandLine.program(2, words), LIBRARIES, false, true).command(List.of(), false);
    assertTrue(command.contains(exported + "ALL-UNNAMED"));
    assertTrue(command.contains("--add-opens=java.base/java.lang.reflect=ALL-UNNAMED"));
    assertTrue(
        command.indexOf("--sun-misc-unsafe-memory-access=deny")
            > command.indexOf("--sun-misc-unsafe-memory-access=allow"),
        "the user's options come last");
    List<String> modular = List.of("-p", "mods", "-m", "org.x/org.x.Main");
    assertTrue(new RankCommand(CommandLine.program(2, modular), LIBRARIES, false, true)
        .command(List.of(), false).contains(exported + "chronicle.core,ALL-UNNAMED"));
    assertFalse(command(false, false, "-cp", "a.jar", "Main").contains(exported + "ALL-UNNAMED"));
  }

  private Path jar(String mainClass, String... entries) throws IOException {
    Manifest manifest = new Manifest();
    if (mainClass != null) {
      manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, mainClass);
    }
    return jar(manifest, entries);
  }

  private Path jar(Manifest manifest, String... entries) throws IOException {
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    Path file = Files.createTempFile(folder, "app", ".jar");
    try (OutputStream out = Files.newOutputStream(file);
        JarOutputStream jar = new JarOutputStream(out, manifest)) {
      for (String entry : entries) {
        jar.putNextEntry(new ZipEntry(entry));
        jar.closeEntry();
      }
    }
    return file;
  }

  private static Program checked(String... words) throws UsageException {
    return ProgramCheck.checked(CommandLine.program(1, List.of(words)), List.of());
  }

  @Test
  void anExecutableJarRunsByItsMainClass() throws Exception {
    Path jar = jar("org.x.Main", "org/x/Main.class");
    Program program = checked("-jar", jar.toString(), "y");
    assertEquals(Program.Kind.CLASS, program.kind());
    assertEquals("org.x.Main", program.target());
    assertEquals(jar.toString(), program.classPath());
    assertEquals(List.of("y"), program.arguments());
  }

  @Test
  void mainClassesAreFoundInJars() throws Exception {
    Path jar = jar((String) null, "org/x/Main.class");
    assertEquals("org.x.Main", checked("-cp", "nowhere.jar:" + jar, "org.x.Main").target());
    assertThrows(MpiException.class, () -> checked("-cp", jar.toString(), "org.x.Other"));
    MpiException e = assertThrows(MpiException.class, () -> checked("-jar", jar.toString()));
    assertTrue(e.getMessage().contains("names no Main-Class"), e.getMessage());
  }

  @Test
  void whoNamesTheJavaCommandIsToldToLeaveItOut() {
    MpiException e = assertThrows(MpiException.class, () -> checked("java", "-cp", ".", "Ring"));
    String command = Invocation.command() + " -n 1 -cp . Ring";
    assertTrue(e.getMessage().endsWith("so leave the word out: " + command), e.getMessage());
  }

  @Test
  void aSourceFileThatIsMissingIsCalledThat() {
    MpiException e = assertThrows(MpiException.class, () -> checked("Missing.java"));
    assertTrue(e.getMessage().endsWith("source file Missing.java does not exist"), e.getMessage());
  }
}
