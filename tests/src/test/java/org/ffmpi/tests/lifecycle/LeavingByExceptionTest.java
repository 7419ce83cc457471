// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import java.util.regex.Pattern;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.launcher.Launcher;
import org.ffmpi.tests.support.RankJvm;
import org.ffmpi.tests.support.Seeds;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An exception that leaves {@code try (Mpi mpi = Mpi.init(args))} of one rank: the job ends in the name of that rank,
 * whatever the others and its own messages wait for.
 */
@Tag("process")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LeavingByExceptionTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(Launcher launcher) throws InterruptedException {
    return launcher.output(out).errors(err).timeout(Duration.ofSeconds(60)).run();
  }

  private String errors() {
    return err.toString(StandardCharsets.UTF_8);
  }

  private int count(String text) {
    return errors().split(Pattern.quote(text), -1).length - 1;
  }

  /** All ranks exchange messages until rank 1 throws. */
  static final class Throwing {
    private Throwing() {}

    public static void main(String[] args) throws Exception {
      int calls = Integer.parseInt(args[1]);
      try (Mpi mpi = Mpi.init(args)) {
        IntraComm world = mpi.world();
        if (args.length > 2 && world.rank() == 1) {
          world.isend(new byte[1 << 20], 2, 77); // which nobody receives
        }
        exchange(world, args[0], calls);
      }
    }

    private static void exchange(IntraComm world, String kind, int calls) throws Exception {
      int[] sum = new int[5_000];
      int[] into = new int[5_000];
      for (int call = 0; ; call++) {
        int next = (world.rank() + 1) % world.size();
        int previous = (world.rank() + world.size() - 1) % world.size();
        switch (call % 3) {
          case 0 -> world.allreduce(Buf.of(sum), Op.SUM);
          case 1 -> world.sendrecv(Buf.of(sum), next, 3, Buf.of(into), previous, 3);
          default -> world.barrier();
        }
        if (call >= calls && world.rank() == 1) {
          fail(world, kind);
        }
      }
    }

    private static void fail(IntraComm world, String kind) throws Exception {
      switch (kind) {
        case "checked" -> throw new Exception("the boom of rank 1");
        case "memory" -> throw new OutOfMemoryError("the boom of rank 1");
        case "overflow" -> overflow(world);
        case "exit" -> {
          System.err.println("the boom of rank 1");
          System.exit(3);
        }
        default -> throw new IllegalStateException("the boom of rank 1");
      }
    }

    private static int overflow(IntraComm world) {
      world.iprobe(0, 9);
      return overflow(world) + 1;
    }
  }

  @ParameterizedTest
  @CsvSource({
    "unchecked, IllegalStateException: the boom of rank 1", "checked, java.lang.Exception: the boom of rank 1",
    "memory, OutOfMemoryError: the boom of rank 1", "overflow, StackOverflowError"
  })
  void endsTheJobInItsName(String kind, String printed) throws InterruptedException {
    int calls = new Random(Seeds.next()).nextInt(600);
    int code = run(RankJvm.launcher(4).main(Throwing.class.getName(), kind, Integer.toString(calls)));
    String said = calls + " calls: " + errors();
    assertEquals(1, code, said);
    assertTrue(errors().contains(printed), said);
    assertTrue(errors().contains("mpirun: rank 1 (pid "), said);
    assertFalse(errors().contains("rank 1 has finalized"), said);
    assertFalse(errors().contains("ERR_PROC_ABORTED"), said);
    assertFalse(errors().contains("did not end within"), said);
  }

  @ParameterizedTest
  @ValueSource(strings = {"unchecked", "overflow"})
  void messagesThatNobodyReceivesDoNotHoldIt(String kind) throws InterruptedException {
    int code = run(RankJvm.launcher(4).main(Throwing.class.getName(), kind, "20", "isend"));
    assertEquals(1, code, this::errors);
    assertTrue(errors().contains(kind.equals("overflow") ? "StackOverflowError" : "the boom of rank 1"), this::errors);
    assertTrue(errors().contains("mpirun: rank 1 (pid "), this::errors);
  }

  @Test
  void messagesThatNobodyReceivesDoNotHoldAThread() {
    IllegalStateException thrown =
        assertThrows(IllegalStateException.class, () -> Mpi.runThreads(2, rank -> {
          try (Mpi mpi = rank) {
            if (mpi.world().rank() == 1) {
              mpi.world().isend(new byte[1 << 20], 0, 77);
              throw new IllegalStateException("the boom of rank 1");
            }
            mpi.world().recv(new int[1], 1, 0);
          }
        }));
    assertEquals("the boom of rank 1", thrown.getMessage());
  }

  /** Rank 1 finalizes, and ends badly while the others wait for it. */
  static final class BadEnd {
    private BadEnd() {}

    @SuppressWarnings("try")
    public static void main(String[] args) throws Exception {
      try (Mpi mpi = Mpi.init(args)) {
        if (mpi.world().rank() == 1) {
          mpi.close();
          switch (args[0]) {
            case "exit" -> System.exit(3);
            case "halt" -> Runtime.getRuntime().halt(3);
            default -> throw new IllegalStateException("after the end");
          }
        }
        mpi.world().recv(new int[1], 1, 0);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"exit, 3", "halt, 3", "throw, 1"})
  @DisplayName("a rank that ends badly after finalize, while others are inside, ends the job in its name")
  void aBadEndAfterFinalize(String kind, int expected) throws InterruptedException {
    int code = run(RankJvm.launcher(3).main(BadEnd.class.getName(), kind));
    assertEquals(expected, code, this::errors);
    assertTrue(errors().contains("mpirun: rank 1 (pid "), this::errors);
    assertFalse(errors().contains("has finalized"), this::errors);
    assertEquals(kind.equals("throw") ? 1 : 0, count("\tat org.ffmpi.tests."), this::errors);
  }

  /** Rank 1 finalizes with a message that nobody receives. */
  static final class Unreceived {
    private Unreceived() {}

    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        if (mpi.world().rank() == 1) {
          if (args.length > 0) {
            mpi.bufferAttach(Buf.of(new byte[2 << 20]));
            mpi.world().bsend(Buf.of(new byte[1 << 20]), 0, 77);
          } else {
            mpi.world().isend(new byte[1 << 20], 0, 77);
          }
        } else {
          mpi.world().recv(new int[1], 1, 0);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @DisplayName("a finalize that waits says for whom, and ends by its setting")
  void aFinalizeThatWaits(boolean buffered) throws InterruptedException {
    Launcher launcher = RankJvm.launcher(2).setting("ffmpi.finalize.limit", "2");
    String[] arguments = buffered ? new String[] {"buffered"} : new String[0];
    int code = run(launcher.main(Unreceived.class.getName(), arguments));
    assertTrue(code != 0, this::errors);
    assertTrue(
        errors().contains("ffmpi: rank 1: finalize waits until rank 0 has received 1048576 bytes with tag 77"),
        this::errors);
    assertTrue(errors().contains("mpirun: rank 1 (pid "), this::errors);
    assertTrue(errors().contains("ffmpi.finalize.limit"), this::errors);
    assertFalse(errors().contains("did not end within"), this::errors);
  }

  /** All ranks wait for rank 1. */
  static final class Waiting {
    private Waiting() {}

    public static void main(String[] args) throws InterruptedException {
      try (Mpi mpi = Mpi.init(args)) {
        if (mpi.world().rank() == 1) {
          Runtime.getRuntime().halt(9);
        }
        mpi.world().recv(new int[1], 1, 0);
      }
    }
  }

  @Test
  @DisplayName("one dead rank is one sentence; a setting shows what the others threw")
  void oneDeadRankIsOneSentence() throws InterruptedException {
    assertEquals(9, run(RankJvm.launcher(4).main(Waiting.class.getName())), this::errors);
    assertTrue(errors().matches("mpirun: rank 1 \\(pid \\d+\\) ended with exit code 9; .*\n"), this::errors);
    err.reset();
    assertEquals(
        9, run(RankJvm.launcher(3).main(Waiting.class.getName()).setting("ffmpi.errors.survivors", "true")),
        this::errors);
    assertEquals(2, count("ERR_PROC_ABORTED: the job has ended: rank 1"), this::errors);
  }
}
