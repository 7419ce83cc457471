// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.command;

import java.io.File;

/** The command that this launcher was started with, so that help and errors name commands that can be typed. */
public final class Invocation {
  private static final String MPISTAT_MAIN = "org.ffmpi.launcher.MpistatMain";
  private static final String MPIRUN = "mpirun";
  private static final String MODULE = "org.ffmpi";

  private Invocation() {}

  /** Returns the words before {@code -n}: {@code mpirun}, or those of the java command. */
  public static String command() {
    return command(
        System.getProperty("sun.java.command", ""), System.getProperty("java.class.path", ""),
        System.getProperty("jdk.module.path", ""));
  }

  /** Returns the words before the process of a job: {@code mpistat}, or those of the java command. */
  public static String mpistat() {
    String start = command();
    if (start.startsWith("java -jar ")) {
      return "java -cp " + start.substring("java -jar ".length()) + " " + MPISTAT_MAIN;
    }
    return start.startsWith("java -p ") ? start + "/" + MPISTAT_MAIN : "mpistat";
  }

  /**
   * Derives the words from properties of the JVM.
   *
   * @param line the java command from the program on: a jar or class, then arguments
   * @param classPath the class path, which is the jar where one was started
   * @param modulePath the module path, empty for none
   */
  static String command(String line, String classPath, String modulePath) {
    if (!classPath.isEmpty() && classPath.indexOf(File.pathSeparatorChar) < 0 && classPath.endsWith(".jar")
        && (line + " ").startsWith(classPath + " ")) {
      return "java -jar " + quoted(classPath);
    }
    if (!modulePath.isEmpty() && (line.startsWith(MODULE + "/") || (line + " ").startsWith(MODULE + " "))) {
      return "java -p " + quoted(modulePath) + " -m " + MODULE;
    }
    return MPIRUN;
  }

  private static String quoted(String word) {
    return word.indexOf(' ') < 0 ? word : "'" + word + "'";
  }
}
