// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.collectives;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.ffmpi.Buf;
import org.ffmpi.InterComm;
import org.ffmpi.IntraComm;
import org.ffmpi.Op;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.base.MpiException;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.testkit.MpiVariant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;

/**
 * Collective calls that fail at one rank: all others end with an error or with a right result, none waits for ever, and
 * the next call is right at all ranks.
 */
@MpiVariant(name = "messages", settings = "ffmpi.coll.region.after=-1")
@MpiVariant(
    name = "messages, tiny rings",
    settings = {
      "ffmpi.coll.region.after=-1", "ffmpi.ring.slots=2", "ffmpi.ring.bulk=64", "ffmpi.pipe.bytes=256",
      "ffmpi.chunk=64", "ffmpi.large.chunk=64", "ffmpi.eager.limit=200", "ffmpi.direct.limit=100"
    })
@MpiVariant(
    name = "other algorithms, no spinning",
    settings = {
      "ffmpi.coll.region.after=-1", "ffmpi.spin=0", "ffmpi.yield=0", "ffmpi.coll.gather=binomial",
      "ffmpi.coll.scatter=binomial", "ffmpi.coll.allgather=bruck<=8K,ring", "ffmpi.coll.alltoall=bruck<=4K,pairwise",
      "ffmpi.coll.allreduce=ring", "ffmpi.coll.bcast=chain", "ffmpi.coll.scan=recursive-doubling"
    })
@MpiVariant(name = "regions", settings = "ffmpi.coll.region.after=1")
@MpiVariant(name = "over nodes", settings = "ffmpi.node=2")
@Tag("long")
class FailingCallsTest {
  /** One form of a call. */
  private interface Form {
    void run(Supplier<Request> nonblocking, Supplier<Persistent> persistent, Runnable blocking);
  }

  private static final Form[] FORMS = {
      (nonblocking, persistent, blocking) -> blocking.run(),
      (nonblocking, persistent, blocking) -> nonblocking.get().await(),
      (nonblocking, persistent, blocking) -> {
        Request request = nonblocking.get();
        while (!request.test()) {
          Thread.yield();
        }
      },
      (nonblocking, persistent, blocking) -> {
        try (Persistent made = persistent.get()) {
          made.start();
          made.await();
        }
      }
  };

  private static MpiException outcome(Runnable call) {
    try {
      call.run();
      return null;
    } catch (MpiException e) {
      return e;
    }
  }

  private static void checkAfterwards(IntraComm world) {
    long[] sum = {world.rank()};
    world.allreduce(Buf.of(sum), Op.SUM);
    assertEquals(world.size() * (world.size() - 1L) / 2, sum[0], "the next call");
  }

  /** A rank that did not see the mistake has a right result; one that did says which it is. */
  private static void checkError(MpiException e, int rank, int odd, String name, long theirs, long ours) {
    if (rank == odd || e.errorClass() == ErrorClass.ERR_COUNT) {
      assertEquals(ErrorClass.ERR_COUNT, e.errorClass(), e.toString());
      long other = rank == odd ? ours : theirs;
      long own = rank == odd ? theirs : ours;
      assertTrue(e.getMessage().contains(name + ": rank "), e.toString());
      assertTrue(e.getMessage().contains(
          " has " + other + " bytes where rank " + rank + " has " + own + ": counts or types differ between ranks"),
          e.toString());
    } else {
      assertTrue(e.getMessage().contains(name + ": rank ") && e.getMessage().contains(" has failed in this call"),
          e.toString());
    }
    assertFalse(e.getMessage().contains(" tag "), e.toString());
  }

  @MpiTest(ranks = {2, 5}, timeout = 120)
  @DisplayName("S1-2.8-b: a broadcast into a buffer of another length fails there, and nowhere for ever")
  void broadcastsOfOtherLengths(IntraComm world) {
    checkAfterwards(world);
    int[][] lengths = {{100, 50}, {100, 101}, {6_000, 100}, {40_000, 1_000}, {1_000, 40_000}, {40_000, 40_008}};
    for (int odd : new int[] {0, 1, world.size() - 1}) {
      for (int[] length : lengths) {
        for (int f = 0; f < FORMS.length; f++) {
          int[] data = new int[world.rank() == odd ? length[1] : length[0]];
          Arrays.fill(data, world.rank() == 0 ? 7 : 0);
          Form form = FORMS[f];
          MpiException e = outcome(() -> form.run(() -> world.ibcast(Buf.of(data), 0),
              () -> world.bcastInit(Buf.of(data), 0, null), () -> world.bcast(Buf.of(data), 0)));
          if (e != null) {
            checkError(e, world.rank(), odd, "bcast", 4L * length[1], 4L * length[0]);
          } else {
            for (int value : data) {
              assertEquals(7, value);
            }
            assertTrue(world.rank() != odd || odd == 0, "the other one fails");
          }
          checkAfterwards(world);
        }
      }
    }
  }

  @MpiTest(ranks = {3, 5}, timeout = 120)
  @DisplayName("each rank whose buffer does not fit gets both lengths, also when another such rank has failed first")
  void broadcastsIntoTwoBuffersOfAnotherLength(IntraComm world) {
    checkAfterwards(world);
    int rank = world.rank();
    boolean isOdd = rank == 1 || rank == 2;
    for (int[] length : new int[][] {{100, 50}, {6_000, 100}, {40_000, 1_000}, {1_000, 40_000}}) {
      for (int round = 0; round < 4; round++) {
        for (int f = 0; f < 3; f++) { // messages of persistent calls do not show their length
          int[] data = new int[isOdd ? length[1] : length[0]];
          Form form = FORMS[f];
          MpiException e = outcome(() -> form.run(() -> world.ibcast(Buf.of(data), 0), null,
              () -> world.bcast(Buf.of(data), 0)));
          if (isOdd) {
            assertNotNull(e);
            assertEquals(ErrorClass.ERR_COUNT, e.errorClass(), e.toString());
            assertTrue(e.getMessage().contains(
                " has " + 4 * length[0] + " bytes where rank " + rank + " has " + 4 * length[1] + ": counts or types"),
                e.toString());
          }
          checkAfterwards(world);
        }
      }
    }
  }

  /** One of the ranks gives another length, in each operation whose lengths are the same everywhere. */
  @MpiTest(ranks = {2, 4}, timeout = 120)
  void otherLengthsInEachOperation(IntraComm world) {
    checkAfterwards(world);
    int n = world.size();
    for (int[] length : new int[][] {{8, 6}, {700, 1_400}, {40_000, 20}}) {
      for (int odd : new int[] {0, n - 1}) {
        int own = world.rank() == odd ? length[1] : length[0];
        Buf<Integer> one = Buf.of(new int[own]);
        Buf<Integer> other = Buf.of(new int[own]);
        Buf<Integer> all = Buf.of(new int[n * own]);
        Buf<Integer> others = Buf.of(new int[n * own]);
        int[] blame = {odd, length[0], length[1]};
        each(world, "gather", blame, () -> world.gather(one, all, 0));
        each(world, "scatter", blame, () -> world.scatter(all, one, n - 1));
        each(world, "allgather", blame, () -> world.allgather(one, all));
        each(world, "alltoall", blame, () -> world.alltoall(all, others));
        each(world, "reduce", blame, () -> world.reduce(one, other, Op.SUM, 0));
        each(world, "allreduce", blame, () -> world.allreduce(one, other, Op.SUM));
        each(world, "reduce-scatter-block", blame, () -> world.reduceScatterBlock(all, one, Op.SUM));
        each(world, "scan", blame, () -> world.scan(one, other, Op.SUM));
        each(world, "exscan", blame, () -> world.exscan(one, other, Op.SUM));
      }
    }
  }

  private static void each(IntraComm world, String name, int[] blame, Runnable call) {
    MpiException e = outcome(call);
    if (e != null) {
      checkError(e, world.rank(), blame[0], name, 4L * blame[2], 4L * blame[1]);
    }
    int[] failed = {e == null ? 0 : 1};
    world.allreduce(Buf.of(failed), Op.SUM);
    assertTrue(failed[0] > 0, name + ": somebody notices");
  }

  /** What really is something else is called so. */
  @MpiTest(ranks = {3, 4}, timeout = 120)
  void otherCallsAndRoots(IntraComm world) {
    checkAfterwards(world);
    boolean isOdd = world.rank() == 1;
    Buf<Integer> one = Buf.of(new int[4]);
    Buf<Integer> other = Buf.of(new int[4]);
    Runnable[][] calls = {
        {() -> world.allreduce(one, other, Op.SUM), world::barrier},
        {() -> world.allreduce(one, other, Op.SUM), () -> world.allreduce(Buf.of(new short[4]), Op.SUM)}};
    for (Runnable[] pair : calls) {
      MpiException e = outcome(isOdd ? pair[1] : pair[0]);
      if (e != null) {
        assertTrue(e.getMessage().contains(" has failed in this call")
            || e.errorClass() == ErrorClass.ERR_COUNT && e.getMessage().contains(" calls something else: "),
            e.toString());
      }
      int[] failed = {e == null ? 0 : 1};
      world.allreduce(Buf.of(failed), Op.SUM);
      assertTrue(failed[0] > 0, "somebody notices");
    }
  }

  /** An operation that throws at one rank (P50). */
  @MpiTest(ranks = {2, 4, 5}, timeout = 120)
  @DisplayName("S0-9: a function that throws at one rank fails the reduction there, and no other rank waits for ever")
  void functionsThatThrowAtOneRank(IntraComm world) {
    checkAfterwards(world);
    for (int length : new int[] {8, 1_500, 20_000}) {
      for (int thrower = 0; thrower < world.size(); thrower++) {
        for (boolean commutes : new boolean[] {true, false}) {
          for (int f = 0; f < FORMS.length; f++) {
            throwing(world, length, thrower, commutes, FORMS[f]);
          }
        }
      }
    }
  }

  private static void throwing(IntraComm world, int length, int thrower, boolean commutes, Form form) {
    AtomicInteger calls = new AtomicInteger();
    boolean throwsHere = world.rank() == thrower;
    Op<Object> sum = Op.kernel(commutes, (in, inout, len, _) -> {
      calls.incrementAndGet();
      if (throwsHere) {
        throw new IllegalArgumentException("not these two");
      }
      for (long i = 0; i < len; i++) {
        long at = i * Long.BYTES;
        inout.set(ValueLayout.JAVA_LONG, at, in.get(ValueLayout.JAVA_LONG, at)
            + inout.get(ValueLayout.JAVA_LONG, at));
      }
    });
    long[] mine = new long[length];
    Arrays.fill(mine, world.rank() + 1);
    long[] result = new long[length];
    Buf<Long> in = Buf.of(mine);
    Buf<Long> out = Buf.of(result);
    long[] expected = new long[length];
    Arrays.fill(expected, world.size() * (world.size() + 1L) / 2);
    MpiException e = outcome(() -> form.run(() -> world.iallreduce(in, out, sum),
        () -> world.allreduceInit(in, out, sum, null), () -> world.allreduce(in, out, sum)));
    checkThrown(e, throwsHere && calls.get() > 0);
    if (e == null) {
      assertArrayEquals(expected, result);
    }
    int root = world.size() - 1;
    calls.set(0);
    e = outcome(() -> form.run(() -> world.ireduce(in, out, sum, root),
        () -> world.reduceInit(in, out, sum, root, null), () -> world.reduce(in, out, sum, root)));
    checkThrown(e, throwsHere && calls.get() > 0);
    if (e == null && world.rank() == root) {
      assertArrayEquals(expected, result);
    }
    calls.set(0);
    Arrays.fill(expected, (world.rank() + 1) * (world.rank() + 2L) / 2);
    e = outcome(() -> form.run(() -> world.iscan(in, out, sum),
        () -> world.scanInit(in, out, sum, null), () -> world.scan(in, out, sum)));
    checkThrown(e, throwsHere && calls.get() > 0);
    if (e == null) {
      assertArrayEquals(expected, result);
    }
    checkAfterwards(world);
  }

  private static void checkThrown(MpiException e, boolean here) {
    if (here) {
      assertNotNull(e);
      assertTrue(e.getCause() instanceof IllegalArgumentException, e.toString());
    } else if (e != null) {
      assertTrue(e.getMessage().contains(" has failed in this call"), e.toString());
    }
  }

  /** A start that fails leaves nothing behind that the next start could take for its own. */
  @MpiTest(ranks = {2, 3, 5}, timeout = 120)
  void persistentOperationsGoOnAfterAFailedStart(IntraComm world) {
    for (int length : new int[] {4, 2_000, 20_000}) {
      boolean[] throwsNow = {false};
      boolean[] isThrown = {false};
      Op<Long> sum = Op.commutative(Long.class, (a, b) -> {
        if (throwsNow[0]) {
          isThrown[0] = true;
          throw new IllegalArgumentException("not now");
        }
        return a + b;
      });
      long[] mine = new long[length];
      long[] result = new long[length];
      try (Persistent reduction = world.allreduceInit(Buf.of(mine), Buf.of(result), sum, null)) {
        for (int start = 0; start < 6; start++) {
          int at = start;
          Arrays.setAll(mine, i -> world.rank() + i + at);
          throwsNow[0] = start % 3 == 1 && world.rank() == start % world.size();
          reduction.start();
          MpiException e = outcome(reduction::await);
          assertEquals(isThrown[0], e != null && e.getCause() instanceof IllegalArgumentException);
          isThrown[0] = false;
          if (start % 3 != 1) {
            assertNull(e);
          }
          if (e == null) {
            for (int i = 0; i < length; i++) {
              assertEquals(world.size() * (world.size() - 1L) / 2 + (long) world.size() * (i + at), result[i]);
            }
          }
        }
      }
    }
    checkAfterwards(world);
  }

  /** A rank whose call is refused goes on with the next one, and is a call behind the others (P51). */
  @MpiTest(ranks = {2, 4}, timeout = 120)
  void aRankThatLeavesACallOut(IntraComm world) {
    checkAfterwards(world);
    int odd = world.size() - 1;
    for (int length : new int[] {1, 3_000, 30_000}) {
      long[] data = new long[length];
      long[] sum = new long[length];
      Arrays.fill(data, 1);
      if (world.rank() == odd) {
        assertEquals(ErrorClass.ERR_ROOT, outcome(() -> world.bcast(Buf.of(data), -1)).errorClass());
      } else {
        MpiException e = outcome(() -> world.bcast(Buf.of(data), 0));
        assertTrue(e == null || e.getMessage().contains("bcast: rank "), () -> e.toString());
      }
      MpiException e = outcome(() -> world.allreduce(Buf.of(data), Buf.of(sum), Op.SUM));
      if (world.rank() == odd) {
        assertEquals(ErrorClass.ERR_COUNT, e.errorClass(), e.toString());
        assertTrue(e.getMessage().contains("calls something else"), e.toString());
        world.allreduce(Buf.of(data), Buf.of(sum), Op.SUM); // with the others again
      } else {
        assertNull(e);
      }
      assertEquals(world.size(), sum[length - 1]);
      checkAfterwards(world);
    }
  }

  /** A block of another length between two ranks, of any kind: the others have their blocks. */
  @MpiTest(ranks = {3, 5}, timeout = 120)
  void blocksOfOtherLengths(IntraComm world) {
    checkAfterwards(world);
    int n = world.size();
    for (int length : new int[] {4, 3_000, 60_000}) {
      for (int odd = 0; odd < n; odd++) {
        long[] counts = new long[n];
        Arrays.fill(counts, length);
        long[] shorter = counts.clone();
        if (world.rank() == odd) {
          shorter[(odd + 1) % n] = length / 2; // of what comes from the next rank
        }
        long[] displs = new long[n];
        Arrays.setAll(displs, i -> (long) i * length);
        int[] out = new int[n * length];
        Arrays.fill(out, world.rank());
        int[] in = new int[n * length];
        MpiException e = outcome(() -> world.alltoallv(Buf.of(out), counts, displs, Buf.of(in), shorter, displs));
        assertTrue(world.rank() != odd || e != null);
        if (world.rank() == odd) {
          assertEquals(ErrorClass.ERR_COUNT, e.errorClass(), e.toString());
          assertTrue(e.getMessage().contains("alltoallv: rank " + (odd + 1) % n + " has " + 4 * length
              + " bytes where rank " + odd + " has " + 2 * length + ": "), e.toString());
        } else if (e == null) {
          for (int i = 0; i < in.length; i++) {
            assertEquals(i / length, in[i]);
          }
        } else {
          assertTrue(e.getMessage().contains("rank " + odd + " has failed in this call"), e.toString());
        }
        checkAfterwards(world);
      }
    }
  }

  /** The ranks of both groups are told. */
  @MpiTest(ranks = {2, 4, 5}, timeout = 120)
  void betweenGroups(IntraComm world) {
    int side = world.rank() % 2;
    IntraComm half = world.split(side, world.rank());
    InterComm between = half.intercomm(0, world, 1 - side, 3);
    for (int length : new int[] {4, 5_000, 50_000}) {
      for (int thrower = 0; thrower < world.size(); thrower++) {
        boolean throwsHere = world.rank() == thrower;
        AtomicInteger calls = new AtomicInteger();
        Op<Long> sum = Op.commutative(Long.class, (a, b) -> {
          calls.incrementAndGet();
          if (throwsHere) {
            throw new IllegalArgumentException("not these two");
          }
          return a + b;
        });
        MpiException e = outcome(() -> between.allreduce(Buf.of(new long[length]), Buf.of(new long[length]), sum));
        checkThrown(e, throwsHere && calls.get() > 0);
        checkAfterwards(world);
      }
      int own = side == 0 ? length : length / 2;
      MpiException e = outcome(() -> between.allgather(Buf.of(new int[length]), Buf.of(new int[own
          * between.remoteSize()])));
      if (e != null && (side == 0 || e.errorClass() == ErrorClass.ERR_OTHER)) {
        assertTrue(e.getMessage().contains(" has failed in this call"), e.toString());
      } else if (e != null) {
        assertTrue(e.getMessage().contains("of the other group has " + 4 * length + " bytes where rank"), e.toString());
      }
      checkAfterwards(world);
    }
  }
}
