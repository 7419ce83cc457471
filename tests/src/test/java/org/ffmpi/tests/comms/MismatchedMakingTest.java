// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.comms;

import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.HashMap;
import java.util.Map;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.InterComm;
import org.ffmpi.IntraComm;
import org.ffmpi.Mpi;
import org.ffmpi.ThreadWorld;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.testkit.MpiTest;
import org.junit.jupiter.api.Test;

/** Numbers that no arrays can be made for: from another call of a peer, or as an argument. */
class MismatchedMakingTest {
  private static final int[] EDGES = {1, 0};

  @MpiTest(ranks = 2)
  void neighboursMeetEdges(IntraComm world) {
    assertThrows(MpiException.class, () -> {
      if (world.rank() == 0) {
        world.distGraphCreateAdjacent(EDGES, EDGES, true);
      } else {
        world.distGraphCreate(new int[] {1}, new int[] {2}, EDGES, new int[] {5, 6}, null, true);
      }
    });
  }

  @MpiTest(ranks = 2)
  void membersMeetColors(IntraComm world) {
    InterComm inter = world.split(world.rank(), 0).intercomm(0, world, 1 - world.rank(), 3);
    if (world.rank() == 0) {
      assertError(ErrorClass.ERR_OTHER, () -> inter.create(inter.group()), "the other group makes another call");
    } else {
      inter.merge(true);
    }
  }

  @MpiTest(ranks = 1)
  void partitionsWithoutEnd(Comm world) {
    long room = Runtime.getRuntime().maxMemory() / Integer.BYTES;
    if (room < Integer.MAX_VALUE) {
      assertError(
          ErrorClass.ERR_NO_MEM, () -> world.psendInit(Buf.of(new byte[0]), Integer.MAX_VALUE, 0, 1, null),
          "partitions = " + Integer.MAX_VALUE);
    }
  }

  @Test
  void ranksWithoutEnd() {
    Mpi.Body nothing = mpi -> { };
    for (int ranks : new int[] {1 << 30, Integer.MAX_VALUE, 1_896_932_620, 1_280_360_268}) {
      assertError(ErrorClass.ERR_NO_MEM, () -> Mpi.runThreads(ranks, nothing), String.valueOf(ranks));
    }
  }

  @Test
  void settingsThatAreNull() {
    Map<String, String> settings = new HashMap<>();
    settings.put("ffmpi.ring.slots", null);
    assertError(
        ErrorClass.ERR_ARG, () -> ThreadWorld.start(1, settings, mpi -> { }), "settings = ffmpi.ring.slots=null");
  }
}
