// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.operations;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Op;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.EveryTransport;
import org.ffmpi.tests.support.Seeds;
import org.junit.jupiter.api.DisplayName;

/** A program's own operations that do not commute, in every call that reduces, against the linear chain of ranks. */
@EveryTransport
class UserOpFormsTest {
  private static final int[] COUNTS = {0, 1, 3, 100, 1_500};

  private enum Kind { REDUCE, ALLREDUCE, REDUCE_SCATTER_BLOCK, REDUCE_SCATTER, SCAN, EXSCAN }

  /** The buffers of one call at this rank, and what they hold before and after. */
  private static final class Call<T> {
    final IntraComm world;
    final Kind kind;
    final Datatype<T> type;
    final Op<? super T> op;
    final int root;
    final long[] counts;
    final boolean inPlace;
    final int sent;
    final int received;
    final MemorySegment send;
    final MemorySegment recv;
    final Buf<T> from;
    final Buf<T> to;

    /** Everything random but the kinds of memory is the same at all ranks. */
    Call(IntraComm world, RandomGenerator same, RandomGenerator own, Kind kind, Datatype<T> type, Op<? super T> op,
        Arena confined, Arena shared) {
      int n = world.size();
      this.world = world;
      this.kind = kind;
      this.type = type;
      this.op = op;
      this.root = same.nextInt(n);
      this.inPlace = same.nextBoolean();
      this.counts = new long[n];
      int length = COUNTS[same.nextInt(COUNTS.length)];
      Arrays.setAll(counts, _ -> kind == Kind.REDUCE_SCATTER ? COUNTS[same.nextInt(COUNTS.length)] : length);
      boolean scattered = kind == Kind.REDUCE_SCATTER || kind == Kind.REDUCE_SCATTER_BLOCK;
      this.sent = scattered ? (int) Arrays.stream(counts).sum() : length;
      this.received = (int) counts[world.rank()];
      this.send = memory(own, sent * type.extent(), confined, shared);
      this.recv = memory(own, received * type.extent(), confined, shared);
      boolean here = inPlace && (kind != Kind.REDUCE || world.rank() == root);
      this.from = here ? Buf.inPlace() : Buf.of(send, sent, type);
      this.to = here ? Buf.of(send, sent, type) : Buf.of(recv, received, type);
    }

    private static MemorySegment memory(RandomGenerator random, long bytes, Arena confined, Arena shared) {
      return switch (random.nextInt(4)) {
        case 0 -> MemorySegment.ofArray(new long[(int) (bytes / 8)]);
        case 1 -> confined.allocate(bytes, 8);
        case 2 -> shared.allocate(bytes, 8);
        default -> Arena.ofAuto().allocate(bytes, 8);
      };
    }

    void fill() {
      Affine.fill(send, type.extent(), sent, world.rank());
      recv.fill((byte) -1);
    }

    void check(String how) {
      int rank = world.rank();
      boolean none = kind == Kind.REDUCE && rank != root || kind == Kind.EXSCAN && rank == 0;
      boolean scattered = kind == Kind.REDUCE_SCATTER || kind == Kind.REDUCE_SCATTER_BLOCK;
      int first = scattered ? (int) Arrays.stream(counts, 0, rank).sum() : 0;
      int ranks = kind == Kind.SCAN ? rank + 1 : kind == Kind.EXSCAN ? rank : world.size();
      MemorySegment result = from.isInPlace() ? send : recv;
      for (int i = 0; i < received; i++) {
        Affine untouched = from.isInPlace() ? Affine.of(rank, i) : new Affine(-1, -1);
        Affine expected = none ? untouched : Affine.chain(ranks, first + i);
        long at = i * type.extent();
        Affine actual = new Affine(
            result.get(ValueLayout.JAVA_LONG, at), result.get(ValueLayout.JAVA_LONG, at + 8));
        String what = how + " " + kind + (inPlace ? " in place" : "") + " of " + received + " x " + type + " with " + op
            + ", root " + root + ", element " + i;
        assertEquals(expected, actual, what);
        for (long gap = 16; gap < type.extent(); gap += 8) {
          assertEquals(-1, result.get(ValueLayout.JAVA_LONG, at + gap), what + ", the gap");
        }
      }
    }

    void blocking() {
      switch (kind) {
        case REDUCE -> world.reduce(from, to, op, root);
        case ALLREDUCE -> world.allreduce(from, to, op);
        case REDUCE_SCATTER_BLOCK -> world.reduceScatterBlock(from, to, op);
        case REDUCE_SCATTER -> world.reduceScatter(from, to, counts, op);
        case SCAN -> world.scan(from, to, op);
        case EXSCAN -> world.exscan(from, to, op);
      }
    }

    Request nonblocking() {
      return switch (kind) {
        case REDUCE -> world.ireduce(from, to, op, root);
        case ALLREDUCE -> world.iallreduce(from, to, op);
        case REDUCE_SCATTER_BLOCK -> world.ireduceScatterBlock(from, to, op);
        case REDUCE_SCATTER -> world.ireduceScatter(from, to, counts, op);
        case SCAN -> world.iscan(from, to, op);
        case EXSCAN -> world.iexscan(from, to, op);
      };
    }

    Persistent persistent() {
      return switch (kind) {
        case REDUCE -> world.reduceInit(from, to, op, root, null);
        case ALLREDUCE -> world.allreduceInit(from, to, op, null);
        case REDUCE_SCATTER_BLOCK -> world.reduceScatterBlockInit(from, to, op, null);
        case REDUCE_SCATTER -> world.reduceScatterInit(from, to, counts, op, null);
        case SCAN -> world.scanInit(from, to, op, null);
        case EXSCAN -> world.exscanInit(from, to, op, null);
      };
    }
  }

  @MpiTest(ranks = {1, 2, 3, 4, 5, 8})
  @DisplayName("S0-1 S0-2 S0-8 S0-12 S0-14 S0-18 S2-16: every call that reduces gives what the chain of ranks gives")
  void everyCallAgreesWithTheChain(IntraComm world) {
    long[] seed = {Seeds.next()};
    world.bcast(Buf.of(seed), 0);
    Seeds.run(seed[0], () -> {
      RandomGenerator same = Seeds.random(seed[0]);
      RandomGenerator own = Seeds.random(seed[0] + 1 + world.rank());
      Datatype<Affine> wide = Affine.TYPE.resized(0, 32).commit();
      for (Kind kind : Kind.values()) {
        switch (same.nextInt(3)) {
          case 0 -> check(world, same, own, kind, Affine.TYPE, Affine.onRecords());
          case 1 -> check(world, same, own, kind, Affine.TYPE, Affine.inBulk());
          default -> check(world, same, own, kind, wide, Affine.onAnyType());
        }
      }
    });
  }

  private static <T> void check(IntraComm world, RandomGenerator same, RandomGenerator own, Kind kind,
      Datatype<T> type, Op<? super T> op) {
    try (Arena confined = Arena.ofConfined(); Arena shared = Arena.ofShared()) {
      Call<T> call = new Call<>(world, same, own, kind, type, op, confined, shared);
      call.fill();
      call.blocking();
      call.check("blocking");
      call.fill();
      call.nonblocking().await();
      call.check("nonblocking");
      try (Persistent request = call.persistent()) {
        op.close(); // the request goes on with it
        for (int start = 0; start < 3; start++) {
          call.fill();
          request.start();
          request.await();
          call.check("persistent, start " + start);
        }
      }
    }
  }
}
