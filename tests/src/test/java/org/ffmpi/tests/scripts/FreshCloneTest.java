// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.scripts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The scripts in a clone that has not been built, with a Maven that only prints its arguments. */
@Tag("process")
@Timeout(120)
class FreshCloneTest {
  private static final Path SCRIPTS = Path.of("..", "scripts").toAbsolutePath().normalize();
  private static final List<String> FILES =
      List.of("mpirun", "bench", "lib/jdk.sh", "lib/mpirun-help.txt", "lib/mpirun-help-all.txt");

  /** What the scripts need of the PATH, which must not lead to a JDK of the machine. */
  private static final List<String> TOOLS =
      List.of("cat", "cksum", "dirname", "find", "flock", "grep", "head", "ls", "mkdir", "mv", "readlink", "rm", "sed",
          "stty", "tee", "touch");

  @TempDir Path folder;

  private Path clone;
  private Path bin;
  private Path jdk;

  private record Answer(int exitCode, String output, String errors) {}

  @BeforeEach
  void makeClone() throws IOException {
    clone = Files.createDirectories(folder.resolve("a clone"));
    Files.createDirectories(clone.resolve("scripts/lib"));
    for (String file : FILES) {
      Files.copy(SCRIPTS.resolve(file), clone.resolve("scripts").resolve(file));
    }
    bin = Files.createDirectories(folder.resolve("bin"));
    for (String tool : TOOLS) {
      executable(bin.resolve(tool), "PATH=/usr/bin:/bin; exec " + tool + " \"$@\"");
    }
    executable(bin.resolve("mvn"), "echo \"[ERROR] Maven with $JAVA_HOME, $JAVA25_HOME\" >&2; exit 1");
    jdk = jdk("jdk-25", "25.0.1");
  }

  private static void executable(Path file, String command) throws IOException {
    Files.writeString(file, "#!/bin/sh\n" + command + "\n");
    assertTrue(file.toFile().setExecutable(true));
  }

  private Path jdk(String name, String version) throws IOException {
    Path home = folder.resolve(name);
    Files.createDirectories(home.resolve("bin"));
    for (String tool : new String[] {"java", "javac"}) {
      executable(home.resolve("bin").resolve(tool), "echo \"java has no business here\" >&2; exit 3");
    }
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    return home;
  }

  private Answer run(Map<String, String> environment, String script, String... words)
      throws IOException, InterruptedException {
    Path output = folder.resolve("output");
    Path errors = folder.resolve("errors");
    ProcessBuilder builder = new ProcessBuilder(clone.resolve("scripts").resolve(script).toString());
    builder.command().addAll(List.of(words));
    builder.redirectOutput(output.toFile()).redirectError(errors.toFile());
    Map<String, String> all = new HashMap<>(environment);
    all.putIfAbsent("PATH", bin.toString());
    all.put("FFMPI_JDK_FOLDERS", folder.toString());
    builder.environment().clear();
    builder.environment().putAll(all);
    int exitCode = builder.start().waitFor();
    return new Answer(
        exitCode, Files.readString(output, StandardCharsets.UTF_8), Files.readString(errors, StandardCharsets.UTF_8));
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.walk(clone)) {
      return files.map(file -> clone.relativize(file).toString()).sorted().collect(Collectors.toList());
    }
  }

  @Test
  void helpIsThereWithoutABuild() throws Exception {
    List<String> before = files();
    String text = Files.readString(SCRIPTS.resolve("lib/mpirun-help.txt"));
    assertFalse(text.isBlank());
    for (String word : List.of("--help", "-h", "-help", "-?")) {
      assertEquals(new Answer(0, text, ""), run(Map.of("JAVA_HOME", "/nowhere"), "mpirun", word), word);
    }
    String all = Files.readString(SCRIPTS.resolve("lib/mpirun-help-all.txt"));
    assertEquals(new Answer(0, all, ""), run(Map.of("JAVA_HOME", "/nowhere"), "mpirun", "--help", "all"));
    assertEquals(before, files());
  }

  @Test
  void buildsUseTheJdkThatWasFoundWhateverJavaHomeNames() throws Exception {
    Path old = jdk("jdk-17", "17.0.15");
    Path newer = jdk("jdk-26", "26.0.1");
    Path runtime = jdk("jre-25", "25.0.1");
    Files.delete(runtime.resolve("bin/javac"));
    for (String script : List.of("mpirun", "bench")) {
      assertBuildsWith(jdk, script, Map.of("JAVA_HOME", old.toString()));
      assertBuildsWith(jdk, script, Map.of("JAVA_HOME", runtime.toString()));
      assertBuildsWith(jdk, script, Map.of("JAVA_HOME", folder.resolve("nothing").toString()));
      assertBuildsWith(newer, script, Map.of("JAVA_HOME", newer.toString()));
      String path = old.resolve("bin") + ":" + bin;
      assertBuildsWith(jdk, script, Map.of("PATH", path));
      assertBuildsWith(newer, script, Map.of("JAVA_HOME", newer.toString(), "PATH", path));
    }
  }

  @Test
  void whatAnEarlierStartFoundGivesWay() throws Exception {
    Path newer = jdk("jdk-26", "26.0.1");
    Path target = Files.createDirectories(clone.resolve("ffmpi/target"));
    for (Path earlier : List.of(folder.resolve("gone"), newer)) {
      List<String> found =
          List.of("for " + earlier, earlier.toString(), "JAVA_RUNTIME_VERSION=\"26\"", "no.jar", "no.jar");
      Files.write(target.resolve("mpirun.state"), found);
      assertBuildsWith(jdk, "mpirun", Map.of("JAVA_HOME", jdk.toString()));
    }
  }

  @Test
  void aJarThatIsMadeAgainWithTheSameContentKeepsTheCaches() throws Exception {
    String version = "JAVA_RUNTIME_VERSION=\"25.0.1+9\"";
    Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"25.0.1\"\n" + version + "\n");
    Path target = Files.createDirectories(clone.resolve("ffmpi/target"));
    Path jar = target.resolve("ffmpi-1.jar");
    Path state = target.resolve("mpirun.state");
    Path sum = target.resolve("mpirun.sum.ffmpi-1.jar");
    Files.writeString(jar, "a library");
    Process cksum = new ProcessBuilder("cksum").redirectInput(jar.toFile()).redirectOutput(sum.toFile()).start();
    assertEquals(0, cksum.waitFor());
    Files.write(state, List.of("for ", jdk.toString(), version, jar.toString(), jar.toString()));
    FileTime made = FileTime.fromMillis(System.currentTimeMillis() / 1000 * 1000 - 60_000);
    Files.setLastModifiedTime(sum, made);
    Files.setLastModifiedTime(state, FileTime.fromMillis(made.toMillis() + 10_000));
    String prepares = "preparing start-up caches";

    assertFalse(run(Map.of("JAVA_HOME", jdk.toString()), "mpirun", "--version").errors().contains(prepares));
    assertEquals(made, Files.getLastModifiedTime(jar), "the JVM knows the jar of a cache by its time");
    assertFalse(run(Map.of("JAVA_HOME", "/nowhere"), "mpirun", "--version").errors().contains(prepares));
    Files.writeString(jar, "another library");
    assertTrue(run(Map.of("JAVA_HOME", jdk.toString()), "mpirun", "--version").errors().contains(prepares));
  }

  private void assertBuildsWith(Path home, String script, Map<String, String> environment)
      throws IOException, InterruptedException {
    Answer answer = run(environment, script, "--version");
    assertTrue(answer.exitCode() != 0, answer.toString());
    String expected = "[ERROR] Maven with " + home + ", " + home;
    assertTrue(answer.errors().lines().anyMatch(expected::equals), environment + ": " + answer.errors());
  }
}
