// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.dialect;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;
import org.ffmpi.launcher.command.Libraries;
import org.ffmpi.launcher.command.Program;
import org.ffmpi.launcher.command.WrongCommand;
import org.ffmpi.launcher.request.LaunchSettings;

/**
 * Programs that import package {@code mpi}: the jars of their dialect go on the class path in front of theirs, and
 * programs of MPJ Express get its first three arguments.
 */
public final class Dialect {
  /** The folder of the dialects' modules in a clone, which the script {@code mpirun} names. */
  static final String PROPERTY = "mpirun.dialects";

  private static final String SHARED = "shared";

  private final String name;

  private Dialect(String name) {
    this.name = name;
  }

  /** Returns the dialect that a job's programs are written in. */
  public static Dialect of(Settings settings) {
    return new Dialect(LaunchSettings.DIALECT.get(settings));
  }

  /** Returns the jars that the class path of every program of the dialect begins with, behind the library's. */
  List<String> jars() {
    return name.equals(LaunchSettings.NO_DIALECT) ? List.of() : List.of(jar(artifact()), jar(SHARED));
  }

  /** Returns the beginning of every program's class path: the library, and the dialect if there is one. */
  public List<String> classPathAfter(List<String> libraries) {
    List<String> path = new ArrayList<>(libraries);
    path.addAll(jars());
    return path;
  }

  /** Returns the class of the dialect's jar that makes the calls a start-up cache is to know. */
  public String trainingProgram() {
    return artifact().equals(LaunchSettings.OPENMPI)
        ? "org.ffmpi.dialect.openmpi.OpenmpiTraining"
        : "org.ffmpi.dialect.mpijava.MpijavaTraining";
  }

  private String artifact() {
    return name.equals(LaunchSettings.MPJ) ? LaunchSettings.MPIJAVA : name;
  }

  /**
   * Puts the dialect on the class path of a program.
   *
   * @param program a program that has been checked, source or class
   * @throws MpiException ERR_SPAWN when the jars are missing, or the program is a module
   */
  public Program onClassPath(Program program) {
    if (name.equals(LaunchSettings.NO_DIALECT)) {
      return program;
    }
    if (program.kind() == Program.Kind.MODULE || program.kind() == Program.Kind.JAR) {
      throw new WrongCommand(
          ErrorClass.ERR_SPAWN, LaunchSettings.DIALECT.flag() + " " + name + ": name a class or a source file instead"
              + " of " + program.target() + ", and its class path");
    }
    List<String> path = new ArrayList<>(jars());
    if (program.classPath() != null) {
      path.add(program.classPath());
    }
    return program.withClassPath(String.join(File.pathSeparator, path));
  }

  /** Returns the program as the JVM runs it: by way of {@link MpjMain} where arguments depend on the rank. */
  public Program asRun(Program program) {
    boolean isMpj = name.equals(LaunchSettings.MPJ) && program.kind() == Program.Kind.CLASS;
    return isMpj ? program.runBy(MpjMain.class) : program;
  }

  /** Finds a jar of ours in the clone, or beside the library. */
  private static String jar(String module) {
    String artifact = "ffmpi-mpi-" + module;
    String modules = System.getProperty(PROPERTY);
    Path folder = modules == null ? besideLibrary() : Path.of(modules, module, "target");
    File[] jars = folder == null ? null : folder.toFile().listFiles((in, name) -> isJarOf(artifact, name));
    if (jars == null || jars.length == 0) {
      throw new MpiException(
          ErrorClass.ERR_SPAWN, LaunchSettings.DIALECT.flag() + " needs the jar " + artifact + ".jar"
              + (folder == null ? "" : " in " + folder)
              + ", which comes with the archive and with a clone; or put that jar on the class path yourself");
    }
    Arrays.sort(jars, (a, b) -> Long.compare(b.lastModified(), a.lastModified()));
    return jars[0].getPath();
  }

  private static Path besideLibrary() {
    Path library = Libraries.launcher();
    return library == null ? null : library.toAbsolutePath().getParent();
  }

  private static boolean isJarOf(String artifact, String name) {
    return name.startsWith(artifact) && name.endsWith(".jar") && !name.endsWith("-sources.jar")
        && !name.endsWith("-javadoc.jar") && !name.endsWith("-tests.jar");
  }
}
