// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Status;
import org.ffmpi.launcher.MpirunMain;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A job of processes that hangs in one order of its messages is killed, and its recording repeats the hang. */
@Tag("process")
@Timeout(240)
class RecordedJobTest {
  private static final int STANDSTILL = 124;

  @TempDir
  Path folder;

  /** Rank 0 takes messages of those who send, and waits for one more than there are. */
  static final class OneTooMany {
    private static final int SENT = 20;

    public static void main(String[] args) {
      Mpi.run(args, mpi -> {
        IntraComm world = mpi.world();
        Status status = new Status();
        if (world.rank() > 0) {
          for (int i = 0; i < SENT; i++) {
            Thread.sleep(0, 100_000 * (i * world.rank() % 4));
            world.send(new int[1], 0, 1);
          }
          world.recv(new int[1], 0, 2);
        }
        StringBuilder order = new StringBuilder("order");
        for (int i = 0; i < 2 * SENT; i++) {
          world.recv(new int[1], Mpi.ANY_SOURCE, 1, status);
          order.append(' ').append(status.source());
        }
        System.out.println(order);
        world.recv(new int[1], Mpi.ANY_SOURCE, 1, status);
      });
    }
  }

  @Test
  void aKilledJobIsRepeated() throws Exception {
    String recorded = run("--record", folder.toString());
    assertTrue(recorded.contains("the run is recorded in " + folder + "; this repeats it: mpirun --replay " + folder
        + " --watchdog 1 --watchdog-ends -n 3 -cp "), recorded);
    String repeated = run("--replay", folder.toString());
    assertEquals(order(recorded), order(repeated));
    assertTrue(repeated.contains("rank 0: the recording ends before event 41, receive from any rank with tag 1 in the"
        + " world at RecordedJobTest.java:"), repeated);
  }

  private static String order(String output) {
    String found = output.lines().filter(line -> line.startsWith("order ")).findFirst().orElse("");
    assertNotEquals("", found, output);
    return found;
  }

  /** Runs the program until it does not move; returns all that has been printed. */
  private static String run(String... options) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"),
        MpirunMain.class.getName()));
    command.addAll(Arrays.asList(options));
    command.addAll(List.of(
        "--watchdog", "1", "--watchdog-ends", "-n", "3", "-cp", System.getProperty("java.class.path"),
        OneTooMany.class.getName()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertEquals(STANDSTILL, process.waitFor(), output);
      return output;
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }
}
