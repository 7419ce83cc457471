// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.collectives;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.Arrays;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Info;
import org.ffmpi.Op;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.testkit.MpiVariant;
import org.ffmpi.tests.support.EveryTransport;

/**
 * Every collective operation in each of its forms: blocking, nonblocking and persistent, apart and in place.
 * This file is long because each operation has a test of its own, which shows the calls as a program writes them.
 */
@EveryTransport
@MpiVariant(name = "checked", settings = "ffmpi.check=full")
class CollectiveFormsTest {
  /** One call, in its three forms. */
  private record Forms(Runnable blocking, Supplier<Request> nonblocking, Supplier<Persistent> persistent) {
    /** Runs each form, after {@code before} and before {@code after}, the persistent one three times. */
    void run(Runnable before, Runnable after) {
      before.run();
      blocking.run();
      after.run();
      before.run();
      nonblocking.get().await();
      after.run();
      try (Persistent request = persistent.get()) {
        for (int i = 0; i < 3; i++) {
          assertFalse(request.isActive());
          before.run();
          request.start();
          request.await();
          after.run();
        }
      }
    }
  }

  /** What rank {@code from} has at {@code i} for rank {@code to}. */
  private static int value(int from, int to, int i) {
    return 10_000 * (from + 1) + 100 * to + i;
  }

  /** The elements that {@code from} has for {@code to}. */
  private static int[] block(int from, int to, int count) {
    int[] block = new int[count];
    Arrays.setAll(block, i -> value(from, to, i));
    return block;
  }

  private static int[] concat(int[]... parts) {
    return Arrays.stream(parts).flatMapToInt(Arrays::stream).toArray();
  }

  private static int[] blocks(int ranks, IntFunction<int[]> block) {
    int[][] parts = new int[ranks][];
    Arrays.setAll(parts, block);
    return concat(parts);
  }

  private static void set(int[] array, int[] values) {
    System.arraycopy(values, 0, array, 0, values.length);
  }

  private static void fill(int[] array) {
    Arrays.fill(array, -1);
  }

  @MpiTest(ranks = {1, 2, 3, 4, 8})
  void barrierAndBcast(Comm world) {
    new Forms(world::barrier, world::ibarrier, () -> world.barrierInit(null)).run(() -> {}, () -> {});
    for (int root = 0; root < world.size(); root++) {
      int r = root;
      int[] data = new int[50];
      Buf<Integer> buf = Buf.of(data);
      new Forms(() -> world.bcast(buf, r), () -> world.ibcast(buf, r), () -> world.bcastInit(buf, r, null)).run(
          () -> {
            fill(data);
            if (world.rank() == r) {
              set(data, block(r, 0, 50));
            }
          },
          () -> assertArrayEquals(block(r, 0, 50), data));
    }
  }

  @MpiTest(ranks = {1, 2, 3, 4, 8})
  void gather(Comm world) {
    int n = world.size();
    int me = world.rank();
    for (int root = 0; root < n; root++) {
      int r = root;
      Buf<Integer> send = Buf.of(block(me, r, 5));
      int[] all = new int[5 * n];
      Buf<Integer> recv = me == r ? Buf.of(all) : null;
      int[] expected = blocks(n, from -> block(from, r, 5));
      Runnable after = () -> {
        if (me == r) {
          assertArrayEquals(expected, all);
        }
      };
      new Forms(
          () -> world.gather(send, recv, r), () -> world.igather(send, recv, r),
          () -> world.gatherInit(send, recv, r, null))
          .run(() -> fill(all), after);
      Buf<Integer> buf = me == r ? Buf.of(all) : send;
      new Forms(() -> world.gather(buf, r), () -> world.igather(buf, r), () -> world.gatherInit(buf, r, null)).run(
          () -> {
            fill(all);
            System.arraycopy(expected, 5 * r, all, 5 * r, 5);
          }, after);
    }
  }

  @MpiTest(ranks = {1, 2, 3, 4, 8})
  void scatter(Comm world) {
    int n = world.size();
    int me = world.rank();
    for (int root = 0; root < n; root++) {
      int r = root;
      Buf<Integer> send = me == r ? Buf.of(blocks(n, to -> block(r, to, 5))) : null;
      int[] mine = new int[5];
      Buf<Integer> recv = Buf.of(mine);
      new Forms(
          () -> world.scatter(send, recv, r), () -> world.iscatter(send, recv, r),
          () -> world.scatterInit(send, recv, r, null))
          .run(() -> fill(mine), () -> assertArrayEquals(block(r, me, 5), mine));
      Buf<Integer> buf = me == r ? send : recv;
      new Forms(() -> world.scatter(buf, r), () -> world.iscatter(buf, r), () -> world.scatterInit(buf, r, null)).run(
          () -> fill(mine),
          () -> {
            if (me != r) {
              assertArrayEquals(block(r, me, 5), mine);
            }
          });
    }
  }

  /** Blocks of 0, 1, 2, … elements with a gap of one after each, from the back to the front. */
  private static final class Layout {
    final long[] counts;
    final long[] displs;
    final int length;

    Layout(int ranks) {
      counts = new long[ranks];
      displs = new long[ranks];
      int at = 0;
      for (int r = ranks - 1; r >= 0; r--) {
        counts[r] = r % 3;
        displs[r] = at;
        at += (int) counts[r] + 1;
      }
      length = at;
    }

    int[] whole(IntFunction<int[]> block) {
      int[] whole = new int[length];
      fill(whole);
      for (int r = 0; r < counts.length; r++) {
        System.arraycopy(block.apply(r), 0, whole, (int) displs[r], (int) counts[r]);
      }
      return whole;
    }

    int count(int rank) {
      return (int) counts[rank];
    }
  }

  @MpiTest(ranks = {1, 2, 3, 4, 8})
  void gatherv(Comm world) {
    int n = world.size();
    int me = world.rank();
    Layout at = new Layout(n);
    for (int root = 0; root < n; root++) {
      int r = root;
      Buf<Integer> send = Buf.of(block(me, r, at.count(me)));
      int[] all = new int[at.length];
      Buf<Integer> recv = me == r ? Buf.of(all) : null;
      long[] counts = me == r ? at.counts : null;
      long[] displs = me == r ? at.displs : null;
      int[] expected = at.whole(from -> block(from, r, at.count(from)));
      Runnable after = () -> {
        if (me == r) {
          assertArrayEquals(expected, all);
        }
      };
      new Forms(
          () -> world.gatherv(send, recv, counts, displs, r), () -> world.igatherv(send, recv, counts, displs, r),
          () -> world.gathervInit(send, recv, counts, displs, r, null))
          .run(() -> fill(all), after);
      Buf<Integer> buf = me == r ? recv : send;
      new Forms(
          () -> world.gatherv(buf, counts, displs, r), () -> world.igatherv(buf, counts, displs, r),
          () -> world.gathervInit(buf, counts, displs, r, new Info()))
          .run(() -> {
            fill(all);
            System.arraycopy(expected, (int) at.displs[r], all, (int) at.displs[r], at.count(r));
          }, after);
    }
  }

  @MpiTest(ranks = {1, 2, 3, 4, 8})
  void scatterv(Comm world) {
    int n = world.size();
    int me = world.rank();
    Layout at = new Layout(n);
    for (int root = 0; root < n; root++) {
      int r = root;
      Buf<Integer> send = me == r ? Buf.of(at.whole(to -> block(r, to, at.count(to)))) : null;
      long[] counts = me == r ? at.counts : null;
      long[] displs = me == r ? at.displs : null;
      int[] mine = new int[at.count(me)];
      Buf<Integer> recv = Buf.of(mine);
      new Forms(
          () -> world.scatterv(send, counts, displs, recv, r), () -> world.iscatterv(send, counts, displs, recv, r),
          () -> world.scattervInit(send, counts, displs, recv, r, null))
          .run(() -> fill(mine), () -> assertArrayEquals(block(r, me, at.count(me)), mine));
      Buf<Integer> buf = me == r ? send : recv;
      new Forms(
          () -> world.scatterv(buf, counts, displs, r), () -> world.iscatterv(buf, counts, displs, r),
          () -> world.scattervInit(buf, counts, displs, r, null))
          .run(() -> fill(mine), () -> {
            if (me != r) {
              assertArrayEquals(block(r, me, at.count(me)), mine);
            }
          });
    }
  }

  @MpiTest(ranks = {1, 2, 3, 4, 8})
  void allgather(Comm world) {
    int n = world.size();
    int me = world.rank();
    Buf<Integer> send = Buf.of(block(me, 0, 5));
    int[] all = new int[5 * n];
    Buf<Integer> recv = Buf.of(all);
    int[] expected = blocks(n, from -> block(from, 0, 5));
    Runnable after = () -> assertArrayEquals(expected, all);
    new Forms(() -> world.allgather(send, recv), () -> world.iallgather(send, recv),
        () -> world.allgatherInit(send, recv, null)).run(() -> fill(all), after);
    new Forms(() -> world.allgather(recv), () -> world.iallgather(recv), () -> world.allgatherInit(recv, null)).run(
        () -> {
          fill(all);
          System.arraycopy(expected, 5 * me, all, 5 * me, 5);
        }, after);
  }

  @MpiTest(ranks = {1, 2, 3, 4, 8})
  void allgatherv(Comm world) {
    int n = world.size();
    int me = world.rank();
    Layout at = new Layout(n);
    Buf<Integer> send = Buf.of(block(me, 0, at.count(me)));
    int[] all = new int[at.length];
    Buf<Integer> recv = Buf.of(all);
    int[] expected = at.whole(from -> block(from, 0, at.count(from)));
    Runnable after = () -> assertArrayEquals(expected, all);
    new Forms(
        () -> world.allgatherv(send, recv, at.counts, at.displs),
        () -> world.iallgatherv(send, recv, at.counts, at.displs),
        () -> world.allgathervInit(send, recv, at.counts, at.displs, null)).run(() -> fill(all), after);
    new Forms(
        () -> world.allgatherv(recv, at.counts, at.displs), () -> world.iallgatherv(recv, at.counts, at.displs),
        () -> world.allgathervInit(recv, at.counts, at.displs, null)).run(
            () -> {
              fill(all);
              System.arraycopy(expected, (int) at.displs[me], all, (int) at.displs[me], at.count(me));
            }, after);
  }

  @MpiTest(ranks = {1, 2, 3, 4, 8})
  void alltoall(Comm world) {
    int n = world.size();
    int me = world.rank();
    int[] mine = blocks(n, to -> block(me, to, 3));
    Buf<Integer> send = Buf.of(mine);
    int[] all = new int[3 * n];
    Buf<Integer> recv = Buf.of(all);
    Runnable after = () -> assertArrayEquals(blocks(n, from -> block(from, me, 3)), all);
    new Forms(() -> world.alltoall(send, recv), () -> world.ialltoall(send, recv),
        () -> world.alltoallInit(send, recv, null)).run(() -> fill(all), after);
    new Forms(() -> world.alltoall(recv), () -> world.ialltoall(recv), () -> world.alltoallInit(recv, null))
        .run(() -> set(all, mine), after);
  }

  @MpiTest(ranks = {1, 2, 3, 4, 8})
  void alltoallv(Comm world) {
    int n = world.size();
    int me = world.rank();
    long[] counts = new long[n];
    long[] displs = new long[n];
    for (int r = 0; r < n; r++) {
      counts[r] = (me + r) % 3;
      displs[r] = r == 0 ? 1 : displs[r - 1] + counts[r - 1] + 1;
    }
    int length = (int) (displs[n - 1] + counts[n - 1] + 1);
    int[] mine = new int[length];
    int[] expected = new int[length];
    fill(mine);
    fill(expected);
    for (int r = 0; r < n; r++) {
      System.arraycopy(block(me, r, (int) counts[r]), 0, mine, (int) displs[r], (int) counts[r]);
      System.arraycopy(block(r, me, (int) counts[r]), 0, expected, (int) displs[r], (int) counts[r]);
    }
    int[] all = new int[length];
    Buf<Integer> send = Buf.of(mine);
    Buf<Integer> recv = Buf.of(all);
    Runnable after = () -> assertArrayEquals(expected, all);
    new Forms(
        () -> world.alltoallv(send, counts, displs, recv, counts, displs),
        () -> world.ialltoallv(send, counts, displs, recv, counts, displs),
        () -> world.alltoallvInit(send, counts, displs, recv, counts, displs, null)).run(() -> fill(all), after);
    new Forms(
        () -> world.alltoallv(recv, counts, displs), () -> world.ialltoallv(recv, counts, displs),
        () -> world.alltoallvInit(recv, counts, displs, null)).run(() -> set(all, mine), after);
  }

  /** A transpose: each rank has some rows and gets some columns, straight from strided memory. */
  @MpiTest(ranks = {1, 2, 3, 4, 8})
  void alltoallw(Comm world) {
    int n = world.size();
    int me = world.rank();
    int[] rows = new int[2 * n * 2]; // two rows of the matrix, of two columns for each rank
    Arrays.setAll(rows, i -> 1000 * (2 * me + i / (2 * n)) + i % (2 * n));
    int[] columns = new int[rows.length]; // two columns, one after the other
    Datatype<Integer> patch = Datatype.vector(2, 2, 2L * n, Datatype.INT32_T).commit();
    Datatype<Integer> turned =
        Datatype.hvector(2, 1, 4, Datatype.vector(2, 1, 2L * n, Datatype.INT32_T)).commit();
    long[] ones = new long[n];
    Arrays.fill(ones, 1);
    long[] displs = new long[n];
    Arrays.setAll(displs, r -> 8L * r);
    Datatype<?>[] patches = new Datatype<?>[n];
    Arrays.fill(patches, patch);
    Datatype<?>[] turnedOnes = new Datatype<?>[n];
    Arrays.fill(turnedOnes, turned);
    int[] expected = new int[rows.length];
    Arrays.setAll(expected, i -> 1000 * (i % (2 * n)) + 2 * me + i / (2 * n));
    Buf<Integer> send = Buf.of(rows);
    Buf<Integer> recv = Buf.of(columns);
    new Forms(
        () -> world.alltoallw(send, ones, displs, patches, recv, ones, displs, turnedOnes),
        () -> world.ialltoallw(send, ones, displs, patches, recv, ones, displs, turnedOnes),
        () -> world.alltoallwInit(send, ones, displs, patches, recv, ones, displs, turnedOnes, null))
        .run(() -> fill(columns), () -> assertArrayEquals(expected, columns));
    int[] inPlace = new int[rows.length];
    Buf<Integer> buf = Buf.of(inPlace);
    int[] exchanged = new int[rows.length];
    Arrays.setAll(
        exchanged, i -> 1000 * (2 * (i % (2 * n) / 2) + i / (2 * n)) + 2 * me + i % 2);
    new Forms(
        () -> world.alltoallw(buf, ones, displs, patches), () -> world.ialltoallw(buf, ones, displs, patches),
        () -> world.alltoallwInit(buf, ones, displs, patches, null))
        .run(() -> set(inPlace, rows), () -> assertArrayEquals(exchanged, inPlace));
  }

  @MpiTest(ranks = {1, 2, 3, 4, 8})
  void alltoallwOfBuffers(Comm world) {
    int n = world.size();
    int me = world.rank();
    int[][] out = new int[n][];
    int[][] in = new int[n][];
    Buf<?>[] send = new Buf<?>[n];
    Buf<?>[] recv = new Buf<?>[n];
    for (int r = 0; r < n; r++) {
      out[r] = block(me, r, (me + r) % 4);
      in[r] = new int[(me + r) % 4];
      send[r] = Buf.of(out[r]);
      recv[r] = Buf.of(in[r]);
    }
    Runnable after = () -> {
      for (int r = 0; r < n; r++) {
        assertArrayEquals(block(r, me, (me + r) % 4), in[r]);
      }
    };
    new Forms(
        () -> world.alltoallw(send, recv), () -> world.ialltoallw(send, recv),
        () -> world.alltoallwInit(send, recv, null)).run(() -> Arrays.stream(in).forEach(CollectiveFormsTest::fill),
            after);
    new Forms(() -> world.alltoallw(recv), () -> world.ialltoallw(recv), () -> world.alltoallwInit(recv, null)).run(
        () -> {
          for (int r = 0; r < n; r++) {
            set(in[r], out[r]);
          }
        }, after);
  }

  private static int sum(int ranks, int i) {
    int sum = 0;
    for (int r = 0; r < ranks; r++) {
      sum += value(r, 0, i);
    }
    return sum;
  }

  private static int[] sums(int ranks, int from, int count) {
    int[] sums = new int[count];
    Arrays.setAll(sums, i -> sum(ranks, from + i));
    return sums;
  }

  @MpiTest(ranks = {1, 2, 3, 4, 8})
  void reduceAndAllreduce(Comm world) {
    int n = world.size();
    int me = world.rank();
    int[] mine = block(me, 0, 7);
    Buf<Integer> send = Buf.of(mine);
    int[] result = new int[7];
    Buf<Integer> recv = Buf.of(result);
    Runnable after = () -> assertArrayEquals(sums(n, 0, 7), result);
    new Forms(() -> world.allreduce(send, recv, Op.SUM), () -> world.iallreduce(send, recv, Op.SUM),
        () -> world.allreduceInit(send, recv, Op.SUM, null)).run(() -> fill(result), after);
    new Forms(() -> world.allreduce(recv, Op.SUM), () -> world.iallreduce(recv, Op.SUM),
        () -> world.allreduceInit(recv, Op.SUM, null)).run(() -> set(result, mine), after);
    for (int root = 0; root < n; root++) {
      int r = root;
      Runnable atRoot = () -> {
        if (me == r) {
          after.run();
        }
      };
      new Forms(() -> world.reduce(send, recv, Op.SUM, r), () -> world.ireduce(send, recv, Op.SUM, r),
          () -> world.reduceInit(send, recv, Op.SUM, r, null)).run(() -> fill(result), atRoot);
      new Forms(() -> world.reduce(recv, Op.SUM, r), () -> world.ireduce(recv, Op.SUM, r),
          () -> world.reduceInit(recv, Op.SUM, r, null)).run(() -> set(result, mine), atRoot);
    }
  }

  @MpiTest(ranks = {1, 2, 3, 4, 8})
  void scans(Comm world) {
    int me = world.rank();
    int[] mine = block(me, 0, 7);
    Buf<Integer> send = Buf.of(mine);
    int[] result = new int[7];
    Buf<Integer> recv = Buf.of(result);
    Runnable after = () -> assertArrayEquals(sums(me + 1, 0, 7), result);
    new Forms(() -> world.scan(send, recv, Op.SUM), () -> world.iscan(send, recv, Op.SUM),
        () -> world.scanInit(send, recv, Op.SUM, null)).run(() -> fill(result), after);
    new Forms(() -> world.scan(recv, Op.SUM), () -> world.iscan(recv, Op.SUM),
        () -> world.scanInit(recv, Op.SUM, null)).run(() -> set(result, mine), after);

    int[] untouched = new int[7];
    fill(untouched);
    new Forms(() -> world.exscan(send, recv, Op.SUM), () -> world.iexscan(send, recv, Op.SUM),
        () -> world.exscanInit(send, recv, Op.SUM, null)).run(
            () -> fill(result), () -> assertArrayEquals(me == 0 ? untouched : sums(me, 0, 7), result));
    Buf<Integer> none = me == 0 ? null : recv;
    new Forms(() -> world.exscan(send, none, Op.SUM), () -> world.iexscan(send, none, Op.SUM),
        () -> world.exscanInit(send, none, Op.SUM, null)).run(
            () -> fill(result), () -> assertArrayEquals(me == 0 ? untouched : sums(me, 0, 7), result));
    new Forms(() -> world.exscan(recv, Op.SUM), () -> world.iexscan(recv, Op.SUM),
        () -> world.exscanInit(recv, Op.SUM, null)).run(
            () -> set(result, mine), () -> assertArrayEquals(me == 0 ? mine : sums(me, 0, 7), result));
  }

  @MpiTest(ranks = {1, 2, 3, 4, 8})
  void reduceScatter(Comm world) {
    int n = world.size();
    int me = world.rank();
    int[] mine = block(me, 0, 3 * n);
    Buf<Integer> send = Buf.of(mine);
    int[] result = new int[3];
    Buf<Integer> recv = Buf.of(result);
    new Forms(
        () -> world.reduceScatterBlock(send, recv, Op.SUM), () -> world.ireduceScatterBlock(send, recv, Op.SUM),
        () -> world.reduceScatterBlockInit(send, recv, Op.SUM, null))
        .run(() -> fill(result), () -> assertArrayEquals(sums(n, 3 * me, 3), result));
    int[] all = new int[3 * n];
    Buf<Integer> buf = Buf.of(all);
    new Forms(
        () -> world.reduceScatterBlock(buf, Op.SUM), () -> world.ireduceScatterBlock(buf, Op.SUM),
        () -> world.reduceScatterBlockInit(buf, Op.SUM, null))
        .run(() -> set(all, mine), () -> assertArrayEquals(sums(n, 3 * me, 3), Arrays.copyOf(all, 3)));

    long[] counts = new long[n];
    Arrays.setAll(counts, r -> r % 3);
    int total = (int) Arrays.stream(counts).sum();
    int start = (int) Arrays.stream(counts, 0, me).sum();
    int length = (int) counts[me];
    int[] whole = block(me, 0, total);
    Buf<Integer> from = Buf.of(whole);
    int[] part = new int[length];
    Buf<Integer> to = Buf.of(part);
    new Forms(
        () -> world.reduceScatter(from, to, counts, Op.SUM), () -> world.ireduceScatter(from, to, counts, Op.SUM),
        () -> world.reduceScatterInit(from, to, counts, Op.SUM, null))
        .run(() -> fill(part), () -> assertArrayEquals(sums(n, start, length), part));
    int[] replaced = new int[total];
    Buf<Integer> in = Buf.of(replaced);
    new Forms(
        () -> world.reduceScatter(in, counts, Op.SUM), () -> world.ireduceScatter(in, counts, Op.SUM),
        () -> world.reduceScatterInit(in, counts, Op.SUM, null))
        .run(
            () -> set(replaced, whole),
            () -> assertArrayEquals(sums(n, start, length), Arrays.copyOf(replaced, length)));
  }
}
