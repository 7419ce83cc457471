// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.threads;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.IntraComm;
import org.ffmpi.LockType;
import org.ffmpi.Mpi;
import org.ffmpi.MpiExecutor;
import org.ffmpi.Op;
import org.ffmpi.Request;
import org.ffmpi.Win;
import org.ffmpi.base.MpiException;
import org.ffmpi.tests.support.ChildJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Ranks that are threads of one JVM need no system call of ours, as on systems that have none of Linux's. */
@Tag("process")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PortableThreadsTest {
  private static final List<String> CALLS_OUT = List.of("org.ffmpi.shm.posix.Posix ", "DowncallLinker");

  /** Everything that threads do with each other: long and short messages, sleeps, windows, objects, tasks. */
  static final class Everything {
    private Everything() {}

    public static void main(String[] args) {
      Map<String, String> sleepy = Map.of("ffmpi.spin", "0", "ffmpi.yield", "0");
      for (Map<String, String> settings : List.of(Map.<String, String>of(), sleepy)) {
        Mpi.runThreads(3, settings, mpi -> {
          messages(mpi.world());
          collectives(mpi.world());
          windows(mpi.world());
          MpiExecutor.run(mpi.world(), pool ->
              assertEquals(List.of(1, 4, 9), pool.map(n -> n * n, Stream.of(1, 2, 3)).toList()));
        });
      }
      System.out.println("all is well");
    }

    private static void messages(IntraComm world) {
      int next = (world.rank() + 1) % world.size();
      int previous = (world.rank() + world.size() - 1) % world.size();
      for (int length : new int[] {1, 100, 10_000, 1_000_000}) {
        double[] sent = new double[length];
        Arrays.fill(sent, world.rank());
        double[] received = new double[length];
        for (int i = 0; i < 20; i++) {
          Request receive = world.irecv(received, previous, i);
          world.send(sent, next, i);
          receive.await();
          assertEquals(previous, received[length - 1]);
        }
      }
      Request sending = world.isendObject(List.of("a", world.rank()), next, 0);
      assertEquals(List.of("a", previous), world.recvObject(previous, 0));
      sending.await();
    }

    private static void collectives(IntraComm world) {
      for (int length : new int[] {1, 1_000, 200_000}) {
        int[] sum = new int[length];
        Arrays.fill(sum, 1 + world.rank());
        world.allreduce(sum, Op.SUM);
        assertEquals(6, sum[length - 1]);
        long[] all = world.allgather(new long[] {world.rank()});
        assertArrayEquals(new long[] {0, 1, 2}, all);
        world.barrier();
      }
      try (Comm half = world.split(world.rank() % 2, 0)) {
        half.barrier();
      }
    }

    private static void windows(IntraComm world) {
      try (Win win = world.winAllocate(8L * world.size(), 8)) {
        win.fence();
        for (int r = 0; r < world.size(); r++) {
          win.put(Buf.of(new long[] {world.rank() + 1}), r, world.rank());
        }
        win.fence();
        long[] seen = new long[world.size()];
        win.get(Buf.of(seen), world.rank(), 0);
        win.fence();
        assertArrayEquals(new long[] {1, 2, 3}, seen);
        win.lock(LockType.EXCLUSIVE, 0).close();
      }
    }
  }

  /** A rank as a launcher starts it. */
  static final class AsProcess {
    private AsProcess() {}

    public static void main(String[] args) {
      System.out.println(assertThrows(MpiException.class, () -> Mpi.init(args)).getMessage());
    }
  }

  @Test
  void threadsMakeNoSystemCall() throws Exception {
    for (String option : List.of("-Dffmpi.posix=off", "-Dffmpi.posix=on")) {
      String said = ChildJvm.run(
          Everything.class, "this test", 1, List.of(option, "-Xlog:class+load"));
      assertTrue(said.contains("all is well"), said);
      for (String line : said.split("\n")) {
        assertTrue(CALLS_OUT.stream().noneMatch(line::contains), option + ": " + line);
      }
    }
  }

  @Test
  void processesNeedThem() throws Exception {
    List<String> rank = List.of(
        "-Dffmpi.posix=off", "-Dffmpi.rank=0", "-Dffmpi.size=2", "-Dffmpi.segment=/nowhere");
    String said = ChildJvm.run(AsProcess.class, "this test", 1, rank);
    assertTrue(said.contains("ranks in processes need Linux and ffmpi.posix=on"), said);
  }
}
