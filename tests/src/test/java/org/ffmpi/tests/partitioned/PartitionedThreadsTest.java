// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.partitioned;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Mpi;
import org.ffmpi.PartitionedRecv;
import org.ffmpi.PartitionedSend;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.testkit.MpiVariant;
import org.ffmpi.tests.support.Data;
import org.ffmpi.tests.support.EveryTransport;
import org.ffmpi.tests.support.Seeds;
import org.junit.jupiter.api.DisplayName;

/**
 * Random partitioned messages round a ring of ranks: threads mark partitions ready and ask for them at the same time,
 * in random order. Each partition is checked as soon as it has arrived.
 */
@EveryTransport
@MpiVariant(name = "progress thread", settings = {"ffmpi.progress=thread"})
class PartitionedThreadsTest {
  private static final int THREADS = 4;

  private final long seed = Seeds.next();

  private interface Part {
    void run(int thread) throws Throwable;
  }

  /** Runs a part on several threads of this rank and throws what the first one threw. */
  private static void onThreads(int number, Thread.Builder builder, Part part) throws Throwable {
    ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < number; t++) {
      int thread = t;
      threads.add(builder.start(() -> {
        try {
          part.run(thread);
        } catch (Throwable e) {
          failures.add(e);
        }
      }));
    }
    for (Thread thread : threads) {
      while (!thread.join(Duration.ofMillis(20))) {
        if (!failures.isEmpty()) {
          throw failures.peek(); // the others may wait for ever
        }
      }
    }
    if (!failures.isEmpty()) {
      throw failures.peek();
    }
  }

  private static Thread.Builder threads(RandomGenerator random) {
    return random.nextBoolean() ? Thread.ofPlatform().daemon() : Thread.ofVirtual();
  }

  /** Lets others run; virtual threads that only yielded could keep those that sleep from their carriers. */
  private static void pause() {
    LockSupport.parkNanos(10_000);
  }

  private static MemorySegment memory(Mpi mpi, RandomGenerator random, int bytes) {
    return switch (random.nextInt(4)) {
      case 0 -> MemorySegment.ofArray(new byte[bytes]);
      case 1 -> Arena.ofAuto().allocate(Math.max(1, bytes)).asSlice(0, bytes);
      case 2 -> Arena.ofShared().allocate(Math.max(1, bytes)).asSlice(0, bytes);
      default -> mpi.shared().allocate(Math.max(1, bytes)).asSlice(0, bytes);
    };
  }

  /** What one rank sends another: the same numbers give the same message at both ends. */
  private record Message(int sendPartitions, int receivePartitions, int bytes) {
    static Message random(RandomGenerator random, int longest) {
      int common = random.nextInt(1, 5);
      int a = common * random.nextInt(1, 9);
      int b = common * random.nextInt(1, 9);
      int unit = a / gcd(a, b) * b;
      int size = random.nextInt(3) == 0 ? random.nextInt(longest + 1) : random.nextInt(2_000);
      return new Message(a, b, size / unit * unit + (random.nextInt(20) == 0 ? 0 : unit));
    }

    private static int gcd(int a, int b) {
      return b == 0 ? a : gcd(b, a % b);
    }
  }

  @MpiTest(ranks = {1, 2, 3}, timeout = 180)
  @DisplayName("§4.1: threads mark partitions ready, others ask for them, any number at either end")
  void randomPartitions(Mpi mpi) {
    Seeds.run(seed, () -> {
      RandomGenerator agreed = Seeds.random(seed);
      RandomGenerator own = Seeds.random(seed + 1 + mpi.world().rank());
      for (int i = 0; i < 12; i++) {
        exchange(mpi, own, Message.random(agreed, 60_000), i);
      }
    });
  }

  private void exchange(Mpi mpi, RandomGenerator random, Message message, int tag) throws Throwable {
    Comm world = mpi.world();
    int previous = (world.rank() + world.size() - 1) % world.size();
    int next = (world.rank() + 1) % world.size();
    MemorySegment source = memory(mpi, random, message.bytes);
    MemorySegment target = memory(mpi, random, message.bytes);
    Buf<Byte> sent = Buf.of(source, message.bytes, Datatype.BYTE);
    Buf<Byte> received = Buf.of(target, message.bytes, Datatype.BYTE);
    try (PartitionedSend out = world.psendInit(sent, message.sendPartitions, next, tag);
        PartitionedRecv in = world.precvInit(received, message.receivePartitions, previous, tag)) {
      for (int round = 0; round < 4; round++) {
        Data.fill(source, content(world.rank(), tag, round));
        long expected = content(previous, tag, round);
        target.fill((byte) 0);
        if (random.nextBoolean()) {
          in.start();
          out.start();
        } else {
          out.start();
          in.start();
        }
        Part marks = marking(out, message, random);
        Part asks = asking(in, message, target, expected, random);
        int waiting = random.nextInt(3);
        onThreads(2 * THREADS + 1, threads(random), thread -> {
          if (thread < THREADS) {
            marks.run(thread);
          } else if (thread < 2 * THREADS) {
            asks.run(thread - THREADS);
          } else if (waiting == 0) { // meanwhile one waits for both, or only for what others do not ask about
            Request.waitAll(new ArrayList<>(List.of(in, out)));
          } else if (waiting == 1) {
            out.await();
          }
        });
        Status status = in.await(new Status());
        out.await();
        if (waiting != 0) {
          assertEquals(message.bytes, status.bytes());
        }
        Data.check(target, expected, message.bytes);
      }
    }
  }

  private static long content(int rank, int tag, int round) {
    return 10_000L * rank + 100L * tag + round;
  }

  /** Each thread marks its share, in random order, in ones, ranges and lists. */
  private static Part marking(PartitionedSend out, Message message, RandomGenerator random) {
    long shares = random.nextLong();
    return thread -> {
      Random own = new Random(shares + thread);
      List<Integer> mine = new ArrayList<>(
          IntStream.range(0, message.sendPartitions).filter(p -> p % THREADS == thread).boxed().toList());
      Collections.shuffle(mine, own);
      for (int i = 0; i < mine.size(); ) {
        if (own.nextInt(3) == 0) {
          int n = own.nextInt(mine.size() - i + 1);
          out.preadyList(mine.subList(i, i + n).stream().mapToInt(p -> p).toArray());
          i += n;
        } else if (own.nextBoolean()) {
          out.preadyRange(mine.get(i), mine.get(i));
          i++;
        } else {
          out.pready(mine.get(i++));
        }
      }
    };
  }

  /** All threads ask for random partitions and check what has come. */
  private static Part asking(
      PartitionedRecv in, Message message, MemorySegment target, long expected, RandomGenerator random) {
    long orders = random.nextLong();
    int length = message.bytes / message.receivePartitions;
    return thread -> {
      List<Integer> order = new ArrayList<>(IntStream.range(0, message.receivePartitions).boxed().toList());
      Collections.shuffle(order, new Random(orders + thread));
      for (int p : order.subList(0, Math.min(3, order.size()))) {
        while (!in.parrived(p)) {
          pause();
        }
        for (int i = p * length; i < (p + 1) * length; i++) {
          assertEquals(Data.at(expected, i), target.get(ValueLayout.JAVA_BYTE, i));
        }
      }
    };
  }

  @MpiTest(ranks = {1, 2}, timeout = 180)
  @DisplayName("§4.2.2: thousands of virtual threads, each with a partition of its own")
  void aVirtualThreadForEachPartition(Comm world) throws Throwable {
    int partitions = 1_000;
    int peer = world.size() - 1 - world.rank();
    long[] sent = new long[partitions];
    long[] received = new long[partitions];
    try (PartitionedSend out = world.psendInit(Buf.of(sent), partitions, peer, 0);
        PartitionedRecv in = world.precvInit(Buf.of(received), partitions, peer, 0)) {
      for (int round = 0; round < 2; round++) {
        in.start();
        out.start();
        int r = round;
        AtomicInteger seen = new AtomicInteger();
        onThreads(2 * partitions, Thread.ofVirtual(), thread -> {
          int p = thread / 2;
          if (thread % 2 == 0) {
            sent[p] = 1_000_000L * r + p;
            out.pready(p);
          } else {
            while (!in.parrived(p)) {
              pause();
            }
            assertEquals(1_000_000L * r + p, received[p]);
            seen.incrementAndGet();
          }
        });
        out.await();
        in.await();
        assertEquals(partitions, seen.get());
      }
    }
  }

  /** Each side cuts inside the other's elements; a partition is there only when all of it is. */
  @MpiTest(ranks = {1, 2}, timeout = 180)
  @DisplayName("§4.2.2 §4.2.3: 33 partitions marked backwards by 8 threads, 17 asked for by 8, gaps at both ends")
  void oddPartitionsOfGappedTypes(Comm world) throws Throwable {
    int rounds = Boolean.getBoolean("ffmpi.test.stress") ? 1_000 : 25;
    int workers = 8;
    int outs = 33;
    int ins = 17;
    int peer = world.size() - 1 - world.rank();
    int[] sent = new int[outs * (2 * ins + 1)];
    int[] received = new int[ins * (3 * outs + 2)];
    CyclicBarrier barrier = new CyclicBarrier(2 * workers + 1);
    try (Datatype<?> sparse = Datatype.vector(ins, 1, 2, Datatype.INT).resized(0, 4L * (2 * ins + 1)).commit();
        Datatype<?> sparser = Datatype.vector(outs, 1, 3, Datatype.INT).resized(0, 4L * (3 * outs + 2)).commit();
        PartitionedSend out = world.psendInit(Buf.of(sent, outs, sparse), outs, peer, 0);
        PartitionedRecv in = world.precvInit(Buf.of(received, ins, sparser), ins, peer, 0)) {
      onThreads(2 * workers + 1, Thread.ofPlatform().daemon(), thread -> {
        for (int round = 0; round < rounds; round++) {
          if (thread == 2 * workers) {
            Arrays.fill(received, -1);
            in.start();
            out.start();
          }
          barrier.await();
          if (thread < workers) {
            for (int p = outs - 1 - thread; p >= 0; p -= workers) {
              for (int i = 0; i < ins; i++) {
                sent[p * (2 * ins + 1) + 2 * i] = 1_000 * round + p * ins + i;
              }
              out.pready(p);
            }
          } else if (thread < 2 * workers) {
            for (int p = thread - workers; p < ins; p += workers) {
              while (!in.parrived(p)) {
                pause();
              }
              for (int i = 0; i < outs; i++) {
                assertEquals(1_000 * round + p * outs + i, received[p * (3 * outs + 2) + 3 * i], "partition " + p);
              }
            }
          } else {
            out.await();
          }
          barrier.await();
          if (thread == 2 * workers) {
            in.await();
            for (int i = 0; i < received.length; i++) {
              int within = i % (3 * outs + 2);
              assertEquals(within % 3 == 0 && within < 3 * outs, received[i] >= 0, "int " + i);
            }
          }
        }
      });
    }
  }

  /** The usual shape of a program: long-lived threads that compute, step after step, and one that waits. */
  @MpiTest(ranks = {2, 3}, timeout = 180)
  @DisplayName("§4.2.1: long-lived threads, step after step")
  void steps(Comm world) throws Throwable {
    int steps = 100;
    int length = 400;
    int next = (world.rank() + 1) % world.size();
    int previous = (world.rank() + world.size() - 1) % world.size();
    long[] sent = new long[THREADS * length];
    long[] received = new long[THREADS * length];
    CyclicBarrier barrier = new CyclicBarrier(THREADS + 1);
    try (PartitionedSend out = world.psendInit(Buf.of(sent), THREADS, next, 0);
        PartitionedRecv in = world.precvInit(Buf.of(received), 1, previous, 0)) {
      onThreads(THREADS + 1, Thread.ofPlatform().daemon(), thread -> {
        for (int step = 0; step < steps; step++) {
          if (thread == THREADS) {
            in.start();
            out.start();
          }
          barrier.await();
          if (thread < THREADS) {
            Arrays.fill(sent, thread * length, (thread + 1) * length, 1_000L * step + thread);
            out.pready(thread);
          } else {
            out.await();
            in.await();
            for (int i = 0; i < received.length; i++) {
              assertEquals(1_000L * step + i / length, received[i], "step " + step);
            }
          }
          barrier.await();
        }
      });
    }
  }
}
