// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.environment;

import static org.ffmpi.DistGraphComm.UNWEIGHTED;
import static org.ffmpi.DistGraphComm.WEIGHTS_EMPTY;
import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.ffmpi.Address;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.DistGraphComm;
import org.ffmpi.Group;
import org.ffmpi.IntraComm;
import org.ffmpi.Op;
import org.ffmpi.base.Constants;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.junit.jupiter.api.DisplayName;

/** Objects with a meaning of their own are told by what they are; data of a program that look like them are data. */
class SpecialObjectsTest {
  @MpiTest(ranks = {1, 2, 3})
  @DisplayName("S1-2.5.4-f: IN_PLACE is one object; empty buffers and equal ones are buffers")
  void inPlace(IntraComm world) {
    int n = world.size();
    assertSame(Buf.inPlace(), Buf.<Double>inPlace());
    int[] sum = {1};
    world.allreduce(Buf.inPlace(), Buf.of(sum), Op.SUM);
    assertEquals(n, sum[0]);
    // Empty on both sides: nothing is reduced, and the array behind is not the data.
    int[] untouched = {5};
    for (Buf<Integer> empty : List.of(Buf.of(new int[0]), Buf.of(untouched, 0, 0), Buf.of(untouched, 1, 0))) {
      assertFalse(empty.isInPlace());
      world.allreduce(empty, Buf.of(untouched, 0, 0), Op.SUM);
      assertError(ErrorClass.ERR_COUNT, () -> world.allreduce(empty, Buf.of(untouched), Op.SUM));
    }
    assertEquals(5, untouched[0]);
    // The automatic buffer is another marker, and neither stands for the other.
    assertNotSame(Buf.inPlace(), Buf.automatic());
    assertError(ErrorClass.ERR_BUFFER, () -> world.bcast(Buf.automatic(), 0));
    assertError(ErrorClass.ERR_BUFFER, () -> world.attachBuffer(Buf.inPlace()));
    assertError(ErrorClass.ERR_BUFFER, () -> world.send(Buf.inPlace(), 0, 0));
    world.barrier();
  }

  @MpiTest(ranks = {1, 2, 3})
  @DisplayName("S1-2.5.4-f: UNWEIGHTED and WEIGHTS_EMPTY are told by identity, not by content")
  void weights(IntraComm world) {
    int[] none = new int[0];
    assertNotSame(UNWEIGHTED, WEIGHTS_EMPTY);
    assertEquals(0, UNWEIGHTED.length);
    for (int[] weights : List.of(UNWEIGHTED, WEIGHTS_EMPTY, UNWEIGHTED.clone(), new int[0])) {
      try (DistGraphComm graph =
          world.distGraphCreateAdjacent(none, weights, none, weights, null, false)) {
        assertEquals(weights != UNWEIGHTED, graph.neighborsCount().weighted());
      }
    }
    int[] self = {world.rank()};
    assertError(ErrorClass.ERR_ARG,
        () -> world.distGraphCreateAdjacent(self, UNWEIGHTED.clone(), self, UNWEIGHTED.clone(), null, false));
    try (DistGraphComm graph = world.distGraphCreateAdjacent(self, UNWEIGHTED, self, UNWEIGHTED, null, false)) {
      assertFalse(graph.neighborsCount().weighted());
      assertSame(UNWEIGHTED, graph.neighbors().sourceWeights());
    }
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-2.5.4-f: BOTTOM is address 0 and told by its own call; a null segment is memory of no bytes")
  void bottom(Comm world) {
    assertEquals(0, Address.BOTTOM);
    MemorySegment memory = Arena.ofAuto().allocate(8, 4);
    memory.set(ValueLayout.JAVA_INT, 4, 42 + world.rank());
    Datatype<Integer> absolute = Datatype.hindexed(
        new long[] {1}, new long[] {Address.of(memory) + 4}, Datatype.INT).commit();
    int[] got = new int[1];
    int next = (world.rank() + 1) % world.size();
    int previous = (world.rank() + world.size() - 1) % world.size();
    world.sendrecv(Buf.bottom(List.of(memory), 1, absolute), next, 0, Buf.of(got), previous, 0);
    assertEquals(42 + previous, got[0]);
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(MemorySegment.NULL, 1, absolute));
    assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(MemorySegment.NULL, 1, Datatype.INT));
    assertEquals(0, Buf.of(MemorySegment.NULL, 0, Datatype.INT).count());
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-2.5.4-f: a status is ignored by the call that has none; numbers like ANY_TAG are data in data")
  void ignoredStatusesAndNumbers(IntraComm world) {
    int next = (world.rank() + 1) % world.size();
    int[] special = {
      Constants.ANY_SOURCE, Constants.ANY_TAG, Constants.PROC_NULL, Constants.ROOT, Constants.UNDEFINED};
    int[] got = new int[special.length];
    world.sendrecv(Buf.of(special), next, 0, Buf.of(got), Constants.ANY_SOURCE, Constants.ANY_TAG);
    assertArrayEquals(special, got);
    world.isend(special, next, 1);
    world.recv(got, Constants.ANY_SOURCE, 1);
    world.isend(special, next, 1);
    assertError(ErrorClass.ERR_ARG, () -> world.recv(got, Constants.ANY_SOURCE, 1, null), "Status");
    world.recv(got, Constants.ANY_SOURCE, 1);
    // Groups of no members are equal to the predefined one, which is still the one that a program may not free.
    Group empty = world.group().incl();
    assertEquals(Group.EMPTY, empty);
    empty.close();
    assertEquals(0, Group.EMPTY.size());
  }
}
