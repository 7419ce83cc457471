// SPDX-License-Identifier: Apache-2.0
package org.ffmpi.tests.threads;

import static org.ffmpi.base.Constants.ANY_SOURCE;
import static org.ffmpi.base.Constants.ANY_TAG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.zip.CRC32C;
import org.ffmpi.Buf;
import org.ffmpi.Comm;
import org.ffmpi.Mpi;
import org.ffmpi.Request;
import org.ffmpi.Status;
import org.ffmpi.datatype.Datatype;
import org.ffmpi.testkit.MpiTest;
import org.ffmpi.tests.support.EveryTransport;
import org.ffmpi.tests.support.Seeds;
import org.ffmpi.tests.support.Threads;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Many threads of every rank send to and receive from many threads of every rank, all at once. Each message says who
 * sent it and the how manieth it is, and ends in a checksum: none is lost, doubled, changed or late.
 *
 * <p>A message's tag is the receiving thread's number. Each thread keeps some sends and some receives from any source
 * under way, and derives from the seed how many messages to expect.
 */
class FloodTest {
  private static final int WINDOW = 8;
  private static final int HEADER = 24;
  private static final int LONGEST = 70_000;

  /** Random bytes, from which messages take their content. */
  private static final byte[] NOISE = new byte[2 * LONGEST];

  private final long seed = Seeds.next();

  FloodTest() {
    Seeds.random(seed).nextBytes(NOISE);
  }

  @EveryTransport
  @MpiTest(ranks = {1, 2, 4}, timeout = 180)
  @DisplayName("S1-2.8-a: threads of all ranks flood each other, a few of them")
  void fewThreads(Mpi mpi) throws Throwable {
    flood(mpi, Thread.ofPlatform().daemon(), 4, 40);
  }

  @MpiTest(ranks = 4, timeout = 180)
  @DisplayName("S1-2.8-a: threads of all ranks flood each other, 16 of each")
  void manyThreads(Mpi mpi) throws Throwable {
    flood(mpi, Thread.ofPlatform().daemon(), 16, 500);
  }

  @MpiTest(ranks = {2, 4}, timeout = 180)
  @DisplayName("S1-2.8-a: virtual threads of all ranks flood each other")
  void virtualThreads(Mpi mpi) throws Throwable {
    flood(mpi, Thread.ofVirtual(), 64, 20);
  }

  @EnabledIfSystemProperty(named = "ffmpi.test.stress", matches = "true", disabledReason = "takes minutes")
  @EveryTransport
  @MpiTest(ranks = 4, timeout = 1_800)
  @DisplayName("S1-2.8-a: threads of all ranks flood each other, 16 of each, for long")
  void manyThreadsForLong(Mpi mpi) throws Throwable {
    flood(mpi, Thread.ofPlatform().daemon(), 16, 10_000);
  }

  @EnabledIfSystemProperty(named = "ffmpi.test.stress", matches = "true", disabledReason = "takes minutes")
  @MpiTest(ranks = 4, processes = true, timeout = 1_800)
  @DisplayName("S1-2.8-a: threads of all ranks flood each other, between processes")
  void manyThreadsOfProcesses(Mpi mpi) throws Throwable {
    // the seed is a process's own: all have to agree on one
    long[] common = {seed};
    mpi.world().bcast(Buf.of(common), 0);
    new Flood(mpi, common[0], 16, 20_000).run(Thread.ofPlatform().daemon());
  }

  private void flood(Mpi mpi, Thread.Builder threads, int perRank, int messages) throws Throwable {
    Seeds.run(seed, () -> new Flood(mpi, seed, perRank, messages).run(threads));
  }

  /** What one thread sends, one after the other. */
  private static final class Plan {
    private final RandomGenerator random;
    private final int ranks;
    private final int threads;
    int dest;
    int tag;
    int length;
    int kind;

    Plan(long seed, int rank, int thread, int ranks, int threads) {
      this.random = Seeds.random(seed * 31 + rank * 1_000L + thread);
      this.ranks = ranks;
      this.threads = threads;
    }

    void next() {
      dest = random.nextInt(ranks);
      tag = random.nextInt(threads);
      kind = random.nextInt(6);
      length = HEADER + switch (random.nextInt(12)) {
        case 0, 1, 2, 3 -> random.nextInt(20);
        case 4, 5, 6 -> random.nextInt(500);
        case 7, 8 -> random.nextInt(5_000);
        case 9, 10 -> random.nextInt(20_000);
        default -> random.nextInt(LONGEST - HEADER);
      };
    }
  }

  /** One rank's part. */
  private static final class Flood {
    private final Mpi mpi;
    private final Comm world;
    private final long seed;
    private final int threads;
    private final int messages;
    private final int[] expected;

    Flood(Mpi mpi, long seed, int threads, int messages) {
      this.mpi = mpi;
      this.world = mpi.world();
      this.seed = seed;
      this.threads = threads;
      this.messages = messages;
      this.expected = new int[threads];
    }

    void run(Thread.Builder builder) throws Throwable {
      for (int rank = 0; rank < world.size(); rank++) {
        for (int thread = 0; thread < threads; thread++) {
          Plan plan = plan(rank, thread);
          for (int i = 0; i < messages; i++) {
            plan.next();
            expected[plan.tag] += plan.dest == world.rank() ? 1 : 0;
          }
        }
      }
      Threads.run(builder, threads, this::exchange);
      assertTrue(world.iprobe(ANY_SOURCE, ANY_TAG).isEmpty());
      world.barrier();
    }

    private Plan plan(int rank, int thread) {
      return new Plan(seed, rank, thread, world.size(), threads);
    }

    private void exchange(int thread) {
      new Exchange(plan(world.rank(), thread), thread).run();
    }

    private static long checksum(byte[] bytes, int length) {
      CRC32C crc = new CRC32C();
      crc.update(bytes, 0, length);
      return crc.getValue();
    }

    /** One thread's part: whatever can go on goes on, otherwise it waits for the oldest send or receive. */
    private final class Exchange {
      private final Plan plan;
      private final int thread;
      private final ArrayDeque<Request> sends = new ArrayDeque<>();
      private final ArrayDeque<Request> receives = new ArrayDeque<>();
      private final ArrayDeque<byte[]> buffers = new ArrayDeque<>();
      private final ArrayDeque<byte[]> free = new ArrayDeque<>();
      private final int[][] last = new int[world.size()][threads];
      private final Status status = new Status();
      private int sent;
      private int posted;
      private int received;

      Exchange(Plan plan, int thread) {
        this.plan = plan;
        this.thread = thread;
        for (int[] each : last) {
          Arrays.fill(each, -1);
        }
      }

      void run() {
        while (sent < messages || received < expected[thread] || !sends.isEmpty()) {
          boolean moved = start();
          if (!sends.isEmpty() && sends.peek().test()) {
            sends.poll();
            moved = true;
          }
          if (!receives.isEmpty() && receives.peek().test(status)) {
            receives.poll();
            take();
            moved = true;
          }
          if (!moved) {
            await();
          }
        }
      }

      private boolean start() {
        while (receives.size() < WINDOW && posted < expected[thread]) {
          byte[] buffer = free.isEmpty() ? new byte[LONGEST] : free.poll();
          buffers.add(buffer);
          receives.add(world.irecv(buffer, ANY_SOURCE, thread));
          posted++;
        }
        if (sent == messages || sends.size() == WINDOW) {
          return false;
        }
        plan.next();
        sends.add(send(sent++));
        return true;
      }

      private void await() {
        List<Request> oldest = new ArrayList<>();
        oldest.add(receives.peek()); // null counts as inactive
        oldest.add(sends.peek());
        if (Request.waitAny(oldest, status) == 0) {
          receives.poll();
          take();
        } else {
          sends.poll();
        }
      }

      private void take() {
        byte[] buffer = buffers.poll();
        check(buffer);
        free.add(buffer);
        received++;
      }

      private Request send(int number) {
        byte[] message = Arrays.copyOfRange(NOISE, number % LONGEST, number % LONGEST + plan.length);
        MemorySegment bytes = MemorySegment.ofArray(message);
        bytes.set(ValueLayout.JAVA_INT_UNALIGNED, 0, world.rank());
        bytes.set(ValueLayout.JAVA_INT_UNALIGNED, 4, thread);
        bytes.set(ValueLayout.JAVA_INT_UNALIGNED, 8, number);
        bytes.set(ValueLayout.JAVA_INT_UNALIGNED, 12, plan.length);
        bytes.set(ValueLayout.JAVA_LONG_UNALIGNED, 16, 0);
        bytes.set(ValueLayout.JAVA_LONG_UNALIGNED, 16, checksum(message, plan.length));
        Buf<Byte> buf = switch (plan.kind) {
          case 0, 1 -> in(Arena.ofAuto().allocate(plan.length), bytes);
          case 2 -> in(mpi.shared().allocate(plan.length), bytes);
          default -> Buf.of(message);
        };
        return plan.kind % 2 == 0 ? world.issend(buf, plan.dest, plan.tag) : world.isend(buf, plan.dest, plan.tag);
      }

      private static Buf<Byte> in(MemorySegment memory, MemorySegment bytes) {
        return Buf.of(memory.copyFrom(bytes), bytes.byteSize(), Datatype.BYTE);
      }

      private void check(byte[] buffer) {
        MemorySegment bytes = MemorySegment.ofArray(buffer);
        int source = bytes.get(ValueLayout.JAVA_INT_UNALIGNED, 0);
        int sender = bytes.get(ValueLayout.JAVA_INT_UNALIGNED, 4);
        int number = bytes.get(ValueLayout.JAVA_INT_UNALIGNED, 8);
        String what = "message " + number + " of thread " + sender + " of rank " + source;
        assertEquals(source, status.source(), what);
        assertEquals(thread, status.tag(), what);
        assertEquals(bytes.get(ValueLayout.JAVA_INT_UNALIGNED, 12), status.bytes(), what);
        long sum = bytes.get(ValueLayout.JAVA_LONG_UNALIGNED, 16);
        bytes.set(ValueLayout.JAVA_LONG_UNALIGNED, 16, 0);
        assertEquals(checksum(buffer, (int) status.bytes()), sum, what);
        assertTrue(number > last[source][sender], () -> what + " came after " + last[source][sender]);
        last[source][sender] = number;
      }
    }
  }
}
