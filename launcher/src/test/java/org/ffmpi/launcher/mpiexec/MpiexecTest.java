// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.mpiexec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;
import org.ffmpi.launcher.Launcher;
import org.ffmpi.launcher.command.Program;
import org.ffmpi.launcher.request.JobIo;
import org.ffmpi.launcher.request.JobRequest;
import org.ffmpi.launcher.request.UsageException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Finding the launcher of a C MPI, and its command lines, with scripts in the place of launchers. */
@Tag("process")
@Timeout(120)
class MpiexecTest {
  private static final String OPEN_MPI_4 = "mpirun (Open MPI) 4.1.4";
  private static final String OPEN_MPI_5 = "mpirun (Open MPI) 5.0.7";
  private static final String HYDRA = "HYDRA build details:\\n    Version:                                 4.0.2";

  @TempDir private Path folder;
  private final Map<String, String> environment = new HashMap<>();

  @BeforeEach
  void lookThereAlone() {
    environment.put("PATH", folder.toString());
  }

  private Path program(String name, String version) throws IOException {
    Path file = Files.writeString(folder.resolve(name), "#!/bin/sh\nprintf '" + version + "\\n'\n");
    assertTrue(file.toFile().setExecutable(true));
    return file;
  }

  @ParameterizedTest
  @CsvSource({
    "mpirun (Open MPI) 4.1.4, OPEN_MPI, 4",
    "mpiexec (OpenRTE) 4.1.4, OPEN_MPI, 4",
    "mpirun (Open MPI) 5.0.7, OPEN_MPI, 5",
    "prterun (PRRTE) 3.0.2, OPEN_MPI, 3",
    "HYDRA build details: Version: 4.0.2, HYDRA, 4",
    "Intel(R) MPI Library for Linux* OS Version 2021.9 Build 20230307, HYDRA, 2021",
    "slurm 23.02.6, SRUN, 23",
    "true (GNU coreutils) 9.1, , 9"})
  void aLauncherIsToldByItsVersion(String text, MpiexecKind kind, int version) {
    assertEquals(kind, MpiexecKind.of(text));
    assertEquals(version, MpiexecKind.majorVersion(text));
  }

  @Test
  void variablesOfAProgramAreSetByEachLauncher() {
    assertEquals(List.of("-x", "A=b c"), MpiexecKind.OPEN_MPI.variable("A", "b c"));
    assertEquals(List.of("-env", "A", "b c"), MpiexecKind.HYDRA.variable("A", "b c"));
    assertEquals(List.of("--export=ALL,A=b"), MpiexecKind.SRUN.variable("A", "b"));
  }

  @Test
  void theStandardsNamesComeFirst() throws IOException {
    program("mpirun.mpich", HYDRA);
    assertEquals(MpiexecKind.HYDRA, Mpiexec.find("", environment).kind());
    program("mpiexec", OPEN_MPI_5);
    Mpiexec found = Mpiexec.find("", environment);
    assertEquals(new Mpiexec(folder.resolve("mpiexec"), MpiexecKind.OPEN_MPI, 5), found);
    assertEquals(MpiexecKind.HYDRA, Mpiexec.find("mpirun.mpich", environment).kind());
    assertEquals(MpiexecKind.HYDRA, Mpiexec.find(folder.resolve("mpirun.mpich").toString(), environment).kind());
  }

  @Test
  void srunServesInAnAllocation() throws IOException {
    program("srun", "slurm 23.02.6");
    assertThrows(MpiException.class, () -> Mpiexec.find("", environment));
    environment.put("SLURM_JOB_ID", "77");
    assertEquals(MpiexecKind.SRUN, Mpiexec.find("", environment).kind());
    program("mpiexec", HYDRA);
    assertEquals(MpiexecKind.HYDRA, Mpiexec.find("", environment).kind());
  }

  @Test
  void whatWasLookedForIsSaid() throws IOException {
    program("mpiexec", "a wrapper of ours");
    Path own = Files.writeString(folder.resolve("mpirun"), "#!/bin/sh\n# Starts ffmpi.\nkill -9 $PPID\n");
    assertTrue(own.toFile().setExecutable(true));
    MpiException e = assertThrows(MpiException.class, () -> Mpiexec.find("", environment));
    String text = e.getMessage();
    assertTrue(text.contains(
        "no launcher of an installed MPI is found: looked for mpiexec, mpirun, mpiexec.hydra, mpirun.openmpi,"
            + " mpirun.mpich, prterun (and srun in an allocation of Slurm) in the folders of PATH (" + folder + "); "
            + folder + "/mpiexec is not known (--version prints: a wrapper of ours); "
            + folder + "/mpirun is not known (--version prints: ffmpi); install or load an MPI"), text);
    e = assertThrows(MpiException.class, () -> Mpiexec.find("orterun", environment));
    assertTrue(e.getMessage().contains("ffmpi.mpi.launcher = orterun: allowed are"), e.getMessage());
  }

  private static JobRequest request(Map<String, String> settings, int... ranks) {
    List<Program> programs = new ArrayList<>();
    for (int n : ranks) {
      programs.add(new Program(
          n, List.of("-Xmx1g"), "app.jar", Program.Kind.CLASS, "Main", List.of("x y"), Map.of("ffmpi.errors", "return"),
          Map.of()));
    }
    JobIo io = new JobIo(System.out, System.err, false, false, false);
    return new JobRequest(programs, Settings.of(settings), List.of("ffmpi.jar"), io, null, 0, List.of(), null);
  }

  /** Returns the words before each java command. */
  private String words(MpiexecKind kind, int version, Map<String, String> settings, int... ranks)
      throws UsageException {
    JobRequest request = request(settings, ranks);
    List<List<String>> commands = request.programs().stream().map(p -> List.of("java", "Main")).toList();
    Mpiexec launcher = new Mpiexec(Path.of("L"), kind, version);
    List<String> all = MpiexecCommand.of(launcher, request).words(commands, request.programs(), environment);
    assertTrue(all.contains("-Dffmpi.engine=mpi") && all.contains("-Dffmpi.errors=return"), all.toString());
    assertTrue(all.contains("-Dffmpi.program.ranks=" + ranks[0]), all.toString());
    assertFalse(all.toString().contains("-Dffmpi.host"), all.toString());
    assertFalse(all.toString().contains("-Dffmpi.tag"), all.toString());
    return String.join(" ", all.stream().filter(w -> !w.startsWith("-Dffmpi.")).toList());
  }

  @Test
  void eachLauncherIsToldInItsForm() throws UsageException {
    environment.clear();
    environment.put("FFMPI_SPIN", "5");
    environment.put("JAVA_TOOL_OPTIONS", "-Xint");
    environment.put("HOME", "/root");
    Map<String, String> hosts =
        Map.of("ffmpi.host", "a,b", "ffmpi.tag.output", "true", "ffmpi.mpi.options", "-v 'w w'");
    assertEquals(
        "L --tag-output -v w w --host a:2,b:1 -x FFMPI_SPIN -x JAVA_TOOL_OPTIONS -n 3 java Main"
            + " : --host b:1 -x FFMPI_SPIN -x JAVA_TOOL_OPTIONS -n 1 java Main",
        words(MpiexecKind.OPEN_MPI, 4, hosts, 3, 1));
    assertEquals(
        "L --output tag -v w w --host a:2,b:2 -x FFMPI_SPIN -x JAVA_TOOL_OPTIONS -n 4 java Main",
        words(MpiexecKind.OPEN_MPI, 5, hosts, 4));
    assertEquals(
        "L -prepend-rank -hosts a:2,b:2 -v w w -n 3 java Main : -n 1 java Main",
        words(MpiexecKind.HYDRA, 4, hosts, 3, 1));
    assertEquals(
        "L --label -v w w --distribution=arbitrary --nodelist=a*2,b*2 -n 4 java Main",
        words(MpiexecKind.SRUN, 23, hosts, 4));
    Map<String, String> file = Map.of("ffmpi.hostfile", "/h");
    assertEquals("L -f /h -n 2 java Main", words(MpiexecKind.HYDRA, 4, file, 2));
    assertEquals("L --nodefile=/h -n 2 java Main", words(MpiexecKind.SRUN, 4, file, 2));
    assertTrue(words(MpiexecKind.OPEN_MPI, 4, file, 2).startsWith("L --hostfile /h -x"));
  }

  @Test
  void whatALauncherCannotDoIsSaid() {
    UsageException e =
        assertThrows(UsageException.class, () -> words(MpiexecKind.SRUN, 23, Map.of(), 1, 1));
    assertEquals("L starts one program: start several with mpiexec, which --mpi-launcher names", e.getMessage());
    e = assertThrows(
        UsageException.class,
        () -> words(MpiexecKind.HYDRA, 4, Map.of("ffmpi.host", "a", "ffmpi.hostfile", "/h"), 1));
    assertEquals("--host and --hostfile both name the hosts: give one", e.getMessage());
  }

  @ParameterizedTest
  @CsvSource({"debug, 5005", "debug.suspend, 0", "bind, process", "survive, true", "watchdog, 5"})
  void whatHasNoMeaningThereIsRefused(String name, String value) {
    JobRequest request = request(Map.of("ffmpi." + name, value), 1);
    UsageException e = assertThrows(UsageException.class, () -> MpiexecJob.start(request));
    String flag = "--" + name.replace('.', '-');
    assertTrue(e.getMessage().startsWith(flag + " has no meaning with --engine mpi: "), e.getMessage());
  }

  @Test
  void nobodyShowsHowFarRanksAreThere() {
    JobRequest request = request(Map.of("ffmpi.progress.display", "true"), 1);
    UsageException e = assertThrows(UsageException.class, () -> MpiexecJob.start(request));
    assertEquals(
        "--progress alone has no meaning with --engine mpi: nobody sees the ranks of all machines at once",
        e.getMessage());
  }

  @Test
  void jobsFromJavaRunHere() {
    Launcher launcher = Launcher.of(1).main("Main").setting("ffmpi.engine", "mpi");
    MpiException e = assertThrows(MpiException.class, launcher::start);
    assertTrue(e.getMessage().contains("jobs that are started from Java run on this machine"), e.getMessage());
  }

  @Test
  void theRanksOfANodeAreThoseOfItsHost() throws UsageException {
    assertEquals(8, MpiexecCommand.ranksOfNode(request(Map.of(), 8), environment));
    assertEquals(3, MpiexecCommand.ranksOfNode(request(Map.of("ffmpi.host", "a,b,c"), 5, 3), environment));
    environment.put("SLURM_JOB_NUM_NODES", "4");
    assertEquals(2, MpiexecCommand.ranksOfNode(request(Map.of(), 8), environment));
  }
}
