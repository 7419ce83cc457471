// SPDX-License-Identifier: Apache-2.0
package org.ffmpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A rank that is a process, with each case in a JVM of its own, over the fake engine. */
@Tag("process")
@Timeout(120)
class ProcessTest {
  /** The programs. */
  static final class Main {
    private Main() {}

    public static void main(String[] args) throws Exception {
      switch (args[0]) {
        case "well" -> Mpi.run(args, mpi -> System.out.println("rank " + mpi.world().rank()));
        case "throws" -> Mpi.run(args, mpi -> {
          throw new IOException("no such file");
        });
        case "resources" -> {
          try (Mpi mpi = Mpi.init(args)) {
            throw new IOException("left from rank " + mpi.world().rank());
          }
        }
        case "fatal" -> Mpi.run(args, mpi -> mpi.world().send(new int[1], 5, 0));
        case "abort" -> Mpi.run(args, mpi -> mpi.abort(42));
        case "twice" -> {
          Mpi.run(args, mpi -> {});
          Mpi.run(args, mpi -> System.out.println("again"));
        }
        case "scope" -> Mpi.run(args, mpi -> {
          try (Requests scope = mpi.world().requests()) {
            scope.add(mpi.world().ibarrier());
            throw new IOException("the true cause");
          }
        });
        case "caught scope" -> Mpi.run(args, mpi -> {
          try (Requests scope = mpi.world().requests()) {
            scope.add(mpi.world().ibarrier());
          } catch (RuntimeException swallowed) {
            Thread.sleep(60_000);
          }
        });
        case "worker" -> Mpi.run(args, mpi -> {
          Thread.ofPlatform().name("worker").start(() -> {
            throw new IllegalStateException("in a thread");
          });
          Thread.sleep(60_000);
        });
        case "level" -> {
          try (Mpi mpi = Mpi.init(args, ThreadLevel.SERIALIZED)) {
            System.out.println(mpi.threadLevel());
          }
        }
        default -> throw new IllegalArgumentException(args[0]);
      }
    }
  }

  private record Outcome(int exitCode, String output) {}

  private static Outcome run(String program) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1", "-Xshare:auto",
        "-Dffmpi.test.process=true", "-Dffmpi.requests.grace=1000", "--enable-native-access=ALL-UNNAMED", "-cp",
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
        Main.class.getName(), program));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(60, TimeUnit.SECONDS));
    return new Outcome(process.exitValue(), output);
  }

  @Test
  void aBodyThatReturnsFinalizes() throws Exception {
    assertEquals(new Outcome(0, "rank 0\nleft well\n"), run("well"));
  }

  @Test
  void aBodyThatThrowsIsPrintedAndEndsTheJob() throws Exception {
    Outcome outcome = run("throws");
    assertEquals(1, outcome.exitCode());
    String cause = "rank 0: java.io.IOException: no such file\n";
    assertTrue(outcome.output().startsWith("ffmpi: " + cause + "\tat "), outcome.output());
    assertTrue(outcome.output().endsWith("aborted: " + cause), outcome.output());
  }

  @Test
  void anExceptionThroughTryWithResourcesLeavesAndYieldsAnExitCode() throws Exception {
    Outcome outcome = run("resources");
    assertEquals(1, outcome.exitCode());
    assertTrue(outcome.output().endsWith("left well\n"), outcome.output());
    assertTrue(outcome.output().contains("java.io.IOException: left from rank 0"), outcome.output());
  }

  @Test
  void aFatalErrorIsPrintedOnceWithItsStackTrace() throws Exception {
    Outcome outcome = run("fatal");
    assertEquals(6, outcome.exitCode(), "the error's code");
    assertTrue(outcome.output().contains("ffmpi: rank 0: "), outcome.output());
    String error = "MPI_ERR_RANK: dest = 5: allowed are 0 or PROC_NULL\n";
    assertTrue(outcome.output().contains(error + "\tat "), outcome.output());
  }

  @Test
  void abortExitsWithItsCode() throws Exception {
    assertEquals(new Outcome(42, "aborted: rank 0 called abort(42) on MPI_COMM_WORLD\n"), run("abort"));
  }

  @Test
  void aProcessInitializesOnce() throws Exception {
    Outcome outcome = run("twice");
    assertEquals(1, outcome.exitCode());
    assertTrue(outcome.output().contains("initialized before"), outcome.output());
    assertFalse(outcome.output().contains("again"), outcome.output());
  }

  @Test
  void aScopeThatCannotBeLeftLetsTheCauseBePrinted() throws Exception {
    Outcome outcome = run("scope");
    assertEquals(1, outcome.exitCode());
    assertTrue(outcome.output().contains("ffmpi: rank 0: java.io.IOException: the true cause"), outcome.output());
    assertTrue(outcome.output().contains("Suppressed: "), outcome.output());
  }

  @Test
  void aScopeThatCannotBeLeftEndsAProcessThatGoesOn() throws Exception {
    Outcome outcome = run("caught scope");
    assertEquals(18, outcome.exitCode(), "ERR_PENDING");
    assertTrue(outcome.output().contains("buffers are still in use"), outcome.output());
  }

  @Test
  void anExceptionThatNoThreadCatchesEndsTheJob() throws Exception {
    Outcome outcome = run("worker");
    assertEquals(1, outcome.exitCode());
    assertTrue(
        outcome.output().startsWith("ffmpi: rank 0: java.lang.IllegalStateException: in a thread\n\tat "),
        outcome.output());
  }

  @Test
  void theLevelAskedForIsProvided() throws Exception {
    assertEquals(new Outcome(0, "SERIALIZED\nleft well\n"), run("level"));
  }
}
