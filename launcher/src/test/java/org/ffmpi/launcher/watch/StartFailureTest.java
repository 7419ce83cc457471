// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.ffmpi.shm.segment.ProcessLimits;
import org.junit.jupiter.api.Test;

/** The limits behind the errors with which the JDK reports that it can start no process. */
class StartFailureTest {
  private static final String HELPER =
      "Cannot run program \"java\": Failed to exec spawn helper: pid: 7, exit code: 127\nPossible";

  private static String reason(Throwable error, long open, long files, long processes) {
    return StartFailure.reason(error, 40, open, files, processes);
  }

  @Test
  void openFiles() {
    IOException known = new IOException("Cannot run program \"java\": error=24, Too many open files");
    for (IOException e : new IOException[] {known, new IOException(HELPER)}) {
      String said = reason(e, 58, 60, 10_000);
      assertTrue(said.contains("mpirun may have 60 open files and has 58"), said);
      assertTrue(said.contains("(ulimit -n) to 186 or more"), said);
    }
  }

  @Test
  void processesAndThreads() {
    IOException known = new IOException("Cannot run program \"java\": error=11, Resource temporarily unavailable");
    OutOfMemoryError thread = new OutOfMemoryError("unable to create native thread: possibly out of memory");
    for (Throwable e : new Throwable[] {known, thread, new IOException(HELPER)}) {
      String said = reason(e, 58, 20_000, 100);
      assertTrue(said.contains("the user may have 100 processes and threads"), said);
      assertTrue(said.contains("(ulimit -u"), said);
      assertEquals(1, said.lines().count(), said);
    }
    assertTrue(reason(known, 58, 20_000, ProcessLimits.UNLIMITED).contains("pids.max"));
  }

  @Test
  void ranksThatEndBeforeTheyJoin() {
    assertEquals("", StartFailure.hint(40, 20_000, 10_000));
    assertEquals("", StartFailure.hint(40, ProcessLimits.UNLIMITED, ProcessLimits.UNLIMITED));
    assertEquals(
        "; a process may have only 20 open files (ulimit -n); the user may have only 100 processes and threads, and a"
            + " rank has about 20 (ulimit -u)", StartFailure.hint(40, 20, 100));
  }

  @Test
  void otherErrorsStay() {
    assertEquals("no such file", reason(new IOException("no such file"), 58, 60, 100));
  }
}
