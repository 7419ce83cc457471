// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dist;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.spi.ToolProvider;

/** The archive that the build has made, unpacked in a folder of a test, and commands with it. */
final class Archive {
  private static final String JAVA_HOME = System.getProperty("java.home");

  private final Path folder;
  private final Path root;

  /** What a command has ended with. */
  record Answer(int exitCode, String output, String errors) {}

  private Archive(Path folder, Path root) {
    this.folder = folder;
    this.root = root;
  }

  static Path tar() {
    return Path.of(System.getProperty("ffmpi.archive"));
  }

  static Path zip() {
    return Path.of(tar().toString().replace(".tar.gz", ".zip"));
  }

  static String version() {
    return System.getProperty("ffmpi.version");
  }

  /** Unpacks the archive into a folder, whose name may have spaces. */
  static Archive unpackedIn(Path folder) throws IOException, InterruptedException {
    Files.createDirectories(folder);
    Process tar = new ProcessBuilder("tar", "-xzf", tar().toString()).directory(folder.toFile()).inheritIO().start();
    if (tar.waitFor() != 0) {
      throw new IOException("tar does not unpack " + tar());
    }
    return new Archive(folder, folder.resolve("ffmpi-" + version()));
  }

  Path file(String name) {
    return root.resolve(name);
  }

  String jar() {
    return file("lib/ffmpi.jar").toString();
  }

  static String java() {
    return Path.of(JAVA_HOME, "bin", "java").toString();
  }

  /** Runs a command without start-up caches, which take longer to make than everything here takes. */
  Answer run(Object... command) throws IOException, InterruptedException {
    return run(Map.of("FFMPI_AOT", "off"), command);
  }

  Answer run(Map<String, String> environment, Object... command) throws IOException, InterruptedException {
    Path output = Files.createTempFile(folder, "output", "");
    Path errors = Files.createTempFile(folder, "errors", "");
    List<String> words = new ArrayList<>();
    for (Object word : command) {
      words.add(word.toString());
    }
    ProcessBuilder builder = new ProcessBuilder(words).directory(folder.toFile());
    builder.redirectOutput(output.toFile()).redirectError(errors.toFile());
    Map<String, String> variables = new HashMap<>(environment);
    variables.put("JAVA_HOME", JAVA_HOME);
    variables.put("FFMPI_AOT_FOLDER", folder.resolve("caches").toString());
    builder.environment().putAll(variables);
    Process process = builder.start();
    process.getOutputStream().close();
    int code = process.waitFor();
    return new Answer(
        code, Files.readString(output, StandardCharsets.UTF_8), Files.readString(errors, StandardCharsets.UTF_8));
  }

  /** Compiles or packs with a tool of this JDK. */
  static void tool(String name, Object... arguments) {
    StringWriter said = new StringWriter();
    PrintWriter writer = new PrintWriter(said);
    String[] words = Arrays.stream(arguments).map(Object::toString).toArray(String[]::new);
    if (ToolProvider.findFirst(name).orElseThrow().run(writer, writer, words) != 0) {
      throw new AssertionError(name + ": " + said);
    }
  }
}
