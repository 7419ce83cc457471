// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.request;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.zip.ZipFile;
import org.ffmpi.launcher.command.Invocation;
import org.ffmpi.launcher.command.Libraries;

/** The programs that come with ffmpi, by their short names: {@code heat}, {@code hello}. */
public final class Samples {
  /** The samples' jar, which the script {@code mpirun} names. */
  static final String PROPERTY = "mpirun.samples";

  private static final String PACKAGE = "org/ffmpi/samples/";
  private static final String CLASS = ".class";
  private static final String JAR = "ffmpi-samples";

  private Samples() {}

  /** Returns the class path of the samples. */
  static String classPath() throws UsageException {
    String jar = System.getProperty(PROPERTY);
    if (jar == null) {
      return besideLibrary();
    }
    if (!new File(jar).isFile()) {
      throw new UsageException("--sample: the samples are not built: " + jar + " is missing");
    }
    return jar;
  }

  /** Finds the samples' jar beside the library, where the archive has it. */
  private static String besideLibrary() throws UsageException {
    Path library = Libraries.launcher();
    Path folder = library == null ? null : library.toAbsolutePath().getParent();
    String[] jars =
        folder == null
            ? null
            : folder.toFile().list((in, name) -> name.startsWith(JAR) && name.endsWith(".jar"));
    if (jars == null || jars.length == 0) {
      throw new UsageException(
          "--sample needs the jar " + JAR + ".jar"
              + (folder == null ? "" : " in " + folder) + ", which comes with the archive and with a clone of ffmpi");
    }
    return folder.resolve(jars[0]).toString();
  }

  /**
   * Finds a sample's class: the one whose simple name is {@code name}, but for hyphens and upper case.
   *
   * @param name short name
   * @return the binary name of its class
   */
  static String mainClass(String name) throws UsageException {
    String wanted = plain(name);
    List<String> programs = programs();
    for (String simple : programs) {
      if (plain(simple).equals(wanted)) {
        return (PACKAGE + simple).replace('/', '.');
      }
    }
    throw new UsageException("--sample " + name + ": no such sample among " + String.join(", ", names()));
  }

  /** Returns the names of all samples, in the order of the alphabet. */
  static List<String> names() throws UsageException {
    return programs().stream().map(simple -> simple.toLowerCase(Locale.ROOT)).sorted().toList();
  }

  /**
   * Returns the text of {@code --sample} without a name.
   *
   * @throws UsageException when there are no samples here
   */
  public static String list() throws UsageException {
    return "samples: " + String.join(", ", names()) + "\nrun one with " + Invocation.command()
        + " -n 4 --sample NAME; --help behind the name lists its options\n";
  }

  private static List<String> programs() throws UsageException {
    List<String> programs = new ArrayList<>();
    try (ZipFile zip = new ZipFile(classPath())) {
      for (var entries = zip.entries(); entries.hasMoreElements();) {
        String simple = programOf(entries.nextElement().getName());
        if (simple != null) {
          programs.add(simple);
        }
      }
      return programs;
    } catch (IOException e) {
      throw new UsageException("--sample: the samples cannot be read: " + e.getMessage());
    }
  }

  /**
   * Returns the simple name of a program, which lies directly in the samples' package; parts of programs lie deeper.
   */
  private static String programOf(String entry) {
    if (!entry.startsWith(PACKAGE) || !entry.endsWith(CLASS)) {
      return null;
    }
    String simple = entry.substring(PACKAGE.length(), entry.length() - CLASS.length());
    return simple.indexOf('/') < 0 && simple.indexOf('$') < 0 && simple.indexOf('-') < 0 ? simple : null;
  }

  private static String plain(String name) {
    return name.replace("-", "").replace("_", "").toLowerCase(Locale.ROOT);
  }
}
