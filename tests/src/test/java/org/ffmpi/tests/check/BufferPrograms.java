// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.check;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Op;
import org.ffmpi.Request;
import org.ffmpi.datatype.Datatype;

/** Buffers that are used while a call that has been started uses them (MPI-4.1 §3.7.2, §6.12). */
final class BufferPrograms {
  private static final String FAMILY = "buffer";
  private static final String AT = " at BufferPrograms.java:\\d+";

  private BufferPrograms() {}

  private static void add(List<Judged> all, String mistake, String expected, Judged.Body wrong, Judged.Body right) {
    all.addAll(Judged.pair(FAMILY, mistake, 2, expected, wrong, right));
  }

  private static int other(IntraComm world) {
    return 1 - world.rank();
  }

  static List<Judged> programs() {
    List<Judged> all = new ArrayList<>();
    changed(all);
    shared(all);
    collective(all);
    freed(all);
    return all;
  }

  /** A send of some length whose buffer is changed before or after its wait. */
  private static void send(IntraComm world, int length, boolean early) {
    double[] row = new double[length];
    Request received = world.irecv(new double[length], other(world), 0);
    Request sent = world.isend(row, other(world), 0);
    if (early) {
      row[length / 2] = 1;
      sent.await();
    } else {
      sent.await();
      row[length / 2] = 1;
    }
    received.await();
  }

  private static void changed(List<Judged> all) {
    String reads = "MPI_Isend" + AT + " reads bytes 0 to \\d+ of a double\\[\\] until MPI_Wait" + AT
        + "; they were changed before that";
    add(all, "short isend is changed before its wait", reads, (mpi, world) -> send(world, 4, true),
        (mpi, world) -> send(world, 4, false));
    add(all, "long isend is changed before its wait", reads, (mpi, world) -> send(world, 100_000, true),
        (mpi, world) -> send(world, 100_000, false));
    add(all, "issend is changed before waitAll", "MPI_Issend" + AT + " reads .* until MPI_Waitall" + AT,
        (mpi, world) -> list(world, true), (mpi, world) -> list(world, false));
    add(all, "persistent send is changed before its wait", "MPI_Start" + AT + " reads .* until MPI_Wait" + AT,
        (mpi, world) -> persistent(world, true), (mpi, world) -> persistent(world, false));
    add(all, "places of a strided send are changed", "MPI_Isend" + AT + " reads .*changed before that",
        (mpi, world) -> column(world, 2), (mpi, world) -> column(world, 3));
    add(all, "native memory of an isend is changed", "MPI_Isend" + AT + " reads its 16 bytes of native memory until",
        (mpi, world) -> segment(world, true), (mpi, world) -> segment(world, false));
  }

  private static void list(IntraComm world, boolean early) {
    int[] row = new int[10];
    List<Request> both = new ArrayList<>();
    both.add(world.irecv(new int[10], other(world), 0));
    both.add(world.issend(Buf.of(row), other(world), 0));
    if (early) {
      Arrays.fill(row, 7);
    }
    Request.waitAll(both);
    Arrays.fill(row, 8);
  }

  private static void persistent(IntraComm world, boolean early) {
    int[] row = new int[10];
    try (var sent = world.sendInit(Buf.of(row), other(world), 0)) {
      for (int i = 1; i <= 3; i++) {
        row[0] = i;
        sent.start();
        if (early && i == 2) {
          row[1] = i;
        }
        world.recv(new int[10], other(world), 0);
        sent.await();
      }
    }
  }

  private static void column(IntraComm world, int changed) {
    int[] rows = new int[8];
    try (Datatype<Integer> column = Datatype.vector(4, 1, 2, Datatype.INT).commit()) {
      Request sent = world.isend(Buf.of(rows, 1, column), other(world), 0);
      rows[changed] = 1;
      world.recv(new int[4], other(world), 0);
      sent.await();
    }
  }

  private static void segment(IntraComm world, boolean early) {
    MemorySegment row = Arena.ofAuto().allocate(16, 8);
    Request sent = world.isend(Buf.of(row, 2, Datatype.INT64_T), other(world), 0);
    if (early) {
      row.fill((byte) 1);
    }
    world.recv(new long[2], other(world), 0);
    sent.await();
    row.fill((byte) 2);
  }

  private static void shared(List<Judged> all) {
    add(all, "two irecvs into one buffer", "MPI_Irecv" + AT + " writes bytes 0 to 7 of a int\\[\\], which MPI_Irecv"
        + AT + " writes until", (mpi, world) -> twice(world, 0), (mpi, world) -> twice(world, 2));
    add(all, "irecvs into buffers that overlap", "MPI_Irecv" + AT + " writes bytes 4 to 11", (mpi, world) ->
        twice(world, 1), (mpi, world) -> twice(world, 2));
    add(all, "send of the buffer of an irecv", "MPI_Send" + AT + " reads .*, which MPI_Irecv" + AT + " writes until",
        (mpi, world) -> receiveAndSend(world, true), (mpi, world) -> receiveAndSend(world, false));
    add(all, "receive into the buffer of an isend", "MPI_Recv" + AT + " writes .*, which MPI_Isend" + AT
        + " reads until", (mpi, world) -> sendAndReceive(world, true), (mpi, world) -> sendAndReceive(world, false));
    add(all, "isend of a buffer that two isends read", "MPI_Irecv" + AT + " writes .*, which MPI_Isend" + AT,
        (mpi, world) -> readTwice(world, true), (mpi, world) -> readTwice(world, false));
    add(all, "columns that share a place", "MPI_Irecv" + AT + " writes", (mpi, world) -> columns(world, 2),
        (mpi, world) -> columns(world, 1));
  }

  private static void twice(IntraComm world, int from) {
    int[] row = new int[4];
    Request first = world.irecv(Buf.of(row, 0, 2), other(world), 0);
    Request second = world.irecv(Buf.of(row, from, 2), other(world), 1);
    world.send(new int[2], other(world), 0);
    world.send(new int[2], other(world), 1);
    first.await();
    second.await();
  }

  private static void receiveAndSend(IntraComm world, boolean one) {
    int[] row = new int[4];
    Request received = world.irecv(row, other(world), 0);
    world.send(one ? row : new int[4], other(world), 0);
    received.await();
  }

  private static void sendAndReceive(IntraComm world, boolean one) {
    int[] row = new int[4];
    Request sent = world.isend(row, other(world), 0);
    world.recv(one ? row : new int[4], other(world), 0);
    sent.await();
  }

  private static void readTwice(IntraComm world, boolean one) {
    int[] row = new int[4];
    List<Request> all = new ArrayList<>();
    all.add(world.isend(row, other(world), 0));
    all.add(world.isend(row, other(world), 1));
    all.add(world.irecv(one ? row : new int[4], other(world), 0));
    all.add(world.irecv(new int[4], other(world), 1));
    Request.waitAll(all);
  }

  private static void columns(IntraComm world, int second) {
    int[] rows = new int[12];
    try (Datatype<Integer> column = Datatype.vector(3, 1, 2, Datatype.INT).commit()) {
      Request first = world.irecv(Buf.of(rows, 1, column), other(world), 0);
      Request next = world.irecv(Buf.of(rows, 4L * second, 1, column), other(world), 1);
      world.send(new int[3], other(world), 0);
      world.send(new int[3], other(world), 1);
      first.await();
      next.await();
    }
  }

  private static void collective(List<Judged> all) {
    add(all, "buffer of iallreduce is changed", "MPI_Iallreduce" + AT + " reads .*changed before that",
        (mpi, world) -> reduction(world, true, false), (mpi, world) -> reduction(world, false, false));
    add(all, "result of iallreduce is received into", "MPI_Irecv" + AT + " writes .*, which MPI_Iallreduce" + AT,
        (mpi, world) -> reduction(world, false, true), (mpi, world) -> reduction(world, false, false));
    add(all, "two nonblocking calls into one buffer", "MPI_Ibcast" + AT + " writes .*, which MPI_Iallgather" + AT,
        (mpi, world) -> twoCalls(world, true), (mpi, world) -> twoCalls(world, false));
    add(all, "blocking call on the buffer of a nonblocking one", "MPI_Bcast" + AT + " writes .*, which MPI_Isend" + AT,
        (mpi, world) -> broadcast(world, true), (mpi, world) -> broadcast(world, false));
    add(all, "buffer of a persistent collective is changed", "MPI_Start" + AT + " reads .*changed before that",
        (mpi, world) -> persistentReduction(world, true), (mpi, world) -> persistentReduction(world, false));
  }

  private static void reduction(IntraComm world, boolean changes, boolean receives) {
    int[] own = new int[3];
    int[] sum = new int[3];
    Request reduced = world.iallreduce(Buf.of(own), Buf.of(sum), Op.SUM);
    if (changes) {
      own[2]++;
    }
    Request received = world.irecv(receives ? sum : new int[3], other(world), 0);
    world.send(new int[3], other(world), 0);
    reduced.await();
    received.await();
  }

  private static void twoCalls(IntraComm world, boolean one) {
    int[] all = new int[2];
    Request gathered = world.iallgather(Buf.of(new int[1]), Buf.of(all));
    Request spread = world.ibcast(Buf.of(one && world.rank() == 1 ? all : new int[2]), 0);
    gathered.await();
    spread.await();
  }

  private static void broadcast(IntraComm world, boolean one) {
    int[] row = new int[2];
    Request sent = world.isend(row, other(world), 0);
    world.bcast(Buf.of(one && world.rank() == 1 ? row : new int[2]), 0);
    world.recv(new int[2], other(world), 0);
    sent.await();
  }

  private static void persistentReduction(IntraComm world, boolean changes) {
    int[] own = new int[3];
    try (var request = world.allreduceInit(Buf.of(own), Buf.of(new int[3]), Op.SUM, null)) {
      for (int i = 0; i < 3; i++) {
        own[0] = i;
        request.start();
        if (changes && i == 1) {
          own[1] = 5;
        }
        request.await();
      }
    }
  }

  private static void freed(List<Judged> all) {
    add(all, "arena is closed while an isend reads it", "MPI_Isend" + AT + " uses memory until .*its arena was closed",
        (mpi, world) -> arena(world, true), (mpi, world) -> arena(world, false));
  }

  private static void arena(IntraComm world, boolean early) {
    Arena arena = Arena.ofShared();
    Request sent = world.isend(Buf.of(arena.allocate(16, 8), 2, Datatype.INT64_T), other(world), 0);
    if (early) {
      arena.close();
    }
    world.recv(new long[2], other(world), 0);
    sent.await();
    if (!early) {
      arena.close();
    }
  }
}
