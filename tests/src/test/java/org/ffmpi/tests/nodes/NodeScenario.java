// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.nodes;

import static org.ffmpi.base.Constants.ANY_SOURCE;
import static org.ffmpi.base.Constants.ANY_TAG;
import static org.ffmpi.tests.support.Errors.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.ffmpi.Buf;
import org.ffmpi.Epoch;
import org.ffmpi.InterComm;
import org.ffmpi.IntraComm;
import org.ffmpi.LockType;
import org.ffmpi.Message;
import org.ffmpi.Mpi;
import org.ffmpi.Op;
import org.ffmpi.PartitionedRecv;
import org.ffmpi.PartitionedSend;
import org.ffmpi.Persistent;
import org.ffmpi.Request;
import org.ffmpi.SplitType;
import org.ffmpi.Status;
import org.ffmpi.Win;
import org.ffmpi.base.ErrorClass;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.tests.support.Data;

/**
 * What has to work between ranks wherever they are, for any number of them from two up. Each scenario ends as it has
 * begun, with nothing under way, so that all of them can follow each other in one job.
 *
 * <p>This file is long because it is a list: each constant is a scenario, and none knows another.
 */
enum NodeScenario {
  /** Messages of all lengths from everybody to everybody, received by wildcards; each sender's keep their order. */
  ORDER {
    @Override
    void run(Mpi mpi) {
      IntraComm world = mpi.world();
      List<Request> sends = new ArrayList<>();
      for (int i = 0; i < LENGTHS.length; i++) {
        for (int dest = 0; dest < world.size(); dest++) {
          sends.add(world.isend(Data.bytes(100L * world.rank() + i, LENGTHS[i]), dest, i % 3));
        }
      }
      int[][] next = new int[world.size()][3];
      for (int i = 0; i < LENGTHS.length * world.size(); i++) {
        Status status = world.probe(ANY_SOURCE, ANY_TAG, new Status());
        int which = 3 * next[status.source()][status.tag()]++ + status.tag();
        byte[] data = new byte[(int) status.bytes()];
        assertEquals(LENGTHS[which], data.length);
        world.recv(data, status.source(), status.tag());
        Data.check(data, 0, 100L * status.source() + which, data.length);
      }
      Request.waitAll(sends);
    }
  },

  /** Synchronous, ready and buffered sends. */
  MODES {
    @Override
    void run(Mpi mpi) {
      IntraComm world = mpi.world();
      mpi.bufferAttach(Buf.automatic());
      for (int length : LENGTHS) {
        byte[] in = new byte[length];
        Request synchronous = world.irecv(in, previous(world), 1);
        Request send = world.issend(Buf.of(Data.bytes(world.rank(), length)), next(world), 1);
        Request.waitAll(List.of(synchronous, send));
        Data.check(in, 0, previous(world), length);
        world.bsend(Buf.of(Data.bytes(world.rank() + 50, length)), next(world), 2);
        world.recv(in, previous(world), 2);
        Data.check(in, 0, previous(world) + 50, length);
        Request ready = world.irecv(in, previous(world), 3);
        world.send(new byte[0], previous(world), 4);
        world.recv(new byte[0], next(world), 4);
        world.rsend(Buf.of(Data.bytes(world.rank() + 70, length)), next(world), 3);
        ready.await();
        Data.check(in, 0, previous(world) + 70, length);
      }
      mpi.bufferDetach();
      byte[] never = new byte[1];
      Request late = world.issend(Buf.of(never), next(world), 5);
      world.barrier();
      assertFalse(late.test(), "nobody has received it");
      world.barrier();
      world.recv(never, previous(world), 5);
      late.await();
    }
  },

  /** A message that a matched probe has taken is nobody else's, and keeps its place in memory until it is received. */
  MATCHED_PROBES {
    @Override
    void run(Mpi mpi) {
      IntraComm world = mpi.world();
      for (int length : LENGTHS) {
        byte[] first = Data.bytes(world.rank(), length);
        Request send = world.isend(first, next(world), 1);
        Request other = world.isend(Data.bytes(world.rank() + 9, length), next(world), 1);
        Status status = new Status();
        Message message = world.mprobe(previous(world), ANY_TAG, status);
        assertEquals(length, status.bytes());
        byte[] in = new byte[length];
        world.recv(in, previous(world), 1);
        Data.check(in, 0, previous(world) + 9, length);
        message.mrecv(Buf.of(in));
        Data.check(in, 0, previous(world), length);
        Request.waitAll(List.of(send, other));
      }
      assertTrue(world.iprobe(ANY_SOURCE, ANY_TAG).isEmpty());
    }
  },

  /** A send that nobody has matched can be cancelled, whatever its protocol; what follows is not disturbed. */
  CANCEL {
    @Override
    void run(Mpi mpi) {
      IntraComm world = mpi.world();
      for (int length : new int[] {0, 8, 5_000, 300_000}) {
        Request unwanted = world.issend(Buf.of(new byte[length]), next(world), 1);
        Request wanted = world.issend(Buf.of(Data.bytes(world.rank(), length)), next(world), 2);
        world.barrier();
        unwanted.cancel();
        assertTrue(unwanted.await(new Status()).isCancelled(), "nobody has matched it");
        world.barrier();
        byte[] in = new byte[length];
        world.recv(in, previous(world), ANY_TAG);
        Data.check(in, 0, previous(world), length);
        wanted.await();
        world.barrier();
        assertTrue(world.iprobe(ANY_SOURCE, ANY_TAG).isEmpty(), "the cancelled message is gone");
        world.barrier();
        Request taken = world.issend(Buf.of(Data.bytes(world.rank(), length)), next(world), 3);
        world.recv(in, previous(world), 3);
        world.barrier();
        Status status = new Status();
        taken.cancel();
        assertFalse(taken.await(status).isCancelled(), "it had been received");
      }
    }
  },

  /** Long messages between all kinds of memory. */
  LONG_MESSAGES {
    @Override
    void run(Mpi mpi) {
      IntraComm world = mpi.world();
      Datatype<Long> strided = Datatype.vector(20_000, 1, 2, Datatype.LONG).commit();
      try (Arena confined = Arena.ofConfined(); Arena shared = Arena.ofShared()) {
        List<MemorySegment> outs = List.of(
            MemorySegment.ofArray(new long[40_000]), confined.allocate(320_000, 8), shared.allocate(320_000, 8),
            mpi.shared().allocate(320_000, 8));
        List<MemorySegment> ins = List.of(
            MemorySegment.ofArray(new long[40_000]), confined.allocate(320_000, 8), shared.allocate(320_000, 8),
            mpi.shared().allocate(320_000, 8));
        for (int o = 0; o < outs.size(); o++) {
          MemorySegment out = outs.get(o);
          for (int i = 0; i < 40_000; i++) {
            out.setAtIndex(ValueLayout.JAVA_LONG, i, 1_000_000L * world.rank() + i);
          }
          for (MemorySegment in : List.of(ins.get(o), ins.get((o + 1) % ins.size()))) {
            exchange(world, Buf.of(out, 40_000, Datatype.LONG), Buf.of(in, 40_000, Datatype.LONG));
            expect(in, world, 1, 1, 40_000);
            exchange(world, Buf.of(out, 1, strided), Buf.of(in, 20_000, Datatype.LONG));
            expect(in, world, 1, 2, 20_000);
            exchange(world, Buf.of(out, 20_000, Datatype.LONG), Buf.of(in, 1, strided));
            expect(in, world, 2, 1, 20_000);
          }
        }
      }
      strided.close();
    }

    private void exchange(IntraComm world, Buf<?> out, Buf<?> in) {
      Request receive = world.irecv(in, previous(world), 1);
      Request send = world.isend(out, next(world), 1);
      Request.waitAll(List.of(receive, send));
    }

    private void expect(MemorySegment in, IntraComm world, int step, int factor, int count) {
      for (int i = 0; i < count; i++) {
        long found = in.getAtIndex(ValueLayout.JAVA_LONG, (long) i * step);
        assertEquals(1_000_000L * previous(world) + (long) i * factor, found, "element " + i);
      }
    }
  },

  /** A message that is too long is cut, says so, and leaves nothing behind. */
  TRUNCATION {
    @Override
    void run(Mpi mpi) {
      IntraComm world = mpi.world();
      try (Arena arena = Arena.ofConfined()) {
        for (int length : new int[] {8, 4_000, 300_000}) {
          MemorySegment out = arena.allocate(length);
          MemorySegment in = arena.allocate(length / 2);
          for (boolean isEarly : new boolean[] {true, false}) {
            Request receive = isEarly ? world.irecv(bytes(in), previous(world), 1) : null;
            world.barrier();
            Request send = world.issend(bytes(out), next(world), 1);
            world.barrier();
            Request late = isEarly ? receive : world.irecv(bytes(in), previous(world), 1);
            assertError(ErrorClass.ERR_TRUNCATE, late::await);
            send.await();
          }
        }
      }
      byte[] one = new byte[1];
      world.sendrecv(Buf.of(new byte[] {(byte) world.rank()}), next(world), 2, Buf.of(one), previous(world), 2);
      assertEquals(previous(world), one[0]);
    }
  },

  /** More long messages at once, from and to everybody, than there are requests of transfers. */
  MANY_LONG_MESSAGES {
    @Override
    void run(Mpi mpi) {
      IntraComm world = mpi.world();
      int messages = 30;
      int length = 40_000;
      try (Arena arena = Arena.ofConfined()) {
        List<Request> all = new ArrayList<>();
        List<MemorySegment> ins = new ArrayList<>();
        for (int i = 0; i < messages * world.size(); i++) {
          MemorySegment in = arena.allocate(length);
          ins.add(in);
          all.add(world.irecv(bytes(in), i % world.size(), i / world.size()));
        }
        world.barrier();
        for (int i = 0; i < messages * world.size(); i++) { // no call among these looks at what has come
          MemorySegment out = arena.allocate(length);
          out.fill((byte) (i / world.size() + world.rank()));
          all.add(world.isend(bytes(out), i % world.size(), i / world.size()));
        }
        Request.waitAll(all);
        for (int i = 0; i < ins.size(); i++) {
          MemorySegment in = ins.get(i);
          assertEquals((byte) (i / world.size() + i % world.size()), in.get(ValueLayout.JAVA_BYTE, 0));
          assertEquals(-1, in.asSlice(1).mismatch(in.asSlice(0, length - 1)), "message " + i);
        }
      }
    }
  },

  /** Everybody floods the last rank, which takes its time. */
  FLOOD {
    @Override
    void run(Mpi mpi) {
      IntraComm world = mpi.world();
      int messages = 500;
      int last = world.size() - 1;
      if (world.rank() == last) {
        long[] sums = new long[last];
        for (int i = 0; i < messages * last; i++) {
          int[] in = new int[300];
          Status status = world.recv(in, ANY_SOURCE, ANY_TAG, new Status());
          assertEquals(sums[status.source()]++, in[status.tag()], "in order");
        }
      } else {
        for (int i = 0; i < messages; i++) {
          int[] out = new int[i % 300 + 1];
          out[i % out.length] = i;
          world.send(out, last, i % out.length);
        }
      }
      world.barrier();
    }
  },

  /** Many nonblocking sends of several lengths, one soon after the other: those that share packets keep their order. */
  BURSTS {
    @Override
    void run(Mpi mpi) {
      IntraComm world = mpi.world();
      int messages = 200;
      for (int round = 0; round < 20; round++) {
        List<Request> requests = new ArrayList<>();
        int[][] in = new int[messages][2_000];
        for (int i = 0; i < messages; i++) {
          requests.add(world.irecv(Buf.of(in[i]), previous(world), 1));
        }
        for (int i = 0; i < messages; i++) {
          int[] out = new int[i % 40 == 39 ? 2_000 : i % 7 == 6 ? 300 : 1 + i % 3];
          out[0] = i;
          if (i % 50 == 49) {
            world.send(out, next(world), 1);
          } else {
            requests.add(world.isend(Buf.of(out), next(world), 1));
          }
        }
        Request.waitAll(requests);
        for (int i = 0; i < messages; i++) {
          assertEquals(i, in[i][0], "in order");
        }
      }
    }
  },

  /** Requests that are started again and again. */
  PERSISTENT {
    @Override
    void run(Mpi mpi) {
      IntraComm world = mpi.world();
      for (int length : new int[] {3, 6_000, 200_000}) {
        byte[] out = new byte[length];
        byte[] in = new byte[length];
        try (Persistent send = world.sendInit(Buf.of(out), next(world), 1);
            Persistent receive = world.recvInit(Buf.of(in), previous(world), 1)) {
          for (int round = 0; round < 5; round++) {
            Arrays.fill(out, (byte) (round + world.rank()));
            Persistent.startAll(List.of(receive, send));
            Request.waitAll(List.of(receive, send));
            assertEquals((byte) (round + previous(world)), in[length - 1]);
          }
        }
      }
    }
  },

  /** Partitions that become ready one by one. */
  PARTITIONED {
    @Override
    void run(Mpi mpi) {
      IntraComm world = mpi.world();
      int[] out = new int[60_000];
      int[] in = new int[60_000];
      try (PartitionedSend send = world.psendInit(Buf.of(out), 6, next(world), 1);
          PartitionedRecv receive = world.precvInit(Buf.of(in), 4, previous(world), 1)) {
        for (int round = 0; round < 3; round++) {
          Arrays.fill(out, world.rank() + round);
          Persistent.startAll(List.of(receive, send));
          for (int p = 5; p >= 0; p--) {
            send.pready(p);
          }
          while (!receive.parrived(2)) {
            Thread.onSpinWait();
          }
          assertEquals(previous(world) + round, in[35_000]);
          send.await();
          receive.await();
          for (int i : in) {
            assertEquals(previous(world) + round, i);
          }
        }
      }
    }
  },

  /** Collective calls of few and of many elements, blocking and not. */
  COLLECTIVES {
    @Override
    void run(Mpi mpi) {
      IntraComm world = mpi.world();
      int size = world.size();
      int rank = world.rank();
      for (int n : new int[] {1, 100, 30_000}) {
        long[] sums = new long[n];
        Arrays.fill(sums, rank + 1);
        world.allreduce(Buf.of(sums), Op.SUM);
        assertEquals((long) size * (size + 1) / 2, sums[n - 1]);
        for (int root = 0; root < size; root++) {
          int[] data = new int[n];
          Arrays.fill(data, rank == root ? root + 7 : -1);
          world.bcast(Buf.of(data), root);
          assertEquals(root + 7, data[n - 1]);
        }
        int[] out = new int[n * size];
        int[] in = new int[n * size];
        for (int i = 0; i < out.length; i++) {
          out[i] = rank * size + i / n;
        }
        Request exchange = world.ialltoall(Buf.of(out), Buf.of(in));
        int[] prefix = {rank};
        world.scan(Buf.of(prefix), Op.SUM);
        assertEquals(rank * (rank + 1) / 2, prefix[0]);
        exchange.await();
        for (int i = 0; i < in.length; i++) {
          assertEquals(i / n * size + rank, in[i]);
        }
        int[] mine = new int[n];
        Arrays.fill(mine, rank);
        world.allgather(Buf.of(mine), Buf.of(in));
        for (int i = 0; i < in.length; i++) {
          assertEquals(i / n, in[i]);
        }
      }
      world.ibarrier().await();
    }
  },

  /** Communicators made from others, with traffic of their own. */
  COMMUNICATORS {
    @Override
    void run(Mpi mpi) {
      IntraComm world = mpi.world();
      int rank = world.rank();
      try (IntraComm copy = world.dup(); IntraComm half = world.split(rank % 2, -rank)) {
        Request inWorld = world.isend(new int[] {1}, next(world), 0);
        Request inCopy = copy.isend(new int[] {2}, next(world), 0);
        int[] in = new int[1];
        copy.recv(in, previous(world), 0);
        assertEquals(2, in[0]);
        world.recv(in, previous(world), 0);
        assertEquals(1, in[0]);
        Request.waitAll(List.of(inWorld, inCopy));
        int[] ones = {1};
        half.allreduce(Buf.of(ones), Op.SUM);
        assertEquals(half.size(), ones[0]);
        try (InterComm between = half.intercomm(0, world, last(1 - rank % 2, world.size()), 5)) {
          int[] sent = {rank};
          int[] all = new int[between.remoteSize()];
          between.allgather(Buf.of(sent), Buf.of(all));
          assertTrue(Arrays.stream(all).allMatch(r -> r % 2 != rank % 2), Arrays.toString(all));
        }
      }
      try (IntraComm here = world.splitType(SplitType.SHARED, rank, null)) {
        int[] sent = {rank};
        int[] all = new int[here.size()];
        here.allgather(Buf.of(sent), Buf.of(all));
        assertTrue(Arrays.stream(all).anyMatch(r -> r == rank));
      }
    }

    /** The last of the ranks with a colour is the first of its half. */
    private int last(int color, int size) {
      return (size - 1) % 2 == color ? size - 1 : size - 2;
    }
  },

  /** Windows of all kinds of memory: put, get, accumulate, locks. */
  WINDOWS {
    @Override
    void run(Mpi mpi) {
      IntraComm world = mpi.world();
      int n = 1_000;
      long[] array = new long[n];
      for (boolean isArray : new boolean[] {false, true}) {
        Arrays.fill(array, 0);
        try (Win win = isArray ? world.winCreate(Buf.of(array), 8) : world.winAllocate(8L * n, 8)) {
          long[] out = new long[n];
          Arrays.fill(out, world.rank() + 1);
          win.fence();
          win.put(Buf.of(out), next(world), 0);
          win.fence();
          long[] in = new long[n];
          win.get(Buf.of(in), next(world), 0);
          win.fence();
          assertArrayEquals(out, in);
          for (int target = 0; target < world.size(); target++) {
            win.accumulate(Buf.of(out), target, 0, Op.SUM);
          }
          win.fence();
          win.get(Buf.of(in), previous(world), 0);
          win.fence();
          long sum = (long) world.size() * (world.size() + 1) / 2;
          int before = (previous(world) + world.size() - 1) % world.size();
          assertEquals(sum + before + 1, in[n - 1]);
          world.barrier();
          long tickets = 0;
          for (int i = 0; i < 20; i++) {
            try (Epoch _ = win.lock(LockType.EXCLUSIVE, 0)) {
              long[] value = new long[1];
              win.get(Buf.of(value), 0, 5);
              win.flush(0);
              tickets += value[0] - sum - world.size();
              value[0]++;
              win.put(Buf.of(value), 0, 5);
            }
          }
          long[] all = {tickets};
          world.allreduce(Buf.of(all), Op.SUM);
          long total = 20L * world.size();
          assertEquals(total * (total - 1) / 2, all[0]);
        }
      }
    }
  },

  /** Windows that need one memory say so where there are several; the ranks of one node get them. */
  SHARED_WINDOWS {
    @Override
    void run(Mpi mpi) {
      IntraComm world = mpi.world();
      try (IntraComm here = world.splitType(SplitType.SHARED, 0, null)) {
        if (here.size() < world.size()) {
          assertError(ErrorClass.ERR_RMA_SHARED, () -> world.winAllocateShared(64, 8), "share no memory");
        }
        try (Win win = here.winAllocateShared(8, 8)) {
          win.fence();
          win.segment().set(ValueLayout.JAVA_LONG, 0, world.rank());
          win.fence();
          int other = (here.rank() + 1) % here.size();
          long found = win.segment(other).get(ValueLayout.JAVA_LONG, 0);
          assertEquals(here.group().translateRanks(new int[] {other}, world.group())[0], found);
          win.fence();
        }
      }
    }
  },

  /** Several threads of each rank send and receive at once. */
  THREADS {
    @Override
    void run(Mpi mpi) throws Exception {
      IntraComm world = mpi.world();
      AtomicReference<Throwable> failed = new AtomicReference<>();
      List<Thread> threads = new ArrayList<>();
      for (int t = 0; t < 3; t++) {
        int tag = t;
        threads.add(Thread.ofPlatform().start(() -> {
          try {
            for (int i = 0; i < 60; i++) {
              int length = LENGTHS[i % LENGTHS.length];
              byte[] in = new byte[length];
              Request send = world.isend(Data.bytes(i, length), next(world), tag);
              world.recv(in, previous(world), tag);
              Data.check(in, 0, i, length);
              send.await();
            }
          } catch (Throwable e) {
            failed.set(e);
            mpi.world().abort(1);
          }
        }));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      if (failed.get() != null) {
        throw new AssertionError(failed.get());
      }
    }
  };

  private static final int[] LENGTHS =
      {0, 1, 8, 40, 41, 200, 3_000, 8_193, 17_000, 20_000, 33_000, 70_000, 140_001, 300_000};

  /** Runs the scenario on this rank. */
  abstract void run(Mpi mpi) throws Exception;

  private static int next(IntraComm world) {
    return (world.rank() + 1) % world.size();
  }

  private static int previous(IntraComm world) {
    return (world.rank() + world.size() - 1) % world.size();
  }

  private static Buf<Byte> bytes(MemorySegment segment) {
    return Buf.of(segment, segment.byteSize(), Datatype.BYTE);
  }
}
