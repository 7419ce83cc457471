// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.launcher.command.Libraries;
import org.ffmpi.launcher.request.LaunchSettings;
import org.ffmpi.spi.SpawnHelper;

/**
 * Starts a launcher for a process that spawns and has none; found by {@link java.util.ServiceLoader}. It learns by its
 * arguments how this process was started, since the new ones are started alike.
 */
public final class SpawnHelperProcess implements SpawnHelper {
  private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");

  /** Options that only one process can have, and settings, which reach the new processes otherwise. */
  private static final List<String> OWN = List.of("-agentlib:jdwp", "-XX:AOTMode", "-XX:AOTCache", "-Dffmpi.");

  /** Creates the helper; for {@link java.util.ServiceLoader}. */
  public SpawnHelperProcess() {}

  @Override
  public Process start(String port, Map<String, String> settings) {
    List<String> libraries = Libraries.located();
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:-UsePerfData", "-XX:TieredStopAtLevel=1", "-Xshare:auto"));
    if (libraries.isEmpty()) {
      command.addAll(List.of("--enable-native-access=org.ffmpi", "-m", "org.ffmpi/" + SpawnMain.class.getName()));
    } else {
      command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp", String.join(File.pathSeparator, libraries)));
      command.add(SpawnMain.class.getName());
    }
    command.add(port);
    command.addAll(ownWords());
    ProcessBuilder builder = new ProcessBuilder(command).redirectInput(new File("/dev/null"));
    builder.redirectOutput(ProcessBuilder.Redirect.INHERIT).redirectError(ProcessBuilder.Redirect.INHERIT);
    settings.forEach((name, value) -> builder.environment().put(LaunchSettings.environmentVariable(name), value));
    builder.environment().remove("FFMPI_PARENT");
    try {
      return builder.start();
    } catch (IOException e) {
      throw new MpiException(ErrorClass.ERR_SPAWN, "no launcher can be started for the new processes: " + e, e);
    }
  }

  /** Returns the arguments of the java command that this process was started with. */
  private static List<String> ownWords() {
    try {
      String[] words = new String(Files.readAllBytes(COMMAND_LINE), StandardCharsets.UTF_8).split("\0");
      return Arrays.stream(words).skip(1).filter(word -> OWN.stream().noneMatch(word::startsWith)).toList();
    } catch (IOException e) {
      throw new MpiException(ErrorClass.ERR_SPAWN, "the command of this process cannot be read: " + e, e);
    }
  }
}
