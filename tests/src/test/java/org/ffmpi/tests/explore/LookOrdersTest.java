// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.explore;

import static org.ffmpi.base.Constants.ANY_SOURCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Epoch;
import org.ffmpi.IntraComm;
import org.ffmpi.Op;
import org.ffmpi.PartitionedRecv;
import org.ffmpi.PartitionedSend;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.Win;
import org.ffmpi.explore.Exploration;
import org.ffmpi.explore.Exploration.Kind;
import org.junit.jupiter.api.Test;

/** Calls that look at operations which consist of several messages, and what such a call must not have seen. */
class LookOrdersTest {
  private static int receive(Comm world, int source, int tag) {
    int[] message = new int[1];
    world.recv(message, source, tag);
    return message[0];
  }

  private static void expectOrders(int orders, int ranks, Twins twins) {
    Exploration result = Twins.explorer(ranks, false, twins).all();
    assertNull(result.finding(), () -> result.finding().text());
    assertTrue(result.complete(), result::summary);
    assertEquals(orders, result.orders());
  }

  @Test
  void aSendAndAReceiveInOneRequest() {
    Twins.expect(Kind.EXCEPTION, 3, (world, wrong, results) -> {
      if (world.rank() == 0) {
        int[] message = new int[1];
        Request both = world.isendrecv(Buf.of(new int[1]), 1, 1, Buf.of(message), ANY_SOURCE, 0);
        int source = both.await(new Status()).source();
        assertEquals(wrong ? 1 : source, message[0]);
        receive(world, ANY_SOURCE, 0);
        return;
      }
      if (world.rank() == 1) {
        receive(world, 0, 1);
      }
      world.send(new int[] {world.rank()}, 0, 0);
    });
  }

  @Test
  void aPartitionMayArriveBeforeTheOthers() {
    Twins.OfWorld twins = (world, wrong, results) -> {
      int[] parts = new int[2];
      if (world.rank() == 0) {
        try (PartitionedSend send = world.psendInit(Buf.of(new int[] {1, 2}), 2, 1, 0)) {
          send.start();
          send.pready(1);
          send.pready(0);
          send.await();
        }
        return;
      }
      try (PartitionedRecv received = world.precvInit(Buf.of(parts), 2, 0, 0)) {
        received.start();
        boolean first = received.parrived(0);
        boolean second = received.parrived(1);
        assertFalse(wrong && first && !second, "the partition that was ready first is not there");
        received.await();
        assertEquals(1, parts[0]);
      }
    };
    Twins.expect(Kind.EXCEPTION, 2, twins);
    // of what is no request, one is missed at a time: three orders, buffered and not
    expectOrders(6, 2, (mpi, wrong, results) -> twins.run(mpi.world(), wrong, results));
  }

  @Test
  void aTestOfAnExposureEpoch() {
    Twins.expect(Kind.EXCEPTION, 2, (world, wrong, results) -> {
      try (Win win = ((IntraComm) world).winAllocate(4, 4)) {
        if (world.rank() == 0) {
          win.post(world.group().incl(1));
          if (!win.test() && !wrong) {
            win.await();
          }
          assertEquals(7, win.segment().get(ValueLayout.JAVA_INT, 0));
        } else {
          win.start(world.group().incl(0));
          win.put(Buf.of(new int[] {7}), 0, 0);
          win.complete();
        }
        world.barrier();
      }
    });
  }

  /** What a test did not see must not be in the buffer either. */
  @Test
  void aResultBeforeItsTest() {
    Exploration.Finding found = Twins.expect(Kind.EXCEPTION, 2, (world, wrong, results) -> {
      int[] sum = new int[1];
      Request request = world.iallreduce(Buf.of(new int[] {1}), Buf.of(sum), Op.SUM);
      if (!request.test() && !wrong) {
        request.await();
      }
      int seen = sum[0];
      request.await();
      assertEquals(2, seen);
    });
    assertTrue(found.choices().contains(":no"), found::choices);
    Twins.expect(Kind.EXCEPTION, 2, (world, wrong, results) -> {
      try (Win win = ((IntraComm) world).winAllocate(4, 4)) {
        int[] read = {9};
        try (Epoch _ = win.lockAll()) {
          Request request = win.rget(Buf.of(read), 1 - world.rank(), 0);
          if (!request.test() && !wrong) {
            request.await();
          }
          int seen = read[0];
          request.await();
          assertEquals(0, seen);
        }
        world.barrier();
      }
    });
  }

  /** A run that hangs looks a thousand times; its line does not say so. */
  @Test
  void theLineOfAStandstillEndsWhereNothingMovesAnyMore() {
    Exploration.Finding found = Twins.expect(Kind.DEADLOCK, 3, (world, wrong, results) -> {
      if (world.rank() == 0) {
        int first = receive(world, ANY_SOURCE, 0);
        while (wrong && first == 2 && world.iprobe(1, 1).isEmpty()) {
          Thread.onSpinWait();
        }
        receive(world, ANY_SOURCE, 0);
      } else {
        world.send(new int[] {world.rank()}, 0, 0);
      }
    });
    assertEquals("r0<-2", found.choices());
  }
}
