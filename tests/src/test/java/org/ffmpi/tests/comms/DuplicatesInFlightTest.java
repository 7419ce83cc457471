// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.comms;

import static org.ffmpi.base.Constants.ANY_SOURCE;
import static org.ffmpi.base.Constants.ANY_TAG;
import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.CommRequest;
import org.ffmpi.DistGraphComm;
import org.ffmpi.IntraComm;
import org.ffmpi.Op;
import org.ffmpi.Request;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.Keyval;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.EveryTransport;
import org.junit.jupiter.api.DisplayName;

/** Hundreds of duplicates are being made at once, and duplicates fail at one rank: all ranks count contexts alike. */
class DuplicatesInFlightTest {
  private static final int DUPLICATES = 200;

  @EveryTransport
  @MpiTest(ranks = {1, 2, 4})
  @DisplayName("S1-3.2.3-c: 200 duplicates in flight, completed in reverse, share no message")
  void inFlight(IntraComm world) {
    // Rank 0 hands the contexts out; it comes when the others have started all of theirs.
    List<CommRequest<? extends IntraComm>> pending = new ArrayList<>();
    if (world.rank() == 0) {
      for (int r = 1; r < world.size(); r++) {
        world.recv(new int[0], r, 0);
      }
    }
    List<Request> barriers = new ArrayList<>();
    for (int i = 0; i < DUPLICATES; i++) {
      pending.add(world.idup());
      if (i % 13 == 1) {
        barriers.add(world.ibarrier());
      }
    }
    if (world.rank() > 0) {
      assertTrue(pending.getFirst().isActive(), "nobody has handed out a context");
      world.send(new int[0], 0, 0);
    }
    List<IntraComm> made = new ArrayList<>();
    awaitInReverse(pending, made);
    Request.waitAll(barriers);
    exchangeOnAll(made);

    // Between calls that block, across the blocks of contexts that are handed out together.
    for (int i = 0; i < DUPLICATES; i++) {
      pending.add(world.idup());
      if (i % 7 == 3) {
        made.add(world.dup());
      }
      if (i % 11 == 5) {
        made.add(world.split(0, -world.rank()));
      }
    }
    awaitInReverse(pending, made);
    exchangeOnAll(made);
    made.forEach(Comm::close);
  }

  @MpiTest(ranks = 3, processes = true, timeout = 120)
  void inFlightInProcesses(IntraComm world) {
    inFlight(world);
  }

  private static void awaitInReverse(List<CommRequest<? extends IntraComm>> pending, List<IntraComm> made) {
    Collections.reverse(pending);
    for (CommRequest<? extends IntraComm> request : pending) {
      request.await();
      made.add(request.comm());
    }
    pending.clear();
  }

  /** Every communicator has a receive with wildcards; the messages are sent in the reverse order. */
  private static void exchangeOnAll(List<IntraComm> comms) {
    int[][] got = new int[comms.size()][1];
    List<Request> receives = new ArrayList<>();
    for (int i = 0; i < comms.size(); i++) {
      receives.add(comms.get(i).irecv(got[i], ANY_SOURCE, ANY_TAG));
    }
    for (int i = comms.size() - 1; i >= 0; i--) {
      IntraComm comm = comms.get(i);
      comm.send(new int[] {i}, (comm.rank() + 1) % comm.size(), 5);
    }
    Request.waitAll(receives);
    for (int i = 0; i < comms.size(); i++) {
      assertEquals(i, got[i][0]);
    }
  }

  // ---- copy functions that fail

  private enum Way {
    DUP, IDUP, CART_DUP, CART_IDUP, GRAPH_DUP;

    IntraComm parent(IntraComm world) {
      return switch (this) {
        case DUP, IDUP -> world.dup();
        case CART_DUP, CART_IDUP -> world.cartCreate(new int[] {world.size()}, new boolean[] {true}, false);
        case GRAPH_DUP -> world.distGraphCreateAdjacent(new int[] {world.rank()}, DistGraphComm.UNWEIGHTED,
            new int[] {world.rank()}, DistGraphComm.UNWEIGHTED, null, false);
      };
    }

    IntraComm duplicate(IntraComm parent) {
      if (this != IDUP && this != CART_IDUP) {
        return parent.dup();
      }
      CommRequest<? extends IntraComm> request = parent.idup();
      request.await();
      return request.comm();
    }
  }

  @EveryTransport
  @MpiTest(ranks = {2, 3, 4})
  void aCopyFunctionThatThrowsAtOneRank(IntraComm world) {
    for (Way way : Way.values()) {
      for (int failing = 0; failing < world.size(); failing++) {
        throwAt(failing, way, world);
      }
    }
  }

  @MpiTest(ranks = 2, processes = true, timeout = 120)
  void aCopyFunctionThatThrowsInOneProcess(IntraComm world) {
    aCopyFunctionThatThrowsAtOneRank(world);
  }

  private static void throwAt(int failing, Way way, IntraComm world) {
    boolean fails = world.rank() == failing;
    AtomicInteger copied = new AtomicInteger();
    AtomicInteger deleted = new AtomicInteger();
    boolean[] armed = {fails};
    try (IntraComm parent = way.parent(world);
        Keyval<Comm, String> before = Keyval.of((_, value) -> {
          copied.incrementAndGet();
          return Optional.of(value);
        }, (_, _) -> deleted.incrementAndGet());
        Keyval<Comm, String> key = Keyval.of((_, value) -> {
          if (armed[0]) {
            throw new IllegalStateException("no copy of " + value);
          }
          return Optional.of(value + "'");
        }, (_, _) -> { })) {
      parent.attributes().set(before, "first");
      parent.attributes().set(key, "second");
      if (fails) {
        assertError(ErrorClass.ERR_OTHER, () -> way.duplicate(parent), "no copy of second");
        assertEquals(copied.get(), deleted.get(), "what the failed duplicate had is deleted");
      } else {
        try (IntraComm made = way.duplicate(parent)) {
          // Those who have one can use it among themselves.
          int[] got = {-1};
          made.sendrecv(Buf.of(new int[] {7}), made.rank(), 0, Buf.of(got), made.rank(), 0);
          assertEquals(7, got[0]);
        }
      }
      armed[0] = false;
      for (int i = 0; i < 3; i++) {
        try (IntraComm next = way.duplicate(parent)) {
          assertEquals("second'", next.attributes().get(key).orElseThrow());
          exchangeOnAll(List.of(next));
          long[] sum = {next.rank()};
          next.allreduce(Buf.of(sum), Op.SUM);
          assertEquals(next.size() * (next.size() - 1L) / 2, sum[0]);
        }
      }
      parent.barrier();
    }
  }
}
