// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ffmpi.Mpi;
import org.ffmpi.launcher.Launcher;
import org.ffmpi.tests.support.RankJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Programs that the mpiexec of another MPI has started do not become worlds of one rank without a word. */
@Tag("process")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ForeignLauncherTest {
  private static final Map<String, String> OPEN_MPI = Map.of("OMPI_COMM_WORLD_RANK", "1", "OMPI_COMM_WORLD_SIZE", "4");

  /** Says where it is. */
  static final class Place {
    private Place() {}

    public static void main(String[] args) {
      Mpi.run(args, mpi -> {
        System.out.println("rank " + mpi.world().rank() + " of " + mpi.world().size());
        if (System.getenv("TEST_THROWS") != null) {
          throw new IllegalStateException("out of cheese");
        }
      });
    }
  }

  private record Ended(int code, String output) {}

  private static Ended run(Map<String, String> environment) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(
        "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"), Place.class.getName()));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(process.waitFor(), output);
  }

  @Test
  void aRankOfAnotherLauncherIsRefused() throws IOException, InterruptedException {
    Ended ended = run(OPEN_MPI);
    assertEquals(1, ended.code, ended.output);
    // Without the launcher, which the library looks for in vain, each process would be a world of its own.
    assertTrue(
        ended.output.contains(
            "this process was started as rank 1 of 4 by mpirun of Open MPI"
                + " (OMPI_COMM_WORLD_RANK=1, OMPI_COMM_WORLD_SIZE=4), but Open MPI v")
            || ended.output.contains("no MPI library with OPEN_MPI, which the launcher needs, is found"),
        ended.output);
  }

  @Test
  void theEngineOfOneMachineRefusesARankOfAnotherLauncher() throws IOException, InterruptedException {
    Map<String, String> variables = new HashMap<>(OPEN_MPI);
    variables.put("FFMPI_ENGINE", "shm");
    Ended ended = run(variables);
    assertEquals(1, ended.code, ended.output);
    assertTrue(
        ended.output.contains(
            "this process was started as rank 1 of 4 by mpirun of Open MPI"
                + " (OMPI_COMM_WORLD_RANK=1, OMPI_COMM_WORLD_SIZE=4), and would be a world of one rank: start the"
                + " program with the mpirun of ffmpi, as in mpirun -n 4, on one machine, or set FFMPI_FOREIGN=alone"),
        ended.output);
  }

  @Test
  void whoIsInDoubtAndHasNoLibraryIsAlone() throws IOException, InterruptedException {
    Ended ended = run(Map.of("PMI_ID", "0", "FFMPI_MPI_LIBRARY", "libthere-is-none.so"));
    assertEquals(0, ended.code, ended.output);
    assertTrue(ended.output.contains("rank 0 of 1"), ended.output);
  }

  @Test
  void whoWantsToIsAlone() throws IOException, InterruptedException {
    Ended ended = run(Map.of("PMI_RANK", "1", "PMI_SIZE", "2", "FFMPI_FOREIGN", "alone"));
    assertEquals(0, ended.code, ended.output);
    assertTrue(ended.output.contains("rank 0 of 1"), ended.output);
  }

  @Test
  void whoIsAloneSaysOnceWhyItFails() throws IOException, InterruptedException {
    Ended ended = run(Map.of("TEST_THROWS", "true"));
    assertEquals(1, ended.code, ended.output);
    assertEquals(1, ended.output.lines().filter(line -> line.contains("out of cheese")).count(), ended.output);
  }

  @Test
  void aBatchScriptMayStartOneRank() throws IOException, InterruptedException {
    Ended ended = run(Map.of("SLURM_PROCID", "0", "SLURM_NTASKS", "4", "SLURM_JOB_ID", "77"));
    assertEquals(0, ended.code, ended.output);
  }

  @Test
  void ourLauncherUnderAnotherStartsItsOwnRanks() throws InterruptedException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Launcher launcher = RankJvm.launcher(2).main(Place.class.getName()).output(out).errors(out);
    OPEN_MPI.forEach(launcher::environment);
    int code = launcher.run();
    String output = out.toString(StandardCharsets.UTF_8);
    assertEquals(0, code, output);
    assertTrue(output.contains("rank 0 of 2") && output.contains("rank 1 of 2"), output);
  }
}
