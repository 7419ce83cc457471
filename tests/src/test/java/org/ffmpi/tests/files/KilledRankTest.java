// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.MpiFile;
import org.ffmpi.base.Constants;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.tests.support.RankJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A rank dies in the middle of a collective write: the others get an error, and what was synced before is there. */
@Tag("process")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KilledRankTest {
  private static final int HEAD = 1000;

  /** The program of the ranks. */
  static final class Ranks {
    private Ranks() {}

    public static void main(String[] args) {
      Mpi.run(args, mpi -> {
        IntraComm world = mpi.world();
        int rank = world.rank();
        MpiFile file = world.open(Path.of(args[0]), Constants.MODE_CREATE | Constants.MODE_RDWR);
        byte[] head = new byte[HEAD];
        Arrays.fill(head, (byte) (rank + 1));
        file.writeAtAll((long) rank * HEAD, head);
        file.sync();
        Datatype<?> records =
            Datatype.contiguous(64, Datatype.BYTE).resized(0, 64L * world.size()).commit();
        file.setView((long) world.size() * HEAD + 64L * rank, Datatype.BYTE, records);
        byte[] data = new byte[1 << 22];
        if (rank == 1) {
          Thread.ofPlatform().daemon().start(() -> {
            try {
              Thread.sleep(20);
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            Runtime.getRuntime().halt(137);
          });
        }
        try {
          while (true) {
            file.writeAtAll(0, data);
          }
        } catch (MpiException e) {
          System.out.println("rank " + rank + " has got " + e.errorClass());
        }
      });
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"off", "on"})
  void othersEnd(String survive, @TempDir Path folder) throws IOException, InterruptedException {
    Path path = folder.resolve("file");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int code = RankJvm.launcher(3)
        .main(Ranks.class.getName(), path.toString())
        .setting("ffmpi.survive", survive)
        .output(out)
        .errors(new ByteArrayOutputStream())
        .timeout(Duration.ofSeconds(60))
        .run();
    assertTrue(code != 0 || survive.equals("on"), out.toString());
    byte[] all = Files.readAllBytes(path);
    for (int rank = 0; rank < 3; rank++) {
      byte[] head = new byte[HEAD];
      Arrays.fill(head, (byte) (rank + 1));
      assertArrayEquals(head, Arrays.copyOfRange(all, rank * HEAD, (rank + 1) * HEAD));
    }
    if (survive.equals("on")) {
      assertEquals(2, out.toString().lines().filter(line -> line.contains("has got ERR_PROC_FAILED")).count(),
          out.toString());
    }
  }
}
