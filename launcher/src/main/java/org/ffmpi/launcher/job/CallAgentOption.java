// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.job;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.launcher.cache.CacheFolder;
import org.ffmpi.launcher.command.ProgramCheck;
import org.ffmpi.launcher.request.LaunchSettings;
import org.ffmpi.spi.RunSettings;

/**
 * The JVM's options that add agents: the one which shows the calls of ranks, which the API's jar is, and the one which
 * shows the loads and stores of programs.
 */
final class CallAgentOption {
  private static final String AGENT = "org.ffmpi.profile.CallAgent";

  private static final String NAME = "ffmpi-call-agent.jar";

  private static final String RACE_AGENT = "org.ffmpi.race.RaceAgent";

  private static final String RACE_NAME = "ffmpi-race-agent.jar";

  private CallAgentOption() {}

  /**
   * Returns the option.
   *
   * @param api jar or folder of the API's classes; null when they are part of the run-time image
   * @param caches folder for the jar that an image needs; may be null
   * @param listeners value of the setting
   * @throws MpiException ERR_SPAWN when classes that are in no jar cannot be given one
   */
  static String of(Path api, CacheFolder caches, String listeners) {
    Path jar = api;
    if (api == null) {
      ProgramCheck.checkRuntime(LaunchSettings.PROFILE.flag(), "java.instrument");
      jar = jarIn(caches, NAME, AGENT, "calls");
    } else if (Files.isDirectory(api)) {
      jar = jarIn(CacheFolder.at(api.getParent()), NAME, AGENT, "calls");
    }
    return "-javaagent:" + jar + "=" + listeners;
  }

  /**
   * Returns the option for the search for races.
   *
   * @param api jar or folder of the API's classes; null when they are part of the run-time image
   * @param caches folder for the agent's jar; may be null
   * @throws MpiException ERR_SPAWN when the agent cannot be given a jar
   */
  static String ofRaces(Path api, CacheFolder caches) {
    if (api == null) {
      ProgramCheck.checkRuntime(RunSettings.CHECK.flag() + " races", "java.instrument");
    }
    boolean isFolder = api != null && Files.isDirectory(api);
    return "-javaagent:" + jarIn(
        isFolder ? CacheFolder.at(api.getParent()) : caches, RACE_NAME, RACE_AGENT, "loads and stores");
  }

  /** Makes a jar for an agent whose classes are elsewhere: with nothing in it but the name of the agent. */
  private static Path jarIn(CacheFolder folder, String name, String agent, String what) {
    if (folder == null) {
      throw new MpiException(
          ErrorClass.ERR_SPAWN,
          "the agent that shows " + what + " needs a folder for a file (setting " + LaunchSettings.AOT_FOLDER.name()
              + "), which nobody else may write to");
    }
    Path jar = folder.path().resolve(name);
    if (!Files.exists(jar)) {
      Manifest manifest = new Manifest();
      manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
      manifest.getMainAttributes().putValue("Premain-Class", agent);
      manifest.getMainAttributes().putValue("Can-Redefine-Classes", "true");
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try {
        new JarOutputStream(bytes, manifest).close();
        folder.keep(name, bytes.toByteArray());
      } catch (IOException e) {
        throw new MpiException(
            ErrorClass.ERR_SPAWN,
            "the agent that shows " + what + " needs the file " + jar + ", which cannot be made: " + e,
            e);
      }
    }
    return jar;
  }
}
