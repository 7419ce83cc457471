// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.pointtopoint;

import static org.ffmpi.base.Constants.ANY_SOURCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.Data;
import org.ffmpi.tests.support.EveryTransport;

/** Waits and their ends, with full rings, sleeping receivers, synchronous sends and cancelling. */
@EveryTransport
class ProgressTest {
  /** The receiver is not in an MPI call while the ring fills, then it takes everything. */
  @MpiTest(ranks = {2, 3})
  void aSenderBlockedOnSpaceGoesOnWhenTheReceiverComes(Comm world) throws InterruptedException {
    int messages = 3_000;
    if (world.rank() > 0) {
      for (int i = 0; i < messages; i++) {
        world.send(new int[] {i, i, i, i, i, i, i, i, i, i, i, i}, 0, 1);
      }
    } else {
      Thread.sleep(100);
      int[] data = new int[12];
      for (int source = 1; source < world.size(); source++) {
        for (int i = 0; i < messages; i++) {
          world.recv(data, source, 1);
          assertEquals(i, data[11]);
        }
      }
    }
  }

  /**
   * The receiver sleeps in a receive that only another rank's message satisfies; meanwhile its ring fills with messages
   * that travel in their envelopes, which it has to take in any case.
   */
  @MpiTest(ranks = {3, 4})
  void aSenderBlockedOnSpaceIsServedByAReceiverThatWaitsForAnother(Comm world) throws InterruptedException {
    int messages = 2_000;
    int last = world.size() - 1;
    if (world.rank() == 0) {
      int[] data = new int[8];
      world.recv(data, last, 2);
      for (int source = 1; source < last; source++) {
        for (int i = 0; i < messages; i++) {
          world.recv(data, source, 1);
          assertEquals(i, data[7]);
        }
      }
    } else if (world.rank() < last) {
      Thread.sleep(30); // by now rank 0 sleeps
      int[] data = new int[8];
      for (int i = 0; i < messages; i++) {
        data[7] = i;
        world.send(data, 0, 1);
      }
      world.send(data, last, 3);
    } else {
      int[] data = new int[8];
      for (int source = 1; source < last; source++) {
        world.recv(data, source, 3);
      }
      world.send(data, 0, 2);
    }
  }

  /** Each wakes the other from sleep, many times. */
  @MpiTest(ranks = {2, 4})
  void sleepersAreWoken(Comm world) throws InterruptedException {
    int next = (world.rank() + 1) % world.size();
    int previous = (world.rank() + world.size() - 1) % world.size();
    long[] token = new long[1];
    for (int round = 0; round < 30; round++) {
      if (world.rank() == 0) {
        Thread.sleep(2);
        world.send(token, next, round);
        world.recv(token, previous, round);
        assertEquals((round + 1L) * world.size() - 1 - round, token[0]);
      } else {
        world.recv(token, previous, round);
        token[0]++;
        world.send(token, next, round);
      }
    }
  }

  @MpiTest(ranks = {2, 3})
  void aSynchronousSendCompletesWhenItIsMatched(Comm world) {
    for (int length : new int[] {0, 8, 100, 5_000, 50_000}) {
      if (world.rank() == 0) {
        List<Request> sends = new ArrayList<>();
        for (int dest = 1; dest < world.size(); dest++) {
          sends.add(world.issend(Buf.of(Data.bytes(dest, length)), dest, 1));
        }
        // Another message makes the round, so that the peers have surely taken the first one's envelope.
        for (int dest = 1; dest < world.size(); dest++) {
          world.send(new int[0], dest, 2);
          world.recv(new int[0], dest, 3);
        }
        for (Request send : sends) {
          assertFalse(send.test(), "not matched yet");
        }
        for (int dest = 1; dest < world.size(); dest++) {
          world.send(new int[0], dest, 4);
        }
        Request.waitAll(sends);
      } else {
        world.recv(new int[0], 0, 2);
        world.send(new int[0], 0, 3);
        world.recv(new int[0], 0, 4);
        byte[] data = new byte[length];
        world.recv(data, 0, 1);
        Data.check(data, 0, world.rank(), length);
      }
      world.barrier();
    }
  }

  @MpiTest
  void aSynchronousSendToOneselfCompletesWhenItIsMatched(Comm world) {
    for (int length : new int[] {0, 8, 100, 5_000, 50_000}) {
      Request send = world.issend(Buf.of(Data.bytes(1, length)), world.rank(), 1);
      assertFalse(send.test());
      byte[] data = new byte[length];
      world.recv(data, ANY_SOURCE, 1);
      send.await();
      Data.check(data, 0, 1, length);
    }
  }

  @MpiTest
  void anUnmatchedReceiveCanBeCancelled(Comm world) {
    Request receive = world.irecv(new int[1], ANY_SOURCE, 1);
    receive.cancel();
    assertTrue(receive.await(new Status()).isCancelled());
    // A message that comes later goes to the next receive.
    world.isend(new int[] {5}, world.rank(), 1).await();
    int[] data = new int[1];
    Status status = world.recv(data, world.rank(), 1, new Status());
    assertFalse(status.isCancelled());
    assertEquals(5, data[0]);
  }

  @MpiTest(ranks = {1, 2, 3})
  void aCancelledSendIsNeverReceived(Comm world) {
    int next = (world.rank() + 1) % world.size();
    int previous = (world.rank() + world.size() - 1) % world.size();
    for (int length : new int[] {0, 30, 1_000, 60_000}) {
      Request first = world.issend(Buf.of(Data.bytes(1, length)), next, 1);
      Request second = world.issend(Buf.of(Data.bytes(2, length)), next, 1);
      world.barrier();
      first.cancel();
      boolean cancelled = first.await(new Status()).isCancelled();
      assertTrue(cancelled, "nobody has matched it");
      world.barrier();
      byte[] data = new byte[length];
      assertEquals(length, world.probe(previous, 1).bytes());
      world.recv(data, previous, 1);
      Data.check(data, 0, 2, length);
      assertFalse(second.await(new Status()).isCancelled());
      assertTrue(world.iprobe(previous, 1).isEmpty());
      world.barrier();
    }
  }

  /**
   * A cancel and the match race; what the sender's status says has to be what the receiver sees. In the first round the
   * cancel comes first for certain, in the second the match does.
   */
  @MpiTest(ranks = 2)
  void aCancelRacesWithItsMatch(Comm world) {
    int rounds = 400;
    int[] lengths = {8, 1_000, 30_000};
    if (world.rank() == 0) {
      for (int i = 0; i < rounds; i++) {
        Request send = world.issend(Buf.of(Data.bytes(i, lengths[i % lengths.length])), 1, 1);
        if (i == 1) {
          world.recv(new int[0], 1, 4);
        }
        for (int spin = (i * 37) % 400; spin > 0; spin--) {
          Thread.onSpinWait();
        }
        send.cancel();
        boolean cancelled = send.await(new Status()).isCancelled();
        if (i < 2) {
          assertEquals(i == 0, cancelled, "round " + i);
        }
        world.send(new int[] {cancelled ? 1 : 0}, 1, 2);
        world.recv(new int[0], 1, 3);
      }
    } else {
      for (int i = 0; i < rounds; i++) {
        byte[] data = new byte[30_000];
        int[] verdict = new int[1];
        if (i == 0) {
          world.recv(verdict, 0, 2);
        }
        Request receive = world.irecv(data, 0, 1);
        if (i == 1) {
          receive.await();
          world.send(new int[0], 0, 4);
        }
        if (i > 0) {
          world.recv(verdict, 0, 2);
        }
        if (verdict[0] == 1) {
          assertFalse(receive.test(), "a cancelled message was received");
          receive.cancel();
          assertTrue(receive.await(new Status()).isCancelled());
        } else {
          int length = lengths[i % lengths.length];
          if (i > 1) {
            assertEquals(length, receive.await(new Status()).bytes());
          }
          Data.check(data, 0, i, length);
        }
        world.send(new int[0], 0, 3);
      }
    }
  }

  /** Testing moves things as waiting does. */
  @MpiTest(ranks = {1, 2, 3})
  void testsMakeProgress(Comm world) {
    int next = (world.rank() + 1) % world.size();
    int previous = (world.rank() + world.size() - 1) % world.size();
    for (int length : new int[] {0, 8, 1_000, 20_000, 200_000}) {
      byte[] data = new byte[length];
      Request receive = world.irecv(data, previous, 4);
      Request send = world.isend(Data.bytes(length, length), next, 4);
      boolean sent = false;
      boolean received = false;
      while (!sent || !received) {
        sent = sent || send.test();
        received = received || receive.test();
      }
      Data.check(data, 0, length, length);
    }
  }
}
