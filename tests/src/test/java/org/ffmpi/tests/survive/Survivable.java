// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.survive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.ThreadWorld;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.junit.jupiter.api.function.Executable;

/** Worlds of threads that outlive their dead. */
public final class Survivable {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** What a rank throws that dies as the test wants it. */
  public static final class Death extends RuntimeException {
    private static final long serialVersionUID = 1;

    Death() {
      super("this rank dies", null, true, false);
    }
  }

  /** The program of one rank. */
  public interface Body {
    void run(IntraComm world) throws Exception;
  }

  private Survivable() {}

  /** Runs ranks until all have ended, of which so many have to die. */
  public static void run(int ranks, int deaths, Body body) {
    run(ranks, deaths, Map.of(), body);
  }

  public static void run(int ranks, int deaths, Map<String, String> more, Body body) {
    runMpi(ranks, deaths, more, mpi -> body.run(mpi.world()));
  }

  public static void runMpi(int ranks, int deaths, Map<String, String> more, Mpi.Body body) {
    Map<String, String> settings = new HashMap<>(Map.of("ffmpi.survive", "on", "ffmpi.errors", "return"));
    settings.putAll(more);
    try (ThreadWorld world = ThreadWorld.start(ranks, settings, body)) {
      try {
        if (!world.await(LIMIT)) {
          StringBuilder stacks = new StringBuilder("the ranks hang:\n");
          world.threads().forEach(t -> stacks.append(t.getName()).append(' ')
              .append(Arrays.toString(t.getStackTrace()).replace(", ", "\n  ")).append('\n'));
          fail(stacks.toString());
        }
        assertEquals(0, deaths, "dead ranks");
      } catch (RuntimeException | Error thrown) {
        check(thrown, deaths);
      }
    }
  }

  /** The first death carries the others. */
  private static void check(Throwable thrown, int deaths) {
    int found = thrown instanceof Death ? 1 : 0;
    Throwable other = thrown instanceof Death ? null : thrown;
    for (Throwable suppressed : thrown.getSuppressed()) {
      if (suppressed instanceof Death) {
        found++;
      } else {
        other = other == null ? suppressed : other;
      }
    }
    if (other != null) {
      for (Throwable suppressed : thrown.getSuppressed()) {
        if (other != suppressed && !(suppressed instanceof Death)) {
          other.addSuppressed(suppressed);
        }
      }
      throw new AssertionError("a surviving rank failed: " + other, other);
    }
    assertEquals(deaths, found, "dead ranks");
  }

  public static void die() {
    throw new Death();
  }

  public static void assertFails(ErrorClass expected, Executable call) {
    Throwable thrown = assertThrows(Throwable.class, call);
    MpiException error = assertInstanceOf(MpiException.class, thrown);
    if (expected != error.errorClass()) {
      throw new AssertionError("not " + expected + ": " + error, error);
    }
    assertTrue(error.getMessage().startsWith(expected.mpiName()), error::getMessage);
  }
}
