// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Errhandler;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.launcher.Launcher;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.RankJvm;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The standard's rules for whole jobs, about the effect of errors, their output, and the programs that they run. */
@Tag("process")
@Timeout(value = 200, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class JobRulesTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(Launcher launcher) throws InterruptedException {
    return launcher.output(out).errors(err).timeout(Duration.ofSeconds(120)).run();
  }

  private String output() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private String errors() {
    return err.toString(StandardCharsets.UTF_8);
  }

  // ---- errors

  /** Rank 1 makes a wrong call while the others wait for it for ever. */
  static final class Wrong {
    private Wrong() {}

    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        IntraComm world = mpi.world();
        switch (args[1]) {
          case "abort" -> world.setErrhandler(Errhandler.ABORT);
          case "return" -> world.setErrhandler(Errhandler.RETURN);
          default -> { }
        }
        IntraComm made = world.dup(); // has its parent's handler
        if (world.rank() == 1) {
          try {
            fail(args[0], mpi, made);
          } finally {
            System.out.println("goes on");
          }
        }
        made.recv(new int[1], 1, 7);
      }
    }

    private static void fail(String kind, Mpi mpi, IntraComm comm) {
      switch (kind) {
        case "send" -> comm.send(new int[1], comm.size(), 0);
        case "await" -> {
          Request receive = comm.irecv(new int[1], 1, 0);
          comm.send(new int[2], 1, 0);
          receive.await();
        }
        case "collective" -> comm.bcast(Buf.of(new int[1]), -9);
        case "process" -> mpi.bufferDetach();
        default -> throw new IllegalArgumentException(kind);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "send, default, ERR_RANK", "await, default, ERR_TRUNCATE", "collective, abort, ERR_ROOT",
    "process, default, ERR_BUFFER"
  })
  @DisplayName("S1-2.8-d S1-2.6.4-a S1-A-3: by default an error of one rank ends the job with the error's code")
  void anErrorEndsTheJob(String kind, String handler, ErrorClass expected) throws InterruptedException {
    int code = run(RankJvm.launcher(3).main(Wrong.class.getName(), kind, handler));
    assertEquals(expected.code(), code, this::errors);
    assertTrue(errors().contains(expected.mpiName()), this::errors);
    assertTrue(errors().contains("rank 1"), this::errors);
    assertFalse(output().contains("goes on"), "the process has ended within the call");
  }

  @Test
  @DisplayName("S1-2.8-d S1-2.6.4-a S1-A-3: with ERRORS_RETURN the call throws, and the program decides")
  void anErrorThatReturns() throws InterruptedException {
    int code = run(RankJvm.launcher(2).main(Wrong.class.getName(), "send", "return"));
    assertTrue(code != 0, "the program has thrown");
    assertTrue(output().contains("goes on"), this::output);
  }

  // ---- output

  /** The program of the standard's section on independence of language routines. */
  static final class Starting {
    private Starting() {}

    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        if (mpi.world().rank() == 0) {
          System.out.println("Starting program");
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  @DisplayName("S1-2.9.1-a: one rank prints, no other does anything: the job ends, and the line is there")
  void onlyOneRankPrints(int ranks) throws InterruptedException {
    assertEquals(0, run(RankJvm.launcher(ranks).main(Starting.class.getName())), this::errors);
    assertEquals("Starting program" + System.lineSeparator(), output());
    assertEquals("", errors());
  }

  // ---- programs

  /** Asks the other program's ranks to square numbers. */
  static final class Asking {
    private Asking() {}

    public static void main(String[] args) {
      Mpi.run(args, mpi -> {
        IntraComm world = mpi.world();
        IntraComm mine = world.split(program(world), 0);
        long sum = 0;
        for (int r = mine.size(); r < world.size(); r++) {
          long[] number = {10L * r + world.rank()};
          world.send(number, r, 1);
          world.recv(number, r, 2);
          sum += number[0];
        }
        long[] all = {sum};
        mine.allreduce(Buf.of(all), Op.SUM);
        if (mine.rank() == 0) {
          System.out.println(args.length + " " + mine.size() + " " + all[0]);
        }
      });
    }

    static int program(Comm world) {
      return world.attributes().get(Comm.APPNUM).orElseThrow();
    }
  }

  /** Squares the numbers of the other program's ranks. */
  static final class Squaring {
    private Squaring() {}

    public static void main(String[] args) {
      Mpi.run(args, mpi -> {
        IntraComm world = mpi.world();
        IntraComm mine = world.split(Asking.program(world), 0);
        long[] number = new long[1];
        for (int i = mine.size(); i < world.size(); i++) {
          Status status = world.recv(number, Constants.ANY_SOURCE, 1, new Status());
          number[0] *= number[0];
          world.send(number, status.source(), 2);
        }
        System.out.println(String.join("+", args) + " " + mine.size());
      });
    }
  }

  @Test
  @DisplayName("S1-2.7-a: a job of two programs, each with its own arguments, that work together")
  void twoPrograms() throws InterruptedException {
    Launcher programs = RankJvm.launcher(2).main(Asking.class.getName());
    assertEquals(0, run(programs.and(2).main(Squaring.class.getName(), "x", "y")), this::errors);
    long sum = 0;
    for (long number : new long[] {20, 21, 30, 31}) {
      sum += number * number;
    }
    assertEquals(
        List.of("0 2 " + sum, "x+y 2", "x+y 2"), output().lines().sorted().toList());
  }

  // ---- the world

  private static void everybodyIsThere(Comm world, long identity) {
    Set<Long> seen = new HashSet<>();
    Request[] sends = new Request[world.size()];
    for (int dest = 0; dest < sends.length; dest++) {
      sends[dest] = world.isend(new long[] {identity, dest}, dest, 3);
    }
    for (int source = 0; source < sends.length; source++) {
      long[] got = new long[2];
      world.recv(got, source, 3);
      assertEquals(world.rank(), got[1]);
      assertTrue(seen.add(got[0]), "rank " + source + " is another process than those before");
    }
    Request.waitAll(List.of(sends));
    assertTrue(seen.contains(identity));
    int most = Math.max(world.size(), Runtime.getRuntime().availableProcessors());
    assertEquals(most, world.attributes().get(Comm.UNIVERSE_SIZE).orElseThrow());
  }

  @MpiTest(ranks = {1, 4}, processes = true, timeout = 120)
  @DisplayName("S1-3.2.3-e: all processes of the job are in the world, each once, and each reaches each")
  void worldOfProcesses(Comm world) {
    everybodyIsThere(world, ProcessHandle.current().pid());
  }

  @MpiTest(ranks = {1, 2, 3, 8})
  @DisplayName("S1-3.2.3-e: all threads that are ranks are in the world, each once, and each reaches each")
  void worldOfThreads(Comm world) {
    everybodyIsThere(world, Thread.currentThread().threadId());
  }
}
