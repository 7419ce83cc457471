// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.explore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.ffmpi.Comm;
import org.ffmpi.base.Constants;
import org.ffmpi.Mpi;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Compares what an exploration sees with all that a model can do, for random small programs. */
class ExploredOutcomesTest {
  private static final int PROGRAMS = Integer.getInteger("ffmpi.test.explore.programs", 150);
  private static final int MOST = 8;
  private static final Explorer.Limits LIMITS =
      new Explorer.Limits(100_000, Duration.ofSeconds(60), Duration.ofSeconds(20));

  @Test
  @DisplayName("every outcome of a random program is seen, each order once, and nothing else")
  void randomPrograms() {
    long start = Long.getLong("ffmpi.test.seed", System.nanoTime());
    for (int i = 0; i < PROGRAMS; i++) {
      compare(start + i);
    }
  }

  private static void compare(long seed) {
    TinyProgram program = TinyProgram.random(new Random(seed));
    String what = "seed " + seed + " (-Dffmpi.test.seed)\n" + program;
    Set<String> buffered = TinyModel.outcomes(program, TinyModel.Sends.BUFFERED);
    Set<String> unbuffered = TinyModel.outcomes(program, TinyModel.Sends.WAITING);
    Set<String> expected = new TreeSet<>(buffered);
    expected.addAll(unbuffered);
    boolean wrong = expected.contains(TinyModel.DEADLOCK) || expected.contains(TinyModel.LEFTOVER)
        || TinyModel.outcomes(program, TinyModel.Sends.MIXED).contains(TinyModel.DEADLOCK);
    Outcomes seen = new Outcomes(program);
    Exploration result = new Explorer(program.ranks.size(), Map.of("ffmpi.errors", "return"),
        seen::run, seen::begin, LIMITS).all();
    seen.begin();
    if (wrong) {
      assertNotNull(result.finding(), () -> what + expected + "\nseen " + seen.all);
      return;
    }
    assertNull(result.finding(), () -> what + result.finding().text());
    Set<String> missing = new TreeSet<>(expected);
    missing.removeAll(seen.all);
    seen.all.removeAll(expected);
    assertEquals("[] []", missing + " " + seen.all, () -> what + result.summary());
    assertEquals(buffered.size() + unbuffered.size(), result.orders(), () -> what + expected);
  }

  /** Runs a program and collects what its ranks see. */
  private static final class Outcomes {
    final Set<String> all = new TreeSet<>();
    private final TinyProgram program;
    private String[] seen;

    Outcomes(TinyProgram program) {
      this.program = program;
    }

    /** Adds the outcome of the run that is over, and begins another one. */
    void begin() {
      if (seen != null && !List.of(seen).contains("")) {
        StringBuilder outcome = new StringBuilder();
        for (String of : seen) {
          outcome.append(of).append(' ');
        }
        all.add(outcome.toString());
      }
      seen = new String[program.ranks.size()];
      Arrays.fill(seen, "");
    }

    void run(Mpi mpi, Results results) {
      Comm world = mpi.world();
      List<String> own = new ArrayList<>();
      Request[] requests = new Request[MOST];
      int[][] buffers = new int[MOST][2];
      boolean[] complete = new boolean[MOST];
      int sent = 0;
      for (TinyProgram.Step step : program.ranks.get(world.rank())) {
        switch (step.code()) {
          case SEND -> world.send(new int[] {world.rank(), sent++}, step.peer(), step.tag());
          case RECV -> {
            int[] message = new int[2];
            world.recv(message, source(step), tag(step));
            own.add(message[0] + "." + message[1]);
          }
          case IRECV ->
              requests[step.request()] = world.irecv(buffers[step.request()], source(step), tag(step));
          case WAIT -> {
            if (!complete[step.request()]) {
              requests[step.request()].await();
            }
            int[] message = buffers[step.request()];
            own.add(message[0] + "." + message[1]);
          }
          case TEST -> {
            boolean is = requests[step.request()].test();
            complete[step.request()] = is;
            own.add(is ? "yes" : "no");
          }
          case WAIT_ANY -> {
            List<Request> two =
                new ArrayList<>(List.of(requests[step.request()], requests[step.request() + 1]));
            int index = Request.waitAny(two);
            complete[step.request() + index] = true;
            own.add("any" + index);
          }
          case IPROBE -> {
            Status status = world.iprobe(source(step), tag(step)).orElse(null);
            own.add(status == null ? "no" : "found" + status.source());
          }
        }
      }
      seen[world.rank()] = own.toString();
    }

    private static int source(TinyProgram.Step step) {
      return step.peer() < 0 ? Constants.ANY_SOURCE : step.peer();
    }

    private static int tag(TinyProgram.Step step) {
      return step.tag() < 0 ? Constants.ANY_TAG : step.tag();
    }
  }
}
