// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.command;

import java.io.File;
import java.io.IOException;
import java.lang.module.FindException;
import java.lang.module.ModuleFinder;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.zip.ZipFile;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/**
 * Checks programs before any rank is started: one clear sentence is better than one complaint per rank. What cannot be
 * decided from here is left to the JVM.
 */
public final class ProgramCheck {
  /** Attributes that only {@code java -jar} obeys. Native access is allowed to all of the class path anyway. */
  private static final List<String> SPECIAL = List.of("Launcher-Agent-Class", "Add-Exports", "Add-Opens");

  private ProgramCheck() {}

  /**
   * Checks a program, and turns an executable jar into its main class, so that the library can go on its class path. A
   * source file is compiled after that, which finds the other errors.
   *
   * @param program the requested program
   * @param libraries where ffmpi lies, which the ranks get as well
   * @return the program to start
   * @throws MpiException ERR_SPAWN when it cannot be started
   */
  public static Program checked(Program program, List<String> libraries) {
    return switch (program.kind()) {
      case JAR -> ofJar(program);
      case CLASS -> {
        checkClass(program, libraries);
        yield program;
      }
      case MODULE -> {
        checkModule(program);
        yield program;
      }
      case SOURCE -> {
        if (!new File(program.target()).isFile()) {
          throw failure("source file " + program.target() + " does not exist");
        }
        yield program;
      }
      case COMMAND -> program; // the system looks it up
    };
  }

  private static Program ofJar(Program program) {
    File file = new File(program.target());
    if (!file.isFile()) {
      throw failure("jar file " + program.target() + (file.isDirectory() ? " is a folder" : " does not exist"));
    }
    try (JarFile jar = new JarFile(file)) {
      Manifest manifest = jar.getManifest();
      Attributes main = manifest == null ? new Attributes() : manifest.getMainAttributes();
      String mainClass = main.getValue(Attributes.Name.MAIN_CLASS);
      if (mainClass == null) {
        throw failure("jar file " + program.target() + " names no Main-Class in its manifest");
      }
      if (SPECIAL.stream().anyMatch(name -> main.getValue(name) != null)) {
        return program; // rights that only java -jar gives
      }
      return program.asClass(withAdded(file, addedBy(main)), mainClass.strip());
    } catch (IOException e) {
      throw failure("jar file " + program.target() + " cannot be read: " + e.getMessage());
    }
  }

  private static void checkClass(Program program, List<String> libraries) {
    for (String option : program.javaOptions()) {
      if (option.startsWith("-Xbootclasspath") || option.startsWith("-javaagent")
          || option.startsWith("-Djava.system.class.loader")) {
        return;
      }
    }
    String resource = program.target().replace('.', '/') + ".class";
    List<String> missing = new ArrayList<>();
    List<File> jars = new ArrayList<>();
    List<String> entries = new ArrayList<>(List.of(program.classPath().split(File.pathSeparator)));
    entries.addAll(libraries);
    for (String entry : entries) {
      File file = new File(entry.isEmpty() ? "." : entry);
      if (file.isDirectory()) {
        if (new File(file, resource).isFile()) {
          return;
        }
      } else if (file.isFile()) {
        if (holds(file, resource)) {
          return;
        }
        jars.add(file);
      } else if (entry.endsWith("*")) {
        return;
      } else {
        missing.add(entry);
      }
    }
    for (File jar : jars) {
      if (addsFiles(jar)) {
        return;
      }
    }
    if (program.target().endsWith(".java")) {
      throw failure("source file " + program.target() + " does not exist");
    }
    if (program.target().equals("java") || program.target().endsWith("/java")) {
      throw failure("mpirun starts java itself, so leave the word out: " + Invocation.command() + " -n "
          + program.ranks() + " " + String.join(" ", program.arguments()));
    }
    String hint = missing.isEmpty() ? "" : " (" + String.join(", ", missing) + " does not exist)";
    throw failure(
        "main class " + program.target() + " is not on the class path " + program.classPath() + hint
            + MainClassHint.of(program.target(), List.of(program.classPath().split(File.pathSeparator))));
  }

  /** Returns whether a jar has an entry, or might: the JVM decides about a file that is no jar. */
  private static boolean holds(File jar, String resource) {
    try (ZipFile zip = new ZipFile(jar)) {
      return zip.getEntry(resource) != null;
    } catch (IOException e) {
      return true;
    }
  }

  /** Returns whether a jar's manifest adds other jars to the class path, or might. */
  private static boolean addsFiles(File jar) {
    try {
      return !addedBy(jar).isEmpty();
    } catch (IOException e) {
      return true;
    }
  }

  /** Returns the entries that a jar's manifest adds to the class path, as they are written there. */
  private static List<String> addedBy(File jar) throws IOException {
    try (JarFile file = new JarFile(jar)) {
      Manifest manifest = file.getManifest();
      return manifest == null ? List.of() : addedBy(manifest.getMainAttributes());
    }
  }

  private static List<String> addedBy(Attributes main) {
    String others = main.getValue(Attributes.Name.CLASS_PATH);
    return others == null || others.isBlank() ? List.of() : List.of(others.strip().split("\\s+"));
  }

  /**
   * Returns an executable jar and the files that its manifest adds, as one class path: a start-up cache is named after
   * all of it.
   */
  private static String withAdded(File jar, List<String> added) {
    List<String> path = new ArrayList<>(List.of(jar.getPath()));
    for (String other : added) {
      try {
        Path file = Path.of(jar.toURI().resolve(other)).normalize();
        if (Files.exists(file)) {
          path.add(file.toString());
        }
      } catch (IllegalArgumentException | FileSystemNotFoundException e) {
        // No file: the JVM reads the manifest as well.
      }
    }
    return String.join(File.pathSeparator, path);
  }

  /**
   * Returns whether a jar's manifest adds files to the class path that are not on it, or might.
   *
   * @param jar a jar of the class path
   * @param classPath the whole path
   */
  public static boolean addsUnlistedFiles(File jar, String classPath) {
    Set<Path> known = new HashSet<>();
    for (String entry : classPath.split(File.pathSeparator)) {
      known.add(Path.of(entry).toAbsolutePath().normalize());
    }
    try {
      for (String other : addedBy(jar)) {
        Path file = Path.of(jar.toURI().resolve(other)).normalize();
        if (Files.exists(file) && !known.contains(file)) {
          return true;
        }
      }
      return false;
    } catch (IOException | IllegalArgumentException | FileSystemNotFoundException e) {
      return true;
    }
  }

  private static void checkModule(Program program) {
    String name = program.target();
    int slash = name.indexOf('/');
    String module = slash < 0 ? name : name.substring(0, slash);
    String path = JavaOptions.modulePath(program.javaOptions());
    List<Path> entries = new ArrayList<>();
    for (String entry : path.split(File.pathSeparator)) {
      if (!entry.isEmpty()) {
        entries.add(Path.of(entry));
      }
    }
    try {
      if (ModuleFinder.of(entries.toArray(Path[]::new)).find(module).isEmpty()
          && ModuleFinder.ofSystem().find(module).isEmpty()) {
        throw failure("module " + module + " is not on the module path " + (path.isEmpty() ? "(none given)" : path)
            + ", nor in " + System.getProperty("java.home"));
      }
    } catch (FindException e) {
      throw failure("module path " + path + ": " + e.getMessage());
    }
  }

  /**
   * Checks that the Java runtime has a module: an image made by {@code jlink} has those that were named.
   *
   * @param what needs the module
   * @param module name of the module
   * @throws MpiException ERR_SPAWN when it has not
   */
  public static void checkRuntime(String what, String module) {
    if (ModuleFinder.ofSystem().find(module).isEmpty()) {
      throw failure(
          what + " needs the module " + module + ", which the Java runtime " + System.getProperty("java.home")
              + " does not have: name it in jlink --add-modules");
    }
  }

  private static MpiException failure(String text) {
    return new WrongCommand(ErrorClass.ERR_SPAWN, text);
  }
}
