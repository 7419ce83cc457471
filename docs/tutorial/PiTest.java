// SPDX-License-Identifier: Apache-2.0
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.ffmpi.*;
import org.ffmpi.testkit.MpiTest;

class PiTest {
  @MpiTest(ranks = {1, 2, 4})
  void allRanksTogetherFindPi(Comm world) {
    double[] pi = {Pi.part(world.rank(), world.size(), 1000)};
    world.allreduce(Buf.of(pi), Op.SUM);
    assertEquals(Math.PI, pi[0], 1e-6);
  }
}
