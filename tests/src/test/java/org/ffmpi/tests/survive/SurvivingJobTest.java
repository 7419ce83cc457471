// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.survive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.time.Duration;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.tests.support.RankJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Deaths in a job that outlives them, as the launcher reports them. */
@Tag("process")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SurvivingJobTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  /** A rank that ends as its argument says. */
  static final class Ends {
    private Ends() {}

    public static void main(String[] args) {
      Mpi.run(args, mpi -> {
        IntraComm world = mpi.world();
        world.agree(1);
        switch (args[0]) {
          case "all" -> Runtime.getRuntime().halt(3 + world.rank());
          case "abort" -> {
            if (world.rank() == 1) {
              world.abort(5);
            }
            world.recv(new int[1], 1, 0);
          }
          default -> {
            if (world.rank() == 1) {
              throw new IllegalStateException("on purpose");
            }
            while (world.getFailed().size() == 0) {
              Thread.onSpinWait();
            }
            System.out.println(world.shrink().size() + " is left");
          }
        }
      });
    }
  }

  private int run(String how) throws InterruptedException {
    return RankJvm.launcher(2)
        .main(Ends.class.getName(), how)
        .setting("ffmpi.survive", "on")
        .output(out)
        .errors(err)
        .timeout(Duration.ofSeconds(100))
        .run();
  }

  @Test
  void anExceptionEndsItsRankAlone() throws InterruptedException {
    assertEquals(0, run("throw"), err::toString);
    assertEquals("1 is left\n", out.toString());
    assertTrue(err.toString().contains("IllegalStateException: on purpose"), err::toString);
    assertTrue(err.toString().contains("ended with exit code 1; the job goes on with 1 rank\n"), err::toString);
  }

  @Test
  void aJobThatNobodyOutlivesHasFailed() throws InterruptedException {
    int code = run("all");
    assertTrue(code == 3 || code == 4, err::toString);
    assertTrue(err.toString().endsWith("mpirun: no rank has ended well\n"), err::toString);
    assertEquals(3, err.toString().lines().count(), err::toString);
  }

  @Test
  void anAbortEndsTheJobAllTheSame() throws InterruptedException {
    assertEquals(5, run("abort"), err::toString);
  }
}
