// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.pointtopoint;

import static org.ffmpi.base.Constants.ANY_SOURCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.Comm;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.Data;
import org.junit.jupiter.api.DisplayName;

/** The limit of memory for unexpected messages, and very many of them. */
class UnexpectedTest {
  private static final int LENGTH = 8 << 10;
  private static final int FIRST = 32;
  private static final int MORE = 200;

  /** After the first messages the receiver holds more than it wants to; the others' payload waits at the sender. */
  @MpiTest(ranks = {2, 3}, settings = "ffmpi.unexpected.limit=64K")
  @DisplayName("S1-2.8-c: unexpected payload beyond the setting stays at the sender, envelopes pass")
  void payloadStaysAtTheSender(Comm world) {
    if (world.rank() > 0) {
      for (int round = 0; round < 2; round++) {
        List<Request> sends = new ArrayList<>();
        for (int tag = 0; tag < FIRST; tag++) {
          sends.add(world.isend(Data.bytes(tag, LENGTH), 0, tag));
        }
        meet(world, 0);
        for (int tag = FIRST; tag < FIRST + MORE; tag++) {
          Request send = world.isend(Data.bytes(tag, LENGTH), 0, tag);
          assertFalse(send.test(), "message " + tag + " in round " + round);
          sends.add(send);
        }
        // Short ones travel in their envelopes, and are complete at once.
        for (int i = 0; i < MORE; i++) {
          world.send(new int[] {i}, 0, 5_000);
        }
        for (int tag = FIRST; tag < FIRST + MORE; tag++) {
          assertFalse(sends.get(tag).test(), "message " + tag + " in round " + round);
        }
        meet(world, 0);
        Request.waitAll(sends);
        meet(world, 0);
        // The receiver has room again: this one needs it no more.
        assertTrue(world.isend(Data.bytes(0, LENGTH), 0, 6_000).test());
        meet(world, 0); // or another sender's next round fills the receiver before this one has asked
      }
    } else {
      for (int round = 0; round < 2; round++) {
        for (int source = 1; source < world.size(); source++) {
          for (int tag = 0; tag < FIRST; tag++) {
            assertEquals(LENGTH, world.probe(source, tag).bytes());
          }
        }
        meetAll(world);
        for (int source = 1; source < world.size(); source++) {
          for (int tag = FIRST + MORE - 1; tag >= FIRST; tag--) {
            assertEquals(LENGTH, world.probe(source, tag).bytes());
          }
          for (int i = 0; i < MORE; i++) {
            int[] data = new int[1];
            world.recv(data, source, 5_000);
            assertEquals(i, data[0]);
          }
        }
        meetAll(world);
        byte[] data = new byte[LENGTH];
        for (int source = world.size() - 1; source > 0; source--) {
          for (int tag = FIRST + MORE - 1; tag >= 0; tag--) {
            world.recv(data, source, tag);
            Data.check(data, 0, tag, LENGTH);
          }
        }
        meetAll(world);
        for (int source = world.size() - 1; source > 0; source--) {
          assertEquals(LENGTH, world.recv(data, source, 6_000, new Status()).bytes());
        }
        meetAll(world);
      }
    }
  }

  private static void meet(Comm world, int rank) {
    world.send(new int[0], rank, 9_999);
    world.recv(new int[0], rank, 9_999);
  }

  private static void meetAll(Comm world) {
    for (int i = 1; i < world.size(); i++) {
      world.recv(new int[0], ANY_SOURCE, 9_999);
    }
    for (int rank = 1; rank < world.size(); rank++) {
      world.send(new int[0], rank, 9_999);
    }
  }

  @MpiTest(ranks = 2, timeout = 120)
  @DisplayName("S1-2.8-c: a hundred thousand receives are pending at once, and as many messages")
  void veryMany(Comm world) {
    int many = 100_000;
    int other = 1 - world.rank();
    int[][] data = new int[many][1];
    List<Request> requests = new ArrayList<>();
    if (world.rank() == 0) {
      for (int tag = 0; tag < many; tag++) {
        requests.add(world.irecv(data[tag], other, tag));
      }
    }
    world.barrier();
    if (world.rank() == 1) {
      for (int tag = many - 1; tag >= 0; tag--) {
        requests.add(world.isend(new int[] {tag}, other, tag));
      }
    }
    Request.waitAll(requests);
    for (int tag = 0; tag < many && world.rank() == 0; tag++) {
      assertEquals(tag, data[tag][0]);
    }
    world.barrier();
    // The other way round: messages first, receives in the reverse order.
    requests.clear();
    if (world.rank() == 1) {
      for (int tag = 0; tag < many; tag++) {
        requests.add(world.isend(new int[] {-tag}, other, tag));
      }
      world.send(new int[0], other, many);
    } else {
      world.recv(new int[0], other, many);
      for (int tag = many - 1; tag >= 0; tag--) {
        requests.add(world.irecv(data[tag], other, tag));
      }
    }
    Request.waitAll(requests);
    for (int tag = 0; tag < many && world.rank() == 0; tag++) {
      assertEquals(-tag, data[tag][0]);
    }
  }
}
