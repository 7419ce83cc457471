// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.docs;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.testkit.MpiTest;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The statements of the user guide about files, shared memory and signals. */
class OutsideTest {
  private static final Path GUIDE = Path.of("..", "docs", "guide", "start-and-run.md");
  private static final int ROUNDS = 200;

  @MpiTest(ranks = 2, processes = true, timeout = 120)
  @DisplayName("S1-2.7-b: what a rank wrote to a file before it sent a message, the receiver can read")
  void s1_2_7_b_files(IntraComm world, @TempDir Path folder) throws IOException {
    int[] token = new int[1];
    for (int round = 0; round < ROUNDS; round++) {
      Path file = folder.resolve("round" + round);
      if (world.rank() == 0) {
        Files.writeString(file, "written in round " + round);
        world.send(token, 1, round);
      } else {
        world.recv(token, 0, round);
        assertEquals("written in round " + round, Files.readString(file));
      }
    }
  }

  @MpiTest(ranks = 2, processes = true, timeout = 120)
  @DisplayName("S1-2.7-b: plain stores to a file that both ranks map are visible after a message that followed them")
  void s1_2_7_b_sharedMappings(IntraComm world, @TempDir Path folder) throws IOException {
    int[] token = new int[1];
    Path file = folder.resolve("mapped");
    try (Arena arena = Arena.ofConfined();
        FileChannel channel = FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      MemorySegment shared = channel.map(FileChannel.MapMode.READ_WRITE, 0, 8L * ROUNDS, arena);
      for (int round = 0; round < ROUNDS; round++) {
        if (world.rank() == 0) {
          shared.setAtIndex(JAVA_LONG, round, round + 1L);
          world.send(token, 1, 0);
        } else {
          world.recv(token, 0, 0);
          assertEquals(round + 1L, shared.getAtIndex(JAVA_LONG, round));
        }
      }
    }
  }

  @Test
  @DisplayName("S1-2.7-b S1-2.9.2-a: the guide says what holds for files, signals, shared memory and other IPC")
  void s1_2_7_b_isDocumented() throws IOException {
    String guide = Files.readString(GUIDE);
    String section = guide.substring(guide.indexOf("## The world outside MPI\n"));
    for (String subject : new String[] {"Signals", "Files", "Other shared memory and IPC", "Standard streams"}) {
      assertTrue(section.contains("**" + subject + ".**"), subject);
    }
  }

  @Test
  @DisplayName("S1-2.9.2-a: no signal is handled that the JVM did not handle before")
  void s1_2_9_2_a_noSignalIsUsed() throws IOException {
    String before = handledSignals();
    Mpi.runThreads(4, mpi -> {
      int[] data = {1};
      for (int round = 0; round < 50; round++) {
        if (mpi.world().rank() == 0) {
          Thread.sleep(2); // the others go through all stages of waiting
        }
        mpi.world().allreduce(Buf.of(data), Op.MAX);
      }
    });
    assertEquals(before, handledSignals());
    // SIGALRM 14, SIGIO 29; SIGFPE belongs to the JVM, which turns it into ArithmeticException.
    assertEquals(0, Long.parseUnsignedLong(before, 16) & (1L << 13 | 1L << 28));
  }

  private static String handledSignals() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("SigCgt:"))
        .findFirst()
        .orElseThrow()
        .substring("SigCgt:".length())
        .strip();
  }
}
