// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.windows;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Win;
import org.ffmpi.tests.support.RankJvm;
import org.ffmpi.tests.windows.DeadMemberTest.Wait;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The waits of {@link DeadMemberTest} in a job of processes. Ranks 0 and 1 have a window with each of the other ranks,
 * which the kernel kills inside an epoch, one after the other.
 */
@Tag("process")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KilledMemberTest {
  private static final List<Wait> WAITS = List.of(
      Wait.LOCK_BEHIND_WRITER, Wait.LOCK_ALL_BEHIND_WRITER, Wait.LOCK_BEHIND_QUEUED, Wait.START, Wait.AWAIT, Wait.FLUSH,
      Wait.FENCE);

  /** The program of the ranks; its argument is whether windows have memory of their own. */
  static final class Ranks {
    private Ranks() {}

    public static void main(String[] args) {
      Mpi.run(args, mpi -> {
        IntraComm world = mpi.world();
        boolean isAllocated = Boolean.parseBoolean(args[0]);
        IntraComm[] comms = new IntraComm[WAITS.size()];
        Win[] windows = new Win[comms.length];
        for (int i = 0; i < comms.length; i++) {
          comms[i] = world.create(world.group().incl(0, 2 + i, 1));
          if (comms[i] != null) {
            windows[i] = DeadMemberTest.window(comms[i], isAllocated);
          }
        }
        for (int i = 0; i < comms.length; i++) {
          if (windows[i] != null) {
            takeTurn(comms[i]);
            DeadMemberTest.lose(WAITS.get(i), comms[i], windows[i], Ranks::die);
            System.out.println(WAITS.get(i) + " has ended");
          }
        }
        DeadMemberTest.useAnother(world.shrink());
      });
    }

    /** Keeps the rank that is to die until the others have seen the death of the one before. */
    private static void takeTurn(IntraComm comm) {
      if (comm.rank() == 1) {
        comm.recv(new int[0], 0, 0);
        comm.recv(new int[0], 2, 0);
      } else {
        comm.send(new int[0], 1, 0);
      }
    }

    /** Kills this process. */
    private static void die() {
      try {
        new ProcessBuilder("kill", "-KILL", Long.toString(ProcessHandle.current().pid())).start();
        Thread.sleep(Long.MAX_VALUE);
      } catch (IOException | InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"auto, true", "auto, false", "message, true"})
  void waitsEndWhenAMemberIsKilled(String path, boolean isAllocated) throws InterruptedException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code = RankJvm.launcher(2 + WAITS.size())
        .main(Ranks.class.getName(), Boolean.toString(isAllocated))
        .setting("ffmpi.survive", "on")
        .setting("ffmpi.errors", "return")
        .setting("ffmpi.window", path)
        .output(out)
        .errors(err)
        .timeout(Duration.ofSeconds(100))
        .run();
    assertEquals(0, code, () -> out + "\n" + err);
    for (Wait wait : WAITS) {
      assertEquals(2, out.toString().lines().filter((wait + " has ended")::equals).count(), () -> out + "\n" + err);
    }
    assertTrue(err.toString().contains("; the job goes on with 2 ranks\n"), err::toString);
  }
}
