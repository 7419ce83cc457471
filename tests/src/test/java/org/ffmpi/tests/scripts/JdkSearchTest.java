// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.scripts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The scripts' search for a JDK, in folders that look like JDKs. */
@Tag("process")
@Timeout(60)
class JdkSearchTest {
  private static final Path LIBRARY = Path.of("..", "scripts", "lib", "jdk.sh").toAbsolutePath().normalize();

  @TempDir Path folder;

  private Path installed;
  private Path bin;

  private record Answer(int exitCode, String output, String errors) {}

  @BeforeEach
  void makeFolders() throws IOException {
    installed = Files.createDirectories(folder.resolve("with a space"));
    bin = Files.createDirectories(folder.resolve("bin"));
    for (String tool : new String[] {"sed", "grep", "readlink"}) { // what the search itself needs of the PATH
      Path wrapper = Files.writeString(bin.resolve(tool), "#!/bin/sh\nexec /bin/" + tool + " \"$@\"\n");
      assertTrue(wrapper.toFile().setExecutable(true));
    }
  }

  private Path jdk(Path home, String version) throws IOException {
    Files.createDirectories(home.resolve("bin"));
    for (String tool : new String[] {"java", "javac"}) {
      assertTrue(Files.createFile(home.resolve("bin").resolve(tool)).toFile().setExecutable(true));
    }
    Files.writeString(home.resolve("release"), "IMPLEMENTOR=\"Nobody\"\nJAVA_VERSION=\"" + version + "\"\n");
    return home;
  }

  private Answer search(Map<String, String> environment) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-u", "-c", ". '" + LIBRARY + "'; ffmpi_jdk");
    Path output = folder.resolve("output");
    Path errors = folder.resolve("errors");
    builder.redirectOutput(output.toFile()).redirectError(errors.toFile());
    builder.environment().clear();
    builder.environment().put("PATH", bin.toString());
    builder.environment().put("FFMPI_JDK_FOLDERS", folder.resolve("nothing") + ":" + installed);
    builder.environment().putAll(environment);
    int exitCode = builder.start().waitFor();
    return new Answer(
        exitCode,
        Files.readString(output, StandardCharsets.UTF_8).strip(),
        Files.readString(errors, StandardCharsets.UTF_8).strip());
  }

  private void assertFound(Path home, Map<String, String> environment) throws IOException, InterruptedException {
    assertEquals(new Answer(0, home.toString(), ""), search(environment));
  }

  @Test
  void javaHomeComesFirst() throws Exception {
    jdk(installed.resolve("jdk-25"), "25.0.3");
    Path home = jdk(folder.resolve("home"), "26-ea");
    assertFound(home, Map.of("JAVA_HOME", home.toString()));
  }

  @Test
  void aJavaHomeThatIsTooOldIsPassedOver() throws Exception {
    Path home = jdk(folder.resolve("home"), "17.0.15");
    Path fit = jdk(installed.resolve("jdk-25"), "25");
    assertFound(fit, Map.of("JAVA_HOME", home.toString()));
  }

  @Test
  void thePathIsFollowedThroughLinks() throws Exception {
    jdk(installed.resolve("jdk-25"), "25.0.1");
    Path onPath = jdk(folder.resolve("linked"), "27.0.1");
    Files.createSymbolicLink(bin.resolve("javac"), onPath.resolve("bin/javac"));
    assertFound(onPath.toRealPath(), Map.of());
  }

  @Test
  void theOldestThatIsNewEnoughWins() throws Exception {
    jdk(installed.resolve("a-21"), "21.0.2");
    jdk(installed.resolve("b-26"), "26.0.1");
    Path oldest = jdk(installed.resolve("c-25"), "25.0.1");
    jdk(installed.resolve("d-1.8"), "1.8.0_292");
    assertFound(oldest, Map.of());
  }

  @Test
  void whatHasNoCompilerIsNoJdk() throws Exception {
    Path runtime = jdk(installed.resolve("jre-25"), "25.0.1");
    Files.delete(runtime.resolve("bin/javac"));
    assertSaysWhatToInstall(search(Map.of()));
  }

  @Test
  void withoutAnyOneSentenceSaysWhatToInstall() throws Exception {
    assertSaysWhatToInstall(search(Map.of()));
  }

  private static void assertSaysWhatToInstall(Answer answer) {
    assertEquals(1, answer.exitCode());
    assertEquals("", answer.output());
    assertEquals(1, answer.errors().lines().count(), answer.errors());
    assertTrue(answer.errors().startsWith("ffmpi needs a JDK 25 or newer: install one"), answer.errors());
  }
}
