// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.mpi.binding;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;

/**
 * Chooses the names and folders in which the library is searched. The names are the one that the user has set, and no
 * other; or those of the MPI whose launcher has started the process, since no other MPI understands that launcher; or
 * all usual names. The dynamic linker looks for each name first, which includes {@code LD_LIBRARY_PATH}; then the
 * folders beside an {@code mpiexec} on the path and those that variables name are searched.
 */
final class LibrarySearch {
  private static final List<String> OF_MPICH = List.of("libmpich.so.12", "libmpi.so.12");
  private static final List<String> OF_OPEN_MPI = List.of("libmpi.so.40");
  private static final List<String> OF_STANDARD = List.of("libmpi_abi.so.0");

  /** Last, because it may be any MPI: the system's administrator chooses it. */
  private static final List<String> ANY = List.of("libmpi.so");

  /** Variables that only a launcher of Open MPI sets. */
  private static final List<String> OPEN_MPI_LAUNCHER = List.of("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE");

  /** Variables that only Hydra sets, the launcher of MPICH, or that of MVAPICH. */
  private static final List<String> MPICH_LAUNCHER = List.of("HYDI_CONTROL_FD", "MV2_COMM_WORLD_RANK");

  /** A variable of all launchers with MPICH's protocol, such as Slurm; Open MPI may understand it too. */
  private static final String PMI_RANK = "PMI_RANK";

  /** Variables with the folder of an MPI. */
  private static final List<String> FOLDERS = List.of("MPI_HOME", "MPI_ROOT", "OPAL_PREFIX", "I_MPI_ROOT", "MPICH_DIR");

  private static final List<String> LAUNCHERS = List.of("mpiexec", "mpirun");

  private final String set;
  private final MpiAbi launcher;
  private final List<String> names;
  private final List<Path> folders;

  private LibrarySearch(String set, MpiAbi launcher, List<String> names, List<Path> folders) {
    this.set = set;
    this.launcher = launcher;
    this.names = names;
    this.folders = folders;
  }

  /**
   * Makes the search for a choice and an environment.
   *
   * @param set the user's choice, or empty
   * @param environment the variables of the process
   * @return the search
   */
  static LibrarySearch of(String set, Map<String, String> environment) {
    if (!set.isEmpty()) {
      return new LibrarySearch(set, null, List.of(set), List.of());
    }
    if (OPEN_MPI_LAUNCHER.stream().anyMatch(environment::containsKey)) {
      return new LibrarySearch("", MpiAbi.OPEN_MPI, joined(List.of(OF_OPEN_MPI, ANY)), folders(environment));
    }
    if (MPICH_LAUNCHER.stream().anyMatch(environment::containsKey)) {
      return new LibrarySearch("", MpiAbi.MPICH, joined(List.of(OF_MPICH, OF_STANDARD, ANY)), folders(environment));
    }
    List<String> names = environment.containsKey(PMI_RANK)
        ? joined(List.of(OF_MPICH, OF_STANDARD, OF_OPEN_MPI, ANY))
        : joined(List.of(OF_STANDARD, OF_OPEN_MPI, OF_MPICH, ANY));
    return new LibrarySearch("", null, names, folders(environment));
  }

  private static List<String> joined(List<List<String>> lists) {
    return lists.stream().flatMap(List::stream).toList();
  }

  /** The folders of libraries beside the launchers on the path, and of MPIs that variables name; those that exist. */
  private static List<Path> folders(Map<String, String> environment) {
    Set<Path> roots = new LinkedHashSet<>();
    for (String variable : FOLDERS) {
      String folder = environment.getOrDefault(variable, "");
      if (!folder.isEmpty()) {
        addPath(folder, "", roots);
      }
    }
    for (String entry : environment.getOrDefault("PATH", "").split(File.pathSeparator)) {
      for (String launcher : entry.isEmpty() ? List.<String>of() : LAUNCHERS) {
        addRootOf(entry, launcher, roots);
      }
    }
    List<Path> found = new ArrayList<>();
    for (Path root : roots) {
      for (String folder : List.of("lib", "lib64", "lib/release")) {
        if (Files.isDirectory(root.resolve(folder))) {
          found.add(root.resolve(folder));
        }
      }
    }
    return found;
  }

  private static void addPath(String folder, String below, Set<Path> roots) {
    try {
      roots.add(Path.of(folder, below));
    } catch (InvalidPathException e) {
      // A variable that names no folder names no MPI.
    }
  }

  private static void addRootOf(String entry, String launcher, Set<Path> roots) {
    try {
      Path program = Path.of(entry, launcher);
      if (Files.isExecutable(program)) {
        Path folder = program.toRealPath().getParent();
        if (folder.getParent() != null) {
          roots.add(folder.getParent());
        }
      }
    } catch (IOException | InvalidPathException e) {
      // An entry of the path that cannot be read has no launcher.
    }
  }

  /** Returns the names and paths to try, in this order. */
  List<String> candidates() {
    List<String> all = new ArrayList<>(names);
    for (Path folder : folders) {
      for (String name : names) {
        Path file = folder.resolve(name);
        if (Files.exists(file)) {
          all.add(file.toString());
        }
      }
    }
    return all;
  }

  /** Returns whether a library of this ABI fits the launcher, or is the one that the user has set. */
  boolean accepts(MpiAbi abi) {
    return launcher == null || abi == launcher || abi == MpiAbi.STANDARD;
  }

  /** Returns the last part of a path. */
  static String fileName(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /**
   * Makes the exception of a search without a result.
   *
   * @param failures the reason against each candidate
   * @return the exception, to be thrown
   */
  MpiException nothingFound(List<String> failures) {
    String reasons = String.join("; ", failures);
    if (!set.isEmpty()) {
      return new MpiException(ErrorClass.ERR_ARG, MpiSettings.LIBRARY.name() + " = " + set
          + ": allowed are the path or the name of an MPI library; " + reasons);
    }
    List<String> paths = folders.stream().map(Path::toString).toList();
    String where = paths.isEmpty() ? "" : ", and in " + String.join(", ", paths);
    return new MpiException(ErrorClass.ERR_OTHER, "no MPI library"
        + (launcher == null ? "" : " with " + launcher + ", which the launcher needs,") + " is found; looked for "
        + String.join(", ", names) + " where the dynamic linker looks (LD_LIBRARY_PATH and the system's folders)"
        + where + "; " + MpiSettings.LIBRARY.name() + " sets another name or path; " + reasons);
  }
}
