// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.mpi.binding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The names of a search and their order, and the error of a search without a result. */
class LibrarySearchTest {
  @TempDir Path folder;

  private static List<String> candidates(Map<String, String> environment) {
    return LibrarySearch.of("", environment).candidates();
  }

  @Test
  void withoutALauncherAllUsualNamesAreTried() {
    assertEquals(
        List.of("libmpi_abi.so.0", "libmpi.so.40", "libmpich.so.12", "libmpi.so.12", "libmpi.so"),
        candidates(Map.of()));
  }

  @Test
  void aLauncherWantsItsOwnLibrary() {
    Map<String, String> openMpi = Map.of("OMPI_COMM_WORLD_RANK", "1", "PMIX_RANK", "1");
    assertEquals(List.of("libmpi.so.40", "libmpi.so"), candidates(openMpi));
    assertFalse(LibrarySearch.of("", openMpi).accepts(MpiAbi.MPICH));
    Map<String, String> hydra = Map.of("PMI_RANK", "1", "PMI_SIZE", "2", "HYDI_CONTROL_FD", "7");
    assertEquals(List.of("libmpich.so.12", "libmpi.so.12", "libmpi_abi.so.0", "libmpi.so"), candidates(hydra));
    assertFalse(LibrarySearch.of("", hydra).accepts(MpiAbi.OPEN_MPI));
    assertTrue(LibrarySearch.of("", hydra).accepts(MpiAbi.STANDARD));
  }

  @Test
  void slurmMayHaveStartedEither() {
    Map<String, String> slurm = Map.of("PMI_RANK", "1", "PMI_SIZE", "2", "SLURM_PROCID", "1");
    assertEquals("libmpich.so.12", candidates(slurm).getFirst());
    assertTrue(candidates(slurm).contains("libmpi.so.40"));
    assertTrue(LibrarySearch.of("", slurm).accepts(MpiAbi.OPEN_MPI));
  }

  @Test
  void whatIsSetIsTheOnlyCandidate() {
    LibrarySearch search = LibrarySearch.of("/opt/mpi/libmpi.so", Map.of("OMPI_COMM_WORLD_RANK", "1"));
    assertEquals(List.of("/opt/mpi/libmpi.so"), search.candidates());
    assertTrue(search.accepts(MpiAbi.MPICH));
  }

  @Test
  void foldersBesideALauncherAreSearchedLast() throws Exception {
    Path lib = Files.createDirectories(folder.resolve("openmpi/lib"));
    Path there = Files.createFile(lib.resolve("libmpi.so.40"));
    Path program = Files.createFile(Files.createDirectories(folder.resolve("openmpi/bin")).resolve("mpiexec"));
    assertTrue(program.toFile().setExecutable(true));
    Files.createSymbolicLink(Files.createDirectories(folder.resolve("links")).resolve("mpiexec"), program);
    Path home = Files.createDirectories(folder.resolve("home/lib64"));
    Path other = Files.createFile(home.resolve("libmpi.so"));
    Map<String, String> environment = Map.of(
        "OMPI_COMM_WORLD_RANK", "0", "PATH", ":/nowhere:" + folder.resolve("links"), "MPI_HOME",
        folder.resolve("home").toString());
    assertEquals(
        List.of("libmpi.so.40", "libmpi.so", other.toString(), there.toString()), candidates(environment));
    String said = LibrarySearch.of("", environment).nothingFound(List.of("no such file")).getMessage();
    assertTrue(said.contains(", and in " + home + ", " + lib + ";"), said);
  }

  @Test
  void whatIsSetAndIsNoLibraryIsAnError() {
    MpiException e = assertThrows(MpiException.class,
        () -> MpiLibrary.load(Settings.of(Map.of("ffmpi.mpi.library", "/nowhere/libmpi.so")), Map.of()));
    assertEquals(ErrorClass.ERR_ARG, e.errorClass());
    assertEquals("MPI_ERR_ARG: ffmpi.mpi.library = /nowhere/libmpi.so: allowed are the path or the name of an MPI"
        + " library; /nowhere/libmpi.so: cannot open shared object file: No such file or directory", e.getMessage());
    e = assertThrows(MpiException.class,
        () -> MpiLibrary.load(Settings.of(Map.of("ffmpi.mpi.library", "libm.so.6")), Map.of()));
    assertEquals("MPI_ERR_ARG: ffmpi.mpi.library = libm.so.6: allowed are the path or the name of an MPI library;"
        + " libm.so.6 is not an MPI library: it has no MPI_Get_library_version", e.getMessage());
    assertThrows(IllegalStateException.class, MpiLibrary::current);
  }

  @Test
  void whereNothingIsFoundTheSearchIsTold() {
    LibrarySearch search = LibrarySearch.of("", Map.of("HYDI_CONTROL_FD", "7"));
    MpiException e = search.nothingFound(List.of("libmpich.so.12: not there"));
    assertEquals(ErrorClass.ERR_OTHER, e.errorClass());
    assertEquals("MPI_ERR_OTHER: no MPI library with MPICH's ABI, which the launcher needs, is found; looked"
        + " for libmpich.so.12, libmpi.so.12, libmpi_abi.so.0, libmpi.so where the dynamic linker looks"
        + " (LD_LIBRARY_PATH and the system's folders); ffmpi.mpi.library sets another name or path;"
        + " libmpich.so.12: not there", e.getMessage());
  }
}
