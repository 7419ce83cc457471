// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.collectives.select;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Map;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.base.Settings;
import org.ffmpi.collectives.algorithm.Algorithm;
import org.ffmpi.collectives.algorithm.Algorithms;
import org.ffmpi.collectives.region.Region;
import org.ffmpi.collectives.schedule.CallShape;
import org.ffmpi.collectives.schedule.RanksByNode;
import org.ffmpi.collectives.schedule.Schedule;
import org.ffmpi.collectives.schedule.ScheduleCache;
import org.ffmpi.spi.Collective;
import org.junit.jupiter.api.Test;

class SelectorTest {
  private static Selector selector(String allreduce) {
    return new Selector(Settings.of(Map.of("ffmpi.coll.allreduce", allreduce)));
  }

  @Test
  void everyCallHasAnAlgorithmThatAcceptsIt() {
    Selector selector = new Selector(Settings.of(Map.of()));
    for (Collective collective : Collective.values()) {
      for (int ranks : new int[] {1, 2, 3, 8, 1000}) {
        for (long bytes : new long[] {0, 1, 1 << 10, 1 << 20, 1L << 40}) {
          for (boolean commutative : new boolean[] {true, false}) {
            String name = selector.algorithm(collective, ranks, bytes, commutative);
            Algorithm algorithm = Algorithms.find(collective, name);
            assertTrue(algorithm.accepts(
                new CallShape(collective, 0, ranks, 0, bytes, 1, false, !commutative, false, 1, 1)));
          }
        }
      }
    }
  }

  @Test
  void shortAllreducesTakeFewRoundsAndLongOnesFewBytes() {
    Selector selector = selector("auto");
    assertEquals("recursive-doubling", selector.algorithm(Collective.ALLREDUCE, 4, 8, true));
    assertEquals("rabenseifner", selector.algorithm(Collective.ALLREDUCE, 2, 1 << 24, true));
    assertEquals("rabenseifner", selector.algorithm(Collective.ALLREDUCE, 4, 1 << 24, true));
    assertEquals("rabenseifner", selector.algorithm(Collective.ALLREDUCE, 4, 1 << 24, false));
  }

  @Test
  void callsInOneRoundEndWhereAnotherAlgorithmBegins() {
    Selector table = new Selector(Settings.of(Map.of()));
    assertEquals(8 << 10, table.mostInOneRound(Collective.ALLREDUCE, 2, Region.capacity(2)));
    assertEquals(0, table.mostInOneRound(Collective.ALLREDUCE, 9, Region.capacity(9)));
    assertEquals(Region.capacity(8) / 8, table.mostInOneRound(Collective.ALLTOALL, 8, Region.capacity(8)));
    assertEquals(1, table.mostInOneRound(Collective.BARRIER, 7, Region.capacity(7)));
    assertEquals(0, table.mostInOneRound(Collective.BARRIER, 8, Region.capacity(8)));
    assertEquals(1, table.mostInOneRound(Collective.SCATTERV, 2, Region.capacity(2)));
    assertEquals(0, table.mostInOneRound(Collective.NEIGHBOR_ALLTOALL, 2, Region.capacity(2)));
    assertEquals(1000, selector("region<=1000,ring").mostInOneRound(Collective.ALLREDUCE, 2, Region.capacity(2)));
    assertEquals(0, selector("ring<=10,region").mostInOneRound(Collective.ALLREDUCE, 2, Region.capacity(2)));
    assertEquals(0, selector("ring").mostInOneRound(Collective.ALLREDUCE, 2, Region.capacity(2)));
  }

  @Test
  void shortMessagesAmongManyRanksAreFew() {
    Selector selector = selector("auto");
    assertEquals("linear", selector.algorithm(Collective.ALLTOALL, 4, 8, true));
    assertEquals("bruck", selector.algorithm(Collective.ALLTOALL, 16, 8, true));
    assertEquals("linear", selector.algorithm(Collective.ALLTOALL, 16, 4 << 10, true));
    assertEquals("pairwise", selector.algorithm(Collective.ALLTOALL, 64, 1 << 20, true));
    assertEquals("bruck", selector.algorithm(Collective.ALLGATHER, 64, 8, true));
    assertEquals("binomial", selector.algorithm(Collective.SCATTER, 64, 8, true));
  }

  @Test
  void ranksOnSeveralNodesGoInLevels() {
    Selector selector = selector("auto");
    RanksByNode pairs = RanksByNode.of(12, rank -> rank / 2);
    RanksByNode byTurns = RanksByNode.of(12, rank -> rank % 2);
    for (Collective collective : Collective.values()) {
      CallShape shape = new CallShape(collective, 0, 12, 0, 64, 1, false, false, false, 1, 1);
      boolean hasLevels = Algorithms.find(collective, "leveled") != null;
      assertEquals(hasLevels, selector.choose(shape.over(pairs)).name().equals("leveled"), collective.label());
      assertNotEquals("leveled", selector.choose(shape).name(), collective.label());
    }
    CallShape ordered = new CallShape(Collective.ALLREDUCE, 0, 12, 0, 64, 1, false, true, false, 1, 1);
    assertEquals("leveled", selector.choose(ordered.over(pairs)).name());
    assertEquals("recursive-doubling", selector.choose(ordered.over(byTurns)).name());
    CallShape block = new CallShape(Collective.GATHER, 0, 12, 0, 1 << 20, 1, false, false, false, 1, 1);
    assertEquals("linear", selector.choose(block.over(pairs)).name());
    assertEquals("ring", selector("ring").choose(
        new CallShape(Collective.ALLREDUCE, 0, 12, 0, 64, 1, false, false, false, 1, 1).over(pairs)).name());
  }

  @Test
  void settingsGoBeforeTheTable() {
    Selector selector = selector("rabenseifner <= 16K, ring");
    assertEquals("rabenseifner", selector.algorithm(Collective.ALLREDUCE, 4, 16 << 10, true));
    assertEquals("ring", selector.algorithm(Collective.ALLREDUCE, 4, (16 << 10) + 1, true));
    assertEquals("recursive-doubling",
        selector("recursive-doubling").algorithm(Collective.ALLREDUCE, 4, 1 << 30, true));
  }

  @Test
  void anOverrideThatCannotServeACallLeavesItToTheTable() {
    assertEquals("recursive-doubling", selector("ring").algorithm(Collective.ALLREDUCE, 4, 8, false));
  }

  @Test
  void theTableInForceCanBePrinted() {
    String[] lines = selector("ring<=1M").table().lines().toArray(String[]::new);
    assertEquals("operation            ranks        bytes          algorithm", lines[0]);
    assertTrue(Arrays.asList(lines)
        .contains("allreduce            1 or more    up to 1M       ring (ffmpi.coll.allreduce)"));
    assertTrue(Arrays.asList(lines).contains("bcast                1..2         any            binomial"));
  }

  @Test
  void nonsenseIsRefusedWithWhatIsAllowed() {
    for (String wrong : new String[] {"quick", "ring<=", "ring<=x", "ring<=-1", "ring<=1<=2", "ring<=9999999999G"}) {
      MpiException error = assertThrows(MpiException.class, () -> selector(wrong));
      assertEquals(ErrorClass.ERR_ARG, error.errorClass());
      assertTrue(error.getMessage().contains("ffmpi.coll.allreduce = " + wrong), error.getMessage());
      assertTrue(error.getMessage().contains("recursive-doubling"), error.getMessage());
    }
  }

  @Test
  void equalCallsShareASchedule() {
    ScheduleCache cache = new ScheduleCache(1, 4, null, new ScheduleMaker(selector("auto"), 1, 64 << 10));
    Schedule one = cache.find(Collective.ALLREDUCE, 0, 10, 8, false, false, false, 1, 1, 0);
    assertSame(one, cache.find(Collective.ALLREDUCE, 0, 10, 8, false, false, false, 1, 1, 0));
    Schedule other = cache.find(Collective.ALLREDUCE, 0, 10, 8, true, false, false, 1, 1, 0);
    assertTrue(other.shape.inPlace());
    for (long units = 0; units < 10_000; units++) {
      assertEquals(units, cache.find(Collective.BCAST, 3, units, 1, false, false, false, 1, 1, 0).shape.units());
    }
  }
}
