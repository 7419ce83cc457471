// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.datatypes;

import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedList;
import java.util.List;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Errhandler;
import org.ffmpi.Message;
import org.ffmpi.Mpi;
import org.ffmpi.PartitionedRecv;
import org.ffmpi.PartitionedSend;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.Requests;
import org.ffmpi.Status;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.EveryTransport;

/** Arrays and lists of records go through every kind of message between two ranks. */
@EveryTransport
class RecordBuffersTest {
  private static final int[] LENGTHS = {0, 1, 7, 3000};
  private static final Datatype<Atom> ATOM = Datatype.ofRecord(Atom.class).commit();

  record Pair(int a, double b) {}

  @MpiTest(ranks = 2)
  void blocking(Mpi mpi) {
    Comm world = mpi.world();
    mpi.bufferAttach(Buf.automatic());
    for (int n : LENGTHS) {
      if (world.rank() == 0) {
        world.send(Buf.of(Atom.array(1, n)), 1, n);
        world.ssend(Buf.of(Atom.list(2, n), Atom.class), 1, n);
        world.bsend(Buf.of(Collections.unmodifiableList(Atom.list(3, n)), ATOM), 1, n);
        MemorySegment memory = Arena.ofAuto().allocate(Math.max(1, n * ATOM.extent()), 8);
        for (int i = 0; i < n; i++) {
          ATOM.set(memory, i, Atom.of(4 + i));
        }
        world.send(Buf.of(memory, n, ATOM), 1, n);
      } else {
        for (int k = 1; k <= 4; k++) {
          Atom[] atoms = new Atom[n + 2];
          Status status = k % 2 == 0
              ? world.recv(Buf.of(atoms), 0, n, new Status())
              : world.recv(Buf.of(Arrays.asList(atoms), ATOM), 0, n, new Status());
          assertEquals(n, status.getCount(ATOM));
          assertArrayEquals(Arrays.copyOf(Atom.array(k, n), n + 2), atoms, "no more than has come");
        }
      }
    }
    mpi.bufferDetach();
  }

  @MpiTest(ranks = 2)
  void ranges(Mpi mpi) {
    Comm world = mpi.world();
    if (world.rank() == 0) {
      world.send(Buf.of(Atom.array(10, 9), 2, 4), 1, 0);
      world.send(Buf.of(Atom.list(10, 9), 3, 5, ATOM), 1, 0);
      world.send(Buf.of(Atom.array(10, 9), 1, 3).at(0), 1, 0);
      assertError(ErrorClass.ERR_BUFFER, () -> Buf.of(Atom.array(10, 9)).at(48), "of(elements, from, count)");
    } else {
      Atom[] atoms = Atom.array(100, 9);
      Atom kept = atoms[0];
      world.recv(Buf.of(atoms, 1, 6), 0, 0);
      assertArrayEquals(new Atom[] {kept, Atom.of(12), Atom.of(13), Atom.of(14), Atom.of(15), Atom.of(105),
          Atom.of(106), Atom.of(107), Atom.of(108)}, atoms);
      assertTrue(kept == atoms[0]);
      List<Atom> list = new LinkedList<>(Collections.nCopies(9, null));
      world.recv(Buf.of(list, 4, 5, ATOM), 0, 0);
      assertEquals(Atom.list(13, 5), list.subList(4, 9));
      assertNull(list.get(3));
      world.recv(Buf.of(list, 0, 3, ATOM), 0, 0);
      assertEquals(Atom.list(11, 3), list.subList(0, 3));
      assertNull(list.get(3));
    }
  }

  @MpiTest(ranks = 2)
  void nonblocking(Mpi mpi) {
    Comm world = mpi.world();
    int peer = 1 - world.rank();
    for (int n : LENGTHS) {
      Atom[] mine = Atom.array(world.rank() * 10_000, n);
      Atom[] theirs = new Atom[n];
      Request in = world.irecv(Buf.of(theirs), peer, 1);
      Request out = world.isend(Buf.of(mine), peer, 1);
      assertEquals(n, in.await(new Status()).getCount(ATOM));
      out.await();
      assertArrayEquals(Atom.array(peer * 10_000, n), theirs);
      try (Requests both = world.requests()) {
        both.irecv(Buf.of(mine), peer, 2);
        both.isend(Buf.of(theirs), peer, 2);
        both.await();
      }
      assertArrayEquals(Atom.array(world.rank() * 10_000, n), mine);
      world.sendrecv(Buf.of(mine), peer, 3, Buf.of(theirs), peer, 3);
      world.sendrecvReplace(Buf.of(theirs), peer, 3, peer, 3);
      assertArrayEquals(mine, theirs);
      world.isendrecv(Buf.of(mine), peer, 3, Buf.of(theirs), peer, 3).await();
      world.isendrecvReplace(Buf.of(mine), peer, 3, peer, 3).await();
      assertArrayEquals(mine, theirs);
      Request sent = world.issend(Buf.of(mine), peer, 4);
      Message message = world.mprobe(peer, 4);
      Arrays.fill(theirs, null);
      assertEquals(n, message.mrecv(Buf.of(theirs), new Status()).getCount(ATOM));
      sent.await();
      assertArrayEquals(Atom.array(world.rank() * 10_000, n), theirs);
    }
    Datatype<Atom> ended = Datatype.ofRecord(Atom.class);
    Atom[] one = new Atom[1];
    Buf<Atom> early = Buf.of(one, ended);
    ended.commit();
    Request late = world.irecv(early, peer, 5);
    Request gone = world.isend(Buf.of(Atom.array(8, 1), ended), peer, 5);
    ended.close();
    Request.waitAll(List.of(late, gone));
    assertEquals(Atom.of(8), one[0], "what has begun goes on when its type is freed");
    Atom[] none = new Atom[1];
    Request never = world.irecv(Buf.of(none), peer, 99);
    never.cancel();
    assertTrue(never.await(new Status()).isCancelled());
    assertNull(none[0]);
  }

  @MpiTest(ranks = 2)
  void persistent(Mpi mpi) {
    Comm world = mpi.world();
    int peer = 1 - world.rank();
    Atom[] mine = new Atom[500];
    List<Atom> theirs = Arrays.asList(new Atom[500]);
    try (Persistent out = world.sendInit(Buf.of(mine), peer, 1);
        Persistent in = world.recvInit(Buf.of(theirs, ATOM), peer, 1)) {
      for (int step = 0; step < 5; step++) {
        System.arraycopy(Atom.array(step * 10 + world.rank(), 500), 0, mine, 0, 500);
        Persistent.startAll(List.of(in, out));
        Request.waitAll(List.of(in, out));
        assertEquals(Atom.list(step * 10 + peer, 500), theirs);
      }
    }
  }

  @MpiTest(ranks = 2)
  void partitioned(Mpi mpi) {
    Comm world = mpi.world();
    int[][] partitions = {{4, 4}, {4, 2}, {2, 4}, {5, 3}};
    for (int[] each : partitions) {
      int n = 60;
      if (world.rank() == 0) {
        Atom[] atoms = new Atom[n];
        try (PartitionedSend out = world.psendInit(Buf.of(atoms), each[0], 1, 0)) {
          for (int step = 0; step < 3; step++) {
            Arrays.fill(atoms, null);
            out.start();
            assertError(ErrorClass.ERR_BUFFER, () -> out.pready(0), "element 0 of Atom[] = null");
            for (int p = each[0] - 1; p >= 0; p--) {
              int length = n / each[0];
              System.arraycopy(Atom.array(step + p * length, length), 0, atoms, p * length, length);
              out.pready(p);
            }
            out.await();
          }
        }
      } else {
        Atom[] atoms = new Atom[n];
        try (PartitionedRecv in = world.precvInit(Buf.of(atoms), each[1], 0, 0)) {
          for (int step = 0; step < 3; step++) {
            Arrays.fill(atoms, null);
            in.start();
            int last = each[1] - 1;
            while (!in.parrived(last)) {
              Thread.onSpinWait();
            }
            int length = n / each[1];
            assertArrayEquals(Atom.array(step + last * length, length), Arrays.copyOfRange(atoms, n - length, n));
            atoms[n - 1] = null;
            assertEquals(n, in.await(new Status()).getCount(ATOM));
            assertNull(atoms[n - 1], "what has arrived is the program's");
            assertArrayEquals(Atom.array(step, n - 1), Arrays.copyOf(atoms, n - 1));
          }
        }
      }
    }
  }

  @MpiTest(ranks = 2)
  void partOfAnElement(Mpi mpi) {
    Comm world = mpi.world();
    if (world.rank() == 0) {
      MemorySegment memory = Arena.ofAuto().allocate(32, 8);
      Datatype<Pair> type = Datatype.ofRecord(Pair.class);
      type.set(memory, 0, new Pair(1, 1.5));
      type.set(memory, 1, new Pair(2, 2.5));
      Datatype<Object> oneAndAHalf = Datatype.struct(new long[] {1, 1, 1}, new long[] {0, 8, 16},
          Datatype.INT, Datatype.DOUBLE, Datatype.INT).commit();
      world.send(Buf.of(memory, 1, oneAndAHalf), 1, 0);
      world.send(Buf.of(memory, 1, oneAndAHalf), 1, 0);
    } else {
      Pair[] pairs = {null, new Pair(8, 8.5), new Pair(9, 9.5)};
      Status status = world.recv(Buf.of(pairs), 0, 0, new Status());
      assertEquals(Mpi.UNDEFINED, status.getCount(Datatype.ofRecord(Pair.class)));
      assertArrayEquals(new Pair[] {new Pair(1, 1.5), new Pair(2, 8.5), new Pair(9, 9.5)}, pairs);
      Arrays.fill(pairs, null);
      world.recv(Buf.of(pairs), 0, 0);
      assertArrayEquals(new Pair[] {new Pair(1, 1.5), new Pair(2, 0), null}, pairs);
    }
  }

  @MpiTest(ranks = 2)
  void errorsReplaceNothing(Mpi mpi) {
    Comm world = mpi.world();
    world.setErrhandler(Errhandler.RETURN);
    if (world.rank() == 0) {
      Atom[] gap = {Atom.of(1), null};
      assertError(ErrorClass.ERR_BUFFER, () -> world.send(Buf.of(gap), 1, 0), "element 1 of Atom[] = null");
      assertError(ErrorClass.ERR_BUFFER, () -> world.isend(Buf.of(Arrays.asList(gap), ATOM), 1, 0),
          "element 1 of list = null");
      Atom wrong = new Atom(1, 1, true, new short[4], 1, new Atom.Spin((byte) 1, 1), 'c');
      assertError(ErrorClass.ERR_ARG, () -> world.send(Buf.of(new Atom[] {wrong}), 1, 0),
          "element 0 of Atom[]: Atom.bonds.length = 4");
      List<Atom> shrinks = Atom.list(1, 3);
      Buf<Atom> kept = Buf.of(shrinks, ATOM);
      shrinks.removeLast();
      assertError(ErrorClass.ERR_BUFFER, () -> world.send(kept, 1, 0), "size of list = 2");
      world.send(Buf.of(Atom.array(1, 3)), 1, 7);
      world.send(Buf.of(new int[] {5}), 1, 8);
    } else {
      Atom[] two = new Atom[2];
      assertError(ErrorClass.ERR_TRUNCATE, () -> world.recv(Buf.of(two), 0, 7));
      assertArrayEquals(new Atom[2], two);
      assertError(ErrorClass.ERR_BUFFER, () -> world.recv(Buf.of(List.of(Atom.of(1)), ATOM), 0, 8),
          "lists whose elements can be set");
      int[] five = new int[1];
      world.recv(five, 0, 8);
      assertEquals(5, five[0]);
    }
    assertError(ErrorClass.ERR_BUFFER, () -> mpi.bufferAttach(Buf.of(Atom.array(0, 1000))), "objects");
    assertFalse(Buf.of(Atom.array(0, 1)).isReadOnly());
  }
}
