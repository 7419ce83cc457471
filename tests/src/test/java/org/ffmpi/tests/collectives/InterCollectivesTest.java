// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.collectives;

import static org.ffmpi.base.Constants.PROC_NULL;
import static org.ffmpi.base.Constants.ROOT;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.ffmpi.Buf;
import org.ffmpi.InterComm;
import org.ffmpi.IntraComm;
import org.ffmpi.Op;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.testkit.MpiVariant;
import org.ffmpi.tests.support.Halves;
import org.junit.jupiter.api.DisplayName;

/** Collective operations between two groups (MPI-4.1 §6.2.3), in all forms. */
@MpiVariant(name = "defaults")
@MpiVariant(name = "checked", settings = "ffmpi.check=full")
class InterCollectivesTest {
  /** A call with a root, in some form. */
  @FunctionalInterface
  private interface Rooted {
    Request start(int root);
  }

  /** What rank {@code from} of the upper or lower group has for rank {@code to} of the other one. */
  private static int value(boolean ofUpper, int from, int to, int i) {
    return (ofUpper ? 1_000_000 : 0) + 10_000 * from + 100 * to + i;
  }

  private static int[] block(boolean ofUpper, int from, int to, int count) {
    int[] block = new int[count];
    Arrays.setAll(block, i -> value(ofUpper, from, to, i));
    return block;
  }

  /** How many elements each rank of a group sends: more in one direction than in the other. */
  private static int amount(boolean ofUpper) {
    return ofUpper ? 5 : 2;
  }

  /** Runs a call with each rank of each group as root. */
  private static void forAllRoots(Halves halves, Rooted call, BiConsumer<Boolean, Integer> check) {
    for (boolean upper : new boolean[] {false, true}) {
      int roots = upper == halves.isUpper ? halves.localSize() : halves.remoteSize();
      for (int r = 0; r < roots; r++) {
        int root = upper != halves.isUpper ? r : r == halves.half.rank() ? ROOT : PROC_NULL;
        call.start(root).await();
        check.accept(upper, root);
      }
    }
  }

  /** A persistent request that has been started once more. */
  private static Request started(Persistent request) {
    request.start();
    request.await();
    request.start();
    return request;
  }

  private static int[] concat(int parts, IntFunction<int[]> part) {
    int[][] all = new int[parts][];
    Arrays.setAll(all, part);
    return Arrays.stream(all).flatMapToInt(Arrays::stream).toArray();
  }

  @MpiTest(ranks = {2, 3, 4, 8})
  void barrier(IntraComm world) {
    try (Halves halves = new Halves(world); Persistent barrier = halves.inter.barrierInit(null)) {
      halves.inter.barrier();
      halves.inter.ibarrier().await();
      started(barrier).await();
    }
  }

  @MpiTest(ranks = {2, 3, 4, 8})
  void bcast(IntraComm world) {
    try (Halves halves = new Halves(world)) {
      InterComm inter = halves.inter;
      AtomicInteger calls = new AtomicInteger();
      int[] data = new int[10];
      Buf<Integer> buf = Buf.of(data);
      forAllRoots(halves, root -> {
        Arrays.fill(data, root == ROOT ? 7 + calls.incrementAndGet() : -1);
        if (root != ROOT) {
          calls.incrementAndGet();
        }
        inter.bcast(root == PROC_NULL ? null : buf, root);
        inter.ibcast(root == PROC_NULL ? null : buf, root).await();
        return started(inter.bcastInit(root == PROC_NULL ? null : buf, root, null));
      }, (upper, root) -> {
        int[] expected = new int[10];
        Arrays.fill(expected, root == PROC_NULL ? -1 : 7 + calls.get());
        assertArrayEquals(expected, data);
      });
    }
  }

  @MpiTest(ranks = {2, 3, 4, 8})
  void gatherAndScatter(IntraComm world) {
    try (Halves halves = new Halves(world)) {
      InterComm inter = halves.inter;
      int me = inter.rank();
      int others = inter.remoteSize();
      int[] all = new int[3 * others];
      Buf<Integer> whole = Buf.of(all);
      int[] mine = new int[3];
      Buf<Integer> one = Buf.of(mine);
      forAllRoots(halves, root -> {
        System.arraycopy(block(halves.isUpper, me, 0, 3), 0, mine, 0, 3);
        Buf<Integer> send = root >= 0 ? one : null;
        Buf<Integer> recv = root == ROOT ? whole : null;
        inter.gather(send, recv, root);
        inter.igather(send, recv, root).await();
        return started(inter.gatherInit(send, recv, root, null));
      }, (upper, root) -> {
        if (root == ROOT) {
          assertArrayEquals(concat(others, r -> block(!halves.isUpper, r, 0, 3)), all);
        }
      });
      forAllRoots(halves, root -> {
        System.arraycopy(concat(others, r -> block(halves.isUpper, 1, r, 3)), 0, all, 0, all.length);
        Arrays.fill(mine, -1);
        Buf<Integer> send = root == ROOT ? whole : null;
        Buf<Integer> recv = root >= 0 ? one : null;
        inter.scatter(send, recv, root);
        inter.iscatter(send, recv, root).await();
        return started(inter.scatterInit(send, recv, root, null));
      }, (upper, root) ->
          assertArrayEquals(root >= 0 ? block(upper, 1, me, 3) : new int[] {-1, -1, -1}, mine));
    }
  }

  @MpiTest(ranks = {2, 3, 4, 8})
  void gathervAndScatterv(IntraComm world) {
    try (Halves halves = new Halves(world)) {
      InterComm inter = halves.inter;
      int me = inter.rank();
      int others = inter.remoteSize();
      long[] counts = new long[others]; // rank r sends and gets r elements, the first none
      long[] displs = new long[others];
      Arrays.setAll(counts, r -> r);
      Arrays.setAll(displs, r -> r * (r - 1) / 2);
      int[] all = new int[others * (others - 1) / 2];
      Buf<Integer> whole = Buf.of(all);
      int[] mine = new int[me];
      Buf<Integer> one = Buf.of(mine);
      forAllRoots(halves, root -> {
        System.arraycopy(block(halves.isUpper, me, 0, me), 0, mine, 0, me);
        Buf<Integer> send = root >= 0 ? one : null;
        inter.gatherv(send, root == ROOT ? whole : null, root == ROOT ? counts : null, displs, root);
        inter.igatherv(send, whole, counts, displs, root).await();
        return started(inter.gathervInit(send, whole, counts, displs, root, null));
      }, (upper, root) -> {
        if (root == ROOT) {
          assertArrayEquals(concat(others, r -> block(!halves.isUpper, r, 0, r)), all);
        }
      });
      forAllRoots(halves, root -> {
        System.arraycopy(concat(others, r -> block(halves.isUpper, 1, r, r)), 0, all, 0, all.length);
        Arrays.fill(mine, -1);
        Buf<Integer> recv = root >= 0 ? one : null;
        inter.scatterv(root == ROOT ? whole : null, counts, root == ROOT ? displs : null, recv, root);
        inter.iscatterv(whole, counts, displs, recv, root).await();
        return started(inter.scattervInit(whole, counts, displs, recv, root, null));
      }, (upper, root) -> {
        int[] untouched = new int[me];
        Arrays.fill(untouched, -1);
        assertArrayEquals(root >= 0 ? block(upper, 1, me, me) : untouched, mine);
      });
    }
  }

  @MpiTest(ranks = {2, 3, 4, 8})
  void allgather(IntraComm world) {
    try (Halves halves = new Halves(world)) {
      InterComm inter = halves.inter;
      int others = inter.remoteSize();
      int out = amount(halves.isUpper);
      int in = amount(!halves.isUpper);
      Buf<Integer> send = Buf.of(block(halves.isUpper, inter.rank(), 0, out));
      int[] all = new int[in * others];
      Buf<Integer> recv = Buf.of(all);
      long[] counts = new long[others];
      long[] displs = new long[others];
      Arrays.fill(counts, in);
      Arrays.setAll(displs, r -> (long) in * r);
      for (Supplier<Request> start : List.<Supplier<Request>>of(
          () -> inter.iallgather(send, recv),
          () -> started(inter.allgatherInit(send, recv, null)),
          () -> inter.iallgatherv(send, recv, counts, displs),
          () -> started(inter.allgathervInit(send, recv, counts, displs, null)))) {
        start.get().await();
        assertArrayEquals(concat(others, r -> block(!halves.isUpper, r, 0, in)), all);
      }
      Arrays.fill(all, 0);
      inter.allgather(send, recv);
      assertArrayEquals(concat(others, r -> block(!halves.isUpper, r, 0, in)), all);
      inter.allgatherv(send, recv, counts, displs);
      assertArrayEquals(concat(others, r -> block(!halves.isUpper, r, 0, in)), all);
    }
  }

  @MpiTest(ranks = {2, 3, 4, 8})
  @DisplayName("S2-6, S2-10, S2-14: between two groups, amounts need not be the same in both directions")
  void alltoall(IntraComm world) {
    try (Halves halves = new Halves(world)) {
      InterComm inter = halves.inter;
      int others = inter.remoteSize();
      int out = halves.isUpper ? 0 : 3;
      int in = 3 - out;
      Buf<Integer> send = Buf.of(concat(others, r -> block(halves.isUpper, inter.rank(), r, out)));
      int[] all = new int[in * others];
      Buf<Integer> recv = Buf.of(all);
      int[] expected = concat(others, r -> block(!halves.isUpper, r, inter.rank(), in));
      long[] outs = new long[others];
      long[] ins = new long[others];
      Arrays.fill(outs, out);
      Arrays.fill(ins, in);
      long[] outAt = new long[others];
      long[] inAt = new long[others];
      Arrays.setAll(outAt, r -> (long) r * out);
      Arrays.setAll(inAt, r -> (long) r * in);
      Datatype<?>[] types = new Datatype<?>[others];
      Arrays.fill(types, Datatype.INT32_T);
      long[] outBytes = Arrays.stream(outAt).map(d -> 4 * d).toArray();
      long[] inBytes = Arrays.stream(inAt).map(d -> 4 * d).toArray();
      inter.alltoall(send, recv);
      assertArrayEquals(expected, all);
      inter.alltoallv(send, outs, outAt, recv, ins, inAt);
      assertArrayEquals(expected, all);
      inter.alltoallw(send, outs, outBytes, types, recv, ins, inBytes, types);
      assertArrayEquals(expected, all);
      for (Supplier<Request> start : List.<Supplier<Request>>of(
          () -> inter.ialltoall(send, recv),
          () -> started(inter.alltoallInit(send, recv, null)),
          () -> inter.ialltoallv(send, outs, outAt, recv, ins, inAt),
          () -> started(inter.alltoallvInit(send, outs, outAt, recv, ins, inAt, null)),
          () -> inter.ialltoallw(send, outs, outBytes, types, recv, ins, inBytes, types),
          () -> started(inter.alltoallwInit(send, outs, outBytes, types, recv, ins, inBytes, types, null)))) {
        start.get().await();
        assertArrayEquals(expected, all);
      }
    }
  }

  @MpiTest(ranks = {2, 3, 4, 8})
  void reductions(IntraComm world) {
    try (Halves halves = new Halves(world)) {
      InterComm inter = halves.inter;
      int others = inter.remoteSize();
      int count = 2 * inter.size() * others;
      int[] mine = new int[count];
      Arrays.setAll(mine, i -> value(halves.isUpper, inter.rank(), 0, i));
      int[] theirs = new int[count];
      for (int r = 0; r < others; r++) {
        for (int i = 0; i < count; i++) {
          theirs[i] += value(!halves.isUpper, r, 0, i);
        }
      }
      int[] sum = new int[count];
      Buf<Integer> send = Buf.of(mine);
      Buf<Integer> recv = Buf.of(sum);
      inter.allreduce(send, recv, Op.SUM);
      assertArrayEquals(theirs, sum);
      for (Supplier<Request> start : List.<Supplier<Request>>of(
          () -> inter.iallreduce(send, recv, Op.SUM),
          () -> started(inter.allreduceInit(send, recv, Op.SUM, null)))) {
        start.get().await();
        assertArrayEquals(theirs, sum);
      }
      forAllRoots(halves, root -> {
        Arrays.fill(sum, -1);
        Buf<Integer> operand = root >= 0 ? send : null;
        Buf<Integer> result = root == ROOT ? recv : null;
        Op<Object> op = root == PROC_NULL ? null : Op.SUM;
        inter.reduce(operand, result, op, root);
        inter.ireduce(operand, result, op, root).await();
        return started(inter.reduceInit(operand, result, op, root, null));
      }, (upper, root) -> assertEquals(root == ROOT ? theirs[count - 1] : -1, sum[count - 1]));

      int each = count / inter.size();
      int[] part = new int[each];
      Buf<Integer> to = Buf.of(part);
      int[] expected = Arrays.copyOfRange(theirs, each * inter.rank(), each * (inter.rank() + 1));
      inter.reduceScatterBlock(send, to, Op.SUM);
      assertArrayEquals(expected, part);
      long[] counts = new long[inter.size()];
      Arrays.fill(counts, each);
      inter.reduceScatter(send, to, counts, Op.SUM);
      assertArrayEquals(expected, part);
      for (Supplier<Request> start : List.<Supplier<Request>>of(
          () -> inter.ireduceScatterBlock(send, to, Op.SUM),
          () -> started(inter.reduceScatterBlockInit(send, to, Op.SUM, null)),
          () -> inter.ireduceScatter(send, to, counts, Op.SUM),
          () -> started(inter.reduceScatterInit(send, to, counts, Op.SUM, null)))) {
        start.get().await();
        assertArrayEquals(expected, part);
      }
    }
  }
}
