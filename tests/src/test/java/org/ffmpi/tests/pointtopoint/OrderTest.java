// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.pointtopoint;

import static org.ffmpi.base.Constants.ANY_SOURCE;
import static org.ffmpi.base.Constants.ANY_TAG;
import static org.ffmpi.testkit.MpiTest.ALL;
import static org.junit.jupiter.api.Assertions.assertEquals;
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

/** Messages do not overtake each other, however many there are and however late they are received (MPI-4.1 §3.5). */
@EveryTransport
class OrderTest {
  /** Every rank starts 100,000 sends before anybody receives. */
  @MpiTest(ranks = 2, timeout = 180)
  void bothStart100000SendsBeforeAnyReceive(Comm world) {
    floodThenReceive(world, 100_000);
  }

  @MpiTest(ranks = {1, 3, 4}, timeout = 180)
  void allStartManySendsBeforeAnyReceive(Comm world) {
    floodThenReceive(world, 10_000);
  }

  @MpiTest(ranks = {1, 2, 3}, orders = ALL)
  void fewSendsBeforeAnyReceiveInEveryOrder(Comm world) {
    floodThenReceive(world, 4);
  }

  private static void floodThenReceive(Comm world, int messages) {
    int next = (world.rank() + 1) % world.size();
    int previous = (world.rank() + world.size() - 1) % world.size();
    List<Request> sends = new ArrayList<>();
    for (int i = 0; i < messages; i++) {
      sends.add(world.isend(new long[] {i, world.rank()}, next, 5));
    }
    world.barrier();
    long[] data = new long[2];
    for (int i = 0; i < messages; i++) {
      world.recv(data, i % 2 == 0 ? previous : ANY_SOURCE, i % 3 == 0 ? 5 : ANY_TAG);
      assertEquals(i, data[0]);
      assertEquals(previous, data[1]);
    }
    Request.waitAll(sends);
  }

  @MpiTest(ranks = {1, 2, 3}, timeout = 120)
  void receptionInReverseTagOrder(Comm world) {
    receiveInReverseTagOrder(world, 5_000);
  }

  @MpiTest(ranks = {2, 3}, orders = ALL)
  void receptionOfFewInReverseTagOrderInEveryOrder(Comm world) {
    receiveInReverseTagOrder(world, 3);
  }

  private static void receiveInReverseTagOrder(Comm world, int messages) {
    int next = (world.rank() + 1) % world.size();
    int previous = (world.rank() + world.size() - 1) % world.size();
    List<Request> sends = new ArrayList<>();
    for (int tag = 0; tag < messages; tag++) {
      // mostly short ones; some that need bulk bytes, some that go by rendezvous
      int length = tag % 50 == 0 ? 3_000 : tag % 7 == 0 ? 20 : 1;
      long[] data = new long[length];
      data[0] = tag;
      data[length - 1] = tag;
      sends.add(world.isend(data, next, tag));
    }
    long[] data = new long[3_000];
    for (int tag = messages - 1; tag >= 0; tag--) {
      Status status = world.recv(data, previous, tag, new Status());
      int length = tag % 50 == 0 ? 3_000 : tag % 7 == 0 ? 20 : 1;
      assertEquals(8L * length, status.bytes());
      assertEquals(tag, data[0]);
      assertEquals(tag, data[length - 1]);
    }
    Request.waitAll(sends);
  }

  /** Receives posted first get messages in posting order, wildcards among them. */
  @MpiTest(ranks = {2, 3})
  void postedReceivesMatchInPostingOrder(Comm world) {
    postThenReceive(world, 200);
  }

  @MpiTest(ranks = {2, 3}, orders = ALL)
  void fewPostedReceivesMatchInPostingOrderInEveryOrder(Comm world) {
    postThenReceive(world, 1);
  }

  private static void postThenReceive(Comm world, int rounds) {
    if (world.rank() == 0) {
      for (int sender = 1; sender < world.size(); sender++) {
        List<Request> receives = new ArrayList<>();
        int[][] data = new int[4 * rounds][1];
        for (int i = 0; i < 4 * rounds; i++) {
          int source = i % 4 == 1 && world.size() == 2 ? ANY_SOURCE : sender;
          receives.add(world.irecv(data[i], source, i % 4 == 2 ? ANY_TAG : 9));
        }
        world.send(new int[] {4 * rounds}, sender, 1);
        Request.waitAll(receives);
        for (int i = 0; i < data.length; i++) {
          assertEquals(i, data[i][0]);
        }
      }
    } else {
      int[] count = new int[1];
      world.recv(count, 0, 1);
      for (int i = 0; i < count[0]; i++) {
        world.send(new int[] {i}, 0, 9);
      }
    }
  }

  /** A message that takes a fast way must not overtake one that takes a slow way. */
  @MpiTest(ranks = {2, 4})
  void protocolsDoNotOvertakeEachOther(Comm world) {
    sendByAllProtocols(world, 5, 50_000, 0, 8, 17_000, 100, 40, 300, 41, 100_000, 1, 5_000);
  }

  @MpiTest(ranks = {2, 3}, orders = ALL)
  void fewMessagesDoNotOvertakeEachOtherInEveryOrder(Comm world) {
    sendByAllProtocols(world, 1, 50_000, 0, 8);
  }

  private static void sendByAllProtocols(Comm world, int rounds, int... lengths) {
    if (world.rank() > 0) {
      List<Request> sends = new ArrayList<>();
      for (int round = 0; round < rounds; round++) {
        for (int length : lengths) {
          sends.add(round % 2 == 0
              ? world.isend(Data.bytes(length + round, length), 0, 3)
              : world.issend(Buf.of(Data.bytes(length + round, length)), 0, 3));
        }
      }
      Request.waitAll(sends);
    } else {
      byte[] data = new byte[100_000];
      int[] next = new int[world.size()];
      for (int i = 0; i < rounds * lengths.length * (world.size() - 1); i++) {
        Status status = world.recv(data, ANY_SOURCE, 3, new Status());
        int n = next[status.source()]++;
        int length = lengths[n % lengths.length];
        assertEquals(length, status.bytes(), "message " + n + " of rank " + status.source());
        Data.check(data, 0, length + n / lengths.length, length);
      }
    }
  }

  /** A probe describes the message that a receive with the same arguments gets. */
  @MpiTest(ranks = {2, 3, 4})
  void probedMessagesAreReceived(Comm world) {
    probeThenReceive(world, 300);
  }

  @MpiTest(ranks = {2, 3}, orders = ALL)
  void fewProbedMessagesAreReceivedInEveryOrder(Comm world) {
    probeThenReceive(world, 2);
  }

  private static void probeThenReceive(Comm world, int messages) {
    int[] lengths = {0, 3, 64, 700, 5_000, 20_000};
    if (world.rank() > 0) {
      List<Request> sends = new ArrayList<>();
      for (int i = 0; i < messages; i++) {
        sends.add(world.isend(Data.bytes(i, lengths[i % lengths.length]), 0, i % 4));
      }
      Request.waitAll(sends);
    } else {
      int[][] next = new int[world.size()][4];
      for (int i = 0; i < messages * (world.size() - 1); i++) {
        Status seen = i % 2 == 0 ? world.probe(ANY_SOURCE, ANY_TAG) : spinForMessage(world);
        int source = seen.source();
        int number = next[source][seen.tag()]++ * 4 + seen.tag();
        byte[] data = new byte[(int) seen.bytes()];
        assertEquals(lengths[number % lengths.length], data.length);
        Status got = world.recv(data, source, seen.tag(), new Status());
        assertEquals(seen.bytes(), got.bytes());
        Data.check(data, 0, number, data.length);
      }
      assertTrue(world.iprobe(ANY_SOURCE, ANY_TAG).isEmpty());
    }
  }

  private static Status spinForMessage(Comm world) {
    Status status = new Status();
    while (!world.iprobe(ANY_SOURCE, ANY_TAG, status)) {
      Thread.onSpinWait();
    }
    return status;
  }
}
