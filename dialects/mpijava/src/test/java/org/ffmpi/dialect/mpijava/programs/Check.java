// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.mpijava.programs;

import java.util.Arrays;
import java.util.Objects;
import mpi.MPI;
import mpi.MPIException;

/** What programs find to be wrong: a line on the standard output for each, with program and rank. */
final class Check {
  private final String program;
  private int failures;

  Check(String program) {
    this.program = program;
  }

  int failures() {
    return failures;
  }

  void that(String what, boolean right) {
    if (!right) {
      fail(what);
    }
  }

  void fail(String what) {
    failures++;
    System.out.println("FAILED " + program + " at rank " + MPI.COMM_WORLD.Rank() + " of " + MPI.COMM_WORLD.Size()
        + ": " + what);
  }

  void equal(String what, Object expected, Object actual) {
    if (!Objects.deepEquals(expected, actual)) {
      fail(what + ": expected " + shown(expected) + " but was " + shown(actual));
    }
  }

  private static String shown(Object value) {
    String text = Arrays.deepToString(new Object[] {value});
    return text.substring(1, text.length() - 1);
  }

  /** What a program does that has to fail. */
  interface Failing {
    void run() throws Exception;
  }

  /** Checks that something throws an MPIException whose text has some words in it. */
  void fails(String what, Failing call, String... words) {
    try {
      call.run();
      fail(what + " did not fail");
    } catch (MPIException e) {
      for (String word : words) {
        that(what + ": " + e.getMessage() + " has no " + word, e.getMessage() != null && e.getMessage().contains(word));
      }
    } catch (Exception e) {
      fail(what + " threw " + e);
    }
  }
}
