// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.process;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.ffmpi.base.Constants;

/** The facts of a process that has not joined a job. */
public final class ProcessFacts {
  private ProcessFacts() {}

  /** Returns the version of this library, and the facts of the engine unless the world is null. */
  public static String libraryVersion(World world) {
    String line = "ffmpi " + productVersion() + (world == null ? "" : ", " + world.engine().describe());
    return line.length() < Constants.MAX_LIBRARY_VERSION_STRING
        ? line
        : line.substring(0, Constants.MAX_LIBRARY_VERSION_STRING - 1);
  }

  private static String productVersion() {
    Properties properties = new Properties();
    try (InputStream in = ProcessFacts.class.getResourceAsStream("/org/ffmpi/version.properties")) {
      if (in != null) {
        properties.load(in);
      }
    } catch (IOException e) {
      return "of unknown version";
    }
    return properties.getProperty("version", "of unknown version");
  }

  /** Returns the name of the machine, cut to the length that the standard allows. */
  public static String processorName() {
    String name = hostName();
    return name.length() < Constants.MAX_PROCESSOR_NAME ? name : name.substring(0, Constants.MAX_PROCESSOR_NAME - 1);
  }

  private static String hostName() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip(); // no look-up in the network
    } catch (IOException e) {
      try {
        return InetAddress.getLocalHost().getHostName();
      } catch (UnknownHostException unknown) {
        return "localhost";
      }
    }
  }
}
