// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.pointtopoint;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Mpi;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.Data;
import org.ffmpi.tests.support.EveryTransport;

/** Messages of all lengths, by all calls that send and receive. */
class SizesTest {
  @EveryTransport
  @MpiTest
  void blocking(Comm world) {
    int next = (world.rank() + 1) % world.size();
    int previous = (world.rank() + world.size() - 1) % world.size();
    byte[] received = new byte[100_000];
    Status status = new Status();
    for (int length : Data.LENGTHS) {
      byte[] sent = Data.bytes(world.rank() * 1000L + length, length);
      // odd ranks receive first; a lone rank has to start its receive before it sends to itself
      if (world.size() == 1) {
        Request incoming = world.irecv(received, 0, length);
        world.send(sent, 0, length);
        incoming.await(status);
      } else if (world.rank() % 2 == 0) {
        world.send(sent, next, length);
        world.recv(received, previous, length, status);
      } else {
        world.recv(received, previous, length, status);
        world.send(sent, next, length);
      }
      assertEquals(length, status.bytes());
      Data.check(received, 0, previous * 1000L + length, length);
    }
  }

  @EveryTransport
  @MpiTest
  void synchronous(Comm world) {
    int next = (world.rank() + 1) % world.size();
    int previous = (world.rank() + world.size() - 1) % world.size();
    byte[] received = new byte[100_000];
    for (int length : Data.LENGTHS) {
      Request incoming = world.irecv(received, previous, 0);
      world.ssend(Buf.of(Data.bytes(length, length)), next, 0);
      assertEquals(length, incoming.await(new Status()).bytes());
      Data.check(received, 0, length, length);
    }
  }

  @EveryTransport
  @MpiTest(timeout = 120)
  void allAtOnceInBothDirections(Comm world) {
    int n = Data.LENGTHS.length;
    List<Request> requests = new ArrayList<>();
    byte[][][] received = new byte[world.size()][n][];
    for (int peer = 0; peer < world.size(); peer++) {
      for (int i = 0; i < n; i++) {
        received[peer][i] = new byte[Data.LENGTHS[i]];
        requests.add(world.irecv(received[peer][i], peer, i));
      }
    }
    for (int peer = 0; peer < world.size(); peer++) {
      for (int i = 0; i < n; i++) {
        byte[] data = Data.bytes(world.rank() * 100L + i, Data.LENGTHS[i]);
        requests.add(i % 3 == 0 ? world.issend(Buf.of(data), peer, i) : world.isend(data, peer, i));
      }
    }
    Request.waitAll(requests);
    for (int peer = 0; peer < world.size(); peer++) {
      for (int i = 0; i < n; i++) {
        Data.check(received[peer][i], 0, peer * 100L + i, Data.LENGTHS[i]);
      }
    }
  }

  @EveryTransport
  @MpiTest(timeout = 120)
  void unexpected(Comm world) {
    int n = Data.LENGTHS.length;
    int next = (world.rank() + 1) % world.size();
    int previous = (world.rank() + world.size() - 1) % world.size();
    List<Request> requests = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      requests.add(world.isend(Data.bytes(i, Data.LENGTHS[i]), next, i));
    }
    world.barrier();
    byte[] received = new byte[100_000];
    for (int i = n - 1; i >= 0; i--) {
      assertEquals(Data.LENGTHS[i], world.recv(received, previous, i, new Status()).bytes());
      Data.check(received, 0, i, Data.LENGTHS[i]);
    }
    Request.waitAll(requests);
  }

  @MpiTest(ranks = {1, 2, 3})
  void great(Comm world) {
    int next = (world.rank() + 1) % world.size();
    int previous = (world.rank() + world.size() - 1) % world.size();
    for (int length : Data.GREAT_LENGTHS) {
      byte[] received = new byte[length];
      Request incoming = world.irecv(received, previous, 0);
      world.send(Data.bytes(length, length), next, 0);
      assertEquals(length, incoming.await(new Status()).bytes());
      Data.check(received, 0, length, length);
    }
  }

  @EveryTransport
  @MpiTest
  void sharedHeap(Mpi mpi) {
    Comm world = mpi.world();
    int next = (world.rank() + 1) % world.size();
    int previous = (world.rank() + world.size() - 1) % world.size();
    for (int length : Data.LENGTHS) {
      MemorySegment out = mpi.shared().allocate(Math.max(1, length), 8);
      MemorySegment in = mpi.shared().allocate(Math.max(1, length), 8);
      Data.fill(out, length);
      Request incoming = world.irecv(Buf.of(in, length, Datatype.BYTE), previous, 1);
      world.send(Buf.of(out, length, Datatype.BYTE), next, 1);
      incoming.await();
      Data.check(in, length, length);
    }
  }

  /** Large messages cross while both sides only send: progress on one must not wait for the other. */
  @EveryTransport
  @MpiTest
  void largeMessagesCross(Comm world) {
    int length = 150_000;
    List<Request> requests = new ArrayList<>();
    byte[][] received = new byte[world.size()][length];
    for (int peer = 0; peer < world.size(); peer++) {
      requests.add(world.isend(Data.bytes(world.rank(), length), peer, 0));
    }
    for (int peer = 0; peer < world.size(); peer++) {
      requests.add(world.irecv(received[peer], peer, 0));
    }
    Request.waitAll(requests);
    for (int peer = 0; peer < world.size(); peer++) {
      Data.check(received[peer], 0, peer, length);
    }
  }

  @EveryTransport
  @MpiTest
  void sendrecvInARing(Comm world) {
    int next = (world.rank() + 1) % world.size();
    int previous = (world.rank() + world.size() - 1) % world.size();
    for (int length : Data.LENGTHS) {
      byte[] received = new byte[length];
      Status status = world.sendrecv(
          Buf.of(Data.bytes(world.rank(), length)), next, 7, Buf.of(received), previous, 7, new Status());
      assertEquals(previous, status.source());
      assertEquals(length, status.bytes());
      Data.check(received, 0, previous, length);
    }
  }

  /** A gigabyte is under way when a few bytes sent later are received first. */
  @MpiTest(ranks = 2, timeout = 180)
  void aGigabyteDoesNotBlockEightBytes(Comm world) {
    longMessageFirst(world, 1L << 30);
  }

  @EveryTransport
  @MpiTest(ranks = {2, 3})
  void aLongMessageDoesNotBlockAShortOne(Comm world) {
    longMessageFirst(world, 400_000);
  }

  private static void longMessageFirst(Comm world, long bytes) {
    if (world.rank() > 1) {
      return;
    }
    long step = 4096;
    try (Arena arena = Arena.ofShared()) {
      MemorySegment data = arena.allocate(bytes, 64);
      if (world.rank() == 0) {
        for (long at = 0; at < bytes - 8; at += step) {
          data.set(java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED, at, at ^ 0x5555);
        }
        Request large = world.isend(Buf.of(data, bytes, Datatype.BYTE), 1, 1);
        Request small = world.isend(new long[] {42}, 1, 2);
        small.await();
        large.await();
      } else {
        long[] small = new long[1];
        world.recv(small, 0, 2);
        assertEquals(42, small[0]);
        Status status = world.recv(Buf.of(data, bytes, Datatype.BYTE), 0, 1, new Status());
        assertEquals(bytes, status.bytes());
        for (long at = 0; at < bytes - 8; at += step) {
          assertEquals(at ^ 0x5555, data.get(java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED, at));
        }
      }
    }
  }
}
