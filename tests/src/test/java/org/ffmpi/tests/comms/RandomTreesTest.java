// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.comms;

import static org.ffmpi.base.Constants.ANY_SOURCE;
import static org.ffmpi.base.Constants.ANY_TAG;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.random.RandomGenerator;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.EveryTransport;
import org.ffmpi.tests.support.Seeds;

/**
 * Random trees of dup, idup, split, create, createGroup, createFromGroup and close, with traffic on all communicators
 * while others are made and freed.
 */
class RandomTreesTest {
  private static final int ROUNDS = 25;

  private final long seed = Seeds.next();

  @EveryTransport
  @MpiTest(ranks = {1, 2, 3, 4, 8}, timeout = 180)
  void trafficOnAllOfThem(Mpi mpi) {
    Seeds.run(seed, () -> grow(mpi.world(), mpi.self(), seed, ROUNDS));
  }

  @MpiTest(ranks = {1, 3, 8}, timeout = 180, settings = "ffmpi.check=full")
  void withEverythingChecked(Mpi mpi) {
    Seeds.run(seed, () -> grow(mpi.world(), mpi.self(), seed, ROUNDS));
  }

  /** The seed comes from rank 0: each process has its own otherwise. */
  @MpiTest(ranks = {1, 2, 3, 4, 8}, processes = true, timeout = 180)
  void inProcesses(Mpi mpi) {
    long[] common = {seed};
    mpi.world().bcast(Buf.of(common), 0);
    Seeds.run(common[0], () -> grow(mpi.world(), mpi.self(), common[0], ROUNDS));
  }

  /** Grows a tree on communicators that nobody else uses meanwhile. */
  static void grow(IntraComm world, IntraComm self, long seed, int rounds) {
    CommTree tree = new CommTree(world, self, seed, "tree " + seed);
    RandomGenerator own = Seeds.random(seed + 1 + world.rank());
    for (int round = 0; round < rounds; round++) {
      for (int n = tree.plan.nextInt(4); n > 0; n--) {
        tree.step();
      }
      List<CommTree.Node> nodes = tree.ready();
      CommTraffic traffic = CommTraffic.start(tree, nodes, own);
      for (int n = tree.plan.nextInt(4); n > 0; n--) {
        tree.step();
      }
      traffic.finish();
      world.barrier(); // the next round's messages may be like this one's
    }
    tree.fell();
    world.barrier();
    assertTrue(world.iprobe(ANY_SOURCE, ANY_TAG).isEmpty());
    assertTrue(self.iprobe(ANY_SOURCE, ANY_TAG).isEmpty());
  }
}
