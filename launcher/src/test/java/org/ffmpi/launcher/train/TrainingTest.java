// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.train;

import static org.junit.jupiter.api.Assertions.assertNull;
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
import org.ffmpi.launcher.command.Program;
import org.ffmpi.launcher.command.ProgramCheck;
import org.ffmpi.launcher.command.RankCommand;
import org.ffmpi.launcher.request.CommandLine;
import org.ffmpi.launcher.request.UsageException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs that start-up caches are not made of. */
class TrainingTest {
  @TempDir private Path folder;

  private static String refusal(String... words) throws UsageException {
    return Training.refusal(new RankCommand(CommandLine.program(2, List.of(words)), List.of(), true, false));
  }

  @Test
  void noCacheIsMadeOfWhatItsNameCannotTell() throws Exception {
    Path jar = jar(new Manifest(), "org/x/Main.class");
    assertNull(refusal("-cp", jar.toString(), "Main"));
    assertTrue(refusal("-cp", folder.toString(), "Main").contains("is a folder"));
    assertTrue(refusal("-cp", jar + ":lib/*", "Main").contains("lib/* does not exist"));
    assertTrue(refusal("-p", "mods", "-m", "m").contains("module path"));
    assertTrue(refusal("-javaagent:x.jar", "-cp", jar.toString(), "Main").contains("-javaagent:x.jar brings more"));
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, "missing.jar " + jar.getFileName());
    Path leading = jar(manifest);
    assertTrue(refusal("-cp", leading.toString(), "Main").contains("names others"));
    assertNull(refusal("-cp", leading + ":" + jar, "Main"));
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "org.x.Main");
    Program executable = CommandLine.program(2, List.of("-jar", jar(manifest).toString()));
    Program checked = ProgramCheck.checked(executable, List.of());
    assertTrue(checked.classPath().endsWith(":" + jar), checked.classPath());
    assertNull(Training.refusal(new RankCommand(checked, List.of(), true, false)));
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
}
