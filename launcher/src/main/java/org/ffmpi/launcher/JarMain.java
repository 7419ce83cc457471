// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher;

import java.lang.reflect.InvocationTargetException;

/**
 * The main class of the jar. It is compiled for Java 8, so that every Java runs it. On an older one it prints a
 * sentence with the JDK that is needed, in place of an error about class files. It names the launcher by text alone,
 * which such a Java cannot load.
 */
public final class JarMain {
  private static final int NEEDED = 25;
  private static final String LAUNCHER = "org.ffmpi.launcher.MpirunMain";

  private JarMain() {}

  /**
   * Runs the launcher.
   *
   * @param arguments the command line of {@code mpirun}
   * @throws Throwable what the launcher throws
   */
  public static void main(String[] arguments) throws Throwable {
    int release = release(System.getProperty("java.specification.version"));
    if (release < NEEDED) {
      System.err.println(
          "mpirun: ffmpi needs a JDK " + NEEDED + ", this is " + release + ": " + System.getProperty("java.home"));
      System.exit(1);
    }
    try {
      Class.forName(LAUNCHER).getMethod("main", String[].class).invoke(null, (Object) arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /** Returns the number of a Java release: of {@code 1.8} it is 8. */
  static int release(String version) {
    String text = version.startsWith("1.") ? version.substring(2) : version;
    int end = 0;
    while (end < text.length() && Character.isDigit(text.charAt(end))) {
      end++;
    }
    return end == 0 ? 0 : Integer.parseInt(text.substring(0, end));
  }
}
