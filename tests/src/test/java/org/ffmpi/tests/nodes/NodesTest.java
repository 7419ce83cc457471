// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.nodes;

import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Request;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.testkit.MpiTest;
import org.junit.jupiter.api.Test;

/** Ranks in threads that are divided into nodes: everything works between them. */
@EveryNodes
class NodesTest {
  @MpiTest(ranks = 4)
  void order(Mpi mpi) throws Exception {
    NodeScenario.ORDER.run(mpi);
  }

  @MpiTest(ranks = 4)
  void modes(Mpi mpi) throws Exception {
    NodeScenario.MODES.run(mpi);
  }

  @MpiTest(ranks = 4)
  void matchedProbes(Mpi mpi) throws Exception {
    NodeScenario.MATCHED_PROBES.run(mpi);
  }

  @MpiTest(ranks = 4)
  void cancel(Mpi mpi) throws Exception {
    NodeScenario.CANCEL.run(mpi);
  }

  @MpiTest(ranks = 4)
  void longMessages(Mpi mpi) throws Exception {
    NodeScenario.LONG_MESSAGES.run(mpi);
  }

  @MpiTest(ranks = 4)
  void truncation(Mpi mpi) throws Exception {
    NodeScenario.TRUNCATION.run(mpi);
  }

  @MpiTest(ranks = 4)
  void manyLongMessages(Mpi mpi) throws Exception {
    NodeScenario.MANY_LONG_MESSAGES.run(mpi);
  }

  @MpiTest(ranks = 4)
  void flood(Mpi mpi) throws Exception {
    NodeScenario.FLOOD.run(mpi);
  }

  @MpiTest(ranks = 4)
  void bursts(Mpi mpi) throws Exception {
    NodeScenario.BURSTS.run(mpi);
  }

  @MpiTest(ranks = 4)
  void persistent(Mpi mpi) throws Exception {
    NodeScenario.PERSISTENT.run(mpi);
  }

  @MpiTest(ranks = 4)
  void partitioned(Mpi mpi) throws Exception {
    NodeScenario.PARTITIONED.run(mpi);
  }

  @MpiTest(ranks = 4)
  void collectives(Mpi mpi) throws Exception {
    NodeScenario.COLLECTIVES.run(mpi);
  }

  @MpiTest(ranks = 4)
  void communicators(Mpi mpi) throws Exception {
    NodeScenario.COMMUNICATORS.run(mpi);
  }

  @MpiTest(ranks = 4)
  void windows(Mpi mpi) throws Exception {
    NodeScenario.WINDOWS.run(mpi);
  }

  @MpiTest(ranks = 4)
  void sharedWindows(Mpi mpi) throws Exception {
    NodeScenario.SHARED_WINDOWS.run(mpi);
  }

  @MpiTest(ranks = 4)
  void threads(Mpi mpi) throws Exception {
    NodeScenario.THREADS.run(mpi);
  }

  /** All that a rank has sent before it finalizes is received; then receives and sends fail, as on one node. */
  @MpiTest(ranks = 4)
  void departures(Mpi mpi) {
    IntraComm world = mpi.world();
    int messages = 100;
    int last = world.size() - 1;
    if (world.rank() == last) {
      for (int dest = 0; dest < last; dest++) {
        for (int i = 0; i < messages; i++) {
          world.send(new int[i * i], dest, i);
        }
      }
      mpi.close();
      return;
    }
    for (int i = 0; i < messages; i++) {
      int[] in = new int[i * i];
      world.recv(in, last, i);
    }
    assertError(ErrorClass.ERR_PROC_ABORTED, () -> world.recv(new int[1], last, 0), "rank 3 has finalized");
    Request late = world.issend(Buf.of(new int[1]), last, 0);
    assertError(ErrorClass.ERR_PROC_ABORTED, late::await, "rank 3 has finalized");
    int[] token = {world.rank()};
    world.send(token, (world.rank() + 1) % last, 1);
    world.recv(token, (world.rank() + last - 1) % last, 1);
    assertEquals((world.rank() + last - 1) % last, token[0]);
  }

  @Test
  void noJobOverNodesOutlivesItsDead() {
    assertError(
        ErrorClass.ERR_ARG,
        () -> Mpi.runThreads(2, Map.of("ffmpi.node", "1", "ffmpi.survive", "true"), mpi -> { }),
        "ffmpi.survive", "ffmpi.node=1 divides the ranks into nodes");
  }
}
