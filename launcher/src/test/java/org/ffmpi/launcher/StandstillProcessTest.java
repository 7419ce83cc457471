// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import org.ffmpi.Buf;
import org.ffmpi.Mpi;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Jobs that do not move, seen by their launcher and from outside. */
@Tag("process")
@Timeout(240)
class StandstillProcessTest {
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  /** Two ranks send first; the third computes. */
  static final class OneComputes {
    public static void main(String[] args) {
      Mpi.run(args, mpi -> {
        if (mpi.world().rank() == 2) {
          Programs.sleepForever();
        }
        mpi.world().ssend(Buf.of(new int[2]), 1 - mpi.world().rank(), 5);
      });
    }
  }

  /** Each rank receives from the one before, which sends nothing. */
  static final class AllReceive {
    public static void main(String[] args) {
      Mpi.run(args, mpi -> mpi.world().recv(new int[1], 1 - mpi.world().rank(), 0));
    }
  }

  /** Runs mpistat in a process of its own: one that closes a file loses its locks on it, of which the job has one. */
  private static String stat(int code, String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"),
            MpistatMain.class.getName()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int exit = process.waitFor();
    assertTrue(code < 0 || exit == code, () -> exit + ": " + said);
    return said;
  }

  /** Looks until a job says what is expected; a rank that has just been started has no part in one yet. */
  private void awaits(String job, Pattern expected) throws Exception {
    long deadline = System.nanoTime() + 100_000_000_000L;
    for (String said = stat(-1, job); !expected.matcher(said).find(); said = stat(-1, job)) {
      String last = said;
      assertTrue(System.nanoTime() < deadline, () -> last + err.toString(StandardCharsets.UTF_8));
    }
  }

  @Test
  @DisplayName("mpistat shows a running job from outside; a time-out explains it")
  void seenFromOutside() throws Exception {
    Launcher three = Launcher.of(3).main(OneComputes.class.getName()).errors(err).timeout(Duration.ofSeconds(200));
    try (Job job = three.start()) {
      String rank = Long.toString(job.process(1).pid());
      awaits(rank, Pattern.compile("(?s)rank +pid +call.*\n +0 +\\d+ +MPI_Ssend +1 +5 +MPI_COMM_WORLD +[0-9.]+ s.*"
          + "\n +2 +\\d+ +\\(waits outside of MPI\\).*=> ranks 0 and 1 wait for each other: rank 0 sends 8 bytes to"
          + " rank 1"));
      String launcher = Long.toString(ProcessHandle.current().pid());
      String all = stat(0);
      assertTrue(Pattern.compile("(?m)^ *" + launcher + " +3 +3 +2").matcher(all).find(), all);
    }
  }

  @Test
  @DisplayName("the watchdog reports a standstill once, and ends the job if asked to; so does a time-out")
  void watchdog() throws Exception {
    Launcher two = Launcher.of(2).main(AllReceive.class.getName()).errors(err).timeout(Duration.ofSeconds(100))
        .setting("ffmpi.watchdog", "1").setting("ffmpi.watchdog.ends", "true");
    assertEquals(Job.TIMED_OUT, two.run());
    String said = err.toString(StandardCharsets.UTF_8);
    assertEquals(2, said.split("nothing has moved for 1 s; what the ranks wait for", -1).length, said);
    assertTrue(
        said.contains("  => ranks 0 and 1 wait for each other: rank 0 receives from rank 1 with tag 0 on MPI_COMM_WORLD"
            + " (no such message), rank 1 receives from rank 0"), said);
    assertTrue(
        Pattern.compile("rank 1: MPI_Recv at StandstillProcessTest.java:\\d+, [0-9.]+ s: rec").matcher(said).find(),
        said);
    assertTrue(said.contains("mpirun: nothing had moved for 1 s; what the ranks wait for is above"), said);
  }

  /** One rank waits for a monitor that another of its threads holds for ever; the other one waits for it. */
  static final class StandsAtAMonitor {
    private static final Object MONITOR = new Object();

    public static void main(String[] args) {
      Mpi.run(args, mpi -> {
        if (mpi.world().rank() == 1) {
          CountDownLatch held = new CountDownLatch(1);
          Thread.ofPlatform().daemon().start(() -> {
            synchronized (MONITOR) {
              held.countDown();
              Programs.sleepForever();
            }
          });
          held.await();
          synchronized (MONITOR) {
            System.out.println("never");
          }
        }
        mpi.world().barrier();
      });
    }
  }

  @Test
  @DisplayName("the watchdog reports where a program stands that is in no call, and does not end the job for that")
  void standsElsewhere() throws Exception {
    Launcher two = Launcher.of(2).main(StandsAtAMonitor.class.getName()).errors(err).timeout(Duration.ofSeconds(100))
        .setting("ffmpi.watchdog", "1").setting("ffmpi.watchdog.ends", "true");
    try (Job job = two.start()) {
      Pattern expected = Pattern.compile("nothing has moved for 1 s(?s:.)*=> rank 1 is not in MPI_Barrier(?s:.)*thread"
          + " main is BLOCKED at StandstillProcessTest.StandsAtAMonitor.main.StandstillProcessTest.java:");
      long deadline = System.nanoTime() + 60_000_000_000L;
      while (!expected.matcher(err.toString(StandardCharsets.UTF_8)).find()) {
        boolean goesOn = System.nanoTime() < deadline && job.process(0).isAlive();
        assertTrue(goesOn, () -> err.toString(StandardCharsets.UTF_8));
        Thread.sleep(50);
      }
      assertTrue(job.process(0).isAlive(), "the job goes on");
    }
  }

  @Test
  void timeOut() throws Exception {
    Launcher two = Launcher.of(2).main(AllReceive.class.getName()).errors(err).timeout(Duration.ofSeconds(4));
    assertEquals(Job.TIMED_OUT, two.run());
    String said = err.toString(StandardCharsets.UTF_8);
    assertTrue(said.contains("what the ranks wait for, numbered as in MPI_COMM_WORLD:\n  rank "), said);
  }

  @Test
  void badArguments() throws Exception {
    assertTrue(refused(2, "--wotch", "1").contains("option --wotch is unknown"));
    assertTrue(refused(2, "--watch").contains("needs a job"));
    assertTrue(refused(2, "1", "2").contains("one job"));
    assertTrue(refused(1, "999999999").contains("is no process"));
    assertTrue(refused(1, "/no/such/file").contains("no file"));
    assertTrue(refused(1, "/etc/passwd").contains("is no shared memory of a job"));
    assertTrue(refused(0, "--help").contains("usage: mpistat"));
  }

  private static String refused(int code, String... arguments) throws InterruptedException {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    PrintStream stream = new PrintStream(text, true, StandardCharsets.UTF_8);
    assertEquals(code, MpistatMain.run(arguments, stream, stream));
    return text.toString(StandardCharsets.UTF_8);
  }
}
