// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.collectives;

import static org.ffmpi.base.Constants.ANY_SOURCE;
import static org.ffmpi.base.Constants.ANY_TAG;
import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Info;
import org.ffmpi.IntraComm;
import org.ffmpi.Op;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The rules of the standard for persistent collectives, one by one. */
class PersistentCollectivesTest {
  private static final List<String> CLASSIC = List.of(
      "barrier", "bcast", "gather", "gatherv", "scatter", "scatterv", "allgather", "allgatherv", "alltoall",
      "alltoallv", "alltoallw", "reduce", "allreduce", "reduceScatter", "reduceScatterBlock", "scan", "exscan");

  @Test
  @DisplayName("S3-1: every nonblocking collective has a persistent form, with hints")
  void everyFormIsThere() {
    TreeSet<String> missing = new TreeSet<>();
    int seen = 0;
    for (Method method : Comm.class.getMethods()) {
      String name = method.getName();
      // Counts and displacements of a persistent call are longs: they are turned into longs once, by the program.
      boolean ofInts = List.of(method.getParameterTypes()).contains(int[].class);
      if (name.startsWith("i") && CLASSIC.contains(name.substring(1)) && !ofInts && !takesWholeArrays(method)) {
        seen++;
        Class<?>[] with = Arrays.copyOf(method.getParameterTypes(), method.getParameterCount() + 1);
        with[with.length - 1] = Info.class;
        check(missing, name.substring(1) + "Init", with);
        check(missing, name.substring(1), method.getParameterTypes());
      }
    }
    assertEquals(new TreeSet<String>(), missing);
    assertTrue(seen >= CLASSIC.size());
  }

  /** Returns whether this is a short form of one with buffers; those of persistent calls have no hints. */
  private static boolean takesWholeArrays(Method method) {
    Class<?> first = method.getParameterCount() == 0 ? Info.class : method.getParameterTypes()[0];
    return first == Object.class || first.isArray() && first.getComponentType().isPrimitive();
  }

  private static void check(TreeSet<String> missing, String name, Class<?>... parameters) {
    try {
      assertNotNull(Comm.class.getMethod(name, parameters));
    } catch (NoSuchMethodException e) {
      missing.add(name + Arrays.toString(parameters));
    }
  }

  @MpiTest(ranks = {1, 2, 4})
  @DisplayName("S3-3, S3-5: a request is inactive after it has been made, and may be closed without a start")
  void inactiveAtFirst(IntraComm world) {
    int[] sum = {1};
    for (int i = 0; i < 100; i++) {
      Persistent request = world.allreduceInit(Buf.of(sum), Op.SUM, null);
      assertFalse(request.isActive());
      request.await();
      assertTrue(request.test());
      request.close();
    }
    assertEquals(1, sum[0]);
    world.allreduce(Buf.of(sum), Op.SUM);
    assertEquals(world.size(), sum[0]);
  }

  @MpiTest(ranks = {1, 2, 3, 4, 8})
  @DisplayName("S3-4: arrays of counts may change once the request is made: they have been copied")
  void arraysAreCopied(IntraComm world) {
    int n = world.size();
    long[] counts = new long[n];
    long[] displs = new long[n];
    for (int r = 0; r < n; r++) {
      counts[r] = 1;
      displs[r] = r;
    }
    int[] all = new int[n];
    long[] parts = counts.clone();
    int[] part = new int[1];
    try (Persistent gather = world.allgathervInit(Buf.of(new int[] {world.rank()}), Buf.of(all), counts, displs, null);
        Persistent reduce = world.reduceScatterInit(Buf.of(all), Buf.of(part), parts, Op.SUM, null)) {
      Arrays.fill(counts, 77);
      Arrays.fill(displs, -1);
      Arrays.fill(parts, 0);
      gather.start();
      gather.await();
      for (int r = 0; r < n; r++) {
        assertEquals(r, all[r]);
      }
      reduce.start();
      reduce.await();
      assertEquals(n * world.rank(), part[0]);
    }
  }

  @MpiTest(ranks = 4)
  @DisplayName("S3-6, S3-13: started in different orders on different ranks; buffers are read at each start")
  void inAnyOrder(IntraComm world) {
    int[] x = new int[1];
    int[] x2 = new int[1];
    int[] y = new int[1];
    int[] y2 = new int[1];
    try (Persistent q1 = world.allreduceInit(Buf.of(x), Buf.of(y), Op.SUM, null);
        Persistent q2 = world.allreduceInit(Buf.of(x2), Buf.of(y2), Op.SUM, null)) {
      for (int round = 0; round < 3; round++) {
        x[0] = world.rank() + round;
        x2[0] = 10 * x[0];
        Persistent first = world.rank() % 2 == 1 ? q1 : q2;
        Persistent second = first == q1 ? q2 : q1;
        first.start();
        second.start();
        Request.waitAll(new ArrayList<>(List.of(q1, q2)));
        assertEquals(6 + 4 * round, y[0]);
        assertEquals(60 + 40 * round, y2[0]);
      }
    }
  }

  @MpiTest(ranks = {1, 2, 4})
  @DisplayName("S3-7, S3-16: startAll of several, made with hints")
  void startAll(IntraComm world) {
    int n = world.size();
    int[] sum = new int[1];
    int[] root = {world.rank() == 0 ? 5 : 0};
    int[] all = new int[n];
    try (Info info = new Info()) {
      info.set("no_such_hint", "whatever");
      try (Persistent a = world.allreduceInit(Buf.of(new int[] {1}), Buf.of(sum), Op.SUM, info);
          Persistent b = world.bcastInit(Buf.of(root), 0, null);
          Persistent c = world.allgatherInit(Buf.of(new int[] {world.rank()}), Buf.of(all), info);
          Persistent d = world.barrierInit(info)) {
        List<Persistent> requests =
            new ArrayList<>(world.rank() % 2 == 0 ? List.of(a, b, c, d) : List.of(d, c, b, a));
        for (int round = 0; round < 3; round++) {
          sum[0] = 0;
          Arrays.fill(all, -1);
          Persistent.startAll(requests);
          Request.waitAll(requests);
          assertEquals(n, sum[0]);
          assertEquals(5, root[0]);
          assertEquals(n - 1, all[n - 1]);
        }
      }
    }
  }

  @MpiTest(ranks = {2, 4})
  @DisplayName("S3-9, S3-14, S3-15: an active request cannot be started, closed or cancelled")
  void activeRequests(IntraComm world) {
    int[] sum = {1};
    Persistent request = world.allreduceInit(Buf.of(sum), Op.SUM, null);
    if (world.rank() == 0) {
      request.start(); // others have not: it is active for certain
      assertError(ErrorClass.ERR_REQUEST, request::start, "active");
      assertError(ErrorClass.ERR_REQUEST, () -> Persistent.startAll(List.of(request)), "active");
      assertError(ErrorClass.ERR_REQUEST, request::cancel);
      assertError(ErrorClass.ERR_REQUEST, request::close);
      world.send(Buf.of(new int[1]), 1, 0);
    } else {
      if (world.rank() == 1) {
        world.recv(Buf.of(new int[1]), 0, 0);
      }
      request.start();
    }
    while (request.getStatus().isEmpty()) {
      Thread.onSpinWait();
    }
    assertError(ErrorClass.ERR_REQUEST, request::cancel, "until a wait or test has completed it");
    assertError(ErrorClass.ERR_REQUEST, request::close, "until a wait or test has completed it");
    request.await();
    assertEquals(world.size(), sum[0]);
    request.close();
    assertError(ErrorClass.ERR_REQUEST, request::start, "closed");
  }

  @MpiTest(ranks = {1, 2, 3, 4})
  @DisplayName("S3-11: a persistent collective matches neither a blocking nor a nonblocking one")
  void matchesItsLikeOnly(IntraComm world) {
    int[] p = {1};
    int[] q = {10};
    int[] b = {100};
    try (Persistent persistent = world.allreduceInit(Buf.of(p), Op.SUM, null)) {
      Request other;
      if (world.rank() % 2 == 0) {
        persistent.start();
        other = world.iallreduce(Buf.of(q), Op.SUM);
        world.allreduce(Buf.of(b), Op.SUM);
      } else {
        other = world.iallreduce(Buf.of(q), Op.SUM);
        world.allreduce(Buf.of(b), Op.SUM);
        persistent.start();
      }
      other.await();
      persistent.await();
      int n = world.size();
      assertArrayEquals(new int[] {n, 10 * n, 100 * n}, new int[] {p[0], q[0], b[0]});
    }
  }

  @MpiTest(ranks = {1, 2, 4})
  @DisplayName("S3-12: completion makes a request inactive; waits and tests of an inactive one have an empty status")
  void inactiveAfterwards(IntraComm world) {
    try (Persistent request = world.barrierInit(null)) {
      for (int round = 0; round < 3; round++) {
        checkEmpty(request.await(new Status()));
        Status status = new Status();
        assertTrue(request.test(status));
        checkEmpty(status);
        request.start();
        request.await();
        assertFalse(request.isActive());
      }
    }
  }

  /** An operation that fails in some rounds, on the ranks that combine. */
  private static Op<Integer> failing(AtomicInteger round, int rank, int failingRank) {
    return Op.commutative(Datatype.INT, (a, b) -> {
      if (rank == failingRank && round.get() % 2 == 0) {
        throw new IllegalStateException("round " + round);
      }
      return a + b;
    });
  }

  @MpiTest(ranks = {1, 2, 3, 5})
  @DisplayName("S3-10: a persistent collective that has failed is started again, without its old messages")
  void failedOnesAreStartedAgain(IntraComm world) {
    startAgainAfterFailures(world);
  }

  @MpiTest(ranks = {2, 3, 5}, settings = "ffmpi.coll.region.after=-1")
  @DisplayName("S3-10: a persistent collective by messages that has failed is started again")
  void failedOnesByMessagesAreStartedAgain(IntraComm world) {
    startAgainAfterFailures(world);
  }

  private static void startAgainAfterFailures(IntraComm world) {
    int n = world.size();
    for (int length : new int[] {1, 1_000, 40_000}) {
      int[] in = new int[length];
      int[] out = new int[length];
      AtomicInteger round = new AtomicInteger();
      // What the root does with the others' contributions is seen by no other rank.
      try (Persistent reduce =
          world.reduceInit(Buf.of(in), Buf.of(out), failing(round, world.rank(), 0), 0, null)) {
        for (; round.get() < 6; round.incrementAndGet()) {
          for (int i = 0; i < length; i++) {
            in[i] = 100 * round.get() + world.rank() + i;
          }
          reduce.start();
          boolean fails = world.rank() == 0 && n > 1 && round.get() % 2 == 0;
          if (fails) {
            assertError(ErrorClass.ERR_OTHER, reduce::await);
          } else {
            try {
              reduce.await();
            } catch (MpiException e) {
              assertEquals(0, round.get() % 2, "the root's failure may be told to others: " + e);
            }
          }
          assertFalse(reduce.isActive());
          reduce.await();
          world.barrier();
          if (world.rank() == 0 && round.get() % 2 == 1) {
            for (int i = 0; i < length; i++) {
              assertEquals(n * (100 * round.get() + i) + n * (n - 1) / 2, out[i], "round " + round);
            }
          }
        }
      }
    }
  }

  private static void checkEmpty(Status status) {
    assertEquals(ANY_SOURCE, status.source());
    assertEquals(ANY_TAG, status.tag());
    assertEquals(0, status.bytes());
    assertFalse(status.isCancelled());
  }

  @MpiTest(ranks = {2, 4})
  @DisplayName("S3-17: persistent and nonblocking collectives and messages in one list")
  void mixedLists(IntraComm world) {
    int n = world.size();
    int next = (world.rank() + 1) % n;
    int previous = (world.rank() + n - 1) % n;
    int[] sum = new int[1];
    int[] halo = new int[1];
    int[] other = {1};
    try (Persistent reduce = world.allreduceInit(Buf.of(new int[] {1}), Buf.of(sum), Op.SUM, null);
        Persistent out = world.sendInit(Buf.of(new int[] {world.rank()}), next, 3);
        Persistent in = world.recvInit(Buf.of(halo), previous, 3)) {
      for (int round = 0; round < 3; round++) {
        sum[0] = 0;
        halo[0] = -1;
        other[0] = 1;
        Persistent.startAll(List.of(in, reduce, out));
        List<Request> all = new ArrayList<>(List.of(out, reduce, world.iallreduce(Buf.of(other), Op.MAX), in));
        Request.waitAll(all);
        assertArrayEquals(new int[] {n, previous, 1}, new int[] {sum[0], halo[0], other[0]});
      }
    }
  }

  @MpiTest(ranks = {2, 3})
  @DisplayName("S3-8: thousands of requests made and closed leave nothing behind")
  void manyRequests(IntraComm world) {
    double[] data = new double[10_000];
    double[] result = new double[10_000];
    for (int i = 0; i < 2_000; i++) {
      try (Persistent request = world.allreduceInit(Buf.of(data), Buf.of(result), Op.SUM, null)) {
        if (i % 100 == 0) {
          data[9_999] = i;
          request.start();
          request.await();
          assertEquals(i * world.size(), result[9_999]);
        }
      }
    }
  }
}
