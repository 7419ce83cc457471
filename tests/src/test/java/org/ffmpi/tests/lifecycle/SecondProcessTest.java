// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.ffmpi.Buf;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.base.MpiException;
import org.ffmpi.launcher.Launcher;
import org.ffmpi.tests.support.RankJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A process that a rank starts has the rank's environment: it cannot be the rank too, but a job of its own. */
@Tag("process")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SecondProcessTest {
  private static final List<String> PLACE = List.of("FFMPI_RANK", "FFMPI_SIZE", "FFMPI_SEGMENT");

  /** What each process says of its world. */
  static final class Child {
    private Child() {}

    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        System.out.println("child: rank " + mpi.world().rank() + " of " + mpi.world().size());
      } catch (MpiException e) {
        System.out.println("child: " + e.getMessage());
      }
    }
  }

  /** Rank 1 starts children, before and after the others have communicated with it. */
  static final class Parent {
    private Parent() {}

    public static void main(String[] args) {
      Mpi.run(args, mpi -> {
        for (boolean own : new boolean[] {false, true}) {
          if (mpi.world().rank() == 1) {
            startChild(own);
          }
          int[] sum = {1};
          mpi.world().allreduce(Buf.of(sum), Op.SUM);
          System.out.println("sum " + sum[0]);
        }
      });
    }

    private static void startChild(boolean own) {
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path")));
      if (System.getProperty("jdk.module.path") != null) {
        command.addAll(List.of("-p", System.getProperty("jdk.module.path"), "--add-modules", "ALL-MODULE-PATH"));
      }
      command.add(Child.class.getName());
      ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
      if (own) {
        PLACE.forEach(builder.environment()::remove);
      }
      try {
        builder.start().waitFor();
      } catch (IOException | InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @Test
  void isRefusedAndTheJobGoesOn() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Launcher launcher = RankJvm.launcher(2)
        .main(Parent.class.getName())
        .output(out)
        .errors(out)
        .timeout(Duration.ofSeconds(100));
    int code;
    try (var job = launcher.start()) {
      code = job.await();
    }
    String said = out.toString(StandardCharsets.UTF_8);
    assertEquals(0, code, said);
    assertEquals(4, said.lines().filter("sum 2"::equals).count(), said);
    assertTrue(said.lines().anyMatch(line -> line.matches("child: .* is rank 1 of this job, .*")), said);
    assertTrue(said.lines().anyMatch("child: rank 0 of 1"::equals), said);
  }
}
