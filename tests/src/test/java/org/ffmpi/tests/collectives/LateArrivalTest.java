// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.collectives;

import java.util.List;
import java.util.random.RandomGenerator;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.Request;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.Seeds;
import org.junit.jupiter.api.DisplayName;

/**
 * Every collective with one rank that arrives when all others have started and made what progress they can: for each
 * operation each rank is the late one.
 */
class LateArrivalTest {
  private static final int LATE = 9;
  private static final List<Plan.Form> FORMS = List.of(Plan.Form.NONBLOCKING, Plan.Form.PERSISTENT);

  private final long seed = Seeds.next();

  @MpiTest(ranks = {2, 3, 5, 8}, timeout = 300)
  @DisplayName("S3-10: what one rank has started all complete, whenever the last one starts it")
  void oneComesLate(Mpi mpi) {
    Seeds.run(seed, () -> run(mpi, seed));
  }

  @MpiTest(ranks = {2, 4}, settings = {"ffmpi.progress=thread", "ffmpi.spin=0", "ffmpi.yield=0"}, timeout = 300)
  void oneComesLateWithAThreadForProgress(Mpi mpi) {
    Seeds.run(seed, () -> run(mpi, seed));
  }

  private static void run(Mpi mpi, long seed) {
    IntraComm world = mpi.world();
    RandomGenerator random = Seeds.random(seed);
    RandomGenerator own = Seeds.random(seed + 1 + world.rank());
    int n = world.size();
    Place within = Place.within("a duplicate of the world", world.dup(), n);
    Place between = RandomCollectivesTest.between(world, n / 2);
    int number = 0;
    for (Plan.Kind kind : Plan.Kind.values()) {
      for (int late = 0; late < n; late++) {
        for (Place place : List.of(within, between)) {
          if (place == within || kind.isDefinedBetweenGroups()) {
            Plan drawn = Plan.draw(number++, List.of(place), FORMS, random);
            try (Trial trial = Trial.of(drawn.of(kind), mpi, own)) {
              trial.prepare();
              if (drawn.form() == Plan.Form.PERSISTENT) {
                trial.init();
              }
              Request request = world.rank() == late ? last(world, trial) : early(world, late, trial);
              request.await();
              trial.check();
            }
          }
        }
      }
    }
    within.close();
    between.close();
  }

  private static Request last(IntraComm world, Trial trial) {
    for (int rank = 0; rank < world.size(); rank++) {
      if (rank != world.rank()) {
        world.recv(Buf.of(new byte[0]), rank, LATE);
      }
    }
    return trial.start();
  }

  private static Request early(IntraComm world, int late, Trial trial) {
    Request request = trial.start();
    for (int i = 0; i < 3; i++) {
      request.test();
    }
    world.send(Buf.of(new byte[0]), late, LATE);
    return request;
  }
}
