// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.base.Constants;
import org.ffmpi.tests.support.ChildJvm;
import org.ffmpi.tests.support.RankJvm;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a rank says at its end about messages that nobody has received, and about receives without a message. */
@Tag("process")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UnfinishedMessagesTest {
  private static final String ONE =
      "ffmpi: rank 1 finalized with 1 message not received: 40 bytes from rank 0, tag 0\n";
  private static final String FOUR =
      "ffmpi: rank 0 finalized with 4 messages not received: 8 bytes from rank 1, tag 0; "
      + "8 bytes from rank 1, tag 1; 8 bytes from rank 1, tag 2; and 1 more\n";
  private static final String RECEIVES = "ffmpi: rank 0 finalized with 2 requests not completed: ";

  /** Leaves messages and receives behind, or nothing, or throws. */
  static final class Program {
    private Program() {}

    public static void main(String[] args) {
      if (args[0].equals("threads")) {
        Mpi.runThreads(2, mpi -> run(mpi, "careless"));
        return;
      }
      try (Mpi mpi = Mpi.init(args)) {
        run(mpi, args[0]);
      }
    }

    private static void run(Mpi mpi, String kind) {
      IntraComm world = mpi.world();
      world.allreduce(Buf.of(new int[2]), Op.SUM);
      if (!kind.equals("careful")) {
        leaveBehind(world);
      }
      world.allreduce(Buf.of(new double[10_000]), Op.SUM);
      world.barrier();
      if (kind.equals("throwing")) {
        fail(world);
      }
    }

    private static void fail(IntraComm world) {
      if (world.rank() == 0) {
        throw new IllegalStateException("the boom of rank 0");
      }
      world.recv(new int[1], 0, 99);
    }

    private static void leaveBehind(IntraComm world) {
      if (world.rank() == 0) {
        world.send(new int[10], 1, 0);
        world.irecv(new int[1], 1, 55);
        world.irecv(new int[1], Constants.ANY_SOURCE, 56);
      } else {
        for (int tag = 0; tag < 4; tag++) {
          world.send(new long[1], 0, tag);
        }
      }
    }
  }

  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(String kind) throws InterruptedException {
    return RankJvm.launcher(2).main(Program.class.getName(), kind).errors(err).timeout(Duration.ofSeconds(60)).run();
  }

  private String errors() {
    return err.toString(StandardCharsets.UTF_8);
  }

  private static void assertReported(String text) {
    assertTrue(text.contains(ONE), text);
    assertTrue(text.contains(FOUR), text);
    assertTrue(text.contains(RECEIVES), text);
    assertTrue(text.contains("receive from rank 1, tag 55"), text);
    assertTrue(text.contains("receive from any rank, tag 56"), text);
    assertEquals(4, text.split("finalized with", -1).length, text);
  }

  @Test
  @DisplayName("processes say what they leave behind, and end with exit code 0")
  void processes() throws InterruptedException {
    assertEquals(0, run("careless"), this::errors);
    assertReported(errors());
  }

  @Test
  @DisplayName("ranks in threads say what they leave behind")
  void threads() throws IOException, InterruptedException {
    assertReported(ChildJvm.run(Program.class, "run the test again", 1, List.of(), "threads"));
  }

  @Test
  @DisplayName("ranks that leave nothing behind say nothing")
  void nothing() throws InterruptedException {
    assertEquals(0, run("careful"), this::errors);
    assertEquals("", errors());
  }

  @Test
  @DisplayName("an error is not followed by what it has left behind")
  void afterAnError() throws InterruptedException {
    assertEquals(1, run("throwing"), this::errors);
    assertFalse(errors().contains("finalized with"), this::errors);
  }
}
