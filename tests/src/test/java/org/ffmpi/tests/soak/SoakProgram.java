// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.soak;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.ffmpi.Buf;
import org.ffmpi.IntraComm;
import org.ffmpi.Message;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.PartitionedRecv;
import org.ffmpi.PartitionedSend;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.tests.support.Seeds;

/**
 * One rank of a soak test: as many threads as it is told, each with a communicator of its own, do all kinds of calls in
 * an order that all ranks derive from one seed, until the time is over. Every message has a sequence number and a
 * checksum. Once in a while a rank prints what memory it uses.
 */
public final class SoakProgram {
  private static final int SAMPLE_MILLIS = 2_000;
  private static final int STEPS_PER_ROUND = 50;
  private static final int KINDS = 19;

  /** Longs of the longest messages: many of them at once do not change how much shared memory is in use. */
  private static final int LONGEST = 1 << 14;

  /** Of those in arrays, of which there are few at once. */
  private static final int LONGEST_ARRAY = 1 << 17;

  private final Mpi mpi;
  private final IntraComm comm;
  private final RandomGenerator shared;
  private final RandomGenerator own;
  private final int rank;
  private final int size;
  private final IntraComm ofMixed;
  private final MixedRounds mixed;
  private long sequence;
  private long bytes;

  /** What keeps some garbage alive for a while, so that it gets old. */
  private final byte[][] litter = new byte[64][];

  private SoakProgram(Mpi mpi, IntraComm comm, long seed) {
    this.mpi = mpi;
    this.comm = comm;
    this.shared = Seeds.random(seed);
    this.rank = comm.rank();
    this.own = Seeds.random(seed + 1 + rank);
    this.size = comm.size();
    this.ofMixed = comm.dup();
    this.mixed = new MixedRounds(mpi, ofMixed, seed + 500);
  }

  /**
   * Runs one rank.
   *
   * @param args seconds, threads, seed
   */
  public static void main(String[] args) {
    Mpi.run(args, mpi -> {
      long end = System.nanoTime() + Long.parseLong(args[0]) * 1_000_000_000L;
      int threads = Integer.parseInt(args[1]);
      long seed = Long.parseLong(args[2]);
      AtomicBoolean over = new AtomicBoolean();
      Thread sampler = Thread.ofPlatform().daemon().start(() -> sample(mpi.world().rank(), over));
      AtomicReference<Throwable> failure = new AtomicReference<>();
      List<Thread> workers = new ArrayList<>();
      long[] totals = new long[2];
      for (int t = 0; t < threads; t++) {
        IntraComm comm = mpi.world().dup();
        SoakProgram program = new SoakProgram(mpi, comm, seed + 1_000L * t);
        workers.add(Thread.ofPlatform().start(() -> {
          try {
            program.work(end);
          } catch (Throwable e) {
            failure.compareAndSet(null, e);
            e.printStackTrace();
            mpi.abort(3);
          }
          synchronized (totals) {
            totals[0] += program.sequence;
            totals[1] += program.bytes;
          }
        }));
      }
      for (Thread worker : workers) {
        worker.join();
      }
      over.set(true);
      sampler.join();
      mpi.world().barrier();
      System.out.printf(Locale.ROOT, "done %d %d %d%n", mpi.world().rank(), totals[0], totals[1]);
    });
  }

  // ---- memory

  private static void sample(int rank, AtomicBoolean over) {
    try {
      while (!over.get()) {
        Thread.sleep(SAMPLE_MILLIS);
        System.out.printf(Locale.ROOT, "memory %d %d %d%n", rank, heap(), anonymous());
      }
    } catch (InterruptedException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What was left in the old generation by its last collection, in KiB; what is there now, before there was one. */
  private static long heap() {
    long used = 0;
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      if (pool.getType() == MemoryType.HEAP && pool.getCollectionUsage() != null) {
        used += pool.getCollectionUsage().getUsed();
      }
    }
    return used >> 10;
  }

  private static long anonymous() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("RssAnon:")) {
        return Long.parseLong(line.replaceAll("\\D", ""));
      }
    }
    return 0;
  }

  // ---- work

  private void work(long end) {
    boolean[] goesOn = {true};
    while (goesOn[0]) {
      for (int step = 0; step < STEPS_PER_ROUND; step++) {
        step(shared.nextInt(KINDS));
        litter[own.nextInt(litter.length)] = new byte[own.nextInt(1 << 14)];
      }
      int[] more = {System.nanoTime() < end ? 1 : 0};
      comm.allreduce(Buf.of(more), Op.MIN);
      goesOn[0] = more[0] == 1;
    }
    ofMixed.close();
    comm.close();
  }

  private void step(int kind) {
    sequence++;
    switch (kind) {
      case 0 -> ring(false);
      case 1 -> ring(true);
      case 2 -> fromAll();
      case 3 -> probed();
      case 4 -> columns();
      case 5 -> persistent();
      case 6 -> partitioned();
      case 7 -> bcast();
      case 8 -> sums(false);
      case 9 -> sums(true);
      case 10 -> exchange();
      case 11 -> gather();
      case 12 -> scan();
      case 13 -> communicators();
      case 14 -> manyShort();
      case 15, 16, 17 -> mixed.run();
      default -> comm.barrier();
    }
  }

  private void check(boolean holds, String what) {
    if (!holds) {
      throw new IllegalStateException(
          "rank " + rank + ", step " + sequence + ", " + comm + ": wrong " + what);
    }
  }

  /** Lengths, in longs, that all ranks know. */
  private int length() {
    return length(LONGEST);
  }

  private int length(int longest) {
    int longs = switch (shared.nextInt(8)) {
      case 0 -> 2;
      case 1, 2, 3 -> 2 + shared.nextInt(12);
      case 4, 5 -> 2 + shared.nextInt(300);
      case 6 -> 2 + shared.nextInt(5_000);
      default -> 2 + shared.nextInt(longest - 2);
    };
    bytes += 8L * longs;
    return longs;
  }

  private MemorySegment memory(int longs, Arena arena) {
    return switch (own.nextInt(8)) {
      case 0, 1 -> MemorySegment.ofArray(new long[longs]);
      case 2, 3 -> arena.allocate(8L * longs, 8);
      case 4 -> mpi.shared().allocate(8L * longs, 8); // until the collector finds it
      default -> mpi.shared().within(arena).allocate(8L * longs, 8);
    };
  }

  /** Writes sequence number and sender, data, and the checksum. */
  private void fill(MemorySegment memory, int longs, int sender) {
    memory.setAtIndex(ValueLayout.JAVA_LONG, 0, sequence * 1_000 + sender);
    long sum = sequence * 1_000 + sender;
    for (int i = 1; i < longs - 1; i++) {
      long value = sequence * 31 + i * 7919L + sender;
      memory.setAtIndex(ValueLayout.JAVA_LONG, i, value);
      sum = sum * 31 + value;
    }
    memory.setAtIndex(ValueLayout.JAVA_LONG, longs - 1, sum);
  }

  private void verify(MemorySegment memory, int longs, int sender) {
    long sum = memory.getAtIndex(ValueLayout.JAVA_LONG, 0);
    check(sum == sequence * 1_000 + sender, "sequence number " + sum + " from rank " + sender);
    for (int i = 1; i < longs - 1; i++) {
      sum = sum * 31 + memory.getAtIndex(ValueLayout.JAVA_LONG, i);
    }
    check(sum == memory.getAtIndex(ValueLayout.JAVA_LONG, longs - 1), "checksum from rank " + sender);
  }

  private static Buf<Long> buf(MemorySegment memory, int longs) {
    return Buf.of(memory, longs, Datatype.INT64_T);
  }

  private void ring(boolean synchronous) {
    int longs = length();
    int next = (rank + 1) % size;
    int before = (rank + size - 1) % size;
    try (Arena arena = Arena.ofShared()) {
      MemorySegment out = memory(longs, arena);
      MemorySegment in = memory(longs, arena);
      fill(out, longs, rank);
      Request sent = synchronous
          ? comm.issend(buf(out, longs), next, 1) : comm.isend(buf(out, longs), next, 1);
      comm.recv(buf(in, longs), before, 1);
      sent.await();
      verify(in, longs, before);
    }
  }

  private void fromAll() {
    int longs = length();
    try (Arena arena = Arena.ofShared()) {
      List<Request> requests = new ArrayList<>();
      MemorySegment[] in = new MemorySegment[size];
      for (int r = 0; r < size; r++) {
        in[r] = memory(longs, arena);
        requests.add(comm.irecv(buf(in[r], longs), r, 2));
      }
      MemorySegment out = memory(longs, arena);
      fill(out, longs, rank);
      for (int r = 0; r < size; r++) {
        requests.add(comm.isend(buf(out, longs), (rank + r) % size, 2));
      }
      Request.waitAll(requests);
      for (int r = 0; r < size; r++) {
        verify(in[r], longs, r);
      }
    }
  }

  private void probed() {
    int longs = length();
    int next = (rank + 1) % size;
    int before = (rank + size - 1) % size;
    try (Arena arena = Arena.ofShared()) {
      MemorySegment out = memory(longs, arena);
      fill(out, longs, rank);
      Request sent = comm.isend(buf(out, longs), next, 3);
      Message message = comm.mprobe(before, 3);
      check(message.status().getCount(Datatype.INT64_T) == longs, "length of a probed message");
      MemorySegment in = memory(longs, arena);
      message.mrecv(buf(in, longs));
      sent.await();
      verify(in, longs, before);
    }
  }

  /** A derived type: every other long. */
  private void columns() {
    int longs = 2 + shared.nextInt(2_000);
    int next = (rank + 1) % size;
    int before = (rank + size - 1) % size;
    long[] packed = new long[longs];
    fill(MemorySegment.ofArray(packed), longs, rank);
    long[] spread = new long[2 * longs];
    for (int i = 0; i < longs; i++) {
      spread[2 * i] = packed[i];
    }
    Datatype<?> type = Datatype.vector(longs, 1, 2, Datatype.INT64_T).commit();
    long[] in = new long[2 * longs];
    Request sent = comm.isend(Buf.of(MemorySegment.ofArray(spread), 1, type), next, 4);
    comm.recv(Buf.of(MemorySegment.ofArray(in), 1, type), before, 4);
    sent.await();
    for (int i = 0; i < longs; i++) {
      packed[i] = in[2 * i];
      check(in[2 * i + 1] == 0, "gap of a vector");
    }
    verify(MemorySegment.ofArray(packed), longs, before);
  }

  private void persistent() {
    long[] out = new long[8];
    long[] in = new long[8];
    long[] sum = new long[1];
    try (Persistent send = comm.sendInit(Buf.of(out), (rank + 1) % size, 5);
        Persistent recv = comm.recvInit(Buf.of(in), (rank + size - 1) % size, 5);
        Persistent add = comm.allreduceInit(Buf.of(sum), Op.SUM, null)) {
      for (int i = 0; i < 3; i++) {
        fill(MemorySegment.ofArray(out), out.length, rank);
        sum[0] = rank;
        Persistent.startAll(List.of(recv, send, add));
        Request.waitAll(List.of(recv, send, add));
        verify(MemorySegment.ofArray(in), in.length, (rank + size - 1) % size);
        check(sum[0] == size * (size - 1L) / 2, "sum of a persistent allreduce");
      }
    }
  }

  private void partitioned() {
    int partitions = 4;
    int longs = partitions * (1 + shared.nextInt(500));
    long[] out = new long[longs];
    long[] in = new long[longs];
    try (PartitionedSend send = comm.psendInit(Buf.of(out), partitions, (rank + 1) % size, 6);
        PartitionedRecv recv = comm.precvInit(Buf.of(in), partitions, (rank + size - 1) % size, 6)) {
      fill(MemorySegment.ofArray(out), longs, rank);
      Persistent.startAll(List.of(recv, send));
      for (int p = partitions - 1; p >= 0; p--) {
        send.pready(p);
      }
      Request.waitAll(List.of(recv, send));
      verify(MemorySegment.ofArray(in), longs, (rank + size - 1) % size);
    }
  }

  private void bcast() {
    int longs = length();
    int root = shared.nextInt(size);
    try (Arena arena = Arena.ofShared()) {
      MemorySegment memory = memory(longs, arena);
      if (rank == root) {
        fill(memory, longs, rank);
      }
      comm.bcast(buf(memory, longs), root);
      verify(memory, longs, root);
    }
  }

  private void sums(boolean nonblocking) {
    int longs = length(LONGEST_ARRAY);
    long[] out = new long[longs];
    long[] in = new long[longs];
    for (int i = 0; i < longs; i++) {
      out[i] = sequence + i + rank;
    }
    if (nonblocking) {
      Request sum = comm.iallreduce(Buf.of(out), Buf.of(in), Op.SUM);
      comm.barrier();
      sum.await();
    } else {
      comm.allreduce(Buf.of(out), Buf.of(in), Op.SUM);
    }
    for (int i = 0; i < longs; i++) {
      check(in[i] == size * (sequence + i) + size * (size - 1L) / 2, "sum");
    }
  }

  private void exchange() {
    int longs = Math.min(length(), LONGEST / size);
    try (Arena arena = Arena.ofShared()) {
      MemorySegment out = memory(size * longs, arena);
      MemorySegment in = memory(size * longs, arena);
      for (int r = 0; r < size; r++) {
        fill(out.asSlice(8L * longs * r, 8L * longs), longs, rank);
      }
      comm.alltoall(buf(out, size * longs), buf(in, size * longs));
      for (int r = 0; r < size; r++) {
        verify(in.asSlice(8L * longs * r, 8L * longs), longs, r);
      }
    }
  }

  private void gather() {
    int longs = Math.min(length(), LONGEST / size);
    int root = shared.nextInt(size);
    try (Arena arena = Arena.ofShared()) {
      MemorySegment out = memory(longs, arena);
      MemorySegment in = memory(size * longs, arena);
      fill(out, longs, rank);
      comm.gather(buf(out, longs), rank == root ? buf(in, size * longs) : null, root);
      for (int r = 0; rank == root && r < size; r++) {
        verify(in.asSlice(8L * longs * r, 8L * longs), longs, r);
      }
    }
  }

  private void scan() {
    long[] sum = {sequence};
    comm.scan(Buf.of(sum), Op.SUM);
    check(sum[0] == sequence * (rank + 1), "scan");
  }

  private void communicators() {
    try (IntraComm half = comm.split(rank % 2, rank); IntraComm copy = comm.dup()) {
      long[] sum = {sequence};
      half.allreduce(Buf.of(sum), Op.SUM);
      check(sum[0] == sequence * half.size(), "sum in a half");
      copy.barrier();
    }
  }

  private void manyShort() {
    int messages = 100;
    List<Request> sends = new ArrayList<>();
    for (int i = 0; i < messages; i++) {
      sends.add(comm.isend(Buf.of(new long[] {sequence, i}), (rank + 1) % size, 7));
    }
    long[] in = new long[2];
    for (int i = 0; i < messages; i++) {
      comm.recv(Buf.of(in), (rank + size - 1) % size, 7);
      check(in[0] == sequence && in[1] == i, "order of short messages");
    }
    Request.waitAll(sends);
  }
}
