// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.ffmpi.Buf;
import org.ffmpi.Errhandler;
import org.ffmpi.IntraComm;
import org.ffmpi.Op;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.testkit.MpiTest;

/** Collective calls that fail at one rank, where ranks are processes. */
class FailingCallsInProcessesTest {
  @MpiTest(ranks = 4, processes = true, timeout = 120)
  void nobodyWaitsForEver(IntraComm world) {
    world.setErrhandler(Errhandler.RETURN);
    for (int call = 0; call < 8; call++) { // by messages, and then in a region
      for (int length : new int[] {4, 3_000, 300_000}) {
        int odd = call % world.size();
        int own = world.rank() == odd ? length / 2 : length;
        long[] data = new long[own];
        Arrays.fill(data, world.rank() == 0 ? 5 : 0);
        try {
          world.bcast(Buf.of(data), 0);
          assertTrue(world.rank() != odd || odd == 0, "too short");
          for (long value : data) {
            assertEquals(5, value);
          }
        } catch (MpiException e) {
          assertTrue(e.getMessage().contains("bcast: rank "), e.toString());
          assertTrue(world.rank() != odd || e.errorClass() == ErrorClass.ERR_COUNT, e.toString());
        }
        Op<Long> throwing = Op.commutative(Long.class, (a, b) -> {
          if (world.rank() == odd) {
            throw new IllegalArgumentException("not these two");
          }
          return a + b;
        });
        long[] mine = new long[length];
        Arrays.fill(mine, 1);
        long[] sum = new long[length];
        try {
          world.allreduce(Buf.of(mine), Buf.of(sum), throwing);
          assertEquals(world.size(), sum[length - 1]);
        } catch (MpiException e) {
          assertTrue(e.getMessage().contains("not these two") || e.getMessage().contains(" has failed in this call"),
              e.toString());
        }
        world.allreduce(Buf.of(mine), Buf.of(sum), Op.SUM);
        assertEquals(world.size(), sum[length - 1]);
      }
    }
  }
}
