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

/** The JVM's option that adds the agent which shows the calls of ranks: the API's jar is that agent. */
final class CallAgentOption {
  private static final String AGENT = "org.ffmpi.profile.CallAgent";

  private static final String NAME = "ffmpi-call-agent.jar";

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
      jar = jarIn(caches);
    } else if (Files.isDirectory(api)) {
      jar = jarIn(CacheFolder.at(api.getParent()));
    }
    return "-javaagent:" + jar + "=" + listeners;
  }

  /** Makes the jar that classes in a folder or an image lack: with nothing in it but the name of the agent. */
  private static Path jarIn(CacheFolder folder) {
    if (folder == null) {
      throw new MpiException(
          ErrorClass.ERR_SPAWN,
          "the agent that shows calls needs a folder for a file (setting " + LaunchSettings.AOT_FOLDER.name()
              + "), which nobody else may write to");
    }
    Path jar = folder.path().resolve(NAME);
    if (!Files.exists(jar)) {
      Manifest manifest = new Manifest();
      manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
      manifest.getMainAttributes().putValue("Premain-Class", AGENT);
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try {
        new JarOutputStream(bytes, manifest).close();
        folder.keep(NAME, bytes.toByteArray());
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
