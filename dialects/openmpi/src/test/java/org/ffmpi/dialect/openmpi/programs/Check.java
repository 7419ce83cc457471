// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.dialect.openmpi.programs;

import java.util.Arrays;
import java.util.Objects;
import mpi.MPI;
import mpi.MPIException;

/** What the programs expect. The first thing that is otherwise ends the program. */
final class Check {
  private Check() {}

  /** A call that may fail. */
  interface Call {
    void run() throws MPIException;
  }

  static void that(boolean ok, String what) {
    if (!ok) {
      throw new AssertionError(what);
    }
  }

  static void equal(Object expected, Object actual, String what) {
    if (!Objects.deepEquals(expected, actual)) {
      throw new AssertionError(what + ": expected " + text(expected) + ", was " + text(actual));
    }
  }

  static void ints(String what, int[] actual, int... expected) {
    equal(expected, actual, what);
  }

  private static String text(Object value) {
    String inArray = Arrays.deepToString(new Object[] {value});
    return inArray.substring(1, inArray.length() - 1);
  }

  /** Runs a call that has to throw an error of a class. */
  static MPIException fails(int errorClass, String what, Call call) {
    try {
      call.run();
    } catch (MPIException e) {
      equal(errorClass, e.getErrorClass(), what + ": class of the error " + e.getMessage());
      that(e.getErrorCode() != MPI.SUCCESS, what + ": an error code");
      that(e.getMessage() != null && !e.getMessage().isEmpty(), what + ": a message");
      return e;
    }
    throw new AssertionError(what + ": no error");
  }
}
