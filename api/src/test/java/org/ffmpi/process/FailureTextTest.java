// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.junit.jupiter.api.Test;

class FailureTextTest {
  private static final ClassLoader LOADER = FailureTextTest.class.getClassLoader();

  private static StackTraceElement frame(String type, String method, int line) {
    return new StackTraceElement(type, method, "F.java", line);
  }

  private static MpiException failure(Throwable cause, StackTraceElement... frames) {
    MpiException failure = new MpiException(ErrorClass.ERR_RANK, "dest = 7", cause);
    failure.setStackTrace(frames);
    return failure;
  }

  @Test
  void theProgramsLineComesFirstAndCallsInsideAreCounted() {
    MpiException failure = failure(null, frame("java.util.Objects", "check", 1),
        frame("org.ffmpi.process.World", "raise", 2), frame("app.Main", "step", 3),
        frame("java.util.List", "forEach", 4),
        frame("app.Main", "body", 5), frame("org.ffmpi.Mpi", "run", 6), frame("app.Main", "main", 7));
    assertEquals(
        "org.ffmpi.base.MpiException: MPI_ERR_RANK: dest = 7\n\tat app.Main.step(F.java:3)\n"
            + "\tat java.util.List.forEach(F.java:4)\n\tat app.Main.body(F.java:5)\n\tat app.Main.main(F.java:7)\n"
            + "\t(3 calls inside ffmpi are left out; --errors-stacks whole shows them)\n",
        FailureText.of(failure, false, LOADER));
    assertTrue(FailureText.of(failure, true, LOADER).contains("World.raise"));
  }

  @Test
  void aStackWithoutAProgramIsShownAsItIs() {
    String text = FailureText.of(failure(null, frame("org.ffmpi.Mpi", "run", 6)), false, LOADER);
    assertEquals("org.ffmpi.base.MpiException: MPI_ERR_RANK: dest = 7\n\tat org.ffmpi.Mpi.run(F.java:6)\n", text);
  }

  @Test
  void causesShareTheirLastFramesWithTheirConsequences() {
    IllegalStateException cause = new IllegalStateException("first");
    cause.setStackTrace(new StackTraceElement[] {frame("app.Main", "deep", 1), frame("app.Main", "main", 7)});
    String text = FailureText.of(failure(cause, frame("app.Main", "main", 7)), false, LOADER);
    assertTrue(
        text.endsWith(
            "Caused by: java.lang.IllegalStateException: first\n\tat app.Main.deep(F.java:1)\n\t... 1 more\n"),
        text);
    cause.initCause(failure(null));
    cause.addSuppressed(cause.getCause());
    assertTrue(FailureText.of(cause, false, LOADER).contains("\tSuppressed: org.ffmpi.base.MpiException"));
  }

  @Test
  void theSamePlaceHasTheSameHashWhateverTheText() {
    MpiException one = failure(null, frame("app.Main", "main", 7));
    MpiException other = new MpiException(ErrorClass.ERR_RANK, "dest = 8");
    other.setStackTrace(one.getStackTrace());
    assertEquals(FailureText.hashOf(one), FailureText.hashOf(other));
    assertNotEquals(FailureText.hashOf(one), FailureText.hashOf(failure(null, frame("app.Main", "main", 8))));
  }
}
