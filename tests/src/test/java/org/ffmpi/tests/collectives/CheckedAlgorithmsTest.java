// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
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

  /** The table has trees from nine ranks on. */
  @Test
  void ofAllOperationsOnTwoAndOnNineRanks() throws Exception {
    for (int ranks : new int[] {2, 9}) {
      TreeSet<String> plain = told("none", ranks, CheckedAlgorithmsTest::allOperations);
      assertEquals(plain, told("full", ranks, CheckedAlgorithmsTest::allOperations));
      assertEquals(ranks == 9, plain.stream().anyMatch(line -> line.contains(": region-tree")), plain.toString());
      assertTrue(plain.stream().anyMatch(line -> line.contains(": region,")), plain.toString());
      assertTrue(plain.stream().anyMatch(line -> line.contains(": direct")), plain.toString());
    }
  }

  private static TreeSet<String> told(String check) throws Exception {
    return told(check, 3, mpi -> calls(mpi.world()));
  }

  /** What rank 0 says about its choices. */
  private static TreeSet<String> told(String check, int ranks, Mpi.Body body) throws Exception {
    PrintStream standard = System.err;
    ByteArrayOutputStream captured = new ByteArrayOutputStream();
    System.setErr(new PrintStream(captured, true, StandardCharsets.UTF_8));
    try {
      Mpi.runThreads(ranks, Map.of("ffmpi.check", check, "ffmpi.collectives", "explain"), body);
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

  private static void allOperations(Mpi mpi) {
    IntraComm world = mpi.world();
    int n = world.size();
    for (int round = 0; round < 6; round++) {
      for (int length : new int[] {1, 20_000}) {
        Buf<Integer> one = Buf.of(new int[length]);
        Buf<Integer> part = Buf.of(new int[length]);
        Buf<Integer> all = Buf.of(new int[n * length]);
        Buf<Integer> others = Buf.of(new int[n * length]);
        long[] counts = new long[n];
        long[] displs = new long[n];
        Arrays.setAll(counts, i -> length);
        Arrays.setAll(displs, i -> (long) i * length);
        world.gatherv(one, all, counts, displs, 0);
        world.scatter(world.rank() == 1 ? all : null, one, 1);
        world.scatterv(all, counts, displs, one, 0);
        world.allgatherv(one, all, counts, displs);
        world.alltoallv(all, counts, displs, others, counts, displs);
        world.reduceScatterBlock(all, part, Op.SUM);
        world.reduceScatter(all, part, counts, Op.MAX);
        world.exscan(one, part, Op.SUM);
        world.iexscan(one, part, Op.SUM).await();
        world.scan(Buf.inPlace(), part, Op.SUM);
        world.bcast(part, n - 1);
        world.allreduce(one, part, Op.SUM);
        world.allgather(one, all);
      }
      world.barrier();
    }
  }
}
