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

import java.nio.charset.StandardCharsets;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Mpi;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.EveryTransport;
import org.junit.jupiter.api.DisplayName;

/** The selection of messages and the status of receives (MPI-4.1 §3.2). */
@EveryTransport
class EnvelopeTest {
  @MpiTest(ranks = {2, 3, 4})
  @DisplayName("S1-3.1-a: 13 characters with tag 99, received with room for 20")
  void hello(Comm world) {
    if (world.rank() == 0) {
      byte[] message = "Hello, there\0".getBytes(StandardCharsets.US_ASCII);
      world.send(Buf.of(message, message.length, Datatype.CHAR), 1, 99);
    } else if (world.rank() == 1) {
      byte[] message = new byte[20];
      Status status = world.recv(Buf.of(message, 20, Datatype.CHAR), 0, 99, new Status());
      assertEquals(13, status.getCount(Datatype.CHAR));
      assertEquals(0, status.source());
      assertEquals(99, status.tag());
      assertEquals("Hello, there\0", new String(message, 0, 13, StandardCharsets.US_ASCII));
    }
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-3.1-c: PROC_NULL returns at once and touches no buffer")
  void nobody(Comm world) {
    int[] data = {7};
    world.send(data, PROC_NULL, 3);
    world.ssend(Buf.of(data), PROC_NULL, 3);
    assertNobody(world.recv(data, PROC_NULL, 3, new Status()));
    assertNobody(world.recv(Buf.of(data), PROC_NULL, ANY_TAG, new Status()));
    assertNobody(world.probe(PROC_NULL, 3));
    assertNobody(world.iprobe(PROC_NULL, ANY_TAG).orElseThrow());
    assertNobody(world.irecv(data, PROC_NULL, 3).await(new Status()));
    Request send = world.isend(data, PROC_NULL, 3);
    assertTrue(send.test());
    assertNobody(world.sendrecv(Buf.of(data), PROC_NULL, 1, Buf.of(new int[1]), PROC_NULL, 2, new Status()));
    assertArrayEquals(new int[] {7}, data, "the buffer is not touched");
  }

  private static void assertNobody(Status status) {
    assertEquals(PROC_NULL, status.source());
    assertEquals(ANY_TAG, status.tag());
    assertEquals(0, status.getCount(Datatype.INT));
    assertFalse(status.isCancelled());
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-3.2.1: a count is not negative")
  void countIsNotNegative(Comm world) {
    assertError(ErrorClass.ERR_COUNT, () -> Buf.of(new int[4], -1, Datatype.INT), "count = -1");
    assertError(ErrorClass.ERR_COUNT, () -> Buf.of(new int[4], 0, -3), "count = -3");
  }

  @MpiTest(ranks = 2)
  @DisplayName("S1-3.2.2-a: a count counts elements, not bytes")
  void countCountsElements(Comm world) {
    if (world.rank() == 0) {
      world.send(Buf.of(new double[] {1, 2, 3, 4, 5}, 3, Datatype.DOUBLE), 1, 0);
    } else {
      double[] received = {-1, -1, -1, -1, -1};
      Status status = world.recv(received, 0, 0, new Status());
      assertArrayEquals(new double[] {1, 2, 3, -1, -1}, received);
      assertEquals(3, status.getCount(Datatype.DOUBLE));
      assertEquals(24, status.getCount(Datatype.BYTE));
      assertEquals(24, status.bytes());
      assertEquals(ErrorClass.SUCCESS, status.error());
    }
  }

  @MpiTest
  @DisplayName("S1-3.2.2-b: empty messages are delivered and matched")
  void emptyMessagesAreMatched(Comm world) {
    int next = (world.rank() + 1) % world.size();
    int previous = (world.rank() + world.size() - 1) % world.size();
    Request[] sends = {
      world.isend(new int[0], next, 1),
      world.isend(Buf.of(new double[3], 0, Datatype.DOUBLE), next, 2),
      world.issend(Buf.of(new byte[0]), next, 3),
      world.isend(new long[] {11}, next, 4)
    };
    long[] data = {5};
    for (int tag = 1; tag <= 3; tag++) {
      Status status = world.recv(data, previous, tag, new Status());
      assertEquals(0, status.getCount(Datatype.INT64_T));
      assertEquals(tag, status.tag());
      assertEquals(5, data[0]);
    }
    world.recv(data, previous, 4);
    assertEquals(11, data[0]);
    for (Request r : sends) {
      r.await();
    }
  }

  @MpiTest(ranks = 2)
  @DisplayName("S1-3.2.3-a: source, destination, tag and communicator select a message")
  void allFourPartsSelect(Mpi mpi) {
    Comm world = mpi.world();
    int other = 1 - world.rank();
    world.isend(new int[] {10 + world.rank()}, other, 1).await();
    world.isend(new int[] {20 + world.rank()}, other, 2).await();
    world.isend(new int[] {30 + world.rank()}, world.rank(), 1).await();
    mpi.self().isend(new int[] {40 + world.rank()}, 0, 1).await();
    int[] data = new int[1];
    mpi.self().recv(data, 0, 1);
    assertEquals(40 + world.rank(), data[0]);
    world.recv(data, world.rank(), 1);
    assertEquals(30 + world.rank(), data[0]);
    world.recv(data, other, 2);
    assertEquals(20 + other, data[0]);
    world.recv(data, other, 1);
    assertEquals(10 + other, data[0]);
  }

  @MpiTest(ranks = 2)
  @DisplayName("S1-3.2.3-b: tags from 0 to TAG_UB, and no others")
  void tagRange(Comm world) {
    int other = 1 - world.rank();
    int[] tags = {0, 1, 32_767, 32_768, 1 << 28, Integer.MAX_VALUE};
    for (int tag : tags) {
      world.isend(new int[] {tag}, other, tag).await();
    }
    int[] data = new int[1];
    for (int i = tags.length - 1; i >= 0; i--) {
      Status status = world.recv(data, other, tags[i], new Status());
      assertEquals(tags[i], data[0]);
      assertEquals(tags[i], status.tag());
    }
    assertError(ErrorClass.ERR_TAG, () -> world.send(data, other, -1), "tag = -1", "0..2147483647");
    assertError(ErrorClass.ERR_TAG, () -> world.send(data, other, ANY_TAG), "tag = -2");
    assertError(ErrorClass.ERR_TAG, () -> world.isend(data, other, Integer.MIN_VALUE), "tag = -2147483648");
    assertError(ErrorClass.ERR_TAG, () -> world.recv(data, other, -1), "tag = -1", "ANY_TAG");
    assertError(ErrorClass.ERR_TAG, () -> world.irecv(data, other, -3), "tag = -3");
    assertError(ErrorClass.ERR_TAG, () -> world.probe(other, -4), "tag = -4");
    assertError(ErrorClass.ERR_TAG, () -> world.iprobe(other, -4), "tag = -4");
    assertError(
        ErrorClass.ERR_TAG, () -> world.sendrecv(Buf.of(data), other, -1, Buf.of(new int[1]), other, 0), "tag = -1");
    assertError(
        ErrorClass.ERR_TAG, () -> world.sendrecv(Buf.of(data), other, 0, Buf.of(new int[1]), other, -9), "tag = -9");
    assertTrue(world.iprobe(other, ANY_TAG).isEmpty(), "nothing was sent by a wrong call");
  }

  @MpiTest
  @DisplayName("S1-3.2.3-c: communicators do not interfere")
  void communicatorsDoNotInterfere(Mpi mpi) {
    Comm world = mpi.world();
    int me = world.rank();
    Request early = world.irecv(new int[1], ANY_SOURCE, ANY_TAG);
    Request self = mpi.self().isend(new int[] {1}, 0, 5);
    assertFalse(early.test());
    assertTrue(world.iprobe(me, 5).isEmpty());
    int[] data = new int[1];
    mpi.self().recv(data, ANY_SOURCE, ANY_TAG);
    assertEquals(1, data[0]);
    self.await();
    // Messages of collective operations are invisible to receives with wildcards.
    world.barrier();
    assertFalse(early.test());
    world.barrier();
    int next = (me + 1) % world.size();
    world.send(new int[] {2}, next, 5);
    early.await();
    world.barrier();
  }

  @MpiTest
  @DisplayName("S1-3.2.3-d: destinations from 0 to size - 1, or PROC_NULL")
  void destinationRange(Comm world) {
    int n = world.size();
    int[] data = new int[1];
    String allowed = n == 1 ? "0 or PROC_NULL" : "0.." + (n - 1) + " or PROC_NULL";
    assertError(ErrorClass.ERR_RANK, () -> world.send(data, n, 0), "dest = " + n, allowed);
    assertError(ErrorClass.ERR_RANK, () -> world.send(data, ANY_SOURCE, 0), "dest = -1");
    assertError(ErrorClass.ERR_RANK, () -> world.isend(data, -4, 0), "dest = -4");
    assertError(ErrorClass.ERR_RANK, () -> world.issend(Buf.of(data), Integer.MAX_VALUE, 0), "dest = 2147483647");
    assertError(ErrorClass.ERR_RANK, () -> world.recv(data, n, 0), "source = " + n, "ANY_SOURCE");
    assertError(ErrorClass.ERR_RANK, () -> world.irecv(data, -2, 0), "source = -2");
    assertError(ErrorClass.ERR_RANK, () -> world.probe(n, 0), "source = " + n);
    assertError(ErrorClass.ERR_RANK, () -> world.iprobe(-7, 0), "source = -7");
    for (int dest = 0; dest < n; dest++) {
      world.isend(new int[] {world.rank()}, dest, 3).await();
    }
    for (int source = n - 1; source >= 0; source--) {
      world.recv(data, source, 3);
      assertEquals(source, data[0]);
    }
  }

  @MpiTest
  @DisplayName("S1-3.2.3-e: the world holds all processes")
  void worldHoldsAllProcesses(Mpi mpi) {
    Comm world = mpi.world();
    assertEquals("MPI_COMM_WORLD", world.name());
    assertEquals("MPI_COMM_SELF", mpi.self().name());
    assertEquals(1, mpi.self().size());
    assertEquals(0, mpi.self().rank());
    int[] ranks = new int[world.size()];
    world.gather(Buf.of(new int[] {world.rank()}), world.rank() == 0 ? Buf.of(ranks) : null, 0);
    if (world.rank() == 0) {
      for (int r = 0; r < ranks.length; r++) {
        assertEquals(r, ranks[r]);
      }
    }
  }

  @MpiTest(ranks = {2, 4})
  void statusTellsWhatAWildcardReceived(Comm world) {
    if (world.rank() == 0) {
      boolean[] seen = new boolean[world.size()];
      Status status = new Status();
      long[] data = new long[8];
      for (int i = 1; i < world.size(); i++) {
        world.recv(data, ANY_SOURCE, ANY_TAG, status);
        int source = status.source();
        assertFalse(seen[source]);
        seen[source] = true;
        assertEquals(100 + source, status.tag());
        assertEquals(source, status.getCount(Datatype.INT64_T));
        assertEquals(source, data[source - 1]);
      }
    } else {
      long[] data = new long[world.rank()];
      data[world.rank() - 1] = world.rank();
      world.send(data, 0, 100 + world.rank());
    }
  }

  @MpiTest(ranks = 2)
  void aPartialElementHasNoCount(Comm world) {
    if (world.rank() == 0) {
      world.send(new byte[] {1, 2, 3, 4, 5, 6}, 1, 0);
    } else {
      int[] data = new int[2];
      Status status = world.recv(data, 0, 0, new Status());
      assertEquals(org.ffmpi.base.Constants.UNDEFINED, status.getCount(Datatype.INT));
      assertEquals(6, status.getCount(Datatype.BYTE));
      assertEquals(0x04030201, data[0]);
    }
  }
}
