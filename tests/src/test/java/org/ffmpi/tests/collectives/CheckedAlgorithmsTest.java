// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeSet;
import org.ffmpi.Buf;
import org.ffmpi.CartComm;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.junit.jupiter.api.Test;

/** Where everything is checked, the algorithms and regions are those that run without it. */
class CheckedAlgorithmsTest {
  private static final int[] LENGTHS = {1, 1_000, 20_000, 100_000};

  @Test
  void algorithmsAndRegionsAreTheSame() throws Exception {
    TreeSet<String> plain = told("none");
    TreeSet<String> checked = told("full");
    assertEquals(plain, checked);
    assertTrue(plain.stream().anyMatch(line -> line.contains(": region")), plain.toString());
    assertTrue(plain.stream().anyMatch(line -> line.contains(": pull")), plain.toString());
    assertTrue(plain.stream().anyMatch(line -> line.contains("without a region")), plain.toString());
  }

  /** What rank 0 says about its choices. */
  private static TreeSet<String> told(String check) throws Exception {
    PrintStream standard = System.err;
    ByteArrayOutputStream captured = new ByteArrayOutputStream();
    System.setErr(new PrintStream(captured, true, StandardCharsets.UTF_8));
    try {
      Mpi.runThreads(3, Map.of("ffmpi.check", check, "ffmpi.collectives", "explain"), mpi -> calls(mpi.world()));
    } finally {
      System.setErr(standard);
    }
    TreeSet<String> lines = new TreeSet<>();
    captured.toString(StandardCharsets.UTF_8).lines().filter(line -> line.startsWith("ffmpi: ")).forEach(lines::add);
    lines.removeIf(line -> line.contains("allgather of 8 bytes")); // cartCreate compares its arguments
    return lines;
  }

  private static void calls(IntraComm world) {
    for (int round = 0; round < 3; round++) {
      for (int length : LENGTHS) {
        Buf<Integer> one = Buf.of(new int[length]);
        Buf<Integer> other = Buf.of(new int[length]);
        Buf<Integer> all = Buf.of(new int[3 * length]);
        world.bcast(one, 0);
        Request later = world.iallreduce(one, other, Op.SUM);
        world.allgather(one, all);
        later.await();
        world.iscan(one, other, Op.MAX).await();
        world.reduce(one, other, Op.SUM, 1);
        world.ialltoall(all).await();
        world.gather(one, all, 0);
        try (Persistent sum = world.allreduceInit(one, other, Op.SUM, null)) {
          sum.start();
          sum.await();
        }
      }
      world.ibarrier().await();
      world.barrier();
    }
    try (CartComm ring = world.cartCreate(new int[] {3}, new boolean[] {true}, false)) {
      for (int round = 0; round < 6; round++) {
        ring.neighborAllgather(Buf.of(new int[10]), Buf.of(new int[20]));
        ring.ineighborAllgather(Buf.of(new int[10]), Buf.of(new int[20])).await();
      }
    }
  }
}
