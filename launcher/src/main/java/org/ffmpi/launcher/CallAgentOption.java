// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/** The JVM's option that adds the agent which shows the calls of ranks: the API's jar is that agent. */
final class CallAgentOption {
  /** Value of the setting that leaves the agent out. */
  static final String OFF = "off";

  /** The value of the option when none is given. */
  static final String SUMMARY = "summary";

  private static final String AGENT = "org.ffmpi.profile.CallAgent";

  private CallAgentOption() {}

  /**
   * Returns the option.
   *
   * @param api jar or folder of the API's classes; null when they are part of the run-time image
   * @param caches folder for what is made for an image
   * @param listeners value of the setting
   * @throws MpiException ERR_SPAWN when classes that are in no jar cannot be given one
   */
  static String of(Path api, Path caches, String listeners) {
    Path jar;
    if (api == null) {
      ProgramCheck.checkRuntime(LaunchSettings.PROFILE.flag(), "java.instrument");
      jar = jarIn(caches);
    } else {
      jar = Files.isDirectory(api) ? jarIn(api.getParent()) : api;
    }
    return "-javaagent:" + jar + "=" + listeners;
  }

  /** Makes the jar that classes in a folder or an image lack: with nothing in it but the name of the agent. */
  private static Path jarIn(Path folder) {
    if (folder == null) {
      throw new MpiException(
          ErrorClass.ERR_SPAWN,
          "the agent that shows calls needs a folder for a file (setting " + LaunchSettings.AOT_FOLDER.name()
              + "), which nobody else may write to");
    }
    Path jar = folder.resolve("ffmpi-call-agent.jar");
    if (!Files.exists(jar)) {
      Manifest manifest = new Manifest();
      manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
      manifest.getMainAttributes().putValue("Premain-Class", AGENT);
      try {
        Trust.makeFolder(folder);
        Path made = Files.createTempFile(folder, "ffmpi-call-agent", ".jar");
        new JarOutputStream(Files.newOutputStream(made), manifest).close();
        Files.move(made, jar, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } catch (IOException e) {
        throw new MpiException(
            ErrorClass.ERR_SPAWN,
            "the agent that shows calls needs the file " + jar + ", which cannot be made: " + e,
            e);
      }
    }
    return jar;
  }
}
