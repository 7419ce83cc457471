// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.race;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * Loads the agent into this JVM where no launcher has done it, as for ranks in threads, by a diagnostic command of the
 * JVM. Called once by the thread that starts the first world with races; takes about half a second.
 */
final class RaceAttachment {
  private static boolean tried;

  private RaceAttachment() {}

  /** Loads the agent unless it is there. Prints a line when that fails, since calls alone are compared then. */
  static synchronized void attach() {
    if (tried || RaceAgent.isLoaded()) {
      return;
    }
    tried = true;
    String failure;
    try {
      failure = load();
    } catch (IOException | JMException | RuntimeException | LinkageError e) {
      failure = e.toString();
    }
    if (!RaceAgent.isLoaded()) {
      System.err.println("ffmpi: --check races: loads and stores cannot be seen, since the agent that shows them cannot"
          + " be loaded: " + failure);
    }
  }

  private static String load() throws IOException, JMException {
    Path jar = Files.createTempFile("ffmpi-race-agent", ".jar");
    try {
      Manifest manifest = new Manifest();
      manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
      manifest.getMainAttributes().putValue("Agent-Class", RaceAgent.class.getName());
      manifest.getMainAttributes().putValue("Can-Redefine-Classes", "true");
      manifest.getMainAttributes().putValue("Can-Retransform-Classes", "true");
      try (OutputStream out = Files.newOutputStream(jar); JarOutputStream made = new JarOutputStream(out, manifest)) {
        made.finish();
      }
      return String.valueOf(ManagementFactory.getPlatformMBeanServer().invoke(
          new ObjectName("com.sun.management:type=DiagnosticCommand"), "jvmtiAgentLoad",
          new Object[] {new String[] {jar.toString()}}, new String[] {String[].class.getName()})).strip();
    } finally {
      Files.deleteIfExists(jar);
    }
  }
}
