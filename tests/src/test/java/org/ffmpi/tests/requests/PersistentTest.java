// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.requests;

import static org.ffmpi.base.Constants.ANY_SOURCE;
import static org.ffmpi.base.Constants.ANY_TAG;
import static org.ffmpi.base.Constants.PROC_NULL;
import static org.ffmpi.base.Constants.UNDEFINED;
import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.random.RandomGenerator;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Mpi;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.Requests;
import org.ffmpi.Status;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.Data;
import org.ffmpi.tests.support.EveryTransport;
import org.ffmpi.tests.support.Seeds;
import org.junit.jupiter.api.DisplayName;

/** Persistent point-to-point requests (MPI-4.1 §3.9). */
@EveryTransport
class PersistentTest {
  private static final int[] LENGTHS = {0, 1, 8, 40, 41, 200, 1_000, 4_096, 8_193, 20_000, 70_000};

  private static int next(Comm world) {
    return (world.rank() + 1) % world.size();
  }

  private static int previous(Comm world) {
    return (world.rank() + world.size() - 1) % world.size();
  }

  private static Buf<Byte> bytes(MemorySegment segment) {
    return Buf.of(segment, segment.byteSize(), Datatype.BYTE);
  }

  private static void assertEmpty(Status status) {
    assertEquals(ANY_SOURCE, status.source());
    assertEquals(ANY_TAG, status.tag());
    assertEquals(0, status.bytes());
  }

  @MpiTest(ranks = {1, 2, 3})
  void messagesOfEveryLengthGoRoundAgainAndAgain(Comm world) {
    List<byte[]> out = new ArrayList<>();
    List<byte[]> in = new ArrayList<>();
    List<Persistent> all = new ArrayList<>();
    for (int i = 0; i < LENGTHS.length; i++) {
      out.add(new byte[LENGTHS[i]]);
      in.add(new byte[LENGTHS[i]]);
      all.add(world.recvInit(Buf.of(in.get(i)), previous(world), i));
      all.add(
          i % 2 == 0
              ? world.sendInit(Buf.of(out.get(i)), next(world), i)
              : world.ssendInit(Buf.of(out.get(i)), next(world), i));
    }
    Status[] statuses = new Status[all.size()];
    for (int round = 0; round < 5; round++) {
      for (int i = 0; i < LENGTHS.length; i++) {
        byte[] data = Data.bytes(100 * round + i, LENGTHS[i]);
        System.arraycopy(data, 0, out.get(i), 0, data.length);
      }
      Persistent.startAll(all);
      Request.waitAll(all, statuses);
      for (int i = 0; i < LENGTHS.length; i++) {
        Data.check(in.get(i), 0, 100 * round + i, LENGTHS[i]);
        assertEquals(LENGTHS[i], statuses[2 * i].bytes());
        assertEquals(previous(world), statuses[2 * i].source());
        assertEmpty(statuses[2 * i + 1]);
      }
      assertTrue(all.stream().noneMatch(Request::isActive));
    }
    all.forEach(Request::close);
    world.barrier();
  }

  /** Each side may be persistent or not; wildcards match another sender in each round. */
  @MpiTest(ranks = {2, 3, 4})
  void persistentAndOrdinaryCallsMeet(Comm world) {
    int rounds = 20;
    long[] data = new long[3];
    if (world.rank() == 0) {
      try (Persistent any = world.recvInit(Buf.of(data), ANY_SOURCE, ANY_TAG)) {
        Status status = new Status();
        for (int round = 0; round < rounds; round++) {
          for (int i = 1; i < world.size(); i++) {
            any.start();
            any.await(status);
            assertEquals(status.source(), data[0]);
            assertEquals(status.tag(), data[1]);
            assertEquals(24, status.bytes());
          }
          world.barrier();
        }
      }
      return;
    }
    try (Persistent out = world.sendInit(Buf.of(data), 0, world.rank())) {
      for (int round = 0; round < rounds; round++) {
        data[0] = world.rank();
        data[1] = round % 2 == 0 ? world.rank() : round;
        if (round % 2 == 0) {
          out.start();
          out.await();
        } else {
          world.send(data, 0, round);
        }
        world.barrier();
      }
    }
  }

  @MpiTest(ranks = 2)
  void startsDoNotOvertakeEachOther(Comm world) {
    int messages = 2_000;
    int[] value = new int[1];
    int peer = 1 - world.rank();
    if (world.rank() == 0) {
      try (Persistent out = world.sendInit(Buf.of(value), peer, 3)) {
        for (int i = 0; i < messages; i++) {
          value[0] = i;
          if (i % 3 == 0) {
            world.isend(new int[] {i}, peer, 3).await();
          } else {
            out.start();
            out.await();
          }
        }
      }
    } else {
      try (Persistent in = world.recvInit(Buf.of(value), peer, 3)) {
        for (int i = 0; i < messages; i++) {
          in.start();
          while (!in.test()) {
            Thread.onSpinWait();
          }
          assertEquals(i, value[0]);
        }
      }
    }
  }

  @MpiTest(ranks = 2)
  void aReadySendFindsItsReceive(Comm world) {
    double[] data = new double[500];
    int[] go = new int[1];
    for (int round = 0; round < 3; round++) {
      if (world.rank() == 0) {
        Arrays.fill(data, round);
        try (Persistent out = world.rsendInit(Buf.of(data), 1, 1)) {
          world.recv(go, 1, 2);
          out.start();
          out.await();
        }
      } else {
        try (Persistent in = world.recvInit(Buf.of(data), 0, 1)) {
          in.start();
          world.send(go, 0, 2);
          in.await();
          assertEquals(round, data[499]);
        }
      }
    }
  }

  @MpiTest(ranks = {1, 2})
  void derivedTypesMayBeFreedOnceTheRequestIsMade(Comm world) {
    int n = 300;
    double[] matrix = new double[n * n];
    double[] row = new double[n];
    Datatype<?> column = Datatype.vector(n, 1, n, Datatype.DOUBLE).commit();
    try (Persistent out = world.sendInit(Buf.of(matrix, 1, column), next(world), 0);
        Persistent in = world.recvInit(Buf.of(row), previous(world), 0)) {
      column.close();
      for (int round = 1; round <= 3; round++) {
        for (int i = 0; i < n; i++) {
          matrix[i * n] = round * i;
        }
        Persistent.startAll(List.of(in, out));
        Request.waitAll(List.of(in, out));
        assertEquals(round * (n - 1), row[n - 1]);
      }
    }
  }

  @MpiTest(ranks = 2)
  void offHeapMemoryOfEveryKind(Mpi mpi) {
    Comm world = mpi.world();
    int length = 50_000;
    try (Arena confined = Arena.ofConfined(); Arena closeable = Arena.ofShared()) {
      List<MemorySegment> segments = List.of(
          confined.allocate(length), closeable.allocate(length), Arena.ofAuto().allocate(length),
          mpi.shared().allocate(length));
      for (MemorySegment segment : segments) {
        try (Persistent out = world.sendInit(bytes(segment), 1, 0);
            Persistent in = world.recvInit(bytes(segment), 0, 0)) {
          for (int round = 0; round < 3; round++) {
            if (world.rank() == 0) {
              Data.fill(segment, round);
              out.start();
              out.await();
            } else {
              in.start();
              in.await();
              Data.check(segment, round, length);
            }
          }
        }
      }
    }
  }

  @MpiTest(ranks = 2)
  void cancelledOnesCanBeStartedAgain(Comm world) {
    byte[] data = new byte[100];
    Status status = new Status();
    if (world.rank() == 0) {
      try (Persistent in = world.recvInit(Buf.of(data), 1, 1)) {
        for (int round = 0; round < 3; round++) {
          in.start();
          in.cancel();
          assertTrue(in.await(status).isCancelled());
          assertEmpty(in.await(status));
        }
        world.barrier();
        in.start();
        assertFalse(in.await(status).isCancelled());
        Data.check(data, 0, 7, 100);
      }
    } else {
      Persistent unwanted = world.ssendInit(Buf.of(new byte[10]), 0, 2);
      unwanted.start();
      unwanted.cancel();
      assertTrue(unwanted.await(status).isCancelled());
      unwanted.close();
      world.barrier();
      world.send(Data.bytes(7, 100), 0, 1);
    }
    world.barrier();
    assertTrue(world.iprobe(1 - world.rank(), ANY_TAG).isEmpty());
  }

  @MpiTest(ranks = 2)
  void oneThatFailsCanBeStartedAgain(Comm world) {
    if (world.rank() == 0) {
      int[] data = {-1, -1, -1};
      Status status = new Status();
      try (Persistent in = world.recvInit(Buf.of(data, 0, 2), 1, 0)) {
        for (int round = 0; round < 3; round++) {
          in.start();
          assertError(ErrorClass.ERR_TRUNCATE, () -> in.await(status), "12 bytes");
          assertEquals(ErrorClass.SUCCESS, status.error(), "not touched, the error is thrown");
          assertEquals(-1, data[2]);
          in.start();
          assertEquals(8, in.await(status).bytes());
          assertEquals(ErrorClass.SUCCESS, status.error());
        }
      }
    } else {
      for (int round = 0; round < 3; round++) {
        world.send(new int[] {1, 2, 3}, 0, 0);
        world.send(new int[] {1, 2}, 0, 0);
      }
    }
  }

  @MpiTest(ranks = 2)
  void aScopeThatIsLeftEarlyCancelsThem(Comm world) {
    int[] data = new int[1];
    int peer = 1 - world.rank();
    try (Persistent in = world.recvInit(Buf.of(data), peer, 0)) {
      for (int round = 0; round < 3; round++) {
        in.start();
        try (Requests scope = world.requests()) {
          assertSame(in, scope.add(in));
          assertFalse(scope.test());
        }
        assertFalse(in.isActive());
      }
      world.barrier();
      try (Requests scope = world.requests()) {
        in.start();
        scope.add(in);
        scope.isend(new int[] {5}, peer, 0);
        scope.await();
      }
      assertEquals(5, data[0]);
      assertFalse(in.isActive());
    }
  }

  /** Another thread than the one that made it may start it, and a third one wait. */
  @MpiTest(ranks = 2)
  void handedFromThreadToThread(Comm world) throws Exception {
    int[] data = new int[1];
    int peer = 1 - world.rank();
    try (Persistent in = world.recvInit(Buf.of(data), peer, 0);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int round = 0; round < 20; round++) {
        threads.submit(in::start).get();
        world.send(new int[] {round}, peer, 0);
        Status status = threads.submit(() -> in.await(new Status())).get();
        assertEquals(peer, status.source());
        assertEquals(round, data[0]);
      }
    }
  }

  /** A request that is given up while it is active still sends, or receives, everything. */
  @MpiTest(ranks = 2)
  void freedWhileActive(Comm world) {
    for (int i = 0; i < LENGTHS.length; i++) {
      byte[] data = world.rank() == 0 ? Data.bytes(i, LENGTHS[i]) : new byte[LENGTHS[i]];
      byte[] back = new byte[LENGTHS[i]];
      int tag = i;
      if (world.rank() == 0) {
        Persistent in = world.recvInit(Buf.of(back), 1, tag);
        in.start();
        in.close();
        Persistent out = world.sendInit(Buf.of(data), 1, tag);
        out.start();
        out.close();
        assertError(ErrorClass.ERR_REQUEST, out::start, "closed");
        assertFalse(out.isActive());
        assertEmpty(out.await(new Status()));
        world.recv(new byte[0], 1, 100 + tag);
        while (!Arrays.equals(data, back)) { // has been matched, but its last bytes may still be on their way
          world.iprobe(1, 99);
        }
      } else {
        world.recv(data, 0, tag);
        Data.check(data, 0, i, LENGTHS[i]);
        world.ssend(Buf.of(data), 0, tag);
        world.send(new byte[0], 0, 100 + tag);
      }
    }
  }

  @MpiTest(ranks = {1, 2})
  @DisplayName("S1-3.1-c: PROC_NULL, of persistent requests")
  void nobody(Comm world) {
    byte[] data = {42};
    try (Persistent out = world.ssendInit(Buf.of(data), PROC_NULL, 0);
        Persistent in = world.recvInit(Buf.of(data), PROC_NULL, ANY_TAG)) {
      for (int i = 0; i < 3; i++) {
        Persistent.startAll(List.of(out, in));
        Status[] statuses = new Status[2];
        Request.waitAll(List.of(out, in), statuses);
        assertEquals(PROC_NULL, statuses[1].source());
        assertEquals(ANY_TAG, statuses[1].tag());
        assertEquals(0, statuses[1].bytes());
      }
    }
    assertEquals(42, data[0]);
  }

  @MpiTest(ranks = 2)
  void misuse(Comm world) {
    int peer = 1 - world.rank();
    Persistent in = world.recvInit(Buf.of(new int[1]), peer, 0);
    Persistent idle = world.recvInit(Buf.of(new int[1]), peer, 9);
    assertError(ErrorClass.ERR_REQUEST, in::cancel, "not active");
    in.start();
    assertError(ErrorClass.ERR_REQUEST, in::start, "is active");
    assertError(ErrorClass.ERR_REQUEST, () -> Persistent.startAll(List.of(idle, in)), "request 1 is active");
    Request once = world.isend(new int[1], peer, 0);
    assertError(ErrorClass.ERR_REQUEST, () -> Persistent.startAll(List.of(idle, once)), "not persistent");
    assertFalse(idle.isActive());
    idle.close();
    assertError(ErrorClass.ERR_REQUEST, idle::start, "closed");
    Request.waitAll(List.of(in, idle, once));
    Persistent closed;
    try (Arena arena = Arena.ofShared()) {
      closed = world.sendInit(bytes(arena.allocate(8)), peer, 0);
    }
    assertError(ErrorClass.ERR_BUFFER, closed::start, "the arena of this buffer has been closed");
    assertEquals(OptionalInt.of(UNDEFINED), Request.testAny(List.of(closed, in)));
    world.barrier();
  }

  /** Random subsets are started and completed in random ways; everything arrives in order. */
  @MpiTest(ranks = {2, 3})
  void randomStartsAndWaits(Mpi mpi) {
    Comm world = mpi.world();
    long[] seed = {Seeds.next()};
    world.bcast(Buf.of(seed), 0);
    Seeds.run(seed[0], () -> randomRounds(world, seed[0]));
  }

  private static void randomRounds(Comm world, long seed) {
    int channels = 8;
    int rounds = 25;
    RandomGenerator shared = Seeds.random(seed);
    RandomGenerator own = Seeds.random(seed + 1 + world.rank());
    int[] lengths = shared.ints(channels, 0, 1_000).toArray();
    byte[][] out = new byte[channels][];
    byte[][] in = new byte[channels][];
    List<Request> all = new ArrayList<>();
    for (int c = 0; c < channels; c++) {
      out[c] = new byte[lengths[c]];
      in[c] = new byte[lengths[c]];
      all.add(world.sendInit(Buf.of(out[c]), next(world), c));
      all.add(world.recvInit(Buf.of(in[c]), previous(world), c));
    }
    for (int round = 0; round < rounds; round++) {
      int subset = shared.nextInt(1 << channels);
      for (int c = 0; c < channels; c++) {
        if ((subset & 1 << c) != 0) {
          System.arraycopy(Data.bytes(round * channels + c, lengths[c]), 0, out[c], 0, lengths[c]);
          List<Request> pair = new ArrayList<>(all.subList(2 * c, 2 * c + 2));
          if (own.nextBoolean()) {
            Persistent.startAll(pair.reversed());
          } else {
            Persistent.startAll(pair);
          }
        }
      }
      complete(all, own.nextInt(5));
      assertTrue(all.stream().noneMatch(Request::isActive));
      for (int c = 0; c < channels; c++) {
        if ((subset & 1 << c) != 0) {
          Data.check(in[c], 0, round * channels + c, lengths[c]);
        }
      }
    }
    all.forEach(Request::close);
    world.barrier();
  }

  private static void complete(List<Request> all, int way) {
    switch (way) {
      case 0 -> Request.waitAll(all);
      case 1 -> {
        while (!Request.testAll(all)) {
          Thread.onSpinWait();
        }
      }
      case 2 -> {
        while (Request.waitAny(all) >= 0) {
          continue;
        }
      }
      case 3 -> {
        while (Request.waitSome(all).length > 0) {
          continue;
        }
      }
      default -> all.forEach(r -> r.await(new Status()));
    }
  }
}
