// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.comms;

import static org.ffmpi.base.Constants.ANY_SOURCE;
import static org.ffmpi.base.Constants.ANY_TAG;
import static org.ffmpi.base.Constants.UNDEFINED;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.ffmpi.Buf;
import org.ffmpi.Group;
import org.ffmpi.InterComm;
import org.ffmpi.IntraComm;
import org.ffmpi.Op;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.EveryTransport;
import org.junit.jupiter.api.DisplayName;

/** Communicators made of two groups have the same order at all ranks; making them touches no message of the program. */
class InterMakingTest {
  /** Ranks in the world of a group. */
  private static int[] ranks(Group group, IntraComm world) {
    return group.translateRanks(IntStream.range(0, group.size()).toArray(), world.group());
  }

  /** The low group has the first ranks of the world, the high one the others, both in reverse where asked for. */
  private static IntraComm half(IntraComm world, int lows, boolean reversed) {
    return world.split(world.rank() < lows ? 0 : 1, reversed ? -world.rank() : world.rank());
  }

  @EveryTransport
  @MpiTest(ranks = {2, 3, 4, 8})
  @DisplayName("merge with the same value of high in both groups: the groups follow each other, the same at all ranks")
  void mergeWithTheSameValueInBothGroups(IntraComm world) {
    int n = world.size();
    for (int lows = 1; lows < n; lows += 2) {
      for (boolean reversed : new boolean[] {false, true}) {
        for (boolean high : new boolean[] {false, true}) {
          boolean isLow = world.rank() < lows;
          int leader = reversed ? isLow ? n - 1 : lows - 1 : isLow ? lows : 0;
          try (IntraComm half = half(world, lows, reversed);
              InterComm inter = half.intercomm(0, world, leader, 1);
              IntraComm merged = inter.merge(high)) {
            int[] order = ranks(merged.group(), world);
            int[] ofRankZero = order.clone();
            world.bcast(Buf.of(ofRankZero), 0);
            assertArrayEquals(ofRankZero, order, "the same at all ranks");
            int[] told = new int[n];
            merged.allgather(Buf.of(new int[] {world.rank()}), Buf.of(told));
            assertArrayEquals(order, told, "by messages too");
            int[] own = ranks(half.group(), world);
            int at = merged.rank() - half.rank();
            assertTrue(at == 0 || at == n - own.length, "the groups are not mixed");
            assertArrayEquals(own, Arrays.copyOfRange(order, at, at + own.length), "each has kept its order");
          }
        }
      }
    }
  }

  @EveryTransport
  @MpiTest(ranks = {3, 4, 8})
  @DisplayName("split of an intercommunicator: null where the other group lacks the colour; both groups in key order")
  void splitByColoursThatOneGroupLacks(IntraComm world) {
    int lows = world.size() / 3;
    boolean isLow = world.rank() < lows;
    try (IntraComm half = half(world, lows, false); InterComm inter = half.intercomm(0, world, isLow ? lows : 0, 1)) {
      int me = inter.rank();
      assertNull(inter.split(isLow ? 1 : 2, 0), "no colour is in both groups");
      assertNull(inter.split(isLow ? 1 : UNDEFINED, 0), "one group gives none");
      // Colour 5 is in both groups, 6 in the high one only; its last rank gives none.
      boolean isIn = isLow || me % 2 == 0;
      boolean isLast = !isLow && me == inter.size() - 1 && me > 0;
      InterComm made = inter.split(isLast ? UNDEFINED : isIn ? 5 : 6, 10 - me);
      if (isLast || !isIn) {
        assertNull(made);
      } else {
        int[] highs = IntStream.range(0, world.size() - lows)
            .filter(r -> r % 2 == 0 && (r == 0 || r < world.size() - lows - 1)).map(r -> lows + r).toArray();
        int[] ascending = isLow ? highs : IntStream.range(0, lows).toArray();
        int[] remote = new int[ascending.length];
        Arrays.setAll(remote, i -> ascending[ascending.length - 1 - i]);
        assertArrayEquals(remote, ranks(made.remoteGroup(), world));
        int[] told = new int[remote.length];
        made.allgather(Buf.of(new int[] {world.rank()}), Buf.of(told));
        assertArrayEquals(remote, told);
        Request[] sends = new Request[remote.length];
        for (int r = 0; r < remote.length; r++) {
          sends[r] = made.isend(new int[] {r}, r, 3);
        }
        for (int r = 0; r < remote.length; r++) {
          int[] got = new int[1];
          assertEquals(r, made.recv(got, r, ANY_TAG, new Status()).source());
          assertEquals(made.rank(), got[0]);
        }
        Request.waitAll(Arrays.asList(sends));
        made.close();
      }
      long[] sum = new long[1];
      inter.allreduce(Buf.of(new long[] {1}), Buf.of(sum), Op.SUM);
      assertEquals(inter.remoteSize(), sum[0]);
    }
  }

  /** Messages of the program wait on the leaders' communicator with the very tag, and receives stand there. */
  @EveryTransport
  @MpiTest(ranks = {2, 4})
  @DisplayName("S1-3.2.3-c: intercomm() touches no message of the communicator that the leaders meet in")
  void leadersMeetBetweenMessages(IntraComm world) {
    int lows = world.size() / 2;
    boolean isLow = world.rank() < lows;
    int tag = 9;
    try (IntraComm half = half(world, lows, true);
        IntraComm straight = half(world, lows, false);
        InterComm peers = straight.intercomm(0, world, isLow ? lows : 0, tag)) {
      // The ranks of the halves are reversed, so that rank 0 of each is the last one of the leaders' communicator.
      int partner = peers.rank();
      int[] first = {-1};
      int[] second = {-1};
      Request wildcard = peers.irecv(first, ANY_SOURCE, ANY_TAG);
      Request waiting = peers.issend(Buf.of(new int[] {2}), partner, tag);
      for (int i = 0; i < 40; i++) {
        int leader = i % half.size();
        // Rank `leader` of the reversed half is rank `size - 1 - leader` of the straight one, on both sides.
        try (InterComm inter = half.intercomm(leader, peers, half.size() - 1 - leader, tag)) {
          assertEquals(half.size(), inter.remoteSize());
          int[] got = new int[1];
          inter.sendrecv(Buf.of(new int[] {world.rank()}), inter.rank(), tag, Buf.of(got), ANY_SOURCE, tag);
          assertEquals(ranks(inter.remoteGroup(), world)[inter.rank()], got[0]);
        }
      }
      // The wildcard's receive has got the program's message, and no other.
      wildcard.await();
      assertEquals(2, first[0]);
      waiting.await();
      Request later = peers.irecv(second, ANY_SOURCE, ANY_TAG);
      world.barrier();
      assertFalse(later.test(), "nothing else has been sent");
      world.barrier();
      peers.send(new int[] {3}, partner, tag);
      later.await();
      assertEquals(3, second[0]);
    }
  }

  @MpiTest(ranks = 4, processes = true, timeout = 120)
  void inProcesses(IntraComm world) {
    mergeWithTheSameValueInBothGroups(world);
    leadersMeetBetweenMessages(world);
  }
}
