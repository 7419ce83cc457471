// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.race;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Win;
import org.ffmpi.base.MpiException;
import org.ffmpi.launcher.Launcher;
import org.ffmpi.race.RaceFindings;
import org.ffmpi.tests.support.RankJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Races between processes, whose classes the agent rewrites. */
@Tag("process")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RaceProcessesTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(Launcher launcher) throws InterruptedException {
    return launcher.setting("ffmpi.check", "races").output(out).errors(err).timeout(Duration.ofSeconds(120)).run();
  }

  private String errors() {
    return err.toString(StandardCharsets.UTF_8);
  }

  /** All programs of the file in one job. */
  static final class AllPrograms {
    private AllPrograms() {}

    public static void main(String[] args) throws Exception {
      try (Mpi mpi = Mpi.init(args)) {
        for (RaceProgramsTest.Line line : RaceProgramsTest.lines().toList()) {
          List<MpiException> errors = new ArrayList<>();
          RaceFindings.take();
          new RaceProgram(line.ranks(), errors).run(mpi);
          int[] found = {RaceFindings.take().size()};
          mpi.world().allreduce(found, Op.SUM);
          if (mpi.world().rank() == 0 && found[0] > 0 != line.races()) {
            System.out.println("wrong: " + line + " " + errors);
          }
        }
        if (mpi.world().rank() == 0) {
          System.out.println("all done");
        }
      }
    }
  }

  @Test
  void findsTheRacesOfAllPrograms() throws InterruptedException {
    int code = run(RankJvm.launcher(3).main(AllPrograms.class.getName()).setting("ffmpi.errors", "return"));
    assertEquals("all done\n", out.toString(StandardCharsets.UTF_8), this::errors);
    // A receive that was refused because of a race leaves its message, which the sender is told at its end.
    assertTrue(code == 0 || errors().contains("was never received"), this::errors);
  }

  /** A row of a halo, changed too early. */
  static final class Halo {
    private Halo() {}

    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        IntraComm world = mpi.world();
        double[] row = new double[100];
        try (Win win = world.winAllocate(100L * Double.BYTES, Double.BYTES)) {
          win.fence();
          win.put(Buf.of(row), 1 - world.rank(), 0);
          row[7] = 1;
          win.fence();
        }
      }
    }
  }

  @Test
  void aStoreToTheBufferOfAPutEndsTheJob() throws InterruptedException {
    int code = run(RankJvm.launcher(2).main(Halo.class.getName()));
    assertNotEquals(0, code);
    assertTrue(errors().matches("(?s).*ffmpi: rank [01]: .*MPI_Put at RaceProcessesTest.java:[0-9]+ reads .*"
        + "it is stored to at RaceProcessesTest.java:[0-9]+ before that.*"), this::errors);
  }
}
