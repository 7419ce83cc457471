// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code mpirun --engine mpi} as a process of its own, with the launchers of the C libraries that are installed. */
@Tag("process")
@Timeout(240)
class MpiexecProcessTest {
  private static final String OPEN_MPI = "mpirun.openmpi";
  private static final String MPICH = "mpirun.mpich";

  /** For machines that are busy with other things. */
  private static final long SOON_MILLIS = 20_000;

  @TempDir private Path folder;
  private Process mpirun;

  /** Says what it was started with. */
  static final class Tells {
    public static void main(String[] args) {
      Mpi.run(args, mpi -> {
        int[] sum = {mpi.world().rank()};
        mpi.world().allreduce(Buf.of(sum), Op.SUM);
        System.out.println(
            "told " + mpi.world().rank() + " of " + mpi.world().size() + ", sum " + sum[0] + ", program "
                + mpi.world().attributes().get(Comm.APPNUM).orElse(-1) + ", " + String.join("|", args) + ", "
                + System.getenv("FFMPI_SPIN") + ", " + Mpi.libraryVersion());
      });
    }
  }

  /** Says its pid once all ranks are there, and then nothing for a long time. */
  static final class Stays {
    public static void main(String[] args) {
      Mpi.run(args, mpi -> {
        mpi.world().barrier();
        System.out.println("ready " + ProcessHandle.current().pid());
        Programs.sleepForever();
      });
    }
  }

  /** Ends the job with a code of its own. */
  static final class AbortsWithSeven {
    public static void main(String[] args) {
      Mpi.run(args, mpi -> {
        if (mpi.world().rank() == 1) {
          mpi.abort(7);
        }
        mpi.world().barrier();
      });
    }
  }

  private static void assumeThere(String launcher) {
    boolean there = System.getenv("FFMPI_TEST_NO_MPI") == null
        && Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .anyMatch(entry -> !entry.isEmpty() && Files.isExecutable(Path.of(entry, launcher)));
    if (!there) {
      System.out.println("launcher: no " + launcher + " on the PATH; tests with it are skipped");
    }
    assumeTrue(there, "no " + launcher + " on the PATH");
  }

  private Process start(String... words) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), MpirunMain.class.getName()));
    command.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(folder.resolve("err").toFile());
    builder.environment().put("FFMPI_AOT_FOLDER", folder.resolve("caches").toString());
    builder.environment().put("FFMPI_SPIN", "17");
    builder.environment().put("OMPI_ALLOW_RUN_AS_ROOT", "1");
    builder.environment().put("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    builder.environment().put("OMPI_MCA_rmaps_base_oversubscribe", "1");
    mpirun = builder.start();
    return mpirun;
  }

  private Process startWith(String launcher, Class<?> program, String... options) throws IOException {
    assumeThere(launcher);
    List<String> words = new ArrayList<>(List.of("--engine", "mpi", "--mpi-launcher", launcher, "-n", "2"));
    words.addAll(List.of(options));
    words.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    return start(words.toArray(String[]::new));
  }

  @AfterEach
  void endWhatIsLeft() {
    if (mpirun != null) {
      mpirun.descendants().forEach(ProcessHandle::destroyForcibly);
      mpirun.destroyForcibly();
    }
  }

  private String output() throws IOException {
    return new String(mpirun.getInputStream().readAllBytes());
  }

  private String errors() throws IOException {
    return Files.readString(folder.resolve("err"));
  }

  private static List<ProcessHandle> ready(BufferedReader out) throws IOException {
    List<ProcessHandle> handles = new ArrayList<>();
    while (handles.size() < 2) {
      String line = out.readLine();
      assertTrue(line != null, "the job ended before all ranks were ready");
      if (line.startsWith("ready ")) {
        handles.add(ProcessHandle.of(Long.parseLong(line.substring(6))).orElseThrow());
      }
    }
    return handles;
  }

  @ParameterizedTest
  @ValueSource(strings = {OPEN_MPI, MPICH})
  void programsRunOnNodesWithTheirArgumentsAndSettings(String launcher) throws Exception {
    assumeThere(launcher);
    String path = System.getProperty("java.class.path");
    start("--engine", "mpi", "--mpi-launcher", launcher, "--node", "2,1", "--report", "-n", "2", "-cp", path,
        Tells.class.getName(), "a b", ":", "-n", "1", "-cp", path, Tells.class.getName(), "c");
    List<String> told = output().lines().filter(line -> line.startsWith("told")).sorted().toList();
    assertEquals(0, mpirun.waitFor(), errors());
    assertEquals(3, told.size(), told.toString());
    String[] expected = {"program 0, a b", "program 0, a b", "program 1, c"};
    String title = launcher.equals(OPEN_MPI) ? "over Open MPI v" : "over MPICH Version";
    for (int rank = 0; rank < 3; rank++) {
      assertTrue(
          told.get(rank).startsWith("told " + rank + " of 3, sum 3, " + expected[rank] + ", 17, ffmpi "),
          told.get(rank));
      assertTrue(told.get(rank).contains("3 ranks on 2 nodes, " + title), told.get(rank));
    }
    String report = errors();
    assertTrue(report.contains("ffmpi: rank 1 of 3 on ") && report.contains(", node 0, core"), report);
    assertTrue(report.contains("; shared memory with ranks 0-1; wire to node 1; ffmpi"), report);
    assertTrue(report.contains("; wire to node 0; ffmpi"), report);
  }

  @ParameterizedTest
  @ValueSource(strings = {OPEN_MPI, MPICH})
  void theExitCodeIsThatOfTheJob(String launcher) throws Exception {
    startWith(launcher, AbortsWithSeven.class);
    output();
    assertEquals(7, mpirun.waitFor(), errors());
  }

  @ParameterizedTest
  @ValueSource(strings = {OPEN_MPI, MPICH})
  void aSignalEndsAllRanks(String launcher) throws Exception {
    startWith(launcher, Stays.class);
    List<ProcessHandle> ranks = ready(mpirun.inputReader());
    mpirun.destroy();
    assertTrue(Gone.within(SOON_MILLIS, ranks));
    assertEquals(143, mpirun.waitFor());
    assertTrue(errors().contains("mpirun: the job was ended by a signal to mpirun"), errors());
  }

  @Test
  void aKilledLauncherTakesItsRanksWithIt() throws Exception {
    startWith(MPICH, Stays.class);
    List<ProcessHandle> ranks = ready(mpirun.inputReader());
    mpirun.destroyForcibly();
    assertTrue(Gone.within(SOON_MILLIS, ranks));
  }

  @Test
  void theTimeLimitShowsTheStacks() throws Exception {
    startWith(OPEN_MPI, Programs.Sleep.class, "--timeout", "4");
    List<ProcessHandle> ranks = ready(mpirun.inputReader());
    assertEquals(124, mpirun.waitFor(), errors());
    assertTrue(Gone.within(SOON_MILLIS, ranks));
    String text = errors();
    assertTrue(text.contains("mpirun: stacks of rank 1 (pid ") && text.contains("Programs.sleepForever"), text);
    String sentence = "mpirun: the job did not end within 4 s; 2 of its ranks were alive on this machine";
    assertTrue(text.contains(sentence), text);
  }

  @Test
  void whatIsRefusedIsSaidInOneLine() throws Exception {
    String[][] lines = {
      {"--vmargs-rank has no meaning", "--engine", "mpi", "--vmargs-rank", "0:-Xmx1g"},
      {"--host needs --engine mpi", "--host", "a,b"},
      {"--node 3,1 needs --engine mpi: without it these 4 ranks are processes of one node", "--node", "3,1"},
      {"--train makes its cache of a run on this machine", "--engine", "mpi", "--train"}};
    for (String[] line : lines) {
      List<String> words = new ArrayList<>(List.of(line).subList(1, line.length));
      words.addAll(List.of("-n", "4", "-cp", System.getProperty("java.class.path"), Tells.class.getName()));
      start(words.toArray(String[]::new));
      assertEquals("", output());
      assertEquals(MpirunMain.BAD_USAGE, mpirun.waitFor());
      assertTrue(errors().startsWith("mpirun: " + line[0]), errors());
      assertFalse(errors().strip().contains("\n"), errors());
    }
  }
}
