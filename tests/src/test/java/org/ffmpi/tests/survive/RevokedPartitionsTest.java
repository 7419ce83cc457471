// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.survive;

import static org.ffmpi.tests.survive.Survivable.assertFails;
import static org.ffmpi.tests.survive.Survivable.run;

import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.PartitionedRecv;
import org.ffmpi.PartitionedSend;
import org.ffmpi.base.ErrorClass;
import org.junit.jupiter.api.Test;

/** The effect of a revocation on partitioned messages, whose partitions have a context of their own. */
class RevokedPartitionsTest {
  /** Longer than any message that travels with its envelope. */
  private static final int LONG = 200_000;

  @Test
  void partitionedMessagesThatHaveBegunLearnOfARevocation() {
    for (int culprit = 0; culprit < 2; culprit++) {
      int revoking = culprit;
      run(2, 0, world -> {
        IntraComm comm = world.dup();
        if (world.rank() == 0) {
          PartitionedSend out = comm.psendInit(Buf.of(new int[2 * LONG]), 2, 1, 7);
          out.start();
          out.pready(0);
          world.recv(new int[1], 1, 1);
          if (revoking == 0) {
            comm.revoke();
            assertFails(ErrorClass.ERR_REVOKED, () -> out.pready(1));
          }
          assertFails(ErrorClass.ERR_REVOKED, out::await); // its second partition is never marked
          assertFails(ErrorClass.ERR_REVOKED, out::start);
          out.close();
        } else {
          PartitionedRecv in = comm.precvInit(Buf.of(new int[2 * LONG]), 4, 0, 7);
          PartitionedRecv alone = comm.precvInit(Buf.of(new int[2]), 2, 0, 8);
          in.start();
          alone.start();
          while (!in.parrived(1)) {
            Thread.onSpinWait();
          }
          world.send(new int[1], 0, 1);
          if (revoking == 1) {
            comm.revoke();
          }
          assertFails(ErrorClass.ERR_REVOKED, in::await);
          assertFails(ErrorClass.ERR_REVOKED, alone::await);
          assertFails(ErrorClass.ERR_REVOKED, in::start);
          in.close();
          alone.close();
        }
        comm.close();
        world.barrier();
      });
    }
  }
}
