// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.comms;

import static org.ffmpi.base.Constants.ANY_SOURCE;
import static org.ffmpi.base.Constants.ANY_TAG;
import static org.ffmpi.base.Constants.PROC_NULL;
import static org.ffmpi.base.Constants.UNDEFINED;
import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.CommRequest;
import org.ffmpi.Comparison;
import org.ffmpi.Errhandler;
import org.ffmpi.Group;
import org.ffmpi.Group.Range;
import org.ffmpi.InterComm;
import org.ffmpi.IntraComm;
import org.ffmpi.Message;
import org.ffmpi.Op;
import org.ffmpi.PartitionedRecv;
import org.ffmpi.PartitionedSend;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.Keyval;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.Halves;
import org.ffmpi.tests.support.EveryTransport;
import org.junit.jupiter.api.DisplayName;

/**
 * The rules of §7.6 of MPI-4.1 for communicators between two groups. Group 0 are the first third of the world's ranks.
 */
class InterCommTest {
  /** Every process sends its rank in the world to every remote one and checks what it gets. */
  static void exchange(InterComm inter, int tag, int me, int... remotes) {
    assertEquals(remotes.length, inter.remoteSize());
    Request[] sends = new Request[remotes.length];
    for (int r = 0; r < remotes.length; r++) {
      sends[r] = inter.isend(Buf.of(new int[] {me, r}), r, tag);
    }
    for (int r = 0; r < remotes.length; r++) {
      int[] got = new int[2];
      Status status = inter.recv(got, r, tag, new Status());
      assertArrayEquals(new int[] {remotes[r], inter.rank()}, got);
      assertEquals(r, status.source());
    }
    Request.waitAll(Arrays.asList(sends));
  }

  static void exchange(InterComm inter, int tag, IntraComm world) {
    Group remote = inter.remoteGroup();
    int[] ranks = new int[remote.size()];
    Arrays.setAll(ranks, r -> r);
    exchange(inter, tag, world.rank(), remote.translateRanks(ranks, world.group()));
  }

  // ---- what they are

  @MpiTest(ranks = {2, 3, 4, 8})
  void groupsAndRanks(IntraComm world) {
    try (Halves halves = new Halves(world)) {
      InterComm inter = halves.inter;
      assertTrue(inter.isInter());
      assertFalse(halves.half.isInter());
      assertEquals(halves.half.rank(), inter.rank());
      assertEquals(halves.localSize(), inter.size());
      assertEquals(halves.remoteSize(), inter.remoteSize());
      assertEquals(halves.half.group(), inter.group());
      assertEquals(halves.remoteGroup(world), inter.remoteGroup());
      assertEquals("", inter.name());
      assertTrue(inter.toString().contains(halves.remoteSize() + " remote"), inter::toString);
      inter.setName("between");
      assertEquals("between", inter.name());
    }
  }

  @MpiTest(ranks = {2, 3, 4})
  void comparison(IntraComm world) {
    try (Halves halves = new Halves(world);
        InterComm same = halves.inter.dup();
        IntraComm turned = halves.half.split(0, -halves.half.rank());
        InterComm other = turned.intercomm(turned.size() - 1, world, halves.isUpper ? 0 : halves.border, 5)) {
      assertEquals(Comparison.IDENT, halves.inter.compare(halves.inter));
      assertEquals(Comparison.CONGRUENT, halves.inter.compare(same));
      boolean alike = world.size() == 2;
      assertEquals(alike ? Comparison.CONGRUENT : Comparison.SIMILAR, halves.inter.compare(other));
      assertEquals(Comparison.UNEQUAL, halves.inter.compare(halves.half));
      assertEquals(Comparison.UNEQUAL, world.compare(halves.inter));
      exchange(other, 4, world);
    }
  }

  // ---- messages

  @EveryTransport
  @MpiTest(ranks = {2, 3, 4, 8})
  @DisplayName("ranks of messages are those of the remote group")
  void messagesGoToTheOtherGroup(IntraComm world) {
    try (Halves halves = new Halves(world)) {
      for (int tag = 0; tag < 20; tag++) {
        exchange(halves.inter, tag, world);
      }
    }
  }

  @MpiTest(ranks = {2, 3, 4, 8})
  void wildcardsAndProbes(IntraComm world) {
    try (Halves halves = new Halves(world)) {
      InterComm inter = halves.inter;
      Request[] sends = new Request[inter.remoteSize()];
      for (int r = 0; r < sends.length; r++) {
        sends[r] = inter.isend(Buf.of(new long[] {world.rank()}), r, inter.rank());
      }
      boolean[] seen = new boolean[inter.remoteSize()];
      for (int i = 0; i < seen.length; i++) {
        long[] got = new long[1];
        Status status;
        switch (i % 3) {
          case 0 -> status = inter.recv(got, ANY_SOURCE, ANY_TAG, new Status());
          case 1 -> {
            Status probed = inter.probe(ANY_SOURCE, ANY_TAG, new Status());
            status = inter.recv(got, probed.source(), probed.tag(), new Status());
            assertEquals(probed.source(), status.source());
          }
          default -> {
            Message message = inter.mprobe(ANY_SOURCE, ANY_TAG);
            status = message.mrecv(Buf.of(got), new Status());
          }
        }
        assertFalse(seen[status.source()]);
        seen[status.source()] = true;
        assertEquals(status.source(), status.tag());
        assertEquals(halves.remote(status.source()), got[0]);
      }
      Request.waitAll(Arrays.asList(sends));
      assertFalse(inter.iprobe(ANY_SOURCE, ANY_TAG).isPresent());
    }
  }

  @MpiTest(ranks = {2, 3, 4})
  void otherModesAndNobody(IntraComm world) {
    try (Halves halves = new Halves(world)) {
      InterComm inter = halves.inter;
      inter.send(new int[1], PROC_NULL, 3);
      assertEquals(PROC_NULL, inter.recv(new int[1], PROC_NULL, 3, new Status()).source());
      boolean takesPart = inter.rank() < Math.min(inter.size(), inter.remoteSize());
      if (takesPart) {
        int partner = inter.rank();
        int[] sent = {world.rank(), 1, 2, 3};
        int[] got = new int[4];
        inter.sendrecv(Buf.of(sent), partner, 1, Buf.of(got), partner, 1);
        assertEquals(halves.remote(partner), got[0]);
        Request receive = inter.irecv(Buf.of(got), partner, 2);
        inter.ssend(Buf.of(sent), partner, 2);
        assertEquals(partner, receive.await(new Status()).source());
        inter.attachBuffer(Buf.of(new byte[1 << 12]));
        inter.bsend(Buf.of(sent), partner, 3);
        assertEquals(partner, inter.recv(got, ANY_SOURCE, 3, new Status()).source());
        inter.detachBuffer();
      }
    }
  }

  @MpiTest(ranks = {2, 3, 4})
  void persistentAndPartitioned(IntraComm world) {
    try (Halves halves = new Halves(world)) {
      InterComm inter = halves.inter;
      if (inter.rank() == 0) {
        int[] sent = new int[8];
        int[] got = new int[8];
        try (Persistent out = inter.sendInit(Buf.of(sent), 0, 1);
            Persistent in = inter.recvInit(Buf.of(got), 0, 1);
            PartitionedSend parts = inter.psendInit(Buf.of(sent), 4, 0, 1);
            PartitionedRecv room = inter.precvInit(Buf.of(got), 2, 0, 1)) {
          for (int round = 0; round < 5; round++) {
            Arrays.fill(sent, 10 * world.rank() + round);
            Persistent.startAll(List.of(in, out));
            Request.waitAll(List.of(in, out));
            assertEquals(10 * halves.remote(0) + round, got[7]);
            Arrays.fill(got, -1);
            Persistent.startAll(List.of(parts, room));
            for (int p = 3; p >= 0; p--) {
              parts.pready(p);
            }
            Request.waitAll(List.of(parts, room));
            assertEquals(10 * halves.remote(0) + round, got[0]);
            assertEquals(10 * halves.remote(0) + round, got[7]);
          }
        }
      }
    }
  }

  @MpiTest(ranks = {2, 3, 4})
  @DisplayName("messages of an intercommunicator meet none of the communicators it was made with")
  void contextsAreApart(IntraComm world) {
    int[] early = new int[1];
    Request anything = world.irecv(Buf.of(early), ANY_SOURCE, ANY_TAG);
    try (Halves halves = new Halves(world); InterComm other = halves.inter.dup()) {
      Request inOther = other.irecv(Buf.of(new int[2]), ANY_SOURCE, ANY_TAG);
      Request inHalf = halves.half.irecv(Buf.of(new int[1]), ANY_SOURCE, ANY_TAG);
      exchange(halves.inter, 1, world);
      halves.inter.merge(halves.isUpper).close();
      assertFalse(inOther.test());
      assertFalse(inHalf.test());
      assertFalse(anything.test());
      world.barrier();
      halves.half.send(new int[1], (halves.half.rank() + 1) % halves.half.size(), 9);
      inHalf.await();
      if (other.rank() == 0) {
        for (int r = 0; r < other.remoteSize(); r++) {
          other.send(new int[] {r, r}, r, 8);
        }
      }
      assertEquals(8, inOther.await(new Status()).tag());
    }
    world.barrier();
    world.send(new int[] {world.rank()}, (world.rank() + 1) % world.size(), 6);
    assertEquals(6, anything.await(new Status()).tag());
  }

  // ---- what is made of them

  @MpiTest(ranks = {2, 3, 4, 8})
  void mergeOrdersTheGroups(IntraComm world) {
    try (Halves halves = new Halves(world);
        IntraComm lowFirst = halves.inter.merge(halves.isUpper);
        IntraComm highFirst = halves.inter.merge(!halves.isUpper);
        IntraComm either = halves.inter.merge(true)) {
      assertEquals(world.group(), lowFirst.group());
      assertEquals(Comparison.CONGRUENT, world.compare(lowFirst));
      int shift = halves.isUpper ? -halves.border : halves.ranks - halves.border;
      assertEquals(world.rank() + shift, highFirst.rank());
      assertEquals(world.size(), either.size());
      assertFalse(either.isInter());
      int[] sum = {1};
      either.allreduce(Buf.of(sum), Op.SUM);
      assertEquals(world.size(), sum[0]);
      int[] from = {highFirst.rank()};
      highFirst.bcast(Buf.of(from), halves.ranks - 1);
      assertEquals(halves.ranks - 1, from[0]);
    }
  }

  @MpiTest(ranks = {2, 3, 4})
  void merging(IntraComm world) {
    try (Halves halves = new Halves(world)) {
      if (halves.half.size() > 1) {
        boolean said = halves.half.rank() == 0;
        if (!said) {
          assertError(ErrorClass.ERR_ARG, () -> halves.inter.merge(false), "high = false", "true");
        } else {
          halves.inter.merge(true).close();
        }
      } else {
        halves.inter.merge(false).close();
      }
      halves.inter.merge(halves.isUpper).close();
    }
  }

  @MpiTest(ranks = {2, 3, 8})
  @DisplayName("duplicates, more than contexts are taken at a time")
  void duplicates(IntraComm world) {
    try (Halves halves = new Halves(world)) {
      halves.inter.setErrhandler(Errhandler.RETURN);
      InterComm before = halves.inter;
      for (int i = 0; i < 150; i++) {
        InterComm next = i % 2 == 0 ? halves.inter.dup() : started(halves.inter);
        assertEquals(Comparison.CONGRUENT, next.compare(before));
        assertEquals(Errhandler.RETURN, next.errhandler());
        exchange(next, i, world);
        if (before != halves.inter) {
          before.close();
        }
        before = next;
      }
      before.close();
      exchange(halves.inter, 5, world);
    }
  }

  private static InterComm started(InterComm inter) {
    CommRequest<? extends Comm> request = inter.idup();
    request.await();
    return (InterComm) request.comm();
  }

  @MpiTest(ranks = {2, 3})
  void idupDoesNotWait(IntraComm world) {
    try (Halves halves = new Halves(world)) {
      if (halves.isUpper) {
        halves.inter.recv(new int[1], 0, 1); // which is sent after the other group's call has returned
      }
      CommRequest<? extends Comm> request = halves.inter.idup();
      if (!halves.isUpper && halves.inter.rank() == 0) {
        for (int r = 0; r < halves.inter.remoteSize(); r++) {
          halves.inter.send(new int[1], r, 1);
        }
      }
      request.await();
      try (InterComm made = (InterComm) request.comm()) {
        exchange(made, 1, world);
      }
    }
  }

  @MpiTest(ranks = {2, 3})
  void duplicatesHaveTheAttributes(IntraComm world) {
    try (Keyval<Comm, String> key = Keyval.of((comm, value) -> Optional.of(value + "'"), (comm, value) -> {});
        Halves halves = new Halves(world)) {
      halves.inter.attributes().set(key, "a");
      try (InterComm duplicate = halves.inter.dup()) {
        assertEquals(Optional.of("a'"), duplicate.attributes().get(key));
      }
    }
  }

  @MpiTest(ranks = {2, 3, 4, 8})
  void createTakesSomeOfBothGroups(IntraComm world) {
    try (Halves halves = new Halves(world)) {
      Group local = halves.inter.group();
      Group last = local.rangeIncl(new Range(local.size() - 1, Math.max(0, local.size() - 2), -1));
      InterComm made = halves.inter.create(last);
      if (last.rank() == UNDEFINED) {
        assertNull(made);
      } else {
        assertEquals(last, made.group());
        assertEquals(Math.min(2, halves.remoteSize()), made.remoteSize());
        exchange(made, 2, world);
        made.close();
      }
      assertNull(halves.inter.create(halves.isUpper ? local : Group.EMPTY));
      exchange(halves.inter, 3, world);
    }
  }

  @MpiTest(ranks = {2, 3, 4, 8})
  void splitByColour(IntraComm world) {
    try (Halves halves = new Halves(world)) {
      int rank = halves.inter.rank();
      InterComm made = halves.inter.split(rank % 2, -rank);
      int locals = (halves.localSize() + 1 - rank % 2) / 2;
      int remotes = (halves.remoteSize() + 1 - rank % 2) / 2;
      if (remotes == 0) {
        assertNull(made);
      } else {
        assertEquals(locals, made.size());
        assertEquals(remotes, made.remoteSize());
        assertEquals(locals - 1 - rank / 2, made.rank());
        exchange(made, 2, world);
        made.close();
      }
      assertNull(halves.inter.split(halves.isUpper ? 1 : 0, 0));
      InterComm first = halves.inter.split(rank == 0 ? 3 : UNDEFINED, 0);
      assertEquals(rank == 0, first != null);
      if (first != null) {
        exchange(first, 2, world);
        first.close();
      }
    }
  }

  @MpiTest(ranks = {2, 3, 4}, settings = "ffmpi.check=full")
  void withEverythingChecked(IntraComm world) {
    messagesGoToTheOtherGroup(world);
    otherModesAndNobody(world);
    persistentAndPartitioned(world);
    try (Halves halves = new Halves(world)) {
      if (halves.inter.rank() == 0) {
        int[] got = new int[1];
        Request receive = halves.inter.irecv(Buf.of(got), 0, 7);
        halves.inter.sendrecv(Buf.of(new int[1]), 0, 8, Buf.of(new int[1]), 0, 8);
        halves.inter.rsend(Buf.of(new int[] {5}), 0, 7);
        receive.await();
        assertEquals(5, got[0]);
      }
    }
  }

  @MpiTest(ranks = {2, 4}, processes = true, timeout = 120)
  void betweenProcesses(IntraComm world) {
    groupsAndRanks(world);
    messagesGoToTheOtherGroup(world);
    wildcardsAndProbes(world);
    persistentAndPartitioned(world);
    contextsAreApart(world);
    mergeOrdersTheGroups(world);
    createTakesSomeOfBothGroups(world);
    splitByColour(world);
  }
}
