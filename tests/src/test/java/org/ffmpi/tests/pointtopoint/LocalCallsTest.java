// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.pointtopoint;

import static org.ffmpi.base.Constants.ANY_SOURCE;
import static org.ffmpi.base.Constants.ANY_TAG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Mpi;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.testkit.MpiVariant;
import org.ffmpi.tests.support.Data;
import org.ffmpi.tests.support.EveryTransport;
import org.junit.jupiter.api.DisplayName;

/**
 * Progress while the other rank computes, that is, sits in a latch that is no MPI call (MPI-4.1 §3.5, §3.7.4):
 * calls that are local return, and messages that need nothing more of their sender are received.
 */
class LocalCallsTest {
  private static final int EAGER_LIMIT = 16 << 10;

  /** The ranks are threads of one test instance. */
  private final CountDownLatch over = new CountDownLatch(1);

  /** More of each kind than rings hold, to a peer that takes nothing. */
  @EveryTransport
  @MpiTest(ranks = 2)
  @DisplayName("S1-3.1-b: nonblocking, buffered and persistent starts, tests, probes and cancels wait for no peer")
  void callsThatAreLocal(Mpi mpi) throws InterruptedException {
    Comm world = mpi.world();
    int rounds = 400;
    int[] lengths = {0, 8, 41, 1_000, 20_000};
    if (world.rank() == 1) {
      over.await();
      for (int round = 0; round < rounds; round++) {
        for (int mode = 0; mode < 4; mode++) {
          int length = lengths[round % lengths.length];
          byte[] data = new byte[length];
          assertEquals(length, world.recv(data, 0, mode, new Status()).bytes());
          Data.check(data, 0, round, length);
        }
      }
      assertTrue(world.iprobe(ANY_SOURCE, ANY_TAG).isEmpty(), "cancelled messages are gone");
      world.send(new int[0], 0, 9);
      return;
    }
    mpi.bufferAttach(Buf.automatic());
    List<Request> requests = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      int length = lengths[round % lengths.length];
      byte[] data = Data.bytes(round, length);
      MemorySegment shared = mpi.shared().allocate(Math.max(1, length));
      MemorySegment.copy(MemorySegment.ofArray(data), 0, shared, 0, length);
      requests.add(world.isend(data, 1, 0));
      requests.add(world.issend(Buf.of(data), 1, 1));
      Persistent persistent = world.sendInit(Buf.of(shared, length, Datatype.BYTE), 1, 2);
      persistent.start();
      requests.add(persistent);
      if (round % 2 == 0) {
        world.bsend(Buf.of(data), 1, 3);
      } else {
        world.ibsend(Buf.of(data), 1, 3).await();
      }
      assertTrue(world.improbe(1, ANY_TAG).isEmpty());
      Request dropped = world.irecv(new byte[10], 1, 5);
      dropped.cancel();
      assertTrue(dropped.await(new Status()).isCancelled());
      Request withdrawn = world.issend(Buf.of(data), 1, 6);
      withdrawn.cancel();
      assertTrue(withdrawn.await(new Status()).isCancelled(), "nobody can have matched it");
      assertTrue(world.iprobe(1, ANY_TAG).isEmpty());
      requests.getLast().test();
    }
    requests.add(mpi.bufferIflush());
    over.countDown();
    Request.waitAll(requests);
    mpi.bufferDetach();
    world.recv(new int[0], 1, 9);
  }

  @MpiVariant(name = "defaults")
  @MpiVariant(name = "no spinning", settings = {"ffmpi.spin=0", "ffmpi.yield=0"})
  @MpiTest(ranks = 2)
  @DisplayName("eager and direct messages complete at posted receives while their sender computes")
  void postedReceives(Mpi mpi) throws InterruptedException {
    passWhileTheSenderComputes(mpi, true);
  }

  @MpiVariant(name = "defaults")
  @MpiVariant(name = "no spinning", settings = {"ffmpi.spin=0", "ffmpi.yield=0"})
  @MpiTest(ranks = 2)
  @DisplayName("eager and direct messages that came before their receives are received while their sender computes")
  void lateReceives(Mpi mpi) throws InterruptedException {
    passWhileTheSenderComputes(mpi, false);
  }

  private void passWhileTheSenderComputes(Mpi mpi, boolean posted) throws InterruptedException {
    Comm world = mpi.world();
    Datatype<Integer> strided = Datatype.vector(1_000, 3, 4, Datatype.INT).commit();
    int[] eager = {0, 8, 40, 41, 1_000, 8_192, EAGER_LIMIT};
    int[] direct = {4_096, 100_000, 3_000_000};
    List<Request> requests = new ArrayList<>();
    if (world.rank() == 0) {
      world.recv(new int[0], 1, 99);
      for (int length : eager) {
        requests.add(world.isend(Data.bytes(length, length), 1, 1));
      }
      for (int length : direct) {
        MemorySegment shared = mpi.shared().allocate(length);
        Data.fill(shared, length);
        requests.add(world.isend(Buf.of(shared, length, Datatype.BYTE), 1, 2));
      }
      MemorySegment shared = mpi.shared().allocate(strided.extent());
      Data.fill(shared, 3);
      requests.add(world.isend(Buf.of(shared, 1, strided), 1, 3));
      over.await();
      Request.waitAll(requests);
    } else {
      if (!posted) {
        world.send(new int[0], 0, 99);
        world.probe(0, 3);
      }
      List<byte[]> received = new ArrayList<>();
      for (int length : eager) {
        received.add(new byte[length]);
        requests.add(world.irecv(received.getLast(), 0, 1));
      }
      for (int length : direct) {
        received.add(new byte[length]);
        requests.add(world.irecv(received.getLast(), 0, 2));
      }
      MemorySegment scattered = Arena.ofAuto().allocate(strided.extent());
      requests.add(world.irecv(Buf.of(scattered, 1, strided), 0, 3));
      if (posted) {
        world.send(new int[0], 0, 99);
      }
      Request.waitAll(requests);
      over.countDown();
      for (byte[] data : received) {
        Data.check(data, 0, data.length, data.length);
      }
      for (long at = 0; at < strided.extent(); at++) {
        byte expected = at % 16 < 12 ? Data.at(3, at) : 0;
        assertEquals(expected, scattered.get(java.lang.foreign.ValueLayout.JAVA_BYTE, at), "byte " + at);
      }
    }
  }
}
