// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.launcher.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class StackDumpTest {
  private static final String DUMP =
      """
      1234:
      2026-01-01 00:00:00
      Full thread dump OpenJDK 64-Bit Server VM:

      "main" #3 [1] prio=5 os_prio=0 cpu=50ms elapsed=2s tid=0x1 nid=1 sleeping [0x2]
         java.lang.Thread.State: TIMED_WAITING (sleeping)
      \tat java.lang.Thread.sleep(java.base@25/Native Method)
      \tat app.Main.main(Main.java:5)

         Locked ownable synchronizers:
      \t- None

      "ffmpi-watch" #9 daemon prio=5
         java.lang.Thread.State: TIMED_WAITING (parking)
      \tat jdk.internal.misc.Unsafe.park(java.base@25/Native Method)
      \tat org.ffmpi.shm.engine.ProcessRank.watchLauncher(ProcessRank.java:71)
      \tat org.ffmpi.shm.engine.ProcessRank$$Lambda/0x00000008010544b0.run(Unknown Source)

      "Signal Dispatcher" #10 daemon prio=9
         java.lang.Thread.State: RUNNABLE

      "worker" #11 prio=5
         java.lang.Thread.State: BLOCKED (on object monitor)
      \tat org.example/org.example.Work.run(Work.java:9)
      \t- waiting to lock <0x3> (a java.lang.Object)

      JNI global refs: 1
      """;

  @Test
  void onlyThreadsThatRunTheProgramAreShown() {
    assertEquals(
        """
          "main" TIMED_WAITING (sleeping)
              at java.lang.Thread.sleep(java.base@25/Native Method)
              at app.Main.main(Main.java:5)
          "worker" BLOCKED (on object monitor)
              at org.example/org.example.Work.run(Work.java:9)
              - waiting to lock <0x3> (a java.lang.Object)
          (2 threads of the JVM and of ffmpi are left out)
        """,
        StackDump.ofProgram(DUMP));
  }

  @Test
  void deadlocksAreShownAndWhatHasNoProgramAsItIs() {
    String deadlock = "\n\nFound one Java-level deadlock:\n=====\n\"a\":\n  waits\n\nFound 1 deadlock.\n";
    assertTrue(StackDump.ofProgram(DUMP.stripTrailing() + deadlock).endsWith(deadlock.stripLeading()));
    assertEquals("no answer\n", StackDump.ofProgram("no answer\n"));
  }
}
