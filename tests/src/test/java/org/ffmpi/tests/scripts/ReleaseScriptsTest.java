// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.scripts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The output of scripts/reproducible and scripts/api-report, with a Maven that only writes files. */
@Tag("process")
@Timeout(120)
class ReleaseScriptsTest {
  private static final Path SCRIPTS = Path.of("..", "scripts").toAbsolutePath().normalize();

  @TempDir Path folder;

  private Path clone;
  private Path maven;

  private record Answer(int exitCode, String output) {}

  @BeforeEach
  void makeClone() throws IOException, InterruptedException {
    clone = Files.createDirectories(folder.resolve("clone"));
    Files.createDirectories(clone.resolve("scripts/lib"));
    for (String file : List.of("reproducible", "api-report", "lib/jdk.sh")) {
      Files.copy(SCRIPTS.resolve(file), clone.resolve("scripts").resolve(file));
    }
    Files.writeString(clone.resolve("pom.xml"), "<project/>");
    Files.writeString(clone.resolve("a name with spaces"), "");
    maven = Files.createDirectories(folder.resolve("bin")).resolve("mvn");
    mavenThatWrites("classes");
    assumeTrue(run("git", "init", "-q").exitCode == 0, "there is no git");
  }

  /** A Maven that makes one published artifact in the folder of its -f option, of what a shell makes of some words. */
  private void mavenThatWrites(String words) throws IOException {
    Files.writeString(maven, """
        #!/bin/sh
        while [ "$1" != -f ]; do shift; done
        target=${2%%/pom.xml}/ffmpi/target
        mkdir -p "$target"
        echo '<project/>' > "$target/published-pom.xml"
        echo "%s" > "$target/ffmpi-1.0.jar"
        """.formatted(words));
    assertTrue(maven.toFile().setExecutable(true));
  }

  private Answer run(String... command) throws IOException, InterruptedException {
    Path output = folder.resolve("output");
    ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(List.of(command)));
    builder.directory(clone.toFile()).redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().put("PATH", maven.getParent() + ":" + System.getenv("PATH"));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("GIT_CEILING_DIRECTORIES", folder.toString());
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      return new Answer(-1, e.toString());
    }
    return new Answer(process.waitFor(), Files.readString(output));
  }

  @Test
  void equalBytesAreReproducible() throws IOException, InterruptedException {
    Answer answer = run("scripts/reproducible");
    assertEquals(0, answer.exitCode, answer.output);
    assertTrue(answer.output.contains("reproducible: all 2 files have the same bytes"), answer.output);
  }

  @Test
  void bytesThatDependOnTheTimeZoneAreNot() throws IOException, InterruptedException {
    mavenThatWrites("$TZ");
    Answer answer = run("scripts/reproducible");
    assertEquals(1, answer.exitCode, answer.output);
    assertTrue(answer.output.contains("DIFFERENT  ./ffmpi/target/ffmpi-1.0.jar"), answer.output);
  }

  @Test
  void noTagYetIsSaid() throws IOException, InterruptedException {
    Answer answer = run("scripts/api-report");
    assertEquals(0, answer.exitCode, answer.output);
    assertEquals("api-report: there is no tag vX.Y.Z yet, so there is nothing to compare with.\n", answer.output);
  }

  @Test
  void aTagThatIsNotThereIsSaid() throws IOException, InterruptedException {
    Answer answer = run("scripts/api-report", "v0.0.9");
    assertEquals(2, answer.exitCode, answer.output);
    assertEquals("api-report: v0.0.9 is no tag or revision of this repository\n", answer.output);
  }
}
