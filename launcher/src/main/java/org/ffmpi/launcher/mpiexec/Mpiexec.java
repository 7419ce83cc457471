// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.mpiexec;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.launcher.request.LaunchSettings;

/**
 * The launcher of a C MPI on this machine.
 *
 * @param program the file
 * @param kind the MPI that it belongs to
 * @param version the first number of its version
 */
record Mpiexec(Path program, MpiexecKind kind, int version) {
  /**
   * The names that are looked for on the path, in this order: the names of the standard first, then those of
   * distributions.
   */
  static final List<String> NAMES =
      List.of("mpiexec", "mpirun", "mpiexec.hydra", "mpirun.openmpi", "mpirun.mpich", "prterun");

  private static final String SRUN = "srun";

  /** The variable that an allocation of Slurm's sets. */
  private static final String ALLOCATION = "SLURM_JOB_ID";

  private static final long SECONDS = 20;

  /** Variables that make a process a rank of ffmpi's launcher; a C launcher must not pass them on. */
  static final List<String> OF_OWN_RANKS = List.of("FFMPI_RANK", "FFMPI_SIZE", "FFMPI_SEGMENT", "FFMPI_CORES");

  /**
   * Finds the launcher.
   *
   * @param named a path or a name, or empty for the usual names
   * @param environment the variables, of which {@code PATH} names the folders
   * @return the launcher
   * @throws MpiException ERR_SPAWN when there is none, with what was looked for and where
   */
  static Mpiexec find(String named, Map<String, String> environment) {
    boolean allocated = environment.containsKey(ALLOCATION);
    List<String> names = new ArrayList<>(named.isEmpty() ? NAMES : List.of(named));
    if (named.isEmpty() && allocated) {
      names.add(SRUN);
    }
    List<String> refused = new ArrayList<>();
    for (String name : names) {
      for (Path file : files(name, environment)) {
        String text = versionText(file);
        MpiexecKind kind = MpiexecKind.of(text);
        if (kind != null) {
          return new Mpiexec(file, kind, MpiexecKind.majorVersion(text));
        }
        refused.add(file + " is not known (--version prints: " + firstLine(text) + ")");
      }
    }
    throw new MpiException(ErrorClass.ERR_SPAWN, sentence(named, names, refused, environment));
  }

  private static String sentence(
      String named, List<String> names, List<String> refused, Map<String, String> environment) {
    String path = environment.getOrDefault("PATH", "");
    String reasons = refused.isEmpty() ? "" : "; " + String.join("; ", refused);
    if (!named.isEmpty()) {
      return LaunchSettings.MPI_LAUNCHER.name() + " = " + named + ": allowed are the path or the name of a launcher of"
          + " Open MPI, MPICH (Hydra) or Slurm" + (refused.isEmpty() ? "; there is no such program" : reasons);
    }
    return "no launcher of an installed MPI is found: looked for " + String.join(", ", names)
        + (names.contains(SRUN) ? "" : " (and srun in an allocation of Slurm)") + " in the folders of PATH (" + path
        + ")" + reasons + "; install or load an MPI (module load, apt-get install openmpi-bin), or name its launcher"
        + " with " + LaunchSettings.MPI_LAUNCHER.flag();
  }

  private static List<Path> files(String name, Map<String, String> environment) {
    List<Path> found = new ArrayList<>();
    try {
      if (name.indexOf('/') >= 0) {
        addProgram(Path.of(name).toAbsolutePath(), found);
        return found;
      }
      for (String folder : environment.getOrDefault("PATH", "").split(File.pathSeparator)) {
        addProgram(Path.of(folder.isEmpty() ? "." : folder, name).toAbsolutePath(), found);
      }
    } catch (InvalidPathException e) {
      // What names no file names no program.
    }
    return found;
  }

  private static void addProgram(Path file, List<Path> found) {
    if (Files.isRegularFile(file) && Files.isExecutable(file) && !found.contains(file)) {
      found.add(file);
    }
  }

  /** Returns the output of {@code --version}; the reason when the program cannot be run. */
  private static String versionText(Path file) {
    try {
      if (isOwn(file)) {
        return "ffmpi";
      }
      ProcessBuilder builder = new ProcessBuilder(file.toString(), "--version").redirectErrorStream(true);
      builder.environment().keySet().removeAll(OF_OWN_RANKS);
      builder.redirectInput(new File("/dev/null"));
      Process process = builder.start();
      Thread limit = Thread.ofPlatform().daemon().start(() -> {
        try {
          if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
          }
        } catch (InterruptedException e) {
          // It has answered.
        }
      });
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      limit.interrupt();
      return text;
    } catch (IOException e) {
      return e.getMessage();
    }
  }

  /** Returns whether it is the mpirun of ffmpi, which would look for a launcher again. */
  private static boolean isOwn(Path file) throws IOException {
    byte[] start = new byte[512];
    try (var in = Files.newInputStream(file)) {
      int length = in.readNBytes(start, 0, start.length);
      String text = new String(start, 0, length, StandardCharsets.ISO_8859_1);
      return text.startsWith("#!") && text.contains("ffmpi");
    }
  }

  private static String firstLine(String text) {
    return text.isEmpty() ? "nothing" : text.lines().findFirst().orElse("").strip();
  }
}
