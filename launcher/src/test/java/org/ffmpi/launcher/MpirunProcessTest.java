// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The launcher as a process of its own, as the shell starts it. */
@Tag("process")
@Timeout(240)
class MpirunProcessTest {
  /** For machines that are busy with other things. */
  private static final long SOON_MILLIS = 20_000;

  @TempDir private Path folder;
  private Process mpirun;

  private static List<String> command(String... words) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), MpirunMain.class.getName()));
    command.addAll(List.of(words));
    return command;
  }

  private Process start(String... words) throws IOException {
    return start(command(words));
  }

  private Process start(List<String> command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(folder.resolve("err").toFile());
    builder.environment().put("FFMPI_AOT_FOLDER", folder.resolve("caches").toString());
    mpirun = builder.start();
    return mpirun;
  }

  private Process start(int ranks, Class<?> program) throws IOException {
    return start(
        "-n", Integer.toString(ranks), "-cp", System.getProperty("java.class.path"), program.getName());
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

  /** Reads the pids that ranks print, as they come. */
  private static List<ProcessHandle> ranksOf(BufferedReader out, int ranks) throws IOException {
    List<ProcessHandle> handles = new ArrayList<>();
    while (handles.size() < ranks) {
      String line = out.readLine();
      assertTrue(line != null, "the job ended before all ranks were ready");
      if (line.startsWith("ready ")) {
        handles.add(ProcessHandle.of(Long.parseLong(line.substring(6))).orElseThrow());
      }
    }
    return handles;
  }

  @Test
  void howFarRanksAreIsALineWhereOutputIsNoTerminal() throws Exception {
    start("-n", "2", "--progress", "--tag-output", "-cp", System.getProperty("java.class.path"),
        Programs.Sweeps.class.getName());
    List<String> lines = output().lines().sorted().toList();
    assertEquals(0, mpirun.waitFor(), errors());
    assertEquals(2, lines.size(), lines.toString());
    assertTrue(lines.stream().allMatch(line -> line.endsWith("swept")), lines.toString());
    String last = errors().lines().reduce("", (before, line) -> line);
    assertTrue(last.startsWith("mpirun: sweep: 1,000 of 1,000 (100 %)"), errors());
    assertFalse(errors().contains("\033"), errors());
  }

  @Test
  void rankZeroReadsTheStandardInput() throws Exception {
    start(2, Programs.Echo.class);
    mpirun.getOutputStream().write("one\ntwo\n".getBytes());
    mpirun.getOutputStream().close();
    List<String> lines = output().lines().sorted().toList();
    assertEquals(List.of("rank 0 is at the end", "rank 0 read one", "rank 0 read two", "rank 1 is at the end"), lines);
    assertEquals(0, mpirun.waitFor());
  }

  @Test
  void aSignalToTheLauncherEndsAllRanks() throws Exception {
    start(3, Programs.StubbornSleep.class);
    List<ProcessHandle> ranks = ranksOf(mpirun.inputReader(), 3);
    mpirun.destroy();
    assertTrue(Gone.within(SOON_MILLIS, ranks));
    assertEquals(143, mpirun.waitFor());
    assertTrue(errors().contains("the job was ended by a signal to mpirun; 3 ranks were ended"), errors());
  }

  @Test
  void aKilledLauncherTakesItsRanksWithIt() throws Exception {
    start(3, Programs.WaitsForever.class);
    List<ProcessHandle> ranks = ranksOf(mpirun.inputReader(), 3);
    mpirun.destroyForcibly();
    assertTrue(Gone.within(SOON_MILLIS, ranks));
  }

  @Test
  void aReaderThatGoesAwayEndsTheJob() throws Exception {
    start(2, Programs.Dots.class);
    assertEquals('.', mpirun.getInputStream().read());
    mpirun.getInputStream().close();
    assertTrue(mpirun.waitFor(120, TimeUnit.SECONDS));
    assertEquals(141, mpirun.exitValue());
    assertTrue(errors().contains("standard output takes no more"), errors());
  }

  @Test
  void aLimitOfOpenFilesIsNamed() throws Exception {
    List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", "ulimit -n 64 && exec \"$@\"", "sh"));
    command.addAll(command("-n", "40", "-cp", System.getProperty("java.class.path"), Programs.Sleep.class.getName()));
    start(command);
    output();
    assertEquals(1, mpirun.waitFor());
    assertTrue(errors().contains("of 40 could not be started: mpirun may have 64 open files"), errors());
    assertEquals(1, errors().lines().filter(line -> line.startsWith("mpirun: ")).count(), errors());
    assertFalse(errors().contains("Re-install JDK"), errors());
  }

  @Test
  void aBadCommandLineIsOneSentence() throws Exception {
    start("-n", "0", "A");
    assertEquals("", output());
    assertEquals(MpirunMain.BAD_USAGE, mpirun.waitFor());
    assertEquals("mpirun: -n 0: the number of ranks is a whole number from 1 up\n", errors());
    start("-n", "2", "no.such.Main");
    assertEquals(MpirunMain.BAD_USAGE, mpirun.waitFor());
    assertEquals("mpirun: main class no.such.Main is not on the class path .\n", errors());
    Path classes = Files.createDirectories(folder.resolve("classes/org/example"));
    Files.write(classes.resolve("Main.class"), new byte[0]);
    start("-n", "2", "-cp", folder.resolve("classes").toString(), "Main");
    assertEquals(MpirunMain.BAD_USAGE, mpirun.waitFor());
    assertTrue(errors().endsWith("/classes: did you mean org.example.Main?\n"), errors());
  }

  @Test
  void theAlgorithmsOfCollectivesAreTold() throws Exception {
    start("--algorithms", "--coll-allreduce=ring<=1M");
    String table = output();
    assertEquals(0, mpirun.waitFor());
    assertTrue(table.contains("ring (ffmpi.coll.allreduce)"), table);
    start("-n", "2", "--collectives", "explain", "--coll-gather=linear", "-cp", System.getProperty("java.class.path"),
        Programs.Gathers.class.getName());
    assertEquals("", output());
    assertEquals(0, mpirun.waitFor(), errors());
    assertEquals(1, errors().lines().filter(line -> line.startsWith("ffmpi: gather of 4 bytes on 2 ranks: linear, one"
        + " round; says ffmpi.coll.gather for any bytes")).count(), errors());
  }

  @Test
  void theTimeLimitCountsInSeconds() throws Exception {
    start("-n", "2", "--timeout", "2", "-cp", System.getProperty("java.class.path"), Programs.Sleep.class.getName());
    assertEquals(2, output().lines().filter(l -> l.startsWith("ready")).count());
    assertEquals(124, mpirun.waitFor());
    assertTrue(errors().contains("mpirun: the job did not end within 2 s; 2 of 2 ranks were alive"), errors());
  }

  @Test
  void twoJobsAtOnceDoNotMeet() throws Exception {
    Process first = start(2, Programs.WaitsForever.class);
    List<ProcessHandle> waiting = ranksOf(first.inputReader(), 2);
    Process second = start(2, Programs.ExitCodeAfterFinalize.class);
    assertEquals(7, second.waitFor());
    assertTrue(waiting.stream().allMatch(ProcessHandle::isAlive));
    first.destroy();
    assertEquals(143, first.waitFor());
  }

  @Test
  void aSourceFileRunsAsAProgram() throws Exception {
    Path file = folder.resolve("Hi.java");
    Files.writeString(
        file,
        """
        void main(String[] args) {
          org.ffmpi.Mpi.run(args, mpi -> IO.println("hi " + args[0] + " " + mpi.world().size()));
        }
        """);
    start("-n", "2", "-cp", System.getProperty("java.class.path"), file.toString(), "x");
    assertEquals(List.of("hi x 2", "hi x 2"), output().lines().toList());
    assertEquals(0, mpirun.waitFor(), errors());
  }

  @Test
  void whatDoesNotCompileIsNotStarted() throws Exception {
    Path file = Files.writeString(folder.resolve("Bad.java"), "void main() {\n  int x = \"a\";\n}\n");
    start("-n", "4", file.toString());
    assertEquals("", output());
    assertEquals(1, mpirun.waitFor());
    List<String> lines = errors().lines().toList();
    assertTrue(lines.getFirst().startsWith(file + ":2: error: incompatible types"), errors());
    assertEquals("1 error", lines.get(lines.size() - 2));
    assertEquals("mpirun: source file " + file + " does not compile; no rank is started", lines.getLast());
    assertEquals(5, lines.size(), errors());
  }

  @Test
  void nothingStaysInSharedMemory() throws Exception {
    start(2, Programs.WaitsForever.class);
    List<ProcessHandle> ranks = ranksOf(mpirun.inputReader(), 2);
    try (Stream<Path> entries = Files.list(Path.of("/dev/shm"))) {
      assertFalse(
          entries.anyMatch(e -> e.getFileName().toString().startsWith("ffmpi-" + mpirun.pid() + "-")),
          "the segment has a name while the job runs");
    }
    mpirun.destroyForcibly();
    assertTrue(Gone.within(SOON_MILLIS, ranks));
  }
}
