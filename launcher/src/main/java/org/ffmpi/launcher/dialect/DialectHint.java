// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.dialect;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;
import org.ffmpi.launcher.command.Program;
import org.ffmpi.launcher.command.ProgramCheck;
import org.ffmpi.launcher.request.LaunchSettings;

/**
 * A sentence for the user whose program failed because it imports package {@code mpi} and was started without its
 * dialect, or with the other one. The program shows which: methods begin with a capital in mpiJava, and with a
 * small letter in Open MPI's bindings. It is looked for only after a failure.
 */
public final class DialectHint {
  private static final Pattern IMPORT = Pattern.compile("(?m)^\\s*import\\s+(static\\s+)?mpi\\.");
  private static final Pattern OPENMPI_CALL = Pattern.compile("\\.\\s*get(Rank|Size)\\s*\\(\\s*\\)");
  private static final Pattern MPIJAVA_CALL = Pattern.compile("\\.\\s*(Rank|Size)\\s*\\(\\s*\\)");

  /** Methods whose names are the same in both. */
  private static final Set<String> OF_BOTH = Set.of("Init", "Finalize", "<init>", "clone", "equals", "hashCode");

  private static final String PACKAGE = "mpi/";
  private static final String ENTRY_CLASS = PACKAGE + "MPI.class";
  private static final String ERROR_CLASS = PACKAGE + "MPIException";

  private DialectHint() {}

  /**
   * Returns a hint for programs that have failed.
   *
   * @param programs the programs, as the user has named them
   * @param settings settings of the job
   * @return a sentence; null when the dialect is not the reason
   */
  public static String of(List<Program> programs, Settings settings) {
    String chosen = LaunchSettings.DIALECT.get(settings);
    for (Program program : programs) {
      try {
        String hint = of(program, chosen);
        if (hint != null) {
          return hint;
        }
      } catch (IOException | IllegalArgumentException | MpiException e) {
        // A program that cannot be read gives no hint; the reason of its failure has been printed.
      }
    }
    return null;
  }

  private static String of(Program named, String chosen) throws IOException {
    Program program = named.kind() == Program.Kind.JAR ? ProgramCheck.checked(named, List.of()) : named;
    String written;
    try (URLClassLoader path = new URLClassLoader(urls(program.classPath()), null)) {
      if (chosen.equals(LaunchSettings.NO_DIALECT) && path.findResource(ENTRY_CLASS) != null) {
        return null;
      }
      written = switch (program.kind()) {
        case SOURCE -> ofSource(Files.readString(Path.of(program.target()), StandardCharsets.ISO_8859_1));
        case CLASS -> ofClass(path, program.target().replace('.', '/') + ".class");
        default -> null;
      };
    }
    boolean isMpj = chosen.equals(LaunchSettings.MPJ) && LaunchSettings.MPIJAVA.equals(written);
    if (written == null || isMpj || chosen.equals(written)) {
      return null;
    }
    String name = new File(program.target()).getName();
    String flag = LaunchSettings.DIALECT.flag();
    if (program.arguments().contains(flag)) {
      return name + " imports package mpi and got " + flag + " as an argument of its own: give it before " + name;
    }
    if (written.isEmpty()) {
      return chosen.equals(LaunchSettings.NO_DIALECT)
          ? name + " imports package mpi: " + flag + " openmpi, mpijava or mpj puts one on its class path" : null;
    }
    String origin = written.equals(LaunchSettings.OPENMPI) ? "Open MPI's Java bindings" : "mpiJava or MPJ Express";
    return name + " imports package mpi and calls it as programs for " + origin + " do: try " + flag + " " + written
        + (written.equals(LaunchSettings.OPENMPI)
            ? "" : ", or mpj if it reads its arguments as MPJ Express gives them");
  }

  /** Returns the dialect of a source text: null when it does not import the package, empty when either is possible. */
  static String ofSource(String text) {
    if (!IMPORT.matcher(text).find()) {
      return null;
    }
    return either(OPENMPI_CALL.matcher(text).find(), MPIJAVA_CALL.matcher(text).find());
  }

  private static String ofClass(URLClassLoader path, String resource) throws IOException {
    URL found = path.findResource(resource);
    if (found == null) {
      return null;
    }
    try (InputStream in = found.openStream()) {
      return ofClass(in.readAllBytes());
    }
  }

  /** Returns the dialect of a class; as {@link #ofSource}. */
  static String ofClass(byte[] bytes) {
    ClassModel model = ClassFile.of().parse(bytes);
    boolean imports = false;
    boolean openmpi = false;
    boolean mpijava = false;
    for (PoolEntry entry : model.constantPool()) {
      if (entry instanceof MemberRefEntry member && member.owner().asInternalName().startsWith(PACKAGE)) {
        imports = true;
        String name = member.name().stringValue();
        boolean isMethod = member.type().stringValue().startsWith("(");
        if (isMethod && !OF_BOTH.contains(name) && !member.owner().asInternalName().equals(ERROR_CLASS)) {
          mpijava |= Character.isUpperCase(name.charAt(0));
          openmpi |= Character.isLowerCase(name.charAt(0));
        }
      }
    }
    return imports ? either(openmpi, mpijava) : null;
  }

  private static String either(boolean openmpi, boolean mpijava) {
    if (openmpi == mpijava) {
      return "";
    }
    return openmpi ? LaunchSettings.OPENMPI : LaunchSettings.MPIJAVA;
  }

  private static URL[] urls(String classPath) throws MalformedURLException {
    List<URL> urls = new ArrayList<>();
    for (String entry : (classPath == null ? "" : classPath).split(File.pathSeparator)) {
      if (entry.endsWith("*")) {
        File folder = new File(entry.substring(0, entry.length() - 1) + ".");
        File[] jars = folder.listFiles((in, name) -> name.endsWith(".jar"));
        for (File jar : jars == null ? new File[0] : jars) {
          urls.add(jar.toURI().toURL());
        }
      } else {
        urls.add(new File(entry.isEmpty() ? "." : entry).toURI().toURL());
      }
    }
    return urls.toArray(URL[]::new);
  }
}
