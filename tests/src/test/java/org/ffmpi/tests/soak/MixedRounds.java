// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.soak;

import static org.ffmpi.base.Constants.ANY_SOURCE;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.ffmpi.Buf;
import org.ffmpi.CartComm;
import org.ffmpi.Comm;
import org.ffmpi.Grequest;
import org.ffmpi.IntraComm;
import org.ffmpi.Message;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.PartitionedRecv;
import org.ffmpi.PartitionedSend;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.tests.support.Seeds;

/**
 * Rounds of a soak in which several things happen at once: messages between random ranks in buffers of all kinds,
 * probes of all kinds, cancelled receives, blocks of different lengths, neighbours, communicators and shared memory
 * that are left to the garbage collector. All ranks draw the same rounds from one seed, on a communicator of their
 * own; where buffers lie each decides for itself.
 */
final class MixedRounds {
  private static final int KINDS_OF_ROUND = 12;

  private final Mpi mpi;
  private final IntraComm comm;
  private final int me;
  private final int size;
  private final RandomGenerator plan;
  private final RandomGenerator own;
  private final Datatype<?> gaps = Datatype.INT64_T.resized(0, 16).commit();
  private long sequence;

  MixedRounds(Mpi mpi, IntraComm comm, long seed) {
    this.mpi = mpi;
    this.comm = comm;
    this.me = comm.rank();
    this.size = comm.size();
    this.plan = Seeds.random(seed);
    this.own = Seeds.random(seed + 1 + me);
  }

  /** Runs one round. */
  void run() {
    int kind = plan.nextInt(KINDS_OF_ROUND);
    try {
      switch (kind) {
        case 0, 1, 2 -> messages(comm);
        case 3, 4 -> collectives(comm);
        case 5 -> blocks(comm);
        case 6 -> communicators();
        case 7 -> persistent();
        case 8 -> partitioned();
        case 9 -> probes();
        case 10 -> cancel();
        default -> garbage();
      }
    } catch (RuntimeException | Error e) {
      throw new AssertionError("rank " + me + " of " + size + ", kind of round " + kind + ", message " + sequence, e);
    }
  }

  private int length() {
    return Room.LEAST + switch (plan.nextInt(8)) {
      case 0, 1, 2 -> plan.nextInt(12);
      case 3, 4 -> plan.nextInt(500);
      case 5, 6 -> plan.nextInt(4_000);
      default -> plan.nextInt(30_000);
    };
  }

  private Room room(int length) {
    return Room.of(mpi, gaps, own, length);
  }

  // ---- point-to-point

  /** Some messages between random ranks, in all modes; their receivers take them in order. */
  private void messages(Comm on) {
    List<Request> requests = new ArrayList<>();
    List<Runnable> checks = new ArrayList<>();
    int ranks = on.size();
    int rank = on.rank();
    for (int n = 1 + plan.nextInt(3 * ranks); n > 0; n--) {
      int source = plan.nextInt(ranks);
      int dest = plan.nextInt(ranks);
      int tag = plan.nextInt(3);
      int length = length();
      boolean synchronous = plan.nextInt(4) == 0;
      long number = ++sequence;
      if (dest == rank) {
        Room in = room(length + own.nextInt(3));
        requests.add(on.irecv(in.buf(), source, tag));
        checks.add(() -> in.check(number, length, "from " + source));
      }
      if (source == rank) {
        Room out = room(length);
        out.fill(number);
        requests.add(synchronous ? on.issend(out.buf(), dest, tag) : on.isend(out.buf(), dest, tag));
        checks.add(() -> out.check(number, length, "after sending"));
      }
    }
    complete(requests);
    checks.forEach(Runnable::run);
  }

  private void complete(List<Request> requests) {
    switch (own.nextInt(4)) {
      case 0 -> requests.forEach(Request::await);
      case 1 -> {
        List<Request> left = new ArrayList<>(requests);
        while (!left.isEmpty()) {
          int at = Request.waitAny(left);
          left.remove(at);
        }
      }
      case 2 -> {
        while (!Request.testAll(requests)) {
          Thread.onSpinWait();
        }
      }
      default -> Request.waitAll(requests);
    }
  }

  private void probes() {
    int length = length();
    int tag = 5;
    long number = ++sequence;
    int next = (me + 1) % size;
    int previous = (me + size - 1) % size;
    Room out = room(length);
    out.fill(number);
    Request send = plan.nextBoolean() ? comm.isend(out.buf(), next, tag) : comm.issend(out.buf(), next, tag);
    Status seen = new Status();
    switch (plan.nextInt(3)) {
      case 0 -> comm.probe(own.nextBoolean() ? previous : ANY_SOURCE, tag, seen);
      case 1 -> {
        while (!comm.iprobe(previous, tag, seen)) {
          Thread.onSpinWait();
        }
      }
      default -> {
        Message message = comm.mprobe(previous, tag, seen);
        Room in = room((int) (seen.bytes() / 8));
        message.mrecv(in.buf());
        in.check(number, length, "mprobed");
        send.await();
        comm.barrier(); // the tag is used again
        return;
      }
    }
    Room in = room((int) (seen.bytes() / 8));
    comm.recv(in.buf(), seen.source(), tag);
    in.check(number, length, "probed");
    send.await();
    comm.barrier();
  }

  private void cancel() {
    Request never = comm.irecv(room(10).buf(), own.nextInt(size), 77);
    never.cancel();
    Status status = never.await(new Status());
    if (!status.isCancelled()) {
      throw new AssertionError("a receive that nobody sends to was not cancelled: " + status);
    }
    Grequest request = Grequest.start(mpi, into -> { });
    request.complete();
    request.await();
    messages(comm);
  }

  // ---- requests that are started again

  private void persistent() {
    int length = length();
    int next = (me + 1) % size;
    int previous = (me + size - 1) % size;
    Room out = room(length);
    Room in = room(length);
    int starts = 1 + plan.nextInt(4);
    try (Persistent send = comm.sendInit(out.buf(), next, 6);
        Persistent receive = comm.recvInit(in.buf(), previous, 6)) {
      for (int i = 0; i < starts; i++) {
        long number = ++sequence;
        out.fill(number);
        Persistent.startAll(List.of(receive, send));
        Request.waitAll(List.of(send, receive));
        in.check(number, length, "persistent");
      }
    }
  }

  private void partitioned() {
    int partitions = 1 + plan.nextInt(6);
    int length = (2 + plan.nextInt(500)) * partitions;
    int next = (me + 1) % size;
    int previous = (me + size - 1) % size;
    Room out = room(length);
    Room in = room(length);
    int starts = 1 + plan.nextInt(3);
    try (PartitionedSend send = comm.psendInit(out.buf(), partitions, next, 8);
        PartitionedRecv receive = comm.precvInit(in.buf(), partitions, previous, 8)) {
      for (int i = 0; i < starts; i++) {
        long number = ++sequence;
        out.fill(number);
        receive.start();
        send.start();
        for (int p = partitions - 1; p >= 0; p--) {
          send.pready(p);
        }
        receive.parrived(own.nextInt(partitions));
        Request.waitAll(List.of(send, receive));
        in.check(number, length, "partitioned");
      }
    }
  }

  // ---- collectives

  private void collectives(Comm on) {
    int ranks = on.size();
    int rank = on.rank();
    int root = plan.nextInt(ranks);
    int n = plan.nextInt(3) == 0 ? 1 + plan.nextInt(9_000) : 1 + plan.nextInt(20);
    long base = ++sequence;
    long[] mine = new long[n];
    Arrays.setAll(mine, i -> base + rank * 7L + i);
    long[] got = new long[n];
    long sum = ranks * base + 7L * ranks * (ranks - 1) / 2;
    int form = plan.nextInt(2);
    switch (plan.nextInt(6)) {
      case 0 -> {
        on.barrier();
        on.allreduce(Buf.of(mine), Buf.of(got), Op.SUM);
        expect(got, i -> sum + (long) ranks * i, "allreduce");
      }
      case 1 -> {
        if (form == 0) {
          on.reduce(Buf.of(mine), Buf.of(got), Op.SUM, root);
        } else {
          on.ireduce(Buf.of(mine), Buf.of(got), Op.SUM, root).await();
        }
        if (rank == root) {
          expect(got, i -> sum + (long) ranks * i, "reduce");
        }
      }
      case 2 -> {
        Room room = room(n + Room.LEAST);
        if (rank == root) {
          room.fill(base);
        }
        if (form == 0) {
          on.bcast(room.buf(), root);
        } else {
          on.ibcast(room.buf(), root).await();
        }
        room.check(base, n + Room.LEAST, "bcast");
      }
      case 3 -> {
        ((IntraComm) on).scan(Buf.of(mine), Buf.of(got), Op.MAX);
        expect(got, i -> base + rank * 7L + i, "scan");
      }
      case 4 -> {
        long[] all = new long[n * ranks];
        if (form == 0) {
          on.allgather(Buf.of(mine), Buf.of(all));
        } else {
          on.iallgather(Buf.of(mine), Buf.of(all)).await();
        }
        expect(all, i -> base + i / n * 7L + i % n, "allgather");
      }
      default -> {
        long[] out = new long[n * ranks];
        Arrays.setAll(out, i -> base + rank * 1_000L + i / n * 7L + i % n);
        long[] in = new long[n * ranks];
        on.alltoall(Buf.of(out), Buf.of(in));
        expect(in, i -> base + i / n * 1_000L + rank * 7L + i % n, "alltoall");
      }
    }
  }

  /** Blocks of different lengths. */
  private void blocks(Comm on) {
    int ranks = on.size();
    int rank = on.rank();
    int unit = plan.nextInt(4) == 0 ? 900 : 1 + plan.nextInt(9);
    long base = ++sequence;
    long[] counts = new long[ranks];
    long[] displs = new long[ranks];
    for (int i = 0; i < ranks; i++) {
      counts[i] = (long) unit * (i % 3);
      displs[i] = i == 0 ? 0 : displs[i - 1] + counts[i - 1];
    }
    int all = (int) (displs[ranks - 1] + counts[ranks - 1]);
    long[] mine = new long[(int) counts[rank]];
    Arrays.setAll(mine, i -> base + rank * 10_000L + i);
    long[] got = new long[all];
    int root = plan.nextInt(ranks);
    if (plan.nextBoolean()) {
      on.allgatherv(Buf.of(mine), Buf.of(got), counts, displs);
    } else {
      on.gatherv(Buf.of(mine), Buf.of(got), counts, displs, root);
      if (rank != root) {
        got = null;
      }
    }
    for (int r = 0; got != null && r < ranks; r++) {
      for (int i = 0; i < counts[r]; i++) {
        if (got[(int) displs[r] + i] != base + r * 10_000L + i) {
          throw new AssertionError("block " + r + ", number " + i);
        }
      }
    }
  }

  private interface Expected {
    long at(int index);
  }

  private static void expect(long[] got, Expected expected, String what) {
    for (int i = 0; i < got.length; i++) {
      if (got[i] != expected.at(i)) {
        throw new AssertionError(what + ": " + got[i] + " instead of " + expected.at(i) + " at " + i);
      }
    }
  }

  // ---- communicators

  private void communicators() {
    IntraComm made = switch (plan.nextInt(3)) {
      case 0 -> comm.dup();
      case 1 -> comm.split(me % 2, me);
      default -> comm.cartCreate(new int[] {size}, new boolean[] {true}, plan.nextBoolean());
    };
    if (made instanceof CartComm cart) {
      long base = ++sequence;
      long[] got = new long[2];
      cart.neighborAllgather(Buf.of(new long[] {base + cart.rank()}), Buf.of(got));
      expect(
          got, i -> base + (cart.rank() + (i == 0 ? size - 1 : 1)) % size, "neighbours");
    }
    collectives(made);
    if (made.size() == size) {
      messages(made);
    } else {
      made.barrier();
    }
    if (plan.nextInt(8) != 0) { // the others are left to the garbage collector
      made.close();
    }
  }

  /** Garbage of all kinds, so that collections come at any moment. */
  private void garbage() {
    List<Object> kept = new ArrayList<>();
    for (int i = own.nextInt(30); i > 0; i--) {
      kept.add(new long[own.nextInt(20_000)]);
      if (i % 3 == 0) {
        kept.add(mpi.shared().allocate(own.nextInt(60_000)));
      }
    }
    try (Datatype<?> type = Datatype.vector(1 + own.nextInt(50), 1, 2 + own.nextInt(5), Datatype.INT32_T).commit()) {
      kept.add(Buf.of(new int[1000], 1, type));
    }
    blocks(comm);
  }
}
