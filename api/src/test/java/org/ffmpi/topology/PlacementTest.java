// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.topology;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Orders of ranks on machines that were recorded. Process N is bound to processor N by default. */
class PlacementTest {
  @TempDir Path folder;

  private static long[][] bound(Machine machine, int... processors) {
    return Arrays.stream(processors).mapToObj(machine::place).toArray(long[][]::new);
  }

  private static int[] first(int count) {
    return IntStream.range(0, count).toArray();
  }

  /** Returns how many edges join ranks whose processes have different instances. */
  private static long cut(long[][] places, Graph graph, int[] order, Resource resource) {
    long[][] only = Arrays.stream(places)
        .map(place -> new long[] {place[resource.ordinal()]})
        .toArray(long[][]::new);
    return Placement.cost(only, graph, order);
  }

  private static Grid grid(boolean periodic, int... dims) {
    boolean[] periods = new boolean[dims.length];
    Arrays.fill(periods, periodic);
    return Grid.of(dims, periods, Integer.MAX_VALUE);
  }

  @Test
  void aRingOnTwoSocketsChangesThemTwice() throws IOException {
    long[][] places = bound(RecordedMachine.read("two-sockets", folder), first(8));
    Grid ring = grid(true, 8);
    assertEquals(8, cut(places, ring.graph(), first(8), Resource.PACKAGE), "without reordering: at each step");
    for (Grid grid : new Grid[] {ring, null}) {
      int[] order = Placement.order(places, ring.graph(), grid);
      assertPermutation(order);
      assertEquals(2, cut(places, ring.graph(), order, Resource.PACKAGE));
    }
  }

  @Test
  void aRingOnHardwareThreadsUsesCoresTwiceInARow() throws IOException {
    long[][] places = bound(RecordedMachine.read("two-sockets", folder), first(16));
    Graph graph = grid(true, 16).graph();
    int[] order = Placement.order(places, graph, null);
    assertEquals(2, cut(places, graph, order, Resource.PACKAGE));
    assertEquals(8, cut(places, graph, order, Resource.CORE));
  }

  @Test
  void aSquareTakesSquaresOfCaches() throws IOException {
    long[][] places = bound(RecordedMachine.read("four-caches", folder), first(16));
    for (boolean periodic : new boolean[] {false, true}) {
      Grid square = grid(periodic, 4, 4);
      Graph graph = square.graph();
      assertEquals(periodic ? 16 : 12, cut(places, graph, first(16), Resource.L3_CACHE), "rows");
      int[] order = Placement.order(places, graph, square);
      assertPermutation(order);
      assertEquals(periodic ? 16 : 8, cut(places, graph, order, Resource.L3_CACHE));
      assertEquals(periodic ? 8 : 4, cut(places, graph, order, Resource.NUMA_NODE));
    }
  }

  @Test
  void aCubeTakesBricks() throws IOException {
    long[][] places = bound(RecordedMachine.read("four-caches", folder), first(16));
    Grid brick = grid(false, 2, 2, 4);
    int[] order = Placement.order(places, brick.graph(), brick);
    assertEquals(12, cut(places, brick.graph(), order, Resource.L3_CACHE));
  }

  @Test
  void aGraphOfGroupsThatTheNumbersHide() throws IOException {
    long[][] places = bound(RecordedMachine.read("four-caches", folder), first(16));
    Graph.Builder builder = new Graph.Builder(16);
    for (int a = 0; a < 16; a++) {
      for (int b = a + 4; b < 16; b += 4) {
        builder.add(a, b, 10); // ranks that are equal modulo 4 talk much
      }
      builder.add(a, (a + 1) % 16, 1);
    }
    Graph graph = builder.build();
    int[] order = Placement.order(places, graph, null);
    assertPermutation(order);
    assertEquals(16, cut(places, graph, order, Resource.L3_CACHE));
  }

  @Test
  void identityWhereAllIsAlike() throws IOException {
    Machine machine = RecordedMachine.read("four-caches", folder);
    Grid square = grid(true, 2, 2);
    assertArrayEquals(first(4), Placement.order(bound(machine, 4, 5, 6, 7), square.graph(), square));
    long[][] unbound = new long[4][];
    Arrays.fill(unbound, machine.place(first(16)));
    assertArrayEquals(first(4), Placement.order(unbound, square.graph(), square));
    Graph silent = new Graph.Builder(16).build();
    assertArrayEquals(first(16), Placement.order(bound(machine, first(16)), silent, null));
    assertArrayEquals(new int[0], Placement.order(new long[0][], new Graph.Builder(0).build(), null));
  }

  @Test
  void identityWhereItIsBestAlready() throws IOException {
    Machine machine = RecordedMachine.read("four-caches", folder);
    Grid line = grid(false, 16);
    assertArrayEquals(first(16), Placement.order(bound(machine, first(16)), line.graph(), line));
  }

  @Test
  void oneThatIsNotBoundHidesALevel() throws IOException {
    Machine machine = RecordedMachine.read("four-caches", folder);
    long[][] places = bound(machine, 0, 8, 1, 9);
    places[0] = machine.place(0, 4); // in one node, but not in one cache
    Grid line = grid(false, 4);
    int[] order = Placement.order(places, line.graph(), line);
    assertEquals(1, cut(places, line.graph(), order, Resource.NUMA_NODE));
  }

  @Test
  void neverWorseThanIdentityOnRandomGraphsAndMachines() {
    long seed = Long.getLong("ffmpi.test.seed", ThreadLocalRandom.current().nextLong());
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 300; round++) {
      int size = random.nextInt(1, 40);
      long[][] places = new long[size][5];
      for (long[] place : places) {
        for (int level = 0; level < place.length; level++) {
          place[level] = random.nextInt(level + 1);
        }
      }
      Graph.Builder builder = new Graph.Builder(size);
      for (int e = random.nextInt(3 * size); e > 0; e--) {
        builder.add(random.nextInt(size), random.nextInt(size), random.nextInt(5));
      }
      Graph graph = builder.build();
      int[] order = Placement.order(places, graph, null);
      assertPermutation(order);
      long before = Placement.cost(places, graph, first(size));
      long after = Placement.cost(places, graph, order);
      assertTrue(after <= before, "with -Dffmpi.test.seed=" + seed + ": " + after + " after " + before);
    }
  }

  @Test
  void manyRanks() throws IOException {
    Machine machine = RecordedMachine.read("four-caches", folder);
    int[] processors = IntStream.range(0, 1_024).map(i -> i % 16).toArray();
    Grid square = grid(false, 32, 32);
    long[][] places = bound(machine, processors);
    int[] order = Placement.order(places, square.graph(), square);
    assertPermutation(order);
    assertEquals(64, cut(places, square.graph(), order, Resource.L3_CACHE), "four blocks of 16 times 16");
  }

  private static void assertPermutation(int[] order) {
    int[] sorted = order.clone();
    Arrays.sort(sorted);
    assertArrayEquals(first(order.length), sorted);
  }
}
