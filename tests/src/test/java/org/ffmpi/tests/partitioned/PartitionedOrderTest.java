// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.partitioned;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.PartitionedRecv;
import org.ffmpi.PartitionedSend;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.EveryTransport;
import org.junit.jupiter.api.DisplayName;

/** Partitioned requests match in the right order when the two sides make and start them at different times. */
@EveryTransport
class PartitionedOrderTest {
  private static int[] numbers(int from, int length) {
    int[] numbers = new int[length];
    Arrays.setAll(numbers, i -> from + i);
    return numbers;
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("§4.2.1: a request that one side closes unstarted still has its partner, and the next ones have theirs")
  void closedAtOneSideOnly(Comm world) {
    int peer = world.size() - 1 - world.rank();
    for (boolean receiverCloses : new boolean[] {true, false}) {
      int[] wrong = new int[12];
      int[] received = new int[12];
      PartitionedRecv firstIn = world.precvInit(Buf.of(wrong), 2, peer, 6);
      if (receiverCloses) {
        firstIn.close(); // before there is a sender
      }
      PartitionedSend firstOut = world.psendInit(Buf.of(numbers(-100, 12)), 3, peer, 6);
      if (!receiverCloses) {
        firstOut.close();
      }
      try (PartitionedSend out = world.psendInit(Buf.of(numbers(world.rank(), 12)), 4, peer, 6);
          PartitionedRecv in = world.precvInit(Buf.of(received), 3, peer, 6)) {
        for (int round = 0; round < 2; round++) {
          Arrays.fill(received, -1);
          Persistent.startAll(List.of(in, out));
          out.preadyRange(0, 3);
          Request.waitAll(new ArrayList<>(List.of(in, out)));
          assertArrayEquals(numbers(peer, 12), received);
        }
      }
      assertArrayEquals(new int[12], wrong);
      firstIn.close();
      firstOut.close();
      world.barrier();
    }
  }

  @MpiTest(ranks = 2)
  @DisplayName("§4.2.1: rounds that the sender completes before the receiver starts stay apart")
  void theSenderIsAhead(Comm world) throws InterruptedException {
    for (int length : new int[] {8, 400_000}) {
      int[] data = new int[length];
      if (world.rank() == 0) {
        try (PartitionedSend out = world.psendInit(Buf.of(data), 4, 1, 0)) {
          for (int round = 0; round < 3; round++) {
            int r = round;
            Arrays.setAll(data, i -> 1_000_000 * r + i); // allowed: the round before is complete
            out.start();
            out.preadyRange(0, 3);
            if (round == 0) {
              world.send(new int[1], 1, 9);
            }
            out.await();
          }
        }
      } else {
        try (PartitionedRecv in = world.precvInit(Buf.of(data), 2, 0, 0)) {
          world.recv(new int[1], 0, 9);
          Thread.sleep(20); // the sender gets as far as it can
          for (int round = 0; round < 3; round++) {
            in.start();
            while (!in.parrived(0)) {
              Thread.yield();
            }
            assertEquals(1_000_000 * round + length / 2 - 1, data[length / 2 - 1]);
            in.await();
            assertArrayEquals(numbers(1_000_000 * round, length), data);
            Arrays.fill(data, -1);
          }
        }
      }
    }
  }
}
