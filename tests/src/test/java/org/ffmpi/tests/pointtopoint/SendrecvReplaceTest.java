// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.pointtopoint;

import static org.ffmpi.base.Constants.ANY_SOURCE;
import static org.ffmpi.base.Constants.ANY_TAG;
import static org.ffmpi.base.Constants.PROC_NULL;
import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Mpi;
import org.ffmpi.Request;
import org.ffmpi.Requests;
import org.ffmpi.Status;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.Data;
import org.ffmpi.tests.support.EveryTransport;
import org.junit.jupiter.api.DisplayName;

/** The calls that send and receive in one (MPI-4.1 §3.10). */
@EveryTransport
class SendrecvReplaceTest {
  /** One of the calls that replace a buffer's elements. */
  private interface Replace {
    Status replace(Comm world, Buf<?> buf, int dest, int sendTag, int source, int recvTag);
  }

  private static final List<Replace> REPLACES = List.of(
      (world, buf, dest, sendTag, source, recvTag) ->
          world.sendrecvReplace(buf, dest, sendTag, source, recvTag, new Status()),
      (world, buf, dest, sendTag, source, recvTag) ->
          world.isendrecvReplace(buf, dest, sendTag, source, recvTag).await(new Status()),
      (world, buf, dest, sendTag, source, recvTag) -> {
        Status status = new Status();
        Request request = world.isendrecvReplace(buf, dest, sendTag, source, recvTag);
        while (!request.test(status)) {
          Thread.yield();
        }
        return status;
      });

  private static int next(Comm world) {
    return (world.rank() + 1) % world.size();
  }

  private static int previous(Comm world) {
    return (world.rank() + world.size() - 1) % world.size();
  }

  @MpiTest(ranks = {1, 2, 3})
  void bytesGoRoundTheRing(Comm world) {
    for (int length : Data.LENGTHS) {
      for (Replace call : REPLACES) {
        byte[] data = Data.bytes(world.rank(), length);
        Status status = call.replace(world, Buf.of(data), next(world), length, previous(world), length);
        Data.check(data, 0, previous(world), length);
        assertEquals(previous(world), status.source());
        assertEquals(length, status.tag());
        assertEquals(length, status.bytes());
        assertEquals(ErrorClass.SUCCESS, status.error());
      }
      byte[] data = Data.bytes(world.rank(), length);
      world.sendrecvReplace(Buf.of(data), next(world), 1, ANY_SOURCE, ANY_TAG);
      Data.check(data, 0, previous(world), length);
    }
  }

  /** Memory of every kind, elements with gaps: what lies in the gaps stays. */
  @MpiTest(ranks = {1, 2, 3})
  @DisplayName("S1-3.1-b: sendrecv_replace with derived types")
  void columnsAreReplaced(Mpi mpi) {
    Comm world = mpi.world();
    int rows = 40;
    for (int columns : new int[] {2, 7, 300}) {
      try (Arena confined = Arena.ofConfined();
          Arena closeable = Arena.ofShared();
          Datatype<?> column = Datatype.vector(rows, 1, columns, Datatype.INT).commit();
          Datatype<?> twoColumns = column.resized(0, 4).commit()) {
        long bytes = 4L * rows * columns;
        for (MemorySegment matrix : List.of(
            MemorySegment.ofArray(new int[rows * columns]),
            confined.allocate(bytes, 4),
            closeable.allocate(bytes, 4),
            Arena.ofAuto().allocate(bytes, 4),
            mpi.shared().allocate(bytes, 4))) {
          for (Replace call : REPLACES) {
            for (int i = 0; i < rows * columns; i++) {
              matrix.setAtIndex(ValueLayout.JAVA_INT, i, world.rank() * 1_000_000 + i);
            }
            Buf<?> two = Buf.of(matrix, 2, twoColumns);
            assertEquals(2, call.replace(world, two, next(world), 3, previous(world), 3).getCount(twoColumns));
            for (int i = 0; i < rows * columns; i++) {
              int owner = i % columns < 2 ? previous(world) : world.rank();
              assertEquals(owner * 1_000_000 + i, matrix.getAtIndex(ValueLayout.JAVA_INT, i));
            }
          }
        }
      }
    }
  }

  /** Less comes than is sent: the rest of the buffer stays. */
  @MpiTest(ranks = {1, 2, 4})
  void shorterMessagesReplaceLess(Comm world) {
    for (int length : new int[] {1, 50, 5_000}) {
      for (Replace call : REPLACES) {
        int mine = world.rank() % 2 == 0 ? 2 * length : length;
        int theirs = previous(world) % 2 == 0 ? 2 * length : length;
        byte[] data = Arrays.copyOf(Data.bytes(world.rank(), mine), 2 * length);
        Status status;
        if (mine < 2 * length) {
          // What is sent is shorter than the room there is for what is received.
          byte[] out = Data.bytes(world.rank(), mine);
          status = world.isendrecv(Buf.of(out), next(world), 1, Buf.of(data), previous(world), 1).await(new Status());
        } else {
          status = call.replace(world, Buf.of(data), next(world), 1, previous(world), 1);
        }
        assertEquals(theirs, status.bytes());
        Data.check(data, 0, previous(world), theirs);
        for (int i = theirs; i < mine; i++) {
          assertEquals(Data.at(world.rank(), i), data[i]);
        }
      }
    }
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-3.1-c: PROC_NULL at either side of the combined calls")
  void nobodyAtEitherSide(Comm world) {
    int me = world.rank();
    for (int length : new int[] {1, 100_000}) {
      for (Replace call : REPLACES) {
        byte[] data = Data.bytes(me, length);
        assertNobody(call.replace(world, Buf.of(data), PROC_NULL, 1, PROC_NULL, 2));
        Data.check(data, 0, me, length);

        Request receive = world.irecv(new byte[length], previous(world), 1);
        assertNobody(call.replace(world, Buf.of(data), next(world), 1, PROC_NULL, 2));
        Data.check(data, 0, me, length);
        assertEquals(length, receive.await(new Status()).bytes());

        Request send = world.isend(Data.bytes(9, length), next(world), 2);
        assertEquals(previous(world), call.replace(world, Buf.of(data), PROC_NULL, 1, previous(world), 2).source());
        Data.check(data, 0, 9, length);
        send.await();
      }
      byte[] out = Data.bytes(me, length);
      byte[] in = new byte[length];
      assertNobody(world.isendrecv(Buf.of(out), PROC_NULL, 1, Buf.of(in), PROC_NULL, 2).await(new Status()));
      Request receive = world.irecv(in, previous(world), 1);
      assertNobody(
          world.isendrecv(Buf.of(out), next(world), 1, Buf.of(new byte[1]), PROC_NULL, 2).await(new Status()));
      receive.await();
      Data.check(in, 0, previous(world), length);
      Request send = world.isend(out, next(world), 3);
      Request both = world.isendrecv(Buf.of(new byte[1]), PROC_NULL, 1, Buf.of(in), previous(world), 3);
      assertEquals(length, both.await(new Status()).bytes());
      send.await();
    }
    assertTrue(world.iprobe(ANY_SOURCE, ANY_TAG).isEmpty());
  }

  private static void assertNobody(Status status) {
    assertEquals(PROC_NULL, status.source());
    assertEquals(ANY_TAG, status.tag());
    assertEquals(0, status.bytes());
  }

  /** All start before anybody waits; the requests are completed in a list with others. */
  @MpiTest(ranks = {1, 2, 4})
  void exchangesRunSideBySide(Comm world) {
    for (int length : new int[] {0, 8, 33, 200, 201, 1_000, 4_097, 20_001}) {
      byte[][] in = new byte[6][length];
      List<Request> requests = new ArrayList<>();
      for (int i = 0; i < in.length; i++) {
        byte[] out = Data.bytes(10L * world.rank() + i, length);
        if (i % 3 == 2) {
          requests.add(world.irecv(in[i], previous(world), i));
          requests.add(world.issend(Buf.of(out), next(world), i));
        } else if (i % 3 == 1) {
          System.arraycopy(out, 0, in[i], 0, length);
          requests.add(world.isendrecvReplace(Buf.of(in[i]), next(world), i, previous(world), i));
        } else {
          requests.add(world.isendrecv(Buf.of(out), next(world), i, Buf.of(in[i]), previous(world), i));
        }
      }
      Status[] statuses = new Status[requests.size()];
      if (length % 2 == 0) {
        Request.waitAll(requests, statuses);
      } else {
        while (!Request.testAll(requests, statuses)) {
          Thread.yield();
        }
      }
      for (int i = 0; i < in.length; i++) {
        Data.check(in[i], 0, 10L * previous(world) + i, length);
      }
      assertEquals(previous(world), statuses[0].source());
      assertEquals(length, statuses[0].bytes());
      assertEquals(1, statuses[1].tag());
    }
  }

  /** A scope, waitAny and testSome see the end of combined requests. */
  @MpiTest(ranks = {1, 2})
  void combinedRequestsInLists(Comm world) {
    for (int length : new int[] {4, 40_000}) {
      byte[] in = new byte[length];
      byte[] out = Data.bytes(world.rank(), length);
      List<Request> one = new ArrayList<>();
      one.add(world.isendrecv(Buf.of(out), next(world), 1, Buf.of(in), previous(world), 1));
      assertEquals(0, Request.waitAny(one));
      one.set(0, world.isendrecv(Buf.of(out), next(world), 2, Buf.of(in), previous(world), 2));
      while (Request.testSome(one).length == 0) {
        Thread.yield();
      }
      one.set(0, world.isendrecv(Buf.of(out), next(world), 3, Buf.of(in), previous(world), 3));
      while (Request.testAny(one).isEmpty()) {
        Thread.yield();
      }
      try (Requests scope = world.requests()) {
        scope.add(world.isendrecv(Buf.of(out), next(world), 4, Buf.of(in), previous(world), 4));
        scope.await();
      }
      Data.check(in, 0, previous(world), length);
    }
  }

  @MpiTest(ranks = {1, 2})
  void truncationIsTheRequestsError(Comm world) {
    for (int length : new int[] {8, 300, 70_000}) {
      byte[] in = new byte[length];
      byte[] out = Data.bytes(world.rank(), length);
      Request both = world.isendrecv(Buf.of(out), next(world), 1, Buf.of(in, 0, length / 2), previous(world), 1);
      Status status = new Status();
      assertError(ErrorClass.ERR_TRUNCATE, () -> both.await(status), length + " bytes");
      assertEquals(ErrorClass.SUCCESS, status.error(), "not touched, the error is thrown");
      assertEquals(previous(world), status.source());
      assertFalse(status.isCancelled());
      for (int i = length / 2; i < length; i++) {
        assertEquals(0, in[i], "nothing is written behind the buffer");
      }
    }
  }

  @MpiTest(ranks = 2)
  void cancelTakesBackWhatWasNotMatched(Comm world) {
    int other = 1 - world.rank();
    byte[] in = {7};
    for (int length : new int[] {1, 100_000}) {
      Request both = world.isendrecv(Buf.of(new byte[length]), other, 1, Buf.of(in), other, 2);
      both.cancel();
      assertTrue(both.await(new Status()).isCancelled());
      byte[] data = new byte[length];
      Request replaced = world.isendrecvReplace(Buf.of(data), other, 1, other, 2);
      replaced.cancel();
      assertTrue(replaced.await(new Status()).isCancelled());
      world.barrier();
      // Short ones had left; nothing waits for an answer to them.
      Status found = new Status();
      while (world.iprobe(other, ANY_TAG, found)) {
        assertEquals(1, found.tag());
        world.recv(new byte[length], other, 1);
      }
      world.barrier();
    }
    assertArrayEquals(new byte[] {7}, in);
  }

  @MpiTest(ranks = {1, 2})
  void badArgumentsStartNothing(Comm world) {
    int n = world.size();
    byte[] data = {1, 2, 3};
    Buf<Byte> buf = Buf.of(data);
    Buf<Byte> readOnly = Buf.of(MemorySegment.ofArray(new byte[3]).asReadOnly(), 3, Datatype.BYTE);
    assertError(ErrorClass.ERR_RANK, () -> world.sendrecvReplace(buf, n, 0, 0, 0), "dest = " + n);
    assertError(ErrorClass.ERR_RANK, () -> world.sendrecvReplace(buf, 0, 0, n, 0), "source = " + n);
    assertError(ErrorClass.ERR_TAG, () -> world.sendrecvReplace(buf, 0, -1, 0, 0), "tag = -1");
    assertError(ErrorClass.ERR_TAG, () -> world.sendrecvReplace(buf, 0, 0, 0, -5), "tag = -5");
    assertError(ErrorClass.ERR_BUFFER, () -> world.sendrecvReplace(null, 0, 0, 0, 0), "buffer = null");
    assertError(ErrorClass.ERR_BUFFER, () -> world.sendrecvReplace(Buf.inPlace(), 0, 0, 0, 0), "inPlace");
    assertError(ErrorClass.ERR_BUFFER, () -> world.sendrecvReplace(readOnly, 0, 0, 0, 0), "writable");
    assertError(ErrorClass.ERR_ARG, () -> world.sendrecvReplace(buf, 0, 0, 0, 0, null), "into = null");
    assertError(ErrorClass.ERR_RANK, () -> world.isendrecvReplace(buf, -9, 0, 0, 0), "dest = -9");
    assertError(ErrorClass.ERR_RANK, () -> world.isendrecvReplace(buf, 0, 0, n, 0), "source = " + n);
    assertError(ErrorClass.ERR_TAG, () -> world.isendrecvReplace(buf, 0, 0, 0, -7), "tag = -7");
    assertError(ErrorClass.ERR_BUFFER, () -> world.isendrecvReplace(readOnly, 0, 0, 0, 0), "writable");
    assertError(ErrorClass.ERR_RANK, () -> world.isendrecv(buf, n, 0, Buf.of(new int[1]), 0, 0), "dest = " + n);
    assertError(ErrorClass.ERR_RANK, () -> world.isendrecv(buf, 0, 0, Buf.of(new int[1]), n, 0), "source = " + n);
    assertError(ErrorClass.ERR_TAG, () -> world.isendrecv(buf, 0, ANY_TAG, Buf.of(new int[1]), 0, 0), "tag = -2");
    assertError(ErrorClass.ERR_BUFFER, () -> world.isendrecv(buf, 0, 0, null, 0, 0), "buffer = null");
    assertError(ErrorClass.ERR_BUFFER, () -> world.isendrecv(buf, 0, 0, readOnly, 0, 0), "writable");
    assertError(ErrorClass.ERR_BUFFER, () -> world.isendrecv(buf, 0, 0, Buf.of(data, 1, 1), 0, 0), "overlap");
    try (Datatype<?> open = Datatype.contiguous(3, Datatype.BYTE)) {
      Buf<?> uncommitted = Buf.of(data, 1, open);
      assertError(ErrorClass.ERR_TYPE, () -> world.sendrecvReplace(uncommitted, 0, 0, 0, 0), "not committed");
      assertError(ErrorClass.ERR_TYPE, () -> world.isendrecvReplace(uncommitted, 0, 0, 0, 0), "not committed");
      assertError(ErrorClass.ERR_TYPE, () -> world.isendrecv(uncommitted, 0, 0, buf, 0, 0), "not committed");
    }
    world.barrier();
    assertTrue(world.iprobe(ANY_SOURCE, ANY_TAG).isEmpty(), "nothing was sent by a wrong call");
    assertArrayEquals(new byte[] {1, 2, 3}, data);
  }

  /** A request that is given up: both messages arrive all the same. */
  @MpiTest(ranks = {1, 2})
  void requestsThatAreGivenUpGoOn(Comm world) {
    for (int length : new int[] {4, 300, 50_000}) {
      byte[] in = new byte[length];
      world.isendrecv(Buf.of(Data.bytes(1, length)), next(world), 1, Buf.of(in), previous(world), 1).close();
      byte[] both = Data.bytes(2, length);
      world.isendrecvReplace(Buf.of(both), next(world), 2, previous(world), 2).close();
      // Messages do not overtake each other: when the third of a kind is here, so are those before it.
      byte[] last = Data.bytes(3, length);
      world.sendrecvReplace(Buf.of(last), next(world), 1, previous(world), 1);
      world.sendrecvReplace(Buf.of(last), next(world), 2, previous(world), 2);
      Data.check(last, 0, 3, length);
      world.barrier();
      while (in[length - 1] != Data.at(1, length - 1) || both[length - 1] != Data.at(2, length - 1)) {
        world.iprobe(ANY_SOURCE, ANY_TAG);
      }
      Data.check(in, 0, 1, length);
      Data.check(both, 0, 2, length);
    }
  }

  /** The peer leaves: the send of a pair fails, and its receive does not wait for an answer for ever. */
  @MpiTest(ranks = 2)
  void aPeerThatLeavesEndsBoth(Mpi mpi) {
    Comm world = mpi.world();
    if (world.rank() == 0) {
      Request both =
          world.isendrecv(Buf.of(new byte[1_000_000]), 1, 1, Buf.of(new byte[1]), ANY_SOURCE, ANY_TAG);
      assertError(ErrorClass.ERR_PROC_ABORTED, both::await, "finalized");
    }
  }
}
